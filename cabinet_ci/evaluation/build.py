"""Building a reference: its author's commands, in a temporary run root, with an environment that holds no secret."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import msgspec

from cabinet_ci.catalog.manifest import Build
from cabinet_ci.evaluation import supervise
from cabinet_ci.evaluation.result import BuildOutcome
from cabinet_ci.failure import CannotRun

PASSED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "LOGNAME", "SHELL", "SYSTEMROOT",
    "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
)  # fmt: skip
"""Environment variables that a build sees. Everything else, tokens above all, is left out."""

LOG_LINES = 40
LOG_BYTES = 16 * 1024
NAMES_SEARCHED = 20_000
"""Files and folders of a run root that are searched for a module that lies elsewhere than declared."""

BUILD_SECONDS = 1800.0
"""How long each command may take."""


class Built(msgspec.Struct, frozen=True):
    """How a build ended; `module` is the content of the module it wrote, null where it wrote none.

    `outcome` is null for a ready module, `reason` says why there is no module.
    """

    outcome: BuildOutcome | None
    module: bytes | None
    reason: str = ""


def build_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment that a build is given: those of `PASSED_ON` that are set."""
    return {name: environment[name] for name in PASSED_ON if name in environment}


def build(build_table: Build, run_root: Path, size_limit: int, named_at: Callable[[], str]) -> Built:
    """Run `install` and `build` in `run_root` and read the module, of at most `size_limit` bytes.

    `named_at` says where the manifest names the module. Raises `CannotRun` where the compiler itself is missing, for
    that is not the reference's fault.
    """
    started = time.monotonic()
    # A file without a name: whatever a build does around its run root, it can't put another in its place.
    with tempfile.TemporaryFile() as output:
        for command in (build_table.install, build_table.build):
            output.write(f"$ {command}\n".encode())
            output.flush()
            code = _run(command, run_root, output.fileno())
            if code != 0:
                tail = _tail(output)
                _refuse_missing_compiler(command, code, tail)
                seconds = time.monotonic() - started
                reason = (
                    f"`{command}` took longer than {BUILD_SECONDS:.0f} s"
                    if code is None
                    else (f"`{command}` exited with {code}")
                )
                return Built(BuildOutcome(False, seconds, tail), None, reason)
        seconds, tail = time.monotonic() - started, _tail(output)
    module = run_root / build_table.module
    reason = _why_no_module(module, run_root, build_table.module, size_limit)
    if reason:
        return Built(BuildOutcome(False, seconds, tail), None, f"{reason} ({named_at()})")
    return Built(BuildOutcome(True, seconds, tail), module.read_bytes())


def _run(command: str, run_root: Path, output: int) -> int | None:
    """Exit code of a shell command; None where it took too long. Nothing that it started outlives it."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", supervise.__file__, command],
        cwd=run_root,
        env=build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        return process.wait(BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2 * supervise.ENDING_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tail(output: IO[bytes]) -> str:
    output.seek(max(0, os.fstat(output.fileno()).st_size - LOG_BYTES))
    text = output.read().decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-LOG_LINES:])


def _why_no_module(module: Path, run_root: Path, name: str, size_limit: int) -> str:
    if not module.exists():
        others = _modules_in(run_root)
        return f"the build wrote no {name}" + (f", but there is {', '.join(others)}" if others else "")
    if not module.resolve().is_relative_to(run_root.resolve()):
        return f"{name} leads out of the run root"
    if not module.is_file():
        return f"{name} is no file"
    return f"{name} is larger than {size_limit // 2**20} MiB" if module.stat().st_size > size_limit else ""


def _modules_in(run_root: Path) -> list[str]:
    """A few modules that lie in the run root, those with the shortest paths."""
    found: list[str] = []
    seen = 0
    for folder, _, names in os.walk(run_root):
        seen += 1 + len(names)
        if seen > NAMES_SEARCHED:
            break
        found += [os.path.relpath(os.path.join(folder, name), run_root) for name in names if name.endswith(".wasm")]
    return sorted(found, key=lambda path: (path.count(os.sep), path))[:3]


def _refuse_missing_compiler(command: str, code: int | None, tail: str) -> None:
    missing = re.search(r"([\w./+-]+): (?:command )?not found", tail) if code == 127 else None
    # A build may exit with 127, and say so, for reasons of its own.
    if missing is not None and shutil.which(missing[1]) is None:
        raise CannotRun(
            f"the build needs `{missing[1]}`, which is not installed",
            f"install it, or correct [build] in test-case.toml: {command}",
        )
    if re.search(r"can't find crate for `(std|core)`", tail):
        target = re.search(r"--target[ =]([\w-]+)", command) or re.search(
            r"`([\w-]+)` target may not be installed", tail
        )
        name = target[1] if target else "wasm32-unknown-unknown"
        cargo = shutil.which("cargo") or "cargo"
        raise CannotRun(f"the Rust of {cargo} has no standard library for {name}", _rust_remedy(name, cargo))


def _rust_remedy(target: str, cargo: str) -> str:
    if cargo != "/usr/bin/cargo" and Path(f"/usr/lib/rustlib/{target}").is_dir():
        return "the one in /usr/bin has it: put /usr/bin first on PATH"
    return f"run `rustup target add {target}`, or install your system's package of it"
