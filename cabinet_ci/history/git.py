"""The only place that runs git: a repository with a working tree, opened once, and its commands.

Git is asked by plumbing, with NUL-separated output where names are listed, and in an environment of which only what is
known to be meant for this repository is kept.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import IO

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.objects import Objects

OLDEST = (2, 25)
"""The oldest git that has all the options used here."""

_KEPT = re.compile(
    r"GIT_(EXEC_PATH|SSH.*|SSL_.*|ASKPASS|HTTP_.*|PROXY_.*|ALLOW_PROTOCOL|CONFIG_(COUNT|KEY_.*|VALUE_.*|GLOBAL|SYSTEM"
    r"|NOSYSTEM)|AUTHOR_.*|COMMITTER_.*|TRACE.*)\Z"
)
_OBJECTS = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")
_ALWAYS = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
}
# The file-system monitor may be a program of the user's; the two others would hide or invent differences.
_SETTINGS = ("core.fsmonitor=false", "diff.autoRefreshIndex=true", "core.quotePath=true")


class GitFailed(Exception):
    """A git command that ended in an unexpected way: what it was, its exit code and what it said."""

    def __init__(self, command: str, code: int, said: str) -> None:
        super().__init__(command, code, said)
        self.command = command
        self.code = code
        self.said = said

    @property
    def reason(self) -> str:
        """The last line of what git said that tells why, without "fatal:"."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
        chosen = (fatal or lines or [f"exit code {self.code}"])[0]
        return re.sub(r"^(fatal|error): ", "", chosen)

    def explain(self) -> CannotRun:
        """The failure in the words of the command line."""
        if "dubious ownership" in self.said:
            found = re.search(r"--add safe\.directory (.+)", self.said)
            where = found[1].strip() if found else "FOLDER"
            return CannotRun(
                "git refuses a repository that belongs to another user",
                f"if you trust it: git config --global --add safe.directory {where}",
            )
        return CannotRun(f"git {self.command} failed: {self.reason}", "")


class Repository:
    """A repository with a working tree at `root`; made by `open_repository`."""

    def __init__(self, root: Path, git_dir: Path, environment: Mapping[str, str], *, shallow: bool) -> None:
        self.root = root
        self.git_dir = git_dir
        self.shallow = shallow
        self._environment = dict(environment)

    def run(self, *arguments: str, stdin: bytes = b"", ok: Collection[int] = (0,)) -> bytes:
        """Standard output of a git command run at the root. Raises `CannotRun` for any exit code but those in `ok`."""
        return self.answer(*arguments, stdin=stdin, ok=ok)[1]

    def answer(self, *arguments: str, stdin: bytes = b"", ok: Collection[int] = (0,)) -> tuple[int, bytes]:
        """Exit code and standard output of a git command. Raises `CannotRun` for any exit code but those in `ok`."""
        try:
            return self.attempt(*arguments, stdin=stdin, ok=ok)
        except GitFailed as failure:
            raise failure.explain() from None

    def attempt(self, *arguments: str, stdin: bytes = b"", ok: Collection[int] = (0,)) -> tuple[int, bytes]:
        """As `answer`, but raises `GitFailed`, for callers that can tell more about a failure than git does."""
        return _run(_command(*arguments), self.root, self._environment, stdin, ok)

    @cached_property
    def objects(self) -> Objects:
        """Objects by name, read through one process that lives as long as the repository."""
        complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        process = subprocess.Popen(
            _command("cat-file", "--batch"),
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
        return Objects(process, complaints)

    def close(self) -> None:
        """End the process that reads objects, if it was started."""
        if "objects" in self.__dict__:
            self.objects.close()
            del self.__dict__["objects"]

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_repository(start: Path, *, explicit: bool = False, environment: Mapping[str, str] = os.environ) -> Repository:
    """Open the repository that holds `start`.

    `GIT_DIR`, `GIT_WORK_TREE` and `GIT_INDEX_FILE` are followed as git sets them for hooks: relative or absolute, a
    lock file too. Where `start` was named by the user (`explicit`) and is another repository than theirs they are
    passed over. Raises `CannotRun` where git is missing or too old, `start` is in no repository, or the repository has
    no working tree.
    """
    cleaned = clean_environment(environment)
    _require_version(cleaned)
    named = environment.get("GIT_DIR")
    git_dir = Path(os.path.abspath(named)) if named else None
    found = _probe(start, cleaned)
    meant = git_dir is None or (isinstance(found, _Found) and _same(found.git_dir, git_dir))
    work_tree = environment.get("GIT_WORK_TREE")
    if not explicit and (not meant or work_tree):
        if git_dir is None and isinstance(found, _Found):
            git_dir = found.git_dir
        if git_dir is not None:
            cleaned["GIT_DIR"] = str(git_dir)
            cleaned["GIT_WORK_TREE"] = os.path.abspath(work_tree) if work_tree else os.getcwd()
            found, meant = _probe(start, cleaned), True
    if isinstance(found, GitFailed):
        raise _no_repository(start, found, None if explicit else named)
    if found.top is None:
        raise _no_working_tree(found)
    if meant:
        cleaned |= {name: os.path.abspath(environment[name]) for name in _OBJECTS[:1] if environment.get(name)}
        cleaned |= {name: environment[name] for name in _OBJECTS[1:] if environment.get(name)}
        index = environment.get("GIT_INDEX_FILE")
        if index:
            # Git reads a relative name from the top of the working tree, wherever it was started.
            cleaned["GIT_INDEX_FILE"] = os.path.join(found.top, index)
    return Repository(found.top, found.git_dir, cleaned, shallow=found.shallow)


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for git: of its own variables only those about connections, configuration and identity."""
    kept = {
        name: value
        for name, value in environment.items()
        if (not name.startswith("GIT_") or _KEPT.match(name)) and name != "LANGUAGE"
    }
    return kept | _ALWAYS


class _Found(msgspec.Struct, frozen=True):
    git_dir: Path
    top: Path | None
    bare: bool
    shallow: bool


def _probe(start: Path, environment: Mapping[str, str]) -> _Found | GitFailed:
    questions = ("--is-bare-repository", "--is-shallow-repository", "--absolute-git-dir", "--is-inside-work-tree")
    try:
        _, said = _run(_command("rev-parse", *questions, "--show-toplevel"), start, environment, b"", (0, 128))
    except OSError:
        raise CannotRun(f"{start} is no folder", "name the repository's root with --root") from None
    # Folder names may hold line breaks: the two are told apart by the "true" or "false" between them.
    answer = re.match(rb"(true|false)\n(true|false)\n(.*?)\n(true|false)\n(?:(.*)\n)?\Z", said, re.DOTALL)
    if answer is None:
        try:
            _run(_command("rev-parse", *questions), start, environment, b"", (0,))
        except GitFailed as failure:
            return failure
        return GitFailed("rev-parse", 0, f"fatal: git told nothing of {start}")
    top = Path(os.fsdecode(answer[5])) if answer[5] is not None and answer[4] == b"true" else None
    return _Found(Path(os.fsdecode(answer[3])), top, answer[1] == b"true", answer[2] == b"true")


def _command(*arguments: str) -> list[str]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["git", *settings, *arguments]


def _run(
    command: list[str], folder: Path, environment: Mapping[str, str], stdin: bytes, ok: Collection[int]
) -> tuple[int, bytes]:
    done = subprocess.run(command, cwd=folder, env=environment, input=stdin, capture_output=True, check=False)
    if done.returncode not in ok:
        name = command[1 + 2 * len(_SETTINGS)] if len(command) > 2 * len(_SETTINGS) else command[1]
        raise GitFailed(name, done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.returncode, done.stdout


def _require_version(environment: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(_command("version"), env=environment, capture_output=True, check=False)
    except OSError:
        raise CannotRun("git is not installed", f"install git {_dotted(OLDEST)} or later") from None
    found = re.search(rb"(\d+)\.(\d+)", done.stdout)
    if found is None or done.returncode:
        raise CannotRun("git does not tell its version", f"install git {_dotted(OLDEST)} or later")
    version = (int(found[1]), int(found[2]))
    if version < OLDEST:
        raise CannotRun(f"git {_dotted(version)} is too old", f"install git {_dotted(OLDEST)} or later")


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _no_repository(start: Path, failure: GitFailed, git_dir: str | None) -> CannotRun:
    if git_dir is not None and "not a git repository" in failure.said:
        return CannotRun(f'GIT_DIR is "{git_dir}", which is no git repository', "unset it, or name one")
    if "not a git repository" in failure.said:
        return CannotRun(
            f"{start} is in no git repository", "run it in a clone of the catalog, or name one with --root"
        )
    return failure.explain()


def _no_working_tree(found: _Found) -> CannotRun:
    if found.bare:
        return CannotRun(f"{found.git_dir} is a bare repository, without files to compare", "run it in a clone of it")
    return CannotRun(f"{found.git_dir} is git's own folder", "run it in the working tree")
