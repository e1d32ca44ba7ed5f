"""The documents of a run that are rendered: its prompt and its spec templates (section 4 of the format)."""

from __future__ import annotations

import posixpath
from typing import Any

from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.catalog.version import Variant, Version
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.templates import TemplateError, render_template


def render_spec(version: Version, variant: Variant, source: str, template: bytes) -> bytes:
    """A spec template as a run of `variant` receives it. Raises `CannotRun` with the template's path."""
    values = {"version": version.version, "variant": variant_values(variant)}
    return _render(f"{version.path}/{source}", template, values).encode()


def prompt_values(version: Version, variant: Variant, workspace: str) -> dict[str, Any]:
    """The variables of a catalog prompt: `workspace`, `variant.*` and `specs`, common ones first."""
    specs = [*version.manifest.spec, *variant.file.spec]
    return {
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


def variant_values(variant: Variant) -> dict[str, str]:
    """The variables `variant.*`."""
    file = variant.file
    return {"slug": file.slug, "name": file.display_name, "description": file.description}


def _render(path: str, template: bytes, values: dict[str, Any]) -> str:
    try:
        return render_template(decode_utf8(template, TomlError), values)
    except TomlError as fault:
        raise CannotRun(f"{path}:{fault.line}:{fault.column}: {fault.message}") from None
    except TemplateError as fault:
        first = fault.faults[0]
        raise CannotRun(f"{path}:{first.line}:{first.column}: {first.message}", first.hint or "") from None
