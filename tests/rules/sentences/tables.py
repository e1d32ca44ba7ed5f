"""Section 1: build, contract, cases and limits."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    CASES,
    MANIFEST,
    SMALL,
    STRESS,
    Change,
    Sentence,
    edit,
    values,
)

TABLES = [
    Sentence(
        "[build]: required, all three keys, none blank",
        {
            "CAB102": (
                edit(MANIFEST[MANIFEST.index("[build]") : MANIFEST.index("[contract]")], ""),
                edit('install = "true"\n', ""),
                edit('build = "cp given.wasm solution.wasm"\n', ""),
                edit('module = "solution.wasm"\n', ""),
            ),
            "CAB104": (
                *values('install = "true"', 'install = ""'),
                *values('"cp given.wasm solution.wasm"', '" "'),
                *values('"solution.wasm"', '"\\t"'),
            ),
            "CAB103": (edit("[build]", "[[build]]"), *values('install = "true"', "install = ['true']")),
        },
        values('install = "true"', 'install = "cargo fetch"'),
    ),
    Sentence(
        "module: relative to the run root; stays inside it",
        {
            "CAB206": values(
                '"solution.wasm"',
                '"/solution.wasm"',
                '"../solution.wasm"',
                '"a/../../b"',
                '"a\\\\b"',
                '"."',
                '"target/"',
            )
        },
        values('"solution.wasm"', '"target/wasm32-wasip2/release/solution.wasm"', '"./solution.wasm"', '"..."'),
    ),
    Sentence(
        "[contract]: required, all three keys",
        {
            "CAB102": (
                edit(MANIFEST[MANIFEST.index("[contract]") : MANIFEST.index("[[case]]")], ""),
                edit('entry = "solve"\n', ""),
                edit('input = "schemas/input.json"\n', ""),
                edit('output = "schemas/output.json"\n', ""),
            ),
            "CAB104": (*values('"solve"', '""'), *values('"schemas/input.json"', '""')),
        },
        values('"solve"', '"run-all"'),
    ),
    Sentence(
        "[[case]]: at least one stress case",
        {
            "CAB102": (edit(CASES, ""),),
            "CAB104": (edit(CASES, "", "tags = []", "tags = []\ncase = []"),),
            "CAB103": (
                edit(CASES, CASES.replace('[[case]]\ninput = "smoke', '[case]\ninput = "smoke').replace(STRESS, "")),
            ),
            "CAB401": (edit(STRESS, ""),),
        },
        (
            Change(
                (("[sandbox]", '[[case]]\ninput = "b.json"\nexpected = "b.out"\n[sandbox]'),),
                {"b.json": "[9]", "b.out": "9"},
            ),
        ),
    ),
    Sentence(
        "input, expected",
        {
            "CAB102": (edit('input = "cases/small.json"\n', ""), edit(SMALL + "\n", "")),
            "CAB101": (edit(SMALL, "output = 'x'\n" + SMALL),),
        },
        (),
    ),
    Sentence(
        "kind: smoke | stress, default stress",
        {
            "CAB104": values('kind = "smoke"', 'kind = "Smoke"', 'kind = "warm"', 'kind = ""'),
            "CAB103": values('kind = "smoke"', "kind = 1"),
        },
        (edit(SMALL, SMALL + '\nkind = "stress"'),),
    ),
    Sentence(
        "fuel_runway: optional, >= 1.0, finite, default 1.0; integers are accepted where a float is meant",
        {
            "CAB104": tuple(
                edit(SMALL, f"{SMALL}\nfuel_runway = {value}") for value in ("0.999", "0", "-2", "nan", "inf")
            ),
            "CAB103": tuple(edit(SMALL, f"{SMALL}\nfuel_runway = {value}") for value in ("true", "'2'")),
            "CAB407": (edit(SMALL, f"{SMALL}\nfuel_runway = 1e13"),),
        },
        tuple(edit(SMALL, f"{SMALL}\nfuel_runway = {value}") for value in ("1", "1.0", "2", "10.5")),
    ),
    Sentence(
        "fuel_runway on a smoke case is a warning",
        {"CAB403": values('kind = "smoke"', 'kind = "smoke"\nfuel_runway = 1.0', 'kind = "smoke"\nfuel_runway = 2')},
        (),
    ),
    Sentence(
        "[sandbox]: required, both keys, positive integers",
        {
            "CAB102": (
                edit(MANIFEST[MANIFEST.index("[sandbox]") :], ""),
                edit("fuel_limit = 1_000_000\n", ""),
                edit("max_memory_bytes = 16_777_216\n", ""),
            ),
            "CAB103": (
                *values("1_000_000", '"1_000_000"', "1e6", "true", "[1]"),
                *values("16_777_216", '"16 MiB"', "1.5"),
            ),
            "CAB104": (*values("1_000_000", "0", "-1"), *values("16_777_216", "0")),
            "CAB406": (*values("1_000_000", str(2**63)), *values("16_777_216", str(2**63))),
            "CAB407": values("16_777_216", "8_589_934_592"),
        },
        (*values("1_000_000", "1", "0xff", str(2**63 - 1)), *values("16_777_216", "1", "4_294_967_296")),
    ),
]
