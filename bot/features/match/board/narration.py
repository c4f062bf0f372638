"""What a version of a match is in words: what happened, who has to do what now, and how the clocks stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.features.match.board.clock_status import clock_stop
from bot.features.match.board.emblems import EMBLEMS
from play.clock import Fischer, Reserve
from play.ids import Millis
from play.match.endings import STOP, agreed, stopped
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from rules.game import Outcome
from rules.point import Seat

if TYPE_CHECKING:
    from bot.i18n.words import Words

CALLS = (STOP, "land")
"""Turns without a dot, as they are written."""

JUDGED = (EventKind.ANNUL, EventKind.ADJUDGE)


@dataclass(frozen=True, slots=True)
class Narration:
    """A match told in `words`. `name` names a seat, `call` calls upon one; `bold` marks what was played.

    `gains` is what each seat's score grew by with the last event; `now` is when it is told.
    """

    match: Match
    words: Words
    gains: Sequence[float]
    now: Millis
    name: Callable[[Seat], str]
    call: Callable[[Seat], str]
    bold: str = ""

    @property
    def story(self) -> str:
        """What happened; nothing where the result says it all."""
        match = self.match
        if not match.events:
            return self.words("turn.begins", name=self.name(match.position.to_act))
        return self._moved() if match.events[-1].is_move else self._happened()

    @property
    def result(self) -> str:
        """How it ended; nothing while it goes on."""
        return told_event(self.match.outcome, self.match, self.words, self.name) if self.match.outcome else ""

    @property
    def lines(self) -> list[str]:
        """Who has to do what, how the clocks stand, what is still on offer; only while the match goes on."""
        return [line for line in (self._summons(), *self._standing(), *self._offers(), *self._clocks()) if line]

    def _moved(self) -> str:
        event, words = self.match.events[-1], self.words
        name = self.name(event.seat)
        if event.text in CALLS:
            parts = [words(f"turn.called.{event.text}", name=name)]
        else:
            parts = [words(f"turn.by.{_HOW[event.kind]}", name=name, move=f"{self.bold}{event.text}{self.bold}")]
        for seat, gain in enumerate(self.gains):
            if self.match.game.counts != "dots":
                if gain:
                    parts.append(words("turn.scores", name=self.name(Seat(seat)), change=f"{gain:+g}"))
            elif gain > 0 and seat == event.seat:
                parts.append(words("turn.captures", count=int(gain)))
            elif gain > 0:
                parts.append(words("turn.is_captured", count=int(gain)))
            elif gain < 0 and seat != event.seat:
                parts.append(words("turn.frees", count=int(-gain)))
        return ", ".join(parts) + "."

    def _happened(self) -> str:
        """An event that is no move."""
        event, words = self.match.events[-1], self.words
        name = self.name(event.seat)
        match event.kind:
            case EventKind.OFFER | EventKind.AGREE | EventKind.DECLINE:
                return self._negotiated()
            case EventKind.TAKEBACK | EventKind.RESUME | EventKind.BACK:
                return words(f"event.plain.{event.kind}", name=name)
            case EventKind.GIVE:
                return words("event.give", name=name, time=words.duration(event.time))
            case EventKind.EXTEND:
                return words("event.extend", name=name, time=words.duration(event.time), moderator=f"<@{event.by}>")
            case EventKind.AWAY:
                return words("event.away", name=name, when=discord_time(event.time))
            case EventKind.TIME if self.match.outcome and self.match.outcome.reason == STOP:
                return words("event.played_out", name=name)
            case kind if kind in JUDGED and self.bold:
                return words("event.judged", moderator=f"<@{event.by}>")
        return ""

    def _negotiated(self) -> str:
        event, match, words = self.match.events[-1], self.match, self.words
        kind, name = event.offer, self.name(event.seat)
        standing_offer = match.offer(kind)
        if event.kind is EventKind.DECLINE:
            assert standing_offer is not None, "what is declined stays until it lapses"
            by_computer = ".computer" if kind is OfferKind.DRAW and event.is_automatic else ""
            return words(f"event.decline.{kind}{by_computer}", name=name, offerer=self.call(standing_offer.seat))
        if standing_offer is None:  # everybody has agreed, and it has happened
            if kind is OfferKind.PAUSE:
                pause = match.clock.pauses[-1]
                return words("event.paused", when=discord_time(pause.end))
            return words("event.taken_back") if kind is OfferKind.TAKEBACK else ""
        others = ", ".join(self.call(seat) for seat in match.seats if seat not in standing_offer.agreed)
        if event.kind is EventKind.AGREE:
            return words("event.agree", name=name, others=others)
        if kind is OfferKind.PAUSE:
            return words("event.pause_offer", name=name, others=others, time=words.duration(event.time))
        if kind is OfferKind.END:
            ending = agreed(match.position)
            assert ending is not None, "it was offered"
            result = told_event(ending.outcome, match, words, self.name)
            return words("event.end_offer", name=name, others=others, result=result, score=_score(ending.scores, words))
        return words(f"event.offer.{kind}", name=name, others=others)

    def _summons(self) -> str:
        match, words = self.match, self.words
        to_act, deadline = match.position.to_act, match.clock.deadline
        player = f"<@{match.players[to_act]}>"
        when = "" if deadline is None else f"<t:{deadline // 1000}:R>"
        duty = "move" if stopped(match.position) is None else "play_out"
        return words(
            f"summons.{duty}.{'untimed' if deadline is None else 'timed'}",
            emblem=EMBLEMS[to_act],
            player=player,
            number=len(match.moves) + 1,
            when=when,
        )

    def _standing(self) -> Iterator[str]:
        """Why the clock stands, and what no clock has counted since the last version."""
        match, words = self.match, self.words
        if stands := clock_stop(match, self.now):
            name = self.name(match.position.to_act)
            yield words(f"standing.{stands.why}", name=name, when=discord_time(stands.until))
        *_, before, last = (match.started, match.started, *(event.at for event in match.events))
        gap = sum(span.end - span.start for span in match.clock.downtimes if before < span.end <= last)
        if gap:
            yield words("downtime", time=words.left(Millis(gap)))

    def _offers(self) -> Iterator[str]:
        """What was offered before and still waits for an answer."""
        newest = self.match.events[-1] if self.match.events else None
        just = newest.offer if newest and newest.kind in (EventKind.OFFER, EventKind.AGREE) else None
        for offer in self.match.offers:
            if not offer.declined and offer.kind is not just:
                yield self.words(f"offer.stands.{offer.kind}", name=self.name(offer.seat))

    def _clocks(self) -> Iterator[str]:
        """Everybody's time, where it is not the same for every move."""
        clock, words = self.match.clock, self.words
        varies = isinstance(clock.control, Fischer | Reserve) or any(left != clock.control.start for left in clock.left)
        if clock.deadline is not None and varies and clock.countdown is None:
            running = f"<t:{clock.deadline // 1000}:R>"
            times = [running if seat == clock.running else words.left(clock.left[seat]) for seat in self.match.seats]
            yield "-# ⏱️ " + " · ".join(f"{self.name(seat)} {times[seat]}" for seat in self.match.seats)


_HOW = {EventKind.MOVE: "played", EventKind.RANDOM: "random", EventKind.PLANNED: "planned"}


def called_seats(match: Match) -> tuple[Seat, ...]:
    """The seats that the newest version asks for something."""
    if match.outcome:
        return ()
    event = match.events[-1] if match.events else None
    if event is None or event.changes_position or event.kind is EventKind.RESUME:
        return (match.position.to_act,)
    offer = match.offer(event.offer) if event.kind in (EventKind.OFFER, EventKind.AGREE, EventKind.DECLINE) else None
    if offer is None:
        return ()
    return (offer.seat,) if offer.declined else tuple(seat for seat in match.seats if seat not in offer.agreed)


def told_event(outcome: Outcome, match: Match, words: Words, name: Callable[[Seat], str]) -> str:
    """The sentence of how a match ends."""
    losers = [seat for seat in match.seats if seat not in outcome.winners]
    kind = "none" if not outcome.winners else "win" if losers else "draw"
    return words(
        f"result.{kind}.{outcome.reason}",
        winner=", ".join(map(name, outcome.winners)),
        loser=", ".join(map(name, losers)),
    )


def discord_time(at: Millis) -> str:
    """A moment that everybody sees in his own time."""
    return f"<t:{at // 1000}:f>"


def _score(scores: Sequence[float], words: Words) -> str:
    return " : ".join(map(words.number, scores))
