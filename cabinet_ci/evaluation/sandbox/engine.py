"""The engine that every module runs on, and what it refuses (section 2 of the format).

Whatever could give two hosts two numbers is off: relaxed SIMD, threads, NaN bits, the clock. What could let a module
past its limits is off too: 64-bit and several memories.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import wasmtime

COMPONENT_HEADER = b"\x00asm\x0d\x00\x01\x00"
CORE_HEADER = b"\x00asm\x01\x00\x00\x00"

MODULE_LIMIT = 64 * 1024 * 1024
"""Bytes of a module that are compiled."""

TICK_SECONDS = 0.1
"""How often the clock of the deadline ticks."""


class ModuleRefused(Exception):
    """A module that can't be run at all: `reason` says why, naming the import or export."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Loaded(msgspec.Struct, frozen=True):
    """A compiled module, shared by all cases and threads."""

    engine: wasmtime.Engine
    module: wasmtime.Module


def make_engine() -> wasmtime.Engine:
    """An engine with fuel, a deadline, and nothing that differs from host to host."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.epoch_interruption = True
    config.cranelift_nan_canonicalization = True
    config.wasm_relaxed_simd = False
    config.wasm_threads = False
    config.wasm_memory64 = False
    config.wasm_multi_memory = False
    return wasmtime.Engine(config)


def load(engine: wasmtime.Engine, source: bytes) -> Loaded:
    """Compile a core module; raise `ModuleRefused` for what is none or uses a feature that is off."""
    if len(source) > MODULE_LIMIT:
        raise ModuleRefused(f"the module is larger than {MODULE_LIMIT // (1024 * 1024)} MiB")
    if source.startswith(COMPONENT_HEADER):
        raise ModuleRefused("the module is a component; build a core module (wasm32-unknown-unknown)")
    if not source.startswith(CORE_HEADER):
        raise ModuleRefused("the file is not a wasm module")
    try:
        return Loaded(engine, wasmtime.Module(engine, source))
    except wasmtime.WasmtimeError as error:
        raise ModuleRefused(f"the module is not accepted: {one_line(error)}") from None


@contextmanager
def ticking(engine: wasmtime.Engine) -> Iterator[None]:
    """Let the engine's clock tick while cases run, so that deadlines are noticed."""
    done = threading.Event()

    def tick() -> None:
        while not done.wait(TICK_SECONDS):
            engine.increment_epoch()

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def one_line(error: Exception) -> str:
    """An error of the engine on one line, shortened."""
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:297] + "..."
