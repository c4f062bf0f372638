"""The form of the terms panel for a value that no menu lists."""

from __future__ import annotations

from typing import Final

import discord

from bot.features.terms.terms_code import encode
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.offers import TextField
from play.challenge.terms import Terms
from play.clock.agreement import play_out_text

MAX_VALUE = 30
"""Characters of a typed value."""

VALUE: Final = TextField("value", MAX_VALUE)


async def open_form(ctx: Context, target: str, draft: Terms, asked: str) -> None:
    """Opens the form for a setting, with the value that it has now."""
    words = await ctx.words()
    form = discord.ui.Modal(
        title=words(f"terms.{asked}.title"),
        timeout=None,
        custom_id=ids.TERMS_FORM(target=target, draft=encode(draft), field=asked),
    )
    form.add_item(
        discord.ui.Label(
            text=words(f"terms.{asked}.label"),
            description=words(f"terms.{asked}.description"),
            component=VALUE.make(default=_present_value(draft, asked)),
        )
    )
    form.stop()
    await ctx.interaction.response.send_modal(form)


def _present_value(draft: Terms, asked: str) -> str:
    if asked == "clock":
        return str(draft.control)
    if asked == "play_out":
        return play_out_text(draft.time_to_play_out)
    return draft.game.options[asked]
