"""Fixtures of the operator's commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.cli.doctoring import Patient


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Patient:
    """A bot with a token and no other setting."""
    return Patient(monkeypatch, tmp_path)
