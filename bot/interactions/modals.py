"""Forms that outlive the process: like a button's, a form's custom id says all that is needed when it comes back."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from bot.interactions import admission, errors
from bot.interactions.context import Context
from play.refusal import Refused

MAX_FIELD = 4000
"""Characters that are read of a field; Discord's own limit."""


class Form(NamedTuple):
    """What answers the forms whose custom id fits the template. `filled` acknowledges, and may raise."""

    template: re.Pattern[str]
    handle: Callable[[Context, re.Match[str]], Awaitable[None]]


async def dispatch(ctx: Context, forms: Sequence[Form]) -> None:
    """Somebody has sent a form."""
    try:
        if not await admission.admit(ctx):
            return
        for form in forms:
            if found := form.template.fullmatch(_custom_id(ctx)):
                await form.handle(ctx, found)
                return
        raise Refused("old_button")
    except Exception as error:
        await errors.reply_error(ctx, error)


def _custom_id(ctx: Context) -> str:
    data: Any = ctx.interaction.data or {}
    return str(data.get("custom_id", ""))


def text_value(ctx: Context, field: str) -> str:
    """What stands in a text field of a form. Raises Refused (`old_button`) for a form without it."""
    data: Any = ctx.interaction.data or {}
    for label in data.get("components", ()):
        component = label.get("component") or {}
        if component.get("custom_id") == field and isinstance(component.get("value"), str):
            value: str = component["value"]
            return value[:MAX_FIELD]
    raise Refused("old_button")
