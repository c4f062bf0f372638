"""`/review`: a finished match looked at again, with its turning points and what the players could expect."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING

from bot.coach import teaching
from bot.interactions.panel import Part, show
from bot.interactions.request import Request
from bot.names import escaped
from bot.turns.playing import person
from opponent.review import Review, Slip, replayed, review
from play.refused import Refused
from renderer.graph import graph
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.coach.computer import Computer
    from bot.words import Words
    from play.ids import MatchId
    from play.match import Match

KEPT = 64
"""Reviews that are remembered."""

LEAST = 4
"""Moves of a match that is worth a review."""


class Reviews:
    """Makes each review once, however many ask for it."""

    def __init__(self) -> None:
        self._made: OrderedDict[MatchId, Review] = OrderedDict()
        self._making: defaultdict[MatchId, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, match: Match, computer: Computer) -> Review:
        """Takes up to a minute for a long match. Raises Refused (`computer_busy`)."""
        async with self._making[match.id]:
            made = self._made.get(match.id)
            if made is None:
                made = await review(match.game, match.seed, [move.text for move in match.moves], computer.help)
                self._made[match.id] = made
                if len(self._made) > KEPT:
                    self._made.popitem(last=False)
        self._making.pop(match.id, None)
        return made


async def reviewed(interaction: Interaction) -> None:
    """Shows the review of the channel's match in a private panel. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    computer = client.teacher.helper()
    match = await client.tables.board(request.here)
    if match.outcome is None:
        raise Refused("match_goes_on")
    if len(match.moves) < LEAST:
        raise Refused("too_short_to_review")
    words = await client.audience.alone(interaction)
    made = await client.teacher.reviews.of(match, computer)
    names = await client.names.of_all(match.players, match.guild)
    theme = (await person(client, request.user)).theme
    await show(interaction, await asyncio.to_thread(_parts, match, made, names, words, theme))


def _parts(match: Match, made: Review, names: tuple[str, ...], words: Words, theme: str) -> list[Part]:
    positions = replayed(match.game, match.seed, [move.text for move in match.moves])
    parts: list[Part] = [words("review.head", count=len(made.slips))]
    if len(names) == 2:
        plates = tuple(
            Plate(name, words.number(score), Mark.NONE, words(f"colour.{seat}"))
            for seat, (name, score) in enumerate(zip(names, match.score, strict=True))
        )
        curves = [tuple(max(0.0, lead) for lead in leads) for leads in made.expected]
        chart = graph(curves, Header(plates, words("review.graph")), THEMES.get(theme, PAPER))
        parts.append(teaching.file(chart, f"kropka-{match.id}-graph", words("review.graph.alt")))
    for slip in made.slips:
        before = positions[slip.number - 1]
        picture = teaching.better(match.game, before, slip.line, slip.played)
        alt = words("review.alt", number=slip.number, played=slip.played, better=slip.better)
        parts.append(_told(match, slip, names, words))
        parts.append(teaching.file(teaching.drawn(picture, theme), f"kropka-{match.id}-{slip.number}", alt))
    return parts


def _told(match: Match, slip: Slip, names: tuple[str, ...], words: Words) -> str:
    lost = words(
        "review.slip",
        number=slip.number,
        name=escaped(names[slip.seat]),
        played=slip.played,
        better=slip.better,
        points=words.number(round(slip.lost, 1)),
    )
    return f"{lost} {teaching.gains(match.game, slip.captures, slip.line, words)}".strip()
