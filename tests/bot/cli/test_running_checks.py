"""The check of `kropka doctor` that asks the running bot what Discord has refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.cli.findings import Mark
from bot.health import Status, serve_health
from loopback.errors import cloudflare_page
from play.ids import GuildId, UserId
from tests.bot.cli.doctoring import Patient, answer, serving
from tests.bot.room import Room
from use_cases.worker import Backoff

GUILD_MEMBER = "/guilds/{guild_id}/members/{user_id}"


@pytest.fixture
def run_options() -> dict[str, Any]:
    """A pause is longer than any test."""
    return {"pauses": Backoff(600.0, 600.0)}


@pytest.fixture
async def port(room: Room, patient: Patient) -> AsyncIterator[int]:
    """The port of a running bot's status, which the doctor knows."""
    async with serve_health(Status(room.bot, []), "127.0.0.1", 0) as port:
        assert port is not None
        patient.set(status_port=port)
        yield port


async def test_a_bot_that_discord_refuses_nothing_is_well(port: int, patient: Patient) -> None:
    assert (await patient.examine()).of("refusals") == (Mark.GOOD, "401: 0, 403: 0, 429: 0")


async def test_a_few_refusals_are_a_hint_that_names_the_log(port: int, room: Room, patient: Patient) -> None:
    room.discord.fault("GET", GUILD_MEMBER, 403, code=50001)
    await room.services.names.of(UserId(room.ola.id), GuildId(room.discord.guild.id))
    mark, said = (await patient.examine()).of("refusals")
    assert mark is Mark.HINT
    assert said.startswith("401: 0, 403: 1, 429: 0; the log has Discord's sentence")


async def test_a_pause_is_told_with_how_long_it_lasts(port: int, room: Room, patient: Patient) -> None:
    room.discord.fault("GET", GUILD_MEMBER, cloudflare_page(403))
    await room.services.names.of(UserId(room.ola.id), GuildId(room.discord.guild.id))
    mark, said = (await patient.examine()).of("refusals")
    assert mark is Mark.HINT
    assert "the bot sends nothing that can wait, since what is in front of Discord has answered" in said


async def test_very_many_are_told_before_discord_shuts_the_bot_out(patient: Patient) -> None:
    text = 'kropka_invalid_requests{status="403"} 998.0\nkropka_invalid_requests{status="429"} 2.0\n'
    async with serving(answer(200, f"# TYPE kropka_invalid_requests gauge\n{text}")) as address:
        patient.set(token="", status_port=address.rpartition(":")[2])
        mark, said = (await patient.examine()).of("refusals")
    assert (mark, "Stop the bot" in said) == (Mark.BAD, True)


@pytest.mark.parametrize("text", ["<html>a page", "up 1\n", "", '{"data": ['])
async def test_another_program_on_the_port_is_told(patient: Patient, text: str) -> None:
    async with serving(answer(200, text)) as address:
        patient.set(token="", status_port=address.rpartition(":")[2])
        mark, said = (await patient.examine()).of("refusals")
    assert (mark, "another program answers" in said) == (Mark.BAD, True)


async def test_a_bot_that_does_not_run_is_a_reason_not_to_ask(patient: Patient, unused_tcp_port: int) -> None:
    patient.set(token="", status_port=unused_tcp_port)
    mark, said = (await patient.examine()).of("refusals")
    assert mark is Mark.SKIPPED
    assert said.startswith(f"no bot answers on port {unused_tcp_port} (")
