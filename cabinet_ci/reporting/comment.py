"""The comment of a pull request, and the job summary: one verdict, the findings, a table per version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import msgspec

from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.evaluation.result import ResultDocument, VersionResult
from cabinet_ci.reporting.comparison import Lineage
from cabinet_ci.reporting.escaping import Markdown, Place, code, prose
from cabinet_ci.reporting.figures import count
from cabinet_ci.reporting.templating import rendered
from cabinet_ci.reporting.version_tables import cases, overview

MARKER = "<!-- cabinet-ci: comment -->"
"""The first line of the comment, by which it is found again. No text of a repository can spell it."""

COMMENT_LIMIT = 65_536
"""Characters of a comment that GitHub takes; here bytes are counted, which are never fewer."""

SUMMARY_LIMIT = 1024 * 1024
"""Bytes of a job summary that GitHub takes."""

_RESERVE = 3_000
"""Bytes kept for what frames the parts: marker, verdict, headings and what was cut."""

_LOST_SHOWN = 10

_FINDINGS_UNFOLDED = 10
"""Findings that are seen at once; where there are more, those after them are folded."""


class _Frame(msgspec.Struct, frozen=True, kw_only=True):
    marker: str
    sign: str
    verdict: str
    notice: str = ""
    lost: str = ""
    has_findings: bool = False
    findings: str = ""
    findings_folded: str = ""
    findings_told: str = ""
    findings_cut: str = ""
    versions: tuple[str, ...] = ()
    versions_cut: str = ""
    more: str = ""
    about: str = ""


class _Finding(msgspec.Struct, frozen=True, kw_only=True):
    sign: str
    link: str
    place: Markdown
    code: str
    message: Markdown
    hint: Markdown | None


def as_comment(
    document: ResultDocument,
    earlier: Sequence[ResultDocument] = (),
    place: Place | None = None,
    more: str = "",
    ended: str = "",
) -> str:
    """The body of the comment, its first line being `MARKER`, never larger than `COMMENT_LIMIT`.

    `earlier` are results to compare with, `place` is where lines are linked to, and `more` the address of the job
    whose summary holds what had to be cut. `ended` is how the run ended that made the document, where it failed: then
    the verdict is never that all is well.
    """
    return _composed(document, earlier, place, COMMENT_LIMIT, MARKER, more, ended)


def as_refusal(why: str, place: Place | None = None, more: str = "") -> str:
    """The body of the comment where there is no result that can be told, with the reason."""
    frame = _Frame(
        marker=MARKER,
        sign="❌",
        verdict="cabinet-ci has no result",
        notice=prose(why),
        more="" if not more else f"The {_linked('run', more)} has more.",
        about=_about(None, place),
    )
    return rendered("comment", frame)


def as_summary(document: ResultDocument, earlier: Sequence[ResultDocument] = (), place: Place | None = None) -> str:
    """The same for the job's summary, which may be sixteen times as long."""
    return _composed(document, earlier, place, SUMMARY_LIMIT, "", "", "")


def verdict_of(document: ResultDocument) -> str:
    """The verdict on one line, without a text of the repository in it."""
    parts = []
    if document.findings is not None:
        summary = document.findings.summary
        checked = f"{count(summary.checked, 'version')} checked"
        found = f"{count(summary.errors, 'error')}, {count(summary.warnings, 'warning')}"
        parts.append(f"{checked}: {found}" if document.findings.diagnostics else f"{checked}, nothing found")
    if document.versions:
        runs = document.runs
        wrong = sum(not run.as_expected for run in runs)
        told = "all as expected" if not wrong else f"{wrong:,} not as expected"
        parts.append(f"{count(len(runs), 'reference')} evaluated, {told}")
    if document.lost:
        parts.append(f"{count(len(document.lost), 'version')} without a result")
    return ("passed" if document.passed else "failed") + (f": {'; '.join(parts)}" if parts else ": nothing evaluated")


def _composed(
    document: ResultDocument,
    earlier: Sequence[ResultDocument],
    place: Place | None,
    limit: int,
    marker: str,
    more: str,
    ended: str,
) -> str:
    lineage = Lineage(document, earlier)
    lost = _lost(document)
    room = _Room(limit - _RESERVE - len(more.encode()) - len(lost.encode()))
    share = _Room(limit // 2, within=room)
    ordered = sorted(document.versions, key=_is_as_expected)
    found = sorted(document.findings.diagnostics if document.findings else (), key=lambda one: one.severity)

    # What matters most takes its room first; where each part stands in the comment is another matter.
    tables: dict[str, str] = {}
    _add_tables(tables, [version for version in ordered if not _is_as_expected(version)], lineage, share)
    share = _Room(limit // 2, within=room)
    findings = list(_fitting([one for one in found if one.severity == "error"], place, share))
    _add_tables(tables, ordered, lineage, room)
    findings += _fitting(found[len(findings) :], place, share)
    left_out = 0
    for kind in ("stress", "smoke"):
        for version in ordered:
            if version.path in tables and (details := cases(version, kind, lineage)):
                text = room.take("\n" + details)
                left_out += not text
                tables[version.path] += text

    cut = len(found) - len(findings)
    versions_cut = len(ordered) - len(tables)
    frame = _Frame(
        marker=marker,
        sign="✅" if document.passed and not ended else "❌",
        verdict=f"cabinet-ci {verdict_of(document)}"
        if not (ended and document.passed)
        else "cabinet-ci did not finish",
        notice=_doubt(document, ended, more),
        lost=lost,
        has_findings=bool(found),
        findings="\n".join(findings[:_FINDINGS_UNFOLDED]),
        findings_folded="\n".join(findings[_FINDINGS_UNFOLDED:]),
        findings_told=count(len(found) - _FINDINGS_UNFOLDED, "more finding"),
        findings_cut=f"and {count(cut, 'more finding')}" if cut else "",
        versions=tuple(tables[version.path].rstrip("\n") for version in ordered if version.path in tables),
        versions_cut=f"and {count(versions_cut, 'more version')}" if versions_cut else "",
        more=_where_more_is(cut + versions_cut, left_out, more, is_summary=not marker),
        about=_about(document, place),
    )
    return rendered("comment", frame)


class _Room:
    """Bytes that are left, of its own and of the room that it is within."""

    def __init__(self, size: int, within: _Room | None = None) -> None:
        self.left = size
        self.within = within

    def take(self, text: str) -> str:
        """The text, if there is room for it; else nothing."""
        size = len(text.encode()) + 2
        if self.left < size or (self.within is not None and not self.within.take(text)):
            return ""
        self.left -= size
        return text


def _add_tables(tables: dict[str, str], versions: Sequence[VersionResult], lineage: Lineage, room: _Room) -> None:
    for version in versions:
        if version.path not in tables and (text := room.take(overview(version, lineage))):
            tables[version.path] = text


def _fitting(found: Sequence[Diagnostic], place: Place | None, room: _Room) -> Iterator[str]:
    for one in found:
        text = room.take(_finding(one, place))
        if not text:
            return
        yield text


def _finding(found: Diagnostic, place: Place | None) -> str:
    where = found.path
    if found.line is not None:
        where += f":{found.line}" + (f":{found.column}" if found.column is not None else "")
    view = _Finding(
        sign="❌" if found.severity == "error" else "⚠️",
        link="" if place is None else place.link(found.path, found.line),
        place=code(where, 400),
        code=found.code,
        message=prose(found.message),
        hint=None if not found.hint else prose(found.hint),
    )
    return rendered("finding", view).rstrip("\n")


def _is_as_expected(version: VersionResult) -> bool:
    return all(run.as_expected for run in version.runs)


def _lost(document: ResultDocument) -> str:
    if not document.lost:
        return ""
    named = ", ".join(code(path, 200) for path in document.lost[:_LOST_SHOWN])
    rest = len(document.lost) - _LOST_SHOWN
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"**No result** came back for {named}{more}: the job that evaluates them was lost. Run it again."


def _where_more_is(cut: int, details: int, address: str, *, is_summary: bool) -> str:
    """What the reader is told where something had to be left out."""
    if not cut and not details:
        return ""
    told = "Not everything fits here" + (f"; {count(details, 'table')} of cases left out" if details else "")
    if is_summary:
        return f"{told}. The result document has the rest."
    return f"{told}. The {_linked('job summary', address)} has more."


def _doubt(document: ResultDocument, ended: str, address: str) -> str:
    """What is said of a result that passed in a run that did not: one of them can't be right."""
    if not ended or not document.passed:
        return ""
    return (
        f"The {_linked('run', address)} ended with {code(ended)}, and yet its result has no fault:"
        f" {verdict_of(document)}. Trust it only after you have looked at the run."
    )


def _about(document: ResultDocument | None, place: Place | None) -> str:
    """Which commit it is about, and what measured it."""
    parts = []
    if place is not None:
        parts.append(f'commit <a href="{place.commit_link}">{code(place.commit[:12])}</a>')
    if document is not None:
        tool, engine = document.tool, document.engine
        parts.append(f"cabinet-ci {code(tool.version, 40)}")
        parts.append(f"{code(engine.name, 40)} {code(engine.version, 40)}")
    return f"<sub>{', '.join(parts)}</sub>" if parts else ""


def _linked(text: str, address: str) -> str:
    return f'<a href="{escape(address, quote=True)}">{text}</a>' if address else text
