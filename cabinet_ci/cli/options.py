"""Options that several commands share, and how they print."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cabinet_ci.catalog.discovery import find_root
from cabinet_ci.failure import CannotRun

if TYPE_CHECKING:
    from cabinet_ci.evaluation.cache.store import Store

Command = TypeVar("Command", bound=Callable[..., Any])


class PathName(click.Path):
    """A path that was given; an empty one, as an unset variable leaves it, is no path."""

    def __init__(self, *, dir_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a usage error where it is empty."""
        if value == "":
            self.fail("it is empty", param, ctx)
        return super().convert(value, param, ctx)


def repository_options(command: Command) -> Command:
    """`--root` and `--catalog`."""
    command = click.option(
        "--catalog", metavar="FOLDER", help="The catalog's folder, relative to the root. [default: test-cases]"
    )(command)
    return click.option(
        "--root",
        type=PathName(),
        help="The repository. [default: the one that holds the current folder]",
    )(command)


def suites_option(command: Command) -> Command:
    """`--suites`."""
    return click.option(
        "--suites", metavar="FOLDER", help="The suites' folder, relative to the root. [default: test-suites]"
    )(command)


def run_options(command: Command) -> Command:
    """`--variant` and `--engine`: which run of a version or a definition is looked at."""
    command = click.option(
        "--engine", metavar="SLUG", help="The engine. [default: the first that a definition declares, else none]"
    )(command)
    return click.option("--variant", metavar="SLUG", help="The variant of a version. [default: the first]")(command)


def output_option(command: Command) -> Command:
    """`--output`."""
    return click.option("--output", type=PathName(dir_okay=False), metavar="FILE", help="Write to FILE instead.")(
        command
    )


def cache_option(command: Command) -> Command:
    """`--no-cache`."""
    return click.option("--no-cache", is_flag=True, help="Build and run all afresh, and remember nothing.")(command)


def open_cache(no_cache: bool) -> Store:
    """What earlier evaluations left; a store that keeps nothing where that is not wanted or can't be used."""
    from cabinet_ci.evaluation.cache.store import Store, open_store

    if no_cache:
        return Store(None)
    store, why_not = open_store()
    if why_not:
        click.echo(f"cabinet-ci: {why_not}", err=True)
    return store


def resolve_root(given: Path | None) -> Path:
    """The repository's root; the current folder where it is in no repository. Raises `CannotRun`."""
    if given is not None:
        if not given.is_dir():
            raise CannotRun(f"{given} is no folder", "name the repository's root with --root")
        return given.resolve()
    here = Path.cwd()
    return find_root(here) or here.resolve()


def write(text: str, output: Path | None) -> None:
    """Print text, or write it to a file. Raises `CannotRun` where the file can't be written."""
    if output is None:
        # Anything but UTF-8 on the terminal would make a check mark an error.
        write_bytes(text.encode("utf-8", "replace"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotRun(f"{output} can't be written", (error.strerror or str(error)).lower()) from None


def write_bytes(content: bytes) -> None:
    """Print exactly these bytes. Raises `CannotRun` where there is no standard output."""
    if sys.stdout is None:
        raise CannotRun("standard output is closed", "leave it open, or write to a file with --output")
    sys.stdout.buffer.write(content)
    sys.stdout.flush()


def wants_colour() -> bool:
    """Whether standard output is a terminal that colours are wanted on."""
    if os.environ.get("NO_COLOR"):
        return False
    if sys.stdout is None:
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
