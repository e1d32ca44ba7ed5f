"""A test case definition of a suite, `test-cases/<name>.toml`: the common keys, and those of each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.manifest import Difficulty, Hours, Path, Slug, Text
from cabinet_ci.catalog.suites.files import AssetKind

BuiltType = Literal["end-to-end", "full-stack"]
AssetType = Literal["sprite", "voxel", "blender", "particle", "music", "audio-fx"]
OpenType = Literal["performance", "adversarial", "puzzle"]
DefinitionType = Literal[
    "end-to-end",
    "full-stack",
    "sprite",
    "voxel",
    "blender",
    "particle",
    "music",
    "audio-fx",
    "performance",
    "adversarial",
    "puzzle",
]
TYPES: tuple[str, ...] = get_args(DefinitionType)
BUILT_TYPES: tuple[str, ...] = get_args(BuiltType)
ASSET_TYPES: tuple[str, ...] = get_args(AssetType)
OPEN_TYPES: tuple[str, ...] = get_args(OpenType)
"""Types whose own keys the format leaves open."""

BUILT_KEYS = ("engines", "workspaces", "build", "toolchain")
"""Keys that end-to-end and full-stack definitions have, and theirs alone."""


class SuiteBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[build]` of a definition."""

    install: Annotated[Text, Meta(description="the command that fetches what the build needs")]
    build: Annotated[Text, Meta(description="the command that builds the solution")]


class Toolchain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[toolchain]`: commands that look at a solution's code."""

    typecheck: Text
    lint: Text | None = None
    format: Text | None = None
    test: Text | None = None


class AssetTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of a type that asks for one asset."""

    id: Annotated[Slug, Meta(description="the id of an asset below assets/")]


class SpriteTable(AssetTable, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[sprite]`."""

    sheet: Annotated[bool, Meta(description="whether a sprite sheet is asked for")] = False


class VoxelTable(AssetTable, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[voxel]`."""

    animated: Annotated[bool, Meta(description="whether the model moves")] = False


class DefinitionFile(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that definitions of every type share; all that is known of the types that are left open."""

    name: Annotated[Text, Meta(description="the test case's name, as people read it")]
    type: DefinitionType
    difficulty: Difficulty
    specifications: (
        Annotated[list[Slug], Meta(description="ids of the specifications it covers, in order; default: all")] | None
    ) = None
    prompt: Annotated[Path, Meta(description="the Handlebars template of the prompt, in prompts/")]
    max_runtime_hours: Annotated[Hours, Meta(description="how long a run may take, in hours")] = 1.0
    experimental: Annotated[bool, Meta(description="an experimental test case may still change")] = False
    init: Annotated[Text, Meta(description="a command run once in the seeded workspace")] | None = None

    @property
    def asset(self) -> AssetTable | None:
        """The table that names an asset, for a type that has one."""
        return None


class BuiltDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type end-to-end or full-stack."""

    engines: Annotated[list[Slug], Meta(min_length=1, description="engines to build with; the first is the default")]
    workspaces: Annotated[dict[str, Path], Meta(description="engine -> its starter workspace, in workspaces/")]
    build: SuiteBuild
    toolchain: Toolchain


class SpriteDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type sprite."""

    sprite: SpriteTable

    @property
    def asset(self) -> AssetTable:
        """`[sprite]`."""
        return self.sprite


class VoxelDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type voxel."""

    voxel: VoxelTable

    @property
    def asset(self) -> AssetTable:
        """`[voxel]`."""
        return self.voxel


class BlenderDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type blender."""

    blender: AssetTable

    @property
    def asset(self) -> AssetTable:
        """`[blender]`."""
        return self.blender


class ParticleDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type particle."""

    particle: AssetTable

    @property
    def asset(self) -> AssetTable:
        """`[particle]`."""
        return self.particle


class MusicDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type music."""

    music: AssetTable

    @property
    def asset(self) -> AssetTable:
        """`[music]`."""
        return self.music


class AudioFxDefinition(DefinitionFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A definition of type audio-fx."""

    audio_fx: AssetTable = msgspec.field(name="audio-fx")

    @property
    def asset(self) -> AssetTable:
        """`[audio-fx]`."""
        return self.audio_fx


STRUCTS: Mapping[str, type[DefinitionFile]] = {
    "end-to-end": BuiltDefinition,
    "full-stack": BuiltDefinition,
    "sprite": SpriteDefinition,
    "voxel": VoxelDefinition,
    "blender": BlenderDefinition,
    "particle": ParticleDefinition,
    "music": MusicDefinition,
    "audio-fx": AudioFxDefinition,
    **dict.fromkeys(OPEN_TYPES, DefinitionFile),
}
"""What a definition of each type is decoded into."""


def struct_of(data: Mapping[str, Any]) -> type[DefinitionFile]:
    """The Struct of the type that a definition declares; the common keys where it declares none that is known."""
    declared = data.get("type")
    return STRUCTS.get(declared, DefinitionFile) if isinstance(declared, str) else DefinitionFile


def selected_kind(table: AssetTable, type_: str) -> AssetKind:
    """The kind of asset that a definition of that type asks for: a sheet is a kind of its own."""
    if isinstance(table, SpriteTable) and table.sheet:
        return "sprite-sheet"
    kind: AssetKind = msgspec.convert(type_, AssetKind)
    return kind
