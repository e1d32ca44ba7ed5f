"""Worker processes: modules run side by side in them, and one that takes its process down ends only its own case."""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from cabinet_ci.evaluation.cache.store import Store, digest
from cabinet_ci.evaluation.maker import conditions
from cabinet_ci.evaluation.sandbox.calls import MODULE_LIMIT, Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.worker import (
    COMPILE_LIMIT,
    HELLO,
    Answered,
    Call,
    Compile,
    Compiled,
    Explain,
    Reply,
    Request,
)
from cabinet_ci.failure import CannotRun

COMPILE_SECONDS = 180.0
"""A component that carries a language's engine takes some 15 seconds."""

START_SECONDS = 60.0

PACKAGES = Path(__file__).parents[3]
"""Where this package is found, for a process that starts with nothing."""


Item = TypeVar("Item")
Result = TypeVar("Result")


class Ready(msgspec.Struct, frozen=True):
    """A module that was compiled and can be called."""

    source: str
    compiled: str
    entry: str


class Lost(Exception):
    """A worker is gone, or was stopped for it took too long; the message says which."""

    def __init__(self, reason: str, *, late: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.late = late


class Pool:
    """At most `jobs` workers, started when they are needed, and as many threads that use them."""

    def __init__(
        self,
        jobs: int,
        compile_seconds: float = COMPILE_SECONDS,
        compile_memory: int = COMPILE_LIMIT,
        store: Store | None = None,
    ) -> None:
        """Compiling a module may take so many seconds, and so many bytes of memory; `store` keeps what it gave."""
        self._store = store or Store(None)
        self._compile_seconds, self._compile_memory = compile_seconds, compile_memory
        self._folder = tempfile.TemporaryDirectory(prefix="cabinet-ci-", ignore_cleanup_errors=True)
        self._threads = ThreadPoolExecutor(max_workers=jobs)
        self._free: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        for _ in range(jobs):
            self._free.put(None)
        self._running: set[Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Workers first: a thread that waits for one would wait for as long as its module runs.
        with self._lock:
            self._closed = True
            for worker in self._running:
                worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._running:
            worker.close()
        self._folder.cleanup()

    @property
    def pids(self) -> list[int]:
        """Ids of the worker processes."""
        with self._lock:
            return sorted(worker.pid for worker in self._running)

    def side_by_side(self, action: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Do something with each item, in the threads of this pool; the results are in the order of the items."""
        return list(self._threads.map(action, items))

    def prepare(self, source: bytes, entry: str) -> Ready:
        """Compile a module and find its entry. Raises `ModuleRefused` where it can't be called."""
        if len(source) > MODULE_LIMIT:
            raise ModuleRefused(f"the module is larger than {MODULE_LIMIT // (1024 * 1024)} MiB")
        base = Path(self._folder.name) / hashlib.sha256(source).hexdigest()
        ready = Ready(f"{base}.wasm", f"{base}.compiled", entry)
        Path(ready.source).write_bytes(source)
        key = digest(source, entry, conditions()) if self._store.keeps_code else ""
        code = self._store.get_code(key)
        if code is not None:
            Path(ready.compiled).write_bytes(code)
            return ready
        try:
            reply = self._ask(Compile(ready.source, ready.compiled, entry, self._compile_memory), self._compile_seconds)
        except Lost as lost:
            limit = "" if lost.late else f" (compiling may take {self._compile_memory // 1024**2:,} MiB of memory)"
            raise ModuleRefused(f"the module can't be compiled: {lost.reason}{limit}") from None
        assert isinstance(reply, Compiled)  # noqa: S101
        if reply.refused:
            raise ModuleRefused(reply.refused)
        self._store.put_code(key, Path(ready.compiled).read_bytes())
        return ready

    def call(self, ready: Ready, given: bytes, limits: Limits) -> Called:
        """Call the entry once, in a fresh instance, in one of the workers."""
        request = Call(ready.source, ready.compiled, ready.entry, given, limits)
        try:
            reply = self._ask(request, limits.seconds)
        except Lost as lost:
            return Called(ending="timeout" if lost.late else "trap", detail=lost.reason, is_repeatable=False)
        assert isinstance(reply, Answered)  # noqa: S101
        return reply.called if reply.called.ending != "trap" else self._explained(request, reply.called)

    def _explained(self, request: Call, called: Called) -> Called:
        try:
            reply = self._ask(Explain(request, called), request.limits.seconds + self._compile_seconds)
        except Lost:
            return msgspec.structs.replace(called, is_repeatable=False)
        assert isinstance(reply, Answered)  # noqa: S101
        return reply.called

    def _ask(self, request: Request, seconds: float) -> Reply:
        worker = self._free.get()
        try:
            if worker is None:
                worker = self._start()
            return worker.ask(request, seconds)
        except BaseException:
            if worker is not None:
                self._forget(worker)
            worker = None
            raise
        finally:
            self._free.put(worker)

    def _start(self) -> Worker:
        with self._lock:
            if self._closed:
                raise Lost("the evaluation was broken off", late=False)
            worker = Worker()
            self._running.add(worker)
        worker.greet()
        return worker

    def _forget(self, worker: Worker) -> None:
        worker.kill()
        with self._lock:
            self._running.discard(worker)
        worker.close()


class Worker:
    """One process. `pid` is its id."""

    def __init__(self) -> None:
        """Start it. Raises `CannotRun` where no process can be started."""
        environment = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LD_LIBRARY_PATH") if name in os.environ}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "cabinet_ci.evaluation.sandbox.worker"],
                cwd=PACKAGES,
                env={**environment, "PYTHONPATH": os.pathsep.join([str(PACKAGES), *filter(None, sys.path)])},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotRun("the process that runs modules can't be started", str(error.strerror)) from None
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        self._requests = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._replies = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        self._decoder = msgspec.msgpack.Decoder(Reply)

    def greet(self) -> None:
        """Wait until it can serve. Raises `CannotRun` where it never can."""
        try:
            if self._replies.poll(START_SECONDS) and self._replies.recv_bytes() == HELLO:
                return
        except (EOFError, OSError):
            pass
        raise CannotRun(
            f"the process that runs modules does not start: it {self._end()}",
            f"see what `{sys.executable} -m cabinet_ci.evaluation.sandbox.worker` says",
        )

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def ask(self, request: Request, seconds: float) -> Reply:
        """Send a request and wait for its reply. Raises `Lost`."""
        try:
            self._requests.send_bytes(msgspec.msgpack.encode(request))
            if not self._replies.poll(seconds):
                raise Lost(f"it took longer than {seconds:,.0f} seconds", late=True)
            return self._decoder.decode(self._replies.recv_bytes())
        except (EOFError, OSError):
            raise Lost(f"the sandbox's process {self._end()}", late=False) from None

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()

    def close(self) -> None:
        """Let go of a process that has been ended."""
        self._process.wait()
        self._requests.close()
        self._replies.close()

    def _end(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(10)
            if code >= 0:
                return f"ended with code {code}"
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}"
        return "stopped replying"
