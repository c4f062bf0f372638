"""Small matches: 5x5 with a cross, whose dots are on B3, C3, B4 and C4."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete

from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.clock.schedule import ClockSchedule
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves
from play.match.match import AwayPlace, Match
from rules.game import AnyGame, Seat
from rules.registry import make_game
from storage import Database, schema
from tests.clock import DAY, MINUTE, NOON, StoppedClock
from tests.people import person, server

GAME = make_game("zagram", {"size": "5x5", "start": "cross"})
ANNA, BORIS, CLARA = person(101), person(102), person(103)
GUILD = server(7)


def a_match(
    channel: int = 1,
    players: tuple[UserId, ...] = (ANNA, BORIS),
    control: str = "1h",
    at: Millis = NOON,
    *,
    game: AnyGame = GAME,
    agreement: TimeAgreement = NO_AGREEMENT,
    schedules: tuple[ClockSchedule, ...] = (),
    away: AwayPlace | None = None,
    strangers: bool = False,
) -> Match:
    """Returns a match that is not stored."""
    return Match.begin(
        MatchId(0),
        guild=GUILD,
        channel=ChannelId(channel),
        parent=ChannelId(channel + 500),
        game=game,
        seed=2**62 + 1,
        players=players,
        control=parse_control(control),
        at=at,
        agreement=agreement,
        schedules=schedules,
        away=away,
        strangers=strangers,
    )


def away_place(channel: int = 2, guild: int = 8, seat: int = 1) -> AwayPlace:
    """Returns a second place, where Boris is at home unless another seat is named."""
    return AwayPlace(GuildId(guild), ChannelId(channel), ChannelId(channel + 500), Seat(seat))


def play_turn(match: Match, text: str | None = None, *, source: int | None = None, at_once: bool = False) -> Match:
    """Returns the match after `text`, or the first legal move, a minute later or `at_once`."""
    assert match.to_act is not None
    return moves.move(
        match,
        match.players[match.to_act],
        text or str(next(iter(match.position.moves()))),
        Millis(match.clock.since + (0 if at_once else MINUTE)),
        IdempotencyKey(source or match.id * 10_000 + match.version + 1),
    )


def resign(match: Match, user: UserId = ANNA) -> Match:
    """Returns the match after `user` has resigned."""
    source = IdempotencyKey(match.id * 10_000 + match.version + 1)
    return moves.resign(match, user, Millis(match.clock.since + MINUTE), source)


async def pass_time(store: Database, clock: StoppedClock, duration: int) -> None:
    """Lets time pass while the bot runs, so that none of it is a downtime."""
    async with store.write() as tx:
        clock.advance(duration)
        await tx.clock.record_heartbeat(away=Millis(100 * DAY * 365))


async def add_match(store: Database, match: Match | None = None) -> Match:
    """Stores a new match; returns it with its id."""
    async with store.write() as tx:
        return await tx.matches.add(match or a_match())


async def add_shown_match(store: Database, match: Match | None = None) -> Match:
    """Stores a new match whose first board is posted, so that its clock can run out; returns it with its id."""
    added = await add_match(store, match)
    async with store.write() as tx:
        await discard_boards(tx, added.id)
    return added


async def save_match(store: Database, match: Match) -> Match:
    """Stores a new version of a match; returns it."""
    async with store.write() as tx:
        await tx.matches.save(match)
    return match


async def discard_boards(tx: Any, match: MatchId) -> None:
    """Leaves none of a match's boards to be posted, as if its channel had them already."""
    for table in (schema.outbox, schema.away_outbox):
        await tx.connection.execute(delete(table).where(table.c.match == match))


async def load_match(store: Database, match: MatchId, version: int | None = None) -> Match:
    """Loads a match, by default its newest version."""
    async with store.read() as reader:
        stored = await reader.matches.get(match, version)
    assert stored is not None
    return stored
