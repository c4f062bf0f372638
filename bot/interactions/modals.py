"""Forms that outlive the process: all they know is in their custom id, like a button's."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from bot.interactions import admission, errors
from bot.interactions.context import Context
from play.refusal import Reason, Refused

MAX_FIELD = 4000
"""Characters that are read of a field; Discord's limit."""


class Form(NamedTuple):
    """A template of custom ids with its handler, which acknowledges and may raise."""

    template: re.Pattern[str]
    handle: Callable[[Context, re.Match[str]], Awaitable[None]]


async def dispatch(ctx: Context, forms: Sequence[Form]) -> None:
    """Hands a submitted form to its handler; what that raises is explained to the player."""
    try:
        if not await admission.admit(ctx):
            return
        for form in forms:
            if found := form.template.fullmatch(_custom_id(ctx)):
                await form.handle(ctx, found)
                return
        raise Refused(Reason.OLD_BUTTON)
    except Exception as error:
        await errors.reply_error(ctx, error)


def _custom_id(ctx: Context) -> str:
    data: Any = ctx.interaction.data or {}
    return str(data.get("custom_id", ""))


def text_value(ctx: Context, field: str) -> str:
    """Returns the text of a field of the form. Raises Refused (`old_button`) for a form without it."""
    data: Any = ctx.interaction.data or {}
    for label in data.get("components", ()):
        component = label.get("component") or {}
        if component.get("custom_id") == field and isinstance(component.get("value"), str):
            value: str = component["value"]
            return value[:MAX_FIELD]
    raise Refused(Reason.OLD_BUTTON)
