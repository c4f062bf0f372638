"""A board of one's own in SGF, with its variations, notes and marks; and such a tree of any record of Dots.

A board that Kropka has written names itself in KP of its first node, with its rules and set-up (`KP[kropka board 1]
[rules zagram][size 20x20]...`). There KP of another node has the seat and the turn where B or W cannot say them.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from play.boards.own_board import MAX_MARKS, MAX_NAME, MAX_TURNS, Mark, OwnBoard, first_position, play_step
from play.match.turn_tree import MAX_NOTE_LENGTH, TriedTurn
from play.records.record import APPLICATION, BadRecord, Dot, Record, turn_of
from play.records.sgf import private
from play.records.sgf.grammar import (
    LETTERS,
    Node,
    each,
    escape,
    game_tree,
    letters_of,
    main_line,
    paragraphs,
    point_of,
    text,
)
from play.records.sgf.reader import Reading, decode
from play.records.sgf.writer import write_set_up
from play.records.transcript import COLOURS
from play.refusal import Refused
from rules.dots import Call, Dots, Turn
from rules.game import RuleError, Seat, parse_point, point_name
from rules.registry import restore_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from play.match.events import Event
    from rules.dots import DotsPosition

HEADING: Final = "kropka board 1"

KINDS: Final = {"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross"}
"""The marks of SGF that have no text."""

MAX_BOARD_BYTES: Final = 320 * 1024
"""A longer file of ours is not read. The longest notes of a board have 240,000 bytes, its turns some 60,000."""

MAX_SECONDS: Final = 1.5
"""Seconds of the processor for the turns of one file."""


class Grown(NamedTuple):
    """A board that was read, and how many branches were left out: they break the rules, or set dots up in mid-game."""

    board: OwnBoard
    left_out: int = 0


def read_own(data: bytes) -> Grown | None:
    """Returns the board in a file that Kropka has written. None for any other file. Raises BadRecord."""
    if HEADING.encode() not in data:
        return None
    if len(data) > MAX_BOARD_BYTES:
        raise BadRecord("too_long", most=MAX_BOARD_BYTES)
    record = decode(data)
    main_line(record)  # which checks all of it
    nodes, parents = game_tree(record)
    lines = [text(value) for _, value in each(nodes[0], private.NAME)] if nodes else []
    if not lines or lines[0] != HEADING:
        return None
    values = {key: value for key, _, value in (line.partition(" ") for line in lines[1:])}
    try:
        game = restore_game(values.pop("rules"), values)
    except (KeyError, RuleError) as error:
        raise BadRecord("bad_history") from error
    if not isinstance(game, Dots):
        raise BadRecord("no_dots")
    name = next((text(value) for _, value in each(nodes[0], "GN")), "")
    return _Growth(game, COLOURS, private_turns=True).grow(name, nodes, parents)


def grow(data: bytes, record: Record, preset: Dots) -> Grown:
    """Returns the board with all variations of a record, which was read from `data`, by the rules of a preset. A match
    of this program has its own rules, and its main line alone. Raises BadRecord, BadOption."""
    name = " – ".join(filter(str.strip, record.players))
    if (match := record.match) is not None:
        assert isinstance(match.game, Dots), "only Dots is read from SGF"
        return Grown(of_moves(name, match.game, match.moves))
    nodes, parents = game_tree(decode(data))
    game = record.game(preset)
    if record.begins:
        game = replace(game, begins=record.begins)
    # An option that is not offered, as a board of five columns, can be replayed, but not kept.
    game = game.with_options(game.options)
    return _Growth(game, record.colours, private_turns=False).grow(name, nodes, parents)


def of_moves(name: str, game: Dots, moves: Sequence[Event]) -> OwnBoard:
    """Returns a board with the moves of a match."""
    return _line(name, game, [move.text for move in moves], [move.seat for move in moves])


def of_record(record: Record, preset: Dots) -> OwnBoard:
    """Returns a board with the moves of a record that is no SGF. Raises BadRecord, BadOption."""
    game, _, turns = record.turns(preset, len(record.moves))
    game = game.with_options(game.options)
    return _line("", game, turns, [dot.seat for dot in record.moves])


def write(board: OwnBoard) -> bytes:
    """Returns the board in SGF, in UTF-8. Raises BadRecord (`too_large`)."""
    game = board.game
    if max(game.width, game.height) > len(LETTERS):
        raise BadRecord("too_large", largest=len(LETTERS))
    children = defaultdict[int | None, list[TriedTurn]](list)
    for turn in board.turns:
        children[turn.parent].append(turn)
    parts = ["(", *_root(board)]
    waiting: list[TriedTurn | str] = [")\n", *_branches(children[None])]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append(_node(game, part))
            waiting += _branches(children[part.id])
    return "".join(parts).encode("utf-8", "replace")


class _Growth:
    """The turns of nodes, as they are laid on a board."""

    def __init__(self, game: Dots, colours: str, *, private_turns: bool) -> None:
        self.game = game
        self._colours = colours
        self._private = private_turns
        self._turns: list[TriedTurn] = []
        self._positions: dict[int | None, DotsPosition] = {}
        self._left_out = 0

    def grow(self, name: str, nodes: Sequence[Node], parents: Sequence[int | None]) -> Grown:
        """Returns the board. The first line of turns must be legal; a branch is left out from its first turn that is
        not. Raises BadRecord."""
        try:
            self._positions[None] = first_position(self.game)
        except Refused as refused:
            raise BadRecord("bad_set_up", **_details(refused)) from refused
        main, heads = _main_line(parents), list[Node]()
        ends: dict[int | None, int | None] = {None: None}  # the turn with which each node ends
        gone = set[int]()
        began = time.thread_time()
        for place, node in enumerate(nodes):
            before = parents[place]
            if before in gone:
                gone.add(place)
                continue
            try:
                ends[place] = self._add(node, ends[before])
            except BadRecord:
                if place in main:
                    raise
                gone.add(place)
                self._left_out += 1
            else:
                if ends[place] is None:
                    heads.append(node)
            if time.thread_time() - began > MAX_SECONDS:
                raise BadRecord("too_slow")
        board = OwnBoard(self.game, name[:MAX_NAME], tuple(self._turns), len(self._turns) + 1)
        note = "\n".join(filter(None, map(_note, heads)))[:MAX_NOTE_LENGTH]
        marks = tuple(mark for node in heads for mark in self._marks(node))[:MAX_MARKS]
        return Grown(replace(board, note=note, marks=marks).require_room(), self._left_out)

    def _add(self, node: Node, before: int | None) -> int | None:
        """Adds the turns of a node; returns the last one, or what was `before`. Raises BadRecord."""
        end = before
        for seat, turn in self._read(node, before):
            step = TriedTurn(len(self._turns) + 1, end, 0, seat, turn)
            try:
                after = play_step(self.game, self._positions[end], step)
            except Refused as refused:
                number = self._depth(end) + 1
                raise BadRecord(refused.key, number=number, dot=turn[:12]) from refused
            if len(self._turns) >= MAX_TURNS:
                raise BadRecord("too_many", most=MAX_TURNS)
            self._turns.append(step)
            self._positions[step.id] = after
            end = step.id
        if end != before:
            assert end is not None
            self._turns[end - 1] = replace(
                self._turns[end - 1], note=_note(node)[:MAX_NOTE_LENGTH], marks=self._marks(node)
            )
        return end

    def _read(self, node: Node, before: int | None) -> Iterator[tuple[Seat, str]]:
        """Yields the turns of a node. Raises BadRecord."""
        own = [text(value) for _, value in each(node, private.NAME)] if self._private else []
        if own and own[0] != HEADING:
            seat, _, turn = own[0].partition(" ")
            if not (seat.isascii() and seat.isdigit() and int(seat) < self.game.seats):
                raise BadRecord("bad_history")
            yield Seat(int(seat)), turn
            return
        reading = Reading(self.game.width, self.game.height, self._colours)
        try:
            reading.read(node)
        except BadRecord as error:
            error.details.setdefault("number", self._depth(before) + 1)
            raise
        if reading.stones and before is not None:
            raise BadRecord("late_set_up", dot=reading.stones[0].source)
        position = self._positions[before]
        for dot in reading.dots[0]:
            turn, position = self._play(position, dot, self._depth(before) + 1)
            yield dot.seat, turn
        if reading.close and Call.STOP in position.with_to_act(reading.close.seat).calls():
            yield reading.close.seat, Call.STOP.value

    def _play(self, position: DotsPosition, dot: Dot, number: int) -> tuple[str, DotsPosition]:
        try:
            before = position.with_to_act(dot.seat)
            turn = turn_of(before, dot, self.game.closing)
            return str(turn), before.play(turn)
        except RuleError as error:
            raise BadRecord(error.key, dot=dot.source, number=number) from error

    def _depth(self, turn: int | None) -> int:
        depth = 0
        while turn is not None:
            turn, depth = self._turns[turn - 1].parent, depth + 1
        return depth

    def _marks(self, node: Node) -> tuple[str, ...]:
        found = dict[str, None]()
        for name, value in each(node, *KINDS, "LB"):
            place, _, label = value.partition(":")
            point = point_of(place, self.game.height)
            if point is None or not self.game.contains(point):
                continue
            if name != "LB":
                found[str(Mark(KINDS[name], point_name(point)))] = None
            elif signs := "".join(text(label).split())[:3]:
                found[str(Mark("label", point_name(point), signs))] = None
        return tuple(found)[:MAX_MARKS]


def _line(name: str, game: Dots, turns: Sequence[str], seats: Sequence[Seat]) -> OwnBoard:
    laid = tuple(
        TriedTurn(number, number - 1 or None, 0, seat, turn)
        for number, (turn, seat) in enumerate(zip(turns, seats, strict=True), start=1)
    )
    return OwnBoard(game, name[:MAX_NAME], laid, len(laid) + 1).require_room()


def _main_line(parents: Sequence[int | None]) -> set[int]:
    """Returns the places of the first variation at each branch."""
    first = dict[int | None, int]()
    for place, parent in enumerate(parents):
        first.setdefault(parent, place)
    main, here = set[int](), first.get(None)
    while here is not None:
        main.add(here)
        here = first.get(here)
    return main


def _details(refused: Refused) -> dict[str, str | int]:
    return {key: value for key, value in refused.details.items() if isinstance(value, str | int)}


def _note(node: Node) -> str:
    return "\n".join(filter(None, (paragraphs(value) for _, value in each(node, "N", "C"))))


def _branches(children: Sequence[TriedTurn]) -> list[TriedTurn | str]:
    """Returns what comes after a node, the last part first."""
    if len(children) < 2:
        return [*children]
    parts: list[TriedTurn | str] = []
    for child in reversed(children):
        parts += [")", child, "\n("]
    return parts


def _root(board: OwnBoard) -> Iterator[str]:
    game = board.game
    size = str(game.width) if game.width == game.height else f"{game.width}:{game.height}"
    yield f";FF[4]GM[40]CA[UTF-8]SZ[{size}]AP[{APPLICATION}]"
    if board.name:
        yield f"GN[{escape(board.name)}]"
    mover = first_position(game).to_act
    if mover < len(COLOURS):
        yield f"PL[{COLOURS[mover]}]"
    lines = (HEADING, f"rules {game.key}", *(f"{key} {value}" for key, value in game.options.items()))
    yield private.NAME + "".join(f"[{escape(line)}]" for line in lines)
    yield from _told(game, board.note, board.marks)
    dots = tuple(Dot(seat, point, "") for seat, point in game.all_first_dots)
    yield from write_set_up(Record(game.width, game.height, dots, (), colours=COLOURS))


def _node(game: Dots, step: TriedTurn) -> str:
    turn, parts = game.parse(step.text), ["\n;"]
    is_plain = isinstance(turn, Turn) and step.text == point_name(turn.dot)
    if step.seat < len(COLOURS):
        parts.append(f"{COLOURS[step.seat]}[{letters_of(turn.dot, game.height) if isinstance(turn, Turn) else ''}]")
    if not is_plain or step.seat >= len(COLOURS):
        parts.append(f"{private.NAME}[{escape(f'{step.seat} {step.text}')}]")
    return "".join((*parts, *_told(game, step.note, step.marks)))


def _told(game: Dots, note: str, marks: Sequence[str]) -> Iterator[str]:
    if note:
        yield "C[" + note.replace("\\", "\\\\").replace("]", "\\]") + "]"
    found = defaultdict[str, list[str]](list)
    names = {kind: name for name, kind in KINDS.items()}
    for each_mark in marks:
        kind, point, *label = each_mark.split(" ")
        place = letters_of(parse_point(point), game.height)
        found[names.get(kind, "LB")].append(f"{place}:{escape(label[0])}" if label else place)
    for name, values in found.items():
        yield name + "".join(f"[{value}]" for value in values)
