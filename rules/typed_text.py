"""Typed texts without the characters that nobody sees, those that only format, and the number before a move."""

import re
import unicodedata
from functools import lru_cache

_MARKS = str.maketrans(dict.fromkeys("`*_~", " "))
"""Signs of chats for code, bold, italic and crossed out. Bars hide a whole text, and part the stones of Dot Dash."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look like a space."""

_UNSEEN = frozenset(map(chr, (0x034F, *range(0xFE00, 0xFE10))))
"""Characters that join others or choose how they look; Unicode has a category for all else that nobody sees."""

_OTHER_SHAPES = ("<wide>", "<narrow>", "<font>")
"""Unicode's tags of letters and digits that only look different. Fractions, powers and circled digits mean more."""

_NUMBER = re.compile(r"\d{1,4} ?(?:\.{1,3}|…|[:)]) ?(?=[^\W\d_]{3}|[^\W\d_]{1,2}\W{0,3}\d)")
"""The number before a move whose column comes first. `8:30 h` is a time, and `12. K` a row and a column."""


def plain_text(text: str) -> str:
    """Returns a typed text with single spaces, without invisible characters and marks of chats.

    Wide letters, and digits of any script, become those of ASCII; what they mean stays. It takes linear time.
    """
    if not text.isascii():
        text = "".join(map(_plain_character, text))
    return " ".join(text.translate(_MARKS).split()).strip("| ")


def without_number(plain: str) -> str:
    """Returns a plain text without the number of the move that it names: `E9` for `1. E9`, `12) E9` and `3... E9`."""
    number = _NUMBER.match(plain)
    return plain[number.end() :] if number else plain


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character in _BLANKS:
        return " "
    category = unicodedata.category(character)
    if category == "Cf" or character in _UNSEEN:
        return ""
    if category == "Nd":
        return str(unicodedata.digit(character))
    if unicodedata.decomposition(character).startswith(_OTHER_SHAPES):
        return unicodedata.normalize("NFKC", character)
    return character
