"""Which compilers a build would use, as far as can be told without running it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache

from cabinet_ci.evaluation.build import build_environment

COMPANIONS = {
    "cargo": ("rustc", "rust-lld", "lld", "wasm-ld"),
    "rustc": ("rust-lld", "lld", "wasm-ld"),
    "clang": ("wasm-ld", "lld"),
    "npm": ("node",),
    "npx": ("node",),
}
"""Programs that others start without being asked to by name."""

ASKED_SECONDS = 20.0


def toolchain_of(texts: Iterable[str]) -> str:
    """What the commands and scripts in `texts` would start, one program a line.

    Told are each word that is the name of a program on PATH, those it is known to start, and for Rust, which may lie
    behind a proxy, what the compiler says of itself. A program is known by where it really lies, its size and when it
    was changed. What those load or download in turn is not seen: `--no-cache` builds afresh.
    """
    words = {word for text in texts for word in re.findall(r"[\w.+/-]+", text)}
    names = words | {companion for word in words for companion in COMPANIONS.get(os.path.basename(word), ())}
    return "\n".join(line for name in sorted(names) for line in _told(name))


@cache
def _told(name: str) -> tuple[str, ...]:
    found = shutil.which(name, path=build_environment().get("PATH"))
    if found is None:
        return ()
    return tuple(_lines(name, found))


def _lines(name: str, found: str) -> Iterator[str]:
    real = os.path.realpath(found)
    try:
        about = os.stat(real)
    except OSError:
        return
    yield f"{name} {real} {about.st_size} {about.st_mtime_ns}"
    if os.path.basename(name) == "rustc":
        yield _said(found)


def _said(rustc: str) -> str:
    """The version and commit of the compiler, empty where it does not answer."""
    try:
        done = subprocess.run(
            [rustc, "-vV"],
            capture_output=True,
            env=build_environment(),
            stdin=subprocess.DEVNULL,
            timeout=ASKED_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")
