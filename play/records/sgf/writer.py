"""Record to SGF."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from play.records.record import MOST_BYTES, BadRecord, Chain, Dot, Record
from play.records.sgf import private
from play.records.sgf.grammar import LETTERS, escaped, letters_of
from rules.dots import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.point import Seat


TEXTS = {
    "RE": "result",
    "RU": "rules",
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "TM": "time",
    "OT": "overtime",
    "AP": "application",
}
"""The lines of text of the first node, and what Record calls them."""


def write(record: Record) -> bytes:
    """The record in SGF, UTF-8, of a length that `read` takes: if need be without clock times, then without the
    chains of moves too, both of which follow from the history.

    Raises BadRecord: `too_large` for a field that letters cannot name, `too_long`.
    """
    if max(record.width, record.height) > len(LETTERS):
        raise BadRecord("too_large", largest=len(LETTERS))
    timeless = replace(record, moves=tuple(dot._replace(left=None) for dot in record.moves))
    bare = replace(timeless, moves=tuple(dot._replace(chains=()) for dot in timeless.moves))
    for version in (record, timeless, bare) if record.history else (record,):
        data = "".join(("(", *_nodes(version), ")\n")).encode("utf-8", "replace")
        if len(data) <= MOST_BYTES:
            return data
    raise BadRecord("too_long", most=MOST_BYTES)


def _nodes(record: Record) -> Iterator[str]:
    yield ";" + "".join(_header(record))
    yield from _stones(record)
    history = record.history
    if history is None:
        yield from (f"\n;{_move(record, dot)}" for dot in record.moves)
        if record.close:
            yield f"\n;{_close(record)}"
    else:
        dots, standing = iter(record.moves), history.standing()
        for number, event in enumerate(history.events):
            dot = None
            if number in standing and isinstance(history.game.parse(event.text), Turn):
                dot = next(dots)
            in_colour = dot if dot and dot.seat < len(record.colours) else None
            shown = _move(record, in_colour) if in_colour else ""
            if record.close and number == len(history.events) - 1:
                shown = _close(record)
            yield f"\n;{shown}{_property(private.NAME, private.line(history, number, in_colour))}"
    yield from _pools(record)


def _header(record: Record) -> Iterator[str]:
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    yield "FF[4]GM[40]CA[UTF-8]"
    yield f"SZ[{size}]"
    for seat, colour in enumerate(record.colours):
        yield _property(f"P{colour}", record.players[seat])
    for name, field in TEXTS.items():
        yield _property(name, getattr(record, field))
    if not record.moves and record.colours == "WB":
        yield "PL[W]"
    for colour, left in zip(record.colours, record.left, strict=True):
        yield _left(colour, left)
    if record.history:
        lines = private.heading(record.history, record.players[len(record.colours) :])
        yield private.NAME + "".join(f"[{escaped(line)}]" for line in lines)


def _stones(record: Record) -> Iterator[str]:
    """The set-up in its order. A node has each property once, so a colour that comes again begins a new node."""
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
    return f"{colour}[{letters_of(dot.point, record.height)}{chains}]{_left(colour, dot.left)}"


def _close(record: Record) -> str:
    assert record.close is not None
    return f"{record.colours[record.close.seat]}[{record.close.word}]"


def _pools(record: Record) -> Iterator[str]:
    if record.pools is not None:
        yield "\n;"
        for colour, pools in sorted(zip(record.colours, record.pools, strict=True)):
            yield f"T{colour}[{''.join(_chain(record, pool) for pool in pools)}]"


def _chain(record: Record, chain: Chain) -> str:
    """A chain repeats its first dot at its end; a single point stands for the chain round it."""
    closed = (*chain, chain[0]) if len(chain) > 1 else chain
    return "." + "".join(letters_of(point, record.height) for point in closed)


def _left(colour: str, seconds: float | None) -> str:
    return "" if seconds is None else f"{colour}L[{f'{seconds:.3f}'.rstrip('0').rstrip('.')}]"


def _property(name: str, value: str) -> str:
    return f"{name}[{escaped(value)}]" if value else ""
