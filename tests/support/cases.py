"""Small performance versions for tests: real folders, real modules in the text format of wasm."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import wasmtime

DEFAULT_PATH = "test-cases/performance/easy/echo/v1.0.0"


class CaseFile(NamedTuple):
    """One case: its name, input, expected answer, kind and runway."""

    name: str
    given: str = "[1]"
    expected: str = "[1]"
    kind: str = "smoke"
    runway: float | None = None


ONE_EACH = (CaseFile("one"), CaseFile("two", "[1, 2]", "[1, 2]", "stress"))
"""A smoke and a stress case that a module which answers with its input passes."""


def core_module(entry: str, extra: str = "", pages: int = 1) -> bytes:
    """A core module with `memory`, `alloc` and `solve`, whose body is `entry`: (param $ptr i32) (param $len i32)."""
    return wat(f"""(module
      (memory (export "memory") {pages})
      {extra}
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {entry}))""")


ECHO = """(i64.or (i64.shl (i64.extend_i32_u (local.get $ptr)) (i64.const 32)) (i64.extend_i32_u (local.get $len)))"""
"""Answers with the input."""


ECHO_COMPONENT = """(i32.store (i32.const 8) (local.get $ptr)) (i32.store (i32.const 12) (local.get $len))
  (i32.const 8)"""
"""Answers with the input, in a component."""


def answering(answer: str) -> bytes:
    """A module that gives the same answer to every input."""
    data = "".join(f"\\{byte:02x}" for byte in answer.encode())
    return core_module(f"(i64.const {(8 << 32) | len(answer.encode())})", f'(data (i32.const 8) "{data}")')


def spinning(rounds: int) -> bytes:
    """A module that answers with its input after so many rounds of a loop."""
    loop = f"""(local $n i32) (loop (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.get $n) (i32.const {rounds}))))"""
    return core_module(loop + ECHO)


def component(
    body: str = ECHO_COMPONENT,
    *,
    takes: str = "string",
    gives: str = "string",
    extra: str = "",
    imports: str = "",
    name: str = "solve",
) -> bytes:
    """A component whose entry's core body is `body`: (param $ptr i32) (param $len i32), giving where the result lies.

    `extra` is put into its core module, `imports` before it.
    """
    return wat(f"""(component {imports}
      (core module $m
        (memory (export "memory") 1)
        (global $next (mut i32) (i32.const 1024))
        {extra}
        (func (export "realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
          (local.set $at (global.get $next))
          (global.set $next (i32.add (global.get $next) (local.get 3)))
          (local.get $at))
        (func (export "solve") (param $ptr i32) (param $len i32) (result i32) {body}))
      (core instance $i (instantiate $m))
      (func $solve (param "input" {takes}) (result {gives})
        (canon lift (core func $i "solve") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
      (export "{name}" (func $solve)))""")


def wat(text: str) -> bytes:
    """Assemble the text format of wasm."""
    return bytes(wasmtime.wat2wasm(text))


def write_case(
    root: Path,
    *,
    path: str = DEFAULT_PATH,
    cases: Sequence[CaseFile] = ONE_EACH,
    references: Mapping[str, bytes] | None = None,
    expectations: Mapping[str, str] | None = None,
    fuel_limit: int = 100_000,
    memory: int = 1_048_576,
    build: str = "cp given.wasm solution.wasm",
) -> Path:
    """Write a sound version below `root` and return its folder.

    `references` maps a name to the module that its build copies into place; `expectations` to its reference.toml.
    """
    folder = root / path
    parts = path.split("/")
    tables = []
    for case in cases:
        runway = "" if case.runway is None else f"fuel_runway = {case.runway}\n"
        tables.append(
            f'[[case]]\ninput = "cases/{case.name}.json"\nexpected = "cases/{case.name}.out"\n'
            f'kind = "{case.kind}"\n{runway}'
        )
        put(folder / f"cases/{case.name}.json", case.given)
        put(folder / f"cases/{case.name}.out", case.expected)
    put(
        folder / "test-case.toml",
        f"""slug = "{parts[-2]}"
name = "Echo"
difficulty = "{parts[-3]}"
tags = []
changelog = "changelog.md"
prompt = "prompt.hbs"
workspace = "workspace"
variants = ["variants/base.toml"]

[build]
install = "true"
build = {json.dumps(build)}
module = "solution.wasm"

[contract]
entry = "solve"
input = "schemas/input.json"
output = "schemas/output.json"

{chr(10).join(tables)}
[sandbox]
fuel_limit = {fuel_limit}
max_memory_bytes = {memory}

[[spec]]
source = "specs/problem.md.hbs"
""",
    )
    put(folder / "changelog.md", "First version.\n")
    put(folder / "prompt.hbs", "Work in {{workspace}}.\n")
    put(folder / "variants/base.toml", 'slug = "base"\n')
    put(folder / "schemas/input.json", "{}\n")
    put(folder / "schemas/output.json", "{}\n")
    put(folder / "specs/problem.md.hbs", "Echo, {{version}}, {{variant.slug}}.\n")
    put(folder / "workspace/start.txt", "Start here.\n")
    for name, module in ({"echo": core_module(ECHO)} if references is None else references).items():
        put(folder / f"references/{name}/given.wasm", module)
    for name, text in (expectations or {}).items():
        put(folder / f"references/{name}/reference.toml", text)
    return folder


def put(path: Path, content: str | bytes) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
