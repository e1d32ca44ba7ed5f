"""`cabinet-ci explain`: what a rule checks and why, with a failing and a fixed example."""

from __future__ import annotations

import os

import click

from cabinet_ci.cli.options import write


@click.command("explain")
@click.argument("code", required=False, metavar="[CODE]")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
def command(code: str | None, form: str) -> None:
    """Explain the rule with this CODE; without one, list all rules."""
    from cabinet_ci.failure import CannotRun
    from cabinet_ci.rules.pages import as_json, as_markdown, as_text, listing
    from cabinet_ci.rules.registry import explained_rules

    rules = list(explained_rules())
    if code is not None:
        known = {rule.code: rule for rule in rules}
        found = known.get(code.upper())
        if found is None:
            shared, near = max((len(os.path.commonprefix([code.upper(), other])), other) for other in known)  # noqa: RUF071
            meant = f"did you mean {near}? " if shared > len("CAB") else ""
            raise CannotRun(f"there is no rule {code}", f"{meant}`cabinet-ci explain` lists them all")
        rules = [found]
    match form:
        case "json":
            write(as_json(rules), None)
        case "markdown":
            write(as_markdown(rules), None)
        case _:
            write(listing(rules) if code is None else as_text(rules[0]), None)
