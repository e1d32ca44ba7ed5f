"""Templates that are hostile or out of hand: an error, bounded in time, nesting and output, never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cabinet_ci.seeding.templates import (
    TemplateError,
    TemplateFault,
    catalog_prompt_scope,
    check_template,
    render_template,
)
from cabinet_ci.seeding.templates.checking import MAX_OUTPUT
from cabinet_ci.seeding.templates.syntax import MAX_NESTING, MAX_SOURCE
from cabinet_ci.seeding.templates.tags import MAX_CALLS
from cabinet_ci.seeding.templates.tree import MAX_FAULTS

PROMPT = catalog_prompt_scope("performance")


def check(source: str) -> list[TemplateFault]:
    return check_template(source, PROMPT)


def render(source: str, count: int = 1, text: str = "x") -> str:
    return render_template(source, {"workspace": "/w", "list": [{"text": text, "flag": True}] * count})


def refusal(source: str, count: int = 1, text: str = "x") -> str:
    with pytest.raises(TemplateError) as caught:
        render(source, count, text)
    return str(caught.value)


def nested(opening: str, closing: str, depth: int) -> str:
    return opening * depth + "x" + closing * depth


def test_a_nul_byte_is_a_fault_where_it_stands() -> None:
    assert check("a\n{{workspace}}\0") == [TemplateFault(2, 14, "a NUL byte")]


def test_a_template_over_the_limit_of_characters_is_refused_and_one_at_it_is_not() -> None:
    assert "limit is 1,000,000" in check("x" * (MAX_SOURCE + 1))[0].message
    assert check("x" * MAX_SOURCE) == []


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("{{#if workspace}}", "{{/if}}"),
        ("{{#each @root.list}}", "{{/each}}"),
        ("{{#with @root}}", "{{/with}}"),
        ("{{#if (not workspace)}}{{else}}", "{{/if}}"),
    ],
)
def test_blocks_are_rendered_up_to_the_limit_of_nesting(opening: str, closing: str) -> None:
    opening = opening.replace("if workspace", "if @root.workspace").replace("not workspace", "eq @root.workspace 1")
    assert render(nested(opening, closing, MAX_NESTING)) == "x"
    assert f"nested more than {MAX_NESTING} deep" in refusal(nested(opening, closing, MAX_NESTING + 1))


@pytest.mark.parametrize("depth", [MAX_NESTING + 1, 10_000])
def test_deeper_blocks_are_one_fault(depth: int) -> None:
    (fault,) = check(nested("{{#if workspace}}", "{{/if}}", depth))
    assert fault == TemplateFault(1, 17 * MAX_NESTING + 1, f"blocks are nested more than {MAX_NESTING} deep")


def test_a_chain_of_else_if_nests_too() -> None:
    chain = "{{#if (eq workspace 1)}}a" + "{{else if (eq workspace 2)}}b" * (MAX_NESTING - 1)
    assert render(chain + "{{else}}c{{/if}}") == "c"
    assert "nested" in refusal(chain + "{{else if workspace}}c{{/if}}")


def test_helper_calls_are_rendered_up_to_the_limit_of_nesting() -> None:
    assert render(f"{{{{#if {'(not ' * MAX_CALLS}workspace{')' * MAX_CALLS}}}}}x{{{{/if}}}}") == "x"
    assert (
        "helper calls are nested"
        in check(f"{{{{#if {'(not ' * 10_000}workspace{')' * 10_000}}}}}x{{{{/if}}}}")[0].message
    )


PIECES = (
    *("{{", "{{{", "{{{{", "}}", "{{#if", "{{#if workspace}}", "{{else}}", "{{/if}}", "{{!", "{{!--", "{{ ", "{{\n"),
    *("{{[", '{{"', "{{a '", "{{#if (", "{{../", "{{a.", "\\", "\\{{", "{{~", "{{nope}}", "{{#nope}}", "{{workspace "),
)


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_repeated_a_hundred_thousand_times_is_read_to_an_end(piece: str) -> None:
    found = check((piece * 100_000)[:MAX_SOURCE])
    assert bool(found) == (piece not in ("}}", "\\", "\\{{"))
    assert len(found) <= MAX_FAULTS
    assert all(len(fault.message) < 400 for fault in found)


def test_no_more_than_a_limited_number_of_faults_is_told() -> None:
    assert len(check("{{nope}}\n" * (MAX_FAULTS - 1))) == MAX_FAULTS - 1
    assert len(check("{{nope}}\n" * (MAX_FAULTS + 1))) == MAX_FAULTS


def test_a_template_that_would_print_too_much_is_refused_before_it_does() -> None:
    line = "{{#each list}}{{text}}{{/each}}"
    assert len(render(line, 16, "x" * (MAX_OUTPUT // 16))) == MAX_OUTPUT
    assert "print more than 16,000,000 characters" in refusal(line, 17, "x" * (MAX_OUTPUT // 16))


def test_loops_inside_loops_are_refused_where_they_multiply() -> None:
    twice = "{{#each list}}{{#each @root.list}}{{text}}{{/each}}{{/each}}"
    assert len(render(twice, 100)) == 10_000
    assert "would loop too much" in refusal(twice, 1_000)
    assert refusal(nested("{{#each @root.list}}", "{{/each}}", 50), 10).startswith("1:1: the template would")


def test_a_huge_list_is_refused() -> None:
    assert "would loop too much" in refusal("{{#each list}}{{text}}{{/each}}", 200_000)


def test_checking_does_not_import_the_renderer() -> None:
    script = (
        "import sys; from cabinet_ci.seeding.templates import *;"
        "check_template('{{nope}}', SUITE_PROMPT);"
        "print('dotpromptz_handlebars' in sys.modules, 'cabinet_ci.seeding.templates.rendering' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False False"
