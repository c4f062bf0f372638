"""The options of Dots (docs/rules-reference.md, Options), with the words in which each is stored, and values to
choose from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.game import BadOption

MAX_CROSSES = 8
MAX_WIN_DOTS = 999
MAX_HANDICAP = 8
KOMI = (*("0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4.5", "5.5"), *("6.5", "8.5", "10.5", "12.5", "15.5"))
"""The values of komi. A code of terms has room for 15."""

_WIN = re.compile(r"([1-9]\d{0,2})\s*(captured|ahead)")

SWITCH: Final = ("off", "on")


class Setup(StrEnum):
    """The dots on the field before the first move (docs/rules-reference.md, Starts)."""

    EMPTY = "empty"
    CROSS = "cross"
    DOUBLE = "double"
    FOUR = "four"
    RANDOM = "random"
    RANDOM_DOUBLE = "random-double"
    STONES = "stones"
    """The set-up of a record: the dots of `DotsRules.stones`."""


class Closing(StrEnum):
    """The way in which bases are made (docs/rules-reference.md, Closing)."""

    AUTOMATIC = "automatic"
    PAINTED = "painted"
    DRAWN = "drawn"


class Measure(StrEnum):
    """The measure by which a chain round an area is the smallest."""

    AREA = "area"
    LENGTH = "length"


class Links(StrEnum):
    """The greatest distance between the neighbours of a drawn chain (docs/rules-reference.md, Far links)."""

    NEAR = "near"
    FAR = "far"


class Reuse(StrEnum):
    """How many dots a drawn boundary may share with older ones inside it (docs/rules-reference.md, Drawn closing)."""

    ONE = "one"
    NONE = "none"
    ANY = "any"


class Scoring(StrEnum):
    """The unit of the score (docs/rules-reference.md, Scoring)."""

    DOTS = "dots"
    TERRITORY = "territory"
    EVERYTHING = "everything"


class Ending(StrEnum):
    """The effect of STOP (docs/rules-reference.md, Ending early); under `full` there is none."""

    FULL = "full"
    GROUND = "ground"
    PLAY_OUT = "play-out"


@dataclass(frozen=True, slots=True)
class Win:
    """An instant win: so many dots captured, or (`ahead`) a lead of so many. Written `5 captured`."""

    dots: int
    ahead: bool = False

    def __str__(self) -> str:
        return f"{self.dots} {'ahead' if self.ahead else 'captured'}"


def parse_win(text: str) -> Win | None:
    """Returns the instant win that `text` names, or None for `none`. Raises BadOption (`bad_win`)."""
    plain = text.strip().lower()
    if plain == "none":
        return None
    if match := _WIN.fullmatch(plain):
        return Win(int(match[1]), match[2] == "ahead")
    raise BadOption("bad_win", most=MAX_WIN_DOTS)


def parse_komi(text: str) -> float:
    """Returns the points that `text` names. Raises BadOption (`bad_komi`)."""
    plain = text.strip().replace(",", ".")
    if plain not in KOMI:
        raise BadOption("bad_komi", choices=", ".join(KOMI))
    return float(plain)


def parse_switch(text: str) -> bool:
    """Reads `on` or `off`. Raises BadOption (`bad_switch`)."""
    plain = text.strip().lower()
    if plain not in ("on", "off"):
        raise BadOption("bad_switch")
    return plain == "on"


CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "start": tuple(setup for setup in Setup if setup is not Setup.STONES),
    "crosses": tuple(str(count) for count in range(1, MAX_CROSSES + 1)),
    "seats": ("2", "3", "4"),
    "closing": tuple(Closing),
    "chain": tuple(Measure),
    "links": tuple(Links),
    "scoring": tuple(Scoring),
    "ending": tuple(Ending),
    "landing": SWITCH,
    "extra-move": SWITCH,
    "reuse": tuple(Reuse),
    "handicap": tuple(str(count) for count in range(MAX_HANDICAP + 1)),
    "komi": KOMI,
}
"""The values of each option that has a list of them. `size` and `win` have numbers instead.

Options and values are only ever added at the end: codes in old messages count in this order.
"""
