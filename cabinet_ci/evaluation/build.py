"""Building a reference: its author's commands, in a temporary run root, with an environment that holds no secret."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import msgspec

from cabinet_ci.catalog.manifest import Build
from cabinet_ci.evaluation.result import BuildOutcome
from cabinet_ci.failure import CannotRun

PASSED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "LOGNAME", "SHELL", "SYSTEMROOT",
    "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
)  # fmt: skip
"""Environment variables that a build sees. Everything else, tokens above all, is left out."""

LOG_LINES = 40
LOG_BYTES = 16 * 1024
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


def build(build_table: Build, run_root: Path, size_limit: int) -> Built:
    """Run `install` and `build` in `run_root` and read the module.

    Raises `CannotRun` where the compiler itself is missing, for that is not the reference's fault.
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
        return Built(BuildOutcome(False, seconds, tail), None, reason)
    return Built(BuildOutcome(True, seconds, tail), module.read_bytes())


def _run(command: str, run_root: Path, output: int) -> int | None:
    """Exit code of a shell command; None where it took too long. Nothing that it started outlives it."""
    process = subprocess.Popen(  # noqa: S602 - the commands of a manifest are shell commands
        command,
        shell=True,
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
        _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tail(output: IO[bytes]) -> str:
    output.seek(max(0, os.fstat(output.fileno()).st_size - LOG_BYTES))
    text = output.read().decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-LOG_LINES:])


def _why_no_module(module: Path, run_root: Path, name: str, size_limit: int) -> str:
    if not module.exists():
        return f"the build wrote no {name}"
    if not module.resolve().is_relative_to(run_root.resolve()):
        return f"{name} leads out of the run root"
    if not module.is_file():
        return f"{name} is no file"
    return f"{name} is larger than {size_limit // 2**20} MiB" if module.stat().st_size > size_limit else ""


def _refuse_missing_compiler(command: str, code: int | None, tail: str) -> None:
    if code == 127:
        missing = re.search(r"([\w./+-]+): (?:command )?not found", tail)
        name = missing[1] if missing else command.split()[0]
        raise CannotRun(
            f"the build needs `{name}`, which is not installed",
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
