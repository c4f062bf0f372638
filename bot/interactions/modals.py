"""Forms that outlive the process: all they know is in their custom id, like a button's.

A form that is refused loses nothing: the message that says why has what was typed, in blocks of code, and a button that
opens the form again with that. Discord keeps both, so they also work after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.interactions import admission, errors
from bot.interactions.buttons import button
from bot.interactions.context import Context
from bot.interactions.custom_id import CustomId
from bot.interactions.layout import Control, Part
from bot.interactions.offers import Field, form_fits
from play.refusal import Reason, Refused

_BLOCK: Final = re.compile(r"^```([a-z]+)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
_FENCE, _BROKEN_FENCE = "```", "`\u200b`\u200b`"
"""What ends a block of code, and how it is written inside of one: it looks the same."""


class Form(NamedTuple):
    """A form of ids with its handler, which takes the values in an id, acknowledges and may raise; and the fields.

    Of those with the same ids, each has other fields. `again` is the form of ids of the button that opens it, which has
    the same values, if that is another one.
    """

    id_form: CustomId
    handle: Callable[..., Awaitable[None]]
    fields: tuple[Field, ...]
    again: CustomId | None = None


def make_form(custom_id: str, title: str, *questions: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Returns a form that is only shown: discord.py keeps nothing of it in memory."""
    form = discord.ui.Modal(custom_id=custom_id, title=title, timeout=None)
    for question in questions:
        form.add_item(question)
    form.stop()
    return form


async def open_form(ctx: Context, form: discord.ui.Modal) -> None:
    """Opens a form; from the message that refused it, with what was typed then."""
    typed = dict(_typed_before(ctx.interaction.message))
    for label in form.children:
        field = label.component if isinstance(label, discord.ui.Label) else None
        if typed and isinstance(field, discord.ui.TextInput):
            field.default = typed.get(field.custom_id, "")[: field.max_length]
    await ctx.interaction.response.send_modal(form)


async def dispatch(ctx: Context, forms: Sequence[Form]) -> None:
    """Hands a submitted form to its handler; what that raises is explained to the player, who can try again."""
    submitted: tuple[Form, dict[str, Any]] | None = None
    try:
        if not await admission.admit(ctx):
            return
        for form in forms:
            values = form.id_form.read(ctx.interaction.custom_id or "")
            if values is not None and form_fits(form.fields, ctx.interaction.data or {}):
                submitted = form, values
                await form.handle(ctx, **values)
                return
        raise Refused(Reason.OLD_BUTTON)
    except Exception as error:
        await errors.reply_error(ctx, error, more=await _retry(ctx, *submitted) if submitted else ())


def field_value(ctx: Context, field: Field) -> str:
    """Returns the value of a field of the form, which has it."""
    return next(str(sent["value"]) for sent in _sent(ctx) if sent["custom_id"] == field.name)


def typed_texts(ctx: Context) -> dict[str, str]:
    """Returns the texts of a submitted form, by their fields; none of another interaction."""
    texts = [sent for sent in _sent(ctx) if sent["type"] == discord.ComponentType.text_input.value]
    return {str(sent["custom_id"]): str(sent["value"]) for sent in texts}


def written_down(typed: Mapping[str, str]) -> str:
    """Returns what was typed into fields, by their names, as `open_form` reads it again."""
    lines = (f"```{name}\n{text.replace(_FENCE, _BROKEN_FENCE)}\n```" for name, text in typed.items() if text.strip())
    return "\n".join(lines)


async def _retry(ctx: Context, form: Form, values: Mapping[str, Any]) -> Sequence[Part]:
    """Returns what was typed into a refused form, and the button that opens it with that."""
    words, typed = await ctx.words(), written_down(typed_texts(ctx))
    again: list[Control] = [
        button((form.again or form.id_form)(**values), words("button.try_again"), discord.ButtonStyle.primary)
    ]
    return [*([typed] if typed else []), again]


def _sent(ctx: Context) -> list[Any]:
    data: Any = ctx.interaction.data or {}
    return [label["component"] for label in data.get("components", ())]


def _typed_before(message: discord.Message | None) -> Iterator[tuple[str, str]]:
    """Yields the fields of a form that the message refused, with what was typed into them."""
    if message is None:
        return
    shown = (part.content for part in message.components if isinstance(part, discord.TextDisplay))
    for text in (message.content, *shown):
        for name, typed in _BLOCK.findall(text):
            yield name, typed.replace(_BROKEN_FENCE, _FENCE)
