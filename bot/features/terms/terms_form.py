"""The form of the terms panel for a value that no menu lists."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.features.terms.terms_code import encode
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.modals import make_form, open_form
from bot.interactions.offers import TextField
from play.challenge.terms import Terms
from play.clock.agreement import play_out_text

MAX_VALUE = 30
"""Characters of a typed value."""

VALUE: Final = TextField("value", MAX_VALUE)


async def ask_for_value(ctx: Context, target: str, draft: Terms, asked: str) -> None:
    """Opens the form for a setting, with the value that it has now."""
    words = await ctx.words()
    question = discord.ui.Label[Any](
        text=words(f"terms.{asked}.label"),
        description=words(f"terms.{asked}.description"),
        component=VALUE.make(default=_present_value(draft, asked)),
    )
    custom_id = ids.TERMS_FORM(target=target, draft=encode(draft), field=asked)
    await open_form(ctx, make_form(custom_id, words(f"terms.{asked}.title"), question))


def _present_value(draft: Terms, asked: str) -> str:
    if asked == "clock":
        return str(draft.control)
    if asked == "play_out":
        return play_out_text(draft.time_to_play_out)
    return draft.game.options[asked]
