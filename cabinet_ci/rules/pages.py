"""The rules as pages, made from their docstrings: for the terminal, the documentation, and machines."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Sequence

import msgspec

from cabinet_ci.rules.registry import Rule

_EXAMPLES = re.compile(
    r"^(?:Failing|Fails):(?P<failing>.*?)^(?:Fixed|Passes):(?P<fixed>.*)\Z", re.MULTILINE | re.DOTALL
)

PREFACE = """# Rules

This page is made from the rules themselves: `cabinet-ci explain --format markdown > docs/rules.md`.

In an example, `--- FILE` starts the content of a file of a version, by its path from the version's folder. A fragment
of a TOML file stands for a whole file in which these keys have these values. `at FOLDER` is where the version lies,
`also FOLDER` another version, `case FOLDER` one of the catalog, `link NAME -> TARGET` a symbolic link, `folder NAME` a
folder, and `without FILE` tells what is not there.
"""


class Explanation(msgspec.Struct, frozen=True):
    """A docstring taken apart: what and why as prose, and the two examples without their indentation."""

    prose: str
    failing: str
    fixed: str


def explain(rule: Rule) -> Explanation:
    """The parts of a rule's docstring. Raises `ValueError` where it lacks an example."""
    text = inspect.getdoc(rule.check) or ""
    found = _EXAMPLES.search(text)
    if found is None:
        raise ValueError(f"{rule.code} has no examples")
    return Explanation(text[: found.start()].strip(), _example(found["failing"]), _example(found["fixed"]))


def _example(text: str) -> str:
    """An example, with what was said of it on the line above."""
    said, _, body = text.partition("\n")
    body = textwrap.dedent(body).strip("\n")
    return f"{said.strip()}\n\n{body}" if said.strip() else body


def as_text(rule: Rule) -> str:
    """One rule, for the terminal."""
    found = explain(rule)
    examples = f"Failing:\n{textwrap.indent(found.failing, '    ')}\n\nFixed:\n{textwrap.indent(found.fixed, '    ')}"
    return f"{rule.code} {rule.name} ({rule.severity})\n\n{found.prose}\n\n{examples}\n"


def listing(rules: Sequence[Rule]) -> str:
    """All rules, a line each: code, severity, what is checked."""
    return "".join(f"{rule.code}  {rule.severity:7}  {rule.title}\n" for rule in rules)


def as_markdown(rules: Sequence[Rule]) -> str:
    """The page of the documentation."""
    return "\n".join([PREFACE, *map(as_section, rules)])


def as_section(rule: Rule) -> str:
    """One rule, in Markdown."""
    found = explain(rule)
    return (
        f"## {rule.code}: {rule.name.replace('-', ' ')}\n\n*{rule.severity}*\n\n{found.prose}\n\n"
        f"Failing:\n\n```text\n{found.failing}\n```\n\nFixed:\n\n```text\n{found.fixed}\n```\n"
    )


def as_json(rules: Sequence[Rule]) -> str:
    """The rules for machines."""
    listed = []
    for rule in rules:
        found = explain(rule)
        listed.append(
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity,
                "title": rule.title,
                "explanation": found.prose,
                "failing": found.failing,
                "fixed": found.fixed,
            }
        )
    return msgspec.json.format(msgspec.json.encode({"rules": listed}), indent=2).decode() + "\n"
