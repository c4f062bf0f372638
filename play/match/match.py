"""A match in a channel, and perhaps in a second one: a game, a seed and events. Everything else follows from them."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from play.clock import Blitz, Clock, TimeControl
from play.clock.agreement import NO_AGREEMENT, NO_LIMIT, TimeAgreement
from play.clock.schedule import ClockSchedule, Span
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.endings import STOP, STOP_WAITING, agreed_ending, stopped_seat
from play.match.events import Event, EventKind, Offer, OfferKind
from play.refusal import Reason, Refused
from rules.game import AnyGame, AnyPosition, IllegalMove, Outcome, Seat

MAX_UNDONE = 8
"""Moves that can be taken back at once: a player's own one, and those of the computer since, which may move again after
a capture."""


@dataclass(frozen=True, slots=True)
class AwayPlace:
    """The other place of a match of two seats.

    `seat` is at home there, the other seat where the match is looked at from. `parent` is the channel of a thread.
    """

    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    seat: Seat


class MatchPlace(NamedTuple):
    """One place of a match: where it began, or the one `away`."""

    match: MatchId
    away: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one version of its history.

    `parent` is the channel of its thread, if it has one. `moves` are the moves that were not taken back, and `gains`
    the points that each brought its player. `offers` are those that have not lapsed. `clocks_before` are the
    clocks before each of the last events, as far as those were moves, MAX_UNDONE at most. `rule_set` is the name of the
    own rule set that it is played by. Those who do not play it may predict the result of a `predictable` one.
    Each seat has `extra` time beside what the time control says at the start; without any, all have the same.
    Of `strangers`, whose searches have made the match, each may report the other.

    A match in two places is looked at from one of them. Its `guild`, `channel` and `parent` are of this place, and
    `away` is the other one. `is_turned` says that this one is not the place where the match began.
    """

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    game: AnyGame
    seed: int
    players: tuple[UserId, ...]
    started: Millis
    agreement: TimeAgreement
    clock: Clock
    position: AnyPosition
    events: tuple[Event, ...] = ()
    moves: tuple[Event, ...] = ()
    gains: tuple[float, ...] = ()
    offers: tuple[Offer, ...] = ()
    outcome: Outcome | None = None
    clocks_before: tuple[Clock, ...] = ()
    rule_set: str | None = None
    predictable: bool = False
    strangers: bool = False
    extra: tuple[Millis, ...] = ()
    away: AwayPlace | None = None
    is_turned: bool = False

    @classmethod
    def begin(
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
        agreement: TimeAgreement = NO_AGREEMENT,
        schedules: tuple[ClockSchedule, ...] = (),
        rule_set: str | None = None,
        predictable: bool = False,
        strangers: bool = False,
        away: AwayPlace | None = None,
    ) -> Self:
        """Returns a match before its first event. `players`, and `schedules` if given, are in the order of the seats.

        What the rules leave to chance is drawn now and stored with the game, so that it is never drawn again.
        """
        game = game.resolve_chance(seed)
        position = game.start(seed)
        clock = Clock.start(control, game.seats, position.to_act, at, schedules)
        return cls(
            *(id, guild, channel, parent, game, seed, players, at, agreement, clock, position),
            rule_set=rule_set,
            predictable=predictable,
            strangers=strangers,
            away=away,
        )

    @property
    def version(self) -> int:
        """The number of events. A turn is one event."""
        return len(self.events)

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is. None when the match is over."""
        return None if self.outcome else self.position.to_act

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(self.game.seats)))

    @property
    def last_move(self) -> Event | None:
        return self.moves[-1] if self.moves else None

    @property
    def all_have_moved(self) -> bool:
        return len({event.seat for event in self.moves}) == self.game.seats

    @property
    def score(self) -> tuple[float, ...]:
        """The points by seat. After an agreed end they include what counts only then."""
        ending = agreed_ending(self.position) if self.outcome and self.outcome.reason == "agreed" else None
        return ending.scores if ending else self.position.score

    @property
    def place(self) -> MatchPlace:
        """The place that the match is looked at from."""
        return MatchPlace(self.id, away=self.is_turned)

    @property
    def places(self) -> tuple[MatchPlace, ...]:
        """All places of the match."""
        return (MatchPlace(self.id), *([MatchPlace(self.id, away=True)] if self.away else []))

    @property
    def guests(self) -> frozenset[Seat]:
        """The seats that are at home in the other place: nothing here may mention their players."""
        return frozenset((self.away.seat,) if self.away else ())

    @property
    def hosts(self) -> tuple[Seat, ...]:
        """The seats that are at home in this place: all of an ordinary match."""
        return tuple(seat for seat in self.seats if seat not in self.guests)

    def turn_around(self) -> Self:
        """Returns the match, looked at from its other place."""
        assert self.away is not None, "it has another place"
        other = AwayPlace(self.guild, self.channel, self.parent, Seat(1 - self.away.seat))
        turned = replace(self, away=other, is_turned=not self.is_turned)
        return replace(turned, guild=self.away.guild, channel=self.away.channel, parent=self.away.parent)

    def look_from(self, *, away: bool) -> Self:
        """Returns the match, looked at from the place where it began, or else from the one `away`."""
        return self if away == self.is_turned else self.turn_around()

    def at_home_of(self, seat: Seat) -> Self:
        """Returns the match, looked at from where a seat is at home."""
        return self.turn_around() if seat in self.guests else self

    def for_reader(self, user: UserId, guild: GuildId | None) -> Self:
        """Returns the match, looked at from the server `guild` if it is played there, else from the user's home."""
        if self.away is None or (guild is not None and guild in (self.guild, self.away.guild)):
            return self.on_server(guild)
        return self.at_home_of(self.seat_of(user)) if user in self.players else self

    def in_channel(self, channel: ChannelId | None) -> Self:
        """Returns the match, looked at from a `channel` if that is its other one."""
        return self.turn_around() if self.away is not None and channel == self.away.channel else self

    def on_server(self, guild: GuildId | None) -> Self:
        """Returns the match, looked at from `guild` if that is its other server."""
        return self.turn_around() if self.away is not None and guild == self.away.guild else self

    def moves_since(self, seat: Seat) -> int:
        """Returns the number of moves from the last one of a seat on; 0 if it has made none."""
        return next((count for count, move in enumerate(reversed(self.moves), 1) if move.seat == seat), 0)

    def seat_of(self, user: UserId) -> Seat:
        """Returns the seat of `user`. Raises Refused (`not_your_match`) if they do not play in the match."""
        if user not in self.players:
            raise Refused(Reason.NOT_YOUR_MATCH)
        return Seat(self.players.index(user))

    def offer(self, kind: OfferKind) -> Offer | None:
        """Returns the open or declined offer of this kind, unless it has lapsed."""
        return next((offer for offer in self.offers if offer.kind is kind), None)

    def before_move(self, number: int) -> Self:
        """Returns the match as it was before a move, from 1: open, to be looked at and never stored."""
        moves = self.moves[: number - 1]
        return replace(self, **self._up_to(number - 1), outcome=None, position=self._replay(moves))

    def with_extra(self, extra: tuple[Millis, ...]) -> Self:
        """Returns the match, in which nothing has happened yet, with `extra` time for each seat."""
        clock = self.clock
        for seat, time in enumerate(extra):
            clock = clock.add_time(Seat(seat), time)
        return replace(self, extra=extra, clock=clock)

    def begin_clock(self, now: Millis) -> Self:
        """Returns the match, in which nothing has happened yet, with a first turn that begins at `now`."""
        return replace(self, started=now, clock=replace(self.clock, since=now))

    def excused(self, lost: Millis) -> Self:
        """Returns the match as it is told while the player to act gets back so much of their turn."""
        clock = self.clock
        return replace(self, clock=replace(clock, since=Millis(clock.since + lost))) if lost else self

    def with_downtimes(self, downtimes: tuple[Span, ...], disproved: tuple[Span, ...] = ()) -> Self:
        """Returns the match with the bot's `downtimes`, and the `disproved` ones that a wrong clock had claimed."""
        return replace(self, clock=replace(self.clock, downtimes=downtimes, disproved=disproved))

    def after(self, event: Event) -> Self:
        """Returns the match after `event`. In play and in replay alike, a match changes in no other way.

        Raises RuleError for a move that the game does not allow, a move out of turn, and any event after the end. So a
        history that was tampered with does not load.
        """
        if self.outcome:
            raise IllegalMove("match_over")
        if event.seat not in self.seats:
            raise IllegalMove("bad_event")
        changes = self._move_changes(event) if event.is_move else {"clocks_before": ()} | self._changes(event)
        return replace(self, events=(*self.events, event), **changes)

    def _move_changes(self, event: Event) -> dict[str, Any]:
        """Returns the fields that a move changes."""
        waits = event.text == STOP_WAITING
        if (event.seat == self.to_act) == waits:
            raise IllegalMove("not_your_turn", user=self.players[self.position.to_act])
        position = self.position.play(self.game.parse(event.text))
        clock = self._clock_after(position, event.at, event.lost, waits=waits)
        lasting = (OfferKind.DRAW, OfferKind.PAUSE)
        return {
            "position": position,
            "clock": clock,
            "moves": (*self.moves, event),
            "gains": (*self.gains, position.score[event.seat] - self.position.score[event.seat]),
            "offers": tuple(offer for offer in self.offers if offer.kind in lasting and offer.seat != event.seat),
            "outcome": position.outcome,
            "clocks_before": (*self.clocks_before, self.clock)[-MAX_UNDONE:],
        }

    def _clock_after(self, position: AnyPosition, at: Millis, lost: Millis, *, waits: bool) -> Clock:
        """Returns the clock after a move, or after a STOP by the player who `waits`: that is no move of the other."""
        if position.outcome:
            return self.clock.stop(at) if waits else self.clock.press(None, at, lost)
        limit = self.agreement.time_to_play_out(self.clock.control)
        limited = limit != NO_LIMIT and stopped_seat(position) != stopped_seat(self.position)
        if not waits:
            clock = self.clock.press(position.to_act, at, lost)
        else:
            clock = self.clock.pass_turn(position.to_act, at) if limited else self.clock
        return clock.start_countdown(limit) if limited else clock

    def _changes(self, event: Event) -> dict[str, Any]:
        """Returns the fields that an event other than a move changes."""
        clock, seat, at = self.clock, event.seat, event.at
        match event.kind:
            case EventKind.TIME:
                return self._out_of_time(event)
            case EventKind.RESIGN:
                return self._over(self._others(seat), "resign", at)
            case EventKind.ABORT:
                return self._over((), "called_off", at)
            case EventKind.OFFER:
                pause = event.time if event.offer is OfferKind.PAUSE else None
                return {"offers": (*self._without(event.offer), Offer(event.offer, seat, frozenset([seat]), pause))}
            case EventKind.AGREE:
                return self._agree(event)
            case EventKind.DECLINE:
                return {"offers": (*self._without(event.offer), replace(self._open_offer(event), declined=True))}
            case EventKind.TAKEBACK:
                undone = self.moves_since(seat)
                if not 1 <= undone <= len(self.clocks_before):
                    raise IllegalMove("bad_event")
                clock = replace(self.clocks_before[-undone], downtimes=clock.downtimes, disproved=clock.disproved)
                return {"position": self._replay(self.moves[:-undone]), "clock": clock} | self._up_to(-undone)
            case EventKind.RESUME if clock.pauses:
                return {"clock": clock.resume(at)}
            case EventKind.GIVE:
                for other in self._others(seat):
                    clock = clock.add_time(other, event.time)
                return {"clock": clock}
            case EventKind.EXTEND:
                return {"clock": clock.add_time(seat, event.time)}
            case EventKind.AWAY:
                return {"clock": clock.start_absence(seat, Span(at, event.time))}
            case EventKind.BACK if clock.schedules[seat].spans:
                return {"clock": clock.end_absence(seat, at)}
            case EventKind.ADJUDGE:
                return self._over(self.seats if event.text == "draw" else (seat,), "adjudged", at)
            case EventKind.ANNUL:
                return self._over((), "annulled", at)
        raise IllegalMove("bad_event")

    def _agree(self, event: Event) -> dict[str, Any]:
        offer = self._open_offer(event)
        offer = replace(offer, agreed=offer.agreed | {event.seat})
        if len(offer.agreed) < self.game.seats:
            return {"offers": (*self._without(offer.kind), offer)}
        match offer.kind:
            case OfferKind.DRAW:
                return self._over(self.seats, "draw", event.at)
            case OfferKind.END:
                ending = agreed_ending(self.position)
                if ending is None:
                    raise IllegalMove("bad_event")
                return self._over(ending.outcome.winners, ending.outcome.reason, event.at)
            case OfferKind.PAUSE:
                assert offer.pause is not None, "a pause has a length"
                pause = Span(event.at, Millis(event.at + offer.pause))
                return {"offers": self._without(offer.kind), "clock": self.clock.pause(pause)}
            case OfferKind.TAKEBACK:
                undone = self.moves_since(offer.seat)
                if not undone:
                    raise IllegalMove("bad_event")
                position = self._replay(self.moves[:-undone])
                clock = self.clock.pass_turn(position.to_act, event.at)
                return {"position": position, "clock": clock} | self._up_to(-undone)

    def _out_of_time(self, event: Event) -> dict[str, Any]:
        if stopped_seat(self.position) is not None:
            position = self.position.play(self.game.parse(STOP))
            return {"position": position, "clock": self.clock.stop(event.at), "outcome": position.outcome}
        if not self.all_have_moved:
            return self._over((), "abort", event.at)
        if isinstance(self.clock.control, Blitz):
            return self._over((), "abandoned", event.at)
        return self._over(self._others(event.seat), "time", event.at)

    def _over(self, winners: tuple[Seat, ...], reason: str, at: Millis) -> dict[str, Any]:
        return {"outcome": Outcome(winners, reason), "clock": self.clock.stop(at), "offers": ()}

    def _others(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(other for other in self.seats if other != seat)

    def _open_offer(self, event: Event) -> Offer:
        offer = self.offer(event.offer)
        if offer is None or offer.declined:
            raise IllegalMove("bad_event")
        return offer

    def _without(self, kind: OfferKind) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.offers if offer.kind is not kind)

    def _up_to(self, number: int) -> dict[str, Any]:
        """Returns the fields for only the moves before `number`. Offers made after those have lapsed."""
        return {"moves": self.moves[:number], "gains": self.gains[:number], "offers": ()}

    def _replay(self, moves: tuple[Event, ...]) -> AnyPosition:
        position = self.game.start(self.seed)
        for move in moves:
            position = position.play(self.game.parse(move.text))
        return position
