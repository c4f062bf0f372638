"""What is wrong with a setting is said in one sentence that names it, and never shows the token."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import BadSettings, Settings

SECRET = "a.very.secret"  # noqa: S105


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"KROPKA_{name.upper()}", raising=False)


def test_nothing_needs_to_be_set() -> None:
    assert Settings.read().token is None


def test_the_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", SECRET)
    token = Settings.read().token
    assert token is not None
    assert token.get_secret_value() == SECRET


def test_the_token_comes_from_a_folder_of_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "kropka_token").write_text(f"{SECRET}\n")
    monkeypatch.setattr("bot.settings.SECRETS", tmp_path)
    token = Settings.read().token
    assert token is not None
    assert token.get_secret_value() == SECRET


def test_the_token_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", SECRET)
    assert SECRET not in repr(Settings.read())


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("KROPKA_DISCORD", "https://discord.com", "KROPKA_DISCORD: it must be an address on this machine"),
        ("KROPKA_DISCORD", "here", "KROPKA_DISCORD: Input should be a valid URL"),
        ("KROPKA_PORT", "many", "KROPKA_PORT: Input should be a valid integer"),
        ("KROPKA_LOG_LEVEL", "loud", "KROPKA_LOG_LEVEL: Input should be"),
        ("KROPKA_DATABASE", "mysql://x", "KROPKA_DATABASE: it must be sqlite+aiosqlite:///PATH"),
    ],
)
def test_a_bad_setting_is_named_and_ends_the_program_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings, match=sentence.partition("(")[0].replace("+", r"\+")):
        Settings.read()
    assert main(["run"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_command_that_needs_the_token_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 2
    assert "KROPKA_TOKEN: it is missing." in capsys.readouterr().err
