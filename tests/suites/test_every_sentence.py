"""Each sentence of the format about suites, the rules that hold a suite to it, and the tests that show both sides."""

from __future__ import annotations

import importlib
from typing import NamedTuple

import pytest

from cabinet_ci.rules.registry import suite_rules


class Sentence(NamedTuple):
    """What the format says, the codes of its rules, and tests as `file::test`, without their common beginnings."""

    text: str
    codes: tuple[str, ...]
    tests: tuple[str, ...]


LAYOUT = "layout::"
SPECIFICATIONS = "specifications::"
DEFINITIONS = "definitions::"
ENTITIES = "entities::"

KEYS = ("CAB101", "CAB102", "CAB103", "CAB104")
PATHS = ("CAB201", "CAB202", "CAB203", "CAB204")

SENTENCES = [
    # the suite
    Sentence(
        "A suite is a folder holding `suite.toml`",
        ("CAB610",),
        (LAYOUT + "a_suite_without_its_file_is_told_at_its_folder",),
    ),
    Sentence(
        "slug, kebab-case, equal to the folder's name",
        ("CAB104", "CAB611"),
        (LAYOUT + "the_slug_of_a_suite_is_its_folder_s_name", LAYOUT + "the_slug_of_a_suite_is_kebab_case"),
    ),
    Sentence("name", ("CAB102",), (LAYOUT + "a_suite_needs_a_slug_and_a_name",)),
    Sentence(
        "Exported versions lie at <slug>/versions/vX.Y.Z/",
        ("CAB612", "CAB617"),
        (
            LAYOUT + "an_exported_version_s_folder_is_named_vxyz",
            LAYOUT + "a_version_that_is_a_link_is_told_and_not_followed",
        ),
    ),
    Sentence(
        "drafts at <slug>/drafts/<name>/ (with draft.toml: optional base)",
        ("CAB614", "CAB615"),
        (
            LAYOUT + "a_draft_s_base_is_an_exported_version_or_left_out",
            LAYOUT + "a_base_that_was_never_exported_is_a_warning_that_lists_those_that_were",
            LAYOUT + "a_file_that_belongs_to_the_others_is_missed_once",
        ),
    ),
    Sentence(
        "Both hold the same tree",
        ("CAB690",),
        (
            LAYOUT + "a_suite_of_a_version_and_a_draft_is_sound",
            ENTITIES + "a_file_without_a_place_is_a_warning",
            ENTITIES + "a_file_with_a_place_is_not",
        ),
    ),
    Sentence(
        "An exported version ... is tagged <slug>-vX.Y.Z",
        ("CAB616",),
        ("validate_command::a_suite_and_a_case_can_t_share_a_slug",),
    ),
    Sentence(
        "what an exported version gets as errors, a draft gets as warnings",
        (),
        (
            LAYOUT + "a_draft_gets_warnings_for_what_is_an_error_in_an_exported_version",
            "validate_command::a_draft_alone_passes_with_warnings_unless_they_are_to_fail",
        ),
    ),
    # version.toml
    Sentence(
        "version (semver; exported: required and equal to the folder's; draft: absent)",
        ("CAB104", "CAB613"),
        (LAYOUT + "an_exported_version_states_its_folder_s_version", LAYOUT + "a_draft_states_no_version"),
    ),
    Sentence("tags (default [])", ("CAB103",), (LAYOUT + "tags_and_experimental_may_be_left_out_or_given",)),
    Sentence("summary (required, one line)", ("CAB102", "CAB104"), (LAYOUT + "a_version_s_summary_is_one_line",)),
    Sentence(
        "description (required path), changelog (required path)",
        ("CAB102", "CAB004", *PATHS),
        (
            LAYOUT + "a_version_needs_summary_description_and_changelog",
            LAYOUT + "paths_of_a_version_lead_somewhere",
            LAYOUT + "a_changelog_of_white_space_holds_nothing",
        ),
    ),
    Sentence("experimental (default false)", ("CAB103",), (LAYOUT + "tags_and_experimental_may_be_left_out_or_given",)),
    # specifications
    Sentence(
        "specifications/**/specification.toml + specification.md",
        ("CAB615",),
        (
            LAYOUT + "prose_without_a_specification_is_told",
            LAYOUT + "a_file_that_belongs_to_the_others_is_missed_once",
            SPECIFICATIONS + "a_specification_may_be_nested_in_another",
        ),
    ),
    Sentence(
        "id (kebab-case, unique in the suite, nested ones too)",
        ("CAB104", "CAB620"),
        (
            SPECIFICATIONS + "an_id_is_unique_in_the_suite_also_where_it_is_nested",
            SPECIFICATIONS + "an_id_is_kebab_case",
        ),
    ),
    Sentence(
        "name, summary (one line)",
        ("CAB102", "CAB104"),
        (
            SPECIFICATIONS + "a_specification_needs_each_of_its_keys",
            SPECIFICATIONS + "a_specification_s_summary_is_one_line",
        ),
    ),
    Sentence(
        "path (ends in .md, stays inside specs/, unique)",
        ("CAB201", "CAB203", "CAB621", "CAB622"),
        (SPECIFICATIONS + "a_path_ends_in_md_stays_inside_specs_and_is_unique",),
    ),
    Sentence(
        "[[requirement]]: id (kebab-case, unique in the file)",
        ("CAB104", "CAB623"),
        (
            SPECIFICATIONS + "a_requirement_s_id_is_unique_in_its_file_alone",
            SPECIFICATIONS + "a_requirement_s_id_is_kebab_case",
        ),
    ),
    Sentence(
        "kind (functional | non-functional)",
        ("CAB104",),
        (SPECIFICATIONS + "a_requirement_is_functional_or_non_functional",),
    ),
    Sentence(
        "text (one RFC 2119 sentence, its keyword in capitals)",
        ("CAB624", "CAB625"),
        (SPECIFICATIONS + "a_text_is_one_sentence_with_a_keyword_in_capitals",),
    ),
    Sentence(
        'validators (relative to validators/: "ball/speed.ts")',
        PATHS,
        (SPECIFICATIONS + "a_claim_s_path_is_relative_to_validators_and_leads_there",),
    ),
    # the rest of the tree
    Sentence(
        "test-cases/<name>.toml: a test case definition; the file's stem is its slug",
        ("CAB690",),
        (
            ENTITIES + "a_file_without_a_place_is_a_warning",
            DEFINITIONS + "a_definition_named_like_a_manifest_of_the_catalog_is_a_definition",
        ),
    ),
    Sentence(
        "prompts/<name>.hbs",
        ("CAB637", "CAB691", "CAB701"),
        (
            DEFINITIONS + "a_prompt_is_a_template_of_prompts",
            DEFINITIONS + "a_prompt_that_refers_to_nothing_is_an_error_with_its_place",
            ENTITIES + "a_prompt_or_workspace_that_no_definition_uses_is_a_warning",
        ),
    ),
    Sentence(
        "workspaces/<slug>/",
        ("CAB637", "CAB691"),
        (
            DEFINITIONS + "a_workspace_is_a_folder_of_workspaces",
            ENTITIES + "a_prompt_or_workspace_that_no_definition_uses_is_a_warning",
        ),
    ),
    Sentence(
        "assets/<id>/asset.toml: id (= folder, kebab-case)",
        ("CAB104", "CAB615", "CAB660"),
        (ENTITIES + "an_id_is_the_name_of_its_folder", ENTITIES + "an_id_is_kebab_case"),
    ),
    Sentence(
        "kind (sprite | sprite-sheet | voxel | blender | particle | music | audio-fx)",
        ("CAB104",),
        (ENTITIES + "an_asset_is_of_one_of_the_kinds",),
    ),
    Sentence("specification (an id)", ("CAB632",), (ENTITIES + "a_specification_is_one_of_the_suite",)),
    Sentence(
        "files (not empty, exist; relative to the asset's own folder)",
        ("CAB104", *PATHS),
        (ENTITIES + "an_asset_s_files_are_in_its_folder", ENTITIES + "an_asset_s_files_may_lie_deeper"),
    ),
    Sentence(
        "validators/**.ts, each ... is claimed by exactly one requirement",
        ("CAB650", "CAB651"),
        (
            SPECIFICATIONS + "a_validator_that_nobody_claims_is_told_at_its_file",
            SPECIFICATIONS + "a_validator_claimed_twice_is_told_at_both_requirements",
        ),
    ),
    Sentence(
        "each but *.test.ts, vitest.config.ts and debug-api.ts",
        ("CAB652",),
        (
            SPECIFICATIONS + "files_that_validate_nothing_need_no_claim",
            SPECIFICATIONS + "what_is_no_validator_can_t_be_claimed",
        ),
    ),
    Sentence(
        "reference-implementations/<engine>/, each named for an engine that some definition declares",
        ("CAB674",),
        (ENTITIES + "a_reference_implementation_is_named_for_a_declared_engine",),
    ),
    Sentence(
        "at least one where an end-to-end or full-stack definition exists",
        ("CAB675",),
        (
            ENTITIES + "a_reference_implementation_is_due_where_something_runs",
            ENTITIES + "without_a_definition_that_runs_neither_debug_api_nor_reference_is_due",
        ),
    ),
    Sentence(
        "debug-api.toml, debug-api/** present exactly when an end-to-end or full-stack definition exists",
        ("CAB670", "CAB671"),
        (
            ENTITIES + "a_debug_api_is_missed_at_the_definition_that_needs_it",
            ENTITIES + "a_debug_api_without_a_definition_that_runs_is_told",
            ENTITIES + "either_type_that_runs_needs_them",
        ),
    ),
    Sentence(
        "demos/<slug>/demo.toml: id (= folder), name, summary, specification (an id)",
        ("CAB102", "CAB615", "CAB632", "CAB660"),
        (ENTITIES + "an_id_is_the_name_of_its_folder", ENTITIES + "each_of_their_keys_is_required"),
    ),
    Sentence(
        "showcase.toml: [[media]]: file (a bare name in showcase/, exists), name",
        ("CAB102", "CAB680", *PATHS),
        (ENTITIES + "a_medium_is_a_bare_name_in_the_showcase", ENTITIES + "a_medium_has_a_file_and_a_name"),
    ),
    Sentence("beside it showcase.md", ("CAB615",), (LAYOUT + "a_file_that_belongs_to_the_others_is_missed_once",)),
    Sentence(
        "handle (required, only here)",
        ("CAB101", "CAB102"),
        (ENTITIES + "a_handle_is_required", ENTITIES + "a_handle_stands_in_the_debug_api_only"),
    ),
    Sentence(
        "[[module]] (name, path under debug-api/)",
        ("CAB102", *PATHS),
        (
            ENTITIES + "a_module_has_a_name_and_a_path",
            ENTITIES + "a_module_s_path_leads_below_debug_api",
            ENTITIES + "a_module_s_path_may_name_the_folder",
        ),
    ),
    Sentence(
        "each file referenced exactly once",
        ("CAB672", "CAB673"),
        (ENTITIES + "each_file_below_debug_api_is_referenced_once",),
    ),
    Sentence(
        "the chosen engine's workspace at the run root; each covered specification at specs/<path>; the assets too",
        ("CAB634", "CAB638", "CAB639"),
        (
            "what_runs_receive::a_specification_can_t_land_on_a_workspace_s_file",
            "what_runs_receive::an_asset_can_t_either_where_assets_are_seeded",
            "what_runs_receive::nothing_that_is_kept_from_runs_is_linked_into_a_workspace",
        ),
    ),
    # what holds everywhere
    Sentence(
        "In every file of a suite an unknown key is an error",
        ("CAB101",),
        (LAYOUT + "an_unknown_key_is_an_error_in_every_file",),
    ),
    Sentence("A definition's stem is kebab-case", ("CAB630",), (DEFINITIONS + "the_stem_is_kebab_case",)),
    Sentence(
        "A functional requirement declares at least one validator",
        ("CAB626",),
        (SPECIFICATIONS + "a_functional_requirement_has_a_validator",),
    ),
    Sentence(
        "a non-functional one none",
        ("CAB627",),
        (SPECIFICATIONS + "a_non_functional_requirement_has_none",),
    ),
    Sentence(
        "An asset's specification has non-functional requirements only",
        ("CAB661",),
        (ENTITIES + "an_asset_s_specification_has_non_functional_requirements_only",),
    ),
    Sentence(
        "All text files are UTF-8",
        ("CAB001", "CAB002", "CAB003"),
        (
            "hostile_suites::any_bytes_in_any_file_are_findings_or_silence",
            "hostile_suites::a_file_nested_ten_thousand_deep_is_one_finding_and_the_rest_is_checked",
            "unreadable_suites::a_file_that_may_not_be_read_is_one_finding",
        ),
    ),
    Sentence(
        "symbolic links that lead outside are errors",
        ("CAB205",),
        (LAYOUT + "a_version_that_leads_out_of_the_suite_is_told_and_not_read",),
    ),
    # definitions
    Sentence(
        "name, type, difficulty, prompt: required",
        ("CAB102",),
        (DEFINITIONS + "a_required_key_is_missed",),
    ),
    Sentence(
        "type; difficulty: easy | medium | hard", KEYS, (DEFINITIONS + "a_value_that_does_not_fit_is_one_finding",)
    ),
    Sentence(
        "engines: required for end-to-end and full-stack, and theirs alone",
        ("CAB102", "CAB105", "CAB631", "CAB634"),
        (
            DEFINITIONS + "a_required_key_is_missed",
            DEFINITIONS + "engines_belong_to_end_to_end_and_full_stack_alone",
            DEFINITIONS + "an_engine_that_is_not_configured_is_told_with_the_known_ones",
            DEFINITIONS + "nothing_is_named_twice",
        ),
    ),
    Sentence(
        "specifications: optional; default: every specification of the suite",
        ("CAB632", "CAB634"),
        (
            DEFINITIONS + "specifications_default_to_all_by_folder_and_keep_the_definition_s_order",
            DEFINITIONS + "specifications_are_ids_of_the_suite",
        ),
    ),
    Sentence("prompt: required path", PATHS, (DEFINITIONS + "a_prompt_is_a_template_of_prompts",)),
    Sentence(
        "max_runtime_hours: default 1; positive, finite; experimental: default false",
        ("CAB103", "CAB104"),
        (
            DEFINITIONS + "a_value_that_does_not_fit_is_one_finding",
            DEFINITIONS + "what_is_optional_may_be_given",
        ),
    ),
    Sentence(
        "init: optional, any type; not blank when given", ("CAB104",), (DEFINITIONS + "init_belongs_to_any_type",)
    ),
    Sentence(
        "[workspaces]: end-to-end and full-stack: one entry per declared engine, no other",
        ("CAB105", "CAB633", *PATHS),
        (
            DEFINITIONS + "each_declared_engine_has_a_workspace_and_no_other",
            DEFINITIONS + "so_do_workspaces_build_and_toolchain",
        ),
    ),
    Sentence(
        "[build]: install and build, not blank; [toolchain]: typecheck required; lint, format, test optional",
        ("CAB101", "CAB102", "CAB104", "CAB105"),
        (
            DEFINITIONS + "a_value_that_does_not_fit_is_one_finding",
            DEFINITIONS + "what_is_optional_may_be_given",
            DEFINITIONS + "so_do_workspaces_build_and_toolchain",
        ),
    ),
    Sentence(
        "end-to-end, full-stack (no type table)",
        ("CAB105",),
        (DEFINITIONS + "no_type_has_the_table_of_another",),
    ),
    Sentence(
        "sprite, voxel, blender, particle, music, audio-fx (each requires the one table of its name and no other)",
        ("CAB102", "CAB105"),
        (
            DEFINITIONS + "an_asset_type_requires_the_table_of_its_name",
            DEFINITIONS + "no_type_has_the_table_of_another",
        ),
    ),
    Sentence(
        "id names an asset under assets/; [sprite].sheet and [voxel].animated default to false",
        ("CAB102", "CAB103", "CAB635"),
        (DEFINITIONS + "a_table_names_an_asset_and_has_the_keys_of_its_type",),
    ),
    Sentence(
        "the asset's kind must be the one the table selects, sheet = true meaning sprite-sheet",
        ("CAB635",),
        (DEFINITIONS + "the_asset_is_of_the_kind_that_the_table_selects",),
    ),
    Sentence(
        "performance, adversarial, puzzle: the common keys are checked",
        KEYS,
        (DEFINITIONS + "the_common_keys_of_a_type_that_is_left_open_are_checked",),
    ),
    Sentence(
        "a type table of the list above is an error, any other key a warning",
        ("CAB105", "CAB636"),
        (
            DEFINITIONS + "no_type_has_the_table_of_another",
            DEFINITIONS + "any_other_key_of_it_is_a_warning",
        ),
    ),
]

RULES = {rule.code: rule for rule in suite_rules()}


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.text[:50])
def test_its_rules_and_tests_are_there(sentence: Sentence) -> None:
    assert set(sentence.codes) <= RULES.keys()
    assert sentence.tests
    for place in sentence.tests:
        file, _, name = place.partition("::")
        module = importlib.import_module(f"tests.suites.test_{file}")
        assert callable(getattr(module, f"test_{name}"))


def test_every_rule_of_suites_is_there_for_a_sentence() -> None:
    named = {code for sentence in SENTENCES for code in sentence.codes}
    assert named == set(RULES)
