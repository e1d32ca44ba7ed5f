"""Specifications and their requirements (section 3 of the format)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from cabinet_ci.rules.folder import Finding, is_broken, is_inside
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject, requirements_at

LONGEST_SENTENCE = 4000
"""Characters of a requirement that are looked at."""


@suite_tree_rule("CAB620")
def specification_id_repeated(subject: SuiteSubject) -> Iterator[Finding]:
    """Two specifications of a suite have one id.

    Why: definitions, assets and demonstrations name a specification by its id, wherever it is nested.
    Source: section 3 of the format, "unique in the suite, nested ones too".

    Failing:
        --- specifications/paddle/spin/specification.toml
        id = "ball"
        name = "Spin"
        summary = "How a paddle turns the ball."
        path = "spin.md"
        --- specifications/paddle/spin/specification.md
        A moving paddle turns the ball.
    Fixed:
        --- specifications/paddle/spin/specification.toml
        id = "spin"
        name = "Spin"
        summary = "How a paddle turns the ball."
        path = "spin.md"
        --- specifications/paddle/spin/specification.md
        A moving paddle turns the ball.
    """
    taken: dict[str, str] = {}
    for found in subject.suite.specifications:
        if is_broken(found.document, ("id",)):
            continue
        other = taken.setdefault(found.file.id, found.folder)
        if other != found.folder:
            message = f'the id "{found.file.id}" is taken by {other}'
            yield from subject.at_value(found.document, ("id",), message, "give it an id of its own")


@suite_tree_rule("CAB621")
def specification_path_is_no_markdown(subject: SuiteSubject) -> Iterator[Finding]:
    """The path of a specification does not end in `.md`.

    Why: a run receives it as one Markdown document at this path below `specs/`.
    Source: section 3 of the format, "ends in .md".

    Failing:
        --- specifications/ball/specification.toml
        path = "ball.txt"
    Fixed:
        --- specifications/ball/specification.toml
        path = "ball.md"
    """
    for found in subject.suite.specifications:
        path = found.file.path
        name = path.rpartition("/")[2]
        if not name.endswith(".md") and is_inside(path) and not path.endswith("/") and name != ".":
            message = f'the path "{path[:80]}" does not end in .md'
            stem = posixpath.splitext(path)[0]
            yield from subject.at_value(found.document, ("path",), message, f'write "{stem[:80]}.md"')


@suite_tree_rule("CAB622")
def specification_path_repeated(subject: SuiteSubject) -> Iterator[Finding]:
    """Two specifications have one path, or one needs as a folder what the other is as a file.

    Why: in a run the one would be written over the other.
    Source: section 3 of the format, "stays inside specs/, unique".

    Failing:
        --- specifications/paddle/specification.toml
        path = "ball.md"
    Fixed:
        --- specifications/paddle/specification.toml
        path = "paddle.md"
    """
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    for found in subject.suite.specifications:
        if is_broken(found.document, ("path",)) or not is_inside(found.file.path) or len(found.file.path) > 4096:
            continue
        path = posixpath.normpath(found.file.path)
        above = _above(path)
        other = taken.get(path) or folders.get(path) or next((taken[one] for one in above if one in taken), None)
        if other is not None:
            message = f'the path "{path[:80]}" is taken by {other}'
            yield from subject.at_value(found.document, ("path",), message, "give it a path of its own")
        taken.setdefault(path, found.folder)
        for one in above:
            folders.setdefault(one, found.folder)


@suite_tree_rule("CAB623")
def requirement_id_repeated(subject: SuiteSubject) -> Iterator[Finding]:
    """Two requirements of a specification have one id.

    Why: results name a requirement by its specification and its id.
    Source: section 3 of the format, "unique in the file".

    Failing:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle MUST move without jerks."

        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle SHOULD be easy to see."
    Fixed:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle MUST move without jerks."

        [[requirement]]
        id = "visible"
        kind = "non-functional"
        text = "The paddle SHOULD be easy to see."
    """
    for found in subject.suite.specifications:
        taken: set[str] = set()
        for index, id_ in requirements_at(found):
            if id_ in taken:
                message = f'the id "{id_}" is taken in this specification'
                yield from subject.at_value(
                    found.document, ("requirement", index, "id"), message, "give it an id of its own"
                )
            taken.add(id_)


@suite_tree_rule("CAB624")
def requirement_without_keyword(subject: SuiteSubject) -> Iterator[Finding]:
    """A requirement's text holds no keyword of RFC 2119 in capitals.

    Why: the keyword says how binding the requirement is; in small letters it is a word like any other.
    Source: section 3 of the format, "one RFC 2119 sentence, its keyword in capitals".

    Failing:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle must move without jerks."
    Fixed:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle MUST move without jerks."
    """
    for found in subject.suite.specifications:
        for index, requirement in enumerate(found.file.requirement):
            text = requirement.text[:LONGEST_SENTENCE]
            if _KEYWORD.search(text):
                continue
            small = _KEYWORD.search(text.upper())
            hint = f"write {small[0]} in capitals" if small else "say how binding it is: MUST, SHOULD, MAY"
            message = "the requirement has no keyword of RFC 2119 in capitals"
            yield from subject.at_value(found.document, ("requirement", index, "text"), message, hint)


@suite_tree_rule("CAB625")
def requirement_of_several_sentences(subject: SuiteSubject) -> Iterator[Finding]:
    """A requirement's text is more than one sentence.

    Why: a requirement is met or it is not; of two in one a solution might meet half.
    Source: section 3 of the format, "one RFC 2119 sentence".

    Failing:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle MUST move without jerks. It SHOULD be easy to see."
    Fixed:
        --- specifications/paddle/specification.toml
        [[requirement]]
        id = "steady"
        kind = "non-functional"
        text = "The paddle MUST move without jerks."
    """
    for found in subject.suite.specifications:
        for index, requirement in enumerate(found.file.requirement):
            if _is_several(requirement.text):
                message = "the requirement is more than one sentence"
                hint = "make each sentence a requirement of its own; what explains belongs in specification.md"
                yield from subject.at_value(found.document, ("requirement", index, "text"), message, hint)


@suite_tree_rule("CAB626")
def functional_requirement_without_validator(subject: SuiteSubject) -> Iterator[Finding]:
    """A functional requirement declares no validator.

    Why: nothing would check it.
    Source: section 3 of the format, "A functional requirement declares at least one validator".

    Failing:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        --- without validators/ball/speed.ts
    Fixed:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]
    """
    for found in subject.suite.specifications:
        misspelt = subject.misspelt[found.document.path]
        for index, requirement in enumerate(found.file.requirement):
            key = ("requirement", index, "validators")
            if requirement.kind != "functional" or requirement.validators or key in misspelt:
                continue
            if is_broken(found.document, ("requirement", index, "kind")):
                continue
            message = "a functional requirement needs a validator"
            hint = 'name the files that check it: `validators = ["ball/speed.ts"]`'
            yield from subject.at_value(found.document, key, message, hint)


@suite_tree_rule("CAB627")
def non_functional_requirement_with_validator(subject: SuiteSubject) -> Iterator[Finding]:
    """A non-functional requirement declares a validator.

    Why: what a validator can check is functional; a person judges the rest.
    Source: section 3 of the format, "a non-functional one none".

    Failing:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "non-functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]
    Fixed:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]
    """
    for found in subject.suite.specifications:
        for index, requirement in enumerate(found.file.requirement):
            if requirement.kind == "non-functional" and requirement.validators:
                if is_broken(found.document, ("requirement", index, "kind")):
                    continue
                message = "a non-functional requirement has no validators"
                hint = 'remove them, or write `kind = "functional"`'
                yield from subject.at_value(found.document, ("requirement", index, "validators"), message, hint)


_KEYWORD = re.compile(r"\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b")
_QUOTED = re.compile(r'"[^"]{0,400}"|`[^`]{0,400}`|“[^”]{0,400}”|\([^()]{0,400}\)')
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|cf|approx|resp|incl|excl|fig)\.$", re.IGNORECASE)
_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[A-Z“\"'`(\[])")


def _is_several(text: str) -> bool:
    """Whether a text is more than one sentence: one ends in it, and another begins with a capital."""
    text = _QUOTED.sub("Q", text[:LONGEST_SENTENCE].strip())
    if re.search(r"\n[ \t]*\n", text):
        return True
    return any(
        not _ABBREVIATION.search(text[max(0, end.start() - 12) : end.start() + 1]) for end in _END.finditer(text)
    )


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]
