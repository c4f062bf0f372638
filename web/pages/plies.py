"""All positions of a game on the wire: the first picture, then what each move changes in it.

`{"theme":THEME,"dark":THEME|null,"coordinates":…,"first":PICTURE,"plies":[PLY,…],"scores":[[points by seat],…]}` with
THEME and PICTURE as in docs/web-protocol.md. A PLY has for each field that changes its new value, null for one that is
gone, or for a list `{"out":[indices],"in":[[index,item],…]}`: the items that go, by their places before, then those
that come, by their places after. web/static/pages/plies.js reads it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from renderer.theme import PAPER, THEMES
from rules.notation import column_name
from rules.picture import Picture
from web.boards import known_theme, theme_json
from web.live.pictures import picture_json

Json = dict[str, Any]


def encode_plies(pictures: Sequence[Picture], scores: Sequence[Sequence[float]], theme: str) -> bytes:
    """Returns the positions of a game, from the first to the last."""
    plain = [*map(picture_json, pictures)]
    first = pictures[0]
    found = {
        "theme": theme_json(theme),
        "dark": theme_json("dark") if THEMES[known_theme(theme)] is PAPER else None,
        "coordinates": {
            "columns": [column_name(x) for x in range(first.width)],
            "rows": [str(y + 1) for y in range(first.height)],
        },
        "first": plain[0],
        "plies": [_changes(before, after) for before, after in pairwise(plain)],
        "scores": scores,
    }
    return json.dumps(found, separators=(",", ":")).encode()


def _changes(before: Json, after: Json) -> Json:
    found: Json = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        if name not in before or not isinstance(value, list):
            if before.get(name) != value:
                found[name] = value
        elif before[name] != value:
            found[name] = _edit(before[name], value)
    return found


def _edit(before: list[Any], after: list[Any]) -> Json | list[Any]:
    """Returns the edit that makes one list of another, or the list itself where items have changed their order."""
    old, new = [*map(json.dumps, before)], [*map(json.dumps, after)]
    stay = set(old) & set(new)
    if [each for each in old if each in stay] != [each for each in new if each in stay]:
        return after
    return {
        "out": [place for place, item in enumerate(old) if item not in stay],
        "in": [[place, after[place]] for place, item in enumerate(new) if item not in stay],
    }
