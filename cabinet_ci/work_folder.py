"""Folders that appear whole or not at all: filled where nobody looks, and given their name in one step."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

IN_GIT = "cabinet-ci"
"""The folder of unfinished work inside git's own folder, which neither git nor a check of the catalog looks into."""

IN_TREE = ".cabinet-ci-work"
"""The same at the root, where there is no git folder on the file system of the working tree."""


@contextmanager
def work_folder(root: Path, git_dir: Path | None, target: Path) -> Iterator[Path]:
    """An empty folder to fill, which becomes `target` when the block ends well and is gone when it does not.

    What a run that was killed left behind is removed by the next one. Raises `OSError`.
    """
    above = _place(root, git_dir, target)
    above.mkdir(exist_ok=True)
    _remove_dead(above)
    if above.name == IN_TREE:
        (above / ".gitignore").write_text("*\n", encoding="ascii")
    folder = Path(tempfile.mkdtemp(dir=above))
    lock = os.open(folder, os.O_RDONLY)
    try:
        # The lock ends with this process, however that ends: a folder without one is nobody's any more.
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
        folder.rename(target)
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        _remove_if_done(above)


def _place(root: Path, git_dir: Path | None, target: Path) -> Path:
    """Renaming works within one file system alone, and git's folder may be on another."""
    if git_dir is not None and git_dir.is_dir() and git_dir.stat().st_dev == _nearest(target.parent).stat().st_dev:
        return git_dir / IN_GIT
    return root / IN_TREE


def _nearest(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _remove_dead(above: Path) -> None:
    for folder in above.iterdir():
        if folder.is_symlink() or not folder.is_dir():
            continue
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _remove_if_done(above: Path) -> None:
    with suppress(OSError):
        if above.name == IN_TREE and all(entry.name == ".gitignore" for entry in above.iterdir()):
            (above / ".gitignore").unlink()
            above.rmdir()
