"""The command line. A command's module is imported only when that command is run."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

import click

from cabinet_ci import __version__
from cabinet_ci.failure import CannotRun

COMMANDS = {
    "bump": "Make the next version folder, with the edits of a frozen one if need be.",
    "check": "Validate, check immutability and evaluate: all that a pull request needs.",
    "comment": "Create or update the one comment of a pull request.",
    "evaluate": "Build the reference solutions and run them under fuel.",
    "immutable": "Check that nothing published was changed.",
    "explain": "What a rule checks and why, with examples; without a code, the list.",
    "new": "Write a new case that validates, builds and scores as it stands.",
    "merge-results": "Join the result documents of shards.",
    "list": "What there is: cases and suites, their versions, what is tagged and what is frozen.",
    "plan": "Which versions have to be evaluated, as a list or as a matrix of jobs.",
    "prompt": "Print the prompt that a run would be handed.",
    "release": "Tag new versions; a dry run unless told otherwise.",
    "report": "Turn a result into a comment, a job summary, JUnit or a page with charts.",
    "schema": "The JSON Schema of any file of the formats, for editors.",
    "seed": "Write exactly the files that a run would receive, or list them.",
    "solve": "Write the expected answers of an unpublished version from a reference's answers.",
    "validate": "Check the catalog and suites: manifests, schemas, cases, templates and what they name.",
}
"""Command name -> the line shown by `--help`, so that listing them imports none of them."""


class LazyGroup(click.Group):
    """A group that finds the command `x-y` as `command` in the module `cabinet_ci.cli.x_y`, on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command's module and return its command, or None where there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"cabinet_ci.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="cabinet-ci")
def group() -> None:
    """Keep a catalog of versioned test cases well formed, frozen once published, and scored."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 no error found, 1 errors found, 2 the work could not be done."""
    # Most runs are short and their data has no cycles: looking for some, while modules load and files are read, takes
    # a tenth of the time. An evaluation turns it on again.
    gc.disable()
    signal.signal(signal.SIGTERM, _end_orderly)
    try:
        _require_current_folder()
        outcome: Any = group.main(args=arguments, prog_name="cabinet-ci", standalone_mode=False)
    except CannotRun as failure:
        click.echo(f"cabinet-ci: {failure}", err=True)
        sys.exit(2)
    except click.exceptions.NoArgsIsHelpError as usage:
        usage.show()
        sys.exit(2)
    except click.ClickException as usage:
        click.echo(f"cabinet-ci: {_usage_line(usage)}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("cabinet-ci: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader (`| head`) has gone: what was asked for has been delivered.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # What no command foresaw, a full disk or a folder that lost its rights, is still told in one line.
        click.echo(f"cabinet-ci: {_os_error_line(error)}", err=True)
        _forget_output()
        sys.exit(2)
    # The interpreter's last look for cycles would be for memory that goes with the process.
    gc.freeze()
    sys.exit(outcome if isinstance(outcome, int) else 0)


def _end_orderly(number: int, _frame: FrameType | None) -> NoReturn:
    """End as an interrupted run does, so that temporary folders and processes go, too."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _require_current_folder() -> None:
    try:
        os.getcwd()
    except OSError:
        raise CannotRun("the current folder does not exist any more", "change to one that does") from None


def _os_error_line(error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    if error.filename is None:
        return f"the output can't be written: {reason}" if error.errno in (errno.ENOSPC, errno.EBADF) else reason
    return f"{os.fsdecode(error.filename).encode(errors='backslashreplace').decode()} can't be used: {reason}"


def _forget_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's last flush does not fail again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_line(usage: click.ClickException) -> str:
    message = " ".join(usage.format_message().split())
    context = getattr(usage, "ctx", None)
    return f"{message} See `{context.command_path} --help`." if context is not None else message
