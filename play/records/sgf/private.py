"""KP, our private property: what SGF itself cannot say, so that a match can be read back whole (docs/records.md).

The first node has the lines of a heading, `KP[kropka 2][rules zagram][size 39x32]...[seed 5][clock 10m+30s]
[started 1700000000000]`. Each further node has an event. `KP[5300]` is the time in milliseconds since the event before,
if the node's own B or W says the rest. Else `KP[5300 1 move K12 paint L13]` or `KP[90 0 resign]` has seat, kind and
notation as well. `KP[fallen]` marks a last node whose dots nobody played.
"""

import re
from dataclasses import replace

from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, parse_agreement
from play.ids import Millis
from play.match.events import Event, EventKind
from play.match.snapshot import MatchSnapshot
from play.records.record import BadRecord, Dot, Record
from play.records.sgf.grammar import Node, each, text
from play.refusal import Refused
from rules.dots import Closing, Dots, Turn
from rules.game import AnyGame, RuleError, Seat, point_name
from rules.registry import restore_game

NAME = "KP"
HEADINGS = {"WB": "kropka 2", "BW": "kropka 1"}
"""The first line by the letters of the seats. Formerly the first player, who is Red, was Black."""

FALLEN = "fallen"
"""The line of a node with the dots that enclose what STOP has lost."""

MAX_TAKEBACKS = 100
"""Take-backs in one record. The game is replayed after each of them, in up to 12 ms."""

_HEADING_KEYS = ("kropka", "rules", "seed", "clock", "agreement", "started")
"""The lines of a heading that are not options of the game."""

_EVENT = re.compile(r"(-?\d{1,15})(?: (\d) (\S+)(?: (.+))?)?")
_NUMBER = re.compile(r"-?\d{1,20}")


def heading(history: MatchSnapshot, colours: str, players: tuple[str, ...]) -> list[str]:
    """Returns the lines of the first node. `players` are the third and the fourth, for whom SGF has no colours."""
    lines = {
        "rules": history.game.key,
        **history.game.options,
        "seed": str(history.seed),
        "clock": str(history.control),
        **({"agreement": str(history.agreement)} if history.agreement != NO_AGREEMENT else {}),
        "started": str(history.started),
        **{f"player{number}": name for number, name in enumerate(players, start=3)},
    }
    return [HEADINGS[colours], *(f"{key} {value}" for key, value in lines.items())]


def line(history: MatchSnapshot, number: int, dot: Dot | None) -> str:
    """Returns the line of event `number` (from 0). `dot` is the one written in its node, if there is one."""
    event = history.events[number]
    before = history.events[number - 1].at if number else history.started
    waited = str(event.at - before)
    if dot and event.kind is EventKind.MOVE and (event.seat, event.text) == (dot.seat, _notation(history.game, dot)):
        return waited
    return f"{waited} {event.seat} {event.kind} {event.text}".rstrip()


def colours(node: Node) -> str:
    """Returns the letters of the seats, if the first node is that of a match of this program; else nothing."""
    first = next((value for _, value in each(node, NAME)), "")
    return next((colours for colours, heading in HEADINGS.items() if heading == first), "")


def read(record: Record, dots: list[list[Dot]], nodes: list[Node]) -> Record | None:
    """Returns a record of this program with its history. None if its moves have been changed since.

    `dots` are those of each node. Raises BadRecord (`bad_history`).
    """
    fallen: tuple[Dot, ...] = ()
    if len(nodes) > 1 and (NAME, [FALLEN]) in nodes[-1]:
        nodes, dots, fallen = nodes[:-1], dots[:-1], tuple(dots[-1])
    lines = [text(value) for _, value in each(nodes[0], NAME)]
    try:
        values = {key: value for key, _, value in (line.partition(" ") for line in lines)}
        history, placed = _history(values, nodes[1:], dots[1:])
        game = history.game
        if not isinstance(game, Dots) or (game.width, game.height) != (record.width, record.height):
            raise BadRecord("bad_history")
        first_dots = game.all_first_dots
    except (KeyError, ValueError, RuleError, Refused) as error:
        raise BadRecord("bad_history") from error
    if any(dots[0]) or [dot for node in dots for dot in node] != [dot for dot in placed if dot.seat < 2]:
        return None
    others = tuple(values.get(f"player{number}", "") for number in range(3, game.seats + 1))
    stones = record.stones if game.seats == 2 else tuple(Dot(seat, point, NAME) for seat, point in first_dots)
    return replace(
        record,
        history=history,
        moves=placed,
        seats=game.seats,
        players=record.players + others,
        stones=stones,
        fallen=fallen,
    )


def _history(values: dict[str, str], nodes: list[Node], dots: list[list[Dot]]) -> tuple[MatchSnapshot, tuple[Dot, ...]]:
    """Returns the history, and its dots in order without those taken back. Some are written only in KP."""
    options = {key: value for key, value in values.items() if key not in _HEADING_KEYS and not key.startswith("player")}
    game = restore_game(values["rules"], options)
    at = started = _number(values["started"])
    events, placed = [], []  # `placed` has a list for each event, with its dot if it has one
    for node, beside in zip(nodes, dots, strict=True):
        for _, value in each(node, NAME):
            match = _EVENT.fullmatch(text(value))
            if not match:
                raise ValueError(value)
            at += int(match[1])
            if match[2] is None:
                (dot,) = beside
                event = Event(EventKind.MOVE, dot.seat, _notation(game, dot), Millis(at), None)
            else:
                event = Event(EventKind(match[3]), Seat(int(match[2])), match[4] or "", Millis(at), None)
            events.append(event)
            placed.append(_placed(game, event, beside))
    if sum(event.changes_position and not event.is_move for event in events) > MAX_TAKEBACKS:
        raise ValueError("too many take-backs")
    control, agreement = parse_control(values["clock"]), parse_agreement(values.get("agreement", ""))
    history = MatchSnapshot(game, _number(values["seed"]), control, Millis(started), tuple(events), agreement)
    kept = history.kept_moves()
    return history, tuple(dot for number, dots in enumerate(placed) if number in kept for dot in dots)


def _placed(game: AnyGame, event: Event, beside: list[Dot]) -> list[Dot]:
    """Returns the dot of an event: the one `beside` it, or one that is written only in KP."""
    if event.seat >= game.seats:
        raise ValueError(event)
    turn = game.parse(event.text) if event.is_move else None
    own = [Dot(event.seat, turn.dot, f"{NAME}[{point_name(turn.dot)}]")] if isinstance(turn, Turn) else []
    if beside and [dot[:2] for dot in beside] != [dot[:2] for dot in own]:
        raise ValueError(event)
    return beside or own


def _notation(game: AnyGame, dot: Dot) -> str:
    """Returns the turn that B or W writes without KP."""
    drawn = isinstance(game, Dots) and game.closing is Closing.DRAWN
    return str(Turn(dot.point, chains=dot.chains if drawn else ()))


def _number(value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise ValueError(value)
    return int(value)
