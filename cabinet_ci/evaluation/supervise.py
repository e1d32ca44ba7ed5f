"""Runs one shell command as a process of its own, and ends all that the command leaves running.

A build may start a daemon that leaves its group and its session. On Linux every orphan below this process becomes its
child, so that none gets away. Elsewhere only the group can be ended, by who started this.

Nothing but the standard library's cheap modules: it starts for every command of a build.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36
"""Of Linux' prctl."""

ENDING_SECONDS = 10.0
"""How long to go after processes that start others."""


def main(command: str) -> int:
    """Exit code of the command, 128 and the number of a signal that ended it, as a shell says."""
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        prctl(SET_SUBREAPER, 1, 0, 0, 0)
        prctl(SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    signal.signal(signal.SIGTERM, _stop)
    shell = os.posix_spawn("/bin/sh", ["sh", "-c", command], os.environ)
    try:
        while True:
            ended, status = os.wait()
            if ended == shell:
                code = os.waitstatus_to_exitcode(status)
                return 128 - code if code < 0 else code
    finally:
        _end_children()


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _end_children() -> None:
    until = time.monotonic() + ENDING_SECONDS
    while time.monotonic() < until:
        for child in _children():
            try:
                os.kill(child, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        try:
            # Children of those that died are this process's now.
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.002)


def _children() -> list[int]:
    """Processes whose parent is this one, by what Linux tells of each."""
    found = []
    own = str(os.getpid())
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                # The name of the program stands in parentheses, and may hold some itself.
                parent = file.read().rpartition(")")[2].split()[1]
        except (OSError, IndexError):
            continue
        if parent == own:
            found.append(int(name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
