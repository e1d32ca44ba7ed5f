"""Section 1: versions of other types, and the older layout."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    Change,
    Sentence,
)

OLDER = """slug = "carom"
name = "Carom"
difficulty = "easy"
tags = []
changelog = "changelog.md"
prompt = "prompt.hbs"
"""
OTHERS = OLDER + 'variants = ["variants/base.toml"]\n'


def other(extra: str = "", text: str = OTHERS, path: str = "end-to-end/easy/carom/v1.0.0") -> Change:
    """A version of another type: the manifest is another one as a whole."""
    return Change(files={"test-case.toml": text + extra}, path=path)


MIXED = [
    Sentence(
        "They share the site-facing keys, prompt, variants, workspace, init and [[spec]]: cabinet-ci checks those",
        {
            "CAB102": (other(text=OLDER), other(text=OTHERS.replace("tags = []\n", ""))),
            "CAB103": (other("experimental = 1"),),
            "CAB104": (other("init = ''"),),
            "CAB202": (other("workspace = 'w'"),),
            "CAB303": (other(text=OTHERS.replace("easy", "hard")),),
            "CAB101": (
                Change(
                    files={"test-case.toml": OTHERS + "[[spec]]\nsource = 's.md'\nto = 'x'", "s.md": "Rules."},
                    path="end-to-end/easy/carom/v1.0.0",
                ),
            ),
        },
        (other(), other("init = 'npm ci'\nmax_runtime_hours = 2")),
    ),
    Sentence(
        "and passes over the tables that belong to those types",
        {},
        (
            other("[[check]]\nid = 'a'\n[[reference]]\n[[proof]]\n[[engine]]\n[toolchain]\n[instrumentation]\n"),
            other("[simulation]\n[match]\n[replay]\n", path="adversarial/easy/carom/v1.0.0"),
            other("[canvas]\n[tool]\n[output]\n", path="asset-generation/easy/carom/v1.0.0"),
            other("theme = 'sea'\n[build]\ninstall = 1\n", path="game-jam/easy/carom/v1.0.0"),
            Change(
                files={
                    "test-case.toml": OTHERS,
                    "variants/base.toml": "slug = 'base'\nshade = 1\n[[check]]\nid = 'a'\n",
                },
                path="full-stack/easy/carom/v1.0.0",
            ),
        ),
    ),
    Sentence(
        "A folder's name and its slug may differ",
        {},
        (Change(path="performance/easy/sums/v1.0.0"),),
    ),
    Sentence(
        "Of older layouts, <folder>/<version>/ is read as well; there type decides, defaulting to end-to-end",
        {
            "CAB102": (
                Change(
                    (("tags = []", 'tags = []\ntype = "performance"'), ('entry = "solve"\n', "")), path="adder/v1.0.0"
                ),
            ),
            "CAB104": (Change((("tags = []", 'tags = []\ntype = "puzzle"'),), path="adder/v1.0.0"),),
        },
        (
            Change((("tags = []", 'tags = []\ntype = "performance"'),), path="adder/v1.0.0"),
            other("[toolchain]\ntypecheck = 'x'\n", path="carom/v1.0.0"),
            other("type = 'game-jam'\n", path="carom/v1.0.0"),
        ),
    ),
]
