"""What a module is offered of the world, in one place: the same on every host, at every time.

| asked for | given |
|---|---|
| arguments, environment, files, network | none |
| wall clock | always 2020-01-01T00:00:00Z |
| monotonic clock | always 0; a sleep is over at once |
| random bytes | the same sequence for every call of the entry |
| standard input | at its end |
| standard output and error | kept, the last 4 KiB, for the detail of a failure |
| exit | ends the case as a trap |

WASI preview 1 (`wasi_snapshot_preview1`) and preview 2 (`wasi:*@0.2`) are answered from here.
"""

from __future__ import annotations

import hashlib

from cabinet_ci.evaluation.sandbox.calls import CallEnded

WALL_SECONDS = 1_577_836_800
MONOTONIC = 0
RESOLUTION = 1_000_000
"""Of both clocks, in nanoseconds."""

PRINTED_LIMIT = 4096
RANDOM_LIMIT = 1024 * 1024
"""Bytes that one call may ask for."""


class World:
    """The world of one instance: it starts anew with every case."""

    ended: CallEnded | None = None
    """Set where what was asked for ends the case, though the engine carries it as an error of its own."""

    asked = ""
    """What a component asked for last, by its name."""

    def __init__(self) -> None:
        self._printed = bytearray()
        self._block = 0
        self._random = b""

    @property
    def printed(self) -> str:
        """The end of what was written to standard output and error."""
        return bytes(self._printed).decode("utf-8", "replace")

    def write(self, data: bytes) -> None:
        """Keep the end of what is written."""
        self._printed += data[-PRINTED_LIMIT:]
        del self._printed[:-PRINTED_LIMIT]

    def random(self, length: int) -> bytes:
        """The next bytes of the sequence. Raises `CallEnded` for more than `RANDOM_LIMIT`."""
        if length > RANDOM_LIMIT:
            raise CallEnded(
                "trap", f"{length:,} random bytes asked for at once, and at most {RANDOM_LIMIT:,} are given"
            )
        parts = [self._random]
        found = len(self._random)
        while found < length:
            parts.append(hashlib.sha256(self._block.to_bytes(8, "little")).digest())
            self._block += 1
            found += len(parts[-1])
        joined = b"".join(parts)
        self._random = joined[length:]
        return joined[:length]

    def exit(self, code: int) -> CallEnded:
        """The ending of a module that exits."""
        return CallEnded("trap", f"the module exited with code {code}")
