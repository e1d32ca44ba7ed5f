"""A small sound suite, written piece by piece, so that a test shows only what it changes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import tomli

from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.validation import Selection, validate
from tests.support.cases import put
from tests.support.toml import document

SUITE = "test-suites/pong"
VERSION = f"{SUITE}/versions/v1.0.0"
DRAFT = f"{SUITE}/drafts/next"

TABLES: dict[str, dict[str, Any]] = {
    "version.toml": {
        "version": "1.0.0",
        "summary": "Two paddles and a ball.",
        "description": "description.md",
        "changelog": "changelog.md",
    },
    "specifications/ball/specification.toml": {
        "id": "ball",
        "name": "Ball",
        "summary": "How the ball moves.",
        "path": "ball.md",
        "requirement": [
            {
                "id": "speed",
                "kind": "functional",
                "text": "The ball MUST keep its speed.",
                "validators": ["ball/speed.ts"],
            }
        ],
    },
    "specifications/paddle/specification.toml": {
        "id": "paddle",
        "name": "Paddle",
        "summary": "What a paddle looks like.",
        "path": "paddle.md",
        "requirement": [
            {"id": "plain", "kind": "non-functional", "text": "The paddle SHOULD be plain."},
        ],
    },
    "test-cases/end-to-end.toml": {
        "name": "Pong, end to end",
        "type": "end-to-end",
        "difficulty": "easy",
        "engines": ["none"],
        "prompt": "prompts/build.hbs",
        "workspaces": {"none": "workspaces/none"},
        "build": {"install": "npm ci", "build": "npm run build"},
        "toolchain": {"typecheck": "npm run typecheck"},
    },
    "test-cases/paddle-sprite.toml": {
        "name": "A paddle",
        "type": "sprite",
        "difficulty": "easy",
        "specifications": ["paddle"],
        "prompt": "prompts/build.hbs",
        "sprite": {"id": "paddle"},
    },
    "assets/paddle/asset.toml": {
        "id": "paddle",
        "name": "Paddle",
        "kind": "sprite",
        "specification": "paddle",
        "files": ["paddle.png"],
    },
    "debug-api.toml": {
        "handle": "__pong",
        "description": "Looks into a running game.",
        "function": [{"name": "tick"}],
        "module": [{"name": "clock", "path": "clock.ts"}],
    },
    "demos/bounce/demo.toml": {
        "id": "bounce",
        "name": "Bounce",
        "summary": "The ball bounces.",
        "specification": "ball",
    },
    "showcase/showcase.toml": {"media": [{"file": "serve.png", "name": "The serve"}]},
}
"""The TOML files of a tree, by name."""

TEXTS: dict[str, str] = {
    "description.md": "Two paddles and a ball.\n",
    "changelog.md": "First version.\n",
    "specifications/ball/specification.md": "The ball moves in a straight line.\n",
    "specifications/paddle/specification.md": "A paddle is a bar.\n",
    "prompts/build.hbs": "Work in {{workspace}}.{{#each specifications}} Read {{path}}.{{/each}}\n",
    "workspaces/none/index.ts": "export {};\n",
    "assets/paddle/paddle.png": "a picture\n",
    "validators/ball/speed.ts": "export const keepsSpeed = true;\n",
    "validators/ball/speed.test.ts": "export {};\n",
    "validators/vitest.config.ts": "export {};\n",
    "validators/debug-api.ts": "export {};\n",
    "reference-implementations/none/index.ts": "export {};\n",
    "debug-api/clock.ts": "export const tick = () => {};\n",
    "showcase/showcase.md": "A look at the game.\n",
    "showcase/serve.png": "a picture\n",
}
"""The other files of a tree, by name."""

SUITE_TABLE = {"slug": "pong", "name": "Pong"}


def write_suite_file(root: Path, **changes: Any) -> None:
    """The suite's own file, with some keys changed."""
    put(root / SUITE / "suite.toml", document(SUITE_TABLE | changes))


def write_pong(root: Path, path: str = VERSION) -> Path:
    """A suite with one tree, an exported version or a draft, and the tree's folder."""
    write_suite_file(root)
    folder = root / path
    for name, values in TABLES.items():
        put(folder / name, document(values))
    name = folder.name.removeprefix("v")
    if "/drafts/" in path:
        put(folder / "draft.toml", "")
        change(folder, "version.toml", version=None)
    elif name[0].isdigit():
        change(folder, "version.toml", version=name)
    for name, text in TEXTS.items():
        put(folder / name, text)
    return folder


def change(folder: Path, name: str, /, **changes: Any) -> None:
    """Give keys of a TOML file of a tree other values; None removes one."""
    values = TABLES.get(name, {}) | changes
    put(folder / name, document({key: value for key, value in values.items() if value is not None}))


def merge(folder: Path, name: str, fragment: str) -> None:
    """Write a file; a fragment of a TOML file that the sound suite has stands for the whole with these keys."""
    sound = SUITE_TABLE if name.endswith("suite.toml") else TABLES.get(name.split("versions/v1.0.0/")[-1])
    if sound is not None:
        with contextlib.suppress(tomli.TOMLDecodeError):
            fragment = document(sound | tomli.loads(fragment))
    put(folder / name, fragment)


def findings(root: Path, *paths: Path, config: Config | None = None) -> list[Diagnostic]:
    """What `validate` finds."""
    return list(validate(root, config or Config(), paths, Selection()).diagnostics)


def told(root: Path, config: Config | None = None) -> list[str]:
    """Findings as `CODE FILE:LINE`, the file from its tree; without a line where there is none."""
    return [brief(one) for one in findings(root, config=config)]


def brief(found: Diagnostic) -> str:
    """A finding in short."""
    path = found.path
    for tree in (VERSION, DRAFT, SUITE):
        path = path.removeprefix(tree + "/")
    return f"{found.code} {path}" if found.line is None else f"{found.code} {path}:{found.line}"
