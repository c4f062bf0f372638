"""`/feedback`: a text to the people who run the bot, with a contact if its writer wants an answer.

What is sent is what the writer is shown. It has no account; the log names it, so that an operator can stop abuse.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import discord

from bot import __version__
from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.offers import TextField
from bot.services.feedback import FeedbackInbox
from play.refusal import Reason, Refused
from presentation.words.words import Words

log = logging.getLogger(__name__)

MAX_TEXT: Final = 1500
"""Characters of a text: enough for a fault with all its steps."""

MAX_CONTACT: Final = 100
"""Characters of a contact: a name on Discord, or an address."""

TEXT, CONTACT = TextField("text", MAX_TEXT), TextField("contact", MAX_CONTACT, required=False)


async def feedback(ctx: Context) -> None:
    await ctx.interaction.response.send_modal(_form(await ctx.words()))


class WriteAgain(Component, id=ids.FEEDBACK):
    """Opens the form once more for a feedback that was refused."""

    async def pressed(self, ctx: Context) -> None:
        await open_form(ctx, _form(await ctx.words()))


def _form(words: Words) -> discord.ui.Modal:
    questions = (
        discord.ui.Label[Any](
            text=words(f"feedback.{field.name}.label"),
            description=words(f"feedback.{field.name}.description"),
            component=field.make(style=style),
        )
        for field, style in {TEXT: discord.TextStyle.paragraph, CONTACT: discord.TextStyle.short}.items()
    )
    return make_form(ids.FEEDBACK(), words("feedback.title"), *questions)


async def _send(ctx: Context) -> None:
    """Delivers a submitted form. Whatever comes between, the writer gets the text back. Raises Refused."""
    await ctx.defer_private()
    words = await ctx.words()
    text, contact = (field_value(ctx, field).strip() for field in (TEXT, CONTACT))
    embed = discord.Embed(description=text or None)
    embed.set_footer(text=f"Kropka {__version__} · {words.locale}")
    if contact:
        embed.add_field(name=words("feedback.contact"), value=contact)
    await ctx.reply(await _delivered(ctx, embed, words), embed=embed)


async def _delivered(ctx: Context, embed: discord.Embed, words: Words) -> str:
    """Delivers the feedback, and returns what its writer is told. Raises Refused."""
    target = ctx.services.hosting.feedback
    if not embed.description or target is None:
        raise Refused(Reason.OLD_BUTTON if embed.description else Reason.EMPTY_FEEDBACK)
    ctx.services.gate.count_feedback(ctx.request)
    arrived = await FeedbackInbox(ctx.interaction.client, target).deliver(embed)
    log.info("feedback of account %d %s", ctx.user, "was delivered" if arrived else "was not delivered")
    return words("feedback.sent" if arrived else "feedback.failed")


COMMANDS = (Command(feedback, private=False),)
FORMS: tuple[Form, ...] = (Form(ids.FEEDBACK, _send, (TEXT, CONTACT)),)
ITEMS: tuple[type[Component], ...] = (WriteAgain,)
