"""compose.yaml: what the bot's container is told of `.env`, by Compose's rules, and how its web board is reached."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values

from bot.settings import Settings
from tests.build_context import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
BOT = COMPOSE["services"]["kropka"]
WEB = "KROPKA_WEB_URL=https://kropka.example\nKROPKA_CLIENT_SECRET=abc\n"

Started = Callable[[str], Settings]


def interpolated(text: str, values: dict[str, str]) -> str:
    """Returns a text of compose.yaml with the values of `.env`: a variable or its default, or what stands for it.

    Source: https://docs.docker.com/reference/compose-file/interpolation/
    """

    def value(found: re.Match[str]) -> str:
        given = values.get(found["name"], "")
        return (found["other"] if given else "") if found["kind"] == ":+" else given or found["other"]

    return re.sub(r"\$\{(?P<name>\w+)(?P<kind>:[-+])(?P<other>[^}]*)\}", value, text)


def values_of(env_file: str) -> dict[str, str]:
    return {name: value or "" for name, value in dotenv_values(stream=StringIO(env_file), interpolate=False).items()}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Started:
    """Reads the settings as the container does that is started beside an `.env`."""
    monkeypatch.chdir(tmp_path)
    image = dict(re.findall(r"(KROPKA_\w+)=(\S+)", (ROOT / "Dockerfile").read_text("utf-8")))
    for name in Settings.model_fields:
        monkeypatch.delenv(f"KROPKA_{name.upper()}", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)

    def started(env_file: str) -> Settings:
        assert BOT["env_file"] == [{"path": ".env", "required": False}]
        values = values_of(env_file)
        own = {name: interpolated(value, values) for name, value in BOT["environment"].items()}
        for name, value in (image | values | own).items():
            monkeypatch.setenv(name, value)
        return Settings.read(secrets=tmp_path)

    return started


def ports(env_file: str) -> list[str]:
    return [interpolated(port, values_of(env_file)) for port in BOT["ports"]]


def test_the_settings_of_the_file_reach_the_container(started: Started) -> None:
    settings = started(f"{WEB}KROPKA_SUPPORT=https://kropka.example/help\nKROPKA_LOG_LEVEL=DEBUG\n")
    assert str(settings.web_url) == "https://kropka.example/"
    assert settings.client_secret is not None
    assert settings.client_secret.get_secret_value() == "abc"
    assert str(settings.support) == "https://kropka.example/help"
    assert (settings.log_level, settings.status_port) == ("DEBUG", 8421)


def test_the_file_does_not_take_the_container_to_another_database(started: Started) -> None:
    settings = started("KROPKA_DATABASE=sqlite:///data/kropka.db\n")
    assert settings.address() == "postgresql+asyncpg://kropka@/kropka?host=%2Frun%2Fpostgresql"


@pytest.mark.parametrize(("port", "expected"), [("", 8422), ("KROPKA_WEB_PORT=9000\n", 9000)])
def test_a_web_board_is_reached_through_a_port_of_this_machine(started: Started, port: str, expected: int) -> None:
    settings = started(f"{WEB}{port}KROPKA_WEB_HOST=127.0.0.1\n")
    assert (settings.web_host, settings.web_port) == ("0.0.0.0", expected)  # noqa: S104 - in its container
    assert ports(WEB + port) == [f"127.0.0.1:{expected}:{expected}"]


@pytest.mark.parametrize("env_file", ["", (ROOT / ".env.example").read_text("utf-8"), WEB])
def test_a_container_has_no_setting_that_does_nothing(started: Started, env_file: str) -> None:
    assert list(started(env_file).useless()) == []


def test_secrets_come_from_the_folder_of_which_the_settings_page_tells() -> None:
    assert "./secrets:/run/secrets:ro" in BOT["volumes"]
    assert "secrets" not in COMPOSE
