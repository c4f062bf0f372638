"""What happens in a match, as values that are only ever added to its history."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from play.ids import Millis, SourceId, UserId
from rules.game import IllegalMove
from rules.point import Seat


class EventKind(StrEnum):
    """What happened. Behind each kind: what `text` holds; nothing where nothing is said."""

    MOVE = "move"  # the notation
    RANDOM = "random"  # the notation of the move that chance played for whoever let his time run out
    PLANNED = "planned"  # the notation of a conditional move
    RESIGN = "resign"
    TIME = "time"
    ABORT = "abort"
    OFFER = "offer"  # what is offered; with a pause its length in milliseconds
    AGREE = "agree"  # to what
    DECLINE = "decline"  # what
    TAKEBACK = "takeback"  # of one's own last move, at once
    RESUME = "resume"
    GIVE = "give"  # milliseconds, to all others
    AWAY = "away"  # until when, in milliseconds since the epoch
    BACK = "back"
    ANNUL = "annul"
    ADJUDGE = "adjudge"  # `win` for the seat, or `draw`
    EXTEND = "extend"  # milliseconds, for the seat


MOVES = frozenset((EventKind.MOVE, EventKind.RANDOM, EventKind.PLANNED))
"""The ways in which a move is played."""


class OfferKind(StrEnum):
    """What a player may offer, and the others agree to. `END`: to end now, by the game's own rules for that."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    END = "end"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, to whom and when. `source` is what a person did it by, or None; `by` who it was, if he has no
    seat."""

    kind: EventKind
    seat: Seat
    text: str
    at: Millis
    source: SourceId | None
    by: UserId | None = None

    @property
    def is_move(self) -> bool:
        return self.kind in MOVES

    @property
    def is_automatic(self) -> bool:
        """Whether the program did it by itself, as the computer or as a tournament's director: its sources are below
        zero, where Discord has none."""
        return self.source is not None and self.source < 0

    @property
    def changes_position(self) -> bool:
        """Whether it plays a move or takes any back."""
        taken_back = self.kind is EventKind.AGREE and self.text == OfferKind.TAKEBACK
        return self.is_move or taken_back or self.kind is EventKind.TAKEBACK

    @property
    def offer(self) -> OfferKind:
        """What is offered, agreed to or declined. Raises IllegalMove."""
        word = self.text.partition(" ")[0]
        if word not in set(OfferKind):
            raise IllegalMove("bad_event")
        return OfferKind(word)

    @property
    def time(self) -> Millis:
        """The duration or the moment that is its text, or stands behind a word in it. Raises IllegalMove."""
        number = self.text.rpartition(" ")[2]
        if not (number.isascii() and number.isdigit() and len(number) <= 15):
            raise IllegalMove("bad_event")
        return Millis(int(number))


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that `seat` has offered; `agreed` are those who want it, himself among them.

    One that was declined stays until it would have lapsed, so that it is not made again at once.
    """

    kind: OfferKind
    seat: Seat
    agreed: frozenset[Seat]
    pause: Millis | None = None
    declined: bool = False
