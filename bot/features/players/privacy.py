"""Privacy: a player can get all that is stored of them, and delete it."""

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


class DeleteDataButton(GatedItem, discord.ui.DynamicItem[Item], template=r"privacy:forget"):
    """A button that deletes the data of the player who presses it; the message with it is theirs alone."""

    def __init__(self, label: str | None) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(discord.ui.Button(label=label, style=style, custom_id="privacy:forget"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        words = await ctx.words()
        await ctx.services.privacy.forget(ctx.user, ctx.at)
        ctx.services.names.forget(ctx.user)
        ctx.services.jobs.clear_cache()
        await ctx.interaction.edit_original_response(content=fit(words("privacy.done")), view=None)


async def send_stored_data(ctx: Context) -> None:
    """Sends the player a file of all that is stored of them. The interaction is acknowledged."""
    words = await ctx.words()
    found = await ctx.services.privacy.export(ctx.user)
    data, name = orjson.dumps(found, option=orjson.OPT_INDENT_2), "kropka-data.json"
    if len(data) > ctx.interaction.filesize_limit:  # years of games; compressed they take a tenth
        data = await ctx.services.jobs.pictures.make(ctx.user, gzip.compress, data, keep=False)
        name += ".gz"
    await ctx.reply(words("privacy.export"), file=discord.File(BytesIO(data), name))


async def ask_to_delete(ctx: Context) -> None:
    """Says what deletion means, and asks. The interaction is acknowledged."""
    words = await ctx.words()
    await ctx.reply(words("privacy.ask"), view=row(DeleteDataButton(words("privacy.button"))))


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (DeleteDataButton,)
