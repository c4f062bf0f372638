"""Drafts of terms: what they are for, and a short code of them, so that an unfinished offer is kept in its panel alone.

A code is `KEY~DIGITS`: the key of the rules, and everything else as the bits of one number, in base 64. The codes of
earlier releases (`KEY|SIZE|...`) hang on old messages and are read as well.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, NamedTuple, Self

from bot.interactions.context import Context
from bot.interactions.layout import Part
from opponent.choice import LEVELS
from play.challenge.terms import Order, Terms, Window
from play.clock import Blitz, Fischer, PerMove, Reserve, TimeControl, Untimed, parse_control, parse_duration
from play.clock.agreement import NO_AGREEMENT, TimeAgreement, parse_play_out, play_out_text
from play.ids import Millis, UserId
from play.refusal import Reason, Refused
from rules.dots.options import CHOICES
from rules.registry import GAMES, make_game

_OPTIONS: Final[Mapping[str, Sequence[str]]] = {"variant": ("base", "frozen", "sacrifice"), **CHOICES}
"""The values of the options whose bits hold an index. Only ever added to at the end."""

_SIDE, _ORDER, _FLAG, _LEVEL, _WIN, _RATING, _SECONDS, _KIND, _OPTION = 6, 2, 1, 4, 11, 14, 22, 3, 4
"""Bits of a number: a side, an order, a switch, a level, twice the dots of a win, a rating, 30 days in seconds, a kind
of clock, and an option. An option is 0 where the code is older than the option: it goes with the rules then."""

_WIDTHS: Final = (
    *(_SIDE, _SIDE, _WIN, _ORDER, _FLAG, _FLAG, _FLAG, _FLAG, _LEVEL, _FLAG, _RATING, _RATING),
    *(_SECONDS, _KIND, _SECONDS, _SECONDS, _SECONDS),
    *[_OPTION] * len(_OPTIONS),
)
_ORDERS: Final = (Order.DRAWN, Order.FIRST, Order.LAST)

_OLD_STARTS: Final = {
    "e": "empty",
    "c": "cross",
    "d": "double",
    "f": "four",
    "r": "random",
    "R": "random-double",
}
_OLD_ORDERS: Final = {"d": Order.DRAWN, "f": Order.FIRST, "l": Order.LAST}
_OLD_AGREED: Final = {"q": "quiet", "w": "weekends", "v": "vacation"}


class TermsBasis(NamedTuple):
    """The terms that a draft is compared with, if there are any, whose they are, and how many seats they must have.
    They say who begins if they are `ordered`. `opponent` is the other player, if one is known."""

    terms: Terms | None
    challenger: UserId
    seats: int | None = None
    ordered: bool = True
    opponent: UserId | None = None


class TermsTarget:
    """The base of what the terms of a panel are for. `kind` names its words; its text is part of custom ids."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[TermsTarget]]] = {}
    """All of them, which the features above this one have defined."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            cls.kinds[cls.kind] = cls

    @classmethod
    def read(cls, text: str) -> TermsTarget | None:
        """Returns the target that `text` names, if it is of this kind."""
        raise NotImplementedError

    async def basis(self, ctx: Context) -> TermsBasis:
        """Returns the terms with which a draft is compared. Raises Refused."""
        raise NotImplementedError

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        """Saves the terms, and returns what the panel shows then. Raises Refused."""
        raise NotImplementedError

    async def own_parts(self, ctx: Context, draft: Terms) -> list[Part]:
        """Returns the parts of the panel's first page that only this kind of target has."""
        return []

    async def refresh(self, ctx: Context) -> TermsTarget:
        """Returns the target as it is now: itself, unless its text names a state. Raises Refused."""
        return self


class DefaultTermsTarget(TermsTarget):
    """The common part of the targets of which there is one of each kind: their text is the kind."""

    def __str__(self) -> str:
        return self.kind

    @classmethod
    def read(cls, text: str) -> Self | None:
        return cls() if text == cls.kind else None

    async def present(self, ctx: Context) -> Terms:
        """Returns the terms with which the panel opens. Raises Refused."""
        terms = (await self.basis(ctx)).terms
        assert terms is not None, "defaults are there"
        return terms


def read_target(text: str) -> TermsTarget:
    """Returns the target in a custom id. Raises Refused (`old_button`)."""
    for kind in TermsTarget.kinds.values():
        if target := kind.read(text):
            return target
    raise Refused(Reason.OLD_BUTTON)


def encode(terms: Terms) -> str:
    """Returns the code of terms. The set-up that chance has drawn for a match is no part of them."""
    number = offset = 0
    for value, width in zip(_numbers(terms), _WIDTHS, strict=True):
        assert 0 <= value < 1 << width, "no terms have a number as large"
        number |= value << offset
        offset += width
    packed = number.to_bytes((number.bit_length() + 7) // 8, "little")
    return f"{terms.game.key}~{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def decode(text: str) -> Terms:
    """Returns the terms of a code. Raises ValueError, KeyError, IndexError, Refused or RuleError for any other text."""
    if "|" in text:
        return _decode_old(text)
    key, letters = text.split("~")
    packed = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
    number = int.from_bytes(packed, "little")
    values = []
    for width in _WIDTHS:
        values.append(number % (1 << width))
        number >>= width
    if number:
        raise ValueError("more bits than terms have")
    return _terms(key, values)


def _numbers(terms: Terms) -> Iterator[int]:
    """Yields the numbers in the order of `_WIDTHS`."""
    options, agreement, window = terms.game.options, terms.agreement, terms.window or Window(0, 0)
    yield from (int(side) for side in options["size"].split("x"))
    dots, _, ahead = options.get("win", "none").partition(" ")
    yield int(dots) * 2 + (ahead == "ahead") if ahead else 0
    yield _ORDERS.index(terms.order)
    yield from (terms.rated, agreement.quiet, agreement.weekends, agreement.vacation)
    yield terms.level or 0
    yield from (terms.window is not None, window.least, window.most)
    yield 0 if agreement.play_out is None else 1 + _seconds(agreement.play_out)
    yield from _clock_numbers(terms.control)
    for option, values in _OPTIONS.items():
        yield 1 + values.index(options[option]) if option in options else 0


def _terms(key: str, numbers: Sequence[int]) -> Terms:
    width, height, win, order, rated, quiet, weekends, vacation, level, limited, least, most, play_out = numbers[:13]
    kind, *times = numbers[13:17]
    options = {"size": f"{width}x{height}"}
    if "win" in GAMES[key].options:
        options["win"] = f"{win // 2} {'ahead' if win % 2 else 'captured'}" if win else "none"
    for (option, values), number in zip(_OPTIONS.items(), numbers[17:], strict=True):
        if number:
            options[option] = values[number - 1]
    return Terms(
        make_game(key, options),
        parse_control(str(_clock(kind, *(Millis(1000 * time) for time in times)))),
        _ORDERS[order],
        bool(rated),
        Window(least, most) if limited else None,
        TimeAgreement(
            bool(quiet),
            bool(weekends),
            bool(vacation),
            play_out=parse_play_out(play_out_text(Millis(1000 * (play_out - 1)))) if play_out else None,
        ),
        LEVELS[level - 1].number if level else None,
    )


def _seconds(time: Millis | None) -> int:
    return (time or 0) // 1000


def _clock_numbers(control: TimeControl) -> tuple[int, int, int, int]:
    match control:
        case PerMove(allowance):
            return 1, _seconds(allowance), 0, 0
        case Fischer(initial, increment, cap):
            return 2, _seconds(initial), _seconds(increment), _seconds(cap)
        case Reserve(reserve, free):
            return 3, _seconds(reserve), _seconds(free), 0
        case Blitz(allowance):
            return 4, _seconds(allowance), 0, 0
        case _:
            return 0, 0, 0, 0


def _clock(kind: int, first: Millis, second: Millis, third: Millis) -> TimeControl:
    match kind:
        case 1:
            return PerMove(first)
        case 2:
            return Fischer(first, second, third or None)
        case 3:
            return Reserve(first, second)
        case 4:
            return Blitz(first)
        case 0:
            return Untimed()
    raise ValueError("no such clock")


def _decode_old(text: str) -> Terms:
    """Reads `zagram|20x20|c12|3d|d-qv4|10m|1400-1600`: rules; size; start with crosses and seats; clock; order with
    rating, agreement and level; time to play out; and window. All other options go with the rules."""
    key, size, start, control, order, play_out, window = text.split("|")
    options = {"size": size}
    if start != "-":
        options |= {"start": _OLD_STARTS[start[0]], "crosses": start[1], "seats": start[2:]}
    agreed = dict.fromkeys((_OLD_AGREED[letter] for letter in order[2:] if not letter.isdigit()), True)
    level = "".join(filter(str.isdigit, order))
    least, _, most = window.partition("-")
    return Terms(
        make_game(key, options),
        parse_control(control),
        _OLD_ORDERS[order[0]],
        order[1] == "r",
        Window(int(least), int(most)) if window else None,
        replace(NO_AGREEMENT, **agreed, play_out=parse_duration(play_out) if play_out else None),
        int(level) if level else None,
    )
