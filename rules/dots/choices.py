"""What can be chosen for each option of Dots, and what else has to change for a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rules.dots.options import MAX_CROSSES, Closing, Ending, Links, Measure, Scoring, Setup
from rules.game import AnyGame, BadOption

SWITCH: Final = ("off", "on")

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
}
"""The values of each option that has a list of them. `size` and `win` have numbers instead.

Options and values are only ever added at the end: codes in old messages count in this order.
"""

_REMEDIES: Final[Mapping[str, Sequence[Mapping[str, str]]]] = {
    "crosses_need_two": ({"start": "empty"}, {"seats": "2"}),
    "crosses_need_random": ({"start": "random"}, {"crosses": "1"}),
    "no_room_for_crosses": ({"crosses": "1"}, {"start": "empty", "crosses": "1"}),
    "no_room_for_cross": ({"start": "empty"},),
    "drawn_needs_two": ({"closing": "automatic"}, {"seats": "2"}),
    "stop_needs_two": ({"ending": "full"}, {"seats": "2"}),
    "landing_needs_two": ({"landing": "off"}, {"seats": "2"}),
    "territory_needs_two": ({"scoring": "dots"}, {"seats": "2"}),
    "territory_needs_painted": ({"closing": "painted"}, {"scoring": "dots"}),
    "length_needs_automatic": ({"closing": "automatic"}, {"chain": "area"}),
    "play_out_needs_automatic": ({"closing": "automatic"}, {"ending": "full"}),
    "far_needs_drawn": ({"closing": "drawn"}, {"links": "near"}),
    "far_never_stops": ({"ending": "full", "landing": "off"}, {"links": "near"}),
}
"""For each reason why options make no game together, the changes that put it right, the better one first."""


def fit(game: AnyGame, wanted: Mapping[str, str]) -> AnyGame:
    """Returns the game with the wanted options, and with the other options changed as far as they do not go with them.

    Raises BadOption if the wanted options do not go together, or one of them is none.
    """
    changes = dict(wanted)
    while True:
        try:
            return game.with_options(changes)
        except BadOption as error:
            remedies = (each for each in _REMEDIES.get(error.key, ()) if changes.keys().isdisjoint(each))
            if (remedy := next(remedies, None)) is None:
                raise
            changes |= remedy
