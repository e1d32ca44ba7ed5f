"""Manifests of other types, and the older layout: the shared keys are checked, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import put
from tests.support.command import cabinet

TABLES = {
    "end-to-end": '[[check]]\nid = "a"\n[[reference]]\nx = 1\n[[proof]]\n[[engine]]\nslug = "none"\n'
    '[toolchain]\ntypecheck = "x"\n'
    '[instrumentation]\ny = 1\n[build]\ninstall = "npm ci"\n[[review_item]]\nid = 1\n',
    "full-stack": '[toolchain]\ntypecheck = "x"\n[[engine]]\nslug = "none"\n',
    "adversarial": "[simulation]\nticks = 9\n[match]\n[replay]\n",
    "asset-generation": "[canvas]\nwidth = 9\n[tool]\n[output]\nformat = 'png'\n",
    "game-jam": "theme = 'sea'\n",
}  # fmt: skip


def write(root: Path, path: str, extra: str = "", **changes: str) -> Path:
    folder = root / "test-cases" / path
    keys = {
        "slug": '"carom"', "name": '"Carom"', "difficulty": '"easy"', "tags": "[]", "changelog": '"changelog.md"',
        "prompt": '"prompt.hbs"', "variants": '["variants/base.toml"]',
    } | changes  # fmt: skip
    put(folder / "test-case.toml", "".join(f"{key} = {value}\n" for key, value in keys.items()) + extra)
    put(folder / "changelog.md", "First.\n")
    put(folder / "prompt.hbs", "Work in {{workspace}}.\n")
    put(folder / "variants/base.toml", 'slug = "base"\n')
    return folder


def validate(root: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cabinet("validate", "--format", "json", cwd=root).json["diagnostics"]
    return found


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_a_manifest_of_another_type_keeps_its_own_tables(tmp_path: Path, kind: str) -> None:
    write(tmp_path, f"{kind}/easy/carom/v1.0.0", TABLES[kind], type=f'"{kind}"')
    assert validate(tmp_path) == []


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_a_variant_of_another_type_keeps_its_own_tables(tmp_path: Path, kind: str) -> None:
    folder = write(tmp_path, f"{kind}/easy/carom/v1.0.0", variants='["variants/base.toml", "variants/other.toml"]')
    put(folder / "variants/other.toml", 'slug = "other"\n' + TABLES[kind] + '[[domain]]\nshade = "dark"\n')
    assert validate(tmp_path) == []


def test_the_shared_keys_of_its_variants_are_checked(tmp_path: Path) -> None:
    folder = write(tmp_path, "end-to-end/easy/carom/v1.0.0")
    put(folder / "variants/base.toml", 'slug = "Base"\nworkspace = "nowhere"\n[[spec]]\nsource = "s.md"\nto = "x"\n')
    put(folder / "s.md", "What to do.\n")
    assert [(found["code"], found["line"]) for found in validate(tmp_path)] == [
        ("CAB104", 1), ("CAB202", 2), ("CAB101", 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("extra", "hint"),
    [
        ('variant = ["variants/base.toml"]\n', "variants are files of their own"),
        ('varaints = ["variants/base.toml"]\n', "is `varaints` meant to be it?"),
        ('[toolchain]\nvariants = ["variants/base.toml"]\n', "`variants` stands below [toolchain], and TOML makes it"),
        ('[[check]]\nvariants = ["variants/base.toml"]\n', "`variants` stands below [check], and TOML makes it"),
        ("[toolchain]\n", "`variants` is an array"),
    ],
)
def test_a_shared_key_that_is_missing_is_looked_for(tmp_path: Path, extra: str, hint: str) -> None:
    folder = write(tmp_path, "end-to-end/easy/carom/v1.0.0", extra)
    text = (folder / "test-case.toml").read_text()
    put(folder / "test-case.toml", text.replace('variants = ["variants/base.toml"]\n', "", 1))
    [found] = validate(tmp_path)
    assert (found["code"], found["line"]) == ("CAB102", 1)
    assert found["hint"].startswith(hint)


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_its_shared_keys_are_checked(tmp_path: Path, kind: str) -> None:
    write(tmp_path, f"{kind}/easy/carom/v1.0.0", TABLES[kind], difficulty='"hard"', prompt='"no.hbs"', tags="1")
    assert [found["code"] for found in validate(tmp_path)] == ["CAB303", "CAB103", "CAB202"]


@pytest.mark.parametrize("kind", ["end-to-end", "full-stack", "game-jam"])
def test_its_templates_know_the_engine(tmp_path: Path, kind: str) -> None:
    folder = write(tmp_path, f"{kind}/easy/carom/v1.0.0")
    put(folder / "prompt.hbs", "With {{engine.name}}, see {{engine.docs}}.\n")
    assert validate(tmp_path) == []
    put(folder / "prompt.hbs", "With {{engine.nam}}.\n")
    assert [found["code"] for found in validate(tmp_path)] == ["CAB701"]


def test_templates_of_types_without_specified_variables_are_checked_for_syntax_alone(tmp_path: Path) -> None:
    folder = write(tmp_path, "adversarial/easy/carom/v1.0.0")
    put(folder / "prompt.hbs", "Beat {{opponent.name}}.\n")
    assert validate(tmp_path) == []
    put(folder / "prompt.hbs", "Beat {{#if opponent}}.\n")
    assert [found["code"] for found in validate(tmp_path)] == ["CAB701"]


def test_the_older_layout_defaults_to_end_to_end(tmp_path: Path) -> None:
    folder = write(tmp_path, "carom/v1.0.0", TABLES["end-to-end"])
    put(folder / "prompt.hbs", "With {{engine.name}}.\n")
    assert validate(tmp_path) == []


def test_the_older_layout_may_declare_performance(tmp_path: Path) -> None:
    write(tmp_path, "carom/v1.0.0", type='"performance"')
    missing = {found["message"] for found in validate(tmp_path)}
    assert missing == {f"missing table `{name}`" for name in ("build", "contract", "case", "sandbox")}


def test_an_unknown_type_is_told_once(tmp_path: Path) -> None:
    write(tmp_path, "carom/v1.0.0", type='"puzzle"')
    assert [found["code"] for found in validate(tmp_path)] == ["CAB104"]


def test_a_folder_s_name_and_its_slug_may_differ(tmp_path: Path) -> None:
    write(tmp_path, "game-jam/easy/the-folder/v1.0.0")
    assert validate(tmp_path) == []


@pytest.mark.parametrize(
    "path",
    [
        "game-jam/easy/carom/1.0.0",
        "game-jam/easy/carom/v1.0",
        "game-jam/easy/carom/v01.0.0",
        "games/easy/carom/v1.0.0",
        "game-jam/simple/carom/v1.0.0",
        "game-jam/easy/more/carom/v1.0.0",
    ],
)
def test_a_folder_of_neither_layout_is_told(tmp_path: Path, path: str) -> None:
    write(tmp_path, path)
    assert [found["code"] for found in validate(tmp_path)] == ["CAB301"]
