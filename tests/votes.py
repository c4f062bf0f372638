"""Small vote games: members of a server against BORIS, on 5x5 with a cross."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, RoleId, UserId
from play.match.match import Match
from play.people.membership import Member
from play.votes import Ballot, Choice, NewSide, Side
from tests.clock import DAY, NOON
from tests.matches import BORIS, CLARA, GAME, GUILD
from use_cases import UseCases
from use_cases.votes import VoteGame
from use_cases.workers.vote_counter import VoteCounter

AWAY = GuildId(8)
TERMS = Terms(GAME, parse_control("1d"), Order.FIRST)
PERIOD = Millis(DAY)

_keys = count(1_000_000)


def account_made(at: int, number: int = 0) -> int:
    """Returns the id of an account that was made at a moment."""
    return (at - 1_420_070_400_000 << 22) + number


def new_key() -> IdempotencyKey:
    return IdempotencyKey(next(_keys))


def a_side(guild: GuildId = GUILD, *, role: int | None = None, quorum: int = 1, channel: int = 901) -> NewSide:
    return NewSide(guild, ChannelId(channel), None if role is None else RoleId(role), quorum)


def a_game(first: NewSide | UserId | None = None, second: NewSide | UserId = BORIS, channel: int = 1) -> VoteGame:
    """Returns a game that the side of GUILD begins with the first turn."""
    return VoteGame(GUILD, ChannelId(channel), first or a_side(), second, PERIOD, TERMS, CLARA)


def a_member(user: int = 101, guild: GuildId = GUILD, *roles: int, joined: int = NOON - DAY) -> Member:
    return Member(UserId(user), guild, frozenset(map(RoleId, roles)), Millis(joined))


async def begin(use_cases: UseCases, game: VoteGame | None = None, at: Millis = NOON) -> tuple[Match, tuple[Side, ...]]:
    """Begins a vote game; returns it with its sides."""
    match = await use_cases.votes.begin(game or a_game(), at, new_key())
    return match, await use_cases.votes.sides_of(match.id)


async def cast(
    use_cases: UseCases,
    match: MatchId,
    text: str = "a1",
    user: int = 101,
    *,
    at: Millis = NOON,
    choice: Choice = Choice.MOVE,
    voter: Member | None = None,
    key: IdempotencyKey | None = None,
    version: int | None = None,
    ends_prediction: bool = False,
) -> Ballot:
    """Casts a vote of a member of GUILD, or of `voter`."""
    who = voter or a_member(user)
    notation = text if choice is Choice.MOVE else ""
    number = key or new_key()
    return await use_cases.votes.cast(
        match, who, choice, notation, at, number, version, ends_prediction=ends_prediction
    )


def a_counter(use_cases: UseCases) -> VoteCounter:
    return VoteCounter(use_cases.store, use_cases.votes, use_cases.matches, use_cases.actions)


def legal_moves(match: Match) -> list[str]:
    """Returns the notations of all moves that place a dot now."""
    return [str(move) for move in match.position.moves()]


def with_terms(vote_game: VoteGame, **changes: Any) -> VoteGame:
    return replace(vote_game, terms=replace(vote_game.terms, **changes))
