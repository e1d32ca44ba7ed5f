"""Configuration: flags, then `CABINET_CI_*` in the environment, then the repository's file.

The file is `cabinet-ci.toml` or `[tool.cabinet-ci]` in `pyproject.toml`, at the repository's root.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.decode import Fault, decode, toml_kind
from cabinet_ci.catalog.discovery import leads_outside
from cabinet_ci.catalog.files import MANIFEST_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.positions import KeyPath, toml_positions
from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.diagnostics import Severity
from cabinet_ci.failure import CannotRun

FILE_NAME = "cabinet-ci.toml"
PROJECT_FILE = "pyproject.toml"

Freeze = Literal["merged", "released"]
RelativeFolder = Annotated[str, Meta(pattern=r"^(?!/)(?!.*(^|/)\.\.(/|$))[^\\\x00]+$")]
RulePrefix = Annotated[str, Meta(pattern="^CAB[0-9]{0,3}(?![\\s\\S])")]


class EngineConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[engines.<slug>]`: its name, and where its documentation lies inside the run container."""

    name: str
    docs: Annotated[str, Meta(pattern=r"^(/|(?![\s\S]))")] = ""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration in force.

    `catalog` and `suites` are folders relative to the repository root; `base` is a git revision, empty where it is to
    be found; `freeze` says what freezes a version: being merged, or being released (tagged); `workspace` is the
    absolute path of the workspace inside the run container. `select` and `ignore` hold codes of rules or prefixes of
    codes, `severity` maps such to "error" or "warning".
    """

    catalog: RelativeFolder = "test-cases"
    suites: RelativeFolder = "test-suites"
    base: str = ""
    freeze: Freeze = "merged"
    workspace: Annotated[str, Meta(pattern="^/")] = "/workspace"
    engines: dict[str, EngineConfig] = {}
    select: list[RulePrefix] = []
    ignore: list[RulePrefix] = []
    severity: dict[RulePrefix, Severity] = {}


NO_ENGINE = "none"
"""The engine that is built in: a solution without one. It has no documentation."""


def known_engines(config: Config) -> dict[str, EngineConfig]:
    """Engines that a definition may name, by slug: the built-in one, then the configured ones."""
    return {NO_ENGINE: EngineConfig("None"), **config.engines}


OVERRIDABLE = ("catalog", "suites", "base", "freeze", "workspace")
LISTS = ("select", "ignore")
"""Keys whose flags and variables hold codes with commas between them."""

_FOLDER = "a folder inside the repository, relative to its root"
_CODES = "codes of rules or prefixes of codes, such as CAB101,CAB2"
_EXPECTED = {
    "catalog": _FOLDER,
    "suites": _FOLDER,
    "base": "a git revision",
    "freeze": "merged or released",
    "workspace": "an absolute path",
    "select": _CODES,
    "ignore": _CODES,
    "severity": "codes of rules or prefixes of codes, each error or warning, such as CAB403=error,CAB9=warning",
}


def load_config(root: Path, flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ) -> Config:
    """Configuration in force for the repository at `root`.

    `flags` maps a key to the flag's value, None where it was not given. Raises `CannotRun` for a file that can't be
    read, an unknown key or a value of the wrong kind, naming the file or the variable.
    """
    config = parse_config(_read(root / PROJECT_FILE), _read(root / FILE_NAME))
    for key in (*OVERRIDABLE, *LISTS, "severity"):
        variable = f"CABINET_CI_{key.upper()}"
        if environment.get(variable):
            config = _override(config, key, environment[variable], f"the environment variable {variable}")
        flag = flags.get(key)
        if flag is not None:
            config = _override(config, key, flag, f"--{key}")
    for key, folder in (("catalog", config.catalog), ("suites", config.suites)):
        if leads_outside(root, folder):
            raise CannotRun(f"{folder} is a link that leads out of the repository", f"name another folder as {key}")
    return config


def parse_config(project: bytes | None, own: bytes | None) -> Config:
    """Configuration from the content of `pyproject.toml` and `cabinet-ci.toml`, null where a file does not exist.

    Keys in `cabinet-ci.toml` win. Raises `CannotRun`.
    """
    data: dict[str, Any] = {}
    if project is not None and b"cabinet-ci" in project:
        tool = _parse(project, PROJECT_FILE).get("tool", {})
        table = tool.get("cabinet-ci", {}) if isinstance(tool, dict) else {}
        data |= _checked(table, PROJECT_FILE, project, ("tool", "cabinet-ci"))
    if own is not None:
        data |= _checked(_parse(own, FILE_NAME), FILE_NAME, own, ())
    return msgspec.convert(data, Config)


def _read(path: Path) -> bytes | None:
    if not path.exists():
        return None
    try:
        return read_bounded(path, MANIFEST_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{path.name} {fault.reason}", "the configuration is read from it") from None


def _parse(source: bytes, name: str) -> dict[str, Any]:
    try:
        return parse_toml(source)
    except TomlError as fault:
        raise CannotRun(f"{name}:{fault.line}:{fault.column}: {fault.message}", "mend the file") from None


def _checked(table: Any, name: str, source: bytes, prefix: KeyPath) -> dict[str, Any]:
    """The table, once it is known to be a configuration; `prefix` leads to it in the file."""
    if not isinstance(table, dict):
        raise CannotRun(f"{name}: [{'.'.join(map(str, prefix))}] has to be a table, not {toml_kind(table)}")
    _, faults = decode(Config, table)
    for fault in faults:
        line, column = toml_positions(source).nearest((*prefix, *fault.path))
        raise CannotRun(f"{name}:{line}:{column}: {_sentence(fault)}")
    return table


def _override(config: Config, key: str, value: str, origin: str) -> Config:
    try:
        given = _given(config, key, value)
        return msgspec.convert({**msgspec.structs.asdict(config), key: given}, Config)
    except msgspec.ValidationError:
        raise CannotRun(f'{origin} can\'t be "{value}"', f"expected {_EXPECTED[key]}") from None


def _given(config: Config, key: str, value: str) -> Any:
    """A flag's or variable's value as the file would hold it. Raises `msgspec.ValidationError`."""
    if key in OVERRIDABLE:
        return value
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if key in LISTS:
        return parts
    given = dict([side.strip() for side in part.partition("=")[::2]] for part in parts)
    msgspec.convert(given, dict[RulePrefix, Severity])
    # A prefix that is given here has the last word on every code below it.
    return {code: old for code, old in config.severity.items() if not code.startswith(tuple(given))} | given


def _sentence(fault: Fault) -> str:
    key = ".".join(str(part) for part in fault.path if isinstance(part, str))
    if fault.kind == "unknown":
        return f"unknown key {key}; known are {', '.join(fault.known)}"
    if fault.kind == "missing":
        return f"{key} is missing"
    expected = _EXPECTED.get(key, fault.expected)
    if key in LISTS:
        expected = 'a list of codes of rules or prefixes of codes, such as ["CAB101", "CAB2"]'
    found = f'"{fault.found}"' if isinstance(fault.found, str) else toml_kind(fault.found)
    return f"{key} has to be {expected}, not {found}"
