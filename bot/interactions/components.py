"""Components and forms: what is pressed, chosen or sent, answered by the class whose form of ids it has.

All that they know is in their custom ids, so they outlive the process. Those that many features have are here, too.
Private questions are about what cannot be undone, which is done by a Confirmation alone. Links lead from an answer
to the same thing on the web. A button of a private answer posts a copy of it in the channel, which has what every
member of the server can see by a command of their own, and nothing else: it is made anew, in the language and the
look of the server. Its buttons open private answers, so it stays as it was shared.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from re import Match as Found
from typing import Any, ClassVar, NamedTuple, Self

import discord

from bot.addresses import link
from bot.interactions import admission, errors, offers, permissions
from bot.interactions import custom_ids as ids
from bot.interactions.admission import admit, is_component
from bot.interactions.context import Context
from bot.interactions.custom_ids import CustomId
from bot.interactions.errors import sent_fields, texts_in, typed_before, written_down
from bot.interactions.layout import PHONE_ROW, Control, Part, button, files, layout, row, rows
from bot.interactions.offers import Field, form_fits
from bot.services.web_links import WebLinks
from play.ids import MatchId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.words.words import Words
from web.access.links import Paths

_NONE = re.compile(r"(?!)")

NONCE_BYTES = 12
"""Bytes of the nonce of a copy; their digits fit into Discord's 25 characters."""


class Component(discord.ui.DynamicItem[Any], template=_NONE):
    """A button or a select that passes the gate; what its handler raises is explained to the player.

    The values in its id are its attributes; a class names their types.
    """

    id_form: ClassVar[CustomId]
    action: ClassVar[str]
    kind: ClassVar[discord.ComponentType] = discord.ComponentType.button
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary
    emoji: ClassVar[str | None] = None

    def __init_subclass__(cls, *, id: CustomId | None = None) -> None:  # noqa: A002 - an argument of the class alone
        super().__init_subclass__(template=id.pattern if id else _NONE)
        if id:
            cls.id_form, cls.action = id, id.action

    def __init__(self, item: discord.ui.Item[Any]) -> None:
        super().__init__(item)
        vars(self).update(self.id_form.read(self.custom_id) or {})

    @classmethod
    def make(cls, label: str, style: discord.ButtonStyle | None = None, **values: object) -> Self:
        """Returns the button with these values in its id."""
        return cls(button(cls.id_form(**values), label, style or cls.style, cls.emoji))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: Found[str], /
    ) -> Self:
        return cls(item)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        ctx = Context.of(interaction)
        if not is_component(interaction, self.kind) or not await admit(ctx):
            return False
        try:
            await offers.require_offered(ctx, self.item)
        except Exception as error:  # discord.py would be silent about it
            await errors.reply_error(ctx, error)
            return False
        return True

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        ctx = Context.of(interaction)
        try:
            await self.pressed(ctx)
        except Exception as error:
            await errors.reply_error(ctx, error)

    async def pressed(self, ctx: Context) -> None:
        """Does what the component is for. May raise: the player is told why."""
        raise NotImplementedError


class PanelItem(Component):
    """A control of a private panel, which it changes in place: it knows from its id what the panel shows next."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        """Returns what the panel shows then. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


class Question(NamedTuple):
    """A question to a player, with a picture perhaps, and the buttons that answer it."""

    text: str
    picture: discord.File | None
    answers: tuple[Control, ...]

    @property
    def parts(self) -> list[Part]:
        """The parts of a panel that asks it: on a phone, the words stand right above the buttons."""
        pictures = [] if self.picture is None else [self.picture]
        return [*pictures, self.text, *rows(self.answers, PHONE_ROW)]


class Confirmation(Component):
    """The button that does what cannot be undone. Only a question has it, which names what it does, to one player.

    Calls of irreversible use cases are in such classes and nowhere else (tests/bot/test_confirmations.py).
    """

    style = discord.ButtonStyle.danger

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        try:
            parts = await self.carry_out(ctx)
        except Refused as refused:
            words = await ctx.words()
            parts = [f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"]
        await ctx.show(parts)

    async def carry_out(self, ctx: Context) -> Sequence[Part]:
        """Does it, and returns what takes the place of the question. The interaction is acknowledged. Raises
        Refused."""
        raise NotImplementedError


class KeepAll(PanelItem, id=ids.KEEP):
    """Takes the question away; nothing has changed."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("button.keep"))

    async def parts(self, ctx: Context) -> list[Part]:
        words = await ctx.words()
        return [words("question.kept")]


async def show_question(ctx: Context, question: Question, notice: str = "") -> None:
    """Asks the player in private, below a `notice`. The interaction is acknowledged."""
    await ctx.show(question._replace(text="\n".join(filter(None, (notice, question.text)))).parts)


async def confirm(ctx: Context, text: str, *answers: Confirmation) -> None:
    """Asks whether something is to be done that cannot be undone. The interaction is acknowledged."""
    await show_question(ctx, Question(text, None, (*answers, KeepAll.to(await ctx.words()))))


BUTTONS: tuple[type[Component], ...] = (KeepAll,)


class Audience(NamedTuple):
    """The language and the look (`theme`) in which readers see an answer. `members` says that all of a server do."""

    words: Words
    theme: str
    members: bool = False

    @classmethod
    async def reader(cls, ctx: Context) -> Audience:
        """Returns the player alone."""
        return cls(await ctx.words(), (await ctx.settings()).theme)

    @classmethod
    async def server(cls, ctx: Context) -> Audience:
        """Returns all members of the server."""
        theme = (await permissions.server_settings(ctx)).theme
        return cls(await ctx.services.locales.for_guild(ctx.guild, ctx.user), theme, members=True)


class ShareButton(Component):
    """A button that posts a copy of the answer it hangs on. What that is, its custom id says."""

    emoji = "📣"

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _require_sharing(ctx)
        members = await Audience.server(ctx)
        credit = members.words("share.by", user=f"<@{ctx.user}>")
        await _post(ctx, self.custom_id, [credit, *await self.parts(ctx, members)])

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        """Returns what all members of the server may see of it. Raises Refused."""
        raise NotImplementedError


def can_share(ctx: Context) -> bool:
    """Returns whether there is a channel to share into: direct messages and user installs have none."""
    return permissions.installed_guild(ctx) is not None


async def is_shareable(ctx: Context, match: Match) -> bool:
    """Returns whether every member of the server may see a match: it is played there, or was, in no private thread.

    Raises Refused (`chat_away`).
    """
    is_here = match.guild is not None and match.guild == permissions.installed_guild(ctx)
    return is_here and not await permissions.is_hidden(ctx, match, members=True)


async def load_shareable(ctx: Context, number: MatchId) -> Match:
    """Returns a match of this server. Raises Refused (`no_match`, `nothing_to_share`, `chat_away`)."""
    match = await permissions.load_visible_match(ctx, number)
    if not await is_shareable(ctx, match):
        raise Refused(Reason.NOTHING_TO_SHARE)
    return match


async def _require_sharing(ctx: Context) -> None:
    """Raises Refused where the bot may not post, or the player may not write, and if too much is posted there."""
    if not can_share(ctx):
        raise Refused(Reason.NOTHING_TO_SHARE)
    await permissions.require_playable_channel(ctx, alone=False)
    own = ctx.interaction.permissions
    in_thread = isinstance(ctx.interaction.channel, discord.Thread)
    if not (own.send_messages_in_threads if in_thread else own.send_messages):
        raise Refused(Reason.SHARE_NOT_ALLOWED)
    ctx.services.gate.count_card(ctx.channel)


async def _post(ctx: Context, custom_id: str, parts: Sequence[Part]) -> None:
    """Posts the copy, once however often the button of this message is pressed within minutes, and says where."""
    host = ctx.interaction.message
    nonce = blake2b(f"{host and host.id}:{custom_id}".encode(), digest_size=NONCE_BYTES).hexdigest()

    def message() -> dict[str, Any]:
        return {"view": layout(parts), "files": files(parts), "allowed_mentions": discord.AllowedMentions.none()}

    posted = await ctx.services.channels.post(ctx.channel, message, nonce, guild=ctx.guild)
    words = await ctx.words()
    await ctx.reply(words("share.done", url=link(ctx.guild, ctx.channel, posted)))


async def page_links(ctx: Context, words: Words, path: Callable[[Paths], str]) -> list[Control]:
    """Returns the button to a page of this server; none where it has no pages."""
    links = ctx.services.web_links
    if links is None or permissions.installed_guild(ctx) is None:
        return []
    return links_of(links, await permissions.server_settings(ctx), words, path)


def links_of(
    links: WebLinks | None, server: ServerSettings, words: Words, path: Callable[[Paths], str]
) -> list[Control]:
    """Returns the button to a page of a server, as for an answer; none where it has no pages."""
    if links is None or not server.pages:
        return []
    return [discord.ui.Button(label=words("button.web.place"), url=links.place(path))]


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


async def dispatch_form(ctx: Context, forms: Sequence[Form]) -> None:
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
