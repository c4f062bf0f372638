"""A version of a match in words: what happened, who has to act and how, and the clocks, or why they don't run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from play.clock import Fischer, Reserve, Speed
from play.ids import Millis
from play.match.endings import STOP, STOP_WAITING, agreed_ending, stopped_seat
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.votes import ClosedVote, OpenVote
from presentation.match.phrases import describe_turn, emblem, turn_text
from presentation.text import signed
from presentation.words.words import Words
from rules.dash import DashPosition
from rules.game import Outcome, Seat

_SATURDAY = 5

CALLS = (STOP, "land")
"""Turns without a dot, as players write them."""

_JUDGEMENTS = (EventKind.ANNUL, EventKind.ADJUDGE)
_ENDED_BY_NOBODY = (EventKind.TIME, EventKind.RANDOM)
_MOVE_KEYS = {EventKind.MOVE: "played", EventKind.RANDOM: "random", EventKind.PLANNED: "planned"}


class ClockStop(NamedTuple):
    """A stop of the clock of the player to move. `why` is `pause`, `vacation`, `weekend`, `night` or `downtime`."""

    why: str
    until: Millis


def clock_stop(match: Match, now: Millis) -> ClockStop | None:
    """Returns why and until when the clock is stopped at `now`; None if it runs, or there is none."""
    clock = match.clock
    until = clock.stopped_until(now)
    if clock.running is None or clock.deadline is None or until is None:
        return None
    if pause := clock.current_pause(now):
        return ClockStop("pause", max(until, pause.end))
    if clock.current_absence(clock.running, now):
        return ClockStop("vacation", until)
    calendar = clock.schedules[clock.running]
    if not replace(calendar, spans=()).stopped_spans(now, Millis(now + 1)):
        return ClockStop("downtime", until)
    weekday = datetime.fromtimestamp(now / 1000, calendar.zone).weekday()
    return ClockStop("weekend" if calendar.weekends and weekday >= _SATURDAY else "night", until)


class Duty(StrEnum):
    """A kind of turn. The values are parts of keys of the catalogues; those of Dot Dash name its phases."""

    MOVE = "move"
    PLAY_OUT = "play_out"
    """Dots to place alone, after a STOP of the opponent."""
    SET_UP = "set_up"
    CHOICE = "choice"
    DASH = "dash"

    @classmethod
    def of(cls, match: Match) -> Duty:
        """Returns what the player to act has to do."""
        if isinstance(match.position, DashPosition):
            return cls(match.position.phase.value)
        return cls.MOVE if stopped_seat(match.position) is None else cls.PLAY_OUT

    @property
    def is_dash(self) -> bool:
        """Whether it is a phase of Dot Dash."""
        return self in (Duty.SET_UP, Duty.CHOICE, Duty.DASH)


@dataclass(frozen=True, slots=True)
class Narration:
    """The newest version of a match in `words`.

    `gains` are the changes of the scores by the last event; `now` is the time of the telling, `theme` the look of the
    board. `names` are those of the seats, `moderator` that of the moderator who has just given more time, if one did.
    `vote` is the vote that is open, `voted` the one by which the last turn was played.
    """

    match: Match
    words: Words
    gains: Sequence[float]
    now: Millis
    theme: str
    names: Sequence[str]
    moderator: str = ""
    vote: OpenVote | None = None
    voted: ClosedVote | None = None

    def name(self, seat: Seat) -> str:
        """Returns the name of a seat's player."""
        return self.words.markup.player(self.names[seat], emblem(self.theme, seat))

    def mention(self, seat: Seat) -> str:
        """Returns a mention of a seat's player; of one at home on another server, the name."""
        if seat in self.match.guests:
            return self.words.markup.bold(self.words.literal(self.names[seat]))
        return self.words.mention(self.match.players[seat], self.names[seat])

    @property
    def story(self) -> str:
        """The last event; empty where the result says it all."""
        match = self.match
        if not match.events:
            sets_up = Duty.of(match) is Duty.SET_UP
            return self.words("turn.begins.set_up" if sets_up else "turn.begins", name=self.name(match.position.to_act))
        return self._move_text() if match.events[-1].is_move else self._event_text()

    @property
    def result(self) -> str:
        """How the match ended; empty while it goes on."""
        return result_text(self.match.outcome, self.match, self.words, self.name) if self.match.outcome else ""

    @property
    def lines(self) -> list[str]:
        """Who has to act, the clocks and the open offers, for a match that goes on."""
        return [line for line in (self._summons(), *self._clock_stop(), *self._open_offers(), *self._clocks()) if line]

    def _move_text(self) -> str:
        event, words = self.match.events[-1], self.words
        name = self.name(event.seat)
        call = STOP if event.text == STOP_WAITING else event.text
        if call in CALLS:
            parts = [words(f"turn.called.{call}", name=name)]
        elif event.kind is EventKind.MOVE and (said := describe_turn(self.match, name, words)):
            parts = [said]
        else:
            move = turn_text(self.match.game, event.text, words, words.markup.bold)
            parts = [words(f"turn.by.{_MOVE_KEYS[event.kind]}", name=name, move=move)]
        deeds: list[str] = []
        for seat, gain in enumerate(self.gains):
            unit = self.match.game.score_unit
            if unit == "fives" and gain:
                count = int(self.match.score[seat])
                parts.append(words("dash.fives", name=self.name(Seat(seat)), count=count))
            elif unit == "points" and gain:
                parts.append(words("turn.scores", name=self.name(Seat(seat)), change=signed(gain)))
            elif gain > 0 and seat == event.seat:
                deeds.append(words("turn.captures", count=int(gain)))
            elif gain > 0:
                deeds.append(words("turn.is_captured", count=int(gain)))
            elif gain < 0 and seat != event.seat:
                deeds.append(words("turn.frees", count=int(-gain)))
        if deeds and call not in CALLS:
            *others, last = deeds
            parts, deeds = [words("turn.and", deeds=", ".join((*parts, *others)), last=last)], []
        parts += deeds
        told = ", ".join(parts) + "."
        if self.voted is not None:
            move = turn_text(self.match.game, event.text, words)
            told += "\n" + words("vote.decided", count=self.voted.votes, total=self.voted.total, move=move)
        if call == STOP and any(self.gains):
            told += " " + words(f"turn.stop_why.{self.match.game.options['ending']}")
        return told

    def _event_text(self) -> str:
        """Returns the sentence of an event that is no move. Two servers do not read who moderates the other one."""
        event, words = self.match.events[-1], self.words
        name, is_between = self.name(event.seat), self.match.away is not None
        match event.kind:
            case EventKind.OFFER | EventKind.AGREE | EventKind.DECLINE:
                return self._offer_text()
            case EventKind.TAKEBACK | EventKind.RESUME | EventKind.BACK:
                return words(f"event.plain.{event.kind}", name=name)
            case EventKind.GIVE:
                return words("event.give", name=name, time=words.duration(event.time))
            case EventKind.EXTEND if event.is_automatic:
                return words("event.vote_goes_on", time=words.duration(event.time))
            case EventKind.EXTEND:
                time = words.duration(event.time)
                if is_between:
                    return words("event.extend.two", name=name, time=time)
                return words("event.extend", name=name, time=time, moderator=self._moderator())
            case EventKind.AWAY:
                return words("event.away", name=name, when=words.moment(event.time))
            case EventKind.TIME if self.match.outcome and self.match.outcome.reason == STOP:
                return words("event.played_out", name=name)
            case kind if kind in _JUDGEMENTS and not words.is_plain and not event.is_automatic:
                return words("event.judged.two") if is_between else words("event.judged", moderator=self._moderator())
        return ""

    def _moderator(self) -> str:
        by = self.match.events[-1].by
        assert by is not None, "a moderator made the event"
        return self.words.mention(by, self.moderator)

    def _offer_text(self) -> str:
        event, match, words = self.match.events[-1], self.match, self.words
        kind, name = event.offer, self.name(event.seat)
        offer = match.offer(kind)
        if event.kind is EventKind.DECLINE:
            assert offer is not None, "a declined offer stays until it lapses"
            if event.seat == offer.seat:
                return words(f"event.unoffer.{kind}", name=name)
            by_computer = ".computer" if kind is OfferKind.DRAW and event.is_automatic else ""
            return words(f"event.decline.{kind}{by_computer}", name=name, offerer=self.mention(offer.seat))
        if offer is None:  # all have agreed, and it has happened
            if kind is OfferKind.PAUSE:
                pause = match.clock.pauses[-1]
                return words("event.paused", when=words.moment(pause.end))
            return words("event.taken_back") if kind is OfferKind.TAKEBACK else ""
        others = ", ".join(self.mention(seat) for seat in match.seats if seat not in offer.agreed)
        if event.kind is EventKind.AGREE:
            return words("event.agree", name=name, others=others)
        if kind is OfferKind.PAUSE:
            return words("event.pause_offer", name=name, others=others, time=words.duration(event.time))
        if kind is OfferKind.END:
            ending = agreed_ending(match.position)
            assert ending is not None, "the end was offered"
            result = result_text(ending.outcome, match, words, self.name)
            return words("event.end_offer", name=name, others=others, result=result, score=_score(ending.scores, words))
        return words(f"event.offer.{kind}", name=name, others=others)

    def _summons(self) -> str:
        match, words = self.match, self.words
        to_act, deadline = match.position.to_act, match.clock.deadline
        when = "" if deadline is None else words.until(deadline, self.now)
        if self.vote is not None:
            return self._call_to_vote(self.vote)
        return words(
            f"summons.{Duty.of(match)}.{'untimed' if deadline is None else 'timed'}",
            emblem=emblem(self.theme, to_act),
            player=self.mention(to_act),
            number=move_number(match),
            when=when,
        )

    def _call_to_vote(self, vote: OpenVote) -> str:
        match, words = self.match, self.words
        seat, closes = match.position.to_act, vote.closes
        call = words(
            "vote.summons",
            emblem=emblem(self.theme, seat),
            side=words.literal(self.names[seat]),
            number=move_number(match),
            at=words.moment(closes),
            when=words.until(closes, self.now),
        )
        if vote.lacks_role:
            call += f"\n{words.markup.small(words('vote.role_gone'))}"
        if vote.votes is None:
            return call
        key = "vote.so_far" if vote.votes >= vote.quorum else "vote.needed"
        return f"{call}\n{words(key, count=vote.votes, quorum=vote.quorum)}"

    def _clock_stop(self) -> Iterator[str]:
        """Yields why the clock is stopped, and the downtime since the last version, which no clock has counted."""
        match, words = self.match, self.words
        stop = clock_stop(match, self.now)
        if stop and not (stop.why == "pause" and self._tells_pause()):
            name = self.name(match.position.to_act)
            yield words(f"clock.stopped.{stop.why}", name=name, when=words.moment(stop.until))
        *_, before, last = (match.started, match.started, *(event.at for event in match.events))
        gap = sum(span.end - span.start for span in match.clock.downtimes if before < span.end <= last)
        if gap:
            yield words("downtime", time=words.left(Millis(gap)))

    def _tells_pause(self) -> bool:
        """Returns whether the story of this version is that all have agreed to a pause."""
        event = self.match.events[-1] if self.match.events else None
        return event is not None and event.kind is EventKind.AGREE and event.offer is OfferKind.PAUSE

    def _open_offers(self) -> Iterator[str]:
        """Yields the earlier offers that still wait for an answer."""
        event = self.match.events[-1] if self.match.events else None
        newest = event.offer if event and event.kind in (EventKind.OFFER, EventKind.AGREE) else None
        for offer in self.match.offers:
            if not offer.declined and offer.kind is not newest:
                yield self.words(f"offer.stands.{offer.kind}", name=self.name(offer.seat))

    def _clocks(self) -> Iterator[str]:
        """Yields every player's time, unless each move has the same."""
        clock, words = self.match.clock, self.words
        varies = isinstance(clock.control, Fischer | Reserve) or any(
            left != clock.control.start for left in clock.remaining
        )
        if clock.deadline is not None and varies and clock.countdown is None:
            running = self.words.until(clock.deadline, self.now)
            times = [
                running if seat == clock.running else words.left(clock.remaining[seat]) for seat in self.match.seats
            ]
            shown = " · ".join(f"{self.name(seat)} {times[seat]}" for seat in self.match.seats)
            yield self.words.markup.small(f"⏱️ {shown}")


def move_number(match: Match) -> int:
    """Returns the number of the move that a match waits for; of its last one, once it is over."""
    return len(match.moves) + (match.outcome is None)


def awaited_seats(match: Match) -> tuple[Seat, ...]:
    """Returns the seats that the newest version asks to act."""
    if match.outcome:
        return ()
    event = match.events[-1] if match.events else None
    if event is None or event.changes_position or event.kind is EventKind.RESUME:
        return (match.position.to_act,)
    offer = match.offer(event.offer) if event.kind in (EventKind.OFFER, EventKind.AGREE, EventKind.DECLINE) else None
    if offer is None or (event.kind is EventKind.DECLINE and event.seat == offer.seat):
        return ()
    return (offer.seat,) if offer.declined else tuple(seat for seat in match.seats if seat not in offer.agreed)


def news_seats(match: Match) -> tuple[Seat, ...]:
    """Returns the seats to which the end of a game over days is news: all but the one that has just acted. Nobody has
    where a clock, a moderator or the program ends it."""
    if match.outcome is None or match.clock.control.speed is not Speed.DAYS:
        return ()
    event = match.events[-1]
    if event.kind is EventKind.PLANNED:  # the reply to what another seat has just played
        event = match.events[-2]
    is_own = event.kind not in _ENDED_BY_NOBODY and event.by is None and not event.is_automatic
    return tuple(seat for seat in match.seats if not (is_own and seat == event.seat))


def result_text(outcome: Outcome, match: Match, words: Words, name: Callable[[Seat], str]) -> str:
    """Returns the sentence that says how a match ends."""
    losers = [seat for seat in match.seats if seat not in outcome.winners]
    reason = outcome.reason
    if match.outcome and match.events[-1].kind is EventKind.ADJUDGE and match.events[-1].is_automatic:
        reason = "round_over" if match.all_have_moved else "not_moved"
    if not outcome.winners:
        return words(f"result.none.{reason}")
    if not losers:
        return words(f"result.draw.{reason}")
    return words(
        f"result.win.{reason}",
        count=len(outcome.winners),
        winner=", ".join(map(name, outcome.winners)),
        loser=", ".join(map(name, losers)),
    )


def _score(scores: Sequence[float], words: Words) -> str:
    return " : ".join(map(words.number, scores))
