"""Recorded games, played by two people over the stand-in, with the bot as a process of its own.

`MOVES=1000 pytest tests/test_recorded_game.py` plays them to the end, which takes about a minute.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from loopback import TOKEN, Discord, Message, Person
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, UserId
from play.records import sgf
from play.records.record import Record
from rules.dots import Dots
from rules.game import point_name
from rules.registry import DEFAULT, GAMES
from storage import Database
from tests.facts import OPENAPI, recorded_game
from tests.program import kropka
from tests.rules.brute_force import Field
from use_cases import UseCases

MOVES = int(os.environ.get("MOVES", "110"))

_SCORES = re.compile(r"(\d+) · .* (\d+)$", re.MULTILINE)


def expected(record: Record) -> list[tuple[int, ...]]:
    """Returns the scores after the set-up and after each dot, counted by brute force."""
    field = Field(record.width, record.height)
    for dot in record.stones:
        field.set_up(dot.seat, dot.point.x, record.height - 1 - dot.point.y)
    scores = [field.scores]
    for dot in record.moves:
        field.place(dot.seat, dot.point.x, record.height - 1 - dot.point.y)
        scores.append(field.scores)
    return scores


def shown(board: Message) -> tuple[int, ...]:
    """Returns the scores in the message of a board."""
    match = _SCORES.search(board.content)
    assert match is not None, board.content
    return int(match[1]), int(match[2])


class Contest:
    """A match of two users in #dots, with the bot as a process of its own."""

    def __init__(self, discord: Discord, folder: Path) -> None:
        self.discord = discord
        self.channel = discord.channels["dots"]
        self.players: tuple[Person, ...] = ()
        self._folder = folder
        self._settings = {
            "token": TOKEN,
            "requests": "100000",  # no two people are as fast as this test
            "discord": discord.address,
            "database": f"sqlite+aiosqlite:///{folder}/kropka.db",
        }
        self._running = AsyncExitStack()

    async def begin(self, record: Record) -> None:
        """Starts a match as `/challenge` and *Accept* do, with a set-up that no command offers."""
        ola, maksim = self.discord.people["Ola"], self.discord.people["Максим"]
        people = {UserId(person.id): person for person in (ola, maksim)}
        preset = GAMES[DEFAULT]
        assert isinstance(preset, Dots)
        terms = Terms(record.game(preset), parse_control("5h+30s"))
        guild, channel = GuildId(self.discord.guild.id), ChannelId(self.channel.id)
        async with Database.open(self._settings["database"]) as store:
            async with store.read() as reader:
                now = await reader.clock.now()
            use_cases = UseCases.over(store, seeds=lambda: 0)
            challenge = await use_cases.challenges.challenge(
                UserId(ola.id), UserId(maksim.id), guild, channel, terms, now
            )
            _, match = await use_cases.challenges.accept(challenge.id, UserId(maksim.id), now)
        assert match is not None
        self.players = tuple(people[player] for player in match.players)
        async with kropka(self._folder, "sync", **self._settings) as sync:
            assert await sync.wait() == 0

    async def start(self) -> None:
        self._bot = await self._running.enter_async_context(kropka(self._folder, "run", **self._settings))
        await self.discord.until(lambda: self.discord.online)

    async def kill(self) -> None:
        """Kills the bot by SIGKILL, so that it flushes nothing."""
        self._bot.kill()
        await self._running.aclose()
        await self.discord.until(lambda: not self.discord.online)

    def boards(self) -> list[Message]:
        bot = self.discord.bot.id
        return [message for message in self.discord.messages(self.channel) if message.author_id == bot]

    async def wait_for_version(self, version: int) -> None:
        await self.discord.until(lambda: len(self.boards()) > version)

    async def board(self, version: int) -> Message:
        """Returns the board of a version when it is posted. After a kill the board before may still have buttons."""
        await self.wait_for_version(version)
        return self.boards()[version]

    async def move(self, number: int, player: Person, point: str) -> None:
        """Plays by `/move`, by a reply and by the form in turn."""
        board = self.boards()[-1]
        if number % 3 == 0:
            player.command(self.channel, "move", point=point)
        elif number % 3 == 1:
            player.say(self.channel, point, reply_to=board)
        else:
            await self.move_by_form(board, player, point)

    async def move_by_form(self, board: Message, player: Person, point: str) -> None:
        form = await player.click(board, "Type a move").answered()
        assert form.modal is not None
        player.submit(form.modal, {"point": point})

    async def resign(self, player: Person) -> None:
        question = await player.command(self.channel, "resign").answered()
        assert question.message is not None
        player.click(question.message, "Yes, resign")

    def stored(self) -> tuple[int, str]:
        """Returns the version of the match and its result, as another program reads the database."""
        with closing(sqlite3.connect(f"file:{self._folder}/kropka.db?mode=ro", uri=True)) as database:
            row: tuple[int, str] = database.execute("SELECT version, reason FROM match").fetchone()
        return row


@pytest.fixture
async def contest(tmp_path: Path) -> AsyncIterator[Contest]:
    async with Discord(openapi=OPENAPI) as discord:
        discord.world.bot_joined = 0  # long ago, so that it greets nobody
        contest = Contest(discord, tmp_path)
        yield contest
        await contest.kill()
        assert discord.problems == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "kills", "count"),
    [
        pytest.param("zagram352562", {3}, 5, id="killed once", marks=pytest.mark.smoke),
        pytest.param("zagram352562", {41, 62, 83}, MOVES, id="killed"),
        pytest.param("zagram86223", set[int](), MOVES, id="in peace"),
    ],
)
async def test_a_recorded_game_is_played(contest: Contest, name: str, kills: set[int], count: int) -> None:
    """Every board is posted once, with the score that brute force counts, and the match ends; a kill loses nothing."""
    record = sgf.read(recorded_game(name).read_bytes())
    moves = record.moves[:count]
    scores = expected(record)[: len(moves) + 1]
    await contest.begin(record)
    await contest.start()
    for number, dot in enumerate(moves):
        board = await contest.board(number)
        player, point = contest.players[dot.seat], point_name(dot.point)
        await contest.move(number, player, point)
        if number in kills:
            # Some kills come before the move is stored, some between the board and the note that it is posted.
            if is_posted := number % 2 == 0:
                await contest.wait_for_version(number + 1)
            await contest.kill()
            await contest.start()
            if not is_posted:
                await contest.move_by_form(board, player, point)
    last = len(moves)
    loser = contest.players[0]
    await contest.board(last)
    await contest.resign(loser)
    end = await contest.board(last + 1)
    boards = contest.boards()
    assert len(boards) == last + 2
    assert all(board.attachments for board in boards)
    assert [shown(board) for board in boards] == [*scores, scores[-1]]
    assert end.labels == ["Rematch", "Replay"]
    assert "resigned" in end.content
    assert contest.stored() == (last + 1, "resign")
