"""The preamble: text files, and the paths that a manifest names."""

from __future__ import annotations

from tests.rules.sentences.changes import (
    MANIFEST,
    Change,
    Sentence,
    edit,
    end,
    file,
    root,
    values,
    variant,
)

PREAMBLE = [
    Sentence(
        "All text files are UTF-8",
        {
            "CAB002": (file("test-case.toml", MANIFEST.encode() + b"# \xff"), file("variants/base.toml", b"\xff")),
            "CAB003": (file("changelog.md", b"na\xefve"), file("prompt.hbs", b"\xef\xbb\xbfx")),
            "CAB501": (file("cases/small.json", b'["\xe9"]'), file("schemas/input.json", b"\xff\xfe{\x00}\x00")),
        },
        (file("changelog.md", "naïve 😀"), file("cases/small.json", "[3, 4]\r\n")),
    ),
    Sentence(
        "Every path that a manifest names is relative to its version folder, uses `/`, and must resolve inside it: "
        "absolute paths, `..`, backslashes, NULs are errors",
        {
            "CAB201": (
                *values(
                    '"prompt.hbs"', '"/prompt.hbs"', '"../prompt.hbs"', '"a/../prompt.hbs"', '"a\\\\b"', '"a\\u0000"'
                ),
                *values('"cases/small.json"', '"/x"', '"../x"', '"a\\\\b"'),
                *values('"schemas/input.json"', '"/x"', '"../x"', '"a\\\\b"'),
                *values('["variants/base.toml"]', '["/x"]', '["../x"]', '["a\\\\b"]'),
                *(root(f"{key} = '/x'") for key in ("description", "workspace")),
                root("assets = ['../x']"),
                end("[[spec]]\nsource = '..'"),
                end("[[spec]]\nsource = 's.md'\ndest = '/s.md'", {"s.md": "Add."}),
                end("[[spec]]\nsource = 's.md'\ndest = 'a/../s.md'", {"s.md": "Add."}),
                variant("slug = 'base'\nworkspace = '../w'"),
                variant("slug = 'base'\nreference_implementation = '/w'"),
            )
        },
        (edit('"prompt.hbs"', '"./prompt.hbs"'), edit('"cases/small.json"', '"cases//small.json"')),
    ),
    Sentence(
        "symbolic links that lead outside are errors",
        {"CAB205": (Change(files={"changelog.md": None}, links={"changelog.md": "../../elsewhere.md"}),)},
        (Change(files={"changelog.md": None, "c.md": "First."}, links={"changelog.md": "c.md"}),),
    ),
    Sentence(
        "A declared path must exist",
        {
            "CAB202": (
                *values('"prompt.hbs"', '"none.hbs"', '"prompt.hbs/"'),
                *values('"cases/small.out"', '"cases/none.out"'),
                *values('"schemas/output.json"', '"schemas/none.json"'),
                root("description = 'none.md'"),
                root("workspace = 'none'"),
                root("assets = ['none']"),
                edit('["variants/base.toml"]', '["variants/none.toml"]'),
                end("[[spec]]\nsource = 'none.md'"),
                variant("slug = 'base'\nreference_implementation = 'none'"),
            )
        },
        (root("description = 'd.md'", {"d.md": "About."}),),
    ),
    Sentence(
        "be of the right kind (file or folder)",
        {
            "CAB203": (
                *values('"prompt.hbs"', '"variants"'),
                *values('"cases/small.out"', '"cases"'),
                root("workspace = 'prompt.hbs'"),
                edit('["variants/base.toml"]', '["variants"]'),
                end("[[spec]]\nsource = 'cases'"),
                variant("slug = 'base'\nreference_implementation = 'prompt.hbs'"),
            ),
            "CAB001": (Change(files={"test-case.toml": None, "test-case.toml/x": "A folder."}),),
        },
        (root("workspace = 'w/'", {"w/a": "Start."}), root("assets = ['w', 'v/b']", {"w/a": "A.", "v/b": "B."})),
    ),
    Sentence(
        "and match its case exactly",
        {
            "CAB204": (
                *values('"prompt.hbs"', '"Prompt.hbs"'),
                *values('"cases/small.out"', '"Cases/small.out"'),
                edit('["variants/base.toml"]', '["variants/Base.toml"]'),
                root("workspace = 'W'", {"w/a": "Start."}),
            )
        },
        (edit('"prompt.hbs"', '"Prompt.hbs"', **{"prompt.hbs": None, "Prompt.hbs": "Add."}),),
    ),
]
