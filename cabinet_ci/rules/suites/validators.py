"""Validators: each file is claimed by exactly one requirement (section 3 of the format)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.reading import is_validator
from cabinet_ci.catalog.suites.suite import Specification
from cabinet_ci.rules.folder import Finding, is_inside
from cabinet_ci.rules.hints import Guesses
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import Claim, SuiteSubject


@suite_tree_rule("CAB650")
def validator_claimed_by_nobody(subject: SuiteSubject) -> Iterator[Finding]:
    """No requirement claims a validator.

    Why: what it finds would count for nothing.
    Source: section 3 of the format, "claimed by exactly one requirement".

    Failing:
        --- validators/ball/spin.ts
        export const spins = true;
    Fixed:
        --- validators/ball/spin.test.ts
        export const spins = true;
    """
    if subject.is_partly_hidden(model.SPECIFICATIONS):
        return
    if any(_has_unknown_claims(found) or _misspells_claims(subject, found) for found in subject.suite.specifications):
        return
    claims = subject.claims
    unclaimed = [name for name in subject.suite.validators if name not in claims]
    # A claim that leads nowhere, or out, and reads like a claim of this one is told as such, once.
    lost = [path for path in claims if subject.tree.kind(path) is None]
    lost += [one.path for one in subject.declared if one.key[0] == "requirement" and not is_inside(one.path)]
    guesses = Guesses()
    meant = {guesses.nearest(path, unclaimed) for path in lost} if unclaimed else set()
    for name in unclaimed:
        if name not in meant:
            hint = f'add "{name.removeprefix(model.VALIDATORS + "/")}" to the `validators` of one, or remove the file'
            yield Finding(subject.path(name), None, "no requirement claims this validator", hint)


@suite_tree_rule("CAB651")
def validator_claimed_twice(subject: SuiteSubject) -> Iterator[Finding]:
    """Several requirements claim one validator, or one requirement claims it twice; told at each claim.

    Why: where it fails, nobody could say which requirement is not met.
    Source: section 3 of the format, "claimed by exactly one requirement".

    Failing:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]

        [[requirement]]
        id = "line"
        kind = "functional"
        text = "The ball MUST move in a straight line."
        validators = ["ball/speed.ts"]
    Fixed:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]

        [[requirement]]
        id = "line"
        kind = "functional"
        text = "The ball MUST move in a straight line."
        validators = ["ball/line.ts"]
        --- validators/ball/line.ts
        export const isStraight = true;
    """
    for name, claims in subject.claims.items():
        if len(claims) > 1:
            shown = name.removeprefix(f"{model.VALIDATORS}/")[:80]
            first, second = claims[0], claims[1]
            for claim in claims:
                other = second if claim is first else first
                message = f'"{shown}" is claimed by {_called(other)} as well'
                yield from subject.at_value(
                    claim.specification.document, claim.key, message, "one requirement alone may claim a validator"
                )


@suite_tree_rule("CAB652")
def claim_of_no_validator(subject: SuiteSubject) -> Iterator[Finding]:
    """A requirement claims a file that is no validator: no `.ts`, a `.test.ts`, or one that only serves the others.

    Why: such a file is not run against a solution.
    Source: section 3 of the format, "each but *.test.ts, vitest.config.ts and debug-api.ts".

    Failing:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts", "ball/speed.test.ts"]
    Fixed:
        --- specifications/ball/specification.toml
        [[requirement]]
        id = "speed"
        kind = "functional"
        text = "The ball MUST keep its speed."
        validators = ["ball/speed.ts"]
    """
    for name, claims in subject.claims.items():
        if not is_validator(name) and subject.tree.kind(name) == "file":
            for claim in claims:
                message = f'"{posixpath.basename(name)[:80]}" is no validator'
                hint = "validators end in .ts; tests of validators, vitest.config.ts and debug-api.ts are none"
                yield from subject.at_value(claim.specification.document, claim.key, message, hint)


def _has_unknown_claims(found: Specification) -> bool:
    """Whether some requirement's validators can't be told, so that it may claim any."""
    tables = {(), ("requirement",)}
    return any(
        path in tables or (path[0] == "requirement" and (len(path) == 2 or path[2] == "validators"))
        for path in found.document.broken
    )


def _misspells_claims(subject: SuiteSubject, found: Specification) -> bool:
    return any(path[-1] in ("validators", "requirement") for path in subject.misspelt[found.document.path])


def _called(claim: Claim) -> str:
    return f"the requirement {claim.requirement} in {claim.specification.folder}"
