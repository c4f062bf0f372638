"""Predictions in words: a game to predict, what was chosen, and a season's table."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from play.community.prediction import MARGINS, WEIGHTS, Foreteller, Outlook, Tally, moves_made, next_window, windows
from play.ids import UserId
from play.match.match import Match
from play.votes import has_side
from presentation.words.words import Words
from renderer.table import Line

Pair = Sequence[str]
"""The names of both players, in the order of their seats."""

MOST: Final = len(MARGINS)


def pick_text(pick: int, names: Pair, words: Words) -> str:
    """Returns a pick in a sentence: who wins, and by how many dots; or a draw."""
    return _pick_in("win", pick, names, words)


def option_text(pick: int, names: Pair, words: Words) -> str:
    """Returns a pick in a menu, which may be cut: by how many dots comes before the name of who wins."""
    return _pick_in("option", pick, names, words)


def _pick_in(form: str, pick: int, names: Pair, words: Words) -> str:
    if pick == 0:
        return words("predict.draw")
    step, name = abs(pick), names[0] if pick > 0 else names[1]
    if step == MOST:
        return words(f"predict.{form}.large", name=name, least=MARGINS[-1])
    if step == 1:
        return words(f"predict.{form}.small", name=name, most=MARGINS[1] - 1)
    return words(f"predict.{form}.between", name=name, least=MARGINS[step - 1], most=MARGINS[step] - 1)


def title_text(names: Pair, words: Words) -> str:
    """Returns who plays."""
    return words("predict.title", first=names[0], second=names[1])


def state_text(match: Match, words: Words) -> str:
    """Returns how far a game is, and until when or from when on it can be predicted."""
    made = moves_made(match)
    if (window := next((each for each in windows(match) if each.opens <= made < each.closes), None)) is not None:
        return words("predict.open", move=window.closes, made=made)
    if (later := next_window(match)) is not None:
        return words("predict.between", move=later.opens, made=made)
    return words("predict.past", made=made)


def outlook_lines(outlook: Outlook, names: Pair, words: Words) -> list[str]:
    """Returns a game as one of those who may predict it sees it; `names` are escaped."""
    match, window = outlook.match, outlook.window
    lines = [state_text(match, words)]
    if window is not None:
        own = outlook.own.get(window.number)
        if own is not None:
            lines.append(words("predict.own", pick=pick_text(own.pick, names, words)))
            if has_side(match):
                lines.append(words.markup.small(words("predict.votes")))
        obvious = pick_text(outlook.obvious, names, words)
        lines.append(words.markup.small(words("predict.obvious", pick=obvious, count=WEIGHTS[window.number])))
    closes = [each.closes for each in windows(match)]
    for number, tallies in groupby(outlook.tallies, key=lambda tally: tally.window):
        lines.append(_closed_line(closes[number], list(tallies), names, words))
        if number in outlook.own:
            lines.append(words("predict.own.closed", pick=pick_text(outlook.own[number].pick, names, words)))
    return lines


def _closed_line(move: int, tallies: Sequence[Tally], names: Pair, words: Words) -> str:
    picks = ", ".join(
        words("predict.tally", pick=pick_text(each.pick, names, words), times=each.made) for each in tallies
    )
    return words("predict.closed", move=move, picks=picks)


def table_line(each: Foreteller, name: str, number: int, reader: UserId, words: Words) -> Line:
    """Returns a line of a season's table as texts; `number` counts the lines from 1."""
    note = words("predict.right", right=each.right, made=each.made)
    fallback = words("leaders.numbered", number=number)
    return Line(each.place, name, fallback, words.number(each.points), note, own=each.user == reader)
