"""How long an answer to one person holds the event loop at the largest sizes: `python -m benchmarks.answers [PART…]`.

Each part fills a database and asks a bot on the stand-in, by commands and buttons. It was
asked for something small before. A figure is the longest step of the loop, by the processor's time.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import insert, select

from benchmarks.figure import Figure
from benchmarks.largest import Ask, Indifferent, ask_about_long_game, ask_about_tournament, visiting
from benchmarks.players import pattern
from benchmarks.program import report
from bot.cli.serving import spare_collector
from bot.client import use_stand_in
from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from loopback import Channel, Discord, Message, Person
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.competitions.league import MAX_MEMBERS, League, begin_season, first_season, join
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match import moves
from play.match.match import Match
from play.votes import NewSide, Side
from rules.dots import Dots
from rules.registry import make_game
from storage import schema
from storage.unit_of_work import Transaction
from tests.bot.conftest import YEAR_SECONDS
from tests.bot.room import Room, private_message
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, StoppedClock
from tests.loop_report import LoopReport
from tests.web.finished import store_game, switch_pages
from tests.web.home_visit import AtHome
from tools.program import say
from use_cases.votes import VoteGame

VOTERS, VOTE_TURNS = 5000, 40
"""Voters of each turn of a server's game, and the turns of both sides that it has had."""

CHOICES = 60
"""Moves that the votes of a turn are for."""

HOME_GAMES, HOME_DOTS = 200, 200
"""Games of a player, and dots on the board of each."""

MAX_HELD_MILLISECONDS = 20
"""The limit of one answer."""

LOOK_SECONDS = 0.004
"""Steps of the loop that take less are not reported."""

FREE = Rate(10**9, 1e-9)

_keys = itertools.count(10**16)

Part = Callable[[Room], AsyncIterator[tuple[str, Ask]]]
"""Fills the database, then yields what is asked, each with its name."""


def figures(*parts: str) -> Iterator[Figure]:
    for name in parts or PARTS:
        yield from asyncio.run(_measure(PARTS[name]))


async def _measure(part: Part) -> list[Figure]:
    found = []
    async with _open_room() as room:
        async for name, ask in part(room):
            spare_collector()
            watched = LoopReport(LOOK_SECONDS)
            with watched.watching():
                await ask()
                await room.wait_for_handlers()
            found.append(
                Figure(
                    name,
                    max((worst for _, worst in watched.holds.values()), default=0.0),
                    "ms",
                    MAX_HELD_MILLISECONDS,
                    processor=True,
                )
            )
            for held, (count, worst) in sorted(watched.holds.items(), key=lambda hold: -hold[1][1])[:3]:
                say(f"     {name}: {worst:.0f} ms, {count} times: {held}")
    return found


@asynccontextmanager
async def _open_room() -> AsyncIterator[Room]:
    clock = StoppedClock()
    with tempfile.TemporaryDirectory() as folder:
        async with Discord(now=lambda: clock() / 1000) as discord:
            discord.world.bot_joined -= YEAR_SECONDS
            use_stand_in(discord.address)
            limits = RateLimits(person=FREE, server=FREE, typing=FREE)
            hosting = Hosting(web=discord.address.rstrip("/"))
            room = Room(discord, f"sqlite+aiosqlite:///{folder}/kropka.db", clock, hosting=hosting, limits=limits)
            room.thinkers = Indifferent
            await room.start()
            await room.pass_time(8 * DAY)
            await skip_confirmations(room)
            await switch_pages(room, on=True)
            yield room
            await room.stop()


async def _votes(room: Room) -> AsyncIterator[tuple[str, Ask]]:
    """Asks about a server's game that is over, and one that goes on."""
    small, large = room.discord.open_channel("small"), room.discord.open_channel("large")
    for channel, voters in ((small, 3), (large, VOTERS)):
        await _play_votes(room, channel, voters)
    open_votes = room.discord.open_channel("open")
    await _vote(room, *await _begin_votes(room, open_votes), [0], VOTERS)
    await room.restart()
    await _step_back(room, await _panel(room.kasia, small, "replay"))
    panel: list[Message] = []

    async def replay() -> None:
        panel.append(await _panel(room.kasia, large, "replay"))

    yield f"/replay of {VOTERS:,} voters in {VOTE_TURNS} turns", replay
    yield "  a step of it", lambda: _step_back(room, panel[0])
    yield f"/board while {VOTERS:,} vote", lambda: _panel(room.kasia, open_votes, "board")
    yield "  /move, with the tally", lambda: _panel(room.kasia, open_votes, "move", point="a1")
    yield "  /vote games", lambda: _panel(room.kasia, open_votes, "vote games")


async def _games(room: Room) -> AsyncIterator[tuple[str, Ask]]:
    """Asks for the list of a player's games."""
    game = _dots("39x32")
    match = await _play(room, room.discord.open_channel("game-0"), game, HOME_DOTS)
    async with room.services.store.write() as tx:
        for number in range(1, HOME_GAMES):
            await _copy(tx, match, room.discord.open_channel(f"game-{number}"))
    await room.restart()
    yield f"/games of {HOME_GAMES}", lambda: _panel(room.ola, room.channel, "games")
    await room.restart()
    async with visiting(room) as visit:
        home = await AtHome.enter(room, room.ola, visit)
        yield f"the home page of {HOME_GAMES} games", home.read
        yield "  again", home.read


async def _league(room: Room) -> AsyncIterator[tuple[str, Ask]]:
    """Asks for the tables of a league, and leaves it."""
    guild, at = GuildId(room.discord.guild.id), room.clock()
    terms = Terms(make_game("zagram", {}), parse_control("3d"), rated=True)
    own = UserId(room.kasia.id)
    league = League(guild, ChannelId(room.channel.id), UserId(room.ola.id), terms, first_season(at))
    users = [own, *(UserId(own - 1 - number) for number in range(MAX_MEMBERS - 1))]
    for user in users:
        league = join(league, user, at)
    async with room.services.store.write() as tx:
        stored = await tx.leagues.add(league)
        begun = begin_season(stored, dict.fromkeys(users, 1500.0), Millis(at + 300 * DAY), computer=False)
        await tx.leagues.save(begun, stored)
    await room.restart()
    yield f"/league table of {MAX_MEMBERS}", lambda: _panel(room.kasia, room.channel, "league table")
    yield "  again", lambda: _panel(room.kasia, room.channel, "league table")
    yield "  /league leave", lambda: room.kasia.command(room.channel, "league leave").answered()


async def _panel(person: Person, channel: Channel, command: str, **options: object) -> Message:
    """Returns what a person alone is shown."""
    return await private_message(person.command(channel, command, **options))


async def _step_back(room: Room, panel: Message) -> None:
    await room.kasia.click(panel, "◀").followed()


def _dots(size: str) -> Dots:
    game = make_game("zagram", {"size": size, "start": "empty"})
    assert isinstance(game, Dots)
    return game


async def _play(room: Room, channel: Channel, game: Dots, turns: int) -> Match:
    """Stores a game of Ola and Максим that goes on. Its channel has no board: to post one is not measured here."""
    return await store_game(room, channel, game, pattern(game.width, game.height)[:turns], resigns=False)


async def _save_turns(tx: Transaction, match: Match, turns: int, at: Millis) -> Match:
    """Stores so many turns by the pattern, as far as they are legal then."""
    zone = match.position.picture()
    for text in pattern(zone.width, zone.height)[:turns]:
        match = moves.move(match, match.players[match.to_act or 0], text, at, IdempotencyKey(next(_keys)))
        await tx.matches.save(match)
    return match


async def _copy(tx: Any, match: Match, channel: Channel) -> None:
    """Stores a game once more, in another channel."""
    (found,) = (await tx.connection.execute(select(schema.match).where(schema.match.c.id == match.id))).all()
    row = {**found._asdict(), "channel": channel.id}
    row.pop("id")
    added = await tx.connection.execute(insert(schema.match).values(row).returning(schema.match.c.id))
    number = added.all()[0].id
    for table in (schema.seat, schema.event):
        rows = (await tx.connection.execute(select(table).where(table.c.match == match.id))).all()
        copies = [{**each._asdict(), "match": number} for each in rows]
        for copy in copies:
            copy.pop("id", None)
            if "source" in copy:
                copy["source"] = next(_keys)
        await tx.connection.execute(insert(table), copies)


async def _begin_votes(room: Room, channel: Channel) -> tuple[Match, Side]:
    """Begins a game of the server, which moves first, against Максим."""
    guild, place, at = GuildId(room.discord.guild.id), ChannelId(channel.id), room.clock()
    terms = Terms(_dots("39x32"), parse_control("1d"), Order.FIRST)
    maksim = UserId(room.maksim.id)
    game = VoteGame(guild, place, NewSide(guild, place), maksim, Millis(DAY), terms, maksim)
    match = await room.use_cases.votes.begin(game, at)
    (side,) = await room.use_cases.votes.sides_of(match.id)
    await room.wait_for_outbox()
    return await room.use_cases.matches.load(match.id), side


async def _vote(room: Room, match: Match, side: Side, turns: Sequence[int], voters: int) -> None:
    """Stores the votes of so many about each of some turns."""
    texts = [str(move) for move in itertools.islice(match.position.moves(), CHOICES)]
    async with room.services.store.write() as tx:
        for turn in turns:
            rows = [
                {"side": side.id, "version": turn, "user": 1000 + number, "choice": "move", "at": match.clock.since}
                | {"text": texts[number * number % len(texts)], "source": next(_keys)}
                for number in range(voters)
            ]
            await tx.connection.execute(insert(schema.vote), rows)


async def _play_votes(room: Room, channel: Channel, voters: int) -> None:
    """Stores a game of the server that is over, with the votes of so many about each of its turns."""
    match, side = await _begin_votes(room, channel)
    turns = range(0, VOTE_TURNS, 2)
    await _vote(room, match, side, turns, voters)
    async with room.services.store.write() as tx:
        await _save_turns(tx, match, VOTE_TURNS, room.clock())
    async with room.services.store.write() as tx:
        await tx.votes.close(side, turns[-1], room.clock())
    await room.use_cases.matches.resign(match.id, UserId(room.maksim.id), room.clock(), IdempotencyKey(next(_keys)))
    await room.wait_for_outbox()


PARTS: dict[str, Part] = {
    "votes": _votes,
    "games": _games,
    "league": _league,
    "long": ask_about_long_game,
    "tournament": ask_about_tournament,
}


def main() -> int:
    return report(figures(*sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
