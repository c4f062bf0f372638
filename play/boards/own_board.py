"""A board of one's own: a game with its set-up, and a tree of turns with notes and marks. It belongs to no match."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from play.clock import Untimed
from play.ids import ChannelId, MatchId, Millis, OwnBoardId, UserId
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.turn_tree import TriedTurn, TurnTree, checked_note, length_of
from play.refusal import Reason, Refused
from rules.dots import Call, Dots, DotsPosition, Setup
from rules.dots.rules import Stones
from rules.game import RuleError, Seat, parse_point, point_name
from rules.registry import make_game

MAX_BOARDS: Final = 50
"""Boards that a player may keep."""

MAX_NAME: Final = 60
"""Characters of a board's name."""

MAX_TURNS: Final = 3000
"""Turns on a board: the longest records have 1,250 moves."""

MAX_CHARACTERS: Final = 60_000
"""Characters of all turns, notes and marks of a board."""

MAX_MARKS: Final = 60
"""Marks of a position."""

MAX_CODE: Final = 40
"""Characters of the address of a board that is shared, or of a study."""

SEED: Final = 0
"""Nothing is left to chance on a board: its set-up is in its game."""

_MARK = re.compile(
    r"(?P<kind>circle|square|triangle|cross|label) (?P<point>[A-Z]{1,2}[0-9]{1,2})(?: (?P<label>\S{1,3}))?"
)


class Origin(StrEnum):
    """What a board has come from."""

    EMPTY = "empty"
    GAME = "game"
    IMPORTED = "imported"
    PUZZLE = "puzzle"


class Mark(NamedTuple):
    """A mark at a crossing. A `label` has one to three signs."""

    kind: str
    point: str
    label: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


def read_marks(texts: Iterable[str], game: Dots) -> tuple[str, ...]:
    """Returns the marks as they are kept, one of each kind at a crossing. Raises Refused (`bad_mark`)."""
    found = dict[str, None]()
    for text in texts:
        match = _MARK.fullmatch(text)
        if not match or (match["kind"] == "label") != bool(match["label"]) or not text.isprintable():
            raise Refused(Reason.BAD_MARK)
        try:
            point = parse_point(match["point"])
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if not game.contains(point):
            raise Refused(Reason.BAD_MARK)
        found[str(Mark(match["kind"], point_name(point), match["label"] or ""))] = None
    if len(found) > MAX_MARKS:
        raise Refused(Reason.BAD_MARK)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class OwnBoard(TurnTree):
    """A board of a `user`; one without is in a visitor's browser alone. `note` and `marks` are those of the set-up.

    Each turn has the seat that plays it, also out of turn. `version` counts the changes. A board whose `origin` is a
    game of this program has the number of its `match`.
    """

    MOST_TURNS = MAX_TURNS
    MOST_CHARACTERS = MAX_CHARACTERS

    game: Dots
    name: str = ""
    turns: tuple[TriedTurn, ...] = ()
    next_id: int = 1
    removed: tuple[TriedTurn, ...] = ()
    note: str = ""
    marks: tuple[str, ...] = ()
    version: int = 0
    id: OwnBoardId = OwnBoardId(0)  # noqa: RUF009 - a number
    user: UserId | None = None
    origin: Origin = Origin.EMPTY
    match: MatchId | None = None

    @property
    def length(self) -> int:
        """The characters of all turns, notes and marks."""
        return length_of(self.turns) + len(self.note) + sum(map(len, self.marks))

    @property
    def main_line(self) -> tuple[TriedTurn, ...]:
        """The turns of the first line: at each branch the one that was laid first."""
        first = dict[int | None, TriedTurn]()
        for turn in self.turns:
            first.setdefault(turn.parent, turn)
        line, here = list[TriedTurn](), first.get(None)
        while here is not None:
            line.append(here)
            here = first.get(here.id)
        return tuple(line)

    def steps(self, turn: int | None) -> tuple[TriedTurn, ...]:
        """Returns the turns up to one of them, or none. Raises Refused (`sheet_turn_gone`)."""
        return () if turn is None else self.path(turn)

    def lay(
        self, text: str, parent: int | None, before: DotsPosition, seat: Seat | None = None
    ) -> tuple[Self, TriedTurn]:
        """Returns the board with a turn after `parent`, where the position is `before`, and that turn. A `seat` plays
        out of turn. Raises Refused."""
        mover = before.to_act if seat is None else seat
        try:
            turn = str(self.game.parse(text))
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if mover >= self.game.seats:
            raise Refused(Reason.BAD_MESSAGE)
        play_step(self.game, before, TriedTurn(0, parent, 0, mover, turn))
        return self.add(turn, mover, after=0, parent=parent)

    def annotate_place(self, turn: int | None, note: str) -> Self:
        """Returns the board with a note at a turn or the set-up. Raises Refused."""
        if turn is None:
            return replace(self, note=checked_note(note)).require_room()
        return self.annotate(turn, note)

    def mark_place(self, turn: int | None, marks: Iterable[str]) -> Self:
        """Returns the board with these marks at a turn or the set-up. Raises Refused."""
        found = read_marks(marks, self.game)
        return replace(self, marks=found).require_room() if turn is None else self.mark(turn, found)

    def rename(self, name: str) -> Self:
        """Returns the board with another name. Raises Refused (`bad_board_name`)."""
        name = " ".join(name.split())
        if not name or len(name) > MAX_NAME:
            raise Refused(Reason.BAD_BOARD_NAME, most=MAX_NAME)
        return replace(self, name=name)


def play_step(game: Dots, position: DotsPosition, step: TriedTurn) -> DotsPosition:
    """Returns the position after a turn of the seat that plays it. Raises Refused."""
    try:
        move = game.parse(step.text)
        if move is not Call.STOP_WAITING and step.seat != position.to_act:
            position = position.with_to_act(step.seat)
        return position.play(move)
    except RuleError as error:
        raise Refused.by_rules(error) from error


def play_steps(game: Dots, steps: Sequence[TriedTurn], position: DotsPosition | None = None) -> DotsPosition:
    """Returns the position after turns, from the set-up or from a `position`. Takes 60 ms for the longest game. Raises
    Refused."""
    if position is None:
        position = first_position(game)
    for step in steps:
        position = play_step(game, position, step)
    return position


def first_position(game: Dots) -> DotsPosition:
    """Returns the position of a set-up. Raises Refused."""
    try:
        return game.start(SEED)
    except RuleError as error:
        raise Refused.by_rules(error) from error


def set_up(preset: str, size: str, stones: Stones, areas: Stones, begins: Seat, seats: int | None = None) -> Dots:
    """Returns a game with this set-up, by the rules of a preset. Raises Refused for one that is impossible."""
    dots = " ".join(f"{seat}:{point_name(point)}" for seat, point in stones)
    closed = " ".join(f"{seat}:{point_name(point)}" for seat, point in areas)
    options = {"size": size, "start": Setup.STONES.value, "stones": dots, "areas": closed, "begins": str(begins)}
    try:
        game = make_game(preset, options if seats is None else options | {"seats": str(seats)})
        if not isinstance(game, Dots):
            raise Refused(Reason.NO_RECORD)
        first_position(game)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return game


def as_match(game: Dots, position: DotsPosition, steps: Sequence[TriedTurn]) -> Match:
    """Returns a match at a position of a board, for what asks for one: its ids are none, and it is never stored."""
    players = tuple(map(UserId, range(game.seats)))
    start = Match.begin(
        MatchId(0),
        guild=None,
        channel=ChannelId(0),
        parent=None,
        game=game,
        seed=SEED,
        players=players,
        control=Untimed(),
        at=Millis(0),
    )
    moves = tuple(Event(EventKind.MOVE, step.seat, step.text, Millis(0), None) for step in steps)
    return replace(start, position=position, moves=moves, outcome=position.outcome)
