"""Words inside typed values, such as the *none* of a clock and the *paint* of a move, in any of the languages.

Parsers of clocks and moves know one word for each, as records have it. Players type the one that their language shows.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from presentation.words.words import languages

TIMES = ("none", "random", "max", "d", "h", "m", "s")
MOVES = ("paint", "draw")
APOSTROPHES = "’'ʼ"
"""The signs that keyboards have for the apostrophe of catalogues."""

_LETTERS = re.compile(r"[^\W\d_]+")


def typed_time(text: str) -> str:
    """Returns a typed clock, duration or night in the words that parsers read: `3д` as `3d`, `brak` as `none`."""
    return _in_english(text, TIMES)


def typed_move(text: str) -> str:
    """Returns a typed move in the words that parsers read."""
    return _in_english(text, MOVES)


def _in_english(text: str, known: Sequence[str]) -> str:
    meanings = _meanings(known)
    return _LETTERS.sub(lambda word: meanings.get(word[0].casefold(), word[0]), text)


@cache
def _meanings(known: Sequence[str]) -> dict[str, str]:
    """Returns the word that parsers know by each of those that languages have for it."""
    return meanings({word: word for word in known})


def meanings(known: Mapping[str, str]) -> dict[str, str]:
    """Returns the meaning of each word that players type, in all languages. `known` has the meanings of the lists of
    words, by what follows `typed.` in their keys."""
    return {
        word.replace("’", apostrophe): meaning
        for words in map(languages().of, languages().names)
        for key, meaning in known.items()
        for word in words(f"typed.{key}").casefold().split(",")
        for apostrophe in APOSTROPHES
    }
