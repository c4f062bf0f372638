"""Turns of Dots: a dot, then what it closes, by the number of an offer or as a chain dot by dot.

A code is `K12`, or `K12+5` with a bit for each offer that the player takes, in hexadecimal. `K12+5/A1ab.` adds a chain
that the player draws (`bot.features.match.turn.steps.chains`); the last one is open until its full stop. Offers follow
from the position, so their numbers mean the same to all players at one version of a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import exp
from typing import NamedTuple

from bot.features.match.turn.steps.chains import LINKS, NEIGHBOURS, read_chain, write_chain
from bot.features.match.turn.steps.effects import describe_effects, drawing_picture, preview_picture
from bot.features.match.turn.steps.step import Phrase, StepOption, TurnStep
from opponent.suggest.point_ranking import rank_points
from rules.dots import Closing, Consequences, DotsPosition, Links, Offer, Turn
from rules.game import BadNotation, IllegalMove
from rules.notation import parse_point, point_name
from rules.point import Point

MAX_OFFERS = 12
"""Offers with a number; players could not tell more of them apart."""

_CODE = re.compile(r"([A-Z]+\d+)(?:\+([0-9a-f]{1,8}))?((?:/[A-Za-z0-9]*\.?)*)")


class _TurnCode(NamedTuple):
    """A parsed code: the dot, a bit for each offer taken, the chains drawn, and the open one, if any."""

    dot: Point
    taken: int = 0
    drawn: tuple[tuple[Point, ...], ...] = ()
    open: tuple[Point, ...] | None = None

    def __str__(self) -> str:
        closed = "".join(f"/{write_chain(chain)}." for chain in self.drawn)
        last = "" if self.open is None else f"/{write_chain(self.open) if self.open else ''}"
        return point_name(self.dot) + (f"+{self.taken:x}" if self.taken else "") + closed + last

    @classmethod
    def parse(cls, text: str) -> _TurnCode:
        """Returns the code that `text` is. Raises BadNotation."""
        match = _CODE.fullmatch(text)
        if match is None:
            raise BadNotation("no_point")
        drawn = match[3].split("/")[1:]
        closed = [chain for chain in drawn if chain.endswith(".")]
        opened = drawn[-1] if drawn and not drawn[-1].endswith(".") else None
        if len(closed) + (opened is not None) < len(drawn):
            raise BadNotation("no_point")
        return cls(
            parse_point(match[1]),
            int(match[2] or "0", 16),
            tuple(read_chain(chain[:-1]) for chain in closed),
            None if opened is None else read_chain(opened) if opened else (),
        )

    def turn(self, closing: Closing, offers: Sequence[Offer]) -> Turn:
        """Returns the turn without the chain that is still open."""
        taken = tuple(offer.point for number, offer in enumerate(offers) if self.taken >> number & 1)
        if closing is Closing.PAINTED:
            return Turn(self.dot, paints=taken)
        return Turn(self.dot, chains=(*((point,) for point in taken), *self.drawn))


def step_at(position: DotsPosition, recent: Sequence[Point], text: str, reach: int | None = None) -> TurnStep:
    """Returns the step of the code `text`; see `bot.features.match.turn.steps.step_at`."""
    if not text:
        return _dot_step(position, recent, reach)
    if " " in text:
        return _notation_step(position, text)
    code = _TurnCode.parse(text)
    consequences = position.consequences_of(code.dot)
    offers = _numbered_offers(consequences, code.dot)
    if code.taken >> len(offers):
        raise BadNotation("no_point")
    if code.open is not None:
        return _chain_step(position, code, code.open, offers)
    return _preview_step(position, code, offers)


def encode(position: DotsPosition, turn: Turn) -> str:
    """Returns the code of a turn; its notation if it names what has no number. Raises IllegalMove."""
    offers = _numbered_offers(position.consequences_of(turn.dot), turn.dot)
    numbers = {offer.point: 1 << number for number, offer in enumerate(offers)}
    taken, drawn = 0, []
    for point in (*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)):
        if point not in numbers:
            return str(turn)
        taken |= numbers[point]
    for chain in turn.chains:
        if len(chain) > 1:
            if write_chain(chain) is None:
                return str(turn)
            drawn.append(chain)
    return str(_TurnCode(turn.dot, taken, tuple(drawn)))


def _dot_step(position: DotsPosition, recent: Sequence[Point], reach: int | None) -> TurnStep:
    ranked = rank_points(position, recent, reach) or rank_points(position, recent)
    best = ranked[0].weight if ranked else 0.0
    return TurnStep(
        "",
        Phrase("dot"),
        position.picture(),
        points={one.point: point_name(one.point) for one in ranked},
        chances={one.point: exp(one.weight - best) for one in ranked},
        focus=recent[-1] if recent else None,
    )


def _preview_step(position: DotsPosition, code: _TurnCode, offers: Sequence[Offer]) -> TurnStep:
    """Returns the dot as a ghost, with what it does and what it may close."""
    label = _play_label(code.dot, code.taken.bit_count() + len(code.drawn))
    turn = code.turn(position.rules.closing, offers)
    step = _complete_step(position, str(code), turn, label, offers)
    return replace(step, options=(*_offer_options(position, code, offers), *_drawing_options(position, code)))


def _notation_step(position: DotsPosition, text: str) -> TurnStep:
    """Returns the step of a turn in its notation, which names what has no number."""
    turn = position.rules.parse(text)
    if not isinstance(turn, Turn):
        raise BadNotation("no_point")
    return _complete_step(position, text, turn, _play_label(turn.dot, len(turn.paints) + len(turn.chains)), ())


def _play_label(dot: Point, count: int) -> Phrase:
    """Returns the label of the button that plays a dot and closes so many areas."""
    name = point_name(dot)
    return Phrase("play_closing", {"turn": name, "count": count}) if count else Phrase("play", {"turn": name})


def _complete_step(position: DotsPosition, code: str, turn: Turn, label: Phrase, offers: Sequence[Offer]) -> TurnStep:
    after = position.play(turn)
    return TurnStep(
        code,
        label,
        preview_picture(position, after, turn, offers),
        complete_turn=str(turn),
        effects=tuple(describe_effects(position, turn.dot, after, offered=bool(offers))),
        back="",
        focus=turn.dot,
    )


def _offer_options(position: DotsPosition, code: _TurnCode, offers: Sequence[Offer]) -> Iterator[StepOption]:
    for number, offer in enumerate(offers):
        other = code._replace(taken=code.taken ^ 1 << number)
        with suppress(IllegalMove):
            position.play(other.turn(position.rules.closing, offers))
            label = Phrase(
                f"offer.{position.rules.closing}",
                {"number": number + 1, "point": point_name(offer.point), "count": offer.dots},
            )
            yield StepOption(label, str(other), bool(code.taken >> number & 1))


def _drawing_options(position: DotsPosition, code: _TurnCode) -> Iterator[StepOption]:
    if position.rules.closing is Closing.DRAWN:
        yield StepOption(Phrase("draw"), str(code._replace(open=())))
        if code.drawn:
            yield StepOption(Phrase("undraw"), str(code._replace(drawn=code.drawn[:-1])))


def _chain_step(position: DotsPosition, code: _TurnCode, chain: tuple[Point, ...], offers: Sequence[Offer]) -> TurnStep:
    """Returns the choice of the next dot of a chain that the player draws."""
    mover, name = position.to_act, point_name(code.dot)
    stones = position.picture().stones
    own = {stone.point for stone in stones if stone.seat == mover and not stone.captured} | {code.dot}
    prompt = Phrase("chain_begins", {"turn": name})
    options: tuple[StepOption, ...] = ()
    if chain:
        prompt = Phrase("chain", {"turn": name, "chain": "–".join(map(point_name, chain))})
        last, links = chain[-1], LINKS if position.rules.links is Links.FAR else NEIGHBOURS
        own = own.intersection(Point(last.x + dx, last.y + dy) for dx, dy in links).difference(chain)
        closed = code._replace(drawn=(*code.drawn, chain), open=None)
        with suppress(IllegalMove):
            position.play(closed.turn(position.rules.closing, offers))
            options = (StepOption(Phrase("close"), str(closed)),)
    codes = {point: str(code._replace(open=(*chain, point))) for point in own}
    return TurnStep(
        str(code),
        prompt,
        drawing_picture(position, code.turn(position.rules.closing, offers), chain, codes),
        points=codes,
        chances=dict.fromkeys(codes, 1.0),
        options=options,
        back=str(code._replace(open=chain[:-1] if chain else None)),
        focus=chain[-1] if chain else code.dot,
    )


def _numbered_offers(consequences: Consequences, dot: Point) -> tuple[Offer, ...]:
    """Returns the offers that get a number: those that the dot itself makes, then the largest."""
    offers = sorted(consequences.offers, key=lambda offer: (dot not in offer.chain, -offer.dots, offer.point))
    return tuple(offers[:MAX_OFFERS])
