"""The documents of a catalog run that are rendered: its prompt and its spec templates (section 4 of the format)."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.catalog.version import Variant, Version
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.engines import WITHOUT_ENGINE, Engine
from cabinet_ci.seeding.templates import TemplateError, TemplateFault, has_engine, render_template


class UnsoundTemplate(CannotRun):
    """A template that does not render: `path` is relative to the repository root, `faults` are one or more."""

    def __init__(self, path: str, faults: tuple[TemplateFault, ...]) -> None:
        first = faults[0]
        super().__init__(f"{path}:{first.line}:{first.column}: {first.message}", first.hint or "")
        self.path = path
        self.faults = faults


def render_document(path: str, template: bytes, values: Mapping[str, Any]) -> bytes:
    """A template as a run receives it, in UTF-8. Raises `UnsoundTemplate`, with `path`."""
    try:
        return render_template(decode_utf8(template, TomlError), values).encode()
    except TomlError as fault:
        raise UnsoundTemplate(path, (TemplateFault(fault.line, fault.column, fault.message),)) from None
    except TemplateError as fault:
        raise UnsoundTemplate(path, fault.faults) from None


def render_spec(
    version: Version, variant: Variant, source: str, template: bytes, engine: Engine = WITHOUT_ENGINE
) -> bytes:
    """A spec template as a run of `variant` receives it. Raises `UnsoundTemplate`."""
    return render_document(f"{version.path}/{source}", template, spec_values(version, variant, engine))


def render_prompt(version: Version, variant: Variant, engine: Engine, workspace: str, template: bytes) -> bytes:
    """The prompt that a run of `variant` is handed. Raises `UnsoundTemplate`."""
    path = f"{version.path}/{version.manifest.prompt}"
    return render_document(path, template, prompt_values(version, variant, engine, workspace))


def spec_values(version: Version, variant: Variant, engine: Engine) -> dict[str, Any]:
    """The variables of a catalog spec: `version`, `variant.*`, and `engine.*` for the types that have engines."""
    values = {"version": version.version, "variant": variant_values(variant)}
    return {**values, "engine": engine.values} if has_engine(version.type) else values


def prompt_values(version: Version, variant: Variant, engine: Engine, workspace: str) -> dict[str, Any]:
    """The variables of a catalog prompt: `workspace`, `variant.*`, `specs`, common ones first, and `engine.*`.

    The format leaves open what the templates of some types may refer to; they are given these too.
    """
    specs = [*version.manifest.spec, *variant.file.spec]
    values = {
        "workspace": workspace,
        "variant": variant_values(variant),
        "specs": [
            {
                "dest": spec.destination,
                "path": posixpath.join(workspace, spec.destination),
                "name": posixpath.splitext(posixpath.basename(spec.destination))[0],
            }
            for spec in specs
        ],
    }
    return {**values, "engine": engine.values} if has_engine(version.type) else values


def variant_values(variant: Variant) -> dict[str, str]:
    """The variables `variant.*`."""
    file = variant.file
    return {"slug": file.slug, "name": file.display_name, "description": file.description}
