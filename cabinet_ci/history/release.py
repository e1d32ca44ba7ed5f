"""Releases: which versions at HEAD want a tag, and the annotated tags `<slug>-vX.Y.Z` for them (CAB803)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from cabinet_ci.catalog.files import TEXT_LIMIT
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.changelog import entry_for
from cabinet_ci.history.git import Repository
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import VERSION_NAME
from cabinet_ci.history.manifests import Said, read_manifests
from cabinet_ci.history.quoting import pasted, shown
from cabinet_ci.history.refs import ReleaseTag, release_tag, tags_behind_head
from cabinet_ci.history.snapshot import Folder, read_folders
from cabinet_ci.history.tagged import Tagged, find_tagged

State = Literal["new", "unpushed", "present", "left-out"]

Incomplete = Callable[[Sequence[Folder]], Mapping[str, str]]
"""From version folders to those that are not complete: path -> why."""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A version at HEAD and its tag.

    `state`: new (to be tagged), unpushed (tagged here, not at the remote), present, or left-out, `reason` says why.
    `tree` is the version folder's git tree.
    """

    tag: str
    path: str
    tree: str
    state: State
    reason: str = ""


class Plan(msgspec.Struct, frozen=True):
    """What a release would do. With a finding nothing is tagged."""

    versions: tuple[Planned, ...]
    findings: tuple[Diagnostic, ...]

    def of_state(self, *states: State) -> list[Planned]:
        """The versions in these states."""
        return [each for each in self.versions if each.state in states]


class AtRemote(msgspec.Struct, frozen=True):
    """The release tags that a remote has, by name."""

    remote: str
    tags: dict[str, ReleaseTag]


class _Wanted(msgspec.Struct, frozen=True):
    folder: Folder
    tag: ReleaseTag


class _Existing(msgspec.Struct, frozen=True):
    """A tag that exists: where ("here and at origin"), the commands that delete it, and what it tagged, if anything."""

    where: str
    delete: str
    tagged: Tagged | None


def plan_release(ground: Ground, at_remote: AtRemote | None, incomplete: Incomplete) -> Plan:
    """What is to be tagged at HEAD. `at_remote` is null where the remote was not asked.

    Raises `CannotRun` on a branch without a commit.
    """
    if ground.head is None:
        raise CannotRun("HEAD has no commit yet, so there is nothing to release", "commit the catalog first")
    repository = ground.repository
    folders = read_folders(repository, ground.head, ground.layout)
    said = read_manifests(repository, ground.head, [(folder.place, folder.tree) for folder in folders.values()])
    experimental = _experimental_suites(repository, ground.head, folders)
    versions: list[Planned] = []
    wanted: list[_Wanted] = []
    for path, folder in sorted(folders.items()):
        declared = said[path]
        tag = release_tag(f"{declared.slug}-{folder.place.version}", None)
        reason = "its manifest declares no slug" if tag is None else ""
        if declared.experimental or path in experimental:
            reason = "experimental"
        if tag is None or reason:
            name = tag.name if tag is not None else f"?-{folder.place.version}"
            versions.append(Planned(tag=name, path=path, tree=folder.tree, state="left-out", reason=reason))
        else:
            wanted.append(_Wanted(folder, tag))
    existing = _existing_tags(ground, at_remote, folders, said)
    findings = list(tag_at_another_tree(wanted, existing))
    untagged = [each.folder for each in wanted if each.tag.name not in existing]
    lacking = incomplete(untagged) if untagged else {}
    for each in wanted:
        path, name = each.folder.place.path, each.tag.name
        state: State = "new" if name not in existing else "present"
        if at_remote is not None and name in existing and name not in at_remote.tags:
            state = "unpushed"
        reason = lacking.get(path, "") if state == "new" else ""
        versions.append(
            Planned(tag=name, path=path, tree=each.folder.tree, state="left-out" if reason else state, reason=reason)
        )
    findings += _strays(ground, [each for each in versions if each.state == "unpushed"])
    return Plan(tuple(sorted(versions, key=lambda each: each.path)), tuple(findings))


def _existing_tags(
    ground: Ground, at_remote: AtRemote | None, folders: Mapping[str, Folder], said: Mapping[str, Said]
) -> dict[str, list[_Existing]]:
    """Release tags by name: one entry for each commit that one is on, here or at the remote."""
    here = {tag.name: tag for tag in ground.refs.tags}
    remote, there = (at_remote.remote, at_remote.tags) if at_remote is not None else ("", {})
    tags = list(dict.fromkeys((*here.values(), *there.values())))
    on_commits = [tag for tag in tags if tag.commit is not None]
    tagged = {each.tag: each for each in find_tagged(ground.repository, on_commits, ground.layout, folders, said)[0]}
    found: dict[str, list[_Existing]] = {}
    for tag in tags:
        is_here, is_there = here.get(tag.name) == tag, there.get(tag.name) == tag
        where = " and ".join(["here"] * is_here + [f"at {remote}"] * is_there)
        delete = " and ".join(
            [f"git tag -d {tag.name}"] * is_here + [f"git push {remote} --delete {tag.name}"] * is_there
        )
        found.setdefault(tag.name, []).append(_Existing(where, delete, tagged.get(tag)))
    return found


def tag_at_another_tree(wanted: Sequence[_Wanted], existing: Mapping[str, Sequence[_Existing]]) -> Iterator[Diagnostic]:
    """A version's release tag exists, and what it tagged is not the version as it is now.

    Why: a release tag is a promise about content. Two contents under one name would make every result that names the
    version ambiguous, so nothing is tagged until it is settled which one is meant.

    Fails: the version was changed after it had been tagged.

        git tag route-finder-v1.0.0; edit test-cases/performance/hard/route-finder/v1.0.0; cabinet-ci release

    Passes: the change is a version of its own.

        cabinet-ci bump test-cases/performance/hard/route-finder/v1.0.0 --move-changes
    """
    seen: dict[str, str] = {}
    for each in wanted:
        name, path = each.tag.name, each.folder.place.path
        if name in seen:
            message = f"the tag {name} would be this version's and that of {shown(seen[name])}"
            yield _refused(path, message, "give one of them another slug")
        seen[name] = path
        for tag in existing.get(name, ()):
            what = ""
            if tag.tagged is None:
                what = "but what it is on has no such version"
            elif tag.tagged.tree != each.folder.tree:
                what = f"and what it tagged is another content ({tag.tagged.tree[:12]})"
            if what:
                message = f"the tag {name} exists {tag.where}, {what}"
                hint = f"put the version back as it was tagged, or delete a tag made by mistake: {tag.delete}"
                yield _refused(path, message, hint)


def _refused(path: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code="CAB803", severity="error", path=shown(path), message=message, hint=hint)


def make_tags(repository: Repository, head: str, planned: Sequence[Planned]) -> dict[str, str]:
    """Write an annotated tag for each planned version, without a ref to it; tag name -> the tag's object id."""
    if not planned:
        return {}
    code, said = repository.answer("var", "GIT_COMMITTER_IDENT", ok=(0, 128))
    if code:
        raise CannotRun("git does not know who makes the tags", "set user.name and user.email with git config")
    tagger = said.decode("utf-8", "surrogateescape").strip()
    return {
        each.tag: repository.run(
            "mktag", stdin=_tag_object(each, head, tagger, release_notes(repository, head, each.path))
        )
        .decode()
        .strip()
        for each in planned
    }


def require_room(repository: Repository, names: Iterable[str]) -> None:
    """Raise `CannotRun` where a tag can't be made here: git keeps no `name` beside a `name/more`."""
    listed = repository.run("for-each-ref", "--format=%(refname)", "refs/tags").decode("utf-8", "surrogateescape")
    for name in names:
        clash = next((ref for ref in listed.splitlines() if ref.startswith(f"refs/tags/{name}/")), None)
        if clash is not None:
            other = clash.removeprefix("refs/tags/")
            raise CannotRun(
                f"the tag {name} can't be made beside the tag {shown(other)}; nothing was tagged",
                f"delete that: git tag -d {pasted(other)}",
            )


def keep_tags(repository: Repository, made: Mapping[str, str]) -> None:
    """Give tags that were pushed their local refs; one that came to be in the meantime is left as it is."""
    names = repository.run("for-each-ref", "--format=%(refname)", "refs/tags").decode("utf-8", "surrogateescape")
    known = set(names.split("\n"))
    commands = "".join(
        f"create refs/tags/{name}\0{oid}\0" for name, oid in made.items() if f"refs/tags/{name}" not in known
    )
    if commands:
        repository.run("update-ref", "-z", "--stdin", stdin=commands.encode())


def _tag_object(planned: Planned, head: str, tagger: str, notes: str) -> bytes:
    version = planned.tag.rpartition("-")[2]
    subject = f"{planned.tag.removesuffix('-' + version)} {version}"
    body = f"\n{notes}\n" if notes else ""
    text = (
        f"object {head}\ntype commit\ntag {planned.tag}\ntagger {tagger}\n\n{subject}\n{body}\nTree: {planned.tree}\n"
    )
    return text.replace("\0", "").encode("utf-8", "surrogateescape")


def release_notes(repository: Repository, commit: str, path: str) -> str:
    """The changelog's entry for the version at `path`, as committed; empty where there is none."""
    for manifest in (MANIFEST_NAME, VERSION_NAME):
        source = _text(repository, f"{commit}:{path}/{manifest}")
        try:
            declared = None if source is None else parse_toml(source.encode()).get("changelog")
        except TomlError:
            return ""
        if isinstance(declared, str):
            return entry_for(_text(repository, f"{commit}:{path}/{declared}") or "", path.rpartition("/")[2])
    return ""


def _text(repository: Repository, name: str) -> str | None:
    found = repository.objects.get(name)
    if found is None or found.type != "blob" or found.content is None or len(found.content) > TEXT_LIMIT:
        return None
    return found.content.decode("utf-8", "replace")


def _experimental_suites(repository: Repository, head: str, folders: Mapping[str, Folder]) -> set[str]:
    found: set[str] = set()
    for path, folder in folders.items():
        if folder.place.kind == "suite":
            try:
                data = parse_toml((_text(repository, f"{head}:{path}/{VERSION_NAME}") or "").encode())
            except TomlError:
                continue
            found |= {path} if data.get("experimental") is True else set()
    return found


def _strays(ground: Ground, unpushed: Sequence[Planned]) -> Iterator[Diagnostic]:
    """Tags made by hand on a commit that HEAD does not have: to push one would publish that commit."""
    behind = tags_behind_head(ground.repository) if unpushed else frozenset()
    for each in unpushed:
        if each.tag not in behind:
            message = f"the tag {each.tag} exists here alone, on a commit that is not behind HEAD"
            yield _refused(each.path, message, f"delete it: git tag -d {each.tag}")
