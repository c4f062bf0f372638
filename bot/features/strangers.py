"""`/play`: the way to a game with anyone; searches for a stranger, the calls of those who were found, and reports."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.addresses import game_link
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command
from bot.interactions.components import (
    Component,
    Confirmation,
    Form,
    PanelItem,
    confirm,
    field_value,
    make_form,
    open_form,
)
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, Section, button, row, rows, select
from bot.interactions.offers import TextField
from bot.markup import escape
from bot.request import is_user_install
from bot.services.channels import ChannelMessenger, Post, ServerPosts
from bot.services.discord_errors import delivery_problem
from bot.services.locales import Locales
from bot.services.messages import mentions_of
from bot.services.names import Names
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.seek import Seek, SeekCall, SeekId, seek_terms
from play.ids import ChannelId, MatchId, UserId
from play.match.events import PHRASES, NoticeKind
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.offered_rules import server_terms
from presentation.strangers import NUMBER, Way, call_text, free_ways, outlook_text, read_alias, settled_text
from presentation.terms import rules_name
from presentation.text import MAX_NAME
from presentation.words.words import Words
from rules.game import Seat
from storage import Database
from use_cases.player_settings import change_player
from use_cases.workers.matchmaker import Posted

NAME = TextField("name", MAX_NAME, required=False)


class OpenPlay(PanelItem, id=ids.PLAY_PANEL):
    """Shows the panel, in which the player's own rules or any (1) are wanted."""

    flexible: int

    async def parts(self, ctx: Context) -> list[Part]:
        return await play_panel(ctx, flexible=self.flexible == 1)


class Look(PanelItem, id=ids.SEEK):
    """Begins a search."""

    speed: str
    flexible: int
    weekly: int

    async def parts(self, ctx: Context) -> list[Part]:
        if ctx.guild is None:
            await _require_direct(ctx)
        else:
            await permissions.require_player(ctx)
            await permissions.require_threaded_channel(ctx)
        terms = await wanted_terms(ctx, Speed(self.speed))
        await ctx.use_cases.seeks.look(
            *(ctx.user, permissions.installed_guild(ctx), ctx.channel, terms, ctx.at),
            flexible=self.flexible == 1,
            weekly=self.weekly == 1,
        )
        return await play_panel(ctx, flexible=self.flexible == 1)


class LeaveSearch(PanelItem, id=ids.LEAVE_SEEK):
    """Ends a search."""

    seek: SeekId

    async def parts(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.seeks.leave(self.seek, ctx.user)
        words = await ctx.words()
        return [words("seek.left"), *await play_panel(ctx)]


class Ready(Component, id=ids.READY):
    """Says that the player is there, who was called to a live game."""

    seek: SeekId
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.use_cases.seeks.answer(self.seek, ctx.user, ctx.at)
        words = await ctx.words()
        await ctx.show([words("seek.ready")])


class NameYourself(Component, id=ids.ALIAS):
    """Opens the form for the name by which players of other servers see the player."""

    async def pressed(self, ctx: Context) -> None:
        words, alias = await ctx.words(), (await ctx.settings()).alias
        field = NAME.make(default=NUMBER if alias == "" else alias)
        label, hint = words("seek.name.label"), words("seek.name.description")
        question: discord.ui.Label[Any] = discord.ui.Label(text=label, description=hint, component=field)
        await open_form(ctx, make_form(self.custom_id, words("seek.name.title"), question))


class StrangerButton(MatchButton):
    """A button of a game with a stranger."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return match.strangers


class Say(StrangerButton, id=ids.SAY):
    """Offers the phrases that the stranger of this game may get."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.use_cases.seeks.stranger(self.match, ctx.user)
        words = await ctx.words()
        choices = [Choice(each, words(f"phrase.{each}"), chosen=False) for each in PHRASES]
        custom_id = ids.PHRASE(match=self.match, version=self.version)
        await ctx.show([words("seek.say"), [SayPhrase(select(custom_id, words("seek.say.choose"), choices))]])


class SayPhrase(StrangerButton, id=ids.PHRASE):
    """The menu of phrases. A choice is what the stranger reads in their own language."""

    kind = discord.ComponentType.string_select

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        chosen = "".join(self.item.values)
        if chosen not in PHRASES:
            raise Refused(Reason.OLD_BUTTON)
        ctx.services.gate.count_phrase(ctx.user, chosen)
        await ctx.use_cases.seeks.say(self.match, ctx.user, NoticeKind(chosen), ctx.at)
        words = await ctx.words()
        await ctx.show([words("seek.said", phrase=words(f"phrase.{chosen}"))])

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await ctx.show([notice])


class Report(StrangerButton, id=ids.REPORT):
    """Asks whether the stranger of this game is to be reported."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        match, other = await ctx.use_cases.seeks.stranger(self.match, ctx.user)
        name = await ctx.services.names.of(other, match.for_reader(ctx.user, ctx.guild).guild)
        words = await ctx.words()
        sure = ConfirmReport.make(words("seek.confirm_report"), match=match.id)
        await confirm(ctx, words("seek.report.ask", name=escape(name)), sure)


class ConfirmReport(Confirmation, id=ids.CONFIRM_REPORT):
    """Reports the stranger, and blocks them."""

    match: MatchId

    async def carry_out(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.seeks.report(self.match, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("seek.reported")]


async def play(ctx: Context) -> None:
    await ctx.show(await play_panel(ctx))


async def play_panel(ctx: Context, *, flexible: bool = True) -> list[Part]:
    """Returns the ways to a game: the player's searches, or the buttons that begin one, and the doors to friends and to
    the computer."""
    words = await ctx.words()
    outlooks = await ctx.use_cases.seeks.outlooks(ctx.user)
    parts: list[Part] = [words("seek.head")]
    for outlook in outlooks:
        leave = LeaveSearch.make(words("seek.button.leave"), seek=outlook.seek.id)
        parts.append(Section(f"🔎 {outlook_text(outlook, words)}", leave))
    if ways := free_ways(outlooks):
        parts += await _search_buttons(ctx, ways, flexible, words)
    again = [OpenPlay.make(words("seek.button.again"), flexible=int(flexible))] if outlooks else []
    name = NameYourself.make(words("seek.name.button", name=await ctx.services.names.of(ctx.user, None)))
    doors = _other_doors(ctx, words)
    return [*parts, [*again, name], *([doors] if doors else [])]


async def _rename(ctx: Context) -> None:
    await ctx.defer_update()
    await change_player(ctx.services.store, ctx.user, {"alias": read_alias(field_value(ctx, NAME))})
    ctx.services.names.forget(ctx.user)
    words = await ctx.words()
    named = words("seek.named", name=escape(await ctx.services.names.of(ctx.user, None)))
    await ctx.show([named, *await play_panel(ctx)])


async def _search_buttons(ctx: Context, ways: Sequence[Way], flexible: bool, words: Words) -> list[Part]:
    taken, primary, grey = int(flexible), discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    buttons: list[Control] = [
        Look.make(
            *(words(way.key), grey if way.weekly else primary),
            speed=way.speed,
            weekly=int(way.weekly),
            flexible=taken,
        )
        for way in ways
    ]
    terms = await wanted_terms(ctx, ways[0].speed)
    own = rules_name(terms.game.key, terms.rule_set, words)
    line = words("seek.any_rules" if flexible else "seek.own_rules", rules=own)
    other = OpenPlay.make(words("seek.button.own" if flexible else "seek.button.any"), flexible=1 - taken)
    return [Section(line, other), *rows(buttons)]


def _other_doors(ctx: Context, words: Words) -> list[Control]:
    doors: list[Control] = []
    if ctx.guild is not None:
        doors.append(button(ids.CHALLENGE_SOMEONE(), words("welcome.challenge")))
    if ctx.services.coach.has_computer:
        doors.append(button(ids.NEWCOMER(), words("welcome.play")))
    return doors


async def wanted_terms(ctx: Context, speed: Speed) -> Terms:
    """Returns the terms of the player's searches at this speed."""
    return seek_terms((await ctx.settings()).terms, server_terms(await permissions.server_settings(ctx)), speed)


async def _require_direct(ctx: Context) -> None:
    """Raises Refused (`no_server_here`) outside of servers and direct messages: no board comes there by itself."""
    if is_user_install(ctx.interaction):
        raise Refused(Reason.NO_SERVER_HERE)


class StrangerCalls:
    """Implements use_cases.workers.matchmaker.SeekDisplay."""

    def __init__(
        self,
        posts: ServerPosts,
        channels: ChannelMessenger,
        store: Database,
        locales: Locales,
        names: Names,
    ) -> None:
        self._posts = posts
        self._channels = channels
        self._store = store
        self._locales = locales
        self._names = names

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        words = await self._words(seek)
        text = call_text(seek, words.mention(seek.user, ""), await self._names.of(opponent, seek.guild), words)
        ready = [Ready.make(words("seek.button.ready"), seek=seek.id)] if seek.call_ends else []
        post, nonce = Post(text, row(*ready), pinged=[seek.user]), f"s{seek.id}:{seek.version}"
        if seek.guild is not None:
            return [Posted(seek.channel, await self._posts.call(seek.guild, seek.channel, nonce, post))]
        message = {"content": post.content, "view": post.buttons, "allowed_mentions": mentions_of([seek.user])}
        try:
            return [Posted(seek.channel, await self._channels.post(seek.channel, lambda: message, nonce, guild=None))]
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        """See use_cases.workers.matchmaker.SeekDisplay. On a server a thread opens from the call, with the first board;
        in direct messages there is none."""
        return ChannelId(seek.call) if seek.guild is not None and seek.call is not None else None

    async def settle(self, call: SeekCall) -> None:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        words = await self._words(call)
        text = settled_text(call, words.mention(call.user, ""), await self._game(call), words)
        try:
            await self._channels.edit(call.channel, call.message, content=text, view=None)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def _game(self, call: SeekCall) -> str:
        """Returns the address of the game that a call has led to; empty without one."""
        if call.match is None:
            return ""
        async with self._store.read() as reader:
            match = await reader.matches.get(call.match)
        return game_link(match.for_reader(call.user, call.guild), None) if match is not None else ""

    async def _words(self, call: Seek | SeekCall) -> Words:
        if call.guild is None:
            return await self._locales.for_user(call.user, None)
        return await self._locales.for_guild(call.guild)


COMMANDS = (Command(play),)
FORMS = (Form(ids.ALIAS, _rename, (NAME,)),)
BUTTONS: tuple[type[Component], ...] = (
    *(OpenPlay, Look, LeaveSearch, Ready, NameYourself),
    *(Say, SayPhrase, Report, ConfirmReport),
)
