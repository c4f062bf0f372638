"""The changes of other options that an option needs to fit."""

from collections.abc import Mapping, Sequence
from typing import Final

from rules.dots.options import CHOICES
from rules.game import AnyGame, BadOption
from rules.registry import with_seats

_REMEDIES: Final[Mapping[str, Sequence[Mapping[str, str]]]] = {
    "crosses_need_two": ({"seats": "2"},),
    "crosses_need_random": ({"start": "random"}, {"crosses": "1"}),
    "no_room_for_crosses": ({"crosses": "1"}, {"start": "empty", "crosses": "1"}),
    "no_room_for_cross": ({"start": "empty"},),
    "drawn_needs_two": ({"seats": "2"},),
    "stop_needs_two": ({"seats": "2"},),
    "landing_needs_two": ({"seats": "2"},),
    "territory_needs_two": ({"seats": "2"},),
    "territory_needs_painted": ({"closing": "painted"}, {"scoring": "dots"}),
    "territory_never_lands": ({"landing": "off"}, {"scoring": "dots"}),
    "handicap_needs_two": ({"seats": "2"}, {"handicap": "0", "komi": "0"}),
    "no_room_for_handicap": ({"handicap": "0"},),
    "length_never_drawn": ({"chain": "area"}, {"closing": "automatic"}),
    "reuse_needs_drawn": ({"closing": "drawn"}, {"reuse": "one"}),
    "play_out_needs_automatic": ({"closing": "automatic"}, {"ending": "full"}),
    "far_needs_drawn": ({"closing": "drawn"}, {"links": "near"}),
    "far_never_stops": ({"ending": "full", "landing": "off"}, {"links": "near"}),
}
"""For each reason why options do not fit together, the changes that solve it, the better one first."""


def fit(game: AnyGame, wanted: Mapping[str, str]) -> AnyGame:
    """Returns the game with the wanted options, and changes other options that do not fit them.

    Raises BadOption if the wanted options do not fit together, or one of them is unknown.
    """
    if wanted.get("seats") in CHOICES["seats"]:
        game = with_seats(game, int(wanted["seats"]))
    changes = dict(wanted)
    while True:
        try:
            return game.with_options(changes)
        except BadOption as error:
            remedies = (each for each in _REMEDIES.get(error.key, ()) if changes.keys().isdisjoint(each))
            if (remedy := next(remedies, None)) is None:
                raise
            changes |= remedy
