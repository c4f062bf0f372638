"""`/league`: the league of a server, which a manager opens once and which then runs by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from discord import app_commands

from bot.features.competitions.league.tables import join_league, tables_page
from bot.features.terms.default_terms import server_terms
from bot.features.terms.offered_rules import find_rules, suggest_rules_of_two
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import takes_context
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


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Group, ...]:
    """Returns the commands, described in `words`; the rules are suggested while they are typed."""
    group = app_commands.Group(
        name="league",
        description=words("command.league"),
        allowed_contexts=permissions.ON_SERVERS,
        allowed_installs=permissions.BY_SERVERS,
    )

    @group.command(name="open", description=words("command.league.open"))
    @app_commands.describe(rules=words("command.challenge.rules"), size=words("command.challenge.size"))
    @app_commands.autocomplete(rules=suggest_rules_of_two)
    @takes_context
    async def open_here(
        ctx: Context, rules: str | None = None, size: app_commands.Range[str, 1, MAX_TYPED] | None = None
    ) -> None:
        await ctx.defer_private()
        server = await permissions.require_manage_server(ctx)
        await _open(ctx, await _terms(ctx, server, rules, size))

    @group.command(name="join", description=words("command.league.join"))
    @takes_context
    async def join(ctx: Context) -> None:
        await ctx.defer_private()
        await join_league(ctx)

    @group.command(name="leave", description=words("command.league.leave"))
    @takes_context
    async def leave(ctx: Context) -> None:
        await ctx.defer_private()
        (await ctx.use_cases.leagues.load(permissions.require_guild(ctx))).member(ctx.user)
        words = await ctx.words()
        await confirm(ctx, words("league.leave.ask"), ConfirmLeaving.to(words))

    @group.command(name="pause", description=words("command.league.pause"))
    @takes_context
    async def pause(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.use_cases.leagues.pause(permissions.require_guild(ctx), ctx.user)
        words = await ctx.words()
        await ctx.reply(words("league.paused"))

    @group.command(name="table", description=words("command.league.table"))
    @app_commands.describe(division=words("command.league.table.division"), season=words("command.league.table.season"))
    @takes_context
    async def table(
        ctx: Context,
        division: app_commands.Range[int, 1, 30] | None = None,
        season: app_commands.Range[int, 1, 999] | None = None,
    ) -> None:
        await ctx.defer_private()
        await ctx.show(await tables_page(ctx, season, division))

    @group.command(name="pin", description=words("command.league.pin"))
    @takes_context
    async def pin(ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_manage_server(ctx)
        guild = permissions.require_guild(ctx)
        pins = not (await ctx.use_cases.leagues.load(guild)).pins
        await ctx.use_cases.leagues.set_pins(guild, pins=pins)
        words = await ctx.words()
        needed = permissions.permission_names(["pin_messages"], words)
        await ctx.reply(words("league.pins.on", permissions=needed) if pins else words("league.pins.off"))

    @group.command(name="close", description=words("command.league.close"))
    @takes_context
    async def close(ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_manage_server(ctx)
        await ctx.use_cases.leagues.load(permissions.require_guild(ctx))
        words = await ctx.words()
        await confirm(ctx, words("league.close.ask"), ConfirmClosing.to(words))

    return (group,)


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


async def _open(ctx: Context, terms: Terms) -> None:
    """Opens the league in this channel, where its games can have threads, or moves it here. Raises Refused."""
    await permissions.require_playable_channel(ctx, alone=False)
    permissions.require_threads(ctx)
    await permissions.require_permissions(ctx, permissions.THREAD_PERMISSIONS)
    league = League(permissions.require_guild(ctx), ctx.channel, ctx.user, terms, first_season(ctx.at))
    opened = await ctx.use_cases.leagues.open(league)
    words = await ctx.words()
    await ctx.reply(words("league.opened", **words.appointment(opened.begins)))
