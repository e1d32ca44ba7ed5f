"""Calling a component's entry: `string -> string` or `list<u8> -> list<u8>`, or either with `result<_, string>`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import wasmtime
from wasmtime import component

from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, CallEnded, Limits, ModuleRefused, there_are
from cabinet_ci.evaluation.sandbox.engine import TABLE_ELEMENTS, TABLES, TOO_LONG, Loaded, ended, shortened
from cabinet_ci.evaluation.sandbox.lifting import call_with_bytes
from cabinet_ci.evaluation.sandbox.offered import World
from cabinet_ci.evaluation.sandbox.preview2 import check_import, define_imports

LIST_LIMIT = 128 * 1024 * 1024 // 48
"""Bytes of a `list<u8>` that the engine hands over, at 48 bytes for each and 128 MiB in all. A string may be longer."""

INSTANCES = 64
"""Core instances that a component may be made of."""

_MISFIT = "python exception"
"""How the engine tells that a function it was given failed: all it is given for a component answer what they offer."""

SHAPES = "(string) -> string or (list<u8>) -> list<u8>, or either with result<_, string>"


class ComponentEntry:
    """The entry of a component, ready to be called."""

    def __init__(self, loaded: Loaded, entry: str) -> None:
        """Raise `ModuleRefused` where an import is not offered, or the entry is missing or has another signature."""
        assert isinstance(loaded.compiled, component.Component)  # noqa: S101
        self._engine, self._component, self._entry = loaded.engine, loaded.compiled, entry
        imports = self._component.type.imports(self._engine)
        for name, item in imports.items():
            check_import(name, item.ty)
        self._as_text = _check_signature(self._component.type.exports(self._engine), entry)
        self._world = World()
        self._linker = component.Linker(self._engine)
        define_imports(self._linker, imports, self._engine, lambda: self._world)

    def call(self, given: bytes, limits: Limits) -> Called:
        """Call the entry once, in a fresh instance, with the input `given`, which is UTF-8."""
        self._world = World()
        # Closed at once: left to the garbage collector, the memories of several cases would add up.
        with wasmtime.Store(self._engine) as store:
            store.set_limits(
                memory_size=limits.memory_bytes,
                table_elements=TABLE_ELEMENTS,
                instances=INSTANCES,
                tables=TABLES,
                memories=1,
            )
            started = time.perf_counter()
            called = self._measured(store, given, limits)
            seconds = time.perf_counter() - started
        return msgspec.structs.replace(called, seconds=seconds, printed=self._world.printed)

    def _measured(self, store: wasmtime.Store, given: bytes, limits: Limits) -> Called:
        fuel: int | None = None
        setup_fuel: int | None = None
        granted = min(limits.setup_fuel, FUEL_MAX) + 1
        try:
            store.set_fuel(granted)
            function = self._guarded(lambda: self._linker.instantiate(store, self._component))
            function = function.get_func(store, self._entry)
            if store.get_fuel() < 1:
                raise CallEnded("out-of-fuel", "setting up used more fuel than the limit")
            setup_fuel = granted - store.get_fuel()
            store.set_fuel(limits.budget + 1)
            fuel = 0
            try:
                answered, answer = self._guarded(lambda: call_with_bytes(function, store, given, self._as_text))
            finally:
                fuel = limits.budget + 1 - store.get_fuel()
            called = _answered(answered, answer, fuel)
        except CallEnded as over:
            called = Called(ending=over.ending, fuel=fuel, detail=over.detail)
        if fuel is not None and fuel > limits.budget:
            called = Called(ending="out-of-fuel", fuel=limits.budget)
        return msgspec.structs.replace(called, setup_fuel=setup_fuel)

    def _guarded(self, action: Callable[[], Any]) -> Any:
        try:
            return action()
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise (self._world.ended or self._told(error)) from None

    def _told(self, error: wasmtime.Trap | wasmtime.WasmtimeError) -> CallEnded:
        if _MISFIT in str(error):
            return CallEnded("abi-error", f"the component imports `wasi:{self._world.asked}` with another signature")
        told = ended(error)
        if told.detail == TOO_LONG and not self._as_text:
            return CallEnded(told.ending, f"{TOO_LONG}: a list may have {LIST_LIMIT:,} bytes, and a string more")
        return told


def _check_signature(exports: Mapping[str, Any], entry: str) -> bool:
    """Whether the entry takes a string, and not a list."""
    found = exports[entry].ty if entry in exports else None
    if not isinstance(found, component.FuncType):
        raise ModuleRefused(f"the component does not export a function `{entry}`, {SHAPES}{there_are(exports)}")
    takes = [kind for _, kind in found.params]
    gives = found.result
    if isinstance(gives, component.ResultType) and isinstance(gives.err, component.String):
        gives = gives.ok
    if len(takes) != 1 or not _is_text(takes[0]) or not _is_text(gives) or type(takes[0]) is not type(gives):
        raise ModuleRefused(f"the component exports `{entry}` with another signature than {SHAPES}")
    return isinstance(takes[0], component.String)


def _answered(answered: bool, answer: bytes, fuel: int) -> Called:
    if not answered:
        return Called(ending="err", fuel=fuel, detail=shortened(answer.decode("utf-8", "replace")))
    return Called(ending="answer", answer=answer, fuel=fuel)


def _is_text(kind: Any) -> bool:
    return isinstance(kind, component.String) or (
        isinstance(kind, component.ListType) and isinstance(kind.element, component.U8)
    )
