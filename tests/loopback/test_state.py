"""The state that outlives the stand-in's process, and the process itself."""

import asyncio
import os
import signal
import sqlite3
import sys
from pathlib import Path

import aiohttp
import discord as library
import pytest

from loopback import ChannelKind, Discord, Message, Permission
from loopback.ids import made_at
from loopback.statefile import AGE_SECONDS, StateFile
from tests.loopback.bot import Bot, Buttons, board
from tests.loopback.conftest import Clock, connected, point


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "discord.db"


async def test_ids_messages_threads_and_commands_outlive_the_process(
    state: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, intents: library.Intents
) -> None:
    async with Discord(now=clock, state=state) as before:
        point(monkeypatch, before)
        ola = before.people["Ola"]
        said = ola.say(before.channels["dots"], "hello")
        private = ola.say(ola.open_dm(), "hello you")
        async with connected(Bot(intents)) as bot:
            channel = bot.get_partial_messageable(said.channel_id)
            sent = await channel.send(
                "choose", file=board(), view=Buttons(), reference=channel.get_partial_message(said.id)
            )
            await sent.edit(content="chosen")
            fetched = await bot.fetch_channel(said.channel_id)
            assert isinstance(fetched, library.TextChannel)
            await fetched.get_partial_message(said.id).create_thread(name="A match")
        stood = (before.guild, before.bot, before.channels, before.threads, before.commands)
        forwarded = ola.forward(sent.id, ola.open_dm())
        kept = (said.id, sent.id, private.id, forwarded.id)
        shown = [before.message(each) for each in kept]
    async with Discord(now=clock, state=state) as after:
        assert (after.guild, after.bot, after.channels, after.threads, after.commands) == stood
        assert [after.message(each) for each in kept] == shown
        assert after.people["Ola"].open_dm().id == private.channel_id


async def test_new_ids_come_after_the_old_ones(state: Path, clock: Clock) -> None:
    async with Discord(now=clock, state=state) as before:
        old = before.people["Ola"].say(before.channels["dots"], "hello")
    clock.time -= 3600  # a clock that was set back
    async with Discord(now=clock, state=state) as after:
        assert after.people["Ola"].say(after.channels["dots"], "hello").id > old.id


async def test_an_ephemeral_message_is_gone_with_the_process(
    state: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, intents: library.Intents
) -> None:
    async with Discord(now=clock, state=state) as before:
        point(monkeypatch, before)
        async with connected(Bot(intents)):
            outcome = await before.people["Ola"].command(before.channels["dots"], "hello").answered()
    assert isinstance(outcome.message, Message)
    async with Discord(now=clock, state=state) as after:
        assert after.message(outcome.message) is None


async def test_the_language_of_a_client_stays(state: Path, clock: Clock) -> None:
    async with Discord(now=clock, state=state) as before:
        before.people["Ola"].speak("pl")
    async with Discord(now=clock, state=state) as after:
        assert after.people["Ola"].user.locale == "pl"


async def test_two_processes_do_not_share_a_file(state: Path, clock: Clock) -> None:
    async with Discord(now=clock, state=state):
        with pytest.raises(sqlite3.OperationalError):
            StateFile(state)


async def test_a_deleted_message_stays_deleted(state: Path, clock: Clock) -> None:
    async with Discord(now=clock, state=state) as before:
        said = before.people["Ola"].say(before.channels["dots"], "hello")
        before.delete_message(said)
    async with Discord(now=clock, state=state) as after:
        assert after.message(said) is None


async def test_the_process_serves_until_it_is_told_to_stop(state: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "loopback", "--state", str(state)), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().strip()
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0


async def test_what_the_try_out_keeps_is_its_owners_alone(state: Path, clock: Clock) -> None:
    before = os.umask(0)
    try:
        async with Discord(now=clock, state=state) as discord:
            discord.people["Ola"].say(discord.channels["dots"], "hello")
            kept = list(state.parent.iterdir())
            assert {oct(path.stat().st_mode & 0o777) for path in kept} == {"0o600"}
    finally:
        os.umask(before)


async def test_roles_words_timeouts_and_posts_stay(state: Path, clock: Clock) -> None:
    async with Discord(now=clock, state=state) as before:
        gone, role = before.make_role("Guest"), before.make_role("Moderator", permissions=Permission.MANAGE_THREADS)
        ola, dots = before.people["Ola"], before.channels["dots"]
        before.delete_role(gone)
        before.deny(dots, Permission.SEND_MESSAGES, role)
        before.block_words(dots, "spam")
        before.time_out(ola, 60)
        post = ola.open_post(before.open_channel("forum", ChannelKind.FORUM), "Who plays?", "I do")
        clock.time += 2 * 86_400
    async with Discord(now=clock, state=state) as after:
        assert gone.id not in after.world.roles
        assert after.world.roles[role.id] == role
        assert after.channel(dots) == before.channel(dots)
        assert after.people["Ola"].user == before.people["Ola"].user
        assert after.channel(post) == post
        after.tick()
        assert after.channel(post).archived


async def test_a_new_file_has_a_server_and_people_a_year_old_and_a_bot_that_has_just_joined(
    state: Path, clock: Clock
) -> None:
    async with Discord(now=clock, state=state) as discord:
        world = discord.world
        old = [world.guild.id, *world.users]
        assert {round(clock() - made_at(each)) for each in old} == {round(AGE_SECONDS)}
        assert world.bot_joined == clock()
        assert {round(clock() - made_at(channel)) for channel in world.channels} == {0}
