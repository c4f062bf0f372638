"""From Record to SGF."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from play.records.record import MAX_RECORD_BYTES, BadRecord, Chain, Dot, Record
from play.records.sgf import private
from play.records.sgf.grammar import LETTERS, escape, letters_of
from rules.dots import Call, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.game import Seat


TEXTS = {
    "RE": "result",
    "RU": "rules",
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "TM": "time",
    "OT": "overtime",
    "HA": "handicap",
    "KM": "komi",
}
"""The lines of text of the first node, by the field of Record that has them."""


def write(record: Record) -> bytes:
    """Returns the record in SGF, in UTF-8, of a length that `read` accepts.

    A record that is too long is written without clock times, then also without the chains of moves, if it has a history
    from which both follow. Raises BadRecord: `too_large` for a board that letters cannot name, `too_long`.
    """
    if max(record.width, record.height) > len(LETTERS):
        raise BadRecord("too_large", largest=len(LETTERS))
    timeless = replace(record, moves=tuple(dot._replace(remaining=None) for dot in record.moves))
    bare = replace(timeless, moves=tuple(dot._replace(chains=()) for dot in timeless.moves))
    for version in (record, timeless, bare) if record.history else (record,):
        data = "".join(("(", *_nodes(version), ")\n")).encode("utf-8", "replace")
        if len(data) <= MAX_RECORD_BYTES:
            return data
    raise BadRecord("too_long", most=MAX_RECORD_BYTES)


def _nodes(record: Record) -> Iterator[str]:
    yield ";" + "".join(_header(record))
    yield from write_set_up(record)
    history = record.history
    if history is None:
        yield from (f"\n;{_move(record, dot)}" for dot in record.moves)
        if record.close:
            yield f"\n;{_close(record)}"
    else:
        dots, kept = iter(record.moves), history.kept_moves()
        for number, event in enumerate(history.events):
            dot = None
            if number in kept and isinstance(history.game.parse(event.text), Turn):
                dot = next(dots)
            in_colour = dot if dot and dot.seat < len(record.colours) else None
            turn = _move(record, in_colour) if in_colour else ""
            if record.close and not dot and number == len(history.events) - 1:
                turn = _close(record)
            if number in kept and event.text in (Call.STOP, Call.STOP_WAITING):
                turn += _property("C", f"{record.colours[event.seat]} pressed STOP")  # as zagram says it
            yield f"\n;{turn}{_property(private.NAME, private.line(history, number, in_colour))}"
        if record.fallen:
            yield f"\n;{_fallen(record)}{_property(private.NAME, private.FALLEN)}"
    yield from _pools(record)


def _header(record: Record) -> Iterator[str]:
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    yield "FF[4]GM[40]CA[UTF-8]"
    yield f"SZ[{size}]"
    for seat, colour in enumerate(record.colours):
        yield _property(f"P{colour}", record.players[seat])
    for name, field in TEXTS.items():
        yield _property(name, getattr(record, field))
    if record.application:  # SGF divides it from its version by a colon
        yield f"AP[{':'.join(map(escape, record.application.split(':')))}]"
    if record.begins < len(record.colours) and record.colours == "WB" and (record.comment or not record.moves):
        yield f"PL[{record.colours[record.begins]}]"
    yield _property("C", record.comment)
    for colour, left in zip(record.colours, record.remaining, strict=True):
        yield _left(colour, left)
    if record.history:
        lines = private.heading(record.history, record.colours, record.players[len(record.colours) :])
        yield private.NAME + "".join(f"[{escape(line)}]" for line in lines)


def write_set_up(record: Record) -> Iterator[str]:
    """Yields the set-up in its order. A node has each property once, so a repeated colour begins a new node."""
    dots = [dot for dot in record.stones if dot.seat < len(record.colours)]
    named: set[Seat] = set()
    for seat, run in groupby(dots, key=lambda dot: dot.seat):
        if seat in named:
            yield "\n;"
            named.clear()
        named.add(seat)
        yield f"A{record.colours[seat]}" + "".join(f"[{letters_of(dot.point, record.height)}]" for dot in run)


def _move(record: Record, dot: Dot) -> str:
    colour = record.colours[dot.seat]
    chains = "".join(_chain(record, chain) for chain in dot.chains)
    return f"{colour}[{letters_of(dot.point, record.height)}{chains}]{_left(colour, dot.remaining)}"


def _fallen(record: Record) -> str:
    """Returns the dots that enclose what STOP has lost, as playdots writes them: in one node."""
    points = (letters_of(dot.point, record.height) for dot in record.fallen)
    return record.colours[record.fallen[0].seat] + "".join(f"[{point}]" for point in points)


def _close(record: Record) -> str:
    assert record.close is not None
    return f"{record.colours[record.close.seat]}[{record.close.word}]"


def _pools(record: Record) -> Iterator[str]:
    if record.pools is not None:
        yield "\n;"
        for colour, pools in sorted(zip(record.colours, record.pools, strict=True)):
            yield f"T{colour}[{''.join(_chain(record, pool) for pool in pools)}]"


def _chain(record: Record, chain: Chain) -> str:
    """Returns a chain, which repeats its first dot at its end. A single point means the chain around it."""
    closed = (*chain, chain[0]) if len(chain) > 1 else chain
    return "." + "".join(letters_of(point, record.height) for point in closed)


def _left(colour: str, seconds: float | None) -> str:
    return "" if seconds is None else f"{colour}L[{f'{seconds:.3f}'.rstrip('0').rstrip('.')}]"


def _property(name: str, value: str) -> str:
    return f"{name}[{escape(value)}]" if value else ""
