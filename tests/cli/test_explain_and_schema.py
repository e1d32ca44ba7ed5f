"""`cabinet-ci explain` and `cabinet-ci schema`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cabinet_ci.cli import schema as schema_command
from cabinet_ci.rules.registry import explained_rules
from tests.support.cases import put, write_case
from tests.support.command import cabinet, one_line

REPOSITORY = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
MANIFESTS = sorted(REPOSITORY.glob("test-cases/**/test-case.toml"))


def test_explain_lists_every_rule_with_its_severity_and_what_it_checks(tmp_path: Path) -> None:
    lines = cabinet("explain", cwd=tmp_path).out.splitlines()
    listed = [tuple(line.split(maxsplit=2)) for line in lines]
    assert listed == [(rule.code, rule.severity, rule.title) for rule in explained_rules()]


def test_explain_shows_what_a_rule_checks_and_why_with_both_examples(tmp_path: Path) -> None:
    text = cabinet("explain", "cab101", cwd=tmp_path).out
    assert text.startswith("CAB101 unknown-key-in-table (error)\n")
    assert "Why: " in text
    assert 'sumary = "Shortest routes on a map."' in text
    assert text.index("Failing:") < text.index("Fixed:")


def test_explain_of_an_unknown_code_names_the_nearest(tmp_path: Path) -> None:
    ran = cabinet("explain", "CAB10X", cwd=tmp_path)
    assert ran.code == 2
    assert "did you mean CAB10" in one_line(ran.err)


@pytest.mark.parametrize("code", ["nonsense", "E501", "CAB"])
def test_explain_of_what_is_like_no_code_names_none(tmp_path: Path, code: str) -> None:
    ran = cabinet("explain", code, cwd=tmp_path)
    assert ran.code == 2
    assert "did you mean" not in one_line(ran.err)


def test_explain_as_json_has_every_part(tmp_path: Path) -> None:
    (rule,) = cabinet("explain", "CAB201", "--format", "json", cwd=tmp_path).json["rules"]
    assert set(rule) == {"code", "name", "severity", "title", "explanation", "failing", "fixed"}
    assert all(rule.values())


def test_explain_as_json_without_a_code_holds_every_rule(tmp_path: Path) -> None:
    rules = cabinet("explain", "--format", "json", cwd=tmp_path).json["rules"]
    assert [rule["code"] for rule in rules] == [rule.code for rule in explained_rules()]


def test_the_page_of_all_rules_is_current(tmp_path: Path) -> None:
    page = cabinet("explain", "--format", "markdown", cwd=tmp_path).out
    assert (REPOSITORY / "docs/rules.md").read_text() == page


def check_jsonschema(schema: Path, *files: Path) -> bool:
    command = [BIN / "check-jsonschema", "--schemafile", schema, *files]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def taplo(schema: Path, *files: Path) -> bool:
    command = [BIN / "taplo", "lint", "--no-auto-config", "--schema", schema.as_uri(), *files]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


VALIDATORS = pytest.mark.parametrize("accepts", [check_jsonschema, taplo])


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "manifest.schema.json"
    assert cabinet("schema", "manifest", "--output", path, cwd=tmp_path).code == 0
    return path


@VALIDATORS
def test_the_schema_accepts_the_manifests_of_this_catalog(accepts: object, schema: Path, tmp_path: Path) -> None:
    assert MANIFESTS
    folder = write_case(tmp_path)
    assert callable(accepts)
    assert accepts(schema, *MANIFESTS, folder / "test-case.toml")


KINDS = pytest.mark.parametrize(
    ("kind", "pattern", "spoilt"),
    [
        ("variant", "variants/*.toml", 'slug = "Base"\n'),
        ("reference", "references/*/reference.toml", 'expect = "win"\n'),
    ],
)


@VALIDATORS
@KINDS
def test_the_schema_of_a_smaller_file_accepts_this_catalog_s_and_refuses_others(
    accepts: object, tmp_path: Path, kind: str, pattern: str, spoilt: str
) -> None:
    schema = tmp_path / "schema.json"
    cabinet("schema", kind, "--output", schema, cwd=tmp_path)
    files = sorted(REPOSITORY.glob(f"test-cases/**/{pattern}"))
    assert len(files) > 1
    assert callable(accepts)
    assert accepts(schema, *files)
    put(tmp_path / "spoilt.toml", spoilt)
    assert not accepts(schema, tmp_path / "spoilt.toml")


@VALIDATORS
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Echo"', 'nam = "Echo"'),
        ("tags = []", "tags = [1]"),
        ('slug = "echo"', 'slug = "Echo"'),
        ('difficulty = "easy"', 'difficulty = "Easy"'),
        ("fuel_limit = 100000", 'fuel_limit = "100000"'),
        ("fuel_limit = 100000", "fuel_limit = 0"),
        ('variants = ["variants/base.toml"]', "variants = []"),
        ('kind = "smoke"', 'kind = "smok"'),
        ('install = "true"', 'install = " "'),
        ('module = "solution.wasm"', ""),
    ],
)
def test_the_schema_refuses_what_the_keys_rules_refuse(
    accepts: object, schema: Path, tmp_path: Path, old: str, new: str
) -> None:
    manifest = write_case(tmp_path) / "test-case.toml"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new, 1))
    assert callable(accepts)
    assert not accepts(schema, manifest)
    assert cabinet("validate", cwd=tmp_path).code == 1


@pytest.mark.parametrize("kind", sorted(schema_command.KINDS))
def test_every_schema_is_a_json_schema_with_descriptions(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "schema.json"
    cabinet("schema", kind, "--output", path, cwd=tmp_path)
    done = subprocess.run([BIN / "check-jsonschema", "--check-metaschema", path], capture_output=True, check=False)
    assert done.returncode == 0
    assert '"description"' in path.read_text()
    assert '"null"' not in path.read_text()


def test_an_unknown_kind_is_one_line(tmp_path: Path) -> None:
    ran = cabinet("schema", "suite-of-clubs", cwd=tmp_path)
    assert ran.code == 2
    assert "manifest" in one_line(ran.err)
