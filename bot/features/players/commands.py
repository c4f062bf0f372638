"""`/profile`, `/history`, `/versus` and `/privacy`, and two context menus of people."""

from __future__ import annotations

import discord

from bot.features.players import histories, privacy, profiles
from bot.interactions.commands import Command, Declared, Group, Menu, declare
from bot.interactions.context import Context
from play.ids import UserId
from play.refusal import Reason, Refused


async def profile(ctx: Context, player: discord.User | None = None) -> None:
    await profiles.show_profile(ctx, _subject(ctx, player))


async def history(ctx: Context, player: discord.User | None = None) -> None:
    await histories.show_history(ctx, _subject(ctx, player))


async def versus(ctx: Context, opponent: discord.User, player: discord.User | None = None) -> None:
    one, other = _subject(ctx, player), _subject(ctx, opponent)
    if one == other:
        raise Refused(Reason.VERSUS_ONESELF)
    await histories.show_history(ctx, one, other)


async def profile_menu(ctx: Context, player: discord.User) -> None:
    await profile(ctx, player)


async def versus_menu(ctx: Context, opponent: discord.User) -> None:
    await versus(ctx, opponent)


async def export(ctx: Context) -> None:
    await privacy.send_stored_data(ctx)


async def delete(ctx: Context) -> None:
    await privacy.ask_to_delete(ctx)


def _subject(ctx: Context, player: discord.User | None) -> UserId:
    """Returns the player that a command is about: the named one, whose name is kept, or else the user."""
    if player is None:
        return ctx.user
    ctx.services.names.remember(player, ctx.guild)
    return UserId(player.id)


COMMANDS: tuple[Declared, ...] = (
    Command(profile),
    *(Command(each, like="profile") for each in (history, versus)),
    Group("privacy", declare(export, delete)),
    Menu("profile", profile_menu),
    Menu("versus", versus_menu),
)
