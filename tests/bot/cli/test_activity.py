"""The findings of `kropka doctor` about installations and the Activity."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.doctor import run_checks
from bot.settings import Settings
from loopback import TOKEN, Discord

SECRET = "a-client-secret-of-a-test"  # noqa: S105


async def examine(monkeypatch: pytest.MonkeyPatch, folder: Path, **environment: str) -> dict[str, list[str]]:
    """Returns what the doctor finds wrong, by part."""
    monkeypatch.chdir(folder)
    for name, value in {"TOKEN": TOKEN, **environment}.items():
        monkeypatch.setenv(f"KROPKA_{name}", value)
    found: dict[str, list[str]] = {}
    async for finding in run_checks(Settings.read()):
        if not finding.good:
            found.setdefault(finding.part, []).append(finding.sentence)
    return found


async def test_the_doctor_says_which_installation_is_missing(
    discord: Discord, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    discord.world.described = {"integration_types_config": {"0": {}}}
    found = await examine(monkeypatch, tmp_path)
    assert found["installation"] == ["Discord doesn't let people add the bot to accounts; run `kropka sync`"]
    assert "activity" not in found


async def test_the_doctor_says_for_whom_an_activity_opens(
    discord: Discord, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = await examine(monkeypatch, tmp_path, WEB_URL="https://kropka.example", CLIENT_SECRET=SECRET)
    off, redirect, team = found["activity"]
    assert "Activities are off" in off
    assert "no redirect" in redirect
    assert "your team only, in servers below 25 members" in team
    assert SECRET not in str(found)
