"""Forms that outlive the process: like a button's, a form's custom id says all that is needed when it comes back."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.interactions import admission, errors
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction


MAX_TYPED = 4000
"""Characters that are read of a field; Discord's own limit."""


class Form(NamedTuple):
    """What answers the forms whose custom id fits the template. `filled` acknowledges, and may raise."""

    template: re.Pattern[str]
    filled: Callable[[Interaction, re.Match[str]], Awaitable[None]]


async def submitted(interaction: Interaction, forms: Sequence[Form]) -> None:
    """Somebody has sent a form."""
    try:
        if not await admission.admitted(interaction):
            return
        for form in forms:
            if found := form.template.fullmatch(_custom_id(interaction)):
                await form.filled(interaction, found)
                return
        raise Refused(Reason.OLD_BUTTON)
    except Exception as error:
        await errors.answer(interaction, error)


def _custom_id(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def typed(interaction: Interaction, field: str) -> str:
    """What stands in a text field of a form. Raises Refused (`old_button`) for a form without it."""
    data: Any = interaction.data or {}
    for label in data.get("components", ()):
        component = label.get("component") or {}
        if component.get("custom_id") == field and isinstance(component.get("value"), str):
            value: str = component["value"]
            return value[:MAX_TYPED]
    raise Refused(Reason.OLD_BUTTON)
