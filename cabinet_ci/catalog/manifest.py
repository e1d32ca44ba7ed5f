"""The manifest of a catalog version, `test-case.toml` (section 1 of the format), as msgspec Structs."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

MANIFEST_NAME = "test-case.toml"

KEBAB = r"^[a-z0-9]+(-[a-z0-9]+)*(?![\s\S])"
"""Kebab-case. The look-ahead ends the match at the very end, where `$` would let a newline through."""

NOT_BLANK = r"\S"

LARGEST = sys.float_info.max
"""The largest finite number: a bound that refuses infinity."""

Slug = Annotated[str, Meta(pattern=KEBAB, description="kebab-case, as in `route-finder`")]
Text = Annotated[str, Meta(pattern=NOT_BLANK, description="text that is not blank")]
Path = Annotated[str, Meta(min_length=1, description="a path relative to the version folder, with `/`")]
Runway = Annotated[
    float, Meta(ge=1, le=LARGEST, description="how many times the fuel limit a case may burn before it is stopped")
]
Hours = Annotated[float, Meta(gt=0, le=LARGEST, description="hours")]
Units = Annotated[int, Meta(ge=1, description="a positive integer")]

CaseKind = Literal["smoke", "stress"]
Difficulty = Literal["easy", "medium", "hard"]
CatalogType = Literal["performance", "end-to-end", "full-stack", "adversarial", "asset-generation", "game-jam"]
SpecKind = Literal["spec", "script"]


class Build(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[build]`: how the module is made from the run root."""

    install: Annotated[Text, Meta(description="the command that fetches what the build needs")]
    build: Annotated[Text, Meta(description="the command that builds the module")]
    module: Annotated[Text, Meta(description="the module it writes, relative to the run root")]


class Contract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[contract]`: what the module is asked and what it has to answer."""

    entry: Annotated[Text, Meta(description="the exported function, called once per input")]
    input: Annotated[Path, Meta(description="the JSON Schema of an input; seeded at this path")]
    output: Annotated[Path, Meta(description="the JSON Schema of an answer; seeded at this path")]


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[case]]`: an input and the answer expected for it."""

    input: Annotated[Path, Meta(description="the JSON file handed to the entry")]
    expected: Annotated[Path, Meta(description="the JSON file that holds the right answer")]
    kind: Annotated[CaseKind, Meta(description="smoke: graded on correctness alone; stress: its fuel is the score")] = (
        "stress"
    )
    fuel_runway: Runway = 1.0


class Sandbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[sandbox]`: the limits that hold for each input."""

    fuel_limit: Annotated[Units, Meta(description="the ceiling: fuel within which a case passes")]
    max_memory_bytes: Annotated[Units, Meta(description="the cap of the linear memory, in bytes")]


class Spec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[spec]]`: a document or script that the run receives."""

    source: Annotated[Path, Meta(description="the file in the version folder; `.hbs` is rendered")]
    dest: (
        Annotated[Path, Meta(description="where the run finds it; default: the source without a trailing .hbs")] | None
    ) = None
    kind: SpecKind = "spec"

    @property
    def destination(self) -> str:
        """The path below the run root at which it is seeded."""
        return self.dest if self.dest is not None else self.source.removesuffix(".hbs")


class Domain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[domain]]`: an area that review items belong to."""

    id: Text
    name: Text
    description: Text


class SubItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a review item."""

    id: Text
    title: Text


class ReviewItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[review_item]]`: what a reviewer looks at; never seeded."""

    id: Text
    title: Text
    text: Text
    weight: Annotated[float, Meta(gt=0, le=LARGEST, description="its share of the review")]
    domain: Annotated[Text, Meta(description="the id of a declared domain")] | None = None
    reference: str | list[str] | None = None
    proof: str | list[str] | None = None
    sub_items: list[SubItem] = []


class SharedManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that manifests of every catalog type share; keys of a type of its own are passed over."""

    slug: Annotated[Slug, Meta(description="the case's identity, the same in every version; kebab-case")]
    name: Annotated[Text, Meta(description="the case's name, as people read it")]
    type: Annotated[CatalogType, Meta(description="must agree with the path")] | None = None
    difficulty: Annotated[Difficulty, Meta(description="must agree with the path")]
    experimental: Annotated[bool, Meta(description="an experimental version may still change")] = False
    tags: Annotated[list[str], Meta(description="words to find the case by; may be empty")]
    summary: Annotated[str, Meta(description="one or two sentences; not seeded")] | None = None
    description: Annotated[Path, Meta(description="a Markdown file for the site; not seeded")] | None = None
    changelog: Annotated[Path, Meta(description="a file that says what this version changed; not seeded")]
    prompt: Annotated[Path, Meta(description="the Handlebars template of the prompt")]
    max_runtime_hours: Annotated[Hours, Meta(description="how long a run may take, in hours")] = 1.0
    workspace: Annotated[Path, Meta(description="a folder seeded at the run root")] | None = None
    init: Annotated[Text, Meta(description="a command run once in the seeded workspace")] | None = None
    variants: Annotated[list[Path], Meta(min_length=1, description="variant files, ordered; the first is the default")]
    spec: Annotated[list[Spec], Meta(description="documents seeded for every variant")] = []
    assets: Annotated[list[Path], Meta(description="files or folders seeded at their own path")] = []


class Manifest(SharedManifest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The manifest of a performance case version, whole."""

    build: Build
    contract: Contract
    case: Annotated[list[Case], Meta(min_length=1, description="smoke cases and at least one stress case")]
    sandbox: Sandbox
    domain: list[Domain] = []
    review_item: list[ReviewItem] = []


class VariantFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A variant file: what one variant adds to the common parts, or replaces."""

    slug: Annotated[Slug, Meta(description="unique among the case's variants; kebab-case")]
    name: Annotated[Text, Meta(description="default: the slug, humanised")] | None = None
    description: Annotated[str, Meta(description="what is different about it")] = ""
    workspace: Annotated[Path, Meta(description="a folder that replaces the common workspace")] | None = None
    spec: Annotated[list[Spec], Meta(description="added to the common specs")] = []
    reference_implementation: (
        Annotated[Path, Meta(description="a folder that holds a complete correct build; never seeded")] | None
    ) = None
    domain: list[Domain] = []
    review_item: list[ReviewItem] = []

    @property
    def display_name(self) -> str:
        """Its name, or the slug humanised: `dense-grid` is "Dense grid"."""
        return self.name if self.name is not None else self.slug.replace("-", " ").capitalize()


class SharedVariantFile(VariantFile, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """The keys that variants of every catalog type share; what belongs to a type of its own is passed over."""

    domain: list[Any] = []
    review_item: list[Any] = []


Outcome = Literal[
    "pass",
    "over-ceiling",
    "out-of-fuel",
    "wrong-answer",
    "invalid-output",
    "trap",
    "memory-limit",
    "abi-error",
    "timeout",
    "not-run",
]
Status = Literal["pass", "over-ceiling", "fail"]


class ReferenceFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`references/<name>/reference.toml`: what a reference solution is expected to do."""

    expect: Annotated[Status, Meta(description="the status its run must get")] = "pass"
    variant: Annotated[Slug, Meta(description="the variant it solves; default: the first")] | None = None
    description: str = ""
    cases: Annotated[dict[str, Outcome], Meta(description="input path -> the outcome that case must get")] = {}
