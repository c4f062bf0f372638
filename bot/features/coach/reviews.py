"""`/review`: a finished match looked at again, with its turning points and what the players could expect."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from bot.features.coach import pictures
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.services.names import escape
from opponent.review import Review, Slip, replayed, review
from play.refusal import Reason, Refused
from renderer.graph import graph
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.features.coach.computer import Computer
    from bot.i18n.words import Words
    from play.ids import MatchId
    from play.match.match import Match
    from rules.game import AnyGame

CACHE_SIZE = 64
"""Reviews that are remembered."""

REVIEW_SECONDS = 300.0
"""For a review, the wait for others that are made before it included; Discord takes no answer after 900."""

MIN_MOVES = 4
"""Moves of a match that is worth a review."""


class Reviews:
    """Makes each review once, however many ask for it."""

    def __init__(self) -> None:
        self._made: OrderedDict[MatchId, Review] = OrderedDict()
        self._making: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def of(self, match: Match, computer: Computer) -> Review:
        """Takes up to two minutes for a long match. Raises Refused (`computer_busy`)."""
        turn = self._making.setdefault(match.id, asyncio.Lock())
        try:
            async with asyncio.timeout(REVIEW_SECONDS), turn:
                made = self._made.get(match.id)
                if made is None:
                    made = await review(match.game, match.seed, [move.text for move in match.moves], computer.help)
                    self._made[match.id] = made
                    if len(self._made) > CACHE_SIZE:
                        self._made.popitem(last=False)
        except TimeoutError as error:
            raise Refused(Reason.COMPUTER_BUSY) from error
        return made


async def show_review(ctx: Context) -> None:
    """Shows the review of the channel's match in a private panel. The interaction is acknowledged. Raises Refused."""
    ctx.services.coach.advisor()
    with ctx.services.jobs.one_at_a_time(ctx.user):
        match = await ctx.services.matches.load(ctx.here)
        if match.outcome is None:
            raise Refused(Reason.MATCH_GOES_ON)
        if len(match.moves) < MIN_MOVES:
            raise Refused(Reason.TOO_SHORT_TO_REVIEW)
        words = await ctx.words()
        made = await ctx.services.coach.review(match)
        names = await ctx.services.names.of_all(match.players, match.guild)
        theme = (await ctx.settings()).theme
        moves = tuple(move.text for move in match.moves)
        pngs = await ctx.services.jobs.pictures.make(
            ctx.user, _drawn, match.game, match.seed, moves, made, _header(match, names, words), theme
        )
        await ctx.show(_parts(match, made, pngs, names, words))


def _header(match: Match, names: tuple[str, ...], words: Words) -> Header | None:
    """What stands above the curves; None where more than two have played, of whom none are drawn."""
    if len(names) != 2:
        return None
    plates = tuple(
        Plate(name, words.number(score), Mark.NONE, words(f"colour.{seat}"))
        for seat, (name, score) in enumerate(zip(names, match.score, strict=True))
    )
    return Header(plates, words("review.graph"))


def _drawn(
    game: AnyGame, seed: int, moves: tuple[str, ...], made: Review, header: Header | None, theme: str
) -> list[bytes]:
    """The pictures of a review: the curves below a `header`, if there is one, then each turning point."""
    positions, pngs = replayed(game, seed, moves), []
    if header is not None:
        curves = [tuple(max(0.0, lead) for lead in leads) for leads in made.expected]
        pngs.append(graph(curves, header, THEMES.get(theme, PAPER)))
    for slip in made.slips:
        picture = pictures.better_turn(game, positions[slip.number - 1], slip.line, slip.played)
        pngs.append(pictures.draw_part(picture, theme))
    return pngs


def _parts(match: Match, made: Review, pngs: Sequence[bytes], names: tuple[str, ...], words: Words) -> list[Part]:
    parts: list[Part] = [words("review.head", count=len(made.slips))]
    left = iter(pngs)
    if len(names) == 2:
        parts.append(pictures.picture_file(next(left), f"kropka-{match.id}-graph", words("review.graph.alt")))
    for slip, png in zip(made.slips, left, strict=True):
        alt = words("review.alt", number=slip.number, played=slip.played, better=slip.better)
        parts.append(_told(match, slip, names, words))
        parts.append(pictures.picture_file(png, f"kropka-{match.id}-{slip.number}", alt))
    return parts


def _told(match: Match, slip: Slip, names: tuple[str, ...], words: Words) -> str:
    lost = words(
        "review.slip",
        number=slip.number,
        name=escape(names[slip.seat]),
        played=slip.played,
        better=slip.better,
        points=words.number(round(slip.lost, 1)),
    )
    return f"{lost} {pictures.gains(match.game, slip.captures, slip.line, words)}".strip()
