"""`/team`: matches of a server against others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.features.competitions.contests.invitations import invite, show_offer
from bot.features.competitions.contests.naming import server_names
from bot.features.competitions.contests.season import season_panel
from bot.features.competitions.contests.withdrawal import ask_to_withdraw
from bot.features.terms.offered_rules import default_terms, find_rules, name_rules, suggest_rules_of_two
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.challenge.terms import Terms
from play.clock import parse_control, parse_duration
from play.competitions.codes import MAX_TYPED as MAX_CODE
from play.competitions.contest import (
    MAX_BOARDS,
    MAX_MOVE_DAYS,
    MAX_SIGN_UP_DAYS,
    MIN_BOARDS,
    MIN_SIGN_UP_DAYS,
    ContestId,
    Kind,
)
from play.ids import DAY, Millis
from play.refusal import Reason, Refused
from play.votes.side import control_of
from presentation.contests import status_line
from presentation.text import escape
from rules.registry import NEEDS_CONSENT

MAX_TYPED = 30
"""Characters of a typed size."""


async def challenge(
    ctx: Context,
    rules: str | None = None,
    size: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    days: app_commands.Range[int, 1, MAX_MOVE_DAYS] = 3,
    pairs: app_commands.Range[int, MIN_BOARDS, MAX_BOARDS] = MAX_BOARDS,
    signup: app_commands.Range[int, MIN_SIGN_UP_DAYS, MAX_SIGN_UP_DAYS] = 7,
    vote: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    rated: bool = True,
) -> None:
    terms = replace(await _terms(ctx, rules, size, f"{days}d"), rated=rated and vote is None)
    plan: dict[str, Any] = {"kind": Kind.BOARDS, "size": pairs, "sign_up": Millis(signup * DAY)}
    if vote is not None:
        plan = {"kind": Kind.VOTE, "period": _period(vote)}
    await invite(ctx, {"id": ContestId(0), "terms": terms, **plan})


async def accept(ctx: Context, code: app_commands.Range[str, 1, MAX_CODE]) -> None:
    await show_offer(ctx, code)


async def withdraw(ctx: Context) -> None:
    await ask_to_withdraw(ctx)


async def status(ctx: Context) -> None:
    await ctx.show(await _status(ctx))


async def season(ctx: Context) -> None:
    await ctx.show(await season_panel(ctx))


def _period(typed: str) -> Millis:
    """Returns the length of a vote. Raises Refused (`bad_duration`, `bad_period`)."""
    period = parse_duration(typed)
    control_of(period)
    return period


async def _terms(ctx: Context, rules: str | None, size: str | None, clock: str) -> Terms:
    """Returns the player's default terms with the chosen options. Raises Refused and RuleError."""
    terms = await default_terms(ctx)
    if rules:
        terms = (await find_rules(ctx, rules)).put_into(terms)
    elif terms.game.key in NEEDS_CONSENT and not (await permissions.server_settings(ctx)).dot_dash:
        raise Refused(Reason.NO_DOT_DASH)
    game = terms.game.with_options({"size": size}) if size else terms.game
    return await name_rules(ctx, replace(terms, game=game, control=parse_control(clock), window=None, level=None))


async def _status(ctx: Context) -> list[Part]:
    """Returns the newest contests of the server, one a line. Raises Refused."""
    found = await ctx.use_cases.contests.of_guild(permissions.require_guild(ctx))
    if not found:
        raise Refused(Reason.NO_TEAM_MATCH)
    words, lines = await ctx.words(), []
    for contest in found:
        home, guest = await server_names(ctx.services.names, contest, words)
        lines.append(f"- {status_line(contest, (escape(home), escape(guest)), words)}")
    return ["\n".join(lines)]


COMMANDS = (
    Group(
        "team",
        (
            Command(challenge, like="challenge", suggests={"rules": suggest_rules_of_two}),
            *declare(accept, withdraw, status, season),
        ),
        on_servers=True,
    ),
)
