"""`evaluate` and what it remembers: nothing is built or run twice, and everything whose ground has changed is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import CaseFile, put, spinning, write_case
from tests.support.command import Ran, cabinet

CASES = (CaseFile("one"), CaseFile("two", "[2]", "[2]", "stress"), CaseFile("three", "[3]", "[3]", "stress"))


class Place:
    """A repository with a case, a cache of its own, and a count of the builds."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.count = folder / "built"
        self.cache = folder / "cache"
        self.bin = folder / "bin"
        put(self.bin / "wasm-copy", "#!/bin/sh\ncp given.wasm solution.wasm\n")
        (self.bin / "wasm-copy").chmod(0o755)
        self.version = write_case(self.root, cases=CASES, build=f"echo x >> {self.count}; wasm-copy")

    def evaluate(self, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
        return cabinet("evaluate", "--format", "json", *arguments, cwd=self.root, env=self.environment(env))

    def environment(self, env: Mapping[str, str] | None = None) -> dict[str, str]:
        return {
            "CABINET_CI_CACHE": str(self.cache),
            "XDG_STATE_HOME": str(self.cache.with_name("state")),
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            **(env or {}),
        }

    @property
    def builds(self) -> int:
        return len(self.count.read_text().splitlines())

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.version / name).read_text()
        assert old in text
        (self.version / name).write_text(text.replace(old, new))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def without_times(ran: Ran) -> Any:
    document = ran.json
    for version in document["versions"]:
        for run in version["runs"]:
            run["build"]["seconds"] = 0
            for case in run["cases"]:
                case["seconds"] = 0
    return document


def test_a_second_evaluation_builds_nothing_runs_nothing_and_says_the_same(place: Place) -> None:
    first, second = place.evaluate(), place.evaluate()
    assert place.builds == 1
    assert "3 of them known from the cache" in second.err
    assert "building" not in second.err
    assert second.json == first.json
    assert first.code == second.code == 0


def test_what_people_read_does_not_tell_whether_it_was_remembered(place: Place) -> None:
    texts = [cabinet("evaluate", cwd=place.root, env=place.environment()).out for _ in range(2)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("arguments", "env"), [(("--no-cache",), {}), ((), {"CABINET_CI_CACHE": "off"})])
def test_without_a_cache_all_is_done_again_and_nothing_is_left(
    arguments: tuple[str, ...], env: Mapping[str, str], place: Place
) -> None:
    for _ in range(2):
        assert "known" not in place.evaluate(*arguments, env=env).err
    assert place.builds == 2
    assert not place.cache.exists()


def test_no_cache_does_not_believe_what_is_remembered(place: Place) -> None:
    place.evaluate()
    assert "known" not in place.evaluate("--no-cache").err
    assert place.builds == 2


def test_one_changed_case_is_the_only_one_that_runs(place: Place) -> None:
    place.evaluate()
    put(place.version / "cases/two.json", "[22]")
    put(place.version / "cases/two.out", "[22]")
    ran = place.evaluate()
    assert "2 of them known from the cache" in ran.err
    assert (ran.code, place.builds) == (0, 1)


def test_a_reference_that_changes_is_built_and_run_again(place: Place) -> None:
    place.evaluate()
    put(place.version / "references/echo/given.wasm", spinning(10))
    assert "known" not in place.evaluate().err
    assert place.builds == 2


def test_a_change_that_makes_the_same_module_runs_nothing_again(place: Place) -> None:
    place.evaluate()
    put(place.version / "workspace/notes.txt", "New.\n")
    assert "3 of them known" in place.evaluate().err
    assert place.builds == 2


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("test-case.toml", "wasm-copy", "wasm-copy # again"),
        ("test-case.toml", 'install = "true"', 'install = "true # again"'),
        ("workspace/start.txt", "", "more"),
    ],
    ids=["build", "install", "workspace"],
)
def test_a_build_with_another_ground_is_done_again(name: str, old: str, new: str, place: Place) -> None:
    put(place.version / "workspace/start.txt", "start")
    place.evaluate()
    if old:
        place.edit(name, old, new)
    else:
        put(place.version / name, new)
    place.evaluate()
    assert place.builds == 2


def test_a_script_that_becomes_a_program_is_another_ground(place: Place) -> None:
    put(place.version / "workspace/tool.sh", "true\n")
    place.evaluate()
    (place.version / "workspace/tool.sh").chmod(0o755)
    place.evaluate()
    assert place.builds == 2


def test_another_compiler_builds_again(place: Place) -> None:
    place.evaluate()
    put(place.bin / "wasm-copy", "#!/bin/sh\n# A newer release.\ncp given.wasm solution.wasm\n")
    assert place.evaluate().code == 0
    assert place.builds == 2


def test_a_compiler_that_only_a_script_of_the_case_names_counts_too(place: Place) -> None:
    place.edit("test-case.toml", "wasm-copy", "sh build.sh")
    put(place.version / "workspace/build.sh", "wasm-copy\n")
    place.evaluate()
    put(place.bin / "wasm-copy", "#!/bin/sh\n# A newer release.\ncp given.wasm solution.wasm\n")
    place.evaluate()
    assert place.builds == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda place: put(place.version / "cases/two.out", "[0]"),
        lambda place: place.edit("test-case.toml", "fuel_limit = ", "fuel_limit = 1"),
        lambda place: place.edit("test-case.toml", "max_memory_bytes = ", "max_memory_bytes = 1"),
        lambda place: place.edit("test-case.toml", 'two.out"\nkind = "stress"', 'two.out"\nfuel_runway = 3\n'),
        lambda place: put(place.version / "schemas/output.json", '{"type": "array", "minItems": 1}'),
    ],
    ids=["expected", "ceiling", "memory", "runway", "schema"],
)
def test_what_decides_a_result_is_never_passed_over(change: Callable[[Place], object], place: Place) -> None:
    place.evaluate()
    change(place)
    remembering, afresh = place.evaluate(), place.evaluate("--no-cache")
    assert "3 of them known" not in remembering.err
    assert without_times(remembering) == without_times(afresh)


def test_a_wrong_answer_is_remembered_with_its_detail(place: Place) -> None:
    put(place.version / "cases/two.out", "[0]")
    first, second = place.evaluate(), place.evaluate()
    assert first.code == second.code == 1
    assert second.json == first.json
    assert "at $[0]" in second.out


def test_a_build_that_failed_is_tried_again(place: Place) -> None:
    place.edit("test-case.toml", "wasm-copy", "exit 3")
    assert [place.evaluate().code for _ in range(2)] == [1, 1]
    assert place.builds == 2


def test_a_ready_module_is_remembered_by_its_content(place: Place) -> None:
    module = place.version / "references/echo/given.wasm"
    place.evaluate("--module", str(module))
    assert "3 of them known" in place.evaluate("--module", str(module)).err
    module.write_bytes(spinning(10))
    assert "known" not in place.evaluate("--module", str(module)).err


def test_suggesting_builds_nothing_again(place: Place) -> None:
    place.evaluate()
    ran = cabinet("evaluate", "--suggest", cwd=place.root, env=place.environment())
    assert ran.code == 0
    assert place.builds == 1


@pytest.mark.parametrize("damage", ["cut", "flip", "forge", "swap"])
def test_a_broken_or_forged_cache_changes_no_result(damage: str, place: Place) -> None:
    first = place.evaluate()
    entries = sorted(path for path in place.cache.rglob("*") if path.is_file())
    assert {path.relative_to(place.cache).parts[0] for path in entries} == {"builds", "code", "fuel", "outcomes"}
    whole = [path.read_bytes() for path in entries]
    for number, path in enumerate(entries):
        content = whole[number]
        path.write_bytes(
            {
                "cut": content[: len(content) // 2],
                "flip": content[:-1] + bytes([content[-1] ^ 1]),
                "forge": content[:13] + bytes(32) + b"\x80",
                "swap": whole[number - 1],
            }[damage]
        )
    second = place.evaluate()
    assert "known" not in second.err
    assert without_times(second) == without_times(first)
    assert place.builds == 2


def test_code_that_another_user_sealed_is_compiled_afresh(place: Place) -> None:
    place.evaluate()
    for path in (place.cache / "outcomes").rglob("*"):
        if path.is_file():
            path.unlink()
    (place.cache.with_name("state") / "cabinet-ci/seal").write_bytes(b"x" * 32)
    assert place.evaluate().code == 0


def test_a_cache_that_others_may_write_to_is_left_alone_with_a_word(place: Place) -> None:
    place.cache.mkdir()
    place.cache.chmod(0o777)
    ran = place.evaluate()
    assert ran.code == 0
    assert "others may write to it" in ran.err
    assert list(place.cache.iterdir()) == []


def test_two_evaluations_at_once_share_a_cache(place: Place) -> None:
    command = [sys.executable, "-m", "cabinet_ci", "evaluate", "--format", "json"]
    environment = {**os.environ, **place.environment()}
    started = [
        subprocess.Popen(command, cwd=place.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(3)
    ]
    told = [Ran(one.wait(), out.decode(), "") for one in started for out, _ in [one.communicate()]]
    assert [ran.code for ran in told] == [0, 0, 0]
    assert len({str(without_times(ran)) for ran in told}) == 1
    assert "3 of them known" in place.evaluate().err
