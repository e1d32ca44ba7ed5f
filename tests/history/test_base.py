"""Which base a branch is compared with, and what is done where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.ground import open_ground
from tests.history.judging import changed_paths, changes
from tests.history.repositories import CASE, FIRST, SUITE, Repo, environment, new_repo, published


def base_line(repo: Repo, env: Mapping[str, str] | None = None, **flags: str) -> str:
    with open_ground(repo.root, flags, environment=environment(env)) as ground:
        assert ground.base is not None
        return ground.base.line.rpartition(",")[0]


def refusal(repo: Repo, env: Mapping[str, str] | None = None, **flags: str) -> str:
    with pytest.raises(CannotRun) as caught, open_ground(repo.root, flags, environment=environment(env)):
        pass
    return str(caught.value)


def clone(source: Repo, target: Path, *options: str) -> Repo:
    source.git("clone", "--quiet", *options, source.root.resolve().as_uri(), str(target))
    return Repo(target)


def test_the_base_is_named_by_the_flag_then_the_environment_then_the_configuration_then_github(tmp_path: Path) -> None:
    repo = published(tmp_path)
    for name in ("by-flag", "by-variable", "by-file", "by-github"):
        repo.git("branch", name)
    repo.put("cabinet-ci.toml", 'base = "by-file"\n')
    env = {"CABINET_CI_BASE": "by-variable", "GITHUB_BASE_REF": "by-github"}
    assert base_line(repo, env, base="by-flag") == "base: by-flag (--base)"
    assert base_line(repo, env) == "base: by-variable (CABINET_CI_BASE)"
    assert base_line(repo, {**env, "CABINET_CI_BASE": ""}) == "base: by-file (the configuration)"
    (tmp_path / "cabinet-ci.toml").unlink()
    assert base_line(repo, {"GITHUB_BASE_REF": "by-github"}).startswith("base: by-github (the pull request's base")
    assert base_line(repo, {"GITHUB_BASE_REF": ""}).startswith("base: main")


@pytest.mark.parametrize("own", ["HEAD", "work", "HEAD~1", "root", "mine"])
def test_a_pull_requests_own_configuration_can_not_replace_its_base(tmp_path: Path, own: str) -> None:
    repo = new_repo(tmp_path)
    repo.commit("Root")
    repo.git("tag", "root")
    repo.version()
    repo.commit("Publish")
    repo.branch("work")
    repo.put("cabinet-ci.toml", f'base = "{own}"\n')
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    repo.git("tag", "mine")
    repo.commit()
    (found,) = changes(repo, env={"GITHUB_BASE_REF": "main"})
    assert found.path == FIRST
    assert base_line(repo, {"GITHUB_BASE_REF": "main"}) == (
        "base: main (the pull request's base, GITHUB_BASE_REF; the branch's own configuration can't replace it)"
    )


def test_a_base_that_is_configured_where_the_pull_request_goes_outranks_it(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'base = "trunk"\n')
    repo.commit()
    repo.git("branch", "trunk")
    repo.commit("Later")
    repo.branch("work")
    repo.put("cabinet-ci.toml", 'base = "HEAD"\n')
    repo.commit()
    assert base_line(repo, {"GITHUB_BASE_REF": "main"}) == "base: trunk (the configuration)"
    repo.put("cabinet-ci.toml", "")
    assert base_line(repo, {"GITHUB_BASE_REF": "main"}) == "base: trunk (the configuration)"


def test_a_configuration_that_names_no_base_where_the_pull_request_goes_leaves_it_to_github(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'freeze = "merged"\n')
    repo.version()
    repo.commit()
    repo.branch("work")
    repo.put("cabinet-ci.toml", 'base = "HEAD"\n')
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    assert [found.path for found in changes(repo, env={"GITHUB_BASE_REF": "main"})] == [FIRST]


def test_a_clone_is_compared_with_the_remotes_default_branch(tmp_path: Path) -> None:
    source = new_repo(tmp_path / "source", branch="trunk")
    source.version()
    source.commit()
    repo = clone(source, tmp_path / "clone")
    assert base_line(repo) == "base: origin/trunk (the default branch of origin)"
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    assert changed_paths(repo) == [FIRST]


def test_the_pull_requests_base_is_looked_for_at_the_remote(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    source.git("branch", "release")
    repo = clone(source, tmp_path / "clone")
    assert base_line(repo, {"GITHUB_BASE_REF": "release"}).startswith("base: origin/release (")
    assert base_line(repo, base="release") == "base: origin/release (--base)"


@pytest.mark.parametrize("name", ["main", "master"])
def test_without_a_remote_it_is_main_or_master(tmp_path: Path, name: str) -> None:
    repo = new_repo(tmp_path, branch=name)
    repo.commit()
    assert base_line(repo).startswith(f"base: {name} (")


def test_a_default_branch_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    source = new_repo(tmp_path / "source", branch="trunk")
    source.commit()
    repo = clone(source, tmp_path / "clone")
    repo.git("branch", "main")
    repo.git("update-ref", "-d", "refs/remotes/origin/trunk")
    assert base_line(repo).startswith("base: main (")


def test_any_revision_can_be_the_base(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    assert changed_paths(repo, base="HEAD~1") == [FIRST]
    assert changes(repo, base="HEAD") == ()


@pytest.mark.parametrize("name", ["no-such-branch", "-x", "--all", "a\nb", "HEAD:README.md"])
def test_a_base_that_was_named_and_does_not_exist_stops_the_work(tmp_path: Path, name: str) -> None:
    repo = published(tmp_path)
    repo.put("README.md", "x")
    repo.commit()
    assert refusal(repo, base=name).endswith("is no commit of this repository; fetch it, or name another with --base")


def test_a_branch_that_lags_behind_its_base_is_not_blamed_for_it(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("switch", "--quiet", "main")
    repo.version(f"{CASE}/v1.1.0")
    repo.git("rm", "-r", "--quiet", FIRST)
    repo.commit()
    repo.git("switch", "--quiet", "work")
    repo.put("README.md", "x")
    repo.commit()
    assert changes(repo) == ()


def test_a_merge_from_the_base_brings_what_is_frozen_there(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("switch", "--quiet", "main")
    repo.version(f"{CASE}/v1.1.0")
    repo.commit()
    repo.git("switch", "--quiet", "work")
    repo.commit("Own work")
    repo.git("merge", "--quiet", "main", "--message", "Merge")
    assert changes(repo) == ()
    repo.put(f"{CASE}/v1.1.0/prompt.hbs", "x")
    assert changed_paths(repo) == [f"{CASE}/v1.1.0"]


def test_of_two_merge_bases_the_first_that_git_names_is_taken(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.commit("On the branch")
    repo.git("switch", "--quiet", "main")
    repo.put("README.md", "On main\n")
    repo.commit("On main")
    repo.git("branch", "main-before")
    repo.git("merge", "--quiet", "work", "--message", "Merge work")
    repo.git("switch", "--quiet", "work")
    repo.git("merge", "--quiet", "main-before", "--message", "Merge main")
    assert len(repo.git("merge-base", "--all", "main", "HEAD").split()) == 2
    with open_ground(repo.root, {}, environment=environment()) as ground:
        assert ground.base is not None
        assert ground.base.merge_base == repo.git("merge-base", "main", "HEAD")


def test_unrelated_histories_stop_the_work(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("switch", "--quiet", "--orphan", "alone")
    repo.commit()
    assert refusal(repo) == ("HEAD and main have no commit in common; name the branch it was started from with --base")


def test_a_shallow_clone_is_told_how_to_deepen(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    source.commit("One")
    source.git("switch", "--quiet", "main")
    source.commit("Two")
    repo = clone(source, tmp_path / "clone", "--depth", "1", "--no-single-branch", "--branch", "work")
    said = refusal(repo, base="origin/main")
    assert said.startswith("this clone is shallow and holds no commit that HEAD and origin/main share")
    assert "git fetch --unshallow" in said
    repo.git("fetch", "--quiet", "--unshallow")
    assert changes(repo, base="origin/main") == ()


def test_a_shallow_clone_without_the_pull_requests_base_is_told_how_to_deepen(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    source.commit("One")
    repo = clone(source, tmp_path / "clone", "--depth", "1", "--branch", "work")
    said = refusal(repo, {"GITHUB_BASE_REF": "main"})
    assert "origin/main" in said
    assert "fetch-depth: 0" in said


def test_a_branch_without_a_commit_beside_a_base_stops_the_work(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("switch", "--quiet", "--orphan", "alone")
    assert refusal(repo) == "HEAD has no commit yet, so it shares none with main; start the branch from main"


def test_a_repository_without_a_commit_has_nothing_frozen(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.git("add", ".")
    assert changes(repo) == ()
    assert changes(repo, staged=True) == ()


def test_a_configured_base_does_not_stop_the_first_commit(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'base = "main"\n')
    repo.version()
    repo.git("add", ".")
    assert changes(repo, staged=True) == ()


@pytest.mark.parametrize("env", [{}, {"CABINET_CI_BASE": "nope"}])
def test_a_base_that_was_asked_for_has_to_exist_before_the_first_commit_too(
    tmp_path: Path, env: dict[str, str]
) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    flags = {} if env else {"base": "nope"}
    assert refusal(repo, env, **flags).endswith(
        "is no commit of this repository; fetch it, or name another with --base"
    )


def test_the_branch_that_gets_its_first_commit_may_be_named_as_its_base(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    assert changes(repo, base="main") == changes(repo, env={"CABINET_CI_BASE": "main"}) == ()


def test_without_a_base_only_tags_count_and_that_is_said(tmp_path: Path) -> None:
    repo = new_repo(tmp_path, branch="trunk")
    repo.version()
    repo.version(f"{CASE}/v1.1.0")
    repo.commit()
    repo.git("tag", "route-finder-v1.0.0")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put(f"{CASE}/v1.1.0/prompt.hbs", "x")
    repo.commit()
    assert changed_paths(repo) == [FIRST]
    with open_ground(repo.root, {}, environment=environment()) as ground:
        assert ground.base is None
        (note,) = ground.notes
        assert "only tags count" in note


def test_no_branch_can_free_itself_by_configuration(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'catalog = "test-cases"\n')
    repo.version()
    repo.commit()
    repo.branch("work")
    repo.put("cabinet-ci.toml", 'freeze = "released"\ncatalog = "elsewhere"\nsuites = "nowhere"\n')
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST]


def test_where_the_base_has_no_configuration_the_working_trees_is_used(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("pyproject.toml", "[tool.other]\n")
    repo.version(FIRST.replace("test-cases", "cases"))
    repo.commit()
    repo.put("pyproject.toml", '[tool.cabinet-ci]\ncatalog = "cases"\n')
    repo.put(FIRST.replace("test-cases", "cases") + "/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST.replace("test-cases", "cases")]


@pytest.mark.parametrize(
    "configuration", ['freeze = "released"\n', 'catalog = "elsewhere"\n', 'catalog = "."\n', 'suites = "elsewhere"\n']
)
def test_the_first_configuration_frees_nothing_in_the_branch_that_adds_it(tmp_path: Path, configuration: str) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.suite()
    repo.commit()
    repo.branch("work")
    repo.put("cabinet-ci.toml", configuration)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put(f"{SUITE}/changelog.md", "x")
    assert changed_paths(repo) == [FIRST, SUITE]


def test_a_tag_is_found_in_the_usual_catalog_though_the_branch_configures_another(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version(experimental=True)
    repo.commit()
    repo.git("tag", "route-finder-v1.0.0")
    repo.put("cabinet-ci.toml", 'catalog = "elsewhere"\n')
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST]


def test_a_flag_frees_where_the_base_has_no_configuration(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / "cases").mkdir()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo, freeze="released") == changed_paths(repo, catalog="cases") == []


def test_flags_and_environment_win_over_the_configuration_of_the_base(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'freeze = "merged"\n')
    repo.version()
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo, freeze="merged") == [FIRST]
    assert changed_paths(repo, freeze="released") == []
    assert changes(repo, env={"CABINET_CI_FREEZE": "released"}) == ()


def test_a_broken_configuration_on_the_base_frees_nothing_and_can_be_mended(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", "freeze = [\n")
    repo.version()
    repo.commit()
    repo.branch("work")
    repo.put("cabinet-ci.toml", 'freeze = "released"\ncatalog = "elsewhere"\n')
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST]


def test_a_catalog_may_be_the_whole_repository(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'catalog = "."\n')
    repo.version("performance/hard/route-finder/v1.0.0")
    repo.suite()
    repo.commit()
    repo.put("performance/hard/route-finder/v1.0.0/prompt.hbs", "x")
    assert changed_paths(repo) == ["performance/hard/route-finder/v1.0.0"]
