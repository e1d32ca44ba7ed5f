"""Writing TOML for tests, inline and with every character escaped."""

from __future__ import annotations

from typing import Any


def toml(value: Any) -> str:
    """A value as TOML writes it, inline."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(char):08x}" if char in '"\\' or ord(char) < 32 else char for char in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"
    return str(value)


def document(values: dict[str, Any]) -> str:
    """A table as a document, a key a line."""
    return "".join(f"{toml(key)} = {toml(value)}\n" for key, value in values.items())
