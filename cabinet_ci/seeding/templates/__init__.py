"""Prompt and spec templates: strict Handlebars (section 4 of the format), checked and rendered."""

from __future__ import annotations

from collections.abc import Mapping

from cabinet_ci.seeding.templates.checking import check_references
from cabinet_ci.seeding.templates.scopes import (
    SUITE_PROMPT,
    UNCHECKED,
    Scope,
    catalog_prompt_scope,
    catalog_spec_scope,
    has_engine,
    scope_of,
    suite_prompt_scope,
)
from cabinet_ci.seeding.templates.syntax import parse_template
from cabinet_ci.seeding.templates.tree import TemplateError, TemplateFault

__all__ = [
    "SUITE_PROMPT",
    "UNCHECKED",
    "Scope",
    "TemplateError",
    "TemplateFault",
    "catalog_prompt_scope",
    "catalog_spec_scope",
    "check_template",
    "has_engine",
    "render_template",
    "scope_of",
    "suite_prompt_scope",
]


def check_template(source: str, names: Scope) -> list[TemplateFault]:
    """Find everything that is wrong with a template, in the order of its lines, without rendering it."""
    template = parse_template(source)
    faults = template.faults.copy()
    check_references(template.nodes, names, faults)
    return faults.told()


def render_template(source: str, values: Mapping[str, object]) -> str:
    """Render a template with values: text, numbers, truth values, and lists and mappings of such.

    Strict: raises `TemplateError` where the template has a fault, refers to anything that is not among the values (also
    in a branch that is not taken), or would print or do more than the limits of `rendering` allow.
    """
    template = parse_template(source)
    faults = template.faults.copy()
    check_references(template.nodes, scope_of(values), faults)
    if faults:
        raise TemplateError(faults.told())
    # Importing the library takes longer than checking a hundred templates does.
    from cabinet_ci.seeding.templates.rendering import render

    return render(source, values)
