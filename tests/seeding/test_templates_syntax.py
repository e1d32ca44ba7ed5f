"""What is Handlebars and what is not: tags, blocks, literals, helpers and their arguments."""

from __future__ import annotations

import pytest

from cabinet_ci.seeding.templates import UNCHECKED, TemplateFault, catalog_prompt_scope, check_template

PROMPT = catalog_prompt_scope("performance")


def only_fault(source: str) -> TemplateFault:
    (fault,) = check_template(source, PROMPT)
    return fault


@pytest.mark.parametrize(
    "source",
    [
        "",
        "no tag at all, but } and { and }}",
        "{{workspace}}",
        "{{ workspace }}",
        "{{\n  workspace\n}}",
        "{{{workspace}}}",
        "{{~{workspace}~}}",
        "{{&workspace}}",
        "{{~workspace~}}",
        "{{workspace}}}",
        "{{variant/slug}}",
        "{{[variant].[slug]}}",
        "{{(len specs)}}",
        "{{! a comment with }",
        "{{!}}",
        "{{!--}}",
        "{{!-- {{nope}} --}}",
        "{{~!-- a --~}}",
        r"\{{nope}}",
        r"\{{#if}}",
        "{{#if workspace}}{{^}}{{/if}}",
        "{{# if workspace }}{{ else }}{{/ if }}",
        "{{#if(eq 1 1)}}{{/if}}",
        "{{#if 0 includeZero=true}}{{/if}}",
        "{{#if workspace}}{{else unless workspace}}{{else with variant}}{{slug}}{{else each specs}}{{path}}{{/if}}",
        "{{#each specs as | spec  i | }}{{/each}}",
        """{{#if (or (eq 1 -1.5) (eq "it's" 'a "b"') (eq true null) (ne false "\\""))}}{{/if}}""",
        '{{#if (eq workspace "}}")}}{{/if}}',
    ],
)
def test_what_handlebars_allows_is_accepted(source: str) -> None:
    closed = source + "}}" if source.startswith("{{! a") else source
    assert check_template(closed, PROMPT) == []


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("a {{workspace", 3, "the tag is not closed: `}}` is missing"),
        ("a {{workspace {{variant.slug}}", 3, "the tag is not closed: `}}` is missing"),
        ("{{{workspace}}", 13, "a tag that opens with `{{{` closes with `}}}`"),
        ("{{}}", 3, "something is missing here"),
        ("{{workspace\nand more. {{variant.slug}}", 1, "the tag is not closed: `}}` is missing"),
        ("{{!-- a }}", 1, "the comment is not closed: `--}}` is missing"),
        ("{{! a", 1, "the comment is not closed: `}}` is missing"),
        ('{{#if (eq variant.slug "x)}}a{{/if}}', 24, "the string is not closed"),
        ('{{#if (eq variant.slug "x)}}a{{/if}}{{#if (eq variant.slug "y")}}b{{/if}}', 24, "the string is not closed"),
        ("{{#if (eq workspace variant.slug}}a{{/if}}", 7, "the parenthesis is not closed"),
        ("{{#if eq workspace variant.slug)}}a{{/if}}", 32, "`)` can't stand here"),
        ("{{variant.}}", 3, "`variant.` can't stand here"),
        ("{{variant..slug}}", 3, "`variant..slug` can't stand here"),
        ("{{variant.slug;}}", 3, "`variant.slug;` can't stand here"),
        ('{{variant["slug"]}}', 3, "`variant[` can't stand here"),
        ("{{.}}", 3, "`.` alone"),
        ("{{=}}", 3, "`=` can't stand here"),
        ("{{12}}", 3, "a literal is no variable"),
        ('{{"workspace"}}', 3, "a literal is no variable"),
        ("{{true}}", 3, "a literal is no variable"),
        ("{{((len specs))}}", 4, "the name of a helper is due here"),
        ("{{len (5)}}", 8, "the name of a helper is due here"),
        ("{{#if includeZero=true workspace}}{{/if}}", 24, "arguments come before options (`name=value`)"),
        ("{{#each specs as spec}}{{/each}}", 15, "block parameters are set between bars"),
        ("{{#each specs as ||}}{{/each}}", 19, "block parameters are names between bars"),
        ("{{#each specs as |a,b|}}{{/each}}", 19, "`a,b` can't stand here"),
    ],
)
def test_what_is_no_handlebars_is_a_fault_where_it_goes_wrong(source: str, column: int, message: str) -> None:
    fault = check_template(source, PROMPT)[0]
    assert (fault.line, fault.column, fault.message) == (1, column, message)


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("{{#if workspace}}a", 1, "`{{#if}}` is not closed: `{{/if}}` is missing"),
        ("a{{/if}}", 2, "`{{/if}}` closes a block that was not opened"),
        ("{{#if workspace}}a{{/each}}", 19, "`{{/each}}` where `{{#if}}` is open"),
        ("{{#each specs}}{{#if name}}a{{/each}}", 16, "`{{#if}}` is not closed: `{{/if}}` is missing"),
        ("{{#if workspace}}{{/}}", 21, "something is missing here"),
        ("a{{else}}b", 2, "`else` outside of a block"),
        ("{{#if workspace}}a{{else}}b{{else}}c{{/if}}", 28, "the block has its `else` already"),
        ("{{#if workspace}}a{{else}}b{{else if workspace}}c{{/if}}", 28, "the block has its `else` already"),
    ],
)
def test_blocks_open_turn_and_close_in_order(source: str, column: int, message: str) -> None:
    fault = only_fault(source)
    assert (fault.line, fault.column, fault.message) == (1, column, message)


@pytest.mark.parametrize(
    "source",
    [
        "{{> header}}",
        "{{#> header}}a{{/header}}",
        '{{> (lookup variant "slug")}}',
        "{{#if workspace}}{{> header}}{{/if}}",
    ],
)
def test_partials_are_refused(source: str) -> None:
    assert only_fault(source).message == "partials are not available"


@pytest.mark.parametrize("source", ["{{* shout}}", '{{#*inline "a"}}b{{/inline}}'])
def test_decorators_are_refused(source: str) -> None:
    assert only_fault(source).message == "decorators are not available"


def test_raw_blocks_are_refused_with_what_they_hold() -> None:
    assert only_fault("{{{{raw}}}} {{nope}} {{{{/raw}}}} {{workspace}}").message == "raw blocks are not available"


@pytest.mark.parametrize("source", ["{{^workspace}}a{{/workspace}}", "{{^if workspace}}a{{else}}b{{/if}}"])
def test_inverse_blocks_are_refused_and_pointed_to_unless(source: str) -> None:
    assert str(only_fault(source).hint).startswith("write {{#unless x}}")


@pytest.mark.parametrize(
    "source",
    [
        "{{shout workspace}}",
        "{{log workspace}}",
        "{{workspace variant.slug}}",
        "{{#if (shout workspace)}}{{/if}}",
        "{{#shout workspace}}{{/shout}}",
        "{{#if workspace}}{{else shout}}{{/if}}",
        "{{#eq workspace variant.slug}}{{/eq}}",
        "{{#lookup specs 0}}{{/lookup}}",
        "{{if workspace}}",
        "{{each specs}}",
        "{{#if (with variant)}}{{/if}}",
    ],
)
def test_any_other_helper_is_refused_and_so_is_one_out_of_its_place(source: str) -> None:
    assert len(check_template(source, PROMPT)) == 1
    assert len(check_template(source, UNCHECKED)) == 1


@pytest.mark.parametrize(
    "call",
    [
        "(eq 1)",
        "(eq 1 2 3)",
        "(ne 1)",
        "(gt 1)",
        "(gte)",
        "(lt 1)",
        "(lte 1 2 3)",
        "(and)",
        "(or)",
        "(not)",
        "(not 1 2)",
        "(len)",
        "(len specs specs)",
        "(lookup specs)",
        "(lookup specs 0 1)",
    ],
)
def test_a_helper_takes_its_number_of_arguments(call: str) -> None:
    assert "argument" in only_fault(f"{{{{#if {call}}}}}{{{{/if}}}}").message


@pytest.mark.parametrize("call", ["(eq 1 2)", "(and 1)", "(or 1 2 3 4)", "(not 1)", "(len specs)", "(lookup specs 0)"])
def test_a_helper_with_its_arguments_is_accepted(call: str) -> None:
    assert check_template(f"{{{{#if {call}}}}}{{{{/if}}}}", PROMPT) == []


@pytest.mark.parametrize("block", ["if", "unless", "each", "with"])
def test_a_block_takes_one_argument(block: str) -> None:
    assert "takes one argument, not 0" in only_fault(f"{{{{#{block}}}}}a{{{{/{block}}}}}").message
    assert "takes one argument, not 2" in only_fault(f"{{{{#{block} specs specs}}}}a{{{{/{block}}}}}").message


def test_only_each_and_with_take_block_parameters() -> None:
    assert only_fault("{{#if workspace as |a|}}{{/if}}").message == "`if` takes no block parameters"
    assert only_fault("{{#with variant as |a b|}}{{/with}}").message == "`with` takes one block parameter"
    assert only_fault("{{#each specs as |a b c|}}{{/each}}").message == "`each` takes at most two block parameters"


def test_an_option_that_a_helper_does_not_know_is_refused() -> None:
    assert only_fault("{{#if workspace zero=true}}{{/if}}").message == "`if` has no option `zero`"
    assert only_fault("{{#each specs includeZero=true}}{{/each}}").message == "`each` has no option `includeZero`"
    assert only_fault("{{len specs a=1}}").message == "`len` has no option `a`"


def test_a_fault_hides_none_of_those_behind_it() -> None:
    found = check_template(
        "{{variant..slug}}\n{{#if (eq workspace}}\n{{nope}}\n{{/if}}\n{{variant.nope}}\n{{/each}}", PROMPT
    )
    assert [fault.line for fault in found] == [1, 2, 5, 6]


def test_the_body_of_a_broken_block_is_still_read() -> None:
    found = check_template("{{#each}}{{path}}{{shout 1}}{{/each}}", PROMPT)
    assert [fault.column for fault in found] == [4, 20]
