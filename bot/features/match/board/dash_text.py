"""Turns of Dot Dash in words."""

from __future__ import annotations

from collections.abc import Callable

from bot.i18n.words import Words
from play.match.match import Match
from rules.dash import Choice, DashPosition, Move, Opening
from rules.notation import point_name
from rules.point import Seat


def describe_turn(match: Match, name: str, words: Words, bold: str = "") -> str:
    """Returns what the player `name` did by the last turn of a match; empty in other games."""
    if not isinstance(match.position, DashPosition) or match.last_move is None:
        return ""

    def emphasised(*points: object) -> str:
        return " ".join(f"{bold}{point}{bold}" for point in points)

    turn = match.position.rules.parse(match.last_move.text)
    if isinstance(turn, Opening):
        pair, single = map(point_name, sorted(turn.pair)), point_name(turn.single)
        return words("dash.set_up", name=name, pair=emphasised(*pair), single=emphasised(single))
    if isinstance(turn, Choice):
        return words(f"dash.took.{turn.name.lower()}", name=name)
    assert isinstance(turn, Move), "there are three kinds of turns"
    start, end = map(point_name, (turn.start, turn.end))
    said = words("dash.dashed", name=name, start=emphasised(start), end=emphasised(end))
    fives = ", ".join(map(str, sorted(turn.fives)))
    return f"{said}, {words('dash.counts', fives=fives)}" if fives else said


def name_dash_turn(turn: str, words: Words) -> str:
    """Returns a turn as a sentence names it: in its notation, but for the sides."""
    if turn in set(Choice):
        return words(f"dash.side.{Choice(turn).name.lower()}")
    return turn.removeprefix("set ")


def describe_reserves(match: Match, name: Callable[[Seat], str], words: Words) -> str:
    """Returns how many stones each player has left, once the stones have owners; empty in other games."""
    position = match.position
    if not isinstance(position, DashPosition) or not position.has_sides:
        return ""
    reserves = " · ".join(f"{name(Seat(seat))} {count}" for seat, count in enumerate(position.reserves))
    return words("dash.reserves", reserves=reserves)
