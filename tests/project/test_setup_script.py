"""`.ci/setup` finds or installs the toolchain, by each way there is. Compilers and installers are stand-ins."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / ".ci/setup"
TARGET = "wasm32-unknown-unknown"
# What the script itself needs: nothing else that happens to be on this machine is on the PATH it gets.
PLAIN_TOOLS = ("sh", "dirname", "env", "cat", "cp", "find", "grep", "mkdir", "mktemp", "rm", "timeout", "touch", "true")


class Machine:
    """A machine of stand-ins: `bin` is on PATH, `system` is where its packages put their programs."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.system, self.home = folder / "bin", folder / "system", folder / "home"
        self.clone = folder / "a clone"
        for path in (self.bin, self.system, self.home, self.clone / ".ci"):
            path.mkdir(parents=True)
        for name in PLAIN_TOOLS:
            (self.bin / name).symlink_to(shutil.which(name) or name)
        self.program(self.bin / "id", "echo 0")
        shutil.copy(SETUP, self.clone / ".ci/setup")
        (self.clone / "pyproject.toml").touch()
        self.calls = self.home / "calls"

    def program(self, path: Path, script: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def rust(self, folder: Path, *, builds: bool) -> Path:
        """A Rust in `folder`. It builds the target as soon as the file whose path is returned exists."""
        ready = folder.parent / f"{folder.name}-builds"
        self.program(folder / "cargo", "exit 0")
        self.program(
            folder / "rustc",
            f'case "$*" in *"--target {TARGET}"*) ;; *) exit 1;; esac\n'
            f"[ -e '{ready}' ] || exit 1\n"
            'while [ "$1" != -o ]; do shift; done\necho wasm >"$2"',
        )
        if builds:
            ready.touch()
        return ready

    def clang(self, folder: Path, *, builds: bool) -> Path:
        """A clang in `folder`. It builds WebAssembly as soon as the file whose path is returned exists."""
        ready = folder / "wasm-ld"
        self.program(
            folder / "clang",
            'case "$*" in *--target=wasm32*) ;; *) exit 1;; esac\n'
            f"[ -e '{ready}' ] || exit 1\n"
            'while [ "$1" != -o ]; do shift; done\necho wasm >"$2"',
        )
        if builds:
            ready.touch()
        return ready

    def apt(self, *, brings: Path) -> None:
        """An apt-get whose packages make the file `brings` exist; it notes its calls."""
        self.program(
            self.bin / "apt-get", f"echo \"$*\" >>{self.calls}\ncase \"$*\" in *' install '*) touch '{brings}';; esac"
        )

    def python(self, *, makes_venvs: bool) -> Path:
        """A python3 whose pip notes its calls. It makes virtual environments once the file returned exists."""
        ready = self.home / "ensurepip"
        self.program(
            self.bin / "python3",
            'case "$*" in\n'
            f'*"import ensurepip"*) [ -e {ready} ];;\n'
            "*-venv*) echo python3.12-venv;;\n"
            '"-m venv --clear "*) mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; echo "#!$4/bin/python" >"$4/bin/pip";;\n'
            f'"-m pip install "*) echo "$*" >>{self.calls};;\n'
            "esac",
        )
        if makes_venvs:
            ready.touch()
        return ready

    def setup(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", self.clone / ".ci/setup", *arguments],
            env={
                "PATH": str(self.bin),
                "HOME": str(self.home),
                "SYSTEM_BIN": str(self.system),
                "HOMEBREW_PREFIX": str(self.home / "brew"),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# Rust


def test_a_cargo_on_path_that_can_build_the_target_is_used_as_it_is(machine: Machine) -> None:
    machine.rust(machine.bin, builds=True)
    machine.rust(machine.system, builds=True)
    machine.program(machine.bin / "rustup", f"echo rustup >>{machine.calls}")
    machine.apt(brings=machine.home / "nothing")
    assert machine.setup("rust").stdout == f"{machine.bin}\n"
    assert machine.called() == []


def test_a_rustup_that_is_not_on_path_is_found_in_the_home_folder(machine: Machine) -> None:
    machine.rust(machine.home / ".cargo/bin", builds=True)
    assert machine.setup("rust").stdout == f"{machine.home}/.cargo/bin\n"


def test_a_system_cargo_is_found_behind_one_on_path_that_lacks_the_target(machine: Machine) -> None:
    machine.rust(machine.bin, builds=False)
    machine.rust(machine.system, builds=True)
    assert machine.setup("rust").stdout == f"{machine.system}\n"


def test_a_compiler_without_its_cargo_does_not_count(machine: Machine) -> None:
    machine.rust(machine.system, builds=True)
    (machine.system / "cargo").unlink()
    assert machine.setup("rust").returncode == 2


@pytest.mark.parametrize("place", ["bin", "home/.cargo/bin"])
def test_rustup_adds_the_target(machine: Machine, tmp_path: Path, place: str) -> None:
    folder = tmp_path / place
    ready = machine.rust(folder, builds=False)
    machine.program(folder / "rustup", f"[ \"$*\" = 'target add {TARGET}' ] && touch '{ready}'")
    machine.apt(brings=machine.home / "nothing")
    found = machine.setup("rust")
    assert (found.returncode, found.stdout) == (0, f"{folder}\n")
    assert machine.called() == []


@pytest.mark.parametrize("rustup", ["echo no network >&2; exit 1", "exit 0"], ids=["fails", "changes nothing"])
def test_where_rustup_can_not_the_packages_of_the_system_are_installed(machine: Machine, rustup: str) -> None:
    machine.rust(machine.bin, builds=False)
    machine.program(machine.bin / "rustup", rustup)
    machine.apt(brings=machine.rust(machine.system, builds=False))
    found = machine.setup("rust")
    assert (found.returncode, found.stdout) == (0, f"{machine.system}\n")
    update, install = machine.called()
    assert update.startswith("update")
    assert install.endswith("--no-install-recommends rustc cargo libstd-rust-dev-wasm32 lld")


def test_old_lists_of_packages_that_can_not_be_renewed_still_serve(machine: Machine) -> None:
    ready = machine.rust(machine.system, builds=False)
    machine.program(machine.bin / "apt-get", f"case \"$*\" in update*) exit 100;; *) touch '{ready}';; esac")
    assert machine.setup("rust").stdout == f"{machine.system}\n"


@pytest.mark.parametrize("apt", [None, "exit 100", "exit 0"], ids=["absent", "fails", "brings nothing"])
def test_where_nothing_helps_the_last_line_says_what_to_install(machine: Machine, apt: str | None) -> None:
    if apt is not None:
        machine.program(machine.bin / "apt-get", apt)
    found = machine.setup("rust")
    last = found.stderr.splitlines()[-1]
    assert (found.returncode, found.stdout) == (2, "")
    assert f"rustup target add {TARGET}" in last
    assert "rustc, cargo, libstd-rust-dev-wasm32 and lld" in last


def test_without_rust_rustup_and_apt_there_is_one_line_alone(machine: Machine) -> None:
    assert len(machine.setup("rust").stderr.splitlines()) == 1


@pytest.mark.parametrize("sudo", [None, "exit 1"], ids=["absent", "asks for a password"])
def test_without_root_and_without_a_free_sudo_nothing_is_installed(machine: Machine, sudo: str | None) -> None:
    machine.program(machine.bin / "id", "echo 1000")
    machine.apt(brings=machine.rust(machine.system, builds=False))
    if sudo is not None:
        machine.program(machine.bin / "sudo", sudo)
    assert machine.setup("rust").returncode == 2
    assert machine.called() == []


def test_a_sudo_that_asks_for_no_password_installs(machine: Machine) -> None:
    machine.program(machine.bin / "id", "echo 1000")
    machine.apt(brings=machine.rust(machine.system, builds=False))
    machine.program(machine.bin / "sudo", f'echo "sudo $2" >>{machine.calls}; [ "$1" = -n ] && shift && exec "$@"')
    assert machine.setup("rust").stdout == f"{machine.system}\n"
    assert [call for call in machine.called() if call.startswith("sudo")] == ["sudo true", "sudo apt-get", "sudo env"]


# clang


def test_a_clang_on_path_that_builds_wasm_is_used_as_it_is(machine: Machine) -> None:
    machine.clang(machine.bin, builds=True)
    machine.clang(machine.system, builds=True)
    machine.apt(brings=machine.home / "nothing")
    assert machine.setup("clang").stdout == f"{machine.bin}\n"
    assert machine.called() == []


@pytest.mark.parametrize("place", ["system", "home/brew/opt/llvm/bin"])
def test_another_clang_is_found_behind_one_on_path_that_builds_no_wasm(
    machine: Machine, tmp_path: Path, place: str
) -> None:
    machine.clang(machine.bin, builds=False)
    machine.clang(tmp_path / place, builds=True)
    found = machine.setup("clang")
    assert (found.returncode, found.stdout) == (0, f"{tmp_path / place}\n")


def test_apt_brings_clang_with_its_linker(machine: Machine) -> None:
    machine.apt(brings=machine.clang(machine.system, builds=False))
    found = machine.setup("clang")
    assert (found.returncode, found.stdout) == (0, f"{machine.system}\n")
    assert machine.called()[-1].endswith("clang lld")


@pytest.mark.parametrize("apt", [None, "exit 100", "exit 0"], ids=["absent", "fails", "brings nothing"])
def test_where_there_is_no_clang_the_last_line_says_what_to_install(machine: Machine, apt: str | None) -> None:
    if apt is not None:
        machine.program(machine.bin / "apt-get", apt)
    found = machine.setup("clang")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1] == (
        "setup: no clang builds wasm32 here; install Debian's clang and lld, or Homebrew's llvm and lld"
    )


# All that the catalog needs


def test_the_path_holds_the_environment_and_each_compiler(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.rust(machine.home / ".cargo/bin", builds=True)
    machine.clang(machine.system, builds=True)
    found = machine.setup("path")
    assert found.stdout == f"{machine.clone}/.venv/bin:{machine.home}/.cargo/bin:{machine.system}\n"


def test_a_folder_with_both_compilers_is_named_once(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.rust(machine.system, builds=True)
    machine.clang(machine.system, builds=True)
    assert machine.setup("path").stdout == f"{machine.clone}/.venv/bin:{machine.system}\n"


def test_the_environment_gets_the_tools_of_the_catalog_once(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.rust(machine.system, builds=True)
    machine.clang(machine.system, builds=True)
    machine.setup("path")
    machine.setup("path")
    (install,) = machine.called()
    assert install.endswith(f"-e {machine.clone}[catalog]")


@pytest.mark.parametrize(("there", "missing"), [("rust", "clang"), ("clang", "Rust")])
def test_where_one_compiler_is_missing_no_path_is_printed(machine: Machine, there: str, missing: str) -> None:
    machine.python(makes_venvs=True)
    if there == "rust":
        machine.rust(machine.system, builds=True)
    else:
        machine.clang(machine.system, builds=True)
    found = machine.setup("path")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1].startswith(f"setup: no {missing} builds")


# The virtual environment


@pytest.mark.parametrize(("extra", "requirement"), [((), ""), (("dev",), "[dev]")], ids=["plain", "dev"])
def test_the_package_is_installed_in_an_environment_of_its_own(
    machine: Machine, extra: tuple[str, ...], requirement: str
) -> None:
    machine.python(makes_venvs=True)
    assert machine.setup("venv", *extra).returncode == 0
    (install,) = machine.called()
    assert install.endswith(f"-e {machine.clone}{requirement}")
    assert (machine.clone / ".venv/bin/python").exists()


@pytest.mark.parametrize("again", [(), ("catalog",), ("dev",)], ids=["plain", "catalog", "dev"])
def test_what_is_installed_for_development_is_not_installed_again(machine: Machine, again: tuple[str, ...]) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv", "dev")
    assert machine.setup("venv", *again).returncode == 0
    assert len(machine.called()) == 1


def test_a_plain_environment_gets_what_development_needs_on_top(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv")
    machine.setup("venv", "dev")
    assert [call.endswith("[dev]") for call in machine.called()] == [False, True]


def test_a_change_of_the_requirements_installs_again(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv")
    installed = (machine.clone / ".venv/.installed").stat().st_mtime
    os.utime(machine.clone / "pyproject.toml", (installed + 10, installed + 10))
    machine.setup("venv")
    assert len(machine.called()) == 2


def test_an_environment_that_was_moved_with_its_clone_is_made_anew(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv")
    machine.clone = machine.clone.rename(machine.clone.with_name("elsewhere"))
    machine.setup("venv")
    assert str(machine.clone) in (machine.clone / ".venv/bin/pip").read_text()
    assert machine.called()[-1].endswith(f"-e {machine.clone}")


def test_an_environment_whose_python_is_gone_is_made_anew(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv")
    python = machine.clone / ".venv/bin/python"
    python.unlink()
    machine.setup("venv")
    assert python.exists()
    assert len(machine.called()) == 2


def test_an_installation_that_failed_is_tried_again(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    machine.setup("venv")
    (machine.clone / ".venv/.installed").unlink()
    works = (machine.clone / ".venv/bin/python").read_text()
    machine.program(machine.clone / ".venv/bin/python", "echo no such package >&2; exit 1")
    failed = machine.setup("venv")
    assert failed.returncode == 2
    assert failed.stderr.splitlines()[-2:] == [
        "no such package",
        "setup: could not install the package; pip says why above",
    ]
    (machine.clone / ".venv/bin/python").write_text(works)
    assert machine.setup("venv").returncode == 0
    assert len(machine.called()) == 2


def test_where_python_makes_no_environments_its_package_is_installed(machine: Machine) -> None:
    machine.apt(brings=machine.python(makes_venvs=False))
    assert machine.setup("venv").returncode == 0
    assert machine.called()[1].endswith("python3.12-venv")
    assert (machine.clone / ".venv/bin/pip").exists()


@pytest.mark.parametrize("apt", [None, "exit 100", "exit 0"], ids=["absent", "fails", "brings nothing"])
def test_where_the_package_for_environments_can_not_be_installed_the_last_line_names_it(
    machine: Machine, apt: str | None
) -> None:
    machine.python(makes_venvs=False)
    if apt is not None:
        machine.program(machine.bin / "apt-get", apt)
    found = machine.setup("venv")
    last = found.stderr.splitlines()[-1]
    assert found.returncode == 2
    assert last == "setup: python3 makes no virtual environments; install the package python3.12-venv"


def test_a_machine_without_python_gets_the_one_of_its_system(machine: Machine) -> None:
    machine.python(makes_venvs=True)
    (machine.bin / "python3").rename(machine.system / "python3")
    machine.program(
        machine.bin / "apt-get", f"case \"$*\" in *' python3 '*) cp {machine.system}/python3 {machine.bin};; esac"
    )
    assert machine.setup("venv").returncode == 0
    assert len(machine.called()) == 1


def test_without_python_and_without_apt_one_line_says_what_to_install(machine: Machine) -> None:
    found = machine.setup("venv")
    assert (found.returncode, found.stderr) == (2, "setup: no python3; install Python 3.11 or newer\n")


def test_a_python_that_is_too_old_is_told_in_one_line(machine: Machine) -> None:
    machine.program(machine.bin / "python3", 'case "$1" in -c) exit 1;; *) echo Python 3.9.2;; esac')
    found = machine.setup("venv")
    assert found.returncode == 2
    assert found.stderr.startswith("setup: Python 3.9.2 is too old; install Python 3.11 or newer")
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [(), ("frobnicate",)])
def test_wrong_usage_is_told(machine: Machine, arguments: tuple[str, ...]) -> None:
    found = machine.setup(*arguments)
    assert (found.returncode, found.stderr) == (2, "setup: usage: .ci/setup venv [EXTRA] | rust | clang | path\n")
