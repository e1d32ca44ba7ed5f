"""What an evaluation is doing right now: a live line on a terminal, plain lines elsewhere. Both on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cabinet_ci.evaluation.runner import Observer, Progress
from cabinet_ci.reporting.findings import visible


@contextmanager
def showing_progress() -> Iterator[Observer]:
    """An observer that shows what it is told until the block ends."""
    if not sys.stderr.isatty():
        yield _plain
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as LiveProgress

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with LiveProgress(*columns, console=Console(stderr=True), transient=True) as live:
        task = live.add_task("", total=None)

        def observe(event: Progress) -> None:
            text = f"{visible(event.version)}: {event.stage} {visible(event.subject)}"
            live.update(task, description=text, completed=event.done, total=event.total or None)

        yield observe


def _plain(event: Progress) -> None:
    where, what = visible(event.version), visible(event.subject)
    if event.stage in ("building", "measuring"):
        print(f"{where}: {event.stage} {what}", file=sys.stderr, flush=True)
    elif event.stage == "done":
        known = f", {event.known} of them known from the cache" if event.known else ""
        print(f"{where}: ran {event.done} of {event.total} cases of {what}{known}", file=sys.stderr, flush=True)
