"""The artifact of an untrusted run: a packed folder of result documents, opened with limits."""

from __future__ import annotations

import io
import zipfile
import zlib

from cabinet_ci.evaluation.reading import RESULT_LIMIT, one_line, sound_result
from cabinet_ci.evaluation.result import ResultDocument
from cabinet_ci.failure import CannotRun

RESULT_NAME = "result.json"
PREVIOUS_NAME = "previous.json"

MEMBER_LIMIT = 100
"""Files that an artifact may hold; two are looked at."""

COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a file may be packed, as GitHub packs it; others ask for memory before a byte is read."""


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
        raise CannotRun(f"the artifact is no sound archive: {one_line(error)}", "run the workflow again") from None
    result, previous = found[RESULT_NAME], found[PREVIOUS_NAME]
    if result is None:
        raise CannotRun(f"the artifact holds no {RESULT_NAME}", "upload what `check --output` wrote")
    document = sound_result(result, RESULT_NAME, catalog)
    return document, (sound_result(previous, PREVIOUS_NAME, catalog),) if previous is not None else ()


def _member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    found = [member for member in archive.infolist() if member.filename == name]
    if not found:
        return None
    if found[0].compress_type not in COMPRESSIONS:
        raise CannotRun(f"{name} is packed in a way that GitHub does not pack", "it is not opened")
    # The size in the archive's list is only a claim.
    with archive.open(found[0]) as file:
        content = file.read(RESULT_LIMIT + 1)
    if len(content) > RESULT_LIMIT:
        raise CannotRun(f"{name} is larger than {RESULT_LIMIT // 2**20} MiB", "it is not read")
    return content
