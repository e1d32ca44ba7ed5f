"""The cases of this repository: the fuel that is reported is that of a direct call of the entry, to the unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from cabinet_ci.catalog.version import open_version
from cabinet_ci.config import Config
from cabinet_ci.evaluation.references import build_reference
from cabinet_ci.evaluation.requests import requests_for
from cabinet_ci.evaluation.runner import evaluate
from cabinet_ci.evaluation.sandbox.calls import kind_of
from tests.evaluation import test_components, test_core_modules

REPOSITORY = Path(__file__).parents[2]
VERSIONS = sorted((REPOSITORY / "test-cases/performance").glob("*/*/v*"))


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.parent.name)
def test_fuel_is_that_of_a_direct_call_for_the_modules_of_the_catalog(folder: Path, tmp_path: Path) -> None:
    version = open_version(REPOSITORY, folder, "test-cases")
    (reference,) = [each for each in version.references if each.name == "efficient"]
    source = build_reference(version, reference).module
    assert source is not None
    module = tmp_path / "module.wasm"
    module.write_bytes(source)
    document = evaluate(requests_for(REPOSITORY, Config(), [folder], module=module), 2, lambda _: None)
    (run,) = document.runs
    assert run.status == "pass"
    for case in run.cases:
        given = (folder / case.input).read_bytes()
        if kind_of(source) == "component":
            assert case.fuel == test_components.direct_fuel(source, given.decode())
        else:
            assert case.fuel == test_core_modules.direct_fuel(source, given)
