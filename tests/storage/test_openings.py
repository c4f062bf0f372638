"""The explorer of openings answers as brute force does, which turns every position in every way."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from random import Random
from typing import NamedTuple

import pytest
from sqlalchemy import delete, func, select

from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves, offers
from play.match.events import OfferKind
from play.match.match import Match
from play.people.career import Annulment
from play.people.settings import ServerSettings
from play.records.openings import Board, Branch, Dot, Opening
from play.records.sgf import read
from rules.game import Point, Seat, point_name
from rules.registry import make_game
from storage import Database, schema
from tests.clock import MINUTE
from tests.facts import recorded_games
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, play_turn, resign, save_match
from use_cases.explorer import Explorer
from use_cases.public_pages import PublicGames
from use_cases.worker import Timing
from use_cases.workers.opening_filler import OpeningFiller

_keys = count(10**12)


def _key() -> IdempotencyKey:
    return IdempotencyKey(next(_keys))


HIDDEN = ChannelId(3)

Dots = frozenset[tuple[int, int, int]]

Answer = set[tuple[frozenset[Dots], frozenset[MatchId]]]
"""The positions that games went on to, in all their turns, and those games."""


class Channels:
    """A chat in which one channel is closed."""

    async def server_name(self, guild: GuildId) -> str | None:
        return "Home"

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        return channel != HIDDEN

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        return True


async def sees(guild: GuildId, channel: ChannelId, user: UserId) -> bool:
    return channel != HIDDEN


@pytest.fixture
def explorer(store: Database) -> Explorer:
    return Explorer(store, PublicGames(store, Channels()), sees)


async def add_game(
    store: Database, dots: Iterable[Point], size: str, channel: int = 1, players: tuple[UserId, ...] = (ANNA, BORIS)
) -> Match:
    """Stores a finished game on an empty board, which its first player resigns."""
    game = make_game("zagram", {"size": size, "start": "empty"})
    new = replace(a_match(channel, players, game=game), parent=None)
    match = await add_match(store, new)
    for dot in dots:
        assert match.to_act is not None
        mover, at = match.players[match.to_act], Millis(match.clock.since + MINUTE)
        match = await save_match(store, moves.move(match, mover, point_name(dot), at, _key()))
    return await save_match(store, resign(match, players[0]))


def turned(dots: Iterable[tuple[int, int, int]], board: Board, way: int) -> Dots:
    """Returns dots after one of eight ways to turn a board, written out anew."""
    found = set()
    right, top = board.width - 1, board.height - 1
    for x, y, seat in dots:
        for _ in range(way % 4):
            x, y = (y, right - x) if right == top else (right - x, top - y)
        found.add((right - x if way >= 4 else x, y, seat))
    return frozenset(found)


class Game(NamedTuple):
    """A game as brute force sees it: each dot with its seat."""

    id: MatchId
    board: Board
    dots: list[tuple[int, int, int]]
    players: tuple[UserId, ...]
    channel: int


def expect(games: Iterable[Game], board: Board, position: Dots) -> Answer:
    """Returns what games went on with: the position after it, in all its turns, and the games."""
    found: dict[frozenset[Dots], set[MatchId]] = defaultdict(set)
    images = {turned(position, board, way) for way in range(8)}
    for game in games:
        if game.board == board and len(game.dots) >= len(position):
            before = frozenset(game.dots[: len(position)])
            if before in images:
                after = game.dots[: len(position) + 1]
                found[frozenset(turned(after, board, way) for way in range(8))].add(game.id)
    return {(images, frozenset(each)) for images, each in found.items()}


def told(branches: Iterable[Branch], opening: Opening, position: Dots) -> Answer:
    """Returns the same of the explorer's answer about a position as its reader sees it."""
    found = set()
    for branch in branches:
        after = {*position}
        if branch.place is not None:
            after.add((*opening.crossing_at(branch.place), len(position) % 2))
        ways = frozenset(turned(after, opening.board, way) for way in range(8))
        found.add((ways, frozenset(branch.games)))
    return found


def opening_of(board: Board, position: Dots) -> Opening:
    return Opening.of(board, (Dot(x, y, Seat(seat)) for x, y, seat in position))


async def fill(store: Database, chance: Random, games: int) -> list[Game]:
    """Stores games that often begin alike, and the first moves of recorded ones."""
    found = []
    for _ in range(games):
        board = chance.choice((Board(5, 5), Board(6, 5)))
        near = [Point(x, y) for x in (2, 3) for y in (1, 2, 3)]
        chance.shuffle(near)
        rest = [Point(x, y) for x in range(board.width) for y in range(board.height) if Point(x, y) not in near]
        dots = [*near[:3], *chance.sample(rest, chance.randrange(4))]
        players = chance.choice(((ANNA, BORIS), (BORIS, CLARA), (CLARA, ANNA)))
        channel = chance.randrange(1, 5)
        match = await add_game(store, dots, f"{board.width}x{board.height}", channel, players)
        found.append(Game(match.id, board, [(*dot, n % 2) for n, dot in enumerate(dots)], players, channel))
    for path in recorded_games():
        record = read(path.read_bytes())
        board, dots = Board(record.width, record.height), [each.point for each in record.moves[:12]]
        match = await add_game(store, dots, f"{board.width}x{board.height}")
        found.append(Game(match.id, board, [(*dot, n % 2) for n, dot in enumerate(dots)], (ANNA, BORIS), 1))
    return found


@pytest.mark.contest
async def test_a_thousand_positions_have_the_answers_of_brute_force(store: Database, explorer: Explorer) -> None:
    chance = Random(62)
    games = await fill(store, chance, 80)
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GUILD, pages=True))
    own = [each for each in games if ANNA in each.players]
    shown = [each for each in games if each.channel != HIDDEN]
    for _ in range(1000):
        game = chance.choice(games)
        position = turned(game.dots[: chance.randrange(len(game.dots) + 1)], game.board, chance.randrange(8))
        opening = opening_of(game.board, position)
        answers = {
            "own": (await explorer.own(ANNA, opening, "zagram"), own),
            "server": (await explorer.of_server(ANNA, GUILD, opening, "zagram"), shown),
            "public": (await explorer.public(opening, "zagram"), shown),
        }
        for scope, (branches, among) in answers.items():
            assert told(branches, opening, position) == expect(among, game.board, position), (scope, position)


async def test_two_games_that_mirror_each_other_are_one_branch(store: Database, explorer: Explorer) -> None:
    first = await add_game(store, [Point(1, 1), Point(2, 1)], "5x5")
    other = await add_game(store, [Point(3, 3), Point(3, 2)], "5x5", 2)
    (branch,) = await explorer.own(ANNA, opening_of(Board(5, 5), frozenset({(1, 1, 0)})), "zagram")
    assert {*branch.games} == {first.id, other.id}
    assert (branch.tallies[0].lost, branch.tallies[1].won) == (2, 2)


async def test_other_rules_have_branches_of_their_own(store: Database, explorer: Explorer) -> None:
    await add_game(store, [Point(1, 1)], "5x5")
    assert await explorer.own(ANNA, opening_of(Board(5, 5), frozenset()), "classic") == []


async def test_an_annulled_game_is_in_no_branch(store: Database, explorer: Explorer) -> None:
    match = await add_game(store, [Point(1, 1)], "5x5")
    async with store.write() as tx:
        await tx.careers.annul(Annulment(match.id, CLARA, Millis(match.clock.since + 1)), match.players)
    assert await explorer.own(ANNA, opening_of(Board(5, 5), frozenset()), "zagram") == []


async def test_a_server_without_pages_has_no_public_games(store: Database, explorer: Explorer) -> None:
    await add_game(store, [Point(1, 1)], "5x5")
    opening = opening_of(Board(5, 5), frozenset())
    assert await explorer.public(opening, "zagram") == []
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GUILD, pages=True))
    assert len(await explorer.public(opening, "zagram")) == 1


async def test_a_game_in_a_channel_that_a_reader_cannot_see_is_hidden(store: Database, explorer: Explorer) -> None:
    await add_game(store, [Point(1, 1)], "5x5", HIDDEN)
    opening = opening_of(Board(5, 5), frozenset())
    assert await explorer.of_server(CLARA, GUILD, opening, "zagram") == []
    assert len(await explorer.own(ANNA, opening, "zagram")) == 1


async def test_a_player_who_was_deleted_has_no_public_games(store: Database, explorer: Explorer) -> None:
    await add_game(store, [Point(1, 1)], "5x5")
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GUILD, pages=True))
        await tx.privacy.forget(ANNA)
    assert await explorer.public(opening_of(Board(5, 5), frozenset()), "zagram") == []


async def take_out(store: Database) -> None:
    """Leaves the database as an older version has left it: with games, and without their positions."""
    async with store.write() as tx:
        newest = await tx.sql.value(select(func.max(schema.match.c.id)).where(schema.match.c.id > 0))
        await tx.sql.execute(delete(schema.opening).where(schema.opening.c.position > -(2**63)))
        await tx.sql.add(schema.opening_backlog, {"before": newest + 1})


async def rows_of(store: Database) -> list[tuple[int, int, int | None]]:
    """Returns the stored positions of all games."""
    async with store.read() as reader:
        asked = select(schema.opening).where(schema.opening.c.position > -(2**63))
        return sorted(tuple(row) for row in await reader.sql.all(asked))


async def add_old_games(store: Database) -> list[tuple[int, int, int | None]]:
    """Stores games of which one had a move taken back, and one goes on; returns the positions, and takes them out."""
    await fill(store, Random(72), 12)
    match = await add_match(store, a_match(50, game=make_game("zagram", {"size": "5x5", "start": "empty"})))
    match = await save_match(store, play_turn(match, "B2"))
    match = await save_match(store, offers.offer(match, ANNA, OfferKind.TAKEBACK, match.clock.since, _key()))
    match = await save_match(store, offers.agree(match, BORIS, OfferKind.TAKEBACK, match.clock.since, _key()))
    match = await save_match(store, play_turn(match, "C3"))
    await save_match(store, resign(match))
    await add_match(store, a_match(51))
    stored = await rows_of(store)
    await take_out(store)
    return stored


def filler(store: Database, rests: int = 1000) -> OpeningFiller:
    """Returns a worker that stores five games at once, and is stopped after so many rests."""
    left = iter(range(rests))

    async def sleep(_: float) -> None:
        if next(left, None) is None:
            worker.stop()

    worker = OpeningFiller(store, Timing(sleep=sleep), 5)
    return worker


async def test_games_that_are_older_than_the_table_are_filled_in(store: Database) -> None:
    stored = await add_old_games(store)
    await filler(store).poll()
    assert await rows_of(store) == stored
    assert await filler(store).pending(1) == []


async def test_a_filler_that_was_stopped_halfway_goes_on_where_it_was(store: Database) -> None:
    stored = await add_old_games(store)
    await filler(store, 1).poll()
    assert 0 < len(await rows_of(store)) < len(stored)
    await filler(store).poll()
    assert await rows_of(store) == stored


async def test_two_processes_fill_in_each_game_once(store: Database) -> None:
    stored = await add_old_games(store)
    await asyncio.gather(filler(store).poll(), filler(store).poll())
    assert await rows_of(store) == stored


async def test_a_game_with_its_positions_gets_no_more(store: Database) -> None:
    await add_game(store, [Point(1, 1)], "5x5")
    stored = await rows_of(store)
    async with store.write() as tx:
        await tx.sql.add(schema.opening_backlog, {"before": 2**40})
    await filler(store).poll()
    assert await rows_of(store) == stored


async def test_a_new_database_has_nothing_to_fill_in(store: Database) -> None:
    assert await filler(store).pending(1) == []
