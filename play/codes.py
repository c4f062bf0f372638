"""Codes: twelve letters that a user passes on, of which only a digest is stored."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from play.ids import Millis

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, in which no two letters look the same. Each stands for 5 bits."""

LETTERS: Final = 12
"""Letters of a code: 60 bits."""

MAX_TYPED: Final = 30
"""Characters of a code as it is typed, with blanks and hyphens."""

MAX_TRIES: Final = 5
"""Wrong letters after which a code is void. Beside the letters of its name it has 40 bits."""

_NAME: Final = 4
_GROUP: Final = 4
_LOOK_ALIKE: Final = str.maketrans({"O": "0", "I": "1", "L": "1"})


@dataclass(frozen=True, slots=True)
class Code:
    """What is stored of a code, which holds `until` then. `name` are the letters by which it is found; the others are
    not stored."""

    name: str
    digest: str
    until: Millis
    tries: int = 0

    def holds(self, now: Millis) -> bool:
        """Returns whether it can be used still."""
        return now < self.until and self.tries < MAX_TRIES

    def fits(self, letters: str) -> bool:
        """Returns whether these are its letters."""
        return self.digest == digest_of(letters)


def make_code(choose: Callable[[Sequence[str]], str]) -> str:
    """Returns a new code, of letters that `choose` draws."""
    return show_code("".join(choose(ALPHABET) for _ in range(LETTERS)))


def show_code(letters: str) -> str:
    """Returns a code as players read it."""
    return "-".join(letters[start : start + _GROUP] for start in range(0, LETTERS, _GROUP))


def read_code(typed: str) -> str | None:
    """Returns the letters of a code as a player has typed it; None if it is no code."""
    letters = "".join(letter for letter in typed.upper() if letter.isalnum()).translate(_LOOK_ALIKE)
    return letters if len(letters) == LETTERS and set(letters) <= set(ALPHABET) else None


def name_of(letters: str) -> str:
    """Returns the letters by which a code is found."""
    return letters[:_NAME]


def digest_of(letters: str) -> str:
    """Returns what is stored of a code: nobody who reads the database can use it."""
    return hashlib.sha256(letters.encode()).hexdigest()
