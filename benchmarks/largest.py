"""The longest game on the largest board and the largest tournament, and what is asked about them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from benchmarks.players import pattern
from bot.cli.tryout import mount_site
from loopback import Channel, Message
from opponent.captures import Oversight
from opponent.choice import HARDEST, Budget, Choice
from play.competitions.entries import sign_up
from play.competitions.tournament import MAX_PLAYERS
from play.ids import IdempotencyKey, UserId
from play.refusal import Refused
from rules.dots import Dots
from rules.game import AnyPosition, Point, point_name
from rules.registry import make_game
from tests.bot.features.competitions.tournaments.cup import invite, load_tournament, make_tournament
from tests.bot.room import Room, private_message
from tests.opponent.quick import Inside
from tests.web.finished import path_of, store_game
from tests.web.home_visit import AtHome
from tests.web.visit import Board, Visit, link_for

SIDE, TURNS = 60, 2500
"""Crossings of a side of the largest board, and turns of the longest game on it."""

Ask = Callable[[], Awaitable[object]]


class Indifferent(Inside):
    """A computer that finds the first legal move best, and lets others have the loop meanwhile."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        await asyncio.sleep(0)
        self.thoughts += 1
        first = str(next(iter(position.moves())))
        return Choice(first, float(self.thoughts % 9), 0.5, (first,))

    async def look(self, position: AnyPosition, move: str, asker: int) -> Oversight | None:
        return None


def longest_game(game: Dots) -> list[str]:
    """Returns turns that are legal one after the other: those without a capture first, then whatever is left."""
    position, turns = game.start(1), list[str]()
    others = [point_name(Point(x, y)) for y in range(game.height) for x in range(game.width)]
    for text in dict.fromkeys([*pattern(game.width, game.height), *others]):
        if len(turns) == TURNS:
            break
        try:
            position = position.play(game.parse(text))
        except (Refused, ValueError):
            continue
        turns.append(text)
    assert len(turns) == TURNS, len(turns)
    return turns


async def ask_about_long_game(room: Room) -> AsyncIterator[tuple[str, Ask]]:
    """Asks about a game while it goes on, then about the same when it is over. Nothing of it is kept at first."""
    game = make_game("zagram", {"size": f"{SIDE}x{SIDE}", "start": "empty"})
    assert isinstance(game, Dots)
    channel = room.discord.open_channel("long")
    match = await store_game(room, channel, game, longest_game(game), resigns=False)
    mover = {each.id: each for each in (room.ola, room.maksim)}[match.players[match.to_act or 0]]
    name = f"{TURNS:,} turns"
    await room.restart()
    yield f"/board of {TURNS:,} turns on {SIDE}x{SIDE}", lambda: _answer(room, "board", channel)
    yield "  in letters", lambda: _answer(room, "board", channel, text=True)
    free = next(iter(match.position.moves()))
    board: list[Message] = []

    async def move() -> None:
        await mover.command(channel, "move", point=str(free)).answered()
        board.append(await room.wait_for_board(channel, 0))

    yield "  /move", move
    yield "  its button Board", lambda: link_for(room, room.kasia, board[0])
    link = await link_for(room, room.ola, board[0])
    await room.restart()
    async with visiting(room) as visit:
        opened = list[Board]()

        async def open_board() -> None:
            opened.append(await visit.open(link))

        yield f"the web board of {name}", open_board
        crossings = [str(turn) for turn in match.position.moves() if turn != free]
        yield "  a tap", lambda: opened[0].attempt(crossings[0])
    await room.use_cases.matches.resign(match.id, UserId(room.ola.id), room.clock(), IdempotencyKey(10**17))
    await room.wait_for_outbox()
    await room.restart()
    panel: list[Message] = []

    async def replay() -> None:
        panel.append(await _answer(room, "replay", channel))

    yield f"/replay of {name}", replay
    for way in ("◀", "⏮", "▶"):
        yield f"  its {way}", lambda way=way: room.kasia.click(panel[0], way).followed()  # type: ignore[misc]
    yield f"/export game of {name}", lambda: _answer(room, "export game", channel)
    yield f"/review of {name}, begun and done", lambda: _answer(room, "review", channel)
    yield "  /games", lambda: _answer(room, "games", channel)
    await room.restart()
    path = path_of(room, match)
    async with visiting(room) as visit:
        for part in ("", "/moves.json", "/game.sgf", "/board.png"):
            yield f"the page of {name}{part}", lambda part=part: visit.status(path + part)  # type: ignore[misc]


@asynccontextmanager
async def visiting(room: Room) -> AsyncIterator[Visit]:
    """Yields a browser at the site of the bot that runs now."""
    async with mount_site(room.discord, room.bot.website), Visit(room.discord.address) as visit:
        yield visit


async def _answer(room: Room, command: str, channel: Channel, **options: object) -> Message:
    return await private_message(room.kasia.command(channel, command, **options))


async def ask_about_tournament(room: Room) -> AsyncIterator[tuple[str, Ask]]:
    """Begins a tournament, and asks for what its players and its host see."""
    card = await make_tournament(room, format="round-robin")
    people = invite(room, MAX_PLAYERS)
    tournament = entered = await load_tournament(room)
    for person in people[:-1]:
        entered = sign_up(entered, UserId(person.id))
    async with room.services.store.write() as tx:
        await tx.tournaments.save(entered, tournament)
    await room.restart()
    yield f"*Sign up* as the last of {MAX_PLAYERS}", lambda: people[-1].click(card, "Sign up").answered()
    yield "  /tournament remove", lambda: private_message(room.ola.command(room.channel, "tournament remove"))
    yield "  *Begin*", lambda: room.ola.click(card, "Begin").answered()
    yield "  /games of a player", lambda: private_message(people[0].command(room.channel, "games"))
    async with visiting(room) as visit:
        home: list[AtHome] = []

        async def enter() -> None:
            home.append(await AtHome.enter(room, people[0], visit))
            await home[0].read()

        yield "  the home page of a player", enter
