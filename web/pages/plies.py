"""All positions of a game on the wire: the first picture, then what each move changes in it.

`{"theme":THEME,"dark":THEME|null,"coordinates":…,"first":PICTURE,"plies":[PLY,…],"scores":[[points by seat],…]}` with
THEME and PICTURE as in docs/web-protocol.md. A PLY has for each field that changes its new value, null for one that is
gone, or for a list `{"out":[places],"in":[[place,item],…]}`: the items that go, by their places before, then those
that come, by their places after. web/static/pages/plies.js reads it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise, takewhile
from typing import Any

from renderer.theme import PAPER, THEMES
from rules.notation import column_name
from rules.picture import Picture
from web.boards import known_theme, theme_json
from web.live.pictures import is_absent, picture_json, plain

Json = dict[str, Any]
Items = Sequence[Any]

MIN_EDITED = 4
"""Items of a list that is sent by its changes; shorter ones are sent whole."""


def encode_plies(pictures: Sequence[Picture], scores: Sequence[Sequence[float]], theme: str) -> bytes:
    """Returns the positions of a game, from the first to the last."""
    first = pictures[0]
    found = {
        "theme": theme_json(theme),
        "dark": theme_json("dark") if THEMES[known_theme(theme)] is PAPER else None,
        "coordinates": {
            "columns": [column_name(x) for x in range(first.width)],
            "rows": [str(y + 1) for y in range(first.height)],
        },
        "first": picture_json(first),
        "plies": [_changes(before, after) for before, after in pairwise(pictures)],
        "scores": scores,
    }
    return json.dumps(found, separators=(",", ":")).encode()


def _changes(before: Picture, after: Picture) -> Json:
    found: Json = {}
    for field in fields(Picture):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old != new:
            edited = isinstance(new, tuple) and len(new) >= MIN_EDITED and bool(old)
            found[field.name] = None if is_absent(new) else _edit(old, new) if edited else plain(new)
    return found


def _edit(old: Items, new: Items) -> Any:
    """Returns the edit that makes one list of another, or the list itself where items have changed their order."""
    begin = _same(old, new)
    end = _same(old[:begin:-1], new[:begin:-1])
    going, coming = old[begin : len(old) - end], new[begin : len(new) - end]
    stay = {*going} & {*coming}
    if [each for each in going if each in stay] != [each for each in coming if each in stay]:
        return plain(new)
    return {
        "out": [place for place, item in enumerate(going, begin) if item not in stay],
        "in": [[place, plain(item)] for place, item in enumerate(coming, begin) if item not in stay],
    }


def _same(old: Items, new: Items) -> int:
    """Returns how many items two lists begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
