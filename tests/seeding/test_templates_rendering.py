"""What a template prints: exactly the text around its tags, nothing escaped (section 4 of the format)."""

from __future__ import annotations

from typing import Any

import pytest

from cabinet_ci.seeding.templates import TemplateError, render_template

VALUES: dict[str, Any] = {
    "workspace": "/workspace",
    "variant": {"slug": "base", "name": "Base", "description": ""},
    "specs": [
        {"dest": "specs/a.md", "path": "/workspace/specs/a.md", "name": "a"},
        {"dest": "specs/b.md", "path": "/workspace/specs/b.md", "name": "b"},
    ],
}


def render(source: str, **values: object) -> str:
    return render_template(source, {**VALUES, **values})


def test_values_stand_where_their_tags_stood() -> None:
    assert render("Build {{variant.name}} in `{{workspace}}`.\n") == "Build Base in `/workspace`.\n"


@pytest.mark.parametrize("tag", ["{{text}}", "{{{text}}}", "{{&text}}"])
def test_nothing_is_escaped(tag: str) -> None:
    assert render(tag, text="<a href='x'>&amp; \"`=</a>") == "<a href='x'>&amp; \"`=</a>"


def test_a_value_is_not_read_as_a_template() -> None:
    assert render("{{text}}", text="{{nope}} \\{{") == "{{nope}} \\{{"


def test_an_empty_description_prints_nothing() -> None:
    assert render("[{{variant.description}}]") == "[]"


def test_numbers_and_truth_values_print_as_they_are_written() -> None:
    assert render("{{n}} {{x}} {{yes}}", n=3, x=0.5, yes=True) == "3 0.5 true"


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (r"\{{workspace}}", "{{workspace}}"),
        (r"\{{#if}} {{variant.slug}}", "{{#if}} base"),
        (r"\\{{variant.slug}}", r"\base"),
        (r"\\\{{variant.slug}}", r"\\base"),
        (r"a\b {{variant.slug}} c\d", r"a\b base c\d"),
        (r"\{{{workspace}}}", "{{{workspace}}}"),
        ("}} { }", "}} { }"),
    ],
)
def test_a_backslash_makes_braces_text_and_two_make_a_backslash(source: str, printed: str) -> None:
    assert render(source) == printed


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("a\n{{#if workspace}}\nb\n{{/if}}\nc\n", "a\nb\nc\n"),
        ("a\n{{#if workspace}}\nb\n{{else}}\nc\n{{/if}}\nd\n", "a\nb\nd\n"),
        ("a\n{{#unless workspace}}\nb\n{{else}}\nc\n{{/unless}}\nd\n", "a\nc\nd\n"),
        ("a\n  {{#if workspace}}  \n  b\n\t{{/if}}\t\nc\n", "a\n  b\nc\n"),
        ("{{#if workspace}}\na\n{{/if}}\nb", "a\nb"),
        ("a\n{{#if workspace}}\nb\n{{/if}}", "a\nb\n"),
        ("a\r\n{{#if workspace}}\r\nb\r\n{{/if}}\r\nc\r\n", "a\r\nb\r\nc\r\n"),
        ("a\n{{! a comment }}\nb\n", "a\nb\n"),
        ("a\n{{!-- two\nlines --}}\nb\n", "a\nb\n"),
        ("{{#each specs}}\n- {{name}}\n{{/each}}\n", "- a\n- b\n"),
        ("a\n\n{{#if workspace}}\n\nb\n\n{{/if}}\n\nc\n", "a\n\n\nb\n\n\nc\n"),
        ("a\n{{#if workspace}}\n{{#if workspace}}\nb\n{{/if}}\n{{/if}}\nc\n", "a\nb\nc\n"),
        ("{{#if variant.description}}\na\n{{else if workspace}}\nb\n{{else}}\nc\n{{/if}}\nd\n", "b\nd\n"),
        ("{{#if workspace}}\na\n{{else if workspace}}\nb\n  {{/if}}\nc\n", "a\nc\n"),
    ],
)
def test_a_block_tag_alone_on_its_line_leaves_no_line_behind(source: str, printed: str) -> None:
    assert render(source) == printed


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("a {{#if workspace}}b{{/if}} c\n", "a b c\n"),
        ("a {{#if variant.description}}b{{/if}} c\n", "a  c\n"),
        ("a{{#if variant.description}}b{{else}}{{/if}}c\n", "ac\n"),
        ("{{#if workspace}}{{/if}}\n", "\n"),
        ("{{#if workspace}}a{{/if}}\nb\n", "a\nb\n"),
        ("a\n{{#if workspace}} b{{/if}}\nc\n", "a\n b\nc\n"),
        ("a\n{{#if workspace}} {{variant.slug}}{{/if}}\n", "a\n base\n"),
        ("a\n{{#if workspace}}b\n{{/if}}\nc\n", "a\nb\nc\n"),
        ("{{#each specs}}{{name}}{{#unless @last}}, {{/unless}}{{/each}}.\n", "a, b.\n"),
        ("{{! one }} {{! two }}\n", " \n"),
        ("{{workspace}}\n\nb\n", "/workspace\n\nb\n"),
        ("  {{workspace}}  \n", "  /workspace  \n"),
        ("- {{! note }}\n", "- \n"),
        ("{{#if workspace}}a\n\n\nb{{/if}}", "a\n\n\nb"),
    ],
)
def test_a_tag_that_shares_its_line_leaves_the_text_around_it_exact(source: str, printed: str) -> None:
    assert render(source) == printed


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("a \n {{~workspace}} b", "a/workspace b"),
        ("a {{workspace~}} \n b", "a /workspaceb"),
        ("a {{~#if workspace~}} b {{~else~}} c {{~/if~}} d", "abd"),
        ("a {{~! note ~}} b", "ab"),
        ("a {{~!-- note --~}} b", "ab"),
        ("a\n{{#if workspace~}}\n  b\n{{~/if}}\nc", "a\nbc"),
        ("{{#each specs~}}\n  {{name}}\n{{~/each}}", "ab"),
    ],
)
def test_a_tilde_strips_the_white_space_beside_it(source: str, printed: str) -> None:
    assert render(source) == printed


def test_white_space_inside_values_is_kept() -> None:
    assert render("a\n{{text}}\n{{#if text}}\n{{text}}\n{{/if}}", text="\n  b  \n") == "a\n\n  b  \n\n\n  b  \n\n"


@pytest.mark.parametrize(("slug", "printed"), [("base", "first"), ("hinted", "second"), ("other", "last")])
def test_an_else_if_chain_takes_the_first_branch_that_holds(slug: str, printed: str) -> None:
    source = '{{#if (eq slug "base")}}first{{else if (eq slug "hinted")}}second{{else}}last{{/if}}'
    assert render(source, slug=slug) == printed


def test_else_may_go_on_with_any_block() -> None:
    assert render("{{#if variant.description}}a{{else with variant}}{{slug}}{{/if}}") == "base"
    assert render("{{#if variant.description}}a{{else each specs}}{{name}}{{/if}}") == "ab"
    assert render("{{#unless workspace}}a{{else unless variant.description}}b{{/unless}}") == "b"


@pytest.mark.parametrize("value", [False, 0, "", []])
def test_empty_values_do_not_hold(value: object) -> None:
    assert render("{{#if v}}a{{else}}b{{/if}}{{#unless v}}c{{/unless}}", v=value) == "bc"


@pytest.mark.parametrize("value", [True, 1, -1, "0", "false", [0]])
def test_all_other_values_hold(value: object) -> None:
    assert render("{{#if v}}a{{else}}b{{/if}}{{#unless v}}c{{/unless}}", v=value) == "a"


def test_zero_holds_where_it_is_included() -> None:
    assert render("{{#if n includeZero=true}}a{{/if}}{{#unless n includeZero=true}}b{{/unless}}", n=0) == "a"


def test_a_loop_knows_where_it_stands() -> None:
    source = "{{#each specs}}{{@index}}{{#if @first}}<{{/if}}{{name}}{{#if @last}}>{{/if}}{{/each}}"
    assert render(source) == "0<a1b>"


def test_a_loop_over_nothing_takes_its_else() -> None:
    assert render("{{#each specs}}{{path}}{{else}}none in {{workspace}}{{/each}}", specs=[]) == "none in /workspace"


def test_a_loop_over_fields_goes_in_their_order() -> None:
    assert render("{{#each variant as |value key|}}{{@key}}={{value}}{{key}};{{/each}}") == (
        "slug=baseslug;name=Basename;description=description;"
    )


def test_contexts_are_stepped_into_and_out_of() -> None:
    assert render(
        "{{#each specs}}{{#with ../variant}}{{slug}}{{@index}}{{../name}}{{../../workspace}} {{/with}}{{/each}}"
    ) == ("base0a/workspace base1b/workspace ")
    assert render("{{#each specs}}{{#each ../specs}}{{@../index}}{{@index}}{{../name}}{{name}} {{/each}}{{/each}}") == (
        "00aa 01ab 10ba 11bb "
    )


def test_block_parameters_are_seen_in_inner_blocks_and_hide_fields() -> None:
    source = (
        "{{#each specs as |spec i|}}{{#with ../variant as |name|}}{{i}}{{spec.name}}{{name.slug}}{{/with}}{{/each}}"
    )
    assert render(source) == "0abase1bbase"
    assert (
        render("{{#each specs as |path|}}{{path.name}}{{this.path}}{{/each}}")
        == "a/workspace/specs/a.mdb/workspace/specs/b.md"
    )


def test_items_and_fields_are_reached_by_path_and_by_lookup() -> None:
    assert render('{{specs.0.name}}{{specs.[1].name}}{{lookup variant "slug"}}{{variant.[name]}}') == "abbaseBase"
    assert render("{{#each specs}}{{#with (lookup ../specs @index)}}{{name}}{{/with}}{{/each}}") == "ab"
    assert render("{{lookup variant key}}", key="slug") == "base"


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ('(eq "a" "a")', "true"),
        ('(eq 1 "1")', "false"),
        ("(eq 1 1.0)", "false"),
        ("(eq 1 true)", "false"),
        ("(eq specs specs)", "true"),
        ("(eq variant specs.0)", "false"),
        ("(ne 1 2)", "true"),
        ("(gt 2 1.5)", "true"),
        ('(gt "b" "a")', "true"),
        ('(gt "10" "9")', "false"),
        ('(gt 10 "9")', "true"),
        ('(gt 10 "nine")', "false"),
        ('(lt 10 "nine")', "false"),
        ("(gt true false)", "true"),
        ("(gte 1 1)", "true"),
        ("(gte null null)", "false"),
        ("(gte specs specs)", "false"),
        ("(lt -1 0)", "true"),
        ("(lte 1 0)", "false"),
        ('(and true 1 "a")', "true"),
        ('(and true "")', "false"),
        ("(or false 0 specs)", "true"),
        ('(or false "")', "false"),
        ("(not variant.description)", "true"),
        ("(len specs)", "2"),
        ("(len variant)", "3"),
        ('(len "äb")', "3"),
        ("(len 12)", "0"),
    ],
)
def test_helpers_answer_as_those_of_the_rust_implementation(call: str, printed: str) -> None:
    assert render(f"{{{{{call}}}}}") == printed
    assert render(f"{{{{#if {call}}}}}{{{{{call}}}}}{{{{/if}}}}") == ("" if printed in ("false", "0") else printed)


@pytest.mark.parametrize("text", ["it's", 'so "it" is', "}}", "a b=c", "|", "(eq 1 1)", r"a\b", "äöü"])
def test_any_text_can_be_compared_with(text: str) -> None:
    quoted = '"' + text.replace('"', '\\"') + '"'
    assert render(f"{{{{eq text {quoted}}}}}", text=text) == "true"
    assert render(f"{{{{eq text {quoted}}}}}", text=text + " ") == "false"


def faults(source: str, **values: object) -> list[tuple[int, int]]:
    with pytest.raises(TemplateError) as caught:
        render(source, **values)
    return [(fault.line, fault.column) for fault in caught.value.faults]


def test_a_template_with_a_fault_is_not_rendered_but_told_with_all_its_faults() -> None:
    assert faults("a {{nope}}\n{{#if gone}}{{/if}}\n{{/if}}") == [(1, 5), (2, 7), (3, 1)]


def test_a_branch_that_is_not_taken_is_strict_too() -> None:
    assert faults("{{#if workspace}}a{{else}}{{nope}}{{/if}}") == [(1, 29)]


def test_a_value_that_is_none_is_not_there() -> None:
    assert faults("{{gone}}", gone=None) == [(1, 3)]


def test_an_item_that_is_not_there_is_told() -> None:
    assert faults("{{specs.2.name}}") == [(1, 3)]
    assert faults("{{#if (lookup specs 2)}}{{/if}}") == [(1, 21)]
    assert faults("\n{{#each specs}}{{lookup ../names @index}}{{/each}}", names=["only"]) == [(2, 18)]
    assert faults("{{lookup variant key}}", key="nope") == [(1, 3)]


def test_items_have_the_fields_that_all_of_them_have() -> None:
    assert faults("{{#each list}}{{a}}{{b}}{{/each}}", list=[{"a": 1}, {"a": 2, "b": 3}]) == [(1, 22)]


def test_the_message_of_an_error_names_place_and_reason() -> None:
    with pytest.raises(TemplateError, match=r"^1:3: there is no variable `nope` here$"):
        render("{{nope}}")
