"""A bad setting is reported in one sentence that names it and never shows the token."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import BadSettings, Settings, unknown_settings

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
        ("KROPKA_DISCORD", "https://discord.com", "It takes the token, so it must be on this machine. Use an address"),
        ("KROPKA_DISCORD", "here", "“here” isn't valid. Use an address such as http://127.0.0.1:8420."),
        ("KROPKA_PORT", "many", "“many” isn't valid. Use a whole number from 0 to 65535."),
        ("KROPKA_THREADS", "0", "“0” isn't valid. Use a whole number from 1 to 8."),
        ("KROPKA_THINKERS", "99", "“99” isn't valid. Use a whole number from 0 to 16."),
        ("KROPKA_PACE", "-1", "“-1” isn't valid. Use a number from 0 to 60."),
        ("KROPKA_REQUESTS", "0", "“0” isn't valid. Use a whole number from 1 to 1000000."),
        ("KROPKA_DOT_DASH", "perhaps", "“perhaps” isn't valid. Use yes or no."),
        ("KROPKA_LOG_LEVEL", "loud\n" * 40, "“LOUD?LOUD?"),
        ("KROPKA_LOG_FORMAT", "xml", "“xml” isn't valid. Use text or json."),
        ("KROPKA_SHARDS", "0", "“0” isn't valid. Use a whole number, 1 or more."),
        ("KROPKA_PROCESSES", "2", "2 processes need KROPKA_SHARDS, and a PostgreSQL database in KROPKA_DATABASE."),
        ("KROPKA_STATUS_PORT", "-1", "“-1” isn't valid. Use a whole number from 0 to 65535."),
        ("KROPKA_TOKEN", "se cret", "This isn't a token. Copy the token alone from the developer portal"),
        ("KROPKA_TOKEN", "secret\nsecret", "This isn't a token."),
        (
            "KROPKA_DATABASE",
            "mysql://x:secret@y/z",
            "Kropka doesn't work with mysql. Use sqlite:///PATH or postgresql://",
        ),
        ("KROPKA_DATABASE", "secret.db", "This isn't the address of a database. Use sqlite:///PATH or postgresql://"),
        ("KROPKA_DATABASE", "postgresql://x:secret@y:port/z", "This isn't the address of a database."),
        ("KROPKA_DATABASE", "postgresql://x:secret@y/z?channel_binding=on", "Remove channel_binding from the address."),
        ("DATABASE_URL", "sqlite:///:memory:", "A SQLite database must be a file. Use sqlite:///PATH."),
    ],
)
def test_a_bad_setting_is_named_with_what_is_allowed_and_ends_the_program_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.partition(":")[0] in (name, "KROPKA_DATABASE (or DATABASE_URL)")
    assert sentence in line
    assert "secret" not in line
    assert len(line) < 200


def test_a_level_may_be_written_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_LOG_LEVEL", "debug")
    assert Settings.read().log_level == "DEBUG"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"KROPKA_TOKEN secret\n", ".env, line 1: this isn't a setting. Write NAME=VALUE."),
        (b"# mine\nKROPKA_TOKEN\n", ".env, line 2: this isn't a setting. Write NAME=VALUE."),
        (b"KROPKA_TOKEN=\xff\xfe\n", ".env isn't text in UTF-8. Save it in that encoding."),
        (None, ".env can't be read (Is a directory)."),
    ],
)
def test_a_file_of_settings_that_cannot_be_read_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, sentence: str
) -> None:
    if content is None:
        (tmp_path / ".env").mkdir()
    else:
        (tmp_path / ".env").write_bytes(content)
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(sentence)
    assert "secret" not in line


def test_the_mark_that_an_editor_of_windows_puts_before_the_first_setting_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"KROPKA_TOKEN={SECRET}\n", encoding="utf-8-sig")
    assert Settings.read().secret() == SECRET
    assert list(unknown_settings()) == []


def test_a_name_that_is_no_setting_is_told_with_the_nearest_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KROPKA_LOGLEVEL", "DEBUG")
    monkeypatch.setenv("kropka_shard", "2")
    (tmp_path / ".env").write_text(f"KROPKA_TOKN={SECRET}\nOTHER=1\n")
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "kropka_databse").write_text("sqlite:///x.db")
    assert list(unknown_settings(secrets)) == [
        "KROPKA_LOGLEVEL isn't a setting of Kropka. Did you mean KROPKA_LOG_LEVEL?",
        "KROPKA_TOKN isn't a setting of Kropka. Did you mean KROPKA_TOKEN?",
        "kropka_databse isn't a setting of Kropka. Did you mean KROPKA_DATABASE?",
        "kropka_shard isn't a setting of Kropka. Did you mean KROPKA_SHARDS?",
    ]


def test_a_name_that_is_like_no_setting_is_told_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_XYZZY", "")
    (sentence,) = unknown_settings()
    assert sentence.startswith("KROPKA_XYZZY isn't a setting of Kropka. There are STATUS_HOST, ")


@pytest.mark.parametrize(
    "slip", ["KROPKA_WEBURL", "KROPKAWEB_URL", "KROPA_WEB_URL", "KROPKA_WEB_ULR", "kropka_web-url"]
)
def test_a_slip_of_the_pen_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], slip: str
) -> None:
    (tmp_path / ".env").write_text(f"{slip}=https://kropka.example\n")
    assert main(["sync"]) == 2
    assert f"{slip} isn't a setting of Kropka. Did you mean KROPKA_WEB_URL?" in capsys.readouterr().err


def test_a_setting_that_does_nothing_alone_is_told_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = {"CLIENT_SECRET": SECRET, "WEB_PORT": "8080", "STATUS_HOST": "127.0.0.2"}
    lines = [f"KROPKA_{name}={value}\n" for name, value in alone.items()]
    (tmp_path / ".env").write_text("".join(["KROPKA_TOKEN=x.y.z\n", "KROPKA_DISCORD=http://127.0.0.1:1\n", *lines]))
    assert main(["sync"]) == 1
    told = capsys.readouterr().err
    for name, needed in (("CLIENT_SECRET", "WEB_URL"), ("WEB_PORT", "WEB_URL"), ("STATUS_HOST", "STATUS_PORT")):
        assert f"KROPKA_{name} does nothing without KROPKA_{needed}. Set both, or neither." in told
    assert SECRET not in told


def test_the_try_out_has_a_site_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_CLIENT_SECRET", SECRET)
    assert [*Settings.read().useless()] == []


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
    assert (
        "KROPKA_TOKEN: it's missing. Write KROPKA_TOKEN= and the bot's token into the file" in capsys.readouterr().err
    )


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


@pytest.mark.parametrize(
    "address", ["http://matrix.example", "https://matrix.example/path", "https://a:b@matrix.example"]
)
def test_a_homeserver_is_an_https_address_without_a_path(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("KROPKA_MATRIX_HOMESERVER", address)
    with pytest.raises(BadSettings, match="KROPKA_MATRIX_HOMESERVER"):
        Settings.read()


def test_one_process_reads_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = "postgresql+asyncpg://kropka@/kropka?host=/run/postgresql"
    given = {"MATRIX_TOKEN": "syt_1", "PROCESSES": "2", "SHARDS": "2", "DATABASE": shared}
    for name, value in given.items():
        monkeypatch.setenv(f"KROPKA_{name}", value)
    with pytest.raises(BadSettings, match="KROPKA_MATRIX_TOKEN"):
        Settings.read()
