"""The first game of a newcomer: one press begins it, against the weakest level on a small board.

The custom id of the button knows nobody: each user who presses it gets a game of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.features.challenges.new_challenges import post_challenge
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import link_button
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.request import own_id
from bot.services.keyed_locks import KeyedLocks
from opponent.levels import EASIEST
from play.challenge.terms import USUAL_CONTROL, Order, Terms
from play.ids import ChannelId, GuildId, UserId
from play.match.listed import OpenMatch
from presentation.addresses import game_link
from rules.registry import DEFAULT, make_game

NEWCOMER_TERMS = Terms(make_game(DEFAULT, {"size": "9x9"}), USUAL_CONTROL, Order.FIRST, level=EASIEST)
"""The player moves first, and has days for it: nobody loses a first game by the clock while they read the rules."""

LOCKS = KeyedLocks[UserId]()
"""A player begins one first game, however often they press."""


class PlayNewcomer(Component, id=ids.NEWCOMER):
    """Begins the game of the user who presses it. Show it only where `ctx.services.coach` has the computer."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await begin_newcomer_game(ctx))


async def begin_newcomer_game(ctx: Context) -> list[Part]:
    """Begins the game where the interaction is, and returns what the player is told: the way to it.

    A player whose first game here is still open is led to that one. The interaction is acknowledged. Raises Refused.
    """
    ctx.services.coach.advisor(ctx.user)
    async with LOCKS.of(ctx.user):  # the second of two quick presses finds the game of the first
        opened, computer = await ctx.use_cases.matches.list_open(ctx.user), own_id(ctx.interaction.client)
        if (running := running_game(opened, computer, ctx.guild, ctx.channel)) is not None:
            words, address = await ctx.words(), game_link(running, running.board)
            return [words("newcomer.running"), [link_button(words("button.go"), address)]]
        await permissions.require_playable_channel(ctx, alone=True)
        return await post_challenge(ctx, None, NEWCOMER_TERMS)


def running_game(
    opened: Iterable[OpenMatch], computer: UserId, guild: GuildId | None, channel: ChannelId
) -> OpenMatch | None:
    """Returns that of a player's open games which is on this board against the computer: on a server, or without one in
    a private channel."""
    for entry in opened:
        here = entry.guild == guild if guild else entry.channel == channel
        is_small = entry.game.options["size"] == NEWCOMER_TERMS.game.options["size"]
        if here and computer in entry.players and is_small and not entry.lost:
            return entry
    return None


BUTTONS: tuple[type[PlayNewcomer], ...] = (PlayNewcomer,)
