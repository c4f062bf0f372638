"""The systemd service, and the command that runs beside it: deploy/kropka."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.cli.complaint import NEEDS_OPERATOR
from tests.build_context import ROOT

UNIT = (ROOT / "deploy" / "kropka.service").read_text("utf-8")
COMMAND = ROOT / "deploy" / "kropka"

SHARED = (
    "User",
    "DynamicUser",
    "StateDirectory",
    "StateDirectoryMode",
    "CacheDirectory",
    "WorkingDirectory",
    "UMask",
    "EnvironmentFile",
    "Environment",
    "LoadCredential",
)
"""Settings that a command has to have as the service has them: who it is, where it is, and what it is told."""


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """The arguments that the command gives to systemd-run for `kropka backup "a copy.db"`."""
    (tmp_path / "systemd-run").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "systemd-run").chmod(0o755)
    asked = ["/bin/sh", str(COMMAND), "backup", "a copy.db"]
    ran = subprocess.run(asked, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)  # noqa: S603
    return ran.stdout.splitlines()


def settings_of(lines: list[str]) -> dict[str, str]:
    return {name: value for name, _, value in (line.partition("=") for line in lines) if name in SHARED}


def test_a_command_beside_the_service_is_the_same_user_with_the_same_folders_and_settings(arguments: list[str]) -> None:
    given = [each.removeprefix("--property=") for each in arguments if each.startswith("--property=")]
    assert len(given) == len(SHARED)
    assert settings_of(given) == settings_of(UNIT.splitlines())


def test_a_command_beside_the_service_is_that_of_the_service_with_what_was_asked(arguments: list[str]) -> None:
    program = re.findall(r"^ExecStart=(\S+) run$", UNIT, re.MULTILINE)
    assert arguments[-3:] == [*program, "backup", "a copy.db"]
    assert {"--wait", "--pipe"} <= set(arguments)


def test_no_secret_is_in_the_arguments_of_the_service_or_of_a_command(arguments: list[str]) -> None:
    """Everybody on the machine may read those: systemd itself takes secrets from files of root."""
    assert [each for each in arguments if re.search(r"KROPKA_|--setenv", each)] == []
    assert "Environment=KROPKA_" not in UNIT


def test_systemd_does_not_start_again_what_is_to_be_mended() -> None:
    assert f"RestartPreventExitStatus={NEEDS_OPERATOR}\n" in UNIT
