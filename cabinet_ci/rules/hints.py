"""Remedies for keys and values that do not fit, from the mistakes that are usually made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from cabinet_ci.catalog.decode import Fault, known_keys
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.manifest import Build, Case, Contract, Manifest, Sandbox, SharedManifest, Spec
from cabinet_ci.catalog.positions import KeyPath

FOREIGN_TABLES = {
    "simulation": "adversarial",
    "match": "adversarial",
    "replay": "adversarial",
    "canvas": "asset-generation",
    "tool": "asset-generation",
    "output": "asset-generation",
    "check": "end-to-end",
    "reference": "end-to-end",
    "proof": "end-to-end",
    "engine": "end-to-end",
    "toolchain": "end-to-end",
    "instrumentation": "end-to-end",
}
"""Tables that belong to another type of case, and the type (section 1 of the format)."""

_OTHER_NAMES: dict[str, tuple[tuple[str, str], ...]] = {
    "max_runtime_seconds": (("max_runtime_hours", "write the limit in hours: `max_runtime_hours = 0.5`"),),
    "max_runtime_minutes": (("max_runtime_hours", "write the limit in hours: `max_runtime_hours = 0.5`"),),
    "max_runtime": (("max_runtime_hours", "write the limit in hours: `max_runtime_hours = 0.5`"),),
    "timeout": (("max_runtime_hours", "the limit is `max_runtime_hours`, in hours"),),
    "variant": (
        (
            "variants",
            'variants are files of their own: list them above the first table, `variants = ["variants/base.toml"]`',
        ),
    ),
    "cases": (("case", "each case is a table of its own: `[[case]]`"),),
    "specs": (
        ("spec", "each spec is a table of its own: `[[spec]]`"),
        ("specifications", "the specifications that it covers are `specifications`, by their ids"),
    ),
    "title": (("name", "what people read is `name`"),),
    "id": (("slug", "the identity is `slug`"),),
    "slug": (("id", "the identity is `id`"), ("engines", "the slug is the name of the file")),
    "version": (("variants", "the version is the name of the folder"),),
    "memory_limit": (
        ("sandbox", "the cap of the memory is `max_memory_bytes`"),
        ("max_memory_bytes", "the cap of the memory is `max_memory_bytes`"),
    ),
    "fuel": (("sandbox", "the ceiling is `fuel_limit`"), ("fuel_limit", "the ceiling is `fuel_limit`")),
    "max_memory": (("max_memory_bytes", "the cap of the memory is `max_memory_bytes`"),),
    "runway": (("fuel_runway", "the runway is `fuel_runway`"),),
    "output": (("expected", "the file of the right answer is `expected`"),),
    "answer": (("expected", "the file of the right answer is `expected`"),),
    "destination": (("dest", "where a run finds it is `dest`"),),
    "target": (("dest", "where a run finds it is `dest`"),),
    "requirements": (("requirement", "each requirement is a table of its own: `[[requirement]]`"),),
    "functions": (("function", "each function is a table of its own: `[[function]]`"),),
    "modules": (("module", "each module is a table of its own: `[[module]]`"),),
}
"""What keys are also called: for each key that a table may have in their place, the remedy."""


_HOMES: tuple[tuple[str, str, type], ...] = (
    ("build", "[build]", Build),
    ("contract", "[contract]", Contract),
    ("sandbox", "[sandbox]", Sandbox),
    ("case", "[[case]]", Case),
    ("spec", "[[spec]]", Spec),
)
"""Tables of a manifest: their keys are looked for among its own."""


def unknown_key(document: Document, fault: Fault, root_keys: Iterable[str]) -> str | None:
    """What to do about a key that its table does not know."""
    key = str(fault.path[-1])
    near = nearest(key, fault.known)
    if _has_slid(document, fault, root_keys):
        from cabinet_ci.catalog.positions import toml_positions

        header = toml_positions(document.source).header_before(fault.path)
        under = f" below {header}" if header else ""
        return f"`{key}` is a root key, and TOML makes a key{under} part of that table: move it above the first header"
    other = _other_name(key, fault)
    if other is not None and (len(fault.path) == 1 or not near):
        return other[1]
    home = _home(fault)
    if home is not None:
        return f"`{key}` belongs below {home[1]}"
    if near is not None:
        return f"did you mean `{near}`?"
    return f"known keys here: {', '.join(fault.known)}"


def missing_key(document: Document, fault: Fault) -> str | None:
    """What is there in place of a missing key, in a manifest whose other keys belong to a type of its own."""
    key, data = str(fault.path[-1]), document.data
    if fault.table != SharedManifest.__name__:
        return None
    others = [name for name in data if name not in fault.known]
    named = next((remedy for name in others for meant, remedy in _OTHER_NAMES.get(name, ()) if meant == key), None)
    near = nearest(key, others)
    if named is not None or near is not None:
        return named or f"is `{near}` meant to be it?"
    for name in others:
        tables = data[name] if isinstance(data[name], list) else [data[name]]
        if key not in _IN_MANY_TABLES and any(isinstance(table, dict) and key in table for table in tables):
            return (
                f"`{key}` stands below [{name}], and TOML makes it part of that table: move it above the first header"
            )
    return None


_IN_MANY_TABLES = ("slug", "name", "tags")
"""Keys that tables of other types may well have for themselves."""


def stands_for(document: Document, fault: Fault, root_keys: Iterable[str]) -> KeyPath | None:
    """Where an unknown key was meant to be, if that can be told: a key missing there is the same fault."""
    key = str(fault.path[-1])
    if _has_slid(document, fault, root_keys):
        return (key,)
    near, other, home = nearest(key, fault.known), _other_name(key, fault), _home(fault)
    if other is not None and (len(fault.path) == 1 or near is None):
        return (*fault.path[:-1], other[0])
    if home is not None:
        return (home[0], key)
    return None if near is None else (*fault.path[:-1], near)


def _has_slid(document: Document, fault: Fault, root_keys: Iterable[str]) -> bool:
    """Whether an unknown key of a table is one that the root may have, and has not."""
    key = str(fault.path[-1])
    return len(fault.path) > 1 and key in root_keys and key not in fault.known and key not in document.data


def _home(fault: Fault) -> tuple[str, str] | None:
    """The table of a manifest that a key of its root belongs to: its name, and its header."""
    if fault.table != Manifest.__name__ or len(fault.path) != 1 or isinstance(fault.found, dict):
        return None
    homes = ((name, header) for name, header, struct in _HOMES if fault.path[0] in known_keys(struct))
    return next(homes, None)


def _other_name(key: str, fault: Fault) -> tuple[str, str] | None:
    """The key that is also called so and that the table may have, with the remedy."""
    return next((other for other in _OTHER_NAMES.get(key, ()) if other[0] in fault.known), None)


def wrong_value(fault: Fault) -> str | None:
    """What to write in place of a value that does not fit."""
    key, found = (str(fault.path[-1]) if fault.path else ""), fault.found
    if fault.expected == "a table" and fault.path and not isinstance(fault.path[-1], str):
        return f"each is a table of its own: `[[{fault.path[-2]}]]`"
    if isinstance(found, str):
        return _for_string(key, fault, found)
    if isinstance(found, bool) or found is None:
        return None
    if key == "variants" and _is_tables(found):
        return _OTHER_NAMES["variant"][0][1]
    if isinstance(found, int | float) and "string" in fault.expected:
        quoted = f'"{found}"'
        return f"put it in quotes: {_written(fault, quoted)}"
    if isinstance(found, float) and "integer" in fault.expected and found.is_integer():
        return f"write it without a fraction: {_written(fault, f'{int(found):_}')}"
    if isinstance(found, dict) and fault.expected.startswith("an array of tables"):
        return f"write the header with two brackets: `[[{key}]]`"
    if isinstance(found, dict) and fault.expected.startswith("a path") and not isinstance(fault.path[-1], str):
        return f'they are paths in one array: `{fault.path[-2]} = ["{fault.path[-2]}/one", "{fault.path[-2]}/two"]`'
    if isinstance(found, list) and fault.expected == "a table":
        return f"write the header with one bracket: `[{key}]`"
    return None


def _written(fault: Fault, value: str) -> str:
    """A value as its author has to type it: with its key, or by itself as an item of an array."""
    key = fault.path[-1]
    return f"`{key} = {value}`" if isinstance(key, str) else value


class Guesses:
    """Like names, looked for a few times only: comparing takes long, and typing errors are rare.

    Of very many names none is looked for either.
    """

    LIMIT = 20
    NAMES = 2000

    def __init__(self) -> None:
        self._made = 0

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """The known word that is most like this one, if any is and it is looked for."""
        self._made += 1
        if self._made > self.LIMIT:
            return None
        names = list(known)
        return nearest(word, names) if len(names) <= self.NAMES else None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like this one, if any is."""
    import difflib

    candidates = list(known)
    same = next((name for name in candidates if _plain(name) == _plain(word)), None)
    return same or next(iter(difflib.get_close_matches(word, candidates, n=1, cutoff=0.7)), None)


def _for_string(key: str, fault: Fault, found: str) -> str | None:
    if "integer" in fault.expected or "number" in fault.expected:
        bare = found.strip().replace(",", "_")
        if re.fullmatch(r"[+-]?[0-9][0-9_]*(\.[0-9]+)?", bare):
            return f"write the number without quotes: {_written(fault, bare)}"
        return None
    if fault.expected == "true or false" and found.lower() in ("true", "false"):
        return f"write it without quotes: `{key} = {found.lower()}`"
    choices = re.findall(r'"([^"]*)"', fault.expected)
    if choices:
        near = nearest(found.strip(), choices)
        return f'write `{key} = "{near}"`' if near else None
    if "kebab-case" in fault.expected:
        slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", found).lower()).strip("-")
        return f'lower-case letters, digits and single hyphens between them: "{slug}"' if slug else None
    if fault.expected.startswith("an array"):
        return f'put it in brackets: `{key} = ["{found}"]`' if "table" not in fault.expected else None
    return None


def _is_tables(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(item, dict) for item in found)


def _plain(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())
