"""Terms as a short code for custom ids, so that an unfinished offer is kept in its panel alone."""

from __future__ import annotations

from dataclasses import replace

from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control, parse_duration
from play.clock.agreement import NO_AGREEMENT
from play.clock.time_control import duration_text
from rules.registry import make_game

LETTERS = r"[\w|+\-/]{1,80}"
"""The pattern of a code in the template of a custom id."""

_STARTS = {
    "e": "empty",
    "c": "cross",
    "d": "double",
    "f": "four",
    "r": "random",
    "R": "random-double",
}
_ORDERS = {"d": Order.DRAWN, "f": Order.FIRST, "l": Order.LAST}
_AGREED = {"q": "quiet", "w": "weekends", "v": "vacation"}


def encode(terms: Terms) -> str:
    """Returns the code of terms, like `zagram|20x20|c12|3d|d-qv4|10m|1400-1600`.

    Its parts are rules; size; start with crosses and seats; clock; order with rating, agreement and level; time to play
    out; and window. All other options go with the rules.
    """
    options = terms.game.options
    start = next((letter for letter, start in _STARTS.items() if start == options.get("start")), "-")
    order = next(letter for letter, order in _ORDERS.items() if order is terms.order)
    agreed = "".join(letter for letter, name in _AGREED.items() if getattr(terms.agreement, name))
    level = "" if terms.level is None else str(terms.level)
    play_out = terms.agreement.play_out
    return "|".join(
        (
            terms.game.key,
            options["size"],
            f"{start}{options.get('crosses', '')}{options.get('seats', '')}",
            str(terms.control).replace(" ", ""),
            f"{order}{'r' if terms.rated else '-'}{agreed}{level}",
            "" if play_out is None else duration_text(play_out),
            f"{terms.window.least}-{terms.window.most}" if terms.window else "",
        )
    )


def decode(text: str) -> Terms:
    """Returns the terms of a code. Raises ValueError, KeyError, IndexError, Refused or RuleError for any other text."""
    key, size, start, control, order, play_out, window = text.split("|")
    options = {"size": size}
    if start != "-":
        options |= {"start": _STARTS[start[0]], "crosses": start[1], "seats": start[2:]}
    agreed = dict.fromkeys((_AGREED[letter] for letter in order[2:] if not letter.isdigit()), True)
    level = "".join(filter(str.isdigit, order))
    least, _, most = window.partition("-")
    return Terms(
        make_game(key, options),
        parse_control(control),
        _ORDERS[order[0]],
        order[1] == "r",
        Window(int(least), int(most)) if window else None,
        replace(NO_AGREEMENT, **agreed, play_out=parse_duration(play_out) if play_out else None),
        int(level) if level else None,
    )
