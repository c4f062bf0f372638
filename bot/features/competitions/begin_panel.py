"""The panel in which managers choose what begins on their server: each kind with what it is and needs, what will be
posted, and whether it can be in this channel. It begins by the handler of its command."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.addresses import link
from bot.features.competitions import ladder, league
from bot.features.competitions.contests import commands as contests
from bot.features.competitions.tournaments import commands as tournaments
from bot.features.votes import commands as votes
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.components import Component, Form, PanelItem, field_value, make_form, open_form
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, Section, button, link_button
from bot.interactions.offers import ChoiceField, TextField
from opponent.choice import DEFAULT_LEVEL
from play.competitions.tournament import Format
from play.ids import GuildId
from play.posts import KeptPost
from play.refusal import Refused
from presentation.tournaments import MAX_NAME
from presentation.words.words import Words

NAME = TextField("name", MAX_NAME)
FORMAT = ChoiceField("format", tuple(each.value for each in Format))


@dataclass(frozen=True, slots=True)
class Kind:
    """What can begin here. `preview` returns what will be posted, in the words of the server; without one, the handler
    of the command asks by itself. `there` finds the post of what a server has once."""

    begin: Callable[[Context], Awaitable[None]]
    preview: Callable[[Context, Words], Awaitable[str]] | None = None
    there: Callable[[Context, GuildId], Awaitable[KeptPost]] | None = None


async def _begin_votes(ctx: Context) -> None:
    await votes.begin(ctx, computer=DEFAULT_LEVEL)


async def _ask_for_name(ctx: Context) -> None:
    await open_form(ctx, _tournament_form(await ctx.words()))


async def _league_post(ctx: Context, guild: GuildId) -> KeptPost:
    return (await ctx.use_cases.leagues.load(guild)).post


async def _ladder_post(ctx: Context, guild: GuildId) -> KeptPost:
    return (await ctx.use_cases.ladders.load(guild)).post


KINDS = {
    "tournament": Kind(_ask_for_name, tournaments.preview),
    "league": Kind(league.open_, there=_league_post),
    "ladder": Kind(ladder.create, ladder.preview, _ladder_post),
    "vote": Kind(_begin_votes),
    "contest": Kind(contests.challenge, contests.preview),
}


class OpenBeginning(PanelItem, id=ids.BEGINNINGS):
    """Shows the cards, or what would begin."""

    way: str

    async def pressed(self, ctx: Context) -> None:
        kind = KINDS.get(self.way)
        if kind is None or kind.preview is not None:
            await super().pressed(ctx)
            return
        await ctx.defer_update()
        await kind.begin(ctx)

    async def parts(self, ctx: Context) -> list[Part]:
        kind = KINDS.get(self.way)
        if kind is None or kind.preview is None:
            return await begin_panel(ctx)
        return await _question(ctx, self.way, kind.preview)


class Begin(Component, id=ids.BEGIN_SURE):
    """Begins what was shown."""

    what: str

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await KINDS[self.what].begin(ctx)
        await _show_begun(ctx, self.what)


class NameTournament(Component, id=ids.BEGIN_TOURNAMENT):
    """Asks for the name and the format, and makes the tournament that was shown."""

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await _ask_for_name(ctx)


async def begin_panel(ctx: Context) -> list[Part]:
    """Returns a card for each kind. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words = await ctx.words()
    set_up = words("begin.button.set_up")
    cards: list[Part] = [
        Section(words("begin.home"), button(ids.HOME(way="open"), set_up)),
        Section(words("begin.daily"), button(ids.DAILY_PLACE(way="open"), set_up)),
    ]
    for name, kind in KINDS.items():
        text = words(f"begin.card.{name}")
        post = None if kind.there is None else await _find(ctx, guild, kind.there)
        if post is None:
            cards.append(Section(text, OpenBeginning.make(words("begin.button.look"), way=name)))
        else:
            place = words("begin.there", channel=f"<#{post.channel}>")
            cards.append(
                Section(f"{text} {place}", link_button(words("begin.button.there"), link(guild, post.channel)))
            )
    return [
        words("begin.title", channel=f"<#{ctx.channel}>"),
        *cards,
        [button(ids.SERVER(way="shown"), words("button.back"))],
    ]


async def _find(
    ctx: Context, guild: GuildId, load: Callable[[Context, GuildId], Awaitable[KeptPost]]
) -> KeptPost | None:
    """Returns where it is; None where the server has none."""
    try:
        post = await load(ctx, guild)
    except Refused:
        return None
    return None if post.is_over else post


async def _question(ctx: Context, name: str, preview: Callable[[Context, Words], Awaitable[str]]) -> list[Part]:
    """Returns what will be posted, and whether it can be. Raises Refused."""
    await permissions.require_manage_server(ctx)
    words = await ctx.words()
    text = await preview(ctx, await ctx.services.locales.for_guild(ctx.guild, ctx.user))
    shown = "\n".join(f"> {line}" for line in text.splitlines())
    obstacle = await _obstacle(ctx, words)
    answers: list[Control] = [_back(words)]
    if obstacle:
        answers.insert(0, OpenBeginning.make(words("begin.button.check"), way=name))
    elif name == "tournament":
        answers.insert(0, NameTournament.make(words("begin.button.name")))
    else:
        answers.insert(0, Begin.make(words(f"begin.button.{name}"), what=name))
    asked = words(f"begin.ask.{name}", channel=f"<#{ctx.channel}>")
    return [asked, shown, obstacle or words("check.fine"), answers]


async def _obstacle(ctx: Context, words: Words) -> str:
    """Returns why nothing with threads can begin in this channel; empty if it can."""
    try:
        await permissions.require_threaded_channel(ctx)
    except Refused as refused:
        return f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"
    return ""


async def _show_begun(ctx: Context, name: str) -> None:
    """Says in the place of the question that it has begun."""
    words = await ctx.words()
    await ctx.show([words(f"begin.begun.{name}", channel=f"<#{ctx.channel}>"), [_back(words)]])


def _back(words: Words) -> Control:
    return OpenBeginning.make(words("button.back"), way="cards")


def _tournament_form(words: Words) -> discord.ui.Modal:
    formats: discord.ui.RadioGroup[discord.ui.Modal] = discord.ui.RadioGroup(custom_id=FORMAT.name)
    for each in Format:
        formats.add_option(label=words(f"tournament.format.{each}"), value=each.value)
    return make_form(
        ids.BEGIN_TOURNAMENT(),
        words("begin.name.title"),
        discord.ui.Label(text=words("begin.name.label"), component=NAME.make()),
        discord.ui.Label(text=words("begin.format.label"), component=formats),
    )


async def _make_tournament(ctx: Context) -> None:
    """Makes the tournament of a submitted form. Raises Refused."""
    await ctx.open_panel()
    await tournaments.create(ctx, field_value(ctx, NAME), field_value(ctx, FORMAT))
    await _show_begun(ctx, "tournament")


BUTTONS: tuple[type[Component], ...] = (OpenBeginning, Begin, NameTournament)
FORMS: tuple[Form, ...] = (Form(ids.BEGIN_TOURNAMENT, _make_tournament, (NAME, FORMAT)),)
