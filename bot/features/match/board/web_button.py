"""*Board*: the way from a message to the web board, and out of all browsers."""

from __future__ import annotations

import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import rows
from bot.interactions.permissions import load_visible_match
from play.ids import MatchId, side_of
from play.match.match import Match
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)


class BoardButton(MatchButton, id=ids.BOARD):
    """Gives a user a link to this game on the web: players play there, others watch."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_link(ctx, self.match)


class LaunchButton(MatchButton, id=ids.LAUNCH):
    """Opens this game in the Activity. It is beside the link, never instead of it: Discord tells only the user's client
    why it opens none, for example while the application is not verified and the server has more than 25 members."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.services.web_sessions.prepare_launch(ctx.user, await load_visible_match(ctx, self.match))
        try:
            await ctx.interaction.response.launch_activity()
        except discord.HTTPException as error:
            log.info("Discord opens no Activity: %s", error)
            await ctx.open_panel()
            await show_link(ctx, self.match, launches=False)


class SignOut(Component, id=ids.SIGN_OUT):
    """Ends all sessions of the user's browsers."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.services.web_sessions.leave_all(ctx.user)
        words = await ctx.words()
        await ctx.show([words("web.link.signed_out")])


async def show_link(ctx: Context, number: MatchId, *, launches: bool = True) -> None:
    """Shows the panel with a link. Where there is an Activity the panel has that as well, unless it was just tried and
    nothing `launches`."""
    links = ctx.services.web_links
    if links is None:
        raise Refused(Reason.OLD_BUTTON)
    match = await load_visible_match(ctx, number)
    watches, sessions = ctx.user not in match.players, ctx.services.web_sessions
    acts = not watches or await _votes(ctx, match)
    key, now = await sessions.link_key(ctx.user), await sessions.now()
    words = await ctx.words()
    url = links.make(ctx.user, match.id, now, key=key, seen=match.channel if watches else None)
    label = words("button.web.open" if acts else "button.web.watch")
    line = words("web.link.play" if acts else "web.link.watch")
    lines = [line] if launches else [words("web.link.no_activity"), line]
    has_activity = launches and ctx.services.hosting.client_secret is not None
    inside = [LaunchButton.to(match, words)] if has_activity else []
    out = SignOut.make(words("button.web.signout"))
    await ctx.show([*lines, *rows([discord.ui.Button(label=label, url=url), *inside, out])])


async def _votes(ctx: Context, match: Match) -> bool:
    """Returns whether the user may vote for a side of the match."""
    try:
        return side_of(await ctx.account_in(match)) is not None
    except Refused:
        return False


PRIMARY_ENTRY_POINT: Final = 4


DISCORD_LAUNCH_ACTIVITY: Final = 2


class EntryPoint(app_commands.Command[Any, Any, None]):
    """A command that discord.py tells Discord with the others, though it has no class for its type."""

    def to_dict(self, tree: app_commands.CommandTree[Any]) -> dict[str, Any]:
        return {**super().to_dict(tree), "type": PRIMARY_ENTRY_POINT, "handler": DISCORD_LAUNCH_ACTIVITY}


async def launch(_: Context) -> None:
    raise Refused(Reason.OLD_BUTTON)  # Discord sends no interaction for it


COMMANDS = (Command(launch, kind=EntryPoint),)
BUTTONS: tuple[type[Component], ...] = (BoardButton, LaunchButton, SignOut)
