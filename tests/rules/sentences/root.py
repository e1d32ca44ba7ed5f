"""Section 1: where a version lies, and the keys at the root of its manifest."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    MANIFEST,
    TWO,
    Change,
    Sentence,
    edit,
    file,
    prompt,
    root,
    values,
)

ROOT = [
    Sentence(
        "test-cases/<type>/<difficulty>/<folder>/<version>/test-case.toml, <version> being vX.Y.Z",
        {
            "CAB301": tuple(
                Change(path=path)
                for path in (
                    "performance/easy/adder/1.0.0",
                    "performance/easy/adder/v1.0",
                    "performance/easy/adder/v01.0.0",
                    "performance/easy/adder/v1.0.0-rc1",
                    "performance/easy/more/adder/v1.0.0",
                    "performance/simple/adder/v1.0.0",
                    "speed/easy/adder/v1.0.0",
                )
            ),
            "CAB307": (Change(files={"../v1.1.0/Test-Case.toml": MANIFEST}),),
        },
        (Change(path="performance/easy/adder/v10.0.23"), Change(path="performance/easy/other-folder/v1.0.0")),
    ),
    Sentence(
        "slug: required; kebab-case",
        {
            "CAB102": (edit('slug = "adder"\n', ""),),
            "CAB103": values('"adder"', "3", '["adder"]'),
            "CAB104": values(
                '"adder"', '""', '"Adder"', '"add_er"', '"add--er"', '"-adder"', '"adder-"', '"adder\\n"', '"ädder"'
            ),
        },
        values('"adder"', '"a"', '"add-2-numbers"', '"3d"'),
    ),
    Sentence(
        "name: required",
        {
            "CAB102": (edit('name = "Adder"\n', ""),),
            "CAB103": values('"Adder"', "true"),
            "CAB104": values('"Adder"', '" "'),
        },
        values('"Adder"', '"加算 😀"'),
    ),
    Sentence(
        "type: optional; must agree with <type> in the path",
        {
            "CAB302": (root("type = 'game-jam'"),),
            "CAB103": (root("type = 1"),),
            "CAB104": (root("type = 'Performance'"), root("type = 'puzzle'")),
        },
        (root("type = 'performance'"),),
    ),
    Sentence(
        "difficulty: required: easy | medium | hard; must agree with the path",
        {
            "CAB102": (edit('difficulty = "easy"\n', ""),),
            "CAB103": values('"easy"', "1"),
            "CAB104": values('"easy"', '"Easy"', '"trivial"', '""'),
            "CAB303": values('"easy"', '"hard"', '"medium"'),
        },
        (Change((('"easy"', '"medium"'),), path="performance/medium/adder/v1.0.0"),),
    ),
    Sentence(
        "experimental: default false",
        {"CAB103": (root("experimental = 'true'"), root("experimental = 1"))},
        (root("experimental = true"), root("experimental = false")),
    ),
    Sentence(
        "tags: required; may be empty",
        {
            "CAB102": (edit("tags = []\n", ""),),
            "CAB103": values("tags = []", "tags = 'a'", "tags = [1]", "tags = [['a']]"),
        },
        values("tags = []", "tags = ['performance', 'algorithms']"),
    ),
    Sentence(
        "summary: optional, inline, one or two sentences; not seeded",
        {"CAB103": (root("summary = 1"),)},
        (root("summary = 'Adds. Fast.'"), root("summary = ''")),
    ),
    Sentence(
        "description: optional path; not seeded",
        {
            "CAB103": (root("description = ['d.md']"),),
            "CAB104": (root("description = ''"),),
            "CAB602": (root("description = 'd.md'\nassets = ['d.md']", {"d.md": "About."}),),
        },
        (root("description = 'd.md'", {"d.md": "About."}),),
    ),
    Sentence(
        "changelog: required path; not seeded; must hold something; of white space it holds nothing",
        {
            "CAB102": (edit('changelog = "changelog.md"\n', ""),),
            "CAB004": (file("changelog.md", ""), file("changelog.md", " \t\n\u00a0\n")),
            "CAB602": (root("assets = ['changelog.md']"),),
        },
        (file("changelog.md", "."),),
    ),
    Sentence(
        "prompt: required path; Handlebars",
        {"CAB102": (edit('prompt = "prompt.hbs"\n', ""),), "CAB701": prompt("{{", "{{#if workspace}}")},
        prompt("", "No tag at all."),
    ),
    Sentence(
        "max_runtime_hours: default 1; positive and finite; integer or float; booleans never for numbers",
        {
            "CAB103": tuple(root(f"max_runtime_hours = {value}") for value in ("true", "'1'", "[1]", "1979-05-27")),
            "CAB104": tuple(
                root(f"max_runtime_hours = {value}") for value in ("0", "-1", "0.0", "nan", "inf", "1e400")
            ),
        },
        tuple(root(f"max_runtime_hours = {value}") for value in ("1", "0.5", "1e-3", "1e308", "24")),
    ),
    Sentence(
        "workspace: optional folder, seeded at the run root",
        {"CAB202": (root("workspace = 'w'"),)},
        (root("workspace = 'workspaces/base'", {"workspaces/base/a": "Start."}),),
    ),
    Sentence(
        "init: optional; not blank when given",
        {"CAB104": (root("init = ''"), root("init = ' \\n'".replace("'", '"'))), "CAB103": (root("init = ['true']"),)},
        (root("init = 'cargo fetch'"),),
    ),
    Sentence(
        "variants: required, at least one; ordered; a root key: below a table header TOML makes it a key of that table",
        {
            "CAB102": (edit('variants = ["variants/base.toml"]\n', ""),),
            "CAB103": values('["variants/base.toml"]', '"variants/base.toml"', "[1]"),
            "CAB104": values('["variants/base.toml"]', "[]", '[""]'),
            "CAB101": (
                edit(
                    'variants = ["variants/base.toml"]\n',
                    "",
                    "[build]\n",
                    '[build]\nvariants = ["variants/base.toml"]\n',
                ),
                edit('variants = ["variants/base.toml"]\n', "", "[sandbox]", '[[variant]]\nslug = "base"\n[sandbox]'),
            ),
        },
        (Change((TWO,), {"variants/two.toml": "slug = 'two'\ndescription = 'More.'"}),),
    ),
]
