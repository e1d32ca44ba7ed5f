"""`.ci/setup` finds or installs the toolchain, by each way there is. Compilers and installers are stand-ins."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / ".ci/setup"
TARGET = "wasm32-unknown-unknown"


class Machine:
    """A machine of stand-ins: `bin` is on PATH, `system` is where its packages put their programs."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.system, self.home = folder / "bin", folder / "system", folder / "home"
        for path in (self.bin, self.system, self.home):
            path.mkdir()
        # The script's own needs, and nothing else that happens to be on this machine.
        for name in ("sh", "dirname", "ls", "timeout", "env", "cat", "mkdir", "touch"):
            real = next(path for path in (Path("/bin") / name, Path("/usr/bin") / name) if path.exists())
            (self.bin / name).symlink_to(real)
        self.program(self.bin / "id", "echo 0")

    def program(self, path: Path, script: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def rust(self, folder: Path, *, has_target: bool) -> None:
        libraries = folder.parent / f"{folder.name}-libraries"
        self.program(folder / "cargo", "exit 0")
        self.program(folder / "rustc", f"echo {libraries}")
        libraries.mkdir(exist_ok=True)
        if has_target:
            (libraries / "libstd-1.rlib").touch()

    def find(self) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.bin), "HOME": str(self.home), "SYSTEM_BIN": str(self.system)}
        return subprocess.run(
            ["/bin/sh", SETUP, "rust"], env=env, capture_output=True, text=True, check=False, timeout=60
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_cargo_on_path_that_can_build_the_target_is_used_as_it_is(machine: Machine) -> None:
    machine.rust(machine.bin, has_target=True)
    machine.program(machine.bin / "apt-get", "exit 99")
    assert machine.find().stdout == f"{machine.bin}\n"


def test_a_system_cargo_is_found_behind_one_on_path_that_lacks_the_target(machine: Machine) -> None:
    machine.rust(machine.bin, has_target=False)
    machine.rust(machine.system, has_target=True)
    assert machine.find().stdout == f"{machine.system}\n"


def test_rustup_adds_the_target(machine: Machine) -> None:
    machine.rust(machine.bin, has_target=False)
    machine.program(
        machine.bin / "rustup", f'[ "$*" = "target add {TARGET}" ] && touch {machine.bin}-libraries/libstd-1.rlib'
    )
    found = machine.find()
    assert (found.returncode, found.stdout) == (0, f"{machine.bin}\n")


def test_where_rustup_can_t_the_systems_packages_are_installed(machine: Machine) -> None:
    machine.rust(machine.bin, has_target=False)
    machine.program(machine.bin / "rustup", "echo no network >&2; exit 1")
    machine.rust(machine.system, has_target=False)
    libraries = f"{machine.system}-libraries"
    calls = machine.home / "calls"
    machine.program(
        machine.bin / "apt-get",
        f'echo "$*" >> {calls}; case "$*" in *install*) touch {libraries}/libstd-1.rlib;; esac',
    )
    found = machine.find()
    assert (found.returncode, found.stdout) == (0, f"{machine.system}\n")
    update, install = calls.read_text().splitlines()
    assert "update" in update
    assert "--no-install-recommends rustc cargo libstd-rust-dev-wasm32 lld" in install


@pytest.mark.parametrize("apt", [None, "exit 100"])
def test_where_nothing_helps_one_line_says_what_to_install(machine: Machine, apt: str | None) -> None:
    if apt is not None:
        machine.program(machine.bin / "apt-get", apt)
    found = machine.find()
    last = found.stderr.splitlines()[-1]
    assert found.returncode == 2
    assert f"rustup target add {TARGET}" in last
    assert "libstd-rust-dev-wasm32" in last


def test_without_root_and_without_sudo_nothing_is_installed(machine: Machine) -> None:
    machine.program(machine.bin / "id", "echo 1000")
    machine.program(machine.bin / "apt-get", f"touch {machine.home}/called")
    assert machine.find().returncode == 2
    assert not (machine.home / "called").exists()


def test_a_python_that_is_too_old_is_told(machine: Machine) -> None:
    machine.program(machine.bin / "python3", 'case "$1" in -c) exit 1;; *) echo Python 3.9.2;; esac')
    env = {"PATH": str(machine.bin), "HOME": str(machine.home)}
    found = subprocess.run(["/bin/sh", SETUP, "venv"], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 2
    assert "Python 3.9.2 is too old; install Python 3.11 or newer" in found.stderr


def test_wrong_usage_is_told() -> None:
    found = subprocess.run([SETUP, "frobnicate"], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (found.returncode, "usage" in found.stderr) == (2, True)
