"""Plays a complete turn for a player: its board is the answer, or else a private line that links to the board."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from bot.features.match.board_link import with_board_link
from bot.interactions.context import Context, Services
from bot.interactions.deferral import Deferral
from play.clock import Speed
from play.ids import side_of
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.turns import step_at
from play.votes.side import is_practice
from presentation.match.turn_text import turn_text
from rules.game import RuleError
from use_cases.match_writer import Late
from use_cases.matches import is_rated


async def play_turn(
    ctx: Context, match: Match, turn: str, deferral: Deferral, version: int | None = None
) -> tuple[Match, str | None]:
    """Plays `turn` in `match`. With a `version`, it counts only if that is still the newest.

    Returns the match after it, and None if the new board answered the interaction. Otherwise the interaction is
    acknowledged and the board is posted; returns a line for the player that links to it. Raises Refused.
    """
    move = partial(ctx.use_cases.matches.move, match.place, ctx.user, turn, ctx.at, ctx.key, version=version)
    after: Match | None = None
    async with ctx.services.boards.relay.reserve(match.place, ctx.services.answer_seconds) as held:
        if held is not None and ctx.services.boards.publisher.can_answer(ctx, match):
            with suppress(Late):
                after = await move(delivers=True)
                if await ctx.services.boards.publisher.answer_with_board(ctx, deferral, after, held):
                    await ctx.services.channels.open_channel(ctx.interaction)
                    return after, None
    await deferral.acknowledge()
    after = after or await move()
    ctx.services.intake.leave(ctx.interaction.id)  # what is left is to wait for the board
    words = await ctx.words()
    played = next(event for event in after.events if event.key == ctx.key)
    line = words("move.done", move=turn_text(after.game, played.text, words))
    return after, await with_board_link(ctx.services, after, line, words)


async def undisputed_turn(ctx: Context, match: Match, code: str) -> str | None:
    """Returns the turn of a code if it is complete and its player neither confirms turns nor has anything to decide."""
    if not code or await confirms_turns(ctx.services, match, await ctx.settings()):
        return None
    with suppress(RuleError):
        step = await asyncio.to_thread(step_at, match, code)
        return step.complete_turn if step and not step.asks else None
    return None


async def confirms_turns(services: Services, match: Match, settings: PlayerSettings) -> bool:
    """Returns whether a player wants to look at a turn before it counts. Practice is played as a live game is; a vote
    can be changed, so it counts at once."""
    if side_of(match.players[match.position.to_act]) is not None:
        return False
    live = match.clock.control.speed is Speed.LIVE
    if not live and settings.confirm_days != settings.confirm_live:
        async with services.store.read() as reader:
            live = is_practice(match, services.names.own_id, rated=await is_rated(reader, match.id))
    return settings.confirms(live=live)
