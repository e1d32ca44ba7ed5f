"""An evaluation as a table that a person reads at a glance."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cabinet_ci.evaluation.calibration import Calibration, gaps_of
from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run, VersionResult
from cabinet_ci.reporting.calibration_text import advice, gap_table, warning_lines
from cabinet_ci.reporting.figures import bar, percent
from cabinet_ci.reporting.findings import visible

BAR_CELLS = 20
"""Width of a bar that is full at the ceiling."""

LOG_LINES_SHOWN = 15

WIDTH = 118
"""Columns of the report where no terminal says how wide it is."""

_OUTCOME_STYLES = {"pass": "green", "over-ceiling": "yellow", "not-run": "dim"}


def as_text(
    document: ResultDocument,
    calibrations: Mapping[str, Calibration] | None = None,
    *,
    suggest: bool = False,
    colour: bool = False,
    width: int | None = None,
) -> str:
    """The whole result: per version and reference the status, the score, and the cases; of smoke cases those that fail.

    `calibrations`, by the version's path, add their warnings and, with `suggest`, what the limits could be.
    """
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width or WIDTH,
        force_terminal=colour,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
    )
    for version in document.versions:
        console.print(_version(version, (calibrations or {}).get(version.path), suggest))
    console.print(_verdict(document))
    # Cells are padded to their column's width; nobody wants that at the end of a line.
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def verdict_line(document: ResultDocument) -> str:
    """How many references did as expected, on one line."""
    runs = [run for version in document.versions for run in version.runs]
    expected = sum(run.as_expected for run in runs)
    noun = "reference" if len(runs) == 1 else "references"
    if expected == len(runs):
        return f"{len(runs)} {noun} evaluated, all as expected"
    return f"{len(runs)} {noun} evaluated, {len(runs) - expected} not as expected"


def _verdict(document: ResultDocument) -> Text:
    return Text(verdict_line(document), style="bold green" if document.as_expected else "bold red")


def _version(version: VersionResult, calibration: Calibration | None, suggest: bool) -> RenderableType:
    title = Text.assemble((f"{visible(version.slug)} {version.version}", "bold"), f"  {visible(version.path)}")
    parts: list[RenderableType] = [title, Text()]
    for run in version.runs:
        parts += [_heading(run), *_details(run), Text()]
    gap = gap_table(tuple(gaps_of(version)) if calibration is None else calibration.gaps)
    if gap is not None:
        parts += [gap, Text()]
    if calibration is not None:
        parts += [advice(calibration)] if suggest else []
        parts += [*warning_lines(calibration), Text()] if calibration.warnings else []
        if calibration.stopped and not suggest and not all(run.as_expected for run in version.runs):
            parts += [Text("--suggest measures what a case needs that ran out of fuel", style="dim"), Text()]
    return Group(*parts)


def _heading(run: Run) -> Text:
    name = "module" if run.reference is None else visible(run.reference)
    score = "no score" if run.score is None else f"score {run.score:,}"
    verdict = (" as expected", "green") if run.as_expected else (f" NOT as expected ({run.expect})", "bold red")
    style = _OUTCOME_STYLES.get(run.status, "red")
    variant = (f"  variant {run.variant}", "dim")
    return Text.assemble((name, "bold"), variant, "  ", (run.status, style), f", {score},", verdict)


def _details(run: Run) -> Iterator[RenderableType]:
    if run.build is not None and not run.build.ok:
        reason = next((case.detail for case in run.cases if case.detail), "the build failed")
        yield Padding(Text(visible(reason), style="red"), (0, 0, 0, 2))
        for line in telling_lines(run.build.log_tail):
            yield Padding(Text(visible(line.expandtabs()), style="dim"), (0, 0, 0, 4))
        return
    smoke = [case for case in run.cases if case.kind == "smoke"]
    if smoke:
        failed = [case for case in smoke if case.outcome != "pass"]
        yield Padding(_smoke_line(len(smoke), len(failed)), (0, 0, 0, 2))
        # Their fuel is not scored: one that passes has nothing more to say.
        if failed:
            yield Padding(_cases("smoke", failed), (0, 0, 0, 2))
    stress = [case for case in run.cases if case.kind == "stress"]
    if stress:
        yield Padding(_cases("stress", stress), (0, 0, 0, 2))


def _smoke_line(count: int, failed: int) -> Text:
    noun = "smoke case" if count == 1 else "smoke cases"
    if failed:
        return Text(f"{count - failed} of {count} {noun} pass", style="red")
    return Text("1 smoke case passes" if count == 1 else f"all {count} {noun} pass", style="green")


def telling_lines(log: str) -> list[str]:
    """The lines of a build's output to show: from the first that starts an error, else the last ones."""
    lines = log.splitlines()
    first = next((index for index, line in enumerate(lines) if line.startswith("error")), None)
    if first is None or len(lines) - first <= LOG_LINES_SHOWN:
        start = max(0, len(lines) - LOG_LINES_SHOWN)
        before = [f"... {start} lines before this"] if start else []
        return [*before, *lines[start:]]
    rest = len(lines) - first - LOG_LINES_SHOWN
    return [*lines[first : first + LOG_LINES_SHOWN], f"... {rest} more lines; --format json has them"]


def _cases(kind: str, cases: list[CaseResult]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style="dim", expand=False)
    table.add_column(kind, no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("fuel", justify="right", no_wrap=True)
    # A smoke case's fuel is not scored: it gets no bar to be read as one.
    if kind == "stress":
        table.add_column("of the ceiling", no_wrap=True)
    table.add_column("", overflow="fold")
    for case in cases:
        outcome = Text(case.outcome, style=_OUTCOME_STYLES.get(case.outcome, "red"))
        fuel = "" if case.fuel is None else f"{case.fuel:,}"
        row: list[RenderableType] = [Text(visible(case.input)), outcome, fuel]
        if kind == "stress":
            row.append(_bar(case))
        table.add_row(*row, Text(visible(case.detail), style="dim"))
    return table


def _bar(case: CaseResult) -> Text:
    if case.fuel is None:
        return Text()
    share = case.fuel / case.fuel_limit
    drawn = bar(share, BAR_CELLS)
    full = drawn.rstrip("░")
    style = "green" if case.fuel <= case.fuel_limit else "yellow"
    return Text.assemble((full, style), (drawn[len(full) :], "dim"), f" {percent(share)}")
