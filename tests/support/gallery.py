"""Meeting a module as an evaluation does: compiled, called in a worker, classified, within the host's memory."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cabinet_ci.catalog.manifest import Case, Sandbox
from cabinet_ci.evaluation.classify import classify
from cabinet_ci.evaluation.sandbox.calls import Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.support.cases import ECHO, wat

MIB = 1024 * 1024

HOST_MEMORY = 150 * MIB
"""What the host may take beside the module's memory."""


class Met(NamedTuple):
    """How a case ended, as a result tells it."""

    outcome: str
    detail: str
    fuel: int | None = None
    called: Called | None = None


class Gallery:
    """Modules are met one after another in the workers of one pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def meet(
        self,
        module: bytes,
        given: str = "[1]",
        expected: str = "[1]",
        *,
        fuel: int = 100_000,
        memory: int = MIB,
        deadline: float = 0.0,
    ) -> Met:
        """Run one smoke case. Fails where the host took more memory than it may."""
        case = Case(input="cases/one.json", expected="cases/one.out", kind="smoke")
        sandbox = Sandbox(fuel_limit=fuel, max_memory_bytes=memory)
        try:
            ready = self._pool.prepare(module, "solve")
        except ModuleRefused as refused:
            return Met("abi-error", refused.reason)
        self._forget_peaks()
        called = self._pool.call(ready, given.encode(), Limits(fuel, fuel, memory, deadline))
        assert all(peak < memory + HOST_MEMORY for peak in self._peaks())
        outcome, detail = classify(case, sandbox, called, expected.encode())
        return Met(outcome, detail, called.fuel, called)

    def _forget_peaks(self) -> None:
        for pid in self._pool.pids:
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5")

    def _peaks(self) -> list[int]:
        """The most memory that each worker had since; none where the system doesn't tell."""
        peaks = []
        for pid in self._pool.pids:
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                peaks += [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")]
        return peaks


def with_alloc(alloc: str, extra: str = "") -> bytes:
    """A module that echoes, with an `alloc` of its own."""
    return wat(f"""(module (memory (export "memory") 1) {extra}
      (func (export "alloc") (param $len i32) (result i32) {alloc})
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {ECHO}))""")
