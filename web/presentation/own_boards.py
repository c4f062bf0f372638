"""Boards of one's own on the wire, as docs/web-protocol.md has them: read from a visitor's browser, and written."""

from collections.abc import Callable
from typing import Any, Final

from play.boards.own_board import MAX_MARKS, MAX_NAME, MAX_TURNS, Origin, OwnBoard, first_position, read_marks
from play.ids import MatchId
from play.match.turn_tree import MAX_NOTE_LENGTH, TriedTurn
from play.refusal import Reason, Refused
from presentation.match.phrases import colour_name
from presentation.words.words import Words
from rules.dots import Dots
from rules.game import Point, RuleError, Seat, parse_point, point_name
from rules.registry import make_game
from web import bodies
from web.bodies import Json

MAX_KEY, MAX_OPTIONS, MAX_OPTION = 40, 30, 30_000
"""Characters of the key of rules, options of a game, and characters of one: the dots of a full field have 25,200."""

MAX_DOTS: Final = 3600
"""Dots of a set-up: a full field."""


def write_board(board: OwnBoard, words: Words) -> Json:
    """Returns a board as pages have it."""
    game = board.game
    return {
        "board": board.id or None,
        "version": board.version,
        "name": board.name,
        "rules": game.key,
        "options": dict(game.options),
        "about": f"{words(f'preset.{game.key}.name')}, {game.width}×{game.height}",
        "seats": game.seats,
        "closing": game.closing.value,
        "set": {
            "stones": [_dot(seat, point) for seat, point in game.all_first_dots],
            "areas": [_dot(seat, point) for seat, point in game.areas],
            "begins": first_position(game).to_act,
        },
        "note": board.note,
        "marks": [*board.marks],
        "next_id": board.next_id,
        "turns": [*map(tell_turn, board.turns)],
        "removed": [*map(tell_turn, board.removed)],
        "origin": board.origin,
        "match": board.match,
    }


def read_board(document: Any) -> OwnBoard:
    """Returns the board that a browser has. Takes 30 ms for the longest. Raises Refused."""
    if not isinstance(document, dict):
        raise Refused(Reason.BAD_MESSAGE)
    game = _game(document)
    first_position(game)
    turns, removed = (_turns(_list(document, name, MAX_TURNS), game) for name in ("turns", "removed"))
    numbers = [turn.id for turn in (*turns, *removed)]
    next_id = bodies.number(document, "next_id")
    if len({*numbers}) < len(numbers) or max(numbers, default=0) >= next_id:
        raise Refused(Reason.BAD_MESSAGE)
    _require_parents(turns)
    note = bodies.prose(document, "note", MAX_NOTE_LENGTH)
    marks = read_marks(_texts(document, "marks"), game)
    name = bodies.name(document, "name", MAX_NAME)
    board = OwnBoard(game, name, turns, next_id, removed, note, marks, **_origin(document))
    return board.require_room()


def read_dots(message: Json, field: str) -> tuple[tuple[Seat, Point], ...]:
    """Returns the dots of a set-up: `[[0, "K12"], ...]`. Raises Refused."""
    found = list[tuple[Seat, Point]]()
    for dot in _list(message, field, MAX_DOTS):
        if not isinstance(dot, list) or len(dot) != 2 or not isinstance(dot[1], str):
            raise Refused(Reason.BAD_MESSAGE)
        found.append((Seat(bodies.number({"seat": dot[0]}, "seat")), read_point(dot[1])))
    return tuple(found)


def colours(game: Dots, theme: str, words: Words) -> tuple[str, ...]:
    """Returns the names of the seats: those of their colours."""
    return tuple(colour_name(theme, Seat(seat), words) for seat in range(game.seats))


def read_point(name: str) -> Point:
    """Returns a crossing by its name. Raises Refused."""
    try:
        return parse_point(name)
    except RuleError as error:
        raise Refused.by_rules(error) from error


def _dot(seat: Seat, point: Point) -> list[Any]:
    return [seat, point_name(point)]


def tell_turn(turn: TriedTurn) -> Json:
    """Returns a turn as pages have it."""
    told: Json = {"id": turn.id, "parent": turn.parent, "after": 0, "seat": turn.seat, "text": turn.text}
    return told | {"note": turn.note, "marks": [*turn.marks]}


def _game(document: Json) -> Dots:
    options = document.get("options")
    if not isinstance(options, dict) or len(options) > MAX_OPTIONS:
        raise Refused(Reason.BAD_MESSAGE)
    values = {bodies.text({"key": key}, "key", MAX_KEY): bodies.text(options, key, MAX_OPTION) for key in options}
    return _make(lambda: make_game(bodies.text(document, "rules", MAX_KEY), values))


def _origin(document: Json) -> Json:
    """Returns what a board has come from; browsers may have kept one that doesn't say."""
    origin, match = document.get("origin", Origin.EMPTY), bodies.optional_number(document, "match")
    if origin not in tuple(Origin):
        raise Refused(Reason.BAD_MESSAGE)
    return {"origin": Origin(origin), "match": None if match is None else MatchId(match)}


def _make(make: Callable[[], Any]) -> Dots:
    try:
        game = make()
    except RuleError as error:
        raise Refused.by_rules(error) from error
    if not isinstance(game, Dots):
        raise Refused(Reason.NO_RECORD)
    return game


def _list(message: Json, field: str, most: int) -> list[Any]:
    found = message.get(field)
    if not isinstance(found, list) or len(found) > most:
        raise Refused(Reason.BAD_MESSAGE)
    return found


def _texts(message: Json, field: str) -> list[str]:
    return [bodies.text({"text": text}, "text", MAX_KEY) for text in _list(message, field, MAX_MARKS)]


def read_mark_texts(message: Json) -> list[str]:
    """Returns the marks that a message names. Raises Refused."""
    return _texts(message, "marks")


def _turns(rows: list[Any], game: Dots) -> tuple[TriedTurn, ...]:
    return tuple(_read_turn(row, game) for row in rows)


def _read_turn(row: Any, game: Dots) -> TriedTurn:
    if not isinstance(row, dict):
        raise Refused(Reason.BAD_MESSAGE)
    number, parent = bodies.number(row, "id"), bodies.optional_number(row, "parent")
    seat = Seat(bodies.number(row, "seat"))
    if seat >= game.seats:
        raise Refused(Reason.BAD_MESSAGE)
    try:
        text = str(game.parse(bodies.typed(row, "text", bodies.MAX_TURN)))
    except RuleError as error:
        raise Refused.by_rules(error) from error
    note = bodies.prose(row, "note", MAX_NOTE_LENGTH)
    return TriedTurn(number, parent, 0, seat, text, note, read_marks(_texts(row, "marks"), game))


def _require_parents(turns: tuple[TriedTurn, ...]) -> None:
    """Raises Refused (`bad_message`) unless each turn comes after its parent."""
    known: set[int | None] = {None}
    for turn in turns:
        if turn.parent not in known:
            raise Refused(Reason.BAD_MESSAGE)
        known.add(turn.id)
