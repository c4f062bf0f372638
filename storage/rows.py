"""Rows into values, and values into rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from play.challenge import Challenge, ChallengeState, Terms
from play.clock import TimeControl, parse_control
from play.ids import UserId
from play.match import Event, EventKind, Match
from play.store import Entry
from rules.game import AnyGame
from rules.registry import configured

AnyRow = Row[Any]
Values = dict[str, Any]


def _agreed(game: AnyGame, control: TimeControl) -> Values:
    return {"game": game.key, "options": dict(game.options), "control": str(control)}


def of_challenge(challenge: Challenge) -> Values:
    return {
        "guild": challenge.guild,
        "channel": challenge.channel,
        "challenger": challenge.challenger,
        "opponent": challenge.opponent,
        "made": challenge.made,
        "state": challenge.state.value,
        "match": challenge.match,
        **_agreed(challenge.terms.game, challenge.terms.control),
    }


def challenge(row: AnyRow) -> Challenge:
    return Challenge(
        row.id,
        row.guild,
        row.channel,
        row.challenger,
        row.opponent,
        Terms(configured(row.game, row.options), parse_control(row.control)),
        row.made,
        ChallengeState(row.state),
        row.match,
    )


def of_match(match: Match) -> Values:
    """What is settled when a match begins, and how it stands."""
    return {
        "guild": match.guild,
        "channel": match.channel,
        "parent": match.parent,
        "seed": match.seed,
        "started": match.started,
        **_agreed(match.game, match.clock.control),
        **standing(match),
    }


def standing(match: Match) -> Values:
    """What follows from the events so far."""
    outcome = match.outcome
    return {
        "version": match.version,
        "to_act": match.to_act,
        "deadline": match.clock.deadline,
        "ended": match.clock.since if outcome else None,
        "reason": outcome.reason if outcome else None,
        "winners": list(outcome.winners) if outcome else None,
    }


def begun(row: AnyRow, players: Iterable[UserId]) -> Match:
    """A match before its first event."""
    return Match.begun(
        row.id,
        guild=row.guild,
        channel=row.channel,
        parent=row.parent,
        game=configured(row.game, row.options),
        seed=row.seed,
        players=tuple(players),
        control=parse_control(row.control),
        at=row.started,
    )


def event(row: AnyRow) -> Event:
    return Event(EventKind(row.kind), row.seat, row.text, row.at, row.source)


def of_event(match: Match) -> Values:
    """The newest event of a match."""
    event = match.events[-1]
    return {
        "match": match.id,
        "seq": match.version,
        "kind": event.kind.value,
        "seat": event.seat,
        "text": event.text,
        "at": event.at,
        "source": event.source,
    }


def entry(seats: Sequence[AnyRow]) -> Entry:
    """An open match, from one row a seat in their order."""
    row = seats[0]
    return Entry(
        row.id,
        row.guild,
        row.channel,
        row.board,
        configured(row.game, row.options),
        tuple(seat.user for seat in seats),
        row.to_act,
        row.deadline,
        row.version,
    )
