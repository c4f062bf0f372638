"""`/feedback`: a text to the people who run the bot, with a contact if its writer wants an answer.

What is sent is what the writer is shown. It has no account; the log names it, so that an operator can stop abuse.
"""

from __future__ import annotations

import logging
import re
from typing import Any, Final

import discord
from discord import app_commands

from bot import __version__
from bot.i18n.words import Words
from bot.interactions import errors
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.modals import Form, text_value
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)

MAX_TEXT: Final = 1500
"""Characters of a text: enough for a fault with all its steps."""

MAX_CONTACT: Final = 100
"""Characters of a contact: a name on Discord, or an address."""


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the command, described in `words`."""

    @app_commands.command(name="feedback", description=words("command.feedback"))
    @takes_context
    async def feedback(ctx: Context) -> None:
        await ctx.interaction.response.send_modal(_form(await ctx.words()))

    return (feedback,)


def _form(words: Words) -> discord.ui.Modal:
    form = discord.ui.Modal(title=words("feedback.title"), timeout=None, custom_id="feedback")
    text = discord.ui.TextInput[Any](custom_id="text", style=discord.TextStyle.paragraph, max_length=MAX_TEXT)
    contact = discord.ui.TextInput[Any](custom_id="contact", max_length=MAX_CONTACT, required=False)
    for name, field in {"text": text, "contact": contact}.items():
        label, description = words(f"feedback.{name}.label"), words(f"feedback.{name}.description")
        form.add_item(discord.ui.Label(text=label, description=description, component=field))
    form.stop()
    return form


async def _send(ctx: Context, _: re.Match[str]) -> None:
    """Delivers a submitted form. Whatever comes between, the writer gets the text back."""
    await ctx.defer_private()
    words = await ctx.words()
    text, contact = (text_value(ctx, name).strip() for name in ("text", "contact"))
    embed = discord.Embed(description=text[:MAX_TEXT] or None)
    embed.set_footer(text=f"Kropka {__version__} · {words.locale}")
    if contact:
        embed.add_field(name=words("feedback.contact"), value=contact[:MAX_CONTACT])
    await ctx.reply(await _delivered(ctx, embed, words), embed=embed)


async def _delivered(ctx: Context, embed: discord.Embed, words: Words) -> str:
    """Delivers the feedback, and returns what its writer is told."""
    inbox = ctx.services.feedback
    try:
        if not embed.description or inbox is None:
            raise Refused(Reason.OLD_BUTTON if embed.description else Reason.EMPTY_FEEDBACK)
        ctx.services.gate.count_feedback(ctx.request)
    except Refused as refused:
        return await errors.explain(ctx.services, words, ctx.request, refused)
    arrived = await inbox.deliver(embed)
    log.info("feedback of account %d %s", ctx.user, "was delivered" if arrived else "was not delivered")
    return words("feedback.sent" if arrived else "feedback.failed")


FORMS: tuple[Form, ...] = (Form(re.compile(r"feedback"), _send),)
