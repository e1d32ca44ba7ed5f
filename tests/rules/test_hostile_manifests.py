"""Whatever a manifest, variant or reference file holds: findings or silence, never an exception."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import tomli
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cabinet_ci.catalog.decode import known_keys
from cabinet_ci.catalog.manifest import Manifest
from cabinet_ci.catalog.version import read_version
from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.validation import check_version
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.toml import document


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        write_case(Path(folder))
        yield Path(folder)


def check(root: Path) -> list[Diagnostic]:
    return check_version(read_version(root, DEFAULT_PATH, "test-cases"), Config())


SCALARS: st.SearchStrategy[Any] = (
    st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.dates(date(1, 1, 1))
    | st.sampled_from(["../x", "/etc", "a\\b", "cases/one.json", "test-case.toml", "", " ", ".", "cases/", "a" * 5000])
)
KEYS = st.sampled_from([*known_keys(Manifest), "input", "expected", "kind", "source", "dest", "id", "toolchain", "x"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_any_values_in_a_manifest_are_findings_or_silence(root: Path, changes: dict[str, Any]) -> None:
    write_case(root)
    manifest = root / DEFAULT_PATH / "test-case.toml"
    kept = {key: value for key, value in tomli.loads(manifest.read_text()).items() if key not in changes}
    manifest.write_text(document({**kept, **changes}))
    for found in check(root):
        assert found.message
        assert found.line is None or found.line >= 1


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.sampled_from(["slug", "name", "workspace", "spec", "domain", "x"]), VALUES, max_size=4))
def test_any_values_in_a_variant_are_findings_or_silence(root: Path, values: dict[str, Any]) -> None:
    folder = write_case(root)
    put(folder / "variants/base.toml", document(values))
    assert isinstance(check(root), list)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.sampled_from(["expect", "variant", "description", "cases", "x"]), VALUES, max_size=4))
def test_any_values_in_a_reference_are_findings_or_silence(root: Path, values: dict[str, Any]) -> None:
    folder = write_case(root)
    put(folder / "references/echo/reference.toml", document(values))
    assert isinstance(check(root), list)
    (folder / "references/echo/reference.toml").unlink()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(
        [
            "test-case.toml",
            "variants/base.toml",
            "prompt.hbs",
            "specs/problem.md.hbs",
            "changelog.md",
            "schemas/input.json",
            "cases/one.json",
            "cases/two.out",
            "references/echo/reference.toml",
        ]
    ),
    st.binary(max_size=60),
)
def test_any_bytes_in_any_file_are_findings_or_silence(root: Path, name: str, content: bytes) -> None:
    folder = write_case(root)
    put(folder / name, content)
    assert isinstance(check(root), list)
    (folder / name).unlink()


def test_a_sound_version_is_silent(root: Path) -> None:
    write_case(root)
    assert check(root) == []
