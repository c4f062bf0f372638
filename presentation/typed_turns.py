"""Moves that players type: which text is one, what it says in the notation of its game, and what has to be asked first.

A message may be a move or talk. Each of the two looks like the other now and then.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from play.ids import IdempotencyKey, Millis, UserId
from play.match import moves
from play.match.endings import STOP, STOP_WAITING
from play.match.match import Match
from play.refusal import Reason, Refused
from play.turns import CHOSEN, MAX_CODE, choose_closings, chooses_closings, encode, leaves_choice, step_at
from presentation.match.narration import CALLS, Duty
from presentation.typed import meanings, typed_move
from presentation.words.words import Words
from rules.dash import Choice, DashPosition, Phase
from rules.dash.turn import POINT, plain_turn
from rules.game import MAX_CHARACTERS, BadNotation, Point, RuleError, parse_point, point_name
from rules.typed_text import plain_text, without_number

_BEGUN = re.compile(rf"(?=.)(?:set)?(?: ?({POINT}))?(?:[ ,;+&]*({POINT}))?")
_STONE = re.compile(POINT)
OWN_COLOURS = ("notebook",)
"""Themes in which blue is another player's colour than on boards in channels. Their readers name the stones."""

_MARKS = ".,!?;:()«»„“”\"'\ufe0f"
"""Characters around a word that mean nothing, and what makes an emoji of a letter."""

NOT_THEIRS = (Reason.NOT_YOUR_TURN, Reason.NOT_YOUR_MATCH, Reason.MATCH_OVER)
"""Why it isn't on the author of a line to move."""

MAX_MOVE = 1000
"""Characters of a typed move: it may name areas to paint and chains to draw, dot by dot."""

_NEARLY = re.compile(
    r"(?:[^\W\d_]{1,2}[\W_]{0,2}[\doOlI]*\d[\doOlI]*|\d[\doOlI]*[\W_]{0,2}[^\W\d_]{1,2}|\d{1,3} \d{1,3})[\W_]*"
)
_PAIR = re.compile(r"\d{1,3} \d{1,3}")
_SCORE = re.compile(r"\W*\d{1,3}\W+\d{1,3}\W*")
_TIME = re.compile(r"\W*(?:[^\W\d_]{1,2}(?=\W*[\s/])\W+\d{1,3}|\d{1,3}(?=\W*[\s/])\W+[^\W\d_]{1,2})\W*")


def is_move(read: Callable[[str], object], text: str) -> bool:
    """Returns whether `text` is meant as a move for the game that `read` reads.

    A point off the board is one, too, unless it could be a score or a time.
    """
    if not text or len(text) > MAX_MOVE:
        return False
    try:
        read(text)
    except BadNotation as error:
        return error.key == Reason.OFF_FIELD and not could_be_score(text)
    return True


def is_nearly_move(text: str) -> bool:
    """Returns whether `text` is one or two letters and a number, or two numbers, with a slip in them: `K1O`, `K12!`."""
    return len(text) <= MAX_CHARACTERS and _NEARLY.fullmatch(plain_text(text)) is not None


def could_be_talk(text: str) -> bool:
    """Returns whether a text that names a point may as well answer a player: `10:15`, `at 7`, `о 5`, `8 h`.

    Those are two numbers with a sign between them, and a letter and a number apart. `K12` and `11 12` are moves.
    """
    return could_be_score(text) or _is_short(text, _TIME)


def could_be_score(text: str) -> bool:
    """Returns whether a text is two numbers with a sign between them: a score, a time, a date or a range."""
    return _is_short(text, _SCORE) and not _is_short(text, _PAIR)


def tells_score(refused: Refused, text: str) -> bool:
    """Returns whether a line that was refused as a move is a score: it isn't on its author to move."""
    return refused.key in NOT_THEIRS and could_be_score(text)


def _is_short(text: str, form: re.Pattern[str]) -> bool:
    return len(text) <= MAX_CHARACTERS and form.fullmatch(without_number(plain_text(text))) is not None


def read_code(match: Match, typed: str, theme: str = "") -> str:
    """Returns what a player typed if it is a turn; in Dot Dash in its notation, or as the code of a turn that is begun.

    `theme` tells what names of colours mean. Raises BadNotation.
    """
    position = match.position
    if isinstance(position, DashPosition):
        return _read_dash(position, typed, theme)
    code = typed_move(typed)
    match.game.parse(code)
    return code


def _read_dash(position: DashPosition, text: str, theme: str) -> str:
    """Returns the code of the step that a text leads to: that of a whole turn, or how far a turn is.

    Raises BadNotation: a text that is no turn is refused with what is due in this phase.
    """
    plain = plain_turn(text)
    if position.phase is Phase.CHOICE and (side := _side(plain, theme)):
        return side.value
    if position.phase is Phase.SET_UP and (begun := _BEGUN.fullmatch(plain)):
        return " ".join(("set", *_names(position, filter(None, begun.groups()))))
    if position.phase is Phase.DASH and _STONE.fullmatch(plain):
        return _names(position, [plain])[0]
    try:
        return str(position.rules.parse(text))
    except BadNotation as error:
        if error.key == "no_turn" and position.phase is not Phase.DASH:
            raise BadNotation(f"{position.phase}_due") from error
        raise


def _names(position: DashPosition, typed: Iterable[str]) -> list[str]:
    """Returns the names of crossings on the field, each named once. Raises BadNotation."""
    points = [parse_point(each) for each in typed]
    if len(set(points)) < len(points):
        raise BadNotation("same_crossing")
    if any(max(point) >= position.rules.size for point in points):
        raise BadNotation("off_field", **position.rules.edges)
    return [*map(point_name, points)]


def _side(plain: str, theme: str) -> Choice | None:
    """Returns the side that a text names, with nothing else in it but words that go with one."""
    known = _known_words(reads_colours=theme not in OWN_COLOURS)
    chosen = [known.get(word.strip(_MARKS)) for word in plain.split()]
    sides = {meaning for meaning in chosen if meaning}
    return Choice(sides.pop()) if len(sides) == 1 and None not in chosen else None


@cache
def _known_words(*, reads_colours: bool) -> dict[str, str]:
    """Returns the words with which players take a side, in all languages: a side each, or empty for one between."""
    known = {"take": "", "single": Choice.SINGLE, "pair": Choice.PAIR}
    if reads_colours:
        known |= {"colour.0": Choice.PAIR, "colour.1": Choice.SINGLE}
    return meanings(known)


def read_crossing(typed: str) -> str:
    """Returns the name of the crossing that a field names in any notation; another text as it is."""
    with suppress(BadNotation):
        return point_name(parse_point(typed))
    return typed


def read_turn(match: Match, account: UserId, text: str, theme: str) -> str:
    """Returns the turn that the player to act has typed, as its game writes it, or the code of one that is begun.

    Raises Refused, also where it is not the turn of the `account`.
    """
    if moves.acting_seat(match, account) != match.to_act:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
    try:
        return read_code(match, text, theme)
    except RuleError as error:
        raise Refused.by_rules(error) from error


def parse_call(match: Match, text: str) -> str | None:
    """Returns the call that `text` is, as a turn is written; None for any other text."""
    try:
        turn = str(match.game.parse(text))
    except BadNotation:
        return None
    if turn == STOP_WAITING:
        return STOP
    return turn if turn in CALLS else None


async def encode_for_confirmation(
    match: Match, account: UserId, text: str, at: Millis, key: IdempotencyKey, *, confirms: bool, most: int = MAX_CODE
) -> str | None:
    """Returns the code of a turn that its player has to look at before it counts; None for one that counts at once.

    `confirms` says that they look at all of them. What is left to choose in Dot Dash is always asked. A turn too long
    for a button, of more than `most` characters, counts at once, since nobody types that much by mistake. Raises
    Refused for one that cannot be played.
    """
    try:
        if Duty.of(match).is_dash and await asyncio.to_thread(leaves_choice, match, text):
            return text
    except RuleError as error:
        raise Refused.by_rules(error) from error
    if not confirms and not chooses_closings(match):
        return None
    moves.move(match, account, text, at, key)
    return await asyncio.to_thread(_encode, match, text, confirms, most)


def _encode(match: Match, text: str, confirms: bool, most: int) -> str | None:
    code = encode(match, text, most)
    if code and choose_closings(match, text):
        return code + CHOSEN
    return code if confirms else None


def mentioned_point(match: Match, text: str) -> Point:
    """Returns the crossing that a text names first; else that of the last move, or the middle of the board."""
    picture = match.position.picture()
    try:
        point = parse_point(re.split(r" |-(?=\D)", without_number(plain_text(text)), maxsplit=1)[0])
    except BadNotation:
        pass
    else:
        if point.x < picture.width and point.y < picture.height:
            return point
    return picture.last[-1] if picture.last else Point(picture.width // 2, picture.height // 2)


class Way(NamedTuple):
    """A button below a move that its player has typed: where it leads, or, if it `plays`, that it counts."""

    label: str
    code: str
    plays: bool = False


def turn_prompt(match: Match, words: Words, code: str) -> tuple[str, list[Way]]:
    """Returns the line that answers a move in a message, and its buttons. It tells nobody what the move would do."""
    step = step_at(match, code)
    assert step is not None, "what was typed has a code"
    if leaves_choice(match, code):
        return words("move.begun"), [Way(words(f"button.begin.{Duty.of(match)}"), code)]
    name = str(step.prompt.details["turn"])
    if code.endswith(CHOSEN):
        return words("move.choose", move=name), [Way(words("button.choose"), code)]
    ways = [Way(step.prompt.text(words), step.code, plays=True), Way(words("button.look"), code)]
    return words("move.confirm", move=name), ways
