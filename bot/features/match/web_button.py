"""*Board*: the way from a message to the web board, and out of all browsers."""

from __future__ import annotations

import logging
from re import Match as Found
from typing import Any, Self

import discord

from bot.features.match.button import MATCH, MatchButton
from bot.i18n.words import Words
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.interactions.layout import rows
from bot.interactions.permissions import load_visible_match
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)


class BoardButton(MatchButton, template=rf"{MATCH}:web"):
    """Gives a user a link to this game on the web: players play there, others watch."""

    action = "web"

    async def pressed(self, ctx: Context) -> None:
        if ctx.services.hosting.client_secret and await self._launched(ctx):
            return
        await ctx.open_panel()
        links = ctx.services.web_links
        if links is None:
            raise Refused(Reason.OLD_BUTTON)
        match = await load_visible_match(ctx, self.match)
        watches, sessions = ctx.user not in match.players, ctx.services.web_sessions
        key, now = await sessions.link_key(ctx.user), await sessions.now()
        words = await ctx.words()
        url = links.make(ctx.user, match.id, now, key=key, seen=match.channel if watches else None)
        label = words("button.web.watch" if watches else "button.web.open")
        line = words("web.link.watch" if watches else "web.link.play")
        await ctx.show([line, *rows([discord.ui.Button(label=label, url=url), SignOut.of(words)])])

    async def _launched(self, ctx: Context) -> bool:
        """Opens the Activity; False where Discord has none of this application, so that a link is needed."""
        try:
            await ctx.interaction.response.launch_activity()
        except discord.HTTPException as error:
            log.info("Discord opens no Activity: %s", error)
            return False
        return True


class SignOut(GatedItem, discord.ui.DynamicItem[Item], template=r"me:signout"):
    """Ends all sessions of the user's browsers."""

    def __init__(self, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id="me:signout"))

    @classmethod
    def of(cls, words: Words) -> Self:
        return cls(words("button.web.signout"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, _: Found[str], /) -> Self:
        return cls(item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.services.web_sessions.leave_all(ctx.user)
        words = await ctx.words()
        await ctx.show([words("web.link.signed_out")])


BUTTONS: tuple[type[discord.ui.DynamicItem[Item]], ...] = (BoardButton, SignOut)
