"""A bad setting is reported in one sentence that names it and never shows the token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import BadSettings, Settings

SECRET = "a.very.secret"  # noqa: S105


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"KROPKA_{name.upper()}", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)


def test_nothing_needs_to_be_set() -> None:
    assert Settings.read().token is None


def test_the_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", SECRET)
    token = Settings.read().token
    assert token is not None
    assert token.get_secret_value() == SECRET


def test_the_token_comes_from_a_folder_of_secrets(tmp_path: Path) -> None:
    (tmp_path / "kropka_token").write_text(f"{SECRET}\n")
    token = Settings.read(secrets=tmp_path).token
    assert token is not None
    assert token.get_secret_value() == SECRET


def test_the_token_comes_from_the_credentials_of_a_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "kropka_token").write_text(f"{SECRET}\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
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
        ("KROPKA_DATABASE", "mysql://x:secret@y/z", "KROPKA_DATABASE (or DATABASE_URL): mysql is no database"),
        ("DATABASE_URL", "kropka.db", "KROPKA_DATABASE (or DATABASE_URL): it must be"),
        ("KROPKA_STATUS_PORT", "-1", "KROPKA_STATUS_PORT: Input should be greater than"),
    ],
)
def test_a_bad_setting_is_named_and_ends_the_program_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings, match=re.escape(sentence)):
        Settings.read()
    assert main(["run"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_the_database_may_be_named_as_hosting_services_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://kropka:secret@db/kropka?sslmode=require")
    assert Settings.read().database == "postgresql+asyncpg://kropka:secret@db/kropka?ssl=require"


def test_our_own_name_of_the_database_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/kropka")
    monkeypatch.setenv("KROPKA_DATABASE", "sqlite+aiosqlite:///here.db")
    assert Settings.read().database == "sqlite+aiosqlite:///here.db"


def test_the_password_of_the_database_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_DATABASE", f"postgresql+asyncpg://kropka:{SECRET}@db/kropka")
    assert SECRET not in repr(Settings.read())


def test_a_command_that_needs_the_token_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 2
    assert "KROPKA_TOKEN: it is missing." in capsys.readouterr().err


WEBHOOK = f"https://discord.com/api/webhooks/{'1' * 18}/{'x' * 68}"


@pytest.mark.parametrize("name", ["SUPPORT", "SOURCE", "TERMS", "PRIVACY"])
def test_a_page_of_the_operator_is_an_https_address(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(f"KROPKA_{name}", "https://example.org/page")
    assert getattr(Settings.read().hosting(), name.lower()) == "https://example.org/page"
    long, named = f"https://x.org/{'y' * 512}", "https://me:secret@example.org"
    for wrong in ("http://example.org", "javascript:alert(1)", "here", long, named):
        monkeypatch.setenv(f"KROPKA_{name}", wrong)
        with pytest.raises(BadSettings, match=f"KROPKA_{name}: ") as raised:
            Settings.read()
        assert wrong not in str(raised.value)


@pytest.mark.parametrize("target", ["123456789012345678", WEBHOOK, WEBHOOK.replace("/api/", "/api/v10/")])
def test_feedback_goes_to_a_channel_or_a_webhook_and_its_address_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setenv("KROPKA_FEEDBACK", target)
    settings = Settings.read()
    assert settings.feedback is not None
    assert settings.feedback.get_secret_value() == target
    assert target not in repr(settings)
    assert target not in repr(settings.hosting())


@pytest.mark.parametrize("target", ["general", "7", "https://example.org/api/webhooks/1/x", f"{WEBHOOK}/slack"])
def test_feedback_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.setenv("KROPKA_FEEDBACK", target)
    with pytest.raises(BadSettings, match="KROPKA_FEEDBACK: it must be the id of a channel") as raised:
        Settings.read()
    assert target not in str(raised.value)
