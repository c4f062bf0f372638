"""Plays a whole turn for the player who asks: its board is the answer, or else a private line that links to it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bot.features.match.board_link import with_board_link
from bot.interactions.context import Context
from play.clock import Speed
from play.services.match_writer import Late

if TYPE_CHECKING:
    from bot.interactions.deferral import Deferral
    from play.match.match import Match
    from play.people.settings import Person


async def play_turn(
    ctx: Context, match: Match, turn: str, deferral: Deferral, version: int | None = None
) -> str | None:
    """Plays `turn` in `match`. With `version` it counts only if nothing has happened since.

    Returns None if the new board was the answer to the ctx.interaction. Otherwise the interaction is acknowledged, the
    board is posted, and the line that is returned, for the player alone, links to it. Raises Refused.
    """
    move = partial(ctx.services.matches.move, match.id, ctx.user, turn, ctx.at, ctx.key, version=version)
    after: Match | None = None
    async with ctx.services.relay.reserve(match.id, ctx.services.answer_seconds) as held:
        if held is not None and ctx.services.publisher.can_answer(ctx, match):
            with suppress(Late):
                after = await move(delivers=True)
                if await ctx.services.publisher.answer_with_board(ctx, deferral, after, held):
                    await ctx.services.channels.open_channel(ctx.interaction)
                    return None
    await deferral.acknowledge()
    after = after or await move()
    words = await ctx.words()
    played = next(event for event in after.events if event.source == ctx.key)
    return await with_board_link(ctx.services, after, words("move.done", move=played.text), words)


def wants_confirmation(person: Person, match: Match) -> bool:
    """Whether a person wants to look at a move of his before it counts."""
    return person.confirms(live=match.clock.control.speed is Speed.LIVE)
