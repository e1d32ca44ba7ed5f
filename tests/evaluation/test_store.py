"""The folder of what is remembered: whatever happens to it, an entry is whole and in its place, or none."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cabinet_ci.evaluation.cache import store as module
from cabinet_ci.evaluation.cache.store import Store, digest, open_store

KEY, OTHER = digest("one"), digest("other")
SECRET = b"s" * 32


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_put_is_there_for_another_run(tmp_path: Path) -> None:
    Store(tmp_path).put("builds", KEY, b"content")
    assert Store(tmp_path).get("builds", KEY) == b"content"


def test_what_was_not_put_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("builds", KEY, b"content")
    assert store.get("builds", OTHER) is None
    assert store.get("outcomes", KEY) is None


def test_a_store_without_a_folder_remembers_nothing() -> None:
    store = Store(None, SECRET)
    store.put("builds", KEY, b"content")
    store.put_code(KEY, b"code")
    store.prune()
    assert (store.get("builds", KEY), store.get_code(KEY), store.keeps_code) == (None, None, False)


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: flip(path, 0),
        lambda path: flip(path, 20),
        lambda path: flip(path, -1),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes() + b"x"),
        lambda path: path.write_bytes(b""),
        lambda path: (path.unlink(), os.mkfifo(path)),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.rename(path.with_name("there")), path.symlink_to("there")),
    ],
    ids=["magic", "seal", "content", "shorter", "longer", "empty", "fifo", "folder", "link"],
)
def test_a_broken_entry_is_none_and_can_be_put_again(damage: Callable[[Path], object], tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("builds", KEY, b"content")
    (path,) = files(tmp_path)
    damage(path)
    assert store.get("builds", KEY) is None
    if not path.is_dir():
        store.put("builds", KEY, b"content")
        assert store.get("builds", KEY) == b"content"


def test_an_entry_in_the_place_of_another_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("builds", KEY, b"one")
    store.put("builds", OTHER, b"other")
    one, other = (tmp_path / "builds" / key[:2] / key for key in (KEY, OTHER))
    one.write_bytes(other.read_bytes())
    assert store.get("builds", KEY) is None
    assert store.get("builds", OTHER) == b"other"


def test_code_is_taken_only_with_the_secret_that_sealed_it(tmp_path: Path) -> None:
    Store(tmp_path, SECRET).put_code(KEY, b"code")
    assert Store(tmp_path, SECRET).get_code(KEY) == b"code"
    assert Store(tmp_path, b"x" * 32).get_code(KEY) is None


def test_code_that_is_sealed_as_data_is_not_taken(tmp_path: Path) -> None:
    Store(tmp_path).put("code", KEY, b"forged")
    assert Store(tmp_path).get("code", KEY) == b"forged"
    assert Store(tmp_path, SECRET).get_code(KEY) is None


def test_of_too_much_that_goes_which_was_used_longest_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STORE_LIMIT", 3_000)
    store = Store(tmp_path)
    keys = [digest(str(number)) for number in range(4)]
    for age, key in enumerate(keys):
        store.put("builds", key, b"x" * 1_000)
        os.utime(tmp_path / "builds" / key[:2] / key, (1_000 + age, 1_000 + age))
    assert store.get("builds", keys[0]) is not None
    store.prune()
    assert [store.get("builds", key) is not None for key in keys] == [True, False, False, True]


def test_two_that_write_at_once_leave_one_whole_entry(tmp_path: Path) -> None:
    contents = [bytes([number]) * 100_000 for number in range(4)]

    def write(content: bytes) -> None:
        for _ in range(20):
            Store(tmp_path).put("builds", KEY, content)
            assert Store(tmp_path).get("builds", KEY) in contents

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Store(tmp_path).get("builds", KEY) in contents
    assert len(files(tmp_path)) == 1


def test_a_folder_that_can_t_be_written_to_keeps_nothing_and_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "builds").write_text("in the way")
    store = Store(tmp_path)
    store.put("builds", KEY, b"content")
    assert store.get("builds", KEY) is None


def test_keys_of_other_parts_differ() -> None:
    keys = [digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("ab", "c", ""), digest(b"ab", "c")]
    assert len(set(keys)) == 4
    assert keys[0] == keys[4]


def test_the_environment_names_the_folder_which_is_then_its_owners_alone(tmp_path: Path) -> None:
    store, why_not = open_store({"CABINET_CI_CACHE": str(tmp_path / "a/cache")})
    store.put("builds", KEY, b"content")
    assert why_not == ""
    assert len(files(tmp_path / "a/cache")) == 1
    assert (tmp_path / "a/cache").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_not_used(mode: int, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    store, why_not = open_store({"CABINET_CI_CACHE": str(tmp_path / "cache")})
    store.put("builds", KEY, b"content")
    assert "others may write to it; run `chmod go-w" in why_not
    assert files(tmp_path) == []


def test_a_file_or_a_link_in_the_place_of_the_folder_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    assert "can't be used" in open_store({"CABINET_CI_CACHE": str(tmp_path / "file")})[1]
    assert "it is no folder" in open_store({"CABINET_CI_CACHE": str(tmp_path / "link")})[1]
