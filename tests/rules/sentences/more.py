"""Section 1: specs, assets, what reviewers see, variants and the rules across files."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    DOMAIN,
    ITEM,
    TWO,
    Change,
    Sentence,
    edit,
    end,
    file,
    root,
    variant,
)

MORE = [
    Sentence(
        "[[spec]]: source; dest default: source without a trailing .hbs; kind optional: spec | script",
        {
            "CAB102": (end("[[spec]]\ndest = 'a'"),),
            "CAB101": (end("[[spec]]\nsource = 's.md'\nto = 'a'", {"s.md": "Add."}),),
            "CAB103": (end("[spec]\nsource = 's.md'", {"s.md": "Add."}),),
            "CAB104": (end("[[spec]]\nsource = 's.md'\nkind = 'Spec'", {"s.md": "Add."}),),
            "CAB203": (
                end("[[spec]]\nsource = 's.md'\ndest = 'specs/'", {"s.md": "Add."}),
                end("[[spec]]\nsource = 'specs/.hbs'", {"specs/.hbs": "Add."}),
            ),
        },
        (
            end("[[spec]]\nsource = 's.md'", {"s.md": "Add."}),
            end(
                "[[spec]]\nsource = 's.md.hbs'\n[[spec]]\nsource = 's.md'\ndest = 't.md'\nkind = 'script'",
                {"s.md": "Add.", "s.md.hbs": "Add."},
            ),
        ),
    ),
    Sentence(
        "assets (a list of files or folders, seeded at their own path)",
        {"CAB103": (root("assets = 'data'", {"data/a": "A."}),)},
        (root("assets = ['data', 'b.txt']", {"data/a": "A.", "b.txt": "B."}), root("assets = []")),
    ),
    Sentence(
        "[[domain]] (id, name, description)",
        {
            "CAB102": tuple(
                end("\n".join(line for line in DOMAIN.split("\n") if not line.startswith(key)))
                for key in ("id", "name", "description")
            ),
            "CAB101": (end(DOMAIN + "\nweight = 1"),),
            "CAB108": (end(f"{DOMAIN}\n{DOMAIN}"),),
        },
        (end(DOMAIN),),
    ),
    Sentence(
        "[[review_item]] (id, title, text, weight > 0, reference, proof, sub_items of id and title)",
        {
            "CAB102": (
                *(
                    end("\n".join(line for line in ITEM.split("\n") if not line.startswith(key)))
                    for key in ("id", "title", "text", "weight")
                ),
                end(ITEM + "\nsub_items = [{ id = 'a' }]"),
            ),
            "CAB104": tuple(
                end(ITEM.replace("weight = 1", f"weight = {value}")) for value in ("0", "-1", "inf", "nan")
            ),
            "CAB103": tuple(end(ITEM.replace("weight = 1", f"weight = {value}")) for value in ("true", "'1'")),
            "CAB101": (end(ITEM + "\nsub_items = [{ id = 'a', title = 'A', weight = 1 }]"), end(ITEM + "\npoints = 1")),
            "CAB108": (end(f"{ITEM}\n{ITEM}"),),
        },
        (
            end(ITEM),
            end(ITEM.replace("weight = 1", "weight = 0.5")),
            end(ITEM + "\nreference = 'x'\nproof = 'y'\nsub_items = [{ id = 'a', title = 'A' }]"),
        ),
    ),
    Sentence(
        "optional domain that must be declared",
        {
            "CAB107": (
                end(f"{ITEM}\ndomain = 'd'"),
                end(f"{DOMAIN}\n{ITEM}\ndomain = 'e'"),
                variant(f"slug = 'base'\n{ITEM}\ndomain = 'd'"),
            )
        },
        (
            end(f"{DOMAIN}\n{ITEM}\ndomain = 'd'"),
            variant(f"slug = 'base'\n{DOMAIN}\n{ITEM}\ndomain = 'd'"),
            Change(
                (("16_777_216\n", f"16_777_216\n{DOMAIN}\n"),),
                {"variants/base.toml": f"slug = 'base'\n{ITEM}\ndomain = 'd'"},
            ),
        ),
    ),
    Sentence(
        "Any other key is an error, with the nearest known key as a hint",
        {
            "CAB101": (
                root("sumary = 'x'"),
                root("colour = 'red'"),
                end("pages = 1"),
                edit("[build]\n", "[build]\nshell = 'x'\n"),
            )
        },
        (),
    ),
    Sentence(
        "Tables of other types are errors that name the type they belong to",
        {
            "CAB105": (
                *(
                    end(f"[{name}]\na = 1")
                    for name in (
                        "simulation",
                        "match",
                        "replay",
                        "canvas",
                        "tool",
                        "output",
                        "toolchain",
                        "instrumentation",
                    )
                ),
                *(end(f"[[{name}]]\na = 1") for name in ("check", "reference", "proof", "engine")),
            )
        },
        (),
    ),
    Sentence(
        "JSON files are strict (no duplicate keys, NaN or Infinity, nothing after the value)",
        {
            "CAB501": (
                *(
                    file("cases/small.json", text)
                    for text in ('[{"a": 1, "a": 2}]', "[NaN]", "[-Infinity]", "[1] [2]", "[1,]", "")
                ),
                file("cases/small.out", "7 8"),
                file("schemas/input.json", '{"type": "array", "type": "array"}'),
            )
        },
        (file("cases/small.json", " [3,\n4] \n"), file("cases/small.json", "[1e400, 123456789012345678901234567890]")),
    ),
    Sentence(
        "A variant file: slug (required, kebab-case, unique in the case), name, description",
        {
            "CAB102": (variant(""),),
            "CAB104": (variant("slug = 'Base'"), variant("slug = 'base'\nname = ''")),
            "CAB103": (variant("slug = 'base'\ndescription = 1"),),
            "CAB101": (variant("slug = 'base'\nprompt = 'x'"),),
            "CAB304": (
                Change((TWO,), {"variants/two.toml": "slug = 'base'\ndescription = 'More.'"}),
                edit('["variants/base.toml"]', '["variants/base.toml", "./variants/base.toml"]'),
            ),
            "CAB902": (Change((TWO,), {"variants/two.toml": "slug = 'two'"}),),
        },
        (variant("slug = 'dense-grid'"), variant("slug = 'base'\nname = 'Base'\ndescription = ''")),
    ),
    Sentence(
        "workspace (replaces the common one), spec (added to the common specs, same shape)",
        {
            "CAB101": (variant("slug = 'base'\n[[spec]]\nsource = 's.md'\nto = 'x'", {"s.md": "Add."}),),
            "CAB601": (
                variant("slug = 'base'\nworkspace = 'w'\n[[spec]]\nsource = 's.md'", {"s.md": "Add.", "w/s.md": "W."}),
            ),
        },
        (
            Change(
                (("tags = []", "tags = []\nworkspace = 'v'"),),
                {
                    "variants/base.toml": "slug = 'base'\nworkspace = 'w'\n[[spec]]\nsource = 's.md'",
                    "s.md": "Add.",
                    "v/s.md": "V.",
                    "w/a": "W.",
                },
            ),
        ),
    ),
    Sentence(
        "reference_implementation (a folder holding a complete correct build, never seeded)",
        {
            "CAB602": (
                variant(
                    "slug = 'base'\nworkspace = 'w'\nreference_implementation = 'w/impl'",
                    {"w/a": "A.", "w/impl/b": "B."},
                ),
            )
        },
        (variant("slug = 'base'\nworkspace = 'w'\nreference_implementation = 'impl'", {"w/a": "A.", "impl/b": "B."}),),
    ),
    Sentence(
        "no input is declared twice",
        {
            "CAB402": (
                end("[[case]]\ninput = 'cases/small.json'\nexpected = 'cases/small.out'"),
                end("[[case]]\ninput = './smoke/one.json'\nexpected = 'smoke/one.out'"),
            )
        },
        (end("[[case]]\ninput = 'b.json'\nexpected = 'b.out'", {"b.json": "[3, 5]", "b.out": "8"}),),
    ),
    Sentence(
        "every version of one folder declares the same slug",
        {"CAB305": (Change(also={"performance/easy/adder/v1.1.0": "other"}),)},
        (Change(also={"performance/easy/adder/v1.1.0": "adder", "performance/easy/adder/v1.10.0": "adder"}),),
    ),
    Sentence(
        "two folders never share one",
        {"CAB306": (Change(also={"performance/easy/other/v1.0.0": "adder"}),)},
        (Change(also={"performance/easy/other/v1.0.0": "other"}),),
    ),
    Sentence(
        "a case's input satisfies [contract].input and its expected satisfies [contract].output",
        {"CAB503": (file("cases/small.json", '{"a": 1}'),), "CAB504": (file("cases/small.out", '"7"'),)},
        (file("cases/small.json", "[]"), file("cases/small.out", "-7")),
    ),
    Sentence(
        "both schemas are themselves valid JSON Schemas",
        {
            "CAB502": (
                *(
                    file("schemas/input.json", text)
                    for text in (
                        '{"type": "list"}',
                        "[]",
                        '{"$ref": "#"}',
                        '{"$schema": "x"}',
                        '{"$ref": "https://example.com/x.json"}',
                    )
                ),
                file("schemas/output.json", '{"minimum": "1"}'),
            )
        },
        (
            file("schemas/input.json", "true"),
            file("schemas/input.json", '{"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {}}}'),
        ),
    ),
    Sentence(
        "no two seeded files land on one destination for any variant",
        {
            "CAB601": (
                end(
                    "[[spec]]\nsource = 's.md'\n[[spec]]\nsource = 't.md'\ndest = './s.md'",
                    {"s.md": "S.", "t.md": "T."},
                ),
                end("[[spec]]\nsource = 's.md'\n[[spec]]\nsource = 's.md.hbs'", {"s.md": "S.", "s.md.hbs": "T."}),
                end("[[spec]]\nsource = 's.md'\ndest = 'schemas/input.json'", {"s.md": "S."}),
                end("[[spec]]\nsource = 's.md'\ndest = 'schemas'", {"s.md": "S."}),
                root("workspace = 'w'", {"w/schemas/output.json": "{}"}),
                Change(
                    (TWO, ("16_777_216\n", "16_777_216\n[[spec]]\nsource = 's.md'\n")),
                    {"s.md": "S.", "w/s.md": "W.", "variants/two.toml": "slug = 'two'\nworkspace = 'w'"},
                ),
            )
        },
        (
            end("[[spec]]\nsource = 's.md'\n[[spec]]\nsource = 's.md'\ndest = 't.md'", {"s.md": "S."}),
            root("assets = ['schemas', 'schemas/input.json']"),
        ),
    ),
]
