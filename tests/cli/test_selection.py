"""Which rules speak, and how loud: flags, environment and configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cases import put, write_case
from tests.support.command import cabinet, one_line


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A version with CAB103, CAB202 and the warning CAB403."""
    manifest = write_case(tmp_path) / "test-case.toml"
    text = manifest.read_text().replace("tags = []", "tags = 1").replace('"changelog.md"', '"no.md"')
    manifest.write_text(text.replace('kind = "smoke"\n', 'kind = "smoke"\nfuel_runway = 2\n', 1))
    return tmp_path


def codes(root: Path, *arguments: str, **env: str) -> list[str]:
    ran = cabinet("validate", "--format", "json", *arguments, cwd=root, env=env)
    return [found["code"] for found in ran.json["diagnostics"]]


def test_without_a_choice_every_rule_speaks(root: Path) -> None:
    assert codes(root) == ["CAB103", "CAB202", "CAB403"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--select", "CAB103"], ["CAB103"]),
        (["--select", "CAB1,CAB4"], ["CAB103", "CAB403"]),
        (["--ignore", "CAB2"], ["CAB103", "CAB403"]),
        (["--select", "CAB", "--ignore", "CAB403"], ["CAB103", "CAB202"]),
        (["--select", "CAB403", "--ignore", "CAB4"], ["CAB403"]),
    ],
)
def test_of_two_prefixes_the_longer_one_decides(root: Path, arguments: list[str], expected: list[str]) -> None:
    assert codes(root, *arguments) == expected


def test_flags_win_over_the_environment_and_that_over_the_file(root: Path) -> None:
    put(root / "cabinet-ci.toml", 'ignore = ["CAB103"]\n')
    assert codes(root) == ["CAB202", "CAB403"]
    assert codes(root, CABINET_CI_IGNORE="CAB202") == ["CAB103", "CAB403"]
    assert codes(root, "--ignore", "CAB403", CABINET_CI_IGNORE="CAB202") == ["CAB103", "CAB202"]


def test_an_empty_variable_is_unset(root: Path) -> None:
    put(root / "cabinet-ci.toml", 'ignore = ["CAB103"]\n')
    assert codes(root, CABINET_CI_IGNORE="") == ["CAB202", "CAB403"]


def test_the_configuration_may_lie_in_pyproject(root: Path) -> None:
    put(root / "pyproject.toml", '[tool.cabinet-ci]\nignore = ["CAB103"]\n')
    assert codes(root) == ["CAB202", "CAB403"]


def test_severities_are_configurable(root: Path) -> None:
    put(root / "cabinet-ci.toml", '[severity]\nCAB1 = "warning"\nCAB202 = "warning"\nCAB403 = "error"\n')
    found = cabinet("validate", "--format", "json", cwd=root).json
    assert [one["severity"] for one in found["diagnostics"]] == ["warning", "warning", "error"]
    assert found["summary"] == {"errors": 1, "warnings": 2, "checked": 1}


def severities(root: Path, *arguments: str, **env: str) -> list[str]:
    ran = cabinet("validate", "--format", "json", *arguments, cwd=root, env=env)
    return [f"{found['code']}={found['severity']}" for found in ran.json["diagnostics"]]


def test_a_severity_given_as_a_flag_or_a_variable_wins_over_the_file(root: Path) -> None:
    put(root / "cabinet-ci.toml", '[severity]\nCAB103 = "warning"\nCAB403 = "error"\n')
    assert severities(root) == ["CAB103=warning", "CAB202=error", "CAB403=error"]
    variable = {"CABINET_CI_SEVERITY": "CAB1=error,CAB2=warning"}
    assert severities(root, **variable) == ["CAB103=error", "CAB202=warning", "CAB403=error"]
    flags = ["--severity", "CAB=warning, CAB103=error"]
    assert severities(root, *flags, **variable) == ["CAB103=error", "CAB202=warning", "CAB403=warning"]


def test_the_severity_decides_the_exit_code(root: Path) -> None:
    assert cabinet("validate", cwd=root).code == 1
    assert cabinet("validate", "--severity", "CAB1=warning,CAB202=warning", cwd=root).code == 0
    assert cabinet("validate", "--select", "CAB403", cwd=root).code == 0
    assert cabinet("validate", "--select", "CAB403", "--severity", "CAB4=error", cwd=root).code == 1


@pytest.mark.parametrize("given", ["CAB1", "CAB1=fatal", "E501=error", "=error", "CAB1="])
def test_a_severity_that_does_not_fit_is_one_line(root: Path, given: str) -> None:
    ran = cabinet("validate", "--severity", given, cwd=root)
    assert ran.code == 2
    assert f'--severity can\'t be "{given}"; expected codes' in one_line(ran.err)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "ignore = 'CAB1'\n",
            'cabinet-ci.toml:1:1: ignore has to be a list of codes of rules or prefixes of codes, such as ["CAB101", '
            '"CAB2"], not "CAB1"',
        ),
        ("\nignore = ['E501']\n", "cabinet-ci.toml:2:11: ignore has to be a list of codes"),
        ("[severity]\nCAB1 = 'fatal'\n", '2:1: severity.CAB1 has to be "error" or "warning", not "fatal"'),
        ("nonsense = 1\n", "cabinet-ci.toml:1:1: unknown key nonsense; known are catalog,"),
        (
            "catalog = '../elsewhere'\n",
            '1:1: catalog has to be a folder inside the repository, relative to its root, not "../',
        ),
        ("freeze = 'never'\n", '1:1: freeze has to be merged or released, not "never"'),
        ("workspace = 'run'\n", '1:1: workspace has to be an absolute path, not "run"'),
        ("[engines.e]\nname = 'E'\ndocs = 'docs'\n", "cabinet-ci.toml:3:1: engines.e.docs has to be"),
        ("engines = 3\n", "1:1: engines has to be a table, not an integer"),
        ("a = [\n", "cabinet-ci.toml:2"),
    ],
)
def test_a_configuration_that_does_not_fit_is_one_line(root: Path, text: str, words: str) -> None:
    put(root / "cabinet-ci.toml", text)
    ran = cabinet("validate", cwd=root)
    assert ran.code == 2
    assert words in one_line(ran.err)


def test_a_flag_that_does_not_fit_is_one_line(root: Path) -> None:
    ran = cabinet("validate", "--select", "E501", cwd=root)
    assert ran.code == 2
    assert one_line(ran.err).endswith(
        '--select can\'t be "E501"; expected codes of rules or prefixes of codes, such as CAB101,CAB2'
    )


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("select", "CAB999", "CAB999"),
        ("ignore", "CAB2,CAB77", "CAB77"),
        ("severity", "CAB0=error,CAB55=error", "CAB55"),
    ],
)
def test_a_code_that_is_no_rule_s_is_refused_lest_it_silences_all(root: Path, key: str, value: str, named: str) -> None:
    message = f'{key} names "{named}", and no rule has a code that starts so; `cabinet-ci explain` lists them'
    assert cabinet("validate", f"--{key}", value, cwd=root).err == f"cabinet-ci: {message}\n"
    for command in ("validate", "check"):
        ran = cabinet(command, cwd=root, env={f"CABINET_CI_{key.upper()}": value})
        assert (ran.code, one_line(ran.err)) == (2, f"cabinet-ci: {message}")


@pytest.mark.parametrize("code", ["CAB", "CAB8", "CAB63", "CAB403"])
def test_a_code_may_be_that_of_a_rule_about_suites_or_history(root: Path, code: str) -> None:
    assert cabinet("validate", "--severity", f"{code}=error", cwd=root).code == 1


@pytest.mark.parametrize("command", ["validate", "schema"])
def test_an_empty_output_is_a_usage_error(root: Path, command: str) -> None:
    ran = cabinet(command, *(["manifest"] if command == "schema" else []), "--output", "", cwd=root)
    assert ran.code == 2
    assert "it is empty" in one_line(ran.err)


def test_a_fault_in_pyproject_is_told_at_its_line(root: Path) -> None:
    put(root / "pyproject.toml", '[project]\nname = "x"\n\n[tool.cabinet-ci]\nfreeze = "never"\n')
    ran = cabinet("validate", cwd=root)
    assert ran.code == 2
    assert "pyproject.toml:5:1: freeze has to be merged or released" in one_line(ran.err)


@pytest.mark.parametrize("name", ["test-cases", "test-suites"])
def test_a_catalog_that_is_a_link_out_of_the_repository_is_refused(
    root: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    if (root / name).exists():
        (root / name).rename(elsewhere / "moved")
    (root / name).symlink_to(elsewhere)
    for command in ("validate", "evaluate", "check"):
        ran = cabinet(command, cwd=root)
        assert ran.code == 2
        assert f"{name} is a link that leads out of the repository" in one_line(ran.err)


def test_a_catalog_that_is_a_link_inside_the_repository_is_read(root: Path) -> None:
    (root / "test-cases").rename(root / "cases")
    (root / "test-cases").symlink_to("cases")
    assert cabinet("validate", cwd=root).code == 1


@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_an_empty_path_is_a_usage_error(root: Path, command: str) -> None:
    ran = cabinet(command, "", cwd=root)
    assert ran.code == 2
    assert "it is empty" in one_line(ran.err)
