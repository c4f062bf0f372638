"""The options of Dots (RULES section 2), each with the words in which it is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from rules.game import BadOption

MAX_CROSSES = 8
MAX_WIN_DOTS = 999


class Setup(StrEnum):
    """What lies on the field before the first move (RULES section 3)."""

    EMPTY = "empty"
    CROSS = "cross"
    DOUBLE = "double"
    FOUR = "four"
    RANDOM = "random"
    RANDOM_DOUBLE = "random-double"
    STONES = "stones"
    """That of a record: the dots of `Dots.stones`."""


class Closing(StrEnum):
    """How bases come about (RULES section 4)."""

    AUTOMATIC = "automatic"
    PAINTED = "painted"
    DRAWN = "drawn"


class Measure(StrEnum):
    """What the smallest chain round an area is smallest by."""

    AREA = "area"
    LENGTH = "length"


class Links(StrEnum):
    """How far apart the neighbours of a drawn chain may be (RULES section 5)."""

    NEAR = "near"
    FAR = "far"


class Scoring(StrEnum):
    """What counts (RULES section 6)."""

    DOTS = "dots"
    TERRITORY = "territory"
    EVERYTHING = "everything"


class Ending(StrEnum):
    """What STOP does (RULES section 7); under `full` there is none."""

    FULL = "full"
    GROUND = "ground"
    PLAY_OUT = "play-out"


_WIN = re.compile(r"([1-9]\d{0,2})\s*(captured|ahead)")


@dataclass(frozen=True, slots=True)
class Win:
    """Whoever has captured so many dots wins at once, or (`ahead`) whoever leads by so many. Written `5 captured`."""

    dots: int
    ahead: bool = False

    def __str__(self) -> str:
        return f"{self.dots} {'ahead' if self.ahead else 'captured'}"


def parse_win(text: str) -> Win | None:
    """The instant win that `text` names, or None for `none`. Raises BadOption (`bad_win`)."""
    plain = text.strip().lower()
    if plain == "none":
        return None
    if match := _WIN.fullmatch(plain):
        return Win(int(match[1]), match[2] == "ahead")
    raise BadOption("bad_win", most=MAX_WIN_DOTS)


def parse_switch(text: str) -> bool:
    """`on` or `off`. Raises BadOption (`bad_switch`)."""
    plain = text.strip().lower()
    if plain not in ("on", "off"):
        raise BadOption("bad_switch")
    return plain == "on"
