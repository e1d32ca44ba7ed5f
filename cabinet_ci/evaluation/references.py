"""A version's references as they lie on disk: seeded, laid over, built; and the files that its cases name."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.version import REFERENCE_NAME, Reference, Variant, Version
from cabinet_ci.evaluation.build import Built, build
from cabinet_ci.evaluation.sandbox.calls import MODULE_LIMIT
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.runs import CatalogRun
from cabinet_ci.seeding.write import write_seed


def build_reference(version: Version, reference: Reference) -> Built:
    """Seed a run root, lay the reference over it and build. Raises `CannotRun` for a missing compiler."""
    variant, manifest = version.variant(reference.variant), version.performance
    assert variant is not None  # noqa: S101 - a request names only variants that exist
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through

    def named_at() -> str:
        line, _ = version.document.value_at(("build", "module"))
        return f"[build].module, {version.path}/{version.document.path}:{line}"

    with _run_root(version, variant, reference) as run_root:
        return build(manifest.build, run_root, MODULE_LIMIT, named_at)


def read_declared(version: Version, path: str) -> bytes:
    """A file that the manifest names. Raises `CannotRun` where it can't be read."""
    try:
        return read_bounded(version.folder / path, JSON_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{version.path}/{path} {fault.reason}", f"run `cabinet-ci validate {version.path}`") from None


@contextmanager
def _run_root(version: Version, variant: Variant, reference: Reference) -> Iterator[Path]:
    """A temporary run root: the seeded tree with the reference laid over it, or a complete one by itself."""
    with tempfile.TemporaryDirectory(prefix="cabinet-ci-", ignore_cleanup_errors=True) as folder:
        run_root = Path(folder) / "run"
        run_root.mkdir()
        if not reference.complete:
            run = CatalogRun(version, variant)
            write_seed(run, run.plan(), run_root)
        for name in version.tree.below(reference.path.rstrip("/")):
            destination = name[len(reference.path.rstrip("/")) + 1 :]
            if destination == REFERENCE_NAME and not reference.complete:
                continue
            target = run_root / destination
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(read_bounded(version.folder / name, JSON_LIMIT))
                target.chmod((version.folder / name).stat().st_mode & 0o777 | 0o600)
            except Unreadable as fault:
                raise CannotRun(f"{version.path}/{name} {fault.reason}") from None
            except OSError:
                clash = "a file lies where the other needs a folder"
                raise CannotRun(f"{version.path}/{name} can't be laid over the seeded tree", clash) from None
        yield run_root
