"""This repository uses the hooks that it ships."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).parents[2]
CONFIG = REPOSITORY / ".pre-commit-config.yaml"


def test_the_configuration_is_one_that_pre_commit_accepts() -> None:
    command = [Path(sys.executable).with_name("pre-commit"), "validate-config", CONFIG]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_shipped_hook_is_used_with_the_arguments_that_are_shipped() -> None:
    shipped = {hook["id"]: hook for hook in yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())}
    own = {hook["id"]: hook for repo in yaml.safe_load(CONFIG.read_text())["repos"] for hook in repo["hooks"]}
    for name, hook in shipped.items():
        assert hook["entry"] in own[name]["entry"]
        for key in ("always_run", "pass_filenames", "require_serial", "stages"):
            assert own[name].get(key) == hook.get(key)


def test_the_shipped_hooks_pass_on_this_repository() -> None:
    for name in ("cabinet-validate", "cabinet-immutable"):
        command = [Path(sys.executable).with_name("pre-commit"), "run", "--all-files", name]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
