"""Tells moves from talk in messages, of which each may be either."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.features.match.turn.point_form import MAX_MOVE
from play.refusal import Reason
from rules.game import BadNotation
from rules.notation import MAX_CHARACTERS
from rules.typed_text import plain_text, without_number

_NEARLY = re.compile(
    r"(?:[^\W\d_]{1,2}[\W_]{0,2}[\doOlI]*\d[\doOlI]*|\d[\doOlI]*[\W_]{0,2}[^\W\d_]{1,2}|\d{1,3} \d{1,3})[\W_]*"
)
_PAIR = re.compile(r"\d{1,3} \d{1,3}")
_SCORE = re.compile(r"\W*\d{1,3}\W+\d{1,3}\W*")
_TIME = re.compile(r"\W*(?:[^\W\d_]{1,2}(?=\W*\s)\W+\d{1,3}|\d{1,3}(?=\W*\s)\W+[^\W\d_]{1,2})\W*")


def is_move(read: Callable[[str], object], text: str) -> bool:
    """Returns whether `text` is meant as a move for the game that `read` reads.

    A point off the board is one, too, unless it could be a score or a time.
    """
    if not text or len(text) > MAX_MOVE:
        return False
    try:
        read(text)
    except BadNotation as error:
        return error.key == Reason.OFF_FIELD and not could_be_score(text)
    return True


def is_nearly_move(text: str) -> bool:
    """Returns whether `text` is one or two letters and a number, or two numbers, with a slip in them: `K1O`, `K12!`."""
    return len(text) <= MAX_CHARACTERS and _NEARLY.fullmatch(plain_text(text)) is not None


def could_be_talk(text: str) -> bool:
    """Returns whether a text that names a point may as well answer a player: `10:15`, `at 7`, `о 5`, `8 h`.

    Those are two numbers with a sign between them, and a letter and a number apart. `K12` and `11 12` are moves.
    """
    return could_be_score(text) or _is_short(text, _TIME)


def could_be_score(text: str) -> bool:
    """Returns whether a text is two numbers with a sign between them: a score, a time, a date or a range."""
    return _is_short(text, _SCORE) and not _is_short(text, _PAIR)


def _is_short(text: str, form: re.Pattern[str]) -> bool:
    return len(text) <= MAX_CHARACTERS and form.fullmatch(without_number(plain_text(text))) is not None
