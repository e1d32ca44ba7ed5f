"""Calling a core module's entry by the ABI of section 2 of the format.

The module exports `memory`, `alloc(len: i32) -> i32` and the entry `(ptr: i32, len: i32) -> i64`; the answer lies at
the upper half of the result and is as long as the lower half says, both unsigned.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import wasmtime

from cabinet_ci.evaluation.sandbox.calls import (
    FUEL_MAX,
    Called,
    CallEnded,
    Limits,
    ModuleRefused,
    check_length,
    there_are,
)
from cabinet_ci.evaluation.sandbox.engine import TABLE_ELEMENTS, TABLES, Loaded, ended
from cabinet_ci.evaluation.sandbox.offered import World
from cabinet_ci.evaluation.sandbox.preview1 import check_import, imports_of

_MASK = 0xFFFF_FFFF


class CoreEntry:
    """The entry of a core module, ready to be called."""

    def __init__(self, loaded: Loaded, entry: str) -> None:
        """Raise `ModuleRefused` where an import is not offered, or an export is missing or has another signature."""
        assert isinstance(loaded.compiled, wasmtime.Module)  # noqa: S101
        self._engine, self._module, self._entry = loaded.engine, loaded.compiled, entry
        for wanted in self._module.imports:
            check_import(wanted)
        exports = {export.name: export.type for export in self._module.exports}
        if not isinstance(exports.get("memory"), wasmtime.MemoryType):
            raise ModuleRefused(f"the module does not export its memory as `memory`{there_are(exports)}")
        _check_function(exports, "alloc", ["i32"], ["i32"])
        _check_function(exports, entry, ["i32", "i32"], ["i64"])
        if "_initialize" in exports:
            _check_function(exports, "_initialize", [], [])

    def call(self, given: bytes, limits: Limits) -> Called:
        """Call the entry once, in a fresh instance, with the input `given`."""
        # Closed at once: left to the garbage collector, the memories of several cases would add up.
        with wasmtime.Store(self._engine) as store:
            store.set_limits(
                memory_size=limits.memory_bytes,
                table_elements=TABLE_ELEMENTS,
                instances=1,
                tables=TABLES,
                memories=1,
            )
            instance = _Instance(store, self._entry)
            started = time.perf_counter()
            called = instance.measured(self._module, given, limits)
            return msgspec.structs.replace(
                called,
                seconds=time.perf_counter() - started,
                memory_bytes=None if instance.memory is None else instance.memory.data_len(store),
                printed=instance.world.printed,
                setup_fuel=instance.setup_fuel,
            )


class _Instance:
    """One instance in its store, from its making to its answer."""

    def __init__(self, store: wasmtime.Store, entry: str) -> None:
        self.store = store
        self.entry = entry
        self.world = World()
        self.memory: wasmtime.Memory | None = None
        self.setup_fuel: int | None = None

    def measured(self, module: wasmtime.Module, given: bytes, limits: Limits) -> Called:
        fuel: int | None = None
        try:
            exports, pointer = self._set_up(module, given, limits)
            self.store.set_fuel(limits.budget + 1)
            fuel = 0
            try:
                result = _guarded(lambda: exports[self.entry](self.store, _signed(pointer), _signed(len(given))))
            finally:
                fuel = limits.budget + 1 - self.store.get_fuel()
            called = self._answered(result & 0xFFFF_FFFF_FFFF_FFFF, fuel)
        except CallEnded as over:
            called = Called(ending=over.ending, fuel=fuel, detail=over.detail)
        # The engine looks at the fuel only now and then and reads 0 past the end: what counts is what was consumed.
        if fuel is not None and fuel > limits.budget:
            return Called(ending="out-of-fuel", fuel=limits.budget)
        return called

    def _set_up(self, module: wasmtime.Module, given: bytes, limits: Limits) -> tuple[Mapping[str, Any], int]:
        """Instantiate, initialise and place the input: the exports, and where the input lies."""
        # One unit more than the limit is enough to tell a call that used just the limit from one that used more.
        granted = min(limits.setup_fuel, FUEL_MAX) + 1
        self.store.set_fuel(granted)
        instance = _guarded(lambda: wasmtime.Instance(self.store, module, imports_of(self.store, module, self.world)))
        exports: Mapping[str, Any] = instance.exports(self.store)
        self.memory = exports["memory"]
        if "_initialize" in exports:
            _guarded(lambda: exports["_initialize"](self.store))
        pointer = _guarded(lambda: exports["alloc"](self.store, _signed(len(given)))) & _MASK
        if self.store.get_fuel() < 1:
            raise CallEnded("out-of-fuel", "setting up used more fuel than the limit")
        self.setup_fuel = granted - self.store.get_fuel()
        assert self.memory is not None  # noqa: S101
        if pointer + len(given) > self.memory.data_len(self.store):
            raise CallEnded("abi-error", f"`alloc({len(given)})` returned {pointer}, which is out of range")
        if given:
            self.memory.write(self.store, given, pointer)
        return exports, pointer

    def _answered(self, result: int, fuel: int) -> Called:
        assert self.memory is not None  # noqa: S101
        pointer, length = result >> 32, result & _MASK
        size = self.memory.data_len(self.store)
        if pointer + length > size:
            detail = f"the answer at {pointer}, {length} bytes long, is out of range: the memory has {size} bytes"
            return Called(ending="abi-error", fuel=fuel, detail=detail)
        check_length(length)
        if not length:
            return Called(ending="answer", answer=b"", fuel=fuel)
        # Copied once and no more: an answer may be large.
        start = ctypes.addressof(self.memory.data_ptr(self.store).contents) + pointer
        answer = ctypes.string_at(start, length)
        return Called(ending="answer", answer=answer, fuel=fuel)


def _guarded(action: Callable[[], Any]) -> Any:
    """Do what runs guest code, turning how it ends into `CallEnded`."""
    try:
        return action()
    except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
        raise ended(error) from None


def _check_function(exports: Mapping[str, object], name: str, takes: list[str], gives: list[str]) -> None:
    found = exports.get(name)
    shape = f"({', '.join(takes)}) -> {', '.join(gives) or 'nothing'}"
    if not isinstance(found, wasmtime.FuncType):
        raise ModuleRefused(f"the module does not export a function `{name}` {shape}{there_are(exports)}")
    if [str(kind) for kind in found.params] != takes or [str(kind) for kind in found.results] != gives:
        params = ", ".join(str(kind) for kind in found.params)
        results = ", ".join(str(kind) for kind in found.results) or "nothing"
        raise ModuleRefused(f"the module exports `{name}` as ({params}) -> {results}, and {shape} is due")


def _signed(value: int) -> int:
    return value - 2**32 if value >= 2**31 else value
