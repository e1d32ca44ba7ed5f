"""Prompts and spec templates: strict Handlebars (section 4 of the format)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cabinet_ci.rules.folder import Finding, Folder
from cabinet_ci.rules.registry import folder_rule, version_rule
from cabinet_ci.rules.subject import Subject
from cabinet_ci.seeding.plan import TEMPLATE_SUFFIX

if TYPE_CHECKING:
    from cabinet_ci.seeding.templates import Scope


@folder_rule("CAB701")
def prompt_template(subject: Folder) -> Iterator[Finding]:
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
    for prompt in subject.prompts():
        if subject.is_file(prompt.path):
            yield from _faults(subject, prompt.path, prompt.scopes)


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
            yield from _faults(subject, path, ((catalog_spec_scope(subject.version.type), ""),))


def _faults(subject: Folder, path: str, scopes: Iterable[tuple[Scope, str]]) -> Iterator[Finding]:
    """What is wrong with a template, each fault once: with the first scope that has it."""
    from cabinet_ci.seeding.templates import check_template

    text = subject.text(path)
    if text is None:
        return
    told: set[tuple[int, int]] = set()
    for scope, where in scopes:
        faults = check_template(text, scope)
        for fault in faults:
            if (fault.line, fault.column) not in told:
                yield Finding(subject.path(path), (fault.line, fault.column), fault.message + where, fault.hint)
        told |= {(fault.line, fault.column) for fault in faults}
