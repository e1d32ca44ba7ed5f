"""A fingerprint of what each operation costs in fuel: results are comparable only where it is the same."""

from __future__ import annotations

import hashlib
from functools import cache

import wasmtime

from cabinet_ci.evaluation.sandbox.engine import make_engine

_PROBE = """
(module
  (memory 1 8) (table 8 funcref) (global $g (mut i64) (i64.const 0))
  (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (elem (i32.const 0) $leaf)
  (type $unary (func (param i32) (result i32)))
  (func (export "loop") (local i32)
    (loop (local.set 0 (i32.add (local.get 0) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 0) (i32.const 100)))))
  (func (export "calls") (drop (call $leaf (i32.const 2)))
    (drop (call_indirect (type $unary) (i32.const 2) (i32.const 0))))
  (func (export "memory") (i32.store (i32.const 8) (i32.load (i32.const 4))) (drop (memory.size)))
  (func (export "fill") (memory.fill (i32.const 0) (i32.const 7) (i32.const 4096)))
  (func (export "copy") (memory.copy (i32.const 0) (i32.const 64) (i32.const 4096)))
  (func (export "grow") (drop (memory.grow (i32.const 2))))
  (func (export "table") (drop (table.grow (ref.null func) (i32.const 4)))
    (table.fill (i32.const 1) (ref.null func) (i32.const 4)) (table.copy (i32.const 1) (i32.const 2) (i32.const 3)))
  (func (export "numbers") (global.set $g (i64.div_u (i64.const 99) (i64.const 7)))
    (drop (f64.sqrt (f64.div (f64.const 2) (f64.const 3)))) (drop (i64.popcnt (global.get $g))))
  (func (export "control") (block (block (br_table 0 1 (i32.const 1)))) (if (i32.const 1) (then nop) (else nop))
    (drop (select (i32.const 1) (i32.const 2) (i32.const 0))) nop))
"""
"""Each function exercises one kind of operation; its fuel changes when the cost of that kind does."""

_GRANT = 1_000_000


@cache
def fuel_schedule() -> str:
    """The fingerprint, 16 hexadecimal digits: a hash of the fuel that each function of the probe consumes."""
    costs = ",".join(f"{name}={fuel}" for name, fuel in probe_costs())
    return hashlib.sha256(costs.encode()).hexdigest()[:16]


def probe_costs() -> list[tuple[str, int]]:
    """Fuel consumed by each function of the probe, by name."""
    engine = make_engine()
    module = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(_PROBE)))
    costs = []
    for export in module.exports:
        store = wasmtime.Store(engine)
        store.set_fuel(_GRANT)
        instance = wasmtime.Instance(store, module, [])
        before = store.get_fuel()
        function = instance.exports(store)[export.name]
        assert isinstance(function, wasmtime.Func)  # noqa: S101
        function(store)
        costs.append((export.name, before - store.get_fuel()))
    return sorted(costs)
