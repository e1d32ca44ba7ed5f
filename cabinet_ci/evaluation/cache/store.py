"""A folder of entries named by what they are made of; each is verified before it is used, and any may be missing."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

MAGIC = b"cabinet-ci 1\n"
SEAL_BYTES = 32

ENTRY_LIMIT = 256 * 1024 * 1024
"""Bytes of one entry."""

STORE_LIMIT = 1024 * 1024 * 1024
"""Bytes of all entries; those used last stay."""

VARIABLE = "CABINET_CI_CACHE"
"""Names the folder; `off` keeps nothing."""


def digest(*parts: bytes | str) -> str:
    """A key: SHA-256 of the parts, each with its length, so that no two lists of parts are one."""
    whole = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        whole.update(b"%d:" % len(content))
        whole.update(content)
    return whole.hexdigest()


class Store:
    """Entries by kind and key. One without a folder remembers nothing.

    Two runs may use it at once: an entry appears whole or not at all. A broken entry is as none. Whoever may write to
    the folder may forge what is in it, so one that others may write to is not used; native code, which would be run,
    is sealed with a secret that lies elsewhere, and so is taken only where this user wrote it on this machine.
    """

    def __init__(self, folder: Path | None, secret: bytes | None = None) -> None:
        self._folder = folder
        self._secret = secret
        self._grew = False

    @property
    def keeps_code(self) -> bool:
        """Whether native code can be kept."""
        return self._folder is not None and self._secret is not None

    def get(self, kind: str, key: str) -> bytes | None:
        """The content of an entry, or None."""
        return self._read(kind, key, b"")

    def put(self, kind: str, key: str, content: bytes) -> None:
        """Keep an entry, if that can be done."""
        self._write(kind, key, content, b"")

    def get_code(self, key: str) -> bytes | None:
        """Native code, or None where there is none that was sealed with this user's secret."""
        return None if self._secret is None else self._read("code", key, self._secret)

    def put_code(self, key: str, content: bytes) -> None:
        """Keep native code, if that can be done."""
        if self._secret is not None:
            self._write("code", key, content, self._secret)

    def prune(self) -> None:
        """Remove what was used longest ago, where there is too much."""
        if self._folder is None or not self._grew:
            return
        entries = sorted(_entries(self._folder))
        size = sum(size for _, size, _ in entries)
        for _, length, path in entries:
            if size <= STORE_LIMIT:
                return
            with contextlib.suppress(OSError):
                os.unlink(path)
            size -= length

    def _path(self, kind: str, key: str) -> Path | None:
        return None if self._folder is None else self._folder / kind / key[:2] / key

    def _read(self, kind: str, key: str, secret: bytes) -> bytes | None:
        path = self._path(kind, key)
        if path is None:
            return None
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError:
            return None
        with contextlib.suppress(OSError), os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if stat.S_ISREG(about.st_mode) and about.st_size <= ENTRY_LIMIT:
                whole = file.read(ENTRY_LIMIT)
                content = whole[len(MAGIC) + SEAL_BYTES :]
                if hmac.compare_digest(whole[: len(MAGIC) + SEAL_BYTES], _head(kind, key, content, secret)):
                    os.utime(path)
                    return content
        with contextlib.suppress(OSError):
            os.unlink(path)
        return None

    def _write(self, kind: str, key: str, content: bytes, secret: bytes) -> None:
        path = self._path(kind, key)
        head = _head(kind, key, content, secret)
        if path is None or len(head) + len(content) > ENTRY_LIMIT:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(prefix=".", dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(head)
                    file.write(content)
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise
            self._grew = True


def open_store(environment: Mapping[str, str] = os.environ) -> tuple[Store, str]:
    """The store that the environment names, or the user's own, and why it is not used, empty where it is."""
    named = environment.get(VARIABLE, "")
    if named == "off":
        return Store(None), ""
    try:
        folder, state = _folders(named)
        reason = _why_not(folder)
        if reason:
            return Store(None), f"the cache {folder} is not used: {reason}"
        return Store(folder, _secret(state)), ""
    except (OSError, RuntimeError):
        return Store(None), f"the cache {named} can't be used" if named else ""


def _folders(named: str) -> tuple[Path, Path]:
    import platformdirs

    folder = Path(named).absolute() if named else platformdirs.user_cache_path("cabinet-ci", appauthor=False)
    return folder, platformdirs.user_state_path("cabinet-ci", appauthor=False)


def _why_not(folder: Path) -> str:
    """Why a folder can't be trusted; it is made where it is not there. Raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode):
        return "it is no folder"
    if sys.platform != "win32":
        if about.st_uid != os.getuid():
            return "it belongs to another user"
        if about.st_mode & 0o022:
            return f"others may write to it; run `chmod go-w {folder}`"
    return ""


def _secret(state: Path) -> bytes | None:
    """This user's secret on this machine, made at the first use; None where there can't be one."""
    path = state / "seal"
    with contextlib.suppress(OSError):
        if not path.exists():
            state.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=state)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(SEAL_BYTES))
            with contextlib.suppress(FileExistsError):
                os.link(temporary, path)
            os.unlink(temporary)
        if not _why_not(state):
            secret = path.read_bytes()
            return secret if len(secret) == SEAL_BYTES else None
    return None


def _head(kind: str, key: str, content: bytes, secret: bytes) -> bytes:
    """What an entry begins with: it seals the place, too, so that one put in another's place is none."""
    sealed = hmac.new(secret, digest(kind, key).encode(), hashlib.sha256)
    sealed.update(content)
    return MAGIC + sealed.digest()


def _entries(folder: Path) -> Iterator[tuple[float, int, str]]:
    """When each entry was used last, its length and its path; leftovers of runs that were killed among them."""
    for above, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(above, name)
            with contextlib.suppress(OSError):
                about = os.lstat(path)
                yield about.st_mtime, about.st_size, path
