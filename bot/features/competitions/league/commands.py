"""`/league`: the league of a server, which a manager opens once and which then runs by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from discord import app_commands

from bot.features.competitions.league.tables import join_league, tables_page
from bot.features.terms.offered_rules import find_rules, server_terms, suggest_rules_of_two
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from play.challenge.terms import USUAL_CONTROL, Order, Terms
from play.competitions.league import League, first_season
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.words.words import Words

MAX_TYPED = 30
"""Characters of a typed size."""


class ConfirmLeaving(Confirmation, id=ids.LEAVE_LEAGUE):
    """Leaves the league."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.leave"))

    async def carry_out(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.leagues.leave(permissions.require_guild(ctx), ctx.user, ctx.at)
        words = await ctx.words()
        return [words("league.left")]


class ConfirmClosing(Confirmation, id=ids.CLOSE_LEAGUE):
    """Closes the league."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.close"))

    async def carry_out(self, ctx: Context) -> list[Part]:
        await permissions.require_manage_server(ctx)
        await ctx.use_cases.leagues.close(permissions.require_guild(ctx))
        words = await ctx.words()
        return [words("league.closed")]


BUTTONS: tuple[type[Component], ...] = (ConfirmLeaving, ConfirmClosing)


async def open_(
    ctx: Context, rules: str | None = None, size: app_commands.Range[str, 1, MAX_TYPED] | None = None
) -> None:
    """Opens the league in this channel, where its games can have threads, or moves it here."""
    server = await permissions.require_manage_server(ctx)
    terms = await _terms(ctx, server, rules, size)
    await permissions.require_playable_channel(ctx, alone=False)
    permissions.require_threads(ctx)
    await permissions.require_permissions(ctx, permissions.THREAD_PERMISSIONS)
    league = League(permissions.require_guild(ctx), ctx.channel, ctx.user, terms, first_season(ctx.at))
    opened = await ctx.use_cases.leagues.open(league)
    words = await ctx.words()
    await ctx.reply(words("league.opened", **words.appointment(opened.begins)))


async def join(ctx: Context) -> None:
    await join_league(ctx)


async def leave(ctx: Context) -> None:
    (await ctx.use_cases.leagues.load(permissions.require_guild(ctx))).member(ctx.user)
    words = await ctx.words()
    await confirm(ctx, words("league.leave.ask"), ConfirmLeaving.to(words))


async def pause(ctx: Context) -> None:
    await ctx.use_cases.leagues.pause(permissions.require_guild(ctx), ctx.user)
    words = await ctx.words()
    await ctx.reply(words("league.paused"))


async def table(
    ctx: Context,
    division: app_commands.Range[int, 1, 30] | None = None,
    season: app_commands.Range[int, 1, 999] | None = None,
) -> None:
    await ctx.show(await tables_page(ctx, season, division))


async def pin(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    guild = permissions.require_guild(ctx)
    pins = not (await ctx.use_cases.leagues.load(guild)).pins
    await ctx.use_cases.leagues.set_pins(guild, pins=pins)
    words = await ctx.words()
    needed = permissions.permission_names(["pin_messages"], words)
    await ctx.reply(words("league.pins.on", permissions=needed) if pins else words("league.pins.off"))


async def close(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    await ctx.use_cases.leagues.load(permissions.require_guild(ctx))
    words = await ctx.words()
    await confirm(ctx, words("league.close.ask"), ConfirmClosing.to(words))


async def _terms(ctx: Context, server: ServerSettings, rules: str | None, size: str | None) -> Terms:
    """Returns the terms of all games: the server's or the chosen rules, at three days a move, rated as the server's
    games are. Raises Refused and RuleError."""
    terms = server_terms(server)
    if rules:
        terms = (await find_rules(ctx, rules)).put_into(terms)
    if terms.game.seats != 2:
        raise Refused(Reason.SEATS_STAY, count=2)
    game = terms.game.with_options({"size": size}) if size else terms.game
    return replace(terms, game=game, control=USUAL_CONTROL, order=Order.DRAWN, window=None, level=None)


COMMANDS = (
    Group(
        "league",
        (
            Command(open_, like="challenge", suggests={"rules": suggest_rules_of_two}),
            *declare(join, leave, pause, table, pin, close),
        ),
        on_servers=True,
    ),
)
