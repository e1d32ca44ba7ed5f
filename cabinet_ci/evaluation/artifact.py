"""The artifact of an untrusted run: a packed folder of result documents, opened with limits."""

from __future__ import annotations

import io
import zipfile
import zlib

from cabinet_ci.evaluation.integrity import first_fault
from cabinet_ci.evaluation.reading import RESULT_LIMIT, decode_document
from cabinet_ci.evaluation.result import ResultDocument
from cabinet_ci.failure import CannotRun

RESULT_NAME = "result.json"
PREVIOUS_NAME = "previous.json"

MEMBER_LIMIT = 100
"""Files that an artifact may hold; two are looked at."""


def read_artifact(packed: bytes, catalog: str) -> tuple[ResultDocument, tuple[ResultDocument, ...]]:
    """The result document of an artifact, and those of earlier versions that lie beside it.

    Nothing is unpacked to disk, and no name in it is followed. Raises `CannotRun` for anything but a sound archive with
    a sound result.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            members = archive.infolist()
            if len(members) > MEMBER_LIMIT:
                raise CannotRun(f"the artifact holds more than {MEMBER_LIMIT} files", "it is not opened")
            found = {name: _member(archive, name) for name in (RESULT_NAME, PREVIOUS_NAME)}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise CannotRun(f"the artifact is no sound archive: {error}", "run the workflow again") from None
    result, previous = found[RESULT_NAME], found[PREVIOUS_NAME]
    if result is None:
        raise CannotRun(f"the artifact holds no {RESULT_NAME}", "upload what `check --output` wrote")
    document = _document(result, RESULT_NAME, catalog)
    return document, (_document(previous, PREVIOUS_NAME, catalog),) if previous is not None else ()


def _member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    found = [member for member in archive.infolist() if member.filename == name]
    if not found:
        return None
    # The size in the archive's list is only a claim.
    with archive.open(found[0]) as file:
        content = file.read(RESULT_LIMIT + 1)
    if len(content) > RESULT_LIMIT:
        raise CannotRun(f"{name} is larger than {RESULT_LIMIT // 2**20} MiB", "it is not read")
    return content


def _document(source: bytes, name: str, catalog: str) -> ResultDocument:
    document = decode_document(source, name, ResultDocument, "a result document")
    lie = first_fault(document, catalog)
    if lie is not None:
        raise CannotRun(f"{name} can't be true: {lie}", "it is not posted")
    return document
