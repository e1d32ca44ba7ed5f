"""The TOML files of a suite other than its definitions (section 3 of the format), as msgspec Structs."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.manifest import Path, Slug, Text

VERSION_NAME = "version.toml"
DRAFT_NAME = "draft.toml"
SPECIFICATION_NAME = "specification.toml"
PROSE_NAME = "specification.md"
ASSET_NAME = "asset.toml"
DEMO_NAME = "demo.toml"
SHOWCASE_NAME = "showcase.toml"
SHOWCASE_PROSE_NAME = "showcase.md"
DEBUG_API_NAME = "debug-api.toml"

OneLine = Annotated[
    str,
    Meta(
        pattern=r"^[^\r\n]*[^\s][^\r\n]*(?![\s\S])",
        description="one line of text",
        extra={"words": "one line of text"},
    ),
]
SemVer = Annotated[
    str,
    Meta(
        pattern=r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?![\s\S])",
        description="a version, as in `1.0.0`",
        extra={"words": "a version such as 1.0.0, without a v"},
    ),
]
"""The three numbers of a semantic version: a version folder has no room for more."""

RequirementKind = Literal["functional", "non-functional"]
AssetKind = Literal["sprite", "sprite-sheet", "voxel", "blender", "particle", "music", "audio-fx"]


class SuiteFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`suite.toml`: which suite the folder holds."""

    slug: Annotated[Slug, Meta(description="the suite's identity; the name of its folder")]
    name: Annotated[Text, Meta(description="the suite's name, as people read it")]


class VersionFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version.toml`: what this version of the suite is; in a draft, what it is to become."""

    version: (
        Annotated[SemVer, Meta(description="the folder's name without its v; not in a draft, where it is left open")]
        | None
    ) = None
    tags: Annotated[list[str], Meta(description="words to find the suite by")] = []
    summary: Annotated[OneLine, Meta(description="one line that says what the suite is about")]
    description: Annotated[Path, Meta(description="a Markdown file for the site; not seeded")]
    changelog: Annotated[Path, Meta(description="a file that says what this version changed; not seeded")]
    experimental: bool = False


class DraftFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`draft.toml`: what marks a folder as a draft."""

    base: Annotated[SemVer, Meta(description="the exported version that the draft started from")] | None = None


class Requirement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[requirement]]` of a specification."""

    id: Annotated[Slug, Meta(description="unique in its specification; kebab-case")]
    kind: Annotated[RequirementKind, Meta(description="functional: validators check it; non-functional: people do")]
    text: Annotated[Text, Meta(description="one sentence with a keyword of RFC 2119 in capitals")]
    validators: Annotated[list[Path], Meta(description="test files that check it, relative to validators/")] = []


class SpecificationFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`specification.toml`: beside it the prose, `specification.md`."""

    id: Annotated[Slug, Meta(description="unique in the suite, nested specifications too; kebab-case")]
    name: Annotated[Text, Meta(description="the specification's name, as people read it")]
    summary: Annotated[OneLine, Meta(description="one line that says what it specifies")]
    path: Annotated[Path, Meta(description="where a run finds it below specs/; unique, ends in .md")]
    requirement: Annotated[list[Requirement], Meta(description="what a solution is held to, in order")] = []


class AssetFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`assets/<id>/asset.toml`: an asset with the files that make it up."""

    id: Annotated[Slug, Meta(description="the name of its folder; kebab-case")]
    name: Annotated[Text, Meta(description="the asset's name, as people read it")]
    kind: AssetKind
    specification: Annotated[Slug, Meta(description="the id of a specification of non-functional requirements")]
    files: Annotated[list[Path], Meta(min_length=1, description="its files, relative to the asset's folder")]


class DemoFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`demos/<slug>/demo.toml`: a demonstration of what a specification asks for."""

    id: Annotated[Slug, Meta(description="the name of its folder; kebab-case")]
    name: Annotated[Text, Meta(description="the demonstration's name, as people read it")]
    summary: Annotated[Text, Meta(description="what it shows")]
    specification: Annotated[Slug, Meta(description="the id of the specification that it demonstrates")]


class Media(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[media]]` of the showcase."""

    file: Annotated[Path, Meta(description="a file in showcase/, by its bare name")]
    name: Annotated[Text, Meta(description="what it shows, as people read it")]


class ShowcaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`showcase/showcase.toml`: pictures and sounds for the site; beside it `showcase.md`."""

    media: list[Media] = []


class DebugFunction(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[function]]` of the debug API; the format leaves open what else may be said of it."""

    name: Annotated[Text, Meta(description="the function's name, on the handle")]


class DebugModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[module]]` of the debug API."""

    name: Annotated[Text, Meta(description="the module's name")]
    path: Annotated[Path, Meta(description="its file, below debug-api/")]


class DebugApiFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`debug-api.toml`: how validators look into a running solution."""

    handle: Annotated[Text, Meta(description="the global name under which a solution offers the API")]
    description: Annotated[str, Meta(description="what the API is for")] = ""
    function: Annotated[list[DebugFunction], Meta(description="the functions that a solution offers")] = []
    module: Annotated[list[DebugModule], Meta(description="the files below debug-api/, each exactly once")] = []
