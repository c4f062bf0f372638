"""Sharing: a button of a private answer posts a copy of it in the channel.

A copy has what every member of the server can see by a command of their own, and nothing else: it is made anew, in the
language and the look of the server. Its buttons open private answers, so it stays as it was shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import discord

from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part, files, layout
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.words.words import Words

NONCE_BYTES = 12
"""Bytes of the nonce of a copy; their digits fit into Discord's 25 characters."""


class Audience(NamedTuple):
    """The language and the look (`theme`) in which readers see an answer. `members` says that all of a server do."""

    words: Words
    theme: str
    members: bool = False

    @classmethod
    async def reader(cls, ctx: Context) -> Audience:
        """Returns the player alone."""
        return cls(await ctx.words(), (await ctx.settings()).theme)

    @classmethod
    async def server(cls, ctx: Context) -> Audience:
        """Returns all members of the server."""
        theme = (await permissions.server_settings(ctx)).theme
        return cls(await ctx.services.locales.for_guild(ctx.guild, ctx.user), theme, members=True)


class ShareButton(Component):
    """A button that posts a copy of the answer it hangs on. What that is, its custom id says."""

    emoji = "📣"

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _require_sharing(ctx)
        members = await Audience.server(ctx)
        credit = members.words("share.by", user=f"<@{ctx.user}>")
        await _post(ctx, self.custom_id, [credit, *await self.parts(ctx, members)])

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        """Returns what all members of the server may see of it. Raises Refused."""
        raise NotImplementedError


def can_share(ctx: Context) -> bool:
    """Returns whether there is a channel to share into: direct messages and user installs have none."""
    return permissions.installed_guild(ctx) is not None


async def is_shareable(ctx: Context, match: Match) -> bool:
    """Returns whether every member of the server may see a match: it is played there, or was, in no private thread.

    Raises Refused (`discord_away`).
    """
    is_here = match.guild is not None and match.guild == permissions.installed_guild(ctx)
    return is_here and not await permissions.is_hidden(ctx, match, members=True)


async def load_shareable(ctx: Context, number: MatchId) -> Match:
    """Returns a match of this server. Raises Refused (`no_match`, `nothing_to_share`, `discord_away`)."""
    match = await permissions.load_visible_match(ctx, number)
    if not await is_shareable(ctx, match):
        raise Refused(Reason.NOTHING_TO_SHARE)
    return match


async def _require_sharing(ctx: Context) -> None:
    """Raises Refused where the bot may not post, or the player may not write, and if too much is posted there."""
    if not can_share(ctx):
        raise Refused(Reason.NOTHING_TO_SHARE)
    await permissions.require_playable_channel(ctx, alone=False)
    own = ctx.interaction.permissions
    in_thread = isinstance(ctx.interaction.channel, discord.Thread)
    if not (own.send_messages_in_threads if in_thread else own.send_messages):
        raise Refused(Reason.SHARE_NOT_ALLOWED)
    ctx.services.gate.count_card(ctx.channel)


async def _post(ctx: Context, custom_id: str, parts: Sequence[Part]) -> None:
    """Posts the copy, once however often the button of this message is pressed within minutes, and says where."""
    host = ctx.interaction.message
    nonce = blake2b(f"{host and host.id}:{custom_id}".encode(), digest_size=NONCE_BYTES).hexdigest()

    def message() -> dict[str, Any]:
        return {"view": layout(parts), "files": files(parts), "allowed_mentions": discord.AllowedMentions.none()}

    posted = await ctx.services.channels.post(ctx.channel, message, nonce, guild=ctx.guild)
    words = await ctx.words()
    await ctx.reply(words("share.done", url=link(ctx.guild, ctx.channel, posted)))
