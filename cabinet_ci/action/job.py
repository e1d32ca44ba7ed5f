"""The job that a step runs in: its inputs, its files, and the ways in which GitHub takes what it says."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from cabinet_ci.failure import CannotRun
from cabinet_ci.reporting.annotations import as_command

SECRETS = ("GITHUB_TOKEN", "GH_TOKEN")
"""Variables that no command gets which runs anything of a pull request."""


class Job:
    """GitHub's variables and files. An input `fail-on` of the action is the variable `INPUT_FAIL_ON`."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment

    def given(self, name: str) -> str:
        """The value of an input, empty where it was not given."""
        return self._environment.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()

    def wants(self, name: str) -> bool:
        """Whether an input is true. Raises `CannotRun` where it is neither true nor false."""
        value = self.given(name).lower()
        if value not in ("", "true", "false"):
            raise CannotRun(f"the input {name} is {value!r}", "write true or false")
        return value == "true"

    def lines(self, name: str) -> list[str]:
        """The lines of an input, without empty ones."""
        return [line.strip() for line in self.given(name).splitlines() if line.strip()]

    @property
    def folder(self) -> Path:
        """Where the files of this job's steps lie, apart from the checkout."""
        folder = Path(self._environment.get("RUNNER_TEMP") or ".") / "cabinet-ci"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def annotate(self, level: str, message: str) -> None:
        """Show a message on the page of the run."""
        print(as_command(level, {"title": "cabinet-ci"}, message), flush=True)

    def say(self, commands: str) -> None:
        """Print workflow commands, a line each."""
        sys.stdout.write(commands)
        sys.stdout.flush()

    def tell(self, name: str, value: str) -> None:
        """Set an output of the step."""
        # A value of several lines ends where this word stands; nobody can know it beforehand.
        end = secrets.token_hex(16)
        self._append("GITHUB_OUTPUT", f"{name}<<{end}\n{value}\n{end}\n")

    def summarise(self, markdown: str) -> None:
        """Add to the summary of the job."""
        self._append("GITHUB_STEP_SUMMARY", markdown)

    def run(self, *arguments: str | Path, with_token: bool = False, quiet: bool = False) -> int:
        """Run `cabinet-ci` and show what it prints, in which GitHub takes nothing for a command; its exit code."""
        environment = {
            name: value
            for name, value in self._environment.items()
            if with_token or (name not in SECRETS and not name.startswith("INPUT_"))
        }
        # -P: a pull request may hold a package of this name.
        command = [sys.executable, "-P", "-m", "cabinet_ci", *map(str, arguments)]
        word = secrets.token_hex(16)
        self.say(f"::stop-commands::{word}\n")
        try:
            output = subprocess.DEVNULL if quiet else None
            return subprocess.run(command, env=environment, stdout=output, check=False).returncode
        finally:
            self.say(f"\n::{word}::\n")

    def _append(self, variable: str, text: str) -> None:
        path = self._environment.get(variable)
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)


def options(job: Job, names: Sequence[str]) -> list[str]:
    """The inputs that are given, as options of the same names."""
    return [part for name in names if job.given(name) for part in (f"--{name}", job.given(name))]
