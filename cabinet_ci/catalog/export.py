"""The JSON Schema of a TOML file, made from the Struct that it is decoded into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from cabinet_ci.catalog.manifest import LARGEST

DRAFT = "http://json-schema.org/draft-07/schema#"
"""What TOML editors read. Later drafts would say nothing more here."""


def json_schema(struct: type) -> str:
    """The schema as JSON text, ending in a line break."""
    (root,), definitions = msgspec.json.schema_components([struct], ref_template="#/definitions/{name}")
    name = root["$ref"].rpartition("/")[2]
    main = definitions.pop(name)
    schema = {"$schema": DRAFT, **_adapted(main)}
    if definitions:
        schema["definitions"] = {key: _adapted(value) for key, value in definitions.items()}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def json_schema_by_key(key: str, structs: Mapping[str, type]) -> str:
    """The schema of a file whose Struct is told by the value of a key, as JSON text, ending in a line break."""
    kinds = list(dict.fromkeys(structs.values()))
    roots, definitions = msgspec.json.schema_components(kinds, ref_template="#/definitions/{name}")
    values = [[value for value, struct in structs.items() if struct is kind] for kind in kinds]
    # Not a choice of all: an editor can say what is wrong only where it knows which one is meant.
    branches = [
        {"if": {"properties": {key: {"enum": of}}, "required": [key]}, "then": root}
        for of, root in zip(values, roots, strict=True)
    ]
    schema = {
        "$schema": DRAFT,
        "type": "object",
        "properties": {key: {"enum": list(structs)}},
        "required": [key],
        "allOf": branches,
        "definitions": {name: _adapted(value) for name, value in definitions.items()},
    }
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def _adapted(node: Any) -> Any:
    """A schema as editors take it: without null, which TOML can't write, and with patterns that every engine reads."""
    if isinstance(node, list):
        return [_adapted(item) for item in node]
    if not isinstance(node, dict):
        return node
    adapted = {key: _adapted(value) for key, value in node.items()}
    choices = adapted.get("anyOf")
    if isinstance(choices, list):
        choices = [choice for choice in choices if choice != {"type": "null"}]
        adapted["anyOf"] = choices
        if len(choices) == 1:
            del adapted["anyOf"]
            adapted = {**choices[0], **adapted}
    if adapted.get("default", "") is None:
        del adapted["default"]
    if adapted.get("maximum") == LARGEST:
        del adapted["maximum"]
    pattern = adapted.get("pattern")
    if isinstance(pattern, str):
        adapted["pattern"] = pattern.replace(r"(?![\s\S])", "$")
    if "$ref" in adapted and len(adapted) > 1:
        # In draft 7 whatever stands beside a reference is ignored.
        adapted["allOf"] = [{"$ref": adapted.pop("$ref")}]
    return adapted
