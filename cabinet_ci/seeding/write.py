"""Write a seed plan to disk: exactly what a run receives, whole or not at all."""

from __future__ import annotations

import os
import posixpath
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from cabinet_ci.catalog.files import Unreadable, open_regular
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.plan import SeedEntry, SeedPlan
from cabinet_ci.seeding.runs import Run
from cabinet_ci.seeding.soundness import require_inside

SEED_LIMIT = 2 * 1024**3
"""Bytes that a run may receive in all; no test case comes near."""

PART = 1024**2
"""Bytes that are copied at a time."""

INTERRUPTING = ("SIGTERM", "SIGHUP")
"""Signals that end a process, and that it is given the time to tidy up after, as after Ctrl-C."""


def seed(run: Run, plan: SeedPlan, output: Path) -> None:
    """Make `output`, which is empty or absent, the tree that a run receives.

    The tree is written under a name of its own and put in its place once it is whole: beside an output that is absent,
    inside one that is there, which may be all that can be written. Raises `CannotRun` for an output that is none of
    this, that lies in the version, or that can't be written, and for a file or template of the plan.
    """
    _check_output(run, output)
    try:
        with _interruptible():
            if output.is_dir():
                _fill(run, plan, output)
            else:
                _create(run, plan, output)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CannotRun(f"{output} can't be written", reason.lower()) from None


def _create(run: Run, plan: SeedPlan, output: Path) -> None:
    missing = [parent for parent in output.parents if not parent.exists()]
    staging: Path | None = None
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{output.name[:50]}-", dir=output.parent))
        write_seed(run, plan, staging)
        staging.chmod(0o777 & ~_umask())
        staging.rename(output)
    except BaseException:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()
        raise


def _fill(run: Run, plan: SeedPlan, output: Path) -> None:
    staging = Path(tempfile.mkdtemp(prefix=".seed-", dir=output))
    try:
        write_seed(run, plan, staging)
        for path in sorted(staging.iterdir()):
            path.rename(output / path.name)
        staging.rmdir()
    except BaseException:
        # The folder was empty: all that is in it now was begun here.
        for path in output.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        raise


def write_seed(run: Run, plan: SeedPlan, directory: Path) -> None:
    """Write every file of the plan below `directory`; scripts keep their mode.

    Raises `CannotRun` for a template that does not render, a file that can't be read or two files on one place.
    """
    sizes = [0 if entry.rendered else size_of(run, entry) for entry in plan.entries]
    require_bounded(run, sum(sizes))
    for entry in plan.entries:
        require_inside(run.place, entry.source, entry.destination)
        target = directory / posixpath.normpath(entry.destination)
        if os.path.lexists(target):
            raise CannotRun(
                f"{run.place}: two seeded files land on {entry.destination}", f"run `cabinet-ci validate {run.place}`"
            )
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if entry.rendered:
                target.write_bytes(run.content(entry))
            else:
                _copy(run.folder / entry.source, target)
        except Unreadable as fault:
            raise CannotRun(f"{run.place}/{entry.source} {fault.reason}", "let it be a file that can be read") from None
        except OSError as error:
            reason = str(error.strerror).lower()
            raise CannotRun(f"{run.place}: {entry.destination} can't be written", reason) from None
        if is_script(run, entry):
            target.chmod(0o755)


def _copy(source: Path, target: Path) -> None:
    with open_regular(source) as (descriptor, _), target.open("xb") as file:
        while part := os.read(descriptor, PART):
            file.write(part)


def size_of(run: Run, entry: SeedEntry) -> int:
    """Bytes of the file that an entry is made from."""
    return (run.folder / entry.source).stat().st_size


def require_bounded(run: Run, size: int) -> None:
    """Raise `CannotRun` where a run would receive more bytes than any needs."""
    if size > SEED_LIMIT:
        raise CannotRun(f"{run.place}: a run would receive more than {SEED_LIMIT // 1024**3} GiB", "seed less")


def is_script(run: Run, entry: SeedEntry) -> bool:
    """Whether a seeded file may be run as a program, as its owner's rights say."""
    return bool((run.folder / entry.source).stat().st_mode & stat.S_IXUSR)


def _check_output(run: Run, output: Path) -> None:
    if output.is_symlink():
        raise CannotRun(f"{output} is a link", "name a folder that is empty or does not exist")
    if os.path.lexists(output) and not output.is_dir():
        raise CannotRun(f"{output} is no folder", "name a folder that is empty or does not exist")
    real, version = Path(os.path.realpath(output)), Path(os.path.realpath(run.folder))
    if real.is_relative_to(version):
        raise CannotRun(f"{output} lies in {run.place}", "name a folder outside of it")
    if not output.is_dir():
        return
    if next(os.scandir(output), None) is not None:
        raise CannotRun(f"{output} is not empty", "name a folder that is empty or does not exist")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let signals that end the process pass through as an interrupt, so that what was begun is removed."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in INTERRUPTING:
            with suppress(AttributeError):
                number = getattr(signal, name)
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
