"""Turns of Dots: a dot, then what it closes, by the number of an offer or as a chain dot by dot.

The effects of a turn are told in words, and drawn over the position before it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Self

from play.turns.step import CHOSEN, LINKS, NEIGHBOURS, Phrase, StepOption, TurnCode, TurnStep, write_chain
from rules.dots import Closing, DotsPosition, Links, Offer, Turn
from rules.dots.adjacency import Adjacency
from rules.dots.drawing import Canvas
from rules.dots.link_graph import contains
from rules.game import Area, BadNotation, IllegalMove, Line, Picture, Point, Seat, Stone, parse_point, point_name

MAX_OFFERS = 12
"""Offers with a number; players could not tell more of them apart."""

Rank = Callable[[DotsPosition, Sequence[Point]], Mapping[Point, float]]
"""Returns the crossings where a dot may be placed, with how likely each is in any measure. It gets the last dots."""


def preview_picture(position: DotsPosition, after: DotsPosition, turn: Turn, offers: Sequence[Offer] = ()) -> Picture:
    """Returns the position with the dot as a ghost, the areas that the turn closes, and the dots that it captures; and
    the `offers`, of which those that it takes are marked."""
    before, then, mover = position.picture(), after.picture(), position.to_act
    free = {stone.point for stone in before.stones if not stone.captured} | {turn.dot}
    known, closed = set(before.areas), {*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)}
    return replace(
        before,
        ghost=Stone(turn.dot, mover),
        plans=tuple(area for area in then.areas if area not in known),
        open=tuple(area for area in before.open if area.seat != mover),
        offers=tuple(Area(mover, offer.chain) for offer in offers),
        taken=frozenset(number for number, offer in enumerate(offers, start=1) if offer.point in closed),
        falling=tuple(stone.point for stone in then.stones if stone.captured and stone.point in free),
        last=(),
    )


def drawing_picture(
    position: DotsPosition, after: DotsPosition, turn: Turn, chain: Sequence[Point], choices: Iterable[Point]
) -> Picture:
    """Returns the position with a turn that can be played so far, and the chain that its player is drawing: its newest
    dot stands out, and the next ones are marked."""
    picture = preview_picture(position, after, turn)
    line = Line(position.to_act, tuple(chain)) if len(chain) > 1 else None
    return replace(picture, line=line, choices=frozenset(choices), last=tuple(chain[-1:]))


def describe_effects(position: DotsPosition, dot: Point, after: DotsPosition, *, offered: bool) -> Iterator[Phrase]:
    """Yields what a dot does; `offered` says that the player may still close areas with it."""
    mover = position.to_act
    captured = {stone.point for stone in after.picture().stones if stone.captured and stone.seat == mover}
    gains = [*_describe_gains(position, after, mover)]
    if dot in captured:
        yield Phrase("falls")
    yield from gains
    survey = Adjacency(position)
    owner = survey.house_owner(dot, mover)
    if owner not in (None, mover) and dot not in captured:
        yield Phrase("enters")
    if not gains and dot not in captured:
        if offered:
            yield Phrase("alone")
        elif Adjacency(after).count_enclosed(mover) > survey.count_enclosed(mover):
            yield Phrase("house")
        elif owner in (None, mover):
            yield Phrase("quiet")
    if after.outcome is not None:
        yield Phrase("ends")


def _describe_gains(position: DotsPosition, after: DotsPosition, mover: Seat) -> Iterator[Phrase]:
    """Yields how many dots the mover and the others capture, whatever else the score counts."""
    for seat, (new, old) in enumerate(zip(after.field.scores, position.field.scores, strict=True)):
        change = new - old
        if seat == mover and change > 0:
            yield Phrase("captures", {"count": change})
        elif seat != mover and change > 0:
            yield Phrase("loses", {"count": change})
        elif seat != mover and change < 0:
            yield Phrase("frees", {"count": -change})


class RecentMoves(NamedTuple):
    """The `points` of the last moves, the newest last, and the dots `since` the player to move last made a turn
    themselves; None before that turn."""

    points: Sequence[Point] = ()
    since: Sequence[Point] | None = None


def rank_alike(position: DotsPosition, _: Sequence[Point]) -> Mapping[Point, float]:
    """Returns the crossings where a dot may be placed, all alike."""
    return {turn.dot: 1.0 for turn in position.moves()}


def step_at(position: DotsPosition, moves: RecentMoves, text: str, rank: Rank = rank_alike) -> TurnStep:
    """Returns the step of the code `text`; see `play.turns.step_at`."""
    if not text:
        return _dot_step(position, moves.points, rank)
    if " " in text:
        return _notation_step(position, text)
    if text.endswith(CHOSEN):
        return _chosen_step(position, moves, parse_point(text.removesuffix(CHOSEN)))
    code = TurnCode.parse(text)
    draft = _Draft.of(position, code.dot)
    if code.taken >> min(len(draft.offers), MAX_OFFERS):
        raise BadNotation("no_point")
    if code.open is not None:
        return _chain_step(draft, code, code.open)
    return _preview_step(draft, code, asks=chooses_closings(position))


def chooses_closings(position: DotsPosition) -> bool:
    """Returns whether players choose what their dots close."""
    return position.rules.closing is not Closing.AUTOMATIC


def go_on(position: DotsPosition, code: str, step: str) -> str:
    """Returns the code after one more step: a dot, the next dot of a chain that is begun, or a code itself.

    Raises BadNotation.
    """
    if not code:
        end = CHOSEN if chooses_closings(position) else ""
        return step if step[-1:] == CHOSEN or "+" in step or "/" in step else point_name(parse_point(step)) + end
    if "/" in code and not any(sign in step for sign in "/+?"):
        begun = TurnCode.parse(code)
        if begun.open is not None:
            chain = (*begun.open, parse_point(step))
            if write_chain(chain) is None:
                raise BadNotation("no_point")
            return str(begun._replace(open=chain))
    return step


def encode(position: DotsPosition, turn: Turn) -> str:
    """Returns the code of a turn; its notation if it names what has no number. Raises IllegalMove."""
    offers = _Draft.of(position, turn.dot).numbered
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
    return str(TurnCode(turn.dot, taken, tuple(drawn)))


class _Draft(NamedTuple):
    """The turns with one dot, of which a step tries many: a canvas shares what they have in common. The `offers` are
    those that the dot itself makes, then the largest. The first MAX_OFFERS get a number."""

    position: DotsPosition
    canvas: Canvas | None
    offers: Sequence[Offer]

    @classmethod
    def of(cls, position: DotsPosition, dot: Point) -> Self:
        """Returns the draft of a dot. Raises IllegalMove."""
        canvas = position.canvas(dot) if position.rules.closing is Closing.DRAWN else None
        found = position.consequences_of(dot, canvas).offers
        return cls(
            position, canvas, sorted(found, key=lambda offer: (dot not in offer.chain, -offer.dots, offer.point))
        )

    @property
    def numbered(self) -> Sequence[Offer]:
        return self.offers[:MAX_OFFERS]

    def turn(self, code: TurnCode) -> Turn:
        return code.turn(self.position.rules.closing, self.offers)

    def play(self, turn: Turn) -> DotsPosition:
        """Raises IllegalMove."""
        return self.position.play(turn, self.canvas)

    def allows(self, code: TurnCode) -> bool:
        with suppress(IllegalMove):
            self.play(self.turn(code))
            return True
        return False


def _dot_step(position: DotsPosition, recent: Sequence[Point], rank: Rank) -> TurnStep:
    chances = rank(position, recent)
    end = CHOSEN if chooses_closings(position) else ""
    return TurnStep(
        "",
        Phrase("dot"),
        position.picture(),
        points={point: point_name(point) + end for point in chances},
        chances=chances,
        focus=recent[-1] if recent else None,
    )


def _chosen_step(position: DotsPosition, moves: RecentMoves, dot: Point) -> TurnStep:
    """Returns the dot with what its player can close for the first time, as far as that goes together."""
    code, draft = TurnCode(dot), _Draft.of(position, dot)
    for number, offer in enumerate(draft.numbered):
        if moves.since is None or any(_concerns(offer, point) for point in (dot, *moves.since)):
            fuller = code._replace(taken=code.taken | 1 << number)
            if draft.allows(fuller):
                code = fuller
    return _preview_step(draft, code, asks=bool(draft.offers))


def _concerns(offer: Offer, dot: Point) -> bool:
    """Returns whether a dot is part of an area or lies in it."""
    return dot in offer.chain or contains(offer.chain, 2 * dot.x, 2 * dot.y)


def _preview_step(draft: _Draft, code: TurnCode, *, asks: bool) -> TurnStep:
    """Returns the dot as a ghost, with what it does and what it may close."""
    position, offers = draft.position, draft.offers
    name, count = point_name(code.dot), code.taken.bit_count() + len(code.drawn)
    label, plain = Phrase("play_plain" if offers else "play", {"turn": name}), None
    if count:
        label = _play_label(code.dot, count)
        plain = StepOption(Phrase("play_plain", {"turn": name}), name)
    turn = draft.turn(code)
    step = _complete_step(position, str(code), turn, draft.play(turn), label, draft.numbered)
    effects = (*step.effects, *_describe_unnumbered(position, code, offers[MAX_OFFERS:]))
    options = (*_offer_options(draft, code), *_drawing_options(position, code))
    return replace(step, asks=asks, closable=len(offers), plain=plain, effects=effects, options=options)


def _describe_unnumbered(position: DotsPosition, code: TurnCode, offers: Sequence[Offer]) -> Iterator[Phrase]:
    """Yields how areas without a button can be closed: by typing."""
    if offers:
        turn = code._replace(taken=1, drawn=(), open=None).turn(position.rules.closing, offers)
        yield Phrase("unnumbered", {"count": len(offers), "turn": str(turn)})


def _notation_step(position: DotsPosition, text: str) -> TurnStep:
    """Returns the step of a turn in its notation, which names what has no number."""
    turn = position.rules.parse(text)
    if not isinstance(turn, Turn):
        raise BadNotation("no_point")
    label = _play_label(turn.dot, len(turn.paints) + len(turn.chains))
    return _complete_step(position, text, turn, position.play(turn), label, ())


def _play_label(dot: Point, count: int) -> Phrase:
    """Returns the label of the button that plays a dot and closes so many areas."""
    name = point_name(dot)
    return Phrase("play_closing", {"turn": name, "count": count}) if count else Phrase("play", {"turn": name})


def _complete_step(
    position: DotsPosition, code: str, turn: Turn, after: DotsPosition, label: Phrase, offers: Sequence[Offer]
) -> TurnStep:
    return TurnStep(
        code,
        label,
        preview_picture(position, after, turn, offers),
        complete_turn=str(turn),
        effects=tuple(describe_effects(position, turn.dot, after, offered=bool(offers))),
        back="",
        focus=turn.dot,
    )


def _offer_options(draft: _Draft, code: TurnCode) -> Iterator[StepOption]:
    """Yields a choice for each area: with what is chosen already, or else in its place."""
    for number, offer in enumerate(draft.numbered):
        together, alone = code._replace(taken=code.taken ^ 1 << number), TurnCode(code.dot, 1 << number)
        other = next(filter(draft.allows, (together, alone)), None)
        if other is not None:
            label = Phrase(
                f"offer.{draft.position.rules.closing}",
                {"number": number + 1, "point": point_name(offer.point), "count": offer.dots},
            )
            yield StepOption(label, str(other), bool(code.taken >> number & 1))


def _drawing_options(position: DotsPosition, code: TurnCode) -> Iterator[StepOption]:
    if position.rules.closing is Closing.DRAWN:
        yield StepOption(Phrase("draw"), str(code._replace(open=())))
        if code.drawn:
            yield StepOption(Phrase("undraw"), str(code._replace(drawn=code.drawn[:-1])))


def _close(draft: _Draft, code: TurnCode, chain: tuple[Point, ...]) -> TurnCode | None:
    """Returns the code with a chain that its player has drawn, and what was chosen before as far as that goes together;
    None if the chain can't be closed."""
    full = code._replace(drawn=(*code.drawn, chain), open=None)
    if draft.allows(full):
        return full
    closed = TurnCode(code.dot, drawn=(chain,))
    if not draft.allows(closed):
        return None
    drawn = ((0, (each,)) for each in code.drawn)
    taken = ((code.taken & 1 << number, ()) for number in range(code.taken.bit_length()))
    for number, chains in (*drawn, *taken):
        fuller = closed._replace(taken=closed.taken | number, drawn=(*chains, *closed.drawn))
        if draft.allows(fuller):
            closed = fuller
    return closed


def _chain_step(draft: _Draft, code: TurnCode, chain: tuple[Point, ...]) -> TurnStep:
    """Returns the choice of the next dot of a chain that the player draws."""
    position = draft.position
    mover, name = position.to_act, point_name(code.dot)
    stones = position.picture().stones
    own = {stone.point for stone in stones if stone.seat == mover and not stone.captured} | {code.dot}
    prompt = Phrase("chain_begins", {"turn": name})
    options: tuple[StepOption, ...] = ()
    if chain:
        last, links = chain[-1], LINKS if position.rules.links is Links.FAR else NEIGHBOURS
        own = own.intersection(Point(last.x + dx, last.y + dy) for dx, dy in links).difference(chain)
        if closed := _close(draft, code, chain):
            options = (StepOption(Phrase("close", {"point": point_name(chain[0])}), str(closed)),)
        key = "chain" if own else "chain_closes" if options else "chain_ends"
        prompt = Phrase(key, {"turn": name, "chain": "–".join(map(point_name, chain))})
    codes = {point: str(code._replace(open=(*chain, point))) for point in own}
    turn = draft.turn(code)
    return TurnStep(
        str(code),
        prompt,
        drawing_picture(position, draft.play(turn), turn, chain, codes),
        points=codes,
        chances=dict.fromkeys(codes, 1.0),
        options=options,
        back=str(code._replace(open=chain[:-1] if chain else None)),
        focus=chain[-1] if chain else code.dot,
    )
