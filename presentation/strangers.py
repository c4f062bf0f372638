"""Searches for a stranger in words: the ways to one, how it goes on, the call and what comes of that."""

from collections.abc import Collection
from typing import Final, NamedTuple

from play.challenge.terms import Terms
from play.clock import Speed
from play.community.seek import Seek, SeekCall, SeekState
from play.ids import MINUTE, Millis
from play.match.events import NoticeKind
from presentation.match.phrases import rating_text
from presentation.terms import rules_name
from presentation.text import visible_text
from presentation.words.words import Words
from use_cases.open_seats import OpenSeat
from use_cases.seeks import Outlook

NUMBER: Final = "#"
"""The typed name of a player who would be a number to strangers."""


class Way(NamedTuple):
    """A search that may be begun: its speed, and whether it is for a game a week."""

    speed: Speed
    weekly: bool

    @property
    def key(self) -> str:
        """The key of its label."""
        return f"seek.button.{'weekly' if self.weekly else self.speed}"


WAYS: Final = (Way(Speed.LIVE, weekly=False), Way(Speed.DAYS, weekly=False), Way(Speed.DAYS, weekly=True))


def free_ways(outlooks: Collection[Outlook]) -> list[Way]:
    """Returns the searches that a player may begin beside those that go on: one a speed."""
    taken = {each.seek.speed for each in outlooks}
    return [way for way in WAYS if way.speed not in taken]


def read_alias(typed: str) -> str | None:
    """Returns the name for strangers that a player has typed: empty for a number, None for that of their account."""
    return "" if typed.strip() == NUMBER else visible_text(typed) or None


def call_text(seek: Seek, mention: str, name: str, words: Words) -> str:
    """Returns the call of the player who is mentioned to a game with a stranger by this name."""
    until = words.until(seek.call_ends, seek.met or seek.call_ends) if seek.call_ends else ""
    details = {"user": mention, "name": words.literal(name), "rules": wanted(seek, words), "when": until}
    asks = "live" if seek.call_ends else "days"
    key = "sat" if seek.ready and seek.call_ends else asks  # who has just sat down need not say that they are there
    return words(f"seek.call.{key}", **details)


def settled_text(call: SeekCall, mention: str, url: str, words: Words) -> str:
    """Returns what came of a call; `url` is the address of the game that has begun."""
    return words(f"seek.settled.{call.told}", user=mention, url=url)


def outlook_text(outlook: Outlook, words: Words) -> str:
    """Returns how a search goes on: what is looked for, how many others look as well, and how long it usually takes."""
    seek = outlook.seek
    what = words(f"seek.looking.{'weekly' if seek.weekly else seek.speed}", rules=wanted(seek, words))
    if seek.arena is not None:
        return "\n".join((what, words("arena.waiting")))
    if seek.state is SeekState.CALLED:
        return "\n".join((what, words("seek.ready" if seek.ready else "seek.found")))
    if seek.since > seek.made:
        return "\n".join((what, words("seek.rests", at=words.moment(seek.since))))
    lines = [what, words("seek.others", count=outlook.others) if outlook.others else words("seek.nobody")]
    if outlook.usually is not None:
        minutes = max(1, round(outlook.usually / MINUTE))
        lines.append(words("seek.usually", time=words.duration(Millis(minutes * MINUTE))))
    return "\n".join(lines)


def seat_text(seat: OpenSeat, name: str, words: Words) -> str:
    """Returns an open seat: its player by this name, the rating and the terms."""
    details = terms_details(seat.seek, words)
    return words("seat.line", name=words.literal(name), rating=rating_text(seat.rating), **details)


def terms_details(seek: Seek, words: Words) -> dict[str, str]:
    """Returns what one accepts who takes a search."""
    return {"rules": wanted(seek, words), "rated": words("seat.rated" if seek.terms.rated else "card.unrated")}


def phrase_text(phrase: NoticeKind, name: str, words: Words) -> str:
    """Returns what a stranger by this name says."""
    return words("seek.phrase", name=name, phrase=words(f"phrase.{phrase}"))


def wanted(seek: Seek, words: Words) -> str:
    """Returns the rules, the board and the clock that are looked for."""
    return wanted_terms(seek.terms, words)


def wanted_terms(terms: Terms, words: Words) -> str:
    """Returns the rules, the board and the clock of terms."""
    size = terms.game.options["size"].replace("x", "×")
    told = f"{rules_name(terms.game.key, terms.rule_set, words)} {size}, {words.control(terms.control)}"
    return told if terms.game.opening is None else f"{told}, {words('seek.from_position')}"
