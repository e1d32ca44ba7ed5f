"""The page for authors about the sandbox says what the code says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from cabinet_ci.catalog.manifest import Outcome
from cabinet_ci.evaluation import build
from cabinet_ci.evaluation.sandbox import calls, components, engine, offered, pool, preview1, preview2, worker
from tests.support.cases import wat

PAGE = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()
MIB, GIB = 1024**2, 1024**3


def section(title: str) -> str:
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


def rows(text: str) -> list[tuple[str, ...]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def features() -> list[str]:
    """What is on and what is off."""
    return " ".join(section("Features of the engine").split()).split("Off are")


def test_the_world_is_the_one_that_is_offered() -> None:
    assert offered.__doc__ is not None
    assert rows(section("The world")) == rows(offered.__doc__)


def test_each_function_of_preview_1_is_listed_as_answered_or_not() -> None:
    first, second = section("Core modules: WASI preview 1").split("The others may be imported")
    names = set(preview1.PARAMETERS)
    assert quoted(first) & names == {*preview1._ANSWERS, "sched_yield"}
    assert quoted(second) & names == names - set(preview1._ANSWERS) - {"sched_yield"}


def test_each_function_of_preview_2_that_is_answered_is_listed() -> None:
    listed = set()
    for interfaces, functions in rows(section("Components: WASI preview 2"))[1:]:
        resource = ""
        for name in re.findall(r"`([^`]+)`", functions):
            if name.startswith("[method]"):
                resource = name.partition(".")[0]
            full = resource + name if name.startswith(".") else name
            named = re.findall(r"`([^`]+)`", interfaces)
            (interface,) = [one for one in named if len(named) == 1 or full.endswith(one.partition("/")[2])]
            listed.add(f"{interface}.{full}")
    assert listed == set(preview2._ANSWERS)


def test_the_packages_of_preview_2_are_named() -> None:
    names = quoted(section("Components: WASI preview 2"))
    assert {package.rstrip("/") for package in preview2.PACKAGES} <= names


ON = {
    "SIMD": "(func (drop (v128.const i32x4 0 0 0 0)))",
    "bulk memory": "(memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)))",
    "reference types": "(func (drop (ref.null extern)))",
    "several values": "(func (result i32 i32) (i32.const 1) (i32.const 1))",
    "tail calls": "(func $f (return_call $f))",
    "extended constants": "(global i32 (i32.add (i32.const 1) (i32.const 2)))",
    "wide arithmetic": """(func (param i64 i64 i64 i64) (result i64 i64)
        local.get 0 local.get 1 local.get 2 local.get 3 i64.add128)""",
}
OFF = {
    "threads": "(memory 1 1 shared)",
    "atomics": "(memory 1) (func (drop (i32.atomic.load (i32.const 0))))",
    "relaxed SIMD": "(func (param v128 v128) (result v128) local.get 0 local.get 1 i8x16.relaxed_swizzle)",
    "64-bit": "(memory i64 1)",
    "several memories": "(memory 1) (memory 1)",
    "pages of other sizes": "(memory 1 (pagesize 1))",
    "garbage-collected objects": "(type $s (struct))",
    "typed function references": "(type $t (func)) (func (param (ref null $t)))",
    "exceptions": "(tag $t)",
}


@pytest.mark.parametrize("feature", ON)
def test_a_feature_that_is_told_to_be_on_is(feature: str) -> None:
    assert feature in features()[0]
    engine.load(engine.make_engine(), wat(f"(module {ON[feature]})"))


@pytest.mark.parametrize("feature", OFF)
def test_a_feature_that_is_told_to_be_off_is(feature: str) -> None:
    assert feature in features()[1]
    with pytest.raises(calls.ModuleRefused):
        engine.load(engine.make_engine(), wat(f"(module {OFF[feature]})"))


@pytest.mark.parametrize(
    "told",
    [
        f"| stack | {engine.STACK_BYTES // MIB} MiB |",
        f"| {engine.TABLES} of at most {engine.TABLE_ELEMENTS:,} elements each |",
        f"| core instances of a component | {components.INSTANCES} |",
        f"| {calls.ANSWER_LIMIT // MIB} MiB; of a `list<u8>` {components.LIST_LIMIT:,} bytes |",
        f"| random bytes asked for at once | {offered.RANDOM_LIMIT // MIB} MiB |",
        f"| a module | {calls.MODULE_LIMIT // MIB} MiB |",
        f"| {pool.COMPILE_SECONDS:.0f} seconds and {worker.COMPILE_LIMIT // GIB} GiB of memory |",
        f"1 second for each {calls.FUEL_PER_SECOND:,} fuel that it may burn, at least {calls.DEADLINE_MIN:.0f} seconds",
        f"| each command of a build | {build.BUILD_SECONDS:,.0f} seconds |",
    ],
)
def test_each_limit_is_the_one_in_force(told: str) -> None:
    assert told in section("Limits")


def test_each_outcome_is_explained() -> None:
    explained = [outcome.strip("`") for outcome, _ in rows(section("Outcomes"))[1:]]
    assert explained == list(get_args(Outcome))
