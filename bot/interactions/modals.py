"""Forms that outlive the process: all they know is in their custom id, like a button's.

A form that is refused loses nothing: the message that says why has what was typed, in blocks of code, and a button that
opens the form again with that. Discord keeps both, so they also work after a restart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import discord

from bot.interactions import admission, errors
from bot.interactions.context import Context
from bot.interactions.custom_ids import CustomId
from bot.interactions.errors import sent_fields, texts_in, typed_before, written_down
from bot.interactions.layout import Control, Part, button, row
from bot.interactions.offers import Field, form_fits
from play.refusal import Reason, Refused
from presentation.words.words import Words


class Form(NamedTuple):
    """A form of ids with its handler, which takes the values in an id, acknowledges and may raise; and the fields.

    Of those with the same ids, each has other fields. `again` is the form of ids of the button that opens it, which has
    the same values, if that is another one.
    """

    id_form: CustomId
    handle: Callable[..., Awaitable[None]]
    fields: tuple[Field, ...]
    again: CustomId | None = None

    def opener(self, values: Mapping[str, Any]) -> str:
        """Returns the custom id of the button that opens the form with these values in its id."""
        return (self.again or self.id_form)(**values)


def make_form(custom_id: str, title: str, *questions: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Returns a form that is only shown: discord.py keeps nothing of it in memory."""
    form = discord.ui.Modal(custom_id=custom_id, title=title, timeout=None)
    for question in questions:
        form.add_item(question)
    form.stop()
    return form


async def open_form(ctx: Context, form: discord.ui.Modal) -> None:
    """Opens a form; from the message that refused it, with what was typed then."""
    typed = dict(typed_before(ctx.interaction.message))
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
    return next(str(sent["value"]) for sent in sent_fields(ctx.interaction.data) if sent["custom_id"] == field.name)


def typed_texts(ctx: Context) -> dict[str, str]:
    """Returns the texts of a submitted form, by their fields; none of another interaction."""
    return texts_in(ctx.interaction.data)


def retry_button(forms: Sequence[Form], sent: Mapping[str, Any], words: Words) -> discord.ui.View | None:
    """Returns the button that opens a submitted form again, as Discord has `sent` it; None for one that is unknown."""
    for form in forms:
        values = form.id_form.read(sent["data"]["custom_id"])
        if values is not None and form_fits(form.fields, sent["data"]):
            return row(button(form.opener(values), words("button.try_again"), discord.ButtonStyle.primary))
    return None


async def _retry(ctx: Context, form: Form, values: Mapping[str, Any]) -> Sequence[Part]:
    """Returns what was typed into a refused form, and the button that opens it with that."""
    words, typed = await ctx.words(), written_down(typed_texts(ctx))
    again: list[Control] = [button(form.opener(values), words("button.try_again"), discord.ButtonStyle.primary)]
    return [*([typed] if typed else []), again]
