"""The engine that every module runs on, and what it refuses (section 2 of the format).

Whatever could give two hosts two numbers is off: relaxed SIMD, threads, NaN bits, the clock. What could let a module
past its limits is off too: 64-bit and several memories, and garbage-collected objects, which live outside the memory
that is capped.
"""

from __future__ import annotations

import msgspec
import wasmtime
from wasmtime import component

from cabinet_ci.evaluation.sandbox.calls import CORE_HEADER, MODULE_LIMIT, CallEnded, Ending, ModuleRefused, kind_of

STACK_BYTES = 1024 * 1024
"""The guest's stack: well within any host's, so that where it ends does not hang on the host."""

TABLE_ELEMENTS = 1_000_000
TABLES = 8
"""Of a store. All of them at their largest take 64 MB."""


class Loaded(msgspec.Struct, frozen=True):
    """A compiled module or component, shared by all cases."""

    engine: wasmtime.Engine
    compiled: wasmtime.Module | component.Component


def make_engine() -> wasmtime.Engine:
    """An engine with fuel, and nothing that differs from host to host.

    There is no clock in it: it would cost a tight loop half its speed. Who waits for a call ends its process instead.
    """
    config = wasmtime.Config()
    config.consume_fuel = True
    config.max_wasm_stack = STACK_BYTES
    config.cranelift_nan_canonicalization = True
    config.wasm_relaxed_simd = False
    config.wasm_threads = False
    config.wasm_memory64 = False
    config.wasm_multi_memory = False
    config.wasm_gc = False
    config.wasm_function_references = False
    config.wasm_exceptions = False
    return wasmtime.Engine(config)


def load(engine: wasmtime.Engine, source: bytes) -> Loaded:
    """Compile a module or component; raise `ModuleRefused` for what is none or uses a feature that is off."""
    if len(source) > MODULE_LIMIT:
        raise ModuleRefused(f"the module is larger than {MODULE_LIMIT // (1024 * 1024)} MiB")
    is_component = kind_of(source) == "component"
    if not is_component and not source.startswith(CORE_HEADER):
        raise ModuleRefused("the file is not a wasm module")
    try:
        compiled = component.Component(engine, source) if is_component else wasmtime.Module(engine, source)
        return Loaded(engine, compiled)
    except wasmtime.WasmtimeError as error:
        raise ModuleRefused(f"the module is not accepted: {one_line(error)}") from None


def restore(engine: wasmtime.Engine, is_component: bool, serialised: bytes) -> Loaded:
    """What `compiled.serialize()` gave. The bytes must be one's own: the engine runs them unchecked."""
    if is_component:
        return Loaded(engine, component.Component.deserialize(engine, serialised))
    return Loaded(engine, wasmtime.Module.deserialize(engine, serialised))


TOO_LONG = "the answer is too long to be read"

_TRAPS: tuple[tuple[str, Ending, str], ...] = (
    ("all fuel consumed", "out-of-fuel", "setting up used more fuel than the limit"),
    ("memory minimum size", "memory-limit", "the initial memory is over the cap"),
    ("fuel allocated for hostcalls", "invalid-output", TOO_LONG),
    ("invalid utf-8", "invalid-output", "the answer is not UTF-8"),
    ("incomplete utf-8", "invalid-output", "the answer is not UTF-8"),
    ("unpaired surrogate", "invalid-output", "the answer is not UTF-16"),
)
"""Words in the engine's messages that tell an ending, with what is said of it."""

_WITHIN = "wasm backtrace"
"""What a message holds where guest code was running: what can't be read then is no answer, but an import's argument."""


def ended(error: wasmtime.Trap | wasmtime.WasmtimeError) -> CallEnded:
    """How a call ended, told by the engine's message: traps of components come without a code."""
    message = str(error)
    cause = message.rsplit("Caused by:", 1)[-1]
    for words, ending, detail in _TRAPS:
        if words in cause and ending == "invalid-output" and _WITHIN in message:
            return CallEnded("trap", f"an import was handed what can't be read: {shortened(cause)}")
        if words in cause:
            return CallEnded(ending, detail)
    if "wasm trap:" in cause:
        return CallEnded("trap", "trap: " + " ".join(cause.rsplit("wasm trap:", 1)[1].split()))
    # What is no trap is the engine's complaint about how a value was handed over, or about a limit.
    return CallEnded("abi-error", shortened(cause))


def one_line(error: Exception) -> str:
    """An error of the engine on one line, shortened."""
    return shortened(str(error))


def shortened(text: str) -> str:
    """Text on one line, of at most 300 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:297] + "..."
