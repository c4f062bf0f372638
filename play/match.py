"""One contest in a channel: a game, a seed and its events; everything else follows from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from play.clock import Clock, TimeControl
from play.ids import ChannelId, GuildId, MatchId, Millis, SourceId, UserId
from play.refused import Refused
from rules.game import AnyGame, AnyPosition, IllegalMove, Outcome, RuleError, Seat

GRACE = Millis(2000)
"""A flag falls this long after the deadline, so that a move made in time can still arrive."""


class EventKind(StrEnum):
    MOVE = "move"
    RESIGN = "resign"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, to whom and when. `text` is the notation of a move; `source` what a person did it by, or None."""

    kind: EventKind
    seat: Seat
    text: str
    at: Millis
    source: SourceId | None


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one version of its history. `parent` is the channel that its thread hangs in, if it has a thread."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    game: AnyGame
    seed: int
    players: tuple[UserId, ...]
    started: Millis
    clock: Clock
    position: AnyPosition
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None

    @classmethod
    def begun(
        cls,
        id: MatchId,  # noqa: A002 - the field's name
        *,
        guild: GuildId | None,
        channel: ChannelId,
        parent: ChannelId | None,
        game: AnyGame,
        seed: int,
        players: tuple[UserId, ...],
        control: TimeControl,
        at: Millis,
    ) -> Match:
        """A match before its first event; `players` in the order of the seats.

        What the rules leave to chance is settled now and stored with the game, so that it is never drawn again.
        """
        game = game.settled(seed)
        position = game.start(seed)
        clock = Clock.started(control, game.seats, position.to_act, at)
        return cls(id, guild, channel, parent, game, seed, players, at, clock, position)

    @property
    def version(self) -> int:
        """The number of events: each turn is one."""
        return len(self.events)

    @property
    def to_act(self) -> Seat | None:
        """Whose turn it is; None when the match is over."""
        return None if self.outcome else self.position.to_act

    @property
    def moves(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.kind is EventKind.MOVE)

    @property
    def last_move(self) -> Event | None:
        return next((event for event in reversed(self.events) if event.kind is EventKind.MOVE), None)

    def seat_of(self, user: UserId) -> Seat:
        """Raises Refused (`not_your_match`) for a stranger."""
        if user not in self.players:
            raise Refused("not_your_match")
        return Seat(self.players.index(user))

    def after(self, event: Event) -> Self:
        """The match one event later. The only way in which a match changes, in play and in replay alike.

        Raises RuleError for a move that the game does not allow, one out of turn, and anything after the end, so a
        history that was tampered with does not load.
        """
        if self.outcome:
            raise IllegalMove("match_over")
        events = (*self.events, event)
        if event.kind is EventKind.MOVE:
            if event.seat != self.to_act:
                raise IllegalMove("not_your_turn", user=self.players[self.position.to_act])
            position = self.position.play(self.game.parse(event.text))
            upcoming = None if position.outcome else position.to_act
            clock = self.clock.pressed(upcoming, event.at)
            return replace(self, events=events, position=position, clock=clock, outcome=position.outcome)
        if event.kind is EventKind.TIME and not self._all_have_moved:
            outcome = Outcome((), "abort")
        else:
            others = tuple(Seat(seat) for seat in range(self.game.seats) if seat != event.seat)
            outcome = Outcome(others, event.kind.value)
        return replace(self, events=events, clock=self.clock.stopped(event.at), outcome=outcome)

    @property
    def _all_have_moved(self) -> bool:
        return len({event.seat for event in self.moves}) == self.game.seats


def _acting(match: Match, user: UserId) -> Seat:
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused("match_over")
    return seat


def move(match: Match, user: UserId, text: str, at: Millis, source: SourceId) -> Match:
    """`user` plays `text`, at the time that Discord gives. Raises Refused."""
    seat = _acting(match, user)
    if seat != match.to_act:
        raise Refused("not_your_turn", user=match.players[match.position.to_act])
    if expired(match, at):
        raise Refused("time_over")
    try:
        notation = str(match.game.parse(text))
        return match.after(Event(EventKind.MOVE, seat, notation, at, source))
    except RuleError as error:
        raise Refused.by_rules(error) from error


def resign(match: Match, user: UserId, at: Millis, source: SourceId) -> Match:
    """`user` gives the match up, whoever's turn it is. Raises Refused."""
    return match.after(Event(EventKind.RESIGN, _acting(match, user), "", at, source))


def expired(match: Match, now: Millis) -> bool:
    """Whether the flag of the seat to act has fallen by `now`."""
    return match.clock.deadline is not None and now > match.clock.deadline + GRACE


def flag(match: Match, now: Millis) -> Match:
    """The match, ended by its clock at `now`; the same match if no flag has fallen."""
    if not expired(match, now):
        return match
    return match.after(Event(EventKind.TIME, match.position.to_act, "", now, None))
