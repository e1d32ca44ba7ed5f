"""Rendering the package's mustache templates; a view is a Struct whose fields the template names."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


def rendered(name: str, view: msgspec.Struct) -> str:
    """The template `name` filled in.

    `{{x}}` escapes for HTML. Markdown templates write `{{{x}}}`, their views holding nothing but what `escaping` made
    safe, and numbers.
    """
    import chevron

    text: str = chevron.render(_template(name), view, partials_path=None)
    return text


@cache
def _template(name: str) -> str:
    return (resources.files("cabinet_ci.reporting") / "templates" / f"{name}.mustache").read_text("utf-8")
