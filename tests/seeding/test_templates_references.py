"""What a template may refer to (section 4 of the format): every reference is checked, also in branches not taken."""

from __future__ import annotations

import pytest

from cabinet_ci.seeding.templates import (
    SUITE_PROMPT,
    UNCHECKED,
    Scope,
    TemplateFault,
    catalog_prompt_scope,
    catalog_spec_scope,
    check_template,
)

PROMPT = catalog_prompt_scope("performance")
SPEC = catalog_spec_scope("performance")


def faults(source: str, scope: Scope = PROMPT) -> list[TemplateFault]:
    return check_template(source, scope)


def only_fault(source: str, scope: Scope = PROMPT) -> TemplateFault:
    (fault,) = faults(source, scope)
    return fault


@pytest.mark.parametrize(
    "variable", ["workspace", "variant.slug", "variant.name", "variant.description", "specs.0.dest", "specs.[1].path"]
)
def test_a_catalog_prompt_knows_its_variables(variable: str) -> None:
    assert faults(f"{{{{{variable}}}}}") == []


@pytest.mark.parametrize("variable", ["version", "engine.slug", "specifications", "slug", "variant.specs", "prompt"])
def test_a_catalog_prompt_knows_nothing_else(variable: str) -> None:
    assert len(faults(f"{{{{{variable}}}}}")) == 1


def test_a_catalog_spec_knows_the_version_and_the_variant_alone() -> None:
    assert faults("{{version}} {{variant.slug}} {{variant.name}} {{variant.description}}", SPEC) == []
    assert [fault.column for fault in faults("{{workspace}} {{specs}}", SPEC)] == [3, 17]


@pytest.mark.parametrize("type_", ["end-to-end", "full-stack", "game-jam"])
def test_templates_of_types_with_engines_know_the_engine(type_: str) -> None:
    source = "{{engine.slug}} {{engine.name}} {{engine.docs}}"
    assert faults(source, catalog_prompt_scope(type_)) == []
    assert faults(source, catalog_spec_scope(type_)) == []
    assert len(faults("{{engine.version}}", catalog_prompt_scope(type_))) == 1


def test_a_performance_template_knows_no_engine() -> None:
    assert only_fault("{{engine.slug}}").message == "there is no variable `engine.slug` here"


def test_a_suite_prompt_knows_its_variables() -> None:
    source = (
        "{{workspace}} {{engine.slug}} {{engine.name}} {{engine.docs}}"
        "{{#each specifications}}{{id}} {{name}} {{summary}} {{path}}{{/each}}"
    )
    assert faults(source, SUITE_PROMPT) == []
    assert len(faults("{{variant.slug}}", SUITE_PROMPT)) == 1
    assert len(faults("{{#each specifications}}{{dest}}{{/each}}", SUITE_PROMPT)) == 1


@pytest.mark.parametrize("type_", ["adversarial", "asset-generation"])
def test_variables_of_the_remaining_types_are_not_checked_but_syntax_and_helpers_are(type_: str) -> None:
    scope = catalog_prompt_scope(type_)
    assert scope == UNCHECKED
    assert (
        faults("{{a.b}} {{#each c as |d|}}{{../e}} {{@f}} {{d.g}}{{else}}{{h}}{{/each}} {{#if (eq i 1)}}{{/if}}", scope)
        == []
    )
    assert only_fault("{{shout a}}", scope).column == 3
    assert only_fault("{{#a}}{{b}}{{/a}}", scope).column == 4
    assert only_fault("{{#if a}}", scope).column == 1
    assert only_fault("{{> a}}", scope).column == 1


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("{{nope}}", 3),
        ("{{{nope}}}", 4),
        ("{{&nope}}", 4),
        ("{{~ nope ~}}", 5),
        ("{{#if nope}}a{{/if}}", 7),
        ("{{#unless nope}}a{{/unless}}", 11),
        ("{{#each nope}}a{{/each}}", 9),
        ("{{#each nope}}a{{else}}b{{/each}}", 9),
        ("{{#with nope}}a{{/with}}", 9),
        ('{{#if (eq nope "x")}}a{{/if}}', 11),
        ('{{#if (and (not (eq variant.slug "x")) nope)}}a{{/if}}', 40),
        ("{{#if workspace includeZero=nope}}a{{/if}}", 29),
        ("{{lookup nope 0}}", 10),
        ("{{#with (lookup specs nope)}}{{/with}}", 23),
        ("{{len nope}}", 7),
        ("{{#if workspace}}a{{else if nope}}b{{/if}}", 29),
        ("{{#if workspace}}a{{else}}{{nope}}{{/if}}", 29),
        ("{{#unless workspace}}{{nope}}{{/unless}}", 24),
        ("{{#if false}}{{nope}}{{/if}}", 16),
        ("{{#each specs}}{{else}}{{nope}}{{/each}}", 26),
        ("{{#each specs}}{{nope}}{{/each}}", 18),
        ("{{@root.nope}}", 3),
        ("{{this.nope}}", 3),
        ("{{variant.nope}}", 3),
        ("{{variant.slug.nope}}", 3),
    ],
)
def test_a_reference_to_anything_else_is_a_fault_where_it_stands(source: str, column: int) -> None:
    fault = only_fault(source)
    assert (fault.line, fault.column) == (1, column)


def test_lines_and_columns_count_characters_from_one() -> None:
    assert [(fault.line, fault.column) for fault in faults("ä\r\n  é {{nope}}\n\n{{#if\n  gone}}{{/if}}")] == [
        (2, 7),
        (5, 3),
    ]


def test_every_fault_is_told_in_the_order_of_the_source() -> None:
    found = faults("{{a}}\n{{#each specs}}\n{{b}}\n{{shout c}}\n{{/each}}\n{{> d}}\n{{#if}}{{/if}}")
    assert [fault.line for fault in found] == [1, 3, 4, 4, 6, 7]


def test_a_loop_makes_the_fields_of_an_item_known_inside_it_alone() -> None:
    assert faults("{{#each specs}}{{path}}{{dest}}{{name}}{{this.path}}{{./path}}{{this/path}}{{/each}}") == []
    assert only_fault("{{#each specs}}{{/each}}{{path}}").hint == "it is a field of each item: {{#each specs}}"
    assert only_fault("{{#each specs}}{{else}}{{path}}{{/each}}").column == 26


def test_a_loop_hides_the_variables_around_it_which_are_reached_by_a_step_out() -> None:
    assert faults("{{#each specs}}{{../workspace}}{{@root.workspace}}{{../variant.slug}}{{/each}}") == []
    assert only_fault("{{#each specs}}{{workspace}}{{/each}}").hint == "did you mean ../workspace?"


def test_a_loop_knows_its_index_and_its_ends() -> None:
    assert faults("{{#each specs}}{{@index}}{{#if @first}}{{else if @last}}{{/if}}{{/each}}") == []
    assert faults("{{#each specs}}{{#each ../specs}}{{@../index}}{{/each}}{{/each}}") == []
    assert faults("{{#each specs}}{{#with ../variant}}{{@index}}{{/with}}{{/each}}") == []


@pytest.mark.parametrize(
    "source",
    [
        "{{@index}}",
        "{{#if @first}}{{/if}}",
        "{{#each specs}}{{else}}{{@last}}{{/each}}",
        "{{#each specs}}{{@../index}}{{/each}}",
        "{{#each specs}}{{@count}}{{/each}}",
    ],
)
def test_loop_data_are_unknown_outside_of_a_loop(source: str) -> None:
    assert len(faults(source)) == 1


def test_a_key_belongs_to_a_loop_over_fields() -> None:
    assert faults("{{#each variant}}{{@key}}: {{this}}{{/each}}") == []
    assert only_fault("{{#each specs}}{{@key}}{{/each}}").hint == "@index counts a list's items from 0"


def test_if_and_unless_are_no_step_in_or_out() -> None:
    assert faults("{{#each specs}}{{#if name}}{{path}}{{../workspace}}{{/if}}{{/each}}") == []
    assert len(faults("{{#each specs}}{{#if name}}{{../../workspace}}{{/if}}{{/each}}")) == 1


@pytest.mark.parametrize("source", ["{{../workspace}}", "{{#if workspace}}{{../workspace}}{{/if}}"])
def test_a_step_out_of_the_template_is_a_fault(source: str) -> None:
    assert "leads out of the template" in only_fault(source).message


def test_with_steps_into_a_value() -> None:
    assert faults("{{#with variant}}{{slug}}{{../workspace}}{{/with}}") == []
    assert faults("{{#with variant.description}}{{this}}{{else}}{{workspace}}{{/with}}") == []
    assert faults("{{#with specs}}{{this.0.path}}{{#each this}}{{name}}{{/each}}{{/with}}") == []
    assert only_fault("{{#with variant}}{{workspace}}{{/with}}").hint == "did you mean ../workspace?"


def test_block_parameters_name_what_a_block_steps_into() -> None:
    assert faults("{{#each specs as |spec i|}}{{spec.path}}{{i}}{{name}}{{/each}}") == []
    assert faults("{{#with variant as |v|}}{{v.slug}}{{slug}}{{/with}}") == []
    assert faults("{{#each specs as |a|}}{{#each ../specs as |b|}}{{a.name}}{{b.name}}{{/each}}{{/each}}") == []
    assert only_fault("{{#each specs as |spec|}}{{spec.title}}{{/each}}").column == 28
    assert only_fault("{{#each specs as |spec|}}{{/each}}{{spec.path}}").column == 37


def test_a_block_parameter_hides_a_field_of_its_name_but_not_behind_this() -> None:
    assert only_fault("{{#each specs as |path|}}{{path}}{{/each}}").message == "`path` has fields and can't be printed"
    assert faults("{{#each specs as |path|}}{{this.path}}{{path.path}}{{/each}}") == []


def test_a_list_has_items_but_no_fields() -> None:
    assert only_fault("{{specs.length}}").hint == "write (len specs)"
    assert only_fault("{{specs.path}}").hint == "use {{#each specs}}"
    assert faults("{{len specs}}") == []


def test_only_what_is_text_can_be_printed() -> None:
    assert only_fault("{{variant}}").hint == "its fields are slug, name, description"
    assert only_fault("{{specs}}").message == "`specs` is a list and can't be printed"
    assert only_fault("{{#each specs}}{{this}}{{/each}}").column == 18
    assert faults("{{#if variant}}{{/if}}{{#if specs}}{{/if}}") == []


def test_only_a_list_or_fields_can_be_looped_over() -> None:
    assert only_fault("{{#each workspace}}{{/each}}").message == "`each` needs a list, and this is text"
    assert faults("{{#each variant}}{{this}}{{/each}}") == []


def test_lookup_is_followed_where_its_key_is_written_down() -> None:
    assert faults('{{lookup variant "slug"}}{{lookup (lookup specs 0) "path"}}{{lookup specs.0 @root.workspace}}') == []
    assert only_fault('{{lookup variant "slgu"}}').hint == "did you mean variant.slug?"
    assert only_fault("{{#with (lookup specs 0)}}{{title}}{{/with}}").column == 29
    assert len(faults('{{lookup workspace "x"}}')) == 1


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("{{varaint.slug}}", "did you mean variant.slug?"),
        ("{{variant.slgu}}", "did you mean variant.slug?"),
        ("{{slug}}", "did you mean variant.slug?"),
        ("{{worksapce}}", "did you mean workspace?"),
        ("{{variant.xyz}}", "its fields are slug, name, description"),
        ("{{zzz}}", "there are workspace, variant.slug, variant.name, variant.description, specs"),
        ("{{eqq workspace workspace}}", "did you mean eq?"),
        ("{{#specs}}{{path}}{{/specs}}", "write {{#each specs}}"),
        ("{{#variant}}{{slug}}{{/variant}}", "write {{#with variant}}"),
        ("{{#workspace}}{{/workspace}}", "write {{#if workspace}}"),
        ('{{#if variant.slug eq "x"}}{{/if}}', "a comparison is written {{#if (eq a b)}}"),
    ],
)
def test_the_hint_names_what_was_meant(source: str, hint: str) -> None:
    assert hint in str(faults(source)[0].hint)
