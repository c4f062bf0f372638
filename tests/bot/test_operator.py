"""The operator speaks to all servers, blocks some, and pauses new games, while the bot runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import make_parser
from bot.cli import operator
from bot.cli.operator import serve_operator
from bot.services.rate_limits import Rate
from bot.settings import BadSettings, Settings
from loopback import TOKEN, Channel, Discord, Permission
from loopback.errors import cloudflare_page
from loopback.faults import Attempt, Silence
from play.community.home import Home
from play.community.operator import DeliveryOutcome, RestrictionKind
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.people.settings import ServerSettings
from storage import file_of
from tests.bot.room import Room, private_message, private_words
from tests.clock import HOUR
from tests.matches import a_match

POST = "/channels/{channel_id}/messages"
ME = "root"
TEXTS = {"en": "We move house on Sunday.", "pl": "W niedzielę przeprowadzka."}


@pytest.fixture
def run_options() -> dict[str, Any]:
    return {"announcements": Rate(1, 0.0)}


def add_servers(discord: Discord, number: int) -> list[Channel]:
    """Adds servers where the bot has been for long; returns the channel of each."""
    channels = []
    for each in range(number):
        guild = discord.add_server(f"Club {each}", "Jadwiga", locale="en-US" if each else "pl", age=9e6)
        channels.append(discord.open_channel(f"chat-{each}", guild=guild))
    return channels


def told(room: Room, channel: Channel | int) -> list[str]:
    """Returns what a channel was told by the operator."""
    texts = [message.text for message in room.discord.messages(channel)]
    return [text for text in texts if text.startswith(tuple(TEXTS.values()))]


async def until_told(room: Room) -> dict[DeliveryOutcome | None, int]:
    """Returns the outcomes when no server waits any more."""

    async def finished() -> dict[DeliveryOutcome | None, int] | None:
        status = await room.use_cases.operator.status()
        assert status is not None
        announcement, outcomes = status
        return outcomes if announcement.listed and None not in outcomes else None

    return await room.until(finished)


def is_in(channel: Channel, attempt: Attempt) -> bool:
    return attempt.path["channel_id"] == str(channel.id)


async def test_thirty_servers_are_told_once_though_some_refuse_and_the_bot_is_killed(room: Room) -> None:
    channels = add_servers(room.discord, 30)
    closed, pages, gone, lost = channels[3], channels[7], channels[11], channels[13]
    room.discord.deny(closed, Permission.SEND_MESSAGES)
    room.discord.fault("POST", POST, 403, code=50013, predicate=lambda each: is_in(channels[4], each))
    room.discord.fault("POST", POST, cloudflare_page(503), predicate=lambda each: is_in(pages, each), times=2)
    room.discord.fault("POST", POST, Silence.CLOSED, predicate=lambda each: is_in(lost, each), applied=True)
    held = room.discord.fault("POST", POST, Silence.HANGING, predicate=lambda each: is_in(channels[20], each))
    kept = {guild.id: guild for guild in room.discord.world.others.values()}
    assert gone.guild_id is not None
    await room.use_cases.operator.announce(ME, TEXTS)
    await room.discord.until(lambda: bool(held.hits))
    room.discord.expel_bot(kept[channels[25].guild_id or 0])
    await room.stop()  # with this message on its way
    room.discord.expel_bot(kept[gone.guild_id])
    await room.start()
    outcomes = await until_told(room)
    silent = [channel for channel in channels if not told(room, channel)]
    assert silent == [closed, channels[4], channels[25]]
    assert all(len(told(room, channel)) == 1 for channel in channels if channel not in silent)
    assert outcomes == {DeliveryOutcome.POSTED: 28, DeliveryOutcome.REFUSED: 3}


async def test_each_server_reads_its_language_where_its_managers_want_the_bot(room: Room) -> None:
    polish, english, logged, chosen = add_servers(room.discord, 4)
    by_log, by_choice = (room.discord.world.others[each.guild_id or 0] for each in (logged, chosen))
    log, den = room.discord.open_channel("log", guild=by_log), room.discord.open_channel("den", guild=by_choice)
    async with room.services.store.write() as tx:
        await tx.homes.save(Home(GuildId(room.discord.guild.id), ChannelId(room.channel.id)))
        await tx.servers.save(ServerSettings(GuildId(by_log.id), log_channel=ChannelId(log.id)))
        await tx.servers.save(ServerSettings(GuildId(by_choice.id), channels=frozenset({ChannelId(den.id)})))
    await room.use_cases.operator.announce(ME, TEXTS)
    await until_told(room)
    line = "-# Wiadomość do wszystkich serwerów od osób, które prowadzą tego bota"
    assert told(room, polish) == [f"{TEXTS['pl']}\n{line}"]
    for channel in (english, log, den, room.channel):
        assert told(room, channel) == [f"{TEXTS['en']}\n-# A message to all servers from the people who run me"]
    assert not any(told(room, channel) for channel in (logged, chosen, room.general))


async def test_a_blocked_server_gets_one_private_sentence_and_its_games_end(room: Room) -> None:
    thread = await room.start_match()
    await room.use_cases.operator.block(ME, RestrictionKind.SERVER, room.discord.guild.id, "spam")
    await room.bot.workers.blocks.poll()
    sentence = "The people who run me have blocked this server"
    assert sentence in await private_words(room.ola.command(room.channel, "help"))
    assert sentence in await private_words(room.ola.click(room.boards(thread)[-1], "Type a move"))
    assert (await room.use_cases.matches.load(MatchId(1))).outcome is not None
    await room.use_cases.operator.lift(ME, RestrictionKind.SERVER, room.discord.guild.id)
    await room.bot.workers.blocks.poll()
    assert "games" in await private_words(room.ola.command(room.channel, "games"))


async def test_a_blocked_user_plays_no_more_and_others_do(room: Room) -> None:
    thread = await room.start_match()
    await room.use_cases.operator.block(ME, RestrictionKind.USER, room.ola.id, "spam")
    await room.bot.workers.blocks.poll()
    assert "have blocked your account" in await private_words(room.ola.command(thread, "move", point="c3"))
    assert await room.version() == 0
    assert "game" in await private_words(room.maksim.command(room.channel, "games"))


async def test_in_a_pause_players_read_why_no_game_begins_and_moves_go_on(room: Room) -> None:
    card, thread = await room.challenge(clock="1d"), await room.start_match()
    await room.use_cases.operator.pause(ME, Millis(room.clock() + HOUR))
    sentence = f"No new games begin until <t:{(room.clock() + HOUR) // 1000}:f> because of maintenance."
    assert sentence in await private_words(room.kasia.command(room.channel, "challenge", clock="1d"))
    assert sentence in await private_words(room.kasia.command(room.channel, "challenge"))
    assert sentence in await private_words(room.kasia.click(card, "Accept"))
    await room.play(thread, "c3")
    await room.pass_time(HOUR)
    await room.kasia.click(card, "Accept").followed()
    await room.wait_for_thread(card)


class Terminal:
    """A terminal on the machine of a bot with a database file."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.file = folder / "news.toml"

    async def run(self, *command: str) -> tuple[int, str]:
        """Returns the status of `kropka operator`, and all that it writes."""
        parsed = make_parser().parse_args(["operator", *command])
        status = await operator.run(Settings.read(), parsed)
        return status, "".join(self._capsys.readouterr())


@pytest.fixture
def terminal(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.setenv("KROPKA_DATABASE", url)
    return Terminal(tmp_path, capsys)


async def test_the_command_line_reaches_the_bot_that_works_on_the_file(room: Room, terminal: Terminal) -> None:
    terminal.file.write_text('en = "We move house on Sunday."\npl = "W niedzielę przeprowadzka."\n', encoding="utf-8")
    async with serve_operator(room.use_cases.operator, file_of(room.url)):
        assert await terminal.run("announce", str(terminal.file)) == (
            0,
            "It goes out, two servers a second. See `kropka operator status`.\n",
        )
        await until_told(room)
        assert [len(told(room, each)) for each in (room.channel, room.general)] in ([0, 1], [1, 0])
        status, text = await terminal.run("status")
        assert (status, "done" in text, "1 posted" in text) == (0, True, True)
        assert (await terminal.run("pause"))[0] == 0
        assert "No new games" in await private_words(room.kasia.command(room.channel, "challenge", clock="1d"))
        assert await terminal.run("resume") == (0, "New games may begin.\n")
        assert await terminal.run("resume") == (1, "New games aren't paused.\n")
        assert (await terminal.run("block", "user", str(room.ola.id), "--reason", "floods\neverything"))[0] == 0
        await room.bot.workers.blocks.poll()
        assert "have blocked your account" in await private_words(room.ola.command(room.channel, "games"))
        assert f"user {room.ola.id} floods everything" in (await terminal.run("blocked"))[1]
        assert (await terminal.run("unblock", "user", str(room.ola.id)))[0] == 0
        assert (await terminal.run("blocked"))[1] == "Nobody is blocked.\n"
        _, log = await terminal.run("log")
        acts = [line.split(" ", 2)[2].split(str(room.ola.id))[0].strip() for line in log.splitlines()]
        assert acts == ["unblock user", "block user", "resume", "pause", "announce"]
        status, figures = await terminal.run("figures", "--json")
        assert (status, '"running games": 0' in figures) == (0, True)


async def test_reports_of_strangers_are_listed_and_their_games_closed(room: Room, terminal: Terminal) -> None:
    async with room.services.store.write() as tx:
        match = (await tx.matches.add(a_match(channel=8))).id
        for by, guild in ((1, 7), (2, 8), (3, 8)):
            at = Millis(room.clock() + by)
            await tx.seeks.report(match, UserId(room.ola.id), UserId(by), GuildId(guild), at)
    async with serve_operator(room.use_cases.operator, file_of(room.url)):
        _, listed = await terminal.run("reports")
        assert len(listed.splitlines()) == 3
        assert f"game {match} user {room.ola.id} (members of 2 servers this week)" in listed
        assert (await terminal.run("close-strangers"))[0] == 0
        assert (await terminal.run("blocked"))[1] == "Nobody is blocked.\n"
        panel = await private_message(room.ola.command(room.channel, "play"))
        assert "closed at the moment" in (await room.ola.click(panel, "Live game").followed()).text
        assert await terminal.run("open-strangers") == (0, "Strangers may meet.\n")
        assert (await terminal.run("open-strangers"))[0] == 1
        assert "Nobody else is looking" in (await room.ola.click(panel, "Live game").followed()).text


async def test_the_bot_leaves_a_server_at_once(room: Room, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", TOKEN)
    (channel,) = add_servers(room.discord, 1)
    async with serve_operator(room.use_cases.operator, file_of(room.url)):
        status, text = await terminal.run("leave", str(channel.guild_id))
        assert (status, f"Left server {channel.guild_id}." in text) == (0, True)
        assert room.discord.bot.id not in room.discord.world.others[channel.guild_id or 0].members
        status, text = await terminal.run("leave", str(channel.guild_id))
        assert (status, text) == (1, f"The bot is on no server {channel.guild_id}.\n")
        assert (await terminal.run("log"))[1].endswith(f"leave {channel.guild_id}\n")


async def test_a_bot_that_does_not_listen_is_said_to_work_on_the_file(room: Room, terminal: Terminal) -> None:
    status, text = await terminal.run("pause")
    assert status == 1
    assert "doesn't answer" in text


async def test_without_a_bot_the_command_line_works_on_the_file_itself(room: Room, terminal: Terminal) -> None:
    await room.stop()
    assert (await terminal.run("pause"))[0] == 0
    await room.start()
    assert "No new games" in await private_words(room.kasia.command(room.channel, "challenge", clock="1d"))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('pl = "Witajcie"', "'en' is missing"),
        ('en = "Hello"\nxx = "Hello"', "no language 'xx'"),
        (f'en = "{"a" * 1801}"', "1 to 1800 characters"),
        ('en = ""', "1 to 1800 characters"),
        ("en = 5", "1 to 1800 characters"),
        ('en = "Hello @everyone"', "mentions people"),
        ('en = "Hello <@&5>"', "mentions people"),
        ("en: Hello", "this is no TOML"),
    ],
)
def test_a_text_that_servers_should_not_get_is_refused_before_any_does(
    tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "news.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=sentence):
        operator.read_texts(file)


def test_the_preview_says_which_languages_have_no_text() -> None:
    shown = "\n".join(operator.preview(TEXTS))
    assert f"[pl]\n{TEXTS['pl']}\n-# Wiadomość" in shown
    assert f"[de] has no text, so it reads that of 'en'\n{TEXTS['en']}\n-# Eine Nachricht" in shown


async def test_the_socket_is_for_the_owner_of_the_file_alone_and_goes_with_the_bot(room: Room) -> None:
    file = file_of(room.url)
    assert file is not None
    async with serve_operator(room.use_cases.operator, file):
        (socket,) = file.parent.glob("*.operator")
        assert socket.stat().st_mode & 0o777 == 0o600
        reader, writer = await asyncio.open_unix_connection(socket)
        writer.write(b"no JSON\n")
        assert b"refused" in await reader.readline()
        writer.close()
    assert not socket.exists()
