"""The wall between strangers: names and ids that are made to leak, and a whole game between each pair of platforms."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from loopback import Discord
from tests.clock import StoppedClock
from tests.strangers.stage import Stage, open_stage

PAIRS = (
    pytest.param(("discord", "discord"), id="discord-discord"),
    pytest.param(("discord", "telegram"), id="discord-telegram"),
    pytest.param(("discord", "matrix"), id="discord-matrix", marks=pytest.mark.matrix),
    pytest.param(("telegram", "matrix"), id="telegram-matrix", marks=pytest.mark.matrix),
)


async def play_whole_game(stage: Stage) -> None:
    async with AsyncExitStack() as visits:
        await stage.choose_terms()
        await stage.miss()
        match = await stage.begin()
        await stage.read_morning(stage.first(match))
        await stage.play_arena()
        await stage.play(match)
        await stage.ask("games", "profile", "leaderboard", "help")
        await stage.ask_computer(match)
        await stage.visit(match, visits)
        await stage.read_public(visits)
        await stage.end(match)
        await stage.ask("games", "profile", "leaderboard")
        await stage.look_back()
        await stage.read_morning(*stage.sides)
        await stage.export()
        await stage.read_own(match, visits)


@pytest.mark.contest
@pytest.mark.parametrize("platforms", PAIRS)
async def test_nothing_of_one_side_comes_to_the_other(
    request: pytest.FixtureRequest, platforms: tuple[str, str], discord: Discord, url: str, clock: StoppedClock
) -> None:
    synapse = request.getfixturevalue("synapse") if "matrix" in platforms else None
    async with open_stage(platforms, discord, url, clock, synapse) as stage:
        await play_whole_game(stage)
        for side, other in (stage.sides, stage.sides[::-1]):
            assert any(other.alias in each for each in side.payloads), "they know each other by their chosen names"
        assert "\n".join(await stage.leaks()) == ""


async def test_a_game_that_begins_between_discord_and_telegram_and_both_exports_tell_nothing(
    discord: Discord, url: str, clock: StoppedClock
) -> None:
    async with open_stage(("discord", "telegram"), discord, url, clock) as stage:
        await stage.begin()
        await stage.export()
        assert "\n".join(await stage.leaks()) == ""


async def test_the_wall_finds_what_comes_through(discord: Discord, url: str, clock: StoppedClock) -> None:
    async with open_stage(("discord", "discord"), discord, url, clock) as stage:
        one, other = stage.sides
        one.payloads += [f"a board of {other.names['member']}", f"a link to {other.ids['channel id']}"]
        stage.public.append(f"a page of {one.names['server']}")
        stage.log.append(f"{other.names['member']} has moved")
        found = "\n".join(await stage.leaks())
    for told in ("member of xwother is told to the other side", "channel id of xwother is told to the other side"):
        assert told in found
    for told in ("server of qzfirst is told to everybody", "member of xwother is told to the log"):
        assert told in found
