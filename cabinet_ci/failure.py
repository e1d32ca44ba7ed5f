"""The one exception for work that could not be done: exit code 2."""

from __future__ import annotations


class CannotRun(Exception):
    """The command could not do its work: usage, no repository, no base, a missing toolchain.

    `why` says what stands in the way and `remedy` what to do about it, each in a clause of its own; the command line
    prints them as one line and exits with 2.
    """

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(why, remedy)
        self.why = why
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.why}; {self.remedy}" if self.remedy else self.why
        return " ".join(text.split())
