"""Turns of Dots: a dot, then what is closed with it, by number, by pointing, or chain by chain.

A code is `K12`, `K12+5` with the offers of `would` whose bits are set in the hexadecimal number, `K12+5/A1ab.` with a
chain drawn by hand (`bot.features.match.turn.steps.chains`; the last one is open until its full stop).
Offers follow from the position, so their numbers mean the same for everybody at one version of a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import exp
from typing import NamedTuple

from bot.features.match.turn.steps import chains
from bot.features.match.turn.steps.effects import effects, pictured
from bot.features.match.turn.steps.step import Option, Said, Step
from opponent.suggest.ranker import likely
from rules.dots import Closing, Consequences, DotsPosition, Links, Offer, Turn
from rules.game import BadNotation, IllegalMove, Point
from rules.notation import parse_point, point_name
from rules.picture import Stone

SHOWN = 12
"""Offers that get a number: more could not be told apart."""

_CODE = re.compile(r"([A-Z]+\d+)(?:\+([0-9a-f]{1,8}))?((?:/[A-Za-z0-9]*\.?)*)")


class _Begun(NamedTuple):
    """A code, read: the dot, the numbers of the offers taken, the chains drawn, and the open one, if any."""

    dot: Point
    taken: int = 0
    drawn: tuple[tuple[Point, ...], ...] = ()
    open: tuple[Point, ...] | None = None

    def __str__(self) -> str:
        closed = "".join(f"/{chains.write_chain(chain)}." for chain in self.drawn)
        last = "" if self.open is None else f"/{chains.write_chain(self.open) if self.open else ''}"
        return point_name(self.dot) + (f"+{self.taken:x}" if self.taken else "") + closed + last

    def turn(self, closing: Closing, offers: Sequence[Offer]) -> Turn:
        """The turn, without a chain that is still open."""
        taken = tuple(offer.point for number, offer in enumerate(offers) if self.taken >> number & 1)
        if closing is Closing.PAINTED:
            return Turn(self.dot, paints=taken)
        return Turn(self.dot, chains=(*((point,) for point in taken), *self.drawn))


def step(position: DotsPosition, recent: Sequence[Point], begun: str, reach: int | None = None) -> Step:
    """See `bot.features.match.turn.steps.begin`."""
    if not begun:
        return _first(position, recent, reach)
    if " " in begun:
        return _typed(position, begun)
    code = _read(begun)
    would = position.would(code.dot)
    offers = _shown(would, code.dot)
    if code.taken >> len(offers):
        raise BadNotation("no_point")
    if code.open is not None:
        return _drawing(position, code, code.open, offers)
    return _preview(position, code, would, offers)


def code(position: DotsPosition, turn: Turn) -> str:
    """The code of a turn that was typed. Raises IllegalMove."""
    offers = _shown(position.would(turn.dot), turn.dot)
    numbers = {offer.point: 1 << number for number, offer in enumerate(offers)}
    taken, drawn = 0, []
    for point in (*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)):
        if point not in numbers:
            return str(turn)
        taken |= numbers[point]
    for chain in turn.chains:
        if len(chain) > 1:
            if chains.write_chain(chain) is None:
                return str(turn)
            drawn.append(chain)
    return str(_Begun(turn.dot, taken, tuple(drawn)))


def _read(begun: str) -> _Begun:
    match = _CODE.fullmatch(begun)
    if match is None:
        raise BadNotation("no_point")
    drawn = match[3].split("/")[1:]
    closed = [chain for chain in drawn if chain.endswith(".")]
    opened = drawn[-1] if drawn and not drawn[-1].endswith(".") else None
    if len(closed) + (opened is not None) < len(drawn):
        raise BadNotation("no_point")
    return _Begun(
        parse_point(match[1]),
        int(match[2] or "0", 16),
        tuple(chains.read_chain(chain[:-1]) for chain in closed),
        None if opened is None else chains.read_chain(opened) if opened else (),
    )


def _first(position: DotsPosition, recent: Sequence[Point], reach: int | None) -> Step:
    ranked = likely(position, recent, reach) or likely(position, recent)
    best = ranked[0].weight if ranked else 0.0
    return Step(
        "",
        Said("dot"),
        position.picture(),
        points={one.point: point_name(one.point) for one in ranked},
        chances={one.point: exp(one.weight - best) for one in ranked},
        place=recent[-1] if recent else None,
    )


def _preview(position: DotsPosition, code: _Begun, would: Consequences, offers: Sequence[Offer]) -> Step:
    """The dot as a ghost, what it does, and what may be closed with it."""
    turn = code.turn(position.game.closing, offers)
    after = position.play(turn)
    begun = str(code)
    return Step(
        begun,
        _label(code),
        pictured(position, after, code.dot, offers),
        whole=str(turn),
        news=tuple(effects(position, code.dot, after, offered=bool(offers))),
        options=(*_choices(position, code, offers), *_by_hand(position, code)),
        back="",
        place=code.dot,
    )


def _label(code: _Begun) -> Said:
    name, count = point_name(code.dot), code.taken.bit_count() + len(code.drawn)
    return Said("play_closing", {"turn": name, "count": count}) if count else Said("play", {"turn": name})


def _typed(position: DotsPosition, begun: str) -> Step:
    """A turn in its notation, which names what no number stands for."""
    turn = position.game.parse(begun)
    if not isinstance(turn, Turn):
        raise BadNotation("no_point")
    after = position.play(turn)
    return Step(
        begun,
        Said("play", {"turn": begun}),
        pictured(position, after, turn.dot, ()),
        whole=str(turn),
        news=tuple(effects(position, turn.dot, after, offered=False)),
        back="",
        place=turn.dot,
    )


def _choices(position: DotsPosition, code: _Begun, offers: Sequence[Offer]) -> Iterator[Option]:
    for number, offer in enumerate(offers):
        other = code._replace(taken=code.taken ^ 1 << number)
        with suppress(IllegalMove):
            position.play(other.turn(position.game.closing, offers))
            said = Said(
                f"offer.{position.game.closing}",
                {"number": number + 1, "point": point_name(offer.point), "count": offer.dots},
            )
            yield Option(said, str(other), bool(code.taken >> number & 1))


def _by_hand(position: DotsPosition, code: _Begun) -> Iterator[Option]:
    if position.game.closing is Closing.DRAWN:
        yield Option(Said("draw"), str(code._replace(open=())))
        if code.drawn:
            yield Option(Said("undraw"), str(code._replace(drawn=code.drawn[:-1])))


def _drawing(position: DotsPosition, code: _Begun, chain: tuple[Point, ...], offers: Sequence[Offer]) -> Step:
    """The next dot of a chain that is drawn by hand."""
    mover = position.to_act
    picture = position.picture()
    own = {stone.point for stone in picture.stones if stone.seat == mover and not stone.captured} | {code.dot}
    back = str(code._replace(open=chain[:-1] if chain else None))
    options: tuple[Option, ...] = ()
    if chain:
        reach = len(chains.STEPS) if position.game.links is Links.FAR else chains.NEIGHBOURS
        last = chain[-1]
        beside = [Point(last.x + dx, last.y + dy) for dx, dy in [*chains.STEPS.values()][:reach]]
        own = {point for point in beside if point in own and point not in chain}
        closed = code._replace(drawn=(*code.drawn, chain), open=None)
        with suppress(IllegalMove):
            position.play(closed.turn(position.game.closing, offers))
            options = (Option(Said("close"), str(closed)),)
    numbers = {point: str(code._replace(open=(*chain, point))) for point in own}
    asks = Said("chain", {"turn": point_name(code.dot), "chain": "–".join(map(point_name, chain))} if chain else {})
    return Step(
        str(code),
        asks if chain else Said("chain_begins", {"turn": point_name(code.dot)}),
        replace(picture, ghost=Stone(code.dot, mover), last=chain[-1:] or picture.last),
        points=numbers,
        chances=dict.fromkeys(numbers, 1.0),
        options=options,
        back=back,
        place=chain[-1] if chain else code.dot,
    )


def _shown(would: Consequences, dot: Point) -> tuple[Offer, ...]:
    """The offers that get a number: those that the dot itself makes, then the largest."""
    return tuple(sorted(would.offers, key=lambda offer: (dot not in offer.chain, -offer.dots, offer.point))[:SHOWN])
