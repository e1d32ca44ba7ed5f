"""Builds that are remembered: by all that is laid into the run root, the commands, and the compilers."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

import msgspec

from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.version import REFERENCE_NAME, Reference, Version
from cabinet_ci.evaluation.build import Built
from cabinet_ci.evaluation.cache.store import Store, digest
from cabinet_ci.evaluation.cache.toolchain import toolchain_of
from cabinet_ci.evaluation.maker import code_in_force
from cabinet_ci.evaluation.result import BuildOutcome
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.runs import CatalogRun
from cabinet_ci.seeding.write import is_script

KIND = "builds"

TOLD = ("RUSTUP_TOOLCHAIN",)
"""Environment variables that choose a compiler."""

SCRIPTS = (".sh", "Makefile", "makefile", ".mk", ".py", ".js", ".mjs")
"""How the names of files end whose words may name programs."""


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """A build that ended well."""

    seconds: float
    log_tail: str
    module: bytes


def key_of(version: Version, reference: Reference) -> str:
    """The key of a reference's build. Raises `CannotRun` for a file that can't be read or a template's fault."""
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through
    table = manifest.build
    files = sorted(_files(version, reference))
    scripts = [content.decode("utf-8", "replace") for name, _, content in files if name.endswith(SCRIPTS)]
    parts: list[bytes | str] = [code_in_force(), table.install, table.build, table.module]
    parts += [toolchain_of([table.install, table.build, *scripts])]
    parts += [f"{name}={os.environ.get(name, '')}" for name in TOLD]
    for name, mode, content in files:
        parts += [name, mode, content]
    return digest(*parts)


def recall_build(store: Store, key: str) -> Built | None:
    """The build of that key, as it ended then; None where it is not known."""
    content = store.get(KIND, key)
    try:
        kept = None if content is None else msgspec.msgpack.decode(content, type=Kept)
    except msgspec.MsgspecError:
        return None
    return None if kept is None else Built(BuildOutcome(True, kept.seconds, kept.log_tail), kept.module)


def keep_build(store: Store, key: str, built: Built) -> None:
    """Remember a build, unless it failed: the next one may fare better."""
    if built.module is not None and built.outcome is not None:
        kept = Kept(built.outcome.seconds, built.outcome.log_tail, built.module)
        store.put(KIND, key, msgspec.msgpack.encode(kept))


def _files(version: Version, reference: Reference) -> Iterator[tuple[str, str, bytes]]:
    """Name, mode and content of all that is laid into the run root, seeded files and those laid over them apart."""
    if not reference.complete:
        variant = version.variant(reference.variant)
        assert variant is not None  # noqa: S101 - a request names only variants that exist
        run = CatalogRun(version, variant)
        for entry in run.plan().entries:
            yield f"seed/{entry.destination}", str(is_script(run, entry)), run.content(entry)
    folder = reference.path.rstrip("/")
    for name in version.tree.below(folder):
        below = name[len(folder) + 1 :]
        if below == REFERENCE_NAME and not reference.complete:
            continue
        path = version.folder / name
        try:
            yield f"reference/{below}", oct(stat.S_IMODE(path.stat().st_mode)), read_bounded(path, JSON_LIMIT)
        except (Unreadable, OSError) as fault:
            reason = fault.reason if isinstance(fault, Unreadable) else str(fault.strerror)
            raise CannotRun(f"{version.path}/{name} {reason}") from None
