"""Calling a core module's entry by the ABI of section 2 of the format.

The module exports `memory`, `alloc(len: i32) -> i32` and the entry `(ptr: i32, len: i32) -> i64`; the answer lies at
the upper half of the result and is as long as the lower half says, both unsigned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
import wasmtime

from cabinet_ci.evaluation.sandbox.engine import TICK_SECONDS, Loaded, ModuleRefused, one_line

Ending = Literal["answer", "out-of-fuel", "trap", "memory-limit", "abi-error", "timeout", "too-long"]

ANSWER_LIMIT = 64 * 1024 * 1024
"""Bytes of an answer that are read."""

TABLE_ELEMENTS = 1_000_000

FUEL_PER_SECOND = 20_000_000
"""A fiftieth of what an ordinary machine burns: the deadline is that far above any honest run."""

DEADLINE_MIN = 60.0

PAGE = 65536


class Limits(msgspec.Struct, frozen=True):
    """`setup_fuel` bounds instantiation, `_initialize` and `alloc` together, `budget` the entry's call; `memory_bytes`
    caps the linear memory.
    """  # fmt: skip

    setup_fuel: int
    budget: int
    memory_bytes: int

    @property
    def deadline(self) -> float:
        """Seconds after which a case is given up as `timeout`."""
        return max(DEADLINE_MIN, (self.setup_fuel + self.budget) / FUEL_PER_SECOND)


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """How a call ended. `fuel` is what the entry consumed, null where it never ran; `answer` is set for "answer"."""

    ending: Ending
    answer: bytes | None = None
    fuel: int | None = None
    memory_bytes: int | None = None
    seconds: float = 0.0
    detail: str = ""


class _Ended(Exception):
    """The call is over before it gave an answer."""

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


def check_signature(loaded: Loaded, entry: str) -> None:
    """Raise `ModuleRefused` where the module imports anything, or lacks an export or has it with another signature."""
    for wanted in loaded.module.imports:
        raise ModuleRefused(
            f"the module imports `{wanted.module}.{wanted.name}`, and nothing is offered under that name"
        )
    exports = {export.name: export.type for export in loaded.module.exports}
    if not isinstance(exports.get("memory"), wasmtime.MemoryType):
        raise ModuleRefused("the module does not export its memory as `memory`")
    _check_function(exports, "alloc", ["i32"], ["i32"])
    _check_function(exports, entry, ["i32", "i32"], ["i64"])
    if "_initialize" in exports:
        _check_function(exports, "_initialize", [], [])


def call(loaded: Loaded, entry: str, given: bytes, limits: Limits) -> Called:
    """Call the entry once, in a fresh instance, with the input `given`. The signature has been checked."""
    called = _call(loaded, entry, given, limits, limits.memory_bytes)
    if called.ending == "trap" and _was_refused_memory(loaded, entry, given, limits, called):
        detail = f"{called.detail}, after the memory could not grow past {limits.memory_bytes:,} bytes"
        return msgspec.structs.replace(called, ending="memory-limit", detail=detail)
    return called


def _call(loaded: Loaded, entry: str, given: bytes, limits: Limits, memory_bytes: int) -> Called:
    store = wasmtime.Store(loaded.engine)
    store.set_limits(memory_size=memory_bytes, table_elements=TABLE_ELEMENTS, instances=1, tables=16, memories=1)
    store.set_epoch_deadline(int(limits.deadline / TICK_SECONDS) + 1)
    started = time.perf_counter()
    memory: wasmtime.Memory | None = None
    fuel: int | None = None
    try:
        # The engine looks at the fuel only now and then, and reads 0 past the end: one unit more than the limit is
        # enough to tell a call that used just the limit from one that used more.
        store.set_fuel(limits.setup_fuel + 1)
        instance = _guarded(lambda: wasmtime.Instance(store, loaded.module, []))
        exports = instance.exports(store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)  # noqa: S101
        if "_initialize" in exports:
            _guarded(lambda: exports["_initialize"](store))
        pointer = _guarded(lambda: exports["alloc"](store, _signed(len(given)))) & 0xFFFF_FFFF
        if store.get_fuel() < 1:
            raise _Ended("out-of-fuel", "setting up used more fuel than the limit")
        if pointer + len(given) > memory.data_len(store):
            raise _Ended("abi-error", f"`alloc({len(given)})` returned {pointer}, which is out of range")
        memory.write(store, given, pointer)
        store.set_fuel(limits.budget + 1)
        fuel = 0
        try:
            result = _guarded(lambda: exports[entry](store, _signed(pointer), _signed(len(given))))
        finally:
            fuel = limits.budget + 1 - store.get_fuel()
        if fuel > limits.budget:
            raise _Ended("out-of-fuel", "")
        return _answered(store, memory, result & 0xFFFF_FFFF_FFFF_FFFF, fuel, started)
    except _Ended as ended:
        past_budget = fuel is not None and fuel > limits.budget
        ending: Ending = "out-of-fuel" if past_budget else ended.ending
        return Called(
            ending=ending,
            fuel=limits.budget if past_budget else fuel,
            memory_bytes=None if memory is None else memory.data_len(store),
            seconds=time.perf_counter() - started,
            detail="" if past_budget else ended.detail,
        )


def _answered(store: wasmtime.Store, memory: wasmtime.Memory, result: int, fuel: int, started: float) -> Called:
    pointer, length = result >> 32, result & 0xFFFF_FFFF
    size = memory.data_len(store)
    seconds = time.perf_counter() - started
    if pointer + length > size:
        detail = f"the answer at {pointer}, {length} bytes long, is out of range: the memory has {size} bytes"
        return Called(ending="abi-error", fuel=fuel, memory_bytes=size, seconds=seconds, detail=detail)
    if length > ANSWER_LIMIT:
        detail = f"the answer is {length:,} bytes long, and at most {ANSWER_LIMIT:,} are read"
        return Called(ending="too-long", fuel=fuel, memory_bytes=size, seconds=seconds, detail=detail)
    answer = bytes(memory.read(store, pointer, pointer + length))
    return Called(ending="answer", answer=answer, fuel=fuel, memory_bytes=size, seconds=seconds)


def _guarded(action: Callable[[], Any]) -> Any:
    """Do what runs guest code, turning how it ends into `_Ended`."""
    try:
        return action()
    except wasmtime.Trap as trap:
        code = trap.trap_code
        if code == wasmtime.TrapCode.OUT_OF_FUEL:
            raise _Ended("out-of-fuel", "setting up used more fuel than the limit") from None
        if code == wasmtime.TrapCode.INTERRUPT:
            raise _Ended("timeout", "the deadline passed") from None
        name = code.name.lower().replace("_", " ") if code is not None else one_line(trap)
        raise _Ended("trap", f"trap: {name}") from None
    except wasmtime.WasmtimeError as error:
        text = one_line(error)
        if "memory minimum size" in text or "exceeds memory limits" in text:
            raise _Ended("memory-limit", f"the initial memory is over the cap: {text}") from None
        raise _Ended("trap", text) from None


def _was_refused_memory(loaded: Loaded, entry: str, given: bytes, limits: Limits, called: Called) -> bool:
    """Whether the memory was refused growth before the trap.

    Execution is deterministic: run again with room to grow, and with no more fuel than it took to reach the trap, the
    same growth succeeds, and the memory ends up over the cap.
    """
    again = msgspec.structs.replace(
        limits,
        setup_fuel=limits.setup_fuel,
        budget=min(limits.budget, (called.fuel or 0) + 1000),
    )
    largest = 65536 * PAGE
    if limits.memory_bytes >= largest:
        return False
    unbounded = _call(loaded, entry, given, again, largest)
    return unbounded.memory_bytes is not None and unbounded.memory_bytes > limits.memory_bytes


def _check_function(exports: Mapping[str, object], name: str, takes: list[str], gives: list[str]) -> None:
    found = exports.get(name)
    shape = f"({', '.join(takes)}) -> {', '.join(gives) or 'nothing'}"
    if not isinstance(found, wasmtime.FuncType):
        raise ModuleRefused(f"the module does not export a function `{name}` {shape}")
    if [str(kind) for kind in found.params] != takes or [str(kind) for kind in found.results] != gives:
        params = ", ".join(str(kind) for kind in found.params)
        results = ", ".join(str(kind) for kind in found.results) or "nothing"
        raise ModuleRefused(f"the module exports `{name}` as ({params}) -> {results}, and {shape} is due")


def _signed(value: int) -> int:
    return value - 2**32 if value >= 2**31 else value
