"""Privacy: a player can get all that is stored of them, and delete it."""

from __future__ import annotations

import gzip
from io import BytesIO

import discord
import orjson

from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm


class DeleteDataButton(Confirmation, id=ids.DELETE_DATA):
    """A button that deletes the data of the player who presses it."""

    async def carry_out(self, ctx: Context) -> list[Part]:
        words = await ctx.words()
        await ctx.services.privacy.forget(ctx.user, ctx.at)
        ctx.services.names.forget(ctx.user)
        ctx.services.jobs.clear_cache()
        return [words("privacy.done")]


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
    await confirm(ctx, words("privacy.ask"), DeleteDataButton.make(words("privacy.button")))


BUTTONS: tuple[type[DeleteDataButton], ...] = (DeleteDataButton,)
