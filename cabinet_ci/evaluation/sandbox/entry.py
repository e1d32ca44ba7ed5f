"""The entry of a module of either kind, ready to be called."""

from __future__ import annotations

from typing import Protocol

import msgspec
import wasmtime

from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, Limits, ModuleRefused, kind_of
from cabinet_ci.evaluation.sandbox.components import ComponentEntry
from cabinet_ci.evaluation.sandbox.core import CoreEntry
from cabinet_ci.evaluation.sandbox.engine import Loaded, load
from cabinet_ci.evaluation.sandbox.growth import DIVISION, UNREACHABLE, trapping_on_refusal


class Entry(Protocol):
    """What can be called with an input: a core module's entry or a component's."""

    def call(self, given: bytes, limits: Limits) -> Called:
        """Call the entry once, in a fresh instance, within the limits."""


def entry_of(loaded: Loaded, name: str) -> Entry:
    """The entry of that name. Raises `ModuleRefused` where the module can't be called."""
    if isinstance(loaded.compiled, wasmtime.Module):
        return CoreEntry(loaded, name)
    return ComponentEntry(loaded, name)


class Subject:
    """A module under evaluation: its entry, and what it takes to explain how a call of it ended."""

    def __init__(self, loaded: Loaded, source: bytes, name: str) -> None:
        """Raise `ModuleRefused` where the module can't be called."""
        self.loaded = loaded
        self.kind = kind_of(source)
        self._source = source
        self._name = name
        self._entry = entry_of(loaded, name)
        self._copies: dict[bytes, Entry | None] = {}

    def call(self, given: bytes, limits: Limits) -> Called:
        """Call the entry once, in a fresh instance, within the limits."""
        return self._entry.call(given, limits)

    def explain(self, given: bytes, limits: Limits, called: Called) -> Called:
        """How a call that ended in a trap is to be told: after a refused growth of memory it is a "memory-limit"."""
        if called.ending != "trap" or not self._was_refused_growth(given, limits, called):
            return called
        detail = f"{called.detail}, after the memory could not grow (the cap is {limits.memory_bytes:,} bytes)"
        return msgspec.structs.replace(called, ending="memory-limit", detail=detail)

    def _was_refused_growth(self, given: bytes, limits: Limits, called: Called) -> bool:
        trap, name = (DIVISION, "divide by zero") if "unreachable" in called.detail else (UNREACHABLE, "unreachable")
        if trap not in self._copies:
            self._copies[trap] = self._copy(trap)
        copy = self._copies[trap]
        if copy is None:
            return False
        # The copy's detour costs a little fuel.
        roomy = msgspec.structs.replace(
            limits, setup_fuel=2 * limits.setup_fuel + 10_000, budget=min(2 * limits.budget + 10_000, FUEL_MAX)
        )
        again = copy.call(given, roomy)
        return again.ending == "trap" and name in again.detail

    def _copy(self, trap: bytes) -> Entry | None:
        source = trapping_on_refusal(self._source, trap)
        try:
            return None if source is None else entry_of(load(self.loaded.engine, source), self._name)
        except ModuleRefused:
            return None
