"""Logs have the ids of matches and interactions, and nothing that users wrote."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Literal

import pytest

from bot.telemetry import logs
from loopback.errors import cloudflare_page

TOKEN = "aW50ZXJhY3Rpb246secret-part.of_it"  # noqa: S105


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Returns the lines that were logged."""
    return capsys.readouterr().err.splitlines()


def test_a_json_line_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", "json")
    logging.getLogger("kropka").info("shard %d is open", 3)
    entry = json.loads(lines(capsys)[0])
    assert (entry["level"], entry["logger"], entry["message"]) == ("INFO", "kropka", "shard 3 is open")


def test_a_failure_is_in_the_object_with_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", "json")
    try:
        raise ZeroDivisionError("nought")
    except ZeroDivisionError:
        logging.getLogger("kropka").exception("it failed")
    (line,) = lines(capsys)
    assert "ZeroDivisionError: nought" in json.loads(line)["error"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_page_in_a_message_or_a_failure_is_one_line(
    form: Literal["text", "json"], capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up("INFO", form)
    page = cloudflare_page(502, "discord.com | 502: Bad gateway").html
    try:
        raise RuntimeError(page)
    except RuntimeError as error:
        logging.getLogger("kropka").info("message 7 stays: %s", error)
        logging.getLogger("kropka").exception("it failed")
    text = capsys.readouterr().err
    assert "message 7 stays: discord.com | 502: Bad gateway" in text
    assert "RuntimeError: discord.com | 502: Bad gateway" in text
    assert "security solution" not in text


async def test_a_line_has_the_ids_of_its_own_task(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", "json")

    async def handle(interaction: int, match: int) -> None:
        logs.bind_interaction(interaction)
        logs.bind_match(match)
        await asyncio.sleep(0)
        logging.getLogger("kropka").info("played")

    await asyncio.gather(handle(2**62, 1), handle(2**62 + 1, 2))
    logging.getLogger("kropka").info("idle")
    found = [json.loads(line) for line in lines(capsys)]
    assert [(each.get("interaction"), each.get("match")) for each in found] == [
        (str(2**62), "1"),
        (str(2**62 + 1), "2"),
        (None, None),
    ]


async def test_a_line_for_people_ends_with_the_ids(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", "text")

    async def handle() -> None:
        logs.bind_match(12)
        logging.getLogger("kropka").info("played")

    await asyncio.create_task(handle())
    assert lines(capsys)[0].endswith("INFO    kropka: played [match 12]")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_secret_that_lets_others_write_in_our_name_is_not_shown(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    logs.set_up("INFO", form)  # type: ignore[arg-type]
    address = f"https://discord.com/api/v10/webhooks/123456/{TOKEN}/messages/@original"
    logging.getLogger("discord.http").warning("We are being rate limited. PATCH %s responded with 429.", address)
    try:
        raise OSError(f"no route to {address}")
    except OSError:
        logging.getLogger("kropka").exception("gone")
    shown = "\n".join(lines(capsys))
    assert "secret-part" not in shown
    assert "/webhooks/123456/[secret]/messages" in shown


@pytest.mark.parametrize("name", ["discord.gateway", "discord.http"])
def test_what_people_write_is_not_logged_even_when_everything_else_is(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    logs.set_up("DEBUG", "text")
    logging.getLogger(name).debug("WebSocket Event: %s", {"content": "a private word"})
    logging.getLogger("use_cases.matches").debug("shown")
    shown = "\n".join(lines(capsys))
    assert "private" not in shown
    assert "shown" in shown


def test_what_libraries_do_is_told_only_to_operators_who_want_all(capsys: pytest.CaptureFixture[str]) -> None:
    for level, is_told in (("WARNING", False), ("INFO", False), ("DEBUG", True)):
        logs.set_up(level, "text")
        for name in ("alembic.runtime.migration", "discord.client"):
            logging.getLogger(name).info("running")
            logging.getLogger(name).debug("more")
        assert len(lines(capsys)) == (2 if is_told else 0)
