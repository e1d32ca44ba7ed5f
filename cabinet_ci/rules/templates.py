"""Prompts and spec templates: strict Handlebars (section 4 of the format)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Subject
from cabinet_ci.seeding.plan import TEMPLATE_SUFFIX

if TYPE_CHECKING:
    from cabinet_ci.seeding.templates import Scope


@version_rule("CAB701")
def prompt_template(subject: Subject) -> Iterator[Finding]:
    """The prompt's template does not render: its syntax, a helper, or a reference to a variable that is not there.

    Why: a reference to nothing would leave a blank in the prompt of every run. Branches that are not taken are checked
    all the same.
    Source: section 4 of the format.

    Failing:
        --- prompt.hbs
        Work in {{workspce}}.
    Fixed:
        --- prompt.hbs
        Work in {{workspace}}.
    """
    from cabinet_ci.seeding.templates import catalog_prompt_scope

    path = subject.version.manifest.prompt
    if subject.is_file(path):
        yield from _faults(subject, path, catalog_prompt_scope(subject.version.type))


@version_rule("CAB702")
def spec_template(subject: Subject) -> Iterator[Finding]:
    """A spec's template does not render: its syntax, a helper, or a reference to a variable that is not there.

    Why: a reference to nothing would leave a blank in the spec of every run.
    Source: section 4 of the format.

    Failing:
        --- specs/problem.md.hbs
        {{#if variant.colour}}In colour.{{/if}}
        --- test-case.toml
        [[spec]]
        source = "specs/problem.md.hbs"
    Fixed:
        --- specs/problem.md.hbs
        {{#if (eq variant.slug "base")}}The base.{{/if}}
        --- test-case.toml
        [[spec]]
        source = "specs/problem.md.hbs"
    """
    from cabinet_ci.seeding.templates import catalog_spec_scope

    specs = [*subject.version.manifest.spec, *(spec for found in subject.version.variants for spec in found.file.spec)]
    sources = dict.fromkeys(spec.source for spec in specs if spec.source.endswith(TEMPLATE_SUFFIX))
    for path in sources:
        if subject.is_file(path):
            yield from _faults(subject, path, catalog_spec_scope(subject.version.type))


def _faults(subject: Subject, path: str, scope: Scope) -> Iterator[Finding]:
    from cabinet_ci.seeding.templates import check_template

    text = subject.text(path)
    if text is None:
        return
    for fault in check_template(text, scope):
        yield Finding(subject.path(path), (fault.line, fault.column), fault.message, fault.hint)
