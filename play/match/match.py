"""One contest in a channel: a game, a seed and its events; everything else follows from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from play.clock import Blitz, Clock, TimeControl
from play.clock.agreement import NOTHING, Agreement
from play.clock.calendar import Calendar, Span
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.endings import STOP, agreed, stopped
from play.match.events import Event, EventKind, Offer, OfferKind
from play.refusal import Reason, Refused
from rules.game import AnyGame, AnyPosition, IllegalMove, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one version of its history. `parent` is the channel that its thread hangs in, if it has a thread.

    `moves` are those that were not taken back, and `gains` the points that each won for whoever made it; `offers` those
    that have not lapsed; `undo` is the clock as it was before the last event, if that was a move.
    """

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    game: AnyGame
    seed: int
    players: tuple[UserId, ...]
    started: Millis
    agreement: Agreement
    clock: Clock
    position: AnyPosition
    events: tuple[Event, ...] = ()
    moves: tuple[Event, ...] = ()
    gains: tuple[float, ...] = ()
    offers: tuple[Offer, ...] = ()
    outcome: Outcome | None = None
    undo: Clock | None = None

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
        agreement: Agreement = NOTHING,
        calendars: tuple[Calendar, ...] = (),
    ) -> Self:
        """A match before its first event; `players`, and their `calendars` if there are any, in the order of the seats.

        What the rules leave to chance is settled now and stored with the game, so that it is never drawn again.
        """
        game = game.settled(seed)
        position = game.start(seed)
        clock = Clock.started(control, game.seats, position.to_act, at, calendars)
        return cls(id, guild, channel, parent, game, seed, players, at, agreement, clock, position)

    @property
    def version(self) -> int:
        """The number of events: each turn is one."""
        return len(self.events)

    @property
    def to_act(self) -> Seat | None:
        """Whose turn it is; None when the match is over."""
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
        """The points by seat; at an end that was agreed on, with what counts only then."""
        ending = agreed(self.position) if self.outcome and self.outcome.reason == "agreed" else None
        return ending.scores if ending else self.position.score

    def seat_of(self, user: UserId) -> Seat:
        """Raises Refused (`not_your_match`) for a stranger."""
        if user not in self.players:
            raise Refused(Reason.NOT_YOUR_MATCH)
        return Seat(self.players.index(user))

    def offer(self, kind: OfferKind) -> Offer | None:
        """The offer of this kind that stands, or was declined and has not lapsed yet."""
        return next((offer for offer in self.offers if offer.kind is kind), None)

    def slept(self, downtimes: tuple[Span, ...], disproved: tuple[Span, ...] = ()) -> Self:
        """The match, known to have been without the bot in these `downtimes`; a wrong clock claimed the `disproved`."""
        return replace(self, clock=replace(self.clock, downtimes=downtimes, disproved=disproved))

    def after(self, event: Event) -> Self:
        """The match one event later. The only way in which a match changes, in play and in replay alike.

        Raises RuleError for a move that the game does not allow, one out of turn, and anything after the end, so a
        history that was tampered with does not load.
        """
        if self.outcome:
            raise IllegalMove("match_over")
        if event.seat not in self.seats:
            raise IllegalMove("bad_event")
        changed = self._moved(event) if event.is_move else replace(self, undo=None, **self._changes(event))
        return replace(changed, events=(*self.events, event))

    def _moved(self, event: Event) -> Self:
        if event.seat != self.to_act:
            raise IllegalMove("not_your_turn", user=self.players[self.position.to_act])
        position = self.position.play(self.game.parse(event.text))
        clock = self.clock.pressed(None if position.outcome else position.to_act, event.at)
        if not position.outcome and stopped(position) != stopped(self.position):
            clock = clock.counting_down(self.agreement.time_to_play_out(clock.control))
        lasting = (OfferKind.DRAW, OfferKind.PAUSE)
        return replace(
            self,
            position=position,
            clock=clock,
            moves=(*self.moves, event),
            gains=(*self.gains, position.score[event.seat] - self.position.score[event.seat]),
            offers=tuple(offer for offer in self.offers if offer.kind in lasting and offer.seat != event.seat),
            outcome=position.outcome,
            undo=self.clock,
        )

    def _changes(self, event: Event) -> dict[str, Any]:
        """The fields that an event changes which is no move."""
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
                return self._agreed(event)
            case EventKind.DECLINE:
                return {"offers": (*self._without(event.offer), replace(self._standing(event), declined=True))}
            case EventKind.TAKEBACK:
                if self.undo is None:
                    raise IllegalMove("bad_event")
                clock = replace(self.undo, downtimes=clock.downtimes, disproved=clock.disproved)
                return {"position": self._replayed(self.moves[:-1]), "clock": clock} | self._until(-1)
            case EventKind.RESUME if clock.pauses:
                return {"clock": clock.resumed(at)}
            case EventKind.GIVE:
                for other in self._others(seat):
                    clock = clock.given(other, event.time)
                return {"clock": clock}
            case EventKind.EXTEND:
                return {"clock": clock.given(seat, event.time)}
            case EventKind.AWAY:
                return {"clock": clock.absent(seat, Span(at, event.time))}
            case EventKind.BACK if clock.calendars[seat].spans:
                return {"clock": clock.returned(seat, at)}
            case EventKind.ADJUDGE:
                return self._over(self.seats if event.text == "draw" else (seat,), "adjudged", at)
            case EventKind.ANNUL:
                return self._over((), "annulled", at)
        raise IllegalMove("bad_event")

    def _agreed(self, event: Event) -> dict[str, Any]:
        offer = self._standing(event)
        offer = replace(offer, agreed=offer.agreed | {event.seat})
        if len(offer.agreed) < self.game.seats:
            return {"offers": (*self._without(offer.kind), offer)}
        match offer.kind:
            case OfferKind.DRAW:
                return self._over(self.seats, "draw", event.at)
            case OfferKind.END:
                ending = agreed(self.position)
                if ending is None:
                    raise IllegalMove("bad_event")
                return self._over(ending.outcome.winners, ending.outcome.reason, event.at)
            case OfferKind.PAUSE:
                assert offer.pause is not None, "a pause has a length"
                pause = Span(event.at, Millis(event.at + offer.pause))
                return {"offers": self._without(offer.kind), "clock": self.clock.paused(pause)}
            case OfferKind.TAKEBACK:
                own = [number for number, move in enumerate(self.moves) if move.seat == offer.seat]
                if not own:
                    raise IllegalMove("bad_event")
                position = self._replayed(self.moves[: own[-1]])
                clock = self.clock.passed(position.to_act, event.at)
                return {"position": position, "clock": clock} | self._until(own[-1])

    def _out_of_time(self, event: Event) -> dict[str, Any]:
        if stopped(self.position) is not None:
            position = self.position.play(self.game.parse(STOP))
            return {"position": position, "clock": self.clock.stopped(event.at), "outcome": position.outcome}
        if not self.all_have_moved:
            return self._over((), "abort", event.at)
        if isinstance(self.clock.control, Blitz):
            return self._over((), "abandoned", event.at)
        return self._over(self._others(event.seat), "time", event.at)

    def _over(self, winners: tuple[Seat, ...], reason: str, at: Millis) -> dict[str, Any]:
        return {"outcome": Outcome(winners, reason), "clock": self.clock.stopped(at), "offers": ()}

    def _others(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(other for other in self.seats if other != seat)

    def _standing(self, event: Event) -> Offer:
        offer = self.offer(event.offer)
        if offer is None or offer.declined:
            raise IllegalMove("bad_event")
        return offer

    def _without(self, kind: OfferKind) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.offers if offer.kind is not kind)

    def _until(self, number: int) -> dict[str, Any]:
        """With the moves before `number` alone; what was offered after them has lapsed."""
        return {"moves": self.moves[:number], "gains": self.gains[:number], "offers": ()}

    def _replayed(self, moves: tuple[Event, ...]) -> AnyPosition:
        position = self.game.start(self.seed)
        for move in moves:
            position = position.play(self.game.parse(move.text))
        return position
