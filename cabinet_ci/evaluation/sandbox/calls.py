"""What is asked of the sandbox and what it says: plain values, free of the engine that does the work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

Ending = Literal[
    "answer", "err", "out-of-fuel", "trap", "memory-limit", "abi-error", "invalid-output", "timeout"
]  # fmt: skip
"""How a call ends. "answer" and "err" (a component's own, with its text) are still to be graded."""

Kind = Literal["core", "component"]

COMPONENT_HEADER = b"\x00asm\x0d\x00\x01\x00"
CORE_HEADER = b"\x00asm\x01\x00\x00\x00"

MODULE_LIMIT = 64 * 1024 * 1024
"""Bytes of a module that are compiled."""

ANSWER_LIMIT = 64 * 1024 * 1024
"""Bytes of an answer that are read."""

EXPORTS_SHOWN = 8
NAME_SHOWN = 60

FUEL_PER_SECOND = 20_000_000
"""A fiftieth of what an ordinary machine burns: the deadline is that far above any honest run."""

DEADLINE_MIN = 60.0

DEADLINE_MAX = 7 * 24 * 3600.0
"""The system waits for some weeks at most."""

FUEL_MAX = 2**63 - 2
"""The most that is granted for a call; no machine burns as much."""


class Limits(msgspec.Struct, frozen=True):
    """What a call may use.

    `setup_fuel` bounds instantiation, `_initialize` and `alloc` together, `budget` the entry's call; `memory_bytes`
    caps the linear memory; `deadline` is in seconds, by default far above any honest run.
    """

    setup_fuel: int
    budget: int
    memory_bytes: int
    deadline: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds after which a call is given up as "timeout"."""
        return self.deadline or min(DEADLINE_MAX, max(DEADLINE_MIN, (self.setup_fuel + self.budget) / FUEL_PER_SECOND))


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """How a call ended. `fuel` is what the entry consumed, null where it never ran; `answer` is set for "answer".

    `memory_bytes` is the memory's size afterwards, null where it can't be seen (a component keeps its memory to
    itself); `printed` the end of what was written to standard output and error; `setup_fuel` what setting up consumed,
    null where it did not come to its end; `is_repeatable` is false where another run may end otherwise, for the process
    was lost or took too long.
    """

    ending: Ending
    answer: bytes | None = None
    fuel: int | None = None
    memory_bytes: int | None = None
    seconds: float = 0.0
    detail: str = ""
    printed: str = ""
    setup_fuel: int | None = None
    is_repeatable: bool = True


class ModuleRefused(Exception):
    """A module that can't be run at all: `reason` says why, naming the import or export."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CallEnded(Exception):
    """A call is over before it gave an answer."""

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


def check_length(length: int) -> None:
    """Raise `CallEnded` for an answer of more bytes than are read."""
    if length > ANSWER_LIMIT:
        detail = f"the answer is {length:,} bytes long, and at most {ANSWER_LIMIT:,} are read"
        raise CallEnded("invalid-output", detail)


def there_are(exports: Iterable[str]) -> str:
    """What a module exports, for the detail of one that lacks an export."""
    names = list(exports)
    told = ", ".join(f"`{name[:NAME_SHOWN]}`" for name in names[:EXPORTS_SHOWN])
    more = f" and {len(names) - EXPORTS_SHOWN:,} more" if len(names) > EXPORTS_SHOWN else ""
    return f"; it exports {told}{more}" if names else "; it exports nothing"


def kind_of(source: bytes) -> Kind:
    """What a module is by its first bytes."""
    return "component" if source.startswith(COMPONENT_HEADER) else "core"
