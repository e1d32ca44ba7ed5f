"""Section 5: what a run receives; and what helps beside the format."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    ITEM,
    SMOKE,
    Change,
    Sentence,
    edit,
    end,
    file,
    root,
    spec_template,
)

SECTION_5 = [
    Sentence(
        "the workspace's files (names that begin with a dot are left out, except .gitignore, .cargo/)",
        {
            "CAB603": (
                root("workspace = 'w'", {"w/.gitignore": "7\n"}),
                root("workspace = 'w'", {"w/.cargo/config": "7\n"}),
            )
        },
        (root("workspace = 'w'", {"w/.answer": "7\n", "w/.hidden/answer": "7\n", "w/a": "A."}),),
    ),
    Sentence(
        "Never seeded: the manifest, changelog, description, variants, prompt, cases, references, reviewer material. "
        "A seed plan that would include one of these is an error",
        {
            "CAB602": (
                *(
                    root(f"assets = ['{path}']")
                    for path in (
                        "test-case.toml",
                        "changelog.md",
                        "variants",
                        "prompt.hbs",
                        "cases",
                        "smoke/one.json",
                        "cases/small.out",
                    )
                ),
                root("assets = ['references']", {"references/a/x": "X."}),
                root("workspace = 'cases'"),
                root("workspace = '.'"),
                end("[[spec]]\nsource = 'cases/small.out'\ndest = 'x'"),
                edit(
                    '"schemas/input.json"', '"cases/small.json"', **{"cases/small.json": "true", "smoke/one.json": "1"}
                ),
                Change(
                    (
                        ("tags = []", "tags = []\nassets = ['i']"),
                        ("16_777_216\n", f"16_777_216\n{ITEM}\nproof = 'i/a'\n"),
                    ),
                    {"i/a": "A."},
                ),
            )
        },
        (root("assets = ['data']", {"data/a": "A."}),),
    ),
    Sentence(
        "and so is a seeded file with the same content as a case's expected",
        {
            "CAB603": (
                root("workspace = 'w'", {"w/a": "7\n"}),
                root("assets = ['data']", {"data/a": "1\n"}),
                end("[[spec]]\nsource = 's.md'", {"s.md": "7\n"}),
                *spec_template("{{! it is }}7\n"),
            )
        },
        (root("workspace = 'w'", {"w/a": "8\n"}),),
    ),
]

BESIDE = [
    Sentence(
        "What the format does not say of cases, but helps",
        {
            "CAB404": (edit(SMOKE, ""),),
            "CAB405": (end("[[case]]\ninput = 'b.json'\nexpected = 'b.out'", {"b.json": "[4, 3]", "b.out": "7\n"}),),
            "CAB901": (file("notes.txt", "Left over."),),
        },
        (file("README.md", "How it came about."),),
    ),
    Sentence(
        "References: what they expect is about things that exist",
        {
            "CAB451": (file("references/a/reference.toml", "variant = 'two'"),),
            "CAB452": (file("references/a/reference.toml", "[cases]\n'cases/none.json' = 'pass'"),),
            "CAB453": (file("references/a/refrence.toml", "expect = 'fail'"),),
            "CAB454": (file("references", "A file."),),
        },
        (
            file(
                "references/a/reference.toml", "expect = 'fail'\nvariant = 'base'\n[cases]\n'cases/small.json' = 'trap'"
            ),
        ),
    ),
]
