"""Section 4: prompts and specs are Handlebars, strictly."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    Change,
    Sentence,
    prompt,
    spec_template,
)
from tests.rules.sentences.mixed import OTHERS

SECTION_4 = [
    Sentence(
        "a reference to anything but the variables below is an error, also as the subject of a block or as a helper's "
        "argument",
        {
            "CAB701": prompt(
                "{{nope}}",
                "{{#if nope}}a{{/if}}",
                "{{#each nope}}a{{/each}}",
                "{{#with nope}}a{{/with}}",
                "{{#unless nope}}a{{/unless}}",
                "{{#if (eq nope 1)}}a{{/if}}",
                "{{lookup nope 0}}",
                "{{variant.nope}}",
                "{{#each specs}}{{nope}}{{/each}}",
                "{{../workspace}}",
                "{{@index}}",
            ),
            "CAB702": spec_template("{{workspace}}", "{{specs}}", "{{#if nope}}a{{/if}}", "{{variant.nope}}"),
        },
        (
            *prompt(
                "{{workspace}} {{variant.slug}} {{variant.name}} {{variant.description}}",
                "{{#each specs}}{{dest}} {{path}} {{name}}{{/each}}",
            ),
            *spec_template("{{version}} {{variant.slug}} {{variant.name}} {{variant.description}}"),
        ),
    ),
    Sentence(
        "The helpers are Handlebars' own, with else, else if, block parameters, @index, ../, white space",
        {
            "CAB701": prompt(
                "{{log workspace}}", "{{upper workspace}}", "{{#repeat 3}}a{{/repeat}}", "{{else}}", "{{@key}}"
            )
        },
        prompt(
            "{{#if workspace}}a{{else if variant.name}}b{{else}}c{{/if}}",
            "{{#each specs as |s i|}}{{s.dest}}{{i}}{{/each}}",
            "{{#each specs}}{{@index}}{{@first}}{{@last}}{{../workspace}}{{else}}none{{/each}}",
            "{{~#with variant~}} {{slug}} {{~/with~}}",
            '{{lookup variant "slug"}}',
            "{{{workspace}}}",
            "{{! x }}{{!-- }} --}}",
        ),
    ),
    Sentence(
        "the comparisons that the Rust implementation brings, as subexpressions",
        {
            "CAB701": prompt(
                "{{#if (equal workspace 1)}}a{{/if}}", "{{#if (eq workspace)}}a{{/if}}", "{{#eq 1 1}}a{{/eq}}"
            )
        },
        tuple(
            change
            for name in ("eq", "ne", "gt", "gte", "lt", "lte", "and", "or")
            for change in prompt(f'{{{{#if ({name} workspace "x")}}}}a{{{{/if}}}}')
        )
        + prompt("{{#if (not (len specs))}}a{{/if}}"),
    ),
    Sentence(
        "Partials and any other helper are errors",
        {"CAB701": prompt("{{> part}}", "{{#> part}}{{/part}}", "{{contains specs 1}}")},
        prompt(r"\{{> part}}"),
    ),
    Sentence(
        "A branch that is not taken is checked all the same",
        {"CAB701": prompt("{{#if variant.slug}}a{{else}}{{nope}}{{/if}}", "{{#if false}}{{nope}}{{/if}}")},
        prompt("{{#if variant.slug}}a{{else}}{{workspace}}{{/if}}"),
    ),
    Sentence(
        "both, for end-to-end, full-stack and game-jam: also engine.slug, engine.name, engine.docs",
        {
            "CAB701": (
                *prompt("{{engine.slug}}"),
                Change(
                    files={"test-case.toml": OTHERS, "prompt.hbs": "{{engine.title}}"},
                    path="game-jam/easy/carom/v1.0.0",
                ),
            )
        },
        tuple(
            Change(
                files={"test-case.toml": OTHERS, "prompt.hbs": "{{engine.slug}} {{engine.name}} {{engine.docs}}"},
                path=f"{kind}/easy/carom/v1.0.0",
            )
            for kind in ("end-to-end", "full-stack", "game-jam")
        ),
    ),
    Sentence(
        "catalog templates of the remaining types: syntax and helpers are checked, variables are not",
        {
            "CAB701": tuple(
                Change(files={"test-case.toml": OTHERS, "prompt.hbs": template}, path="adversarial/easy/carom/v1.0.0")
                for template in ("{{upper a}}", "{{#if a}}", "{{> a}}")
            )
        },
        tuple(
            Change(files={"test-case.toml": OTHERS, "prompt.hbs": "{{a.b}}"}, path=f"{kind}/easy/carom/v1.0.0")
            for kind in ("adversarial", "asset-generation")
        ),
    ),
]
