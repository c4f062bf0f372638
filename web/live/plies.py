"""All positions of a game: the first one as a picture, and of each further one what has changed."""

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from opponent.review import name_of, replay_positions
from play.match.endings import STOP, STOP_WAITING
from presentation.match.narration import CALLS
from rules.game import AnyGame, Picture, column_name
from web.boards import themes_json
from web.live.pictures import is_absent, picture_json, plain

Json = dict[str, Any]
Items = Sequence[Any]

MIN_EDITED = 4
"""Items of a list that is sent by its changes; shorter ones are sent whole."""


def encode_plies(pictures: Sequence[Picture], scores: Sequence[Sequence[float]], theme: str) -> bytes:
    """Returns the positions of a game, from the first to the last."""
    first = pictures[0]
    found = {
        **themes_json(theme),
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


class Plies(NamedTuple):
    """All positions of a game as its page reads them, and their scores."""

    data: bytes
    scores: tuple[tuple[float, ...], ...]


def replay(game: AnyGame, seed: int, moves: tuple[str, ...], score: tuple[float, ...], theme: str) -> Plies:
    """Returns all positions of a game, with the scores; `score` is that of its end."""
    positions = replay_positions(game, seed, moves)
    scores = (*(position.score for position in positions[:-1]), score)
    return Plies(encode_plies([position.picture() for position in positions], scores, theme), scores)


def move_name(game: AnyGame, text: str) -> str:
    """Returns the name of a move: its dot, where it is one."""
    call = STOP if text == STOP_WAITING else text
    return call.upper() if call in CALLS else name_of(game, text)
