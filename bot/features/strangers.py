"""`/play`: the way to a game with anyone; searches for a stranger, open seats, and reports of those met."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.features.competitions.arena import arena_section
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
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
from bot.interactions.layout import Choice, Control, Part, Section, button, rows, select
from bot.interactions.offers import TextField
from bot.markup import escape
from bot.services.names import Names
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.seek import Seek, SeekId, seek_terms
from play.ids import MatchId
from play.match.events import PHRASES, NoticeKind
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.offered_rules import server_terms
from presentation.strangers import NUMBER, Way, free_ways, outlook_text, read_alias, seat_text
from presentation.terms import rules_name
from presentation.text import MAX_NAME
from presentation.words.words import Words
from rules.game import Seat
from use_cases.open_seats import OpenSeat
from use_cases.player_settings import change_player

MAX_NEAR = 3
"""Open seats of the panel, the nearest."""

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
        guild = await permissions.require_place_for_strangers(ctx)
        terms = await wanted_terms(ctx, Speed(self.speed))
        await ctx.use_cases.seeks.look(
            *(ctx.user, guild, ctx.channel, terms, ctx.at),
            flexible=self.flexible == 1,
            weekly=self.weekly == 1,
        )
        return await play_panel(ctx, flexible=self.flexible == 1)


class Sit(PanelItem, id=ids.SIT):
    """Takes an open seat. Of one that is taken it says so, and shows what else there is."""

    seek: SeekId
    style = discord.ButtonStyle.success

    async def parts(self, ctx: Context) -> list[Part]:
        guild = await permissions.require_place_for_strangers(ctx)
        try:
            await ctx.use_cases.open_seats.sit(self.seek, ctx.user, guild, ctx.channel)
        except Refused as refused:
            if refused.key != Reason.SEAT_TAKEN:
                raise
            words = await ctx.words()
            return [f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}", *await play_panel(ctx)]
        return await play_panel(ctx)


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
    ctx.shows_searches = bool(outlooks)
    parts: list[Part] = [words("seek.head"), *await arena_section(ctx, words)]
    for outlook in outlooks:
        leave = LeaveSearch.make(words("seek.button.leave"), seek=outlook.seek.id)
        parts.append(Section(f"🔎 {outlook_text(outlook, words)}", leave))
    if ways := free_ways(outlooks):
        parts += await _search_buttons(ctx, ways, flexible, words)
    seats = await ctx.use_cases.open_seats.for_user(ctx.user, MAX_NEAR)
    if seats:
        parts.append(words("seat.title"))
        parts += [await seat_section(each, ctx.services.names, words) for each in seats]
    live = next((each.seek for each in outlooks if each.seek.speed is Speed.LIVE), None)
    if live is not None and ctx.services.coach.has_computer:
        parts.append(words("seek.meanwhile"))
    parts.append(words("seat.public"))
    again = [OpenPlay.make(words("seek.button.again"), flexible=int(flexible))] if outlooks else []
    name = NameYourself.make(words("seek.name.button", name=await ctx.services.names.of(ctx.user, None)))
    return [*parts, [*again, name], *rows(_other_doors(ctx, live, words))]


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


def _other_doors(ctx: Context, live: Seek | None, words: Words) -> list[Control]:
    """Returns the doors to friends, to the computer and to the daily; while a live game is looked for, the computer
    plays until an opponent is there."""
    doors: list[Control] = []
    if ctx.guild is not None:
        doors.append(button(ids.CHALLENGE_SOMEONE(), words("welcome.challenge")))
    doors.append(button(ids.FRIENDS(), words("friend.door")))
    if ctx.services.coach.has_computer and live is not None:
        doors.append(button(ids.MEANWHILE(seek=live.id), words("seek.button.meanwhile")))
    elif ctx.services.coach.has_computer:
        doors.append(button(ids.NEWCOMER(), words("welcome.play")))
    return [*doors, button(ids.OPEN_DAILY(), words("daily.button.open"))]


async def wanted_terms(ctx: Context, speed: Speed) -> Terms:
    """Returns the terms of the player's searches at this speed."""
    return seek_terms((await ctx.settings()).terms, server_terms(await permissions.server_settings(ctx)), speed)


async def seat_section(seat: OpenSeat, names: Names, words: Words) -> Section:
    """Returns an open seat with its button. Its player has the name that they have chosen for other servers, so nobody
    learns on which they are."""
    text = seat_text(seat, await names.of(seat.seek.user, None), words)
    return Section(text, Sit.make(words("seat.button.sit"), seek=seat.seek.id))


COMMANDS = (Command(play),)
FORMS = (Form(ids.ALIAS, _rename, (NAME,)),)
BUTTONS: tuple[type[Component], ...] = (
    *(OpenPlay, Look, Sit, LeaveSearch, Ready, NameYourself),
    *(Say, SayPhrase, Report, ConfirmReport),
)
