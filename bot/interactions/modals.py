"""Forms that outlive the process: all they know is in their custom id, like a button's."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from bot.interactions import admission, errors
from bot.interactions.context import Context
from bot.interactions.offers import Field, form_fits
from play.refusal import Reason, Refused


class Form(NamedTuple):
    """A template of custom ids with its handler, which acknowledges and may raise, and the fields that it has.

    Forms with the same template have different fields.
    """

    template: re.Pattern[str]
    handle: Callable[[Context, re.Match[str]], Awaitable[None]]
    fields: tuple[Field, ...]


async def dispatch(ctx: Context, forms: Sequence[Form]) -> None:
    """Hands a submitted form to its handler; what that raises is explained to the player."""
    try:
        if not await admission.admit(ctx):
            return
        for form in forms:
            found = form.template.fullmatch(_custom_id(ctx))
            if found and form_fits(form.fields, ctx.interaction.data or {}):
                await form.handle(ctx, found)
                return
        raise Refused(Reason.OLD_BUTTON)
    except Exception as error:
        await errors.reply_error(ctx, error)


def _custom_id(ctx: Context) -> str:
    data: Any = ctx.interaction.data or {}
    return str(data.get("custom_id", ""))


def field_value(ctx: Context, field: Field) -> str:
    """Returns the value of a field of the form, which has it."""
    data: Any = ctx.interaction.data
    components = (label["component"] for label in data["components"])
    return next(str(each["value"]) for each in components if each["custom_id"] == field.name)
