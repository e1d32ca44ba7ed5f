"""The process in which modules run, so that none can take the evaluation with it.

It reads requests from its standard input and writes replies to its standard output, one at a time, until the input
ends. Nothing of its environment reaches a module.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cabinet_ci.evaluation.sandbox.calls import Called, Limits, ModuleRefused, kind_of

if TYPE_CHECKING:
    from cabinet_ci.evaluation.sandbox.entry import Subject

DATA_LIMIT = 8 * 1024**3
"""Bytes of memory that the process may write to."""

COMPILE_LIMIT = 3 * 1024**3
"""The same while it compiles a module. A component that carries a language's engine takes half a GiB."""

THREAD_STACK = 8 * 1024**2
"""Bytes: eight times what a module may use."""

HELLO = b"ready"
"""What the process sends once it can serve."""


class Compile(msgspec.Struct, frozen=True, tag=True):
    """Compile the module at `source`, look for the entry, and leave the result at `compiled`.

    `memory` is how many bytes of memory the process may write to meanwhile.
    """

    source: str
    compiled: str
    entry: str
    memory: int = COMPILE_LIMIT


class Call(msgspec.Struct, frozen=True, tag=True):
    """Call the entry of a module that was compiled, here or elsewhere."""

    source: str
    compiled: str
    entry: str
    given: bytes
    limits: Limits


class Explain(msgspec.Struct, frozen=True, tag=True):
    """Look into a call that ended in a trap."""

    call: Call
    called: Called


class Compiled(msgspec.Struct, frozen=True, tag=True):
    """The module was compiled; `refused` says why it can't be called, and is empty where it can."""

    refused: str = ""


class Answered(msgspec.Struct, frozen=True, tag=True):
    """The call ended, or was looked into."""

    called: Called


Request = Compile | Call | Explain
Reply = Compiled | Answered


def main() -> None:
    """Serve requests until the input ends."""
    _expose_to_the_kernel()
    _end_with(os.getppid())
    # What a library may print must not end up between the replies.
    replies = Connection(os.dup(1), readable=False)
    os.dup2(2, 1)
    requests = Connection(os.dup(0), writable=False)

    # A module's stack lies on that of its thread, which then is as large on every host.
    threading.stack_size(THREAD_STACK)
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(_serve, requests, replies).result()


def _serve(requests: Connection, replies: Connection) -> None:
    server = _Server()
    decoder = msgspec.msgpack.Decoder(Request)
    replies.send_bytes(HELLO)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            reply = server.serve(decoder.decode(requests.recv_bytes()))
            replies.send_bytes(msgspec.msgpack.encode(reply))


class _Server:
    """Keeps the module that was asked for last."""

    def __init__(self) -> None:
        from cabinet_ci.evaluation.sandbox.engine import make_engine

        self.engine = make_engine()
        self._key = ("", "")
        self._subject: Subject | None = None

    def serve(self, request: Request) -> Reply:
        if isinstance(request, Compile):
            return self._compile(request)
        if isinstance(request, Explain):
            call = request.call
            return Answered(self._found(call).explain(call.given, call.limits, request.called))
        return Answered(self._found(request).call(request.given, request.limits))

    def _compile(self, request: Compile) -> Compiled:
        from cabinet_ci.evaluation.sandbox.engine import load
        from cabinet_ci.evaluation.sandbox.entry import Subject

        source = Path(request.source).read_bytes()
        try:
            with _within(request.memory):
                self._subject = Subject(load(self.engine, source), source, request.entry)
        except ModuleRefused as refused:
            return Compiled(refused.reason)
        self._key = (request.compiled, request.entry)
        Path(request.compiled).write_bytes(self._subject.loaded.compiled.serialize())
        return Compiled()

    def _found(self, request: Call) -> Subject:
        import wasmtime

        from cabinet_ci.evaluation.sandbox.engine import load, restore
        from cabinet_ci.evaluation.sandbox.entry import Subject

        if self._subject is None or self._key != (request.compiled, request.entry):
            source = Path(request.source).read_bytes()
            try:
                loaded = restore(self.engine, kind_of(source) == "component", Path(request.compiled).read_bytes())
            except wasmtime.WasmtimeError:
                # Code that was kept by an engine of other settings, or for another processor.
                loaded = load(self.engine, source)
            self._subject = Subject(loaded, source, request.entry)
            self._key = (request.compiled, request.entry)
        return self._subject


def _end_with(parent: int) -> None:
    """End this process, whatever it does, once its parent is gone and nobody waits for a reply."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _expose_to_the_kernel() -> None:
    """Where memory runs out, this process is the one to go."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit_data(DATA_LIMIT)


def _limit_data(limit: int) -> None:
    """Bound the memory that this process may write to, where the system knows such a bound."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


@contextlib.contextmanager
def _within(limit: int) -> Iterator[None]:
    """Take no more memory than that, and give all of it back: the allocator would keep it."""
    _limit_data(limit)
    try:
        yield
    finally:
        _limit_data(DATA_LIMIT)
        with contextlib.suppress(AttributeError, OSError):
            import ctypes

            ctypes.CDLL(None).malloc_trim(0)


if __name__ == "__main__":
    main()
