"""The checker and the renderer against independent implementations of Handlebars.

Templates are made at random: sound ones from a grammar, and strings of pieces of tags, most of which are none.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from dotpromptz_handlebars import Handlebars
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cabinet_ci.seeding.templates import (
    UNCHECKED,
    TemplateError,
    catalog_prompt_scope,
    check_template,
    render_template,
    scope_of,
)
from cabinet_ci.seeding.templates.helpers import ANSWERS

PROMPT = catalog_prompt_scope("performance")
VALUES: dict[str, Any] = {
    "workspace": "/workspace",
    "variant": {"slug": "base", "name": "Base", "description": ""},
    "specs": [
        {"dest": "specs/a.md", "path": "/workspace/specs/a.md", "name": "a"},
        {"dest": "specs/b.md", "path": "/workspace/specs/b.md", "name": "b"},
    ],
}

ITEM = ("path", "dest", "name", "this.path", "@index", "@first", "@last", "../workspace", "@root.variant.slug")
ROOT = ("workspace", "variant.slug", "variant.name", "variant.description", "this.workspace", "@root.workspace")
WORDS = ("Build", "it.", "é", "-", "(a)", "}", "b\\c")
SPACES = ("", "", " ", "\n", "\n\n", "  \n", "\n  ", "\t")


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    name = st.sampled_from(names)
    literal = st.sampled_from(('"base"', "'a'", "0", "1", "-2.5", "true", "null"))
    shape = draw(st.integers(0, 5))
    if shape == 0:
        return draw(name)
    if shape == 1:
        return f"(not {draw(name)})"
    if shape == 2:
        return f"({draw(st.sampled_from(('and', 'or')))} {draw(name)} {draw(literal)} {draw(name)})"
    if shape == 3:
        return f"({draw(st.sampled_from(('gt', 'lte')))} (len {draw(name)}) {draw(literal)})"
    return f"({draw(st.sampled_from(('eq', 'ne', 'gt', 'gte', 'lt', 'lte')))} {draw(name)} {draw(literal)})"


@st.composite
def bodies(draw: st.DrawFn, texts: st.SearchStrategy[str], names: tuple[str, ...] = ROOT, depth: int = 0) -> str:
    """Sound text, tags and blocks for a place where `names` can be printed."""
    parts = [draw(texts)]
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("print", "comment", "if", "unless", "each", "with") if depth < 3 else ("print",)))
        if kind == "print":
            parts.append(draw(st.sampled_from(("{{%s}}", "{{{%s}}}", "{{ %s }}"))) % draw(st.sampled_from(names)))
        elif kind == "comment":
            parts.append(draw(st.sampled_from(("{{! a note }}", "{{!-- {{nope}} --}}"))))
        else:
            parts.append(draw(_blocks(kind, texts, names, depth)))
        parts.append(draw(texts))
    return "".join(parts)


@st.composite
def _blocks(draw: st.DrawFn, kind: str, texts: st.SearchStrategy[str], names: tuple[str, ...], depth: int) -> str:
    same = bodies(texts, names, depth + 1)
    bound = ""
    if kind == "each":
        if names is not ROOT:
            return ""
        bound = draw(st.sampled_from(("", " as |one|", " as |one at|")))
        params = ("one.path", "one.name") if bound else ()
        inside = ITEM + params + (("at",) if "at" in bound else ())
        head, body = draw(st.sampled_from(("specs", "@root.specs"))), draw(bodies(texts, inside, depth + 1))
    elif kind == "with":
        param = draw(st.sampled_from(("", "one", "it")))
        bound = f" as |{param}|" if param else ""
        # What is bound around it is still there, unless the same name is bound again.
        outer = tuple(name for name in names if name.partition(".")[0] in {"one", "at", "it"} - {param})
        inside = ("slug", "name", "@root.workspace", *outer, *([f"{param}.slug"] if param else []))
        head, body = "@root.variant", draw(bodies(texts, inside, depth + 1))
    else:
        head, body = draw(conditions(names)), draw(same)
    for _ in range(draw(st.sampled_from((0, 0, 1, 2)))):
        body += f"{{{{else if {draw(conditions(names))}}}}}{draw(same)}"
    if draw(st.booleans()):
        body += f"{{{{else}}}}{draw(same)}"
    return f"{{{{#{kind} {head}{bound}}}}}{body}{{{{/{kind}}}}}"


words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
spaced = st.lists(st.sampled_from(WORDS + SPACES), max_size=3).map("".join)

PIECES = (
    *(
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{#if ",
        "{{/if}}",
        "{{else}}",
        "{{else if ",
        "{{#each specs}}",
        "{{/each}}",
        "{{#with ",
    ),
    *(
        "{{!",
        "--",
        "}",
        "{",
        "~",
        " ",
        "\n",
        "\\",
        "#",
        "/",
        "^",
        ">",
        "&",
        "=",
        "|",
        "(",
        ")",
        '"',
        "'",
        ".",
        "../",
        "@",
    ),
    *("workspace", "variant.slug", "specs", "path", "this", "index", "root.", "eq ", "not ", "lookup ", "len ", "null"),
    *("1", "-1.5", "'a'", '"b"', " as |s|", "[0]", "[a b]", "nope", "a", "\r\n", "\t", "{{{{", "é", "*"),
)
soups = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def library(source: str) -> Any:
    """The library alone, handed the source as it is."""
    handlebars = Handlebars(escape_html=False)
    for name, answer in ANSWERS.items():
        handlebars.register_helper(name, lambda args, _, answer=answer: answer(args))
    return handlebars.compile(source)


@given(bodies(spaced))
def test_a_sound_template_is_accepted_and_rendered(source: str) -> None:
    assert check_template(source, PROMPT) == []
    assert check_template(source, scope_of(VALUES)) == []
    assert isinstance(render_template(source, VALUES), str)


@given(bodies(words))
def test_where_no_white_space_is_at_stake_the_library_alone_prints_the_same(source: str) -> None:
    assert render_template(source, VALUES) == library(source)(VALUES)


@given(bodies(spaced), st.sampled_from(("nope", "variant.nope", "specs.nope", "workspace.nope")), st.randoms())
def test_a_sound_template_with_a_wrong_reference_is_refused(source: str, wrong: str, random: Any) -> None:
    printed = [at for at in range(len(source)) if source.startswith("}}", at) and "{{!" not in source]
    at = random.choice(printed) + 2 if printed else 0
    broken = source[:at].removesuffix("\\") + "{{#if (eq @root." + wrong + " 1)}}{{/if}}" + source[at:]
    assert any(wrong.rpartition(".")[2] in fault.message for fault in check_template(broken, PROMPT))


@given(soups)
@example("{{!--}}")
@example("{{else")
@example("{{/")
def test_whatever_the_source_faults_are_told_inside_it_in_order(source: str) -> None:
    lines = source.split("\n")
    for scope in (PROMPT, UNCHECKED):
        found = check_template(source, scope)
        assert [(fault.line, fault.column) for fault in found] == sorted(
            {(fault.line, fault.column) for fault in found}
        )
        assert all(1 <= fault.column <= len(lines[fault.line - 1]) + 1 for fault in found)


@given(st.text())
def test_text_without_a_tag_is_printed_as_it_is(source: str) -> None:
    if "{{" not in source and "\0" not in source:
        assert render_template(source, {}) == source


@settings(max_examples=300)
@given(soups)
def test_what_is_accepted_is_rendered_and_what_is_not_is_not(source: str) -> None:
    if check_template(source, scope_of(VALUES)):
        with pytest.raises(TemplateError):
            render_template(source, VALUES)
    else:
        assert isinstance(render_template(source, VALUES), str)


@settings(max_examples=300)
@given(soups)
def test_what_the_library_can_not_parse_is_refused(source: str) -> None:
    # Comments that end where they open, and `{{^}}`, are beyond the library, and are Handlebars.
    if "{{!--}}" in source or "^" in source:
        return
    try:
        library(source)
    except (ValueError, IndexError):
        assert check_template(source, UNCHECKED)


@given(bodies(spaced))
@settings(max_examples=300)
def test_the_rust_implementation_prints_the_same(source: str) -> None:
    # It keeps blanks at the very end of a template, which a letter there rules out, and its `@index` ends at a `with`.
    native = pytest.importorskip(
        "handlebarrz._native", reason="the binding of the Rust implementation is not installed"
    )
    template = native.HandlebarrzTemplate()
    template.set_escape_fn("no_escape")
    template.set_strict_mode(True)
    template.register_template("it", source + "z")
    assert render_template(source + "z", VALUES) == template.render("it", json.dumps(VALUES))
