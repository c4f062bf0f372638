"""Events, which are only ever added to the history of a match, and what follows from them: offers and notices."""

from dataclasses import dataclass
from enum import StrEnum

from play.clock.clock import ReminderStep
from play.ids import IdempotencyKey, MatchId, Millis, UserId
from rules.game import IllegalMove, Seat


class EventKind(StrEnum):
    """What happened. The comments say what the `text` of an event holds; it is empty without a comment."""

    MOVE = "move"  # the notation
    RANDOM = "random"  # the notation of the move that chance played for a player whose time was over
    PLANNED = "planned"  # the notation of a conditional move
    RESIGN = "resign"
    TIME = "time"
    ABORT = "abort"
    OFFER = "offer"  # the OfferKind; behind `pause` its length in milliseconds
    AGREE = "agree"  # the OfferKind
    DECLINE = "decline"  # the OfferKind; by the player who has offered it, the offer is taken back
    TAKEBACK = "takeback"  # at once, of the player's own last move and of the computer's replies to it
    RESUME = "resume"
    GIVE = "give"  # milliseconds, for all others
    AWAY = "away"  # the end of the vacation, in milliseconds since the epoch
    BACK = "back"
    ANNUL = "annul"
    ADJUDGE = "adjudge"  # `win` for the seat, or `draw`
    EXTEND = "extend"  # milliseconds, for the seat


MOVE_KINDS = frozenset((EventKind.MOVE, EventKind.RANDOM, EventKind.PLANNED))
"""The kinds of events that play a move."""


class OfferKind(StrEnum):
    """What a player may offer to the others. `END`: to end the game now, by its own rules for an agreed end."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    END = "end"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, to which seat and when.

    `key` names the request that caused the event, or None. `by` is the user who caused it if they have no seat. `lost`
    is the time before `at` in which the bot turned the player's move away: their clock does not charge it.
    """

    kind: EventKind
    seat: Seat
    text: str
    at: Millis
    key: IdempotencyKey | None
    by: UserId | None = None
    lost: Millis = Millis(0)  # noqa: RUF009 - a number

    @property
    def is_move(self) -> bool:
        return self.kind in MOVE_KINDS

    @property
    def is_automatic(self) -> bool:
        """Whether the program acted by itself, as the computer or as a tournament's director.

        Its own keys are below zero; the chat's never are.
        """
        return self.key is not None and self.key < 0

    @property
    def changes_position(self) -> bool:
        """Whether the event plays a move or takes moves back."""
        taken_back = self.kind is EventKind.AGREE and self.text == OfferKind.TAKEBACK
        return self.is_move or taken_back or self.kind is EventKind.TAKEBACK

    @property
    def offer(self) -> OfferKind:
        """The kind of offer that is made, agreed to or declined. Raises IllegalMove."""
        word = self.text.partition(" ")[0]
        if word not in set(OfferKind):
            raise IllegalMove("bad_event")
        return OfferKind(word)

    @property
    def time(self) -> Millis:
        """The duration or the moment in the text, after a word if there is one. Raises IllegalMove."""
        number = self.text.rpartition(" ")[2]
        if not (number.isascii() and number.isdigit() and len(number) <= 15):
            raise IllegalMove("bad_event")
        return Millis(int(number))


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer by `seat`. `agreed` are the seats that want it, including `seat` itself.

    A declined offer stays until it would have lapsed, so that it is not repeated at once.
    """

    kind: OfferKind
    seat: Seat
    agreed: frozenset[Seat]
    pause: Millis | None = None
    declined: bool = False


class NoticeKind(StrEnum):
    """`REMINDER`: the time of the player's turn runs short. `LOST`: the match has lost its channel. `NOTES`: moderators
    have taken the player's published notes off. All others are PHRASES."""

    REMINDER = "reminder"
    LOST = "lost"
    NOTES = "notes"
    HELLO = "hello"
    LUCK = "luck"
    PLAYED = "played"
    GAME = "game"
    THANKS = "thanks"
    MOMENT = "moment"
    SORRY = "sorry"
    LEAVING = "leaving"


PHRASES = tuple(kind for kind in NoticeKind if kind not in ("reminder", "lost", "notes"))
"""What a player can say to a stranger: there is no free text between them."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to one player, about the match at `version`. The channel does not see it.

    A reminder says which `steps` of the turn it is for, a phrase when it was said (`at`).
    """

    match: MatchId
    version: int
    user: UserId
    kind: NoticeKind
    steps: ReminderStep = ReminderStep(0)  # noqa: RUF009 - a number
    at: Millis | None = None
