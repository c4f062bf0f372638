"""What is stored of a person: he can have it all, and have it forgotten."""

from __future__ import annotations

import gzip
from io import BytesIO
from re import Match as Found
from typing import Any, Self

import discord
import orjson

from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.services.text_limits import fit


class Forget(GatedItem, discord.ui.DynamicItem[Item], template=r"privacy:forget"):
    """Forgets whoever presses it; it stands in a message that he alone sees."""

    def __init__(self, label: str | None) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(discord.ui.Button(label=label, style=style, custom_id="privacy:forget"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _forgotten(ctx)


async def send_stored_data(ctx: Context) -> None:
    """Gives the person a file of all that is stored of him. The interaction is acknowledged."""
    words = await ctx.words()
    found = await ctx.services.privacy.export(ctx.user)
    data, name = orjson.dumps(found, option=orjson.OPT_INDENT_2), "kropka-data.json"
    if len(data) > ctx.interaction.filesize_limit:  # years of games: a tenth of it, packed
        lane, user = ctx.services.jobs, ctx.user
        data, name = await lane.pictures.make(user, gzip.compress, data, keep=False), f"{name}.gz"
    await ctx.reply(words("privacy.export"), file=discord.File(BytesIO(data), name))


async def ask_to_delete(ctx: Context) -> None:
    """Says what forgetting means, and asks. The interaction is acknowledged."""
    words = await ctx.words()
    await ctx.reply(words("privacy.ask"), view=row(Forget(words("privacy.button"))))


async def _forgotten(ctx: Context) -> None:
    words = await ctx.words()
    await ctx.services.privacy.forget(ctx.user, ctx.at)
    ctx.services.names.forget(ctx.user)
    ctx.services.jobs.clear_cache()
    await ctx.interaction.edit_original_response(content=fit(words("privacy.done")), view=None)


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Forget,)
