"""What the bot is, by `/about`, and `/feedback` to the people who run it.

What is sent is what the writer is shown. It has no account; the log names it, so that an operator can stop abuse.
"""

import logging
from typing import Any, Final

import discord

from bot import __version__
from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command, declare
from bot.interactions.components import Component, Form, field_value, make_form, open_form
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, rows
from bot.interactions.offers import TextField
from bot.invitation import invite_url
from bot.services.feedback import FeedbackInbox
from play.refusal import Reason, Refused
from presentation.words.words import Words

log = logging.getLogger(__name__)

LINK_ROW: Final = 2
"""Buttons with addresses in a row: their arrows make them wider than others, and a phone shows two whole."""

MAX_TEXT: Final = 1500
"""Characters of a text: enough for a fault with all its steps."""

MAX_CONTACT: Final = 100
"""Characters of a contact: a name on Discord, or an address."""

TEXT, CONTACT = TextField("text", MAX_TEXT), TextField("contact", MAX_CONTACT, required=False)


async def about(ctx: Context) -> None:
    await ctx.show(await _about_page(ctx))


async def _about_page(ctx: Context) -> list[Part]:
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        running = await reader.matches.count_open()
        finished = max(0, await reader.matches.count_begun() - running)
    lines = [
        f"### {words('about.title', version=__version__)}",
        words("about.text"),
        words("about.finished", count=finished, number=words.number(finished))
        + " "
        + words("about.running", count=running, number=words.number(running)),
        words("about.languages", languages=", ".join(ctx.services.languages.names.values())),
        words("about.more"),
        *([words("about.feedback")] if ctx.services.hosting.feedback else []),
        f"-# {words('about.licence')}",
    ]
    return ["\n".join(lines), *rows(_links(ctx, words), LINK_ROW)]


def _links(ctx: Context, words: Words) -> list[Control]:
    """Returns buttons to the pages that there are; an invitation first, for those who want the bot, too."""
    hosting = ctx.services.hosting
    pages = {
        "invite": invite_url(ctx.interaction.application_id) if hosting.can_invite else None,
        "support": hosting.support,
        "source": hosting.source,
        "terms": hosting.terms,
        "privacy": hosting.privacy,
    }
    offered = [(words(f"about.link.{name}"), address) for name, address in pages.items() if address]
    return [discord.ui.Button[Any](label=label, url=address) for label, address in offered]


COMMANDS = declare(about)


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


FEEDBACK = (Command(feedback, private=False),)
FORMS: tuple[Form, ...] = (Form(ids.FEEDBACK, _send, (TEXT, CONTACT)),)
BUTTONS: tuple[type[Component], ...] = (WriteAgain,)
