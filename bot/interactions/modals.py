"""Forms that outlive the process: all they know is in their custom id, like a button's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import discord

from bot.interactions import admission, errors
from bot.interactions.context import Context
from bot.interactions.custom_id import CustomId
from bot.interactions.offers import Field, form_fits
from play.refusal import Reason, Refused


class Form(NamedTuple):
    """A form of ids with its handler, which takes the values in an id, acknowledges and may raise; and the fields.

    Of those with the same ids, each has other fields.
    """

    id_form: CustomId
    handle: Callable[..., Awaitable[None]]
    fields: tuple[Field, ...]


def make_form(custom_id: str, title: str, *questions: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Returns a form that is only shown: discord.py keeps nothing of it in memory."""
    form = discord.ui.Modal(custom_id=custom_id, title=title, timeout=None)
    for question in questions:
        form.add_item(question)
    form.stop()
    return form


async def dispatch(ctx: Context, forms: Sequence[Form]) -> None:
    """Hands a submitted form to its handler; what that raises is explained to the player."""
    try:
        if not await admission.admit(ctx):
            return
        for form in forms:
            values = form.id_form.read(ctx.interaction.custom_id or "")
            if values is not None and form_fits(form.fields, ctx.interaction.data or {}):
                await form.handle(ctx, **values)
                return
        raise Refused(Reason.OLD_BUTTON)
    except Exception as error:
        await errors.reply_error(ctx, error)


def field_value(ctx: Context, field: Field) -> str:
    """Returns the value of a field of the form, which has it."""
    data: Any = ctx.interaction.data
    components = (label["component"] for label in data["components"])
    return next(str(each["value"]) for each in components if each["custom_id"] == field.name)
