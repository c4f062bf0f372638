"""Invitations: a manager makes a code, and the manager of another server looks at it, accepts or declines."""

from __future__ import annotations

import secrets
from typing import Any

import discord

from bot.features.competitions.contests.naming import server_name
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, Question, show_question
from play.competitions.codes import digest_of, make_code, read_code
from play.competitions.contest import CODE_MILLIS, Contest, Kind, Side, Team
from play.ids import GuildId, Millis
from play.refusal import Reason, Refused
from presentation.contests import offer_lines
from presentation.text import escape
from presentation.words.words import Words


async def require_manager(ctx: Context) -> GuildId:
    """Returns the server that the user may manage. Raises Refused (`no_server_here`, `not_your_server`)."""
    await permissions.require_manage_server(ctx)
    assert ctx.guild is not None, "it is required"
    return ctx.guild


async def require_place(ctx: Context) -> None:
    """Raises Refused where the games of a contest could not have their threads."""
    await permissions.require_playable_channel(ctx, alone=False)
    permissions.require_threads(ctx)
    await permissions.require_permissions(ctx, permissions.THREAD_PERMISSIONS, Reason.TOURNAMENT_THREADS)


async def own_team(ctx: Context) -> Team:
    """Returns the team of the user's server in this channel. Raises Refused unless they manage it."""
    guild = await require_manager(ctx)
    await require_place(ctx)
    return Team(guild, ctx.channel, ctx.user)


async def invite(ctx: Context, plan: dict[str, Any]) -> None:
    """Makes a challenge by `plan`, the fields of its Contest, and shows its code. Raises Refused."""
    code = make_code(secrets.choice)
    letters = read_code(code)
    assert letters is not None, "it was made a moment ago"
    expires = Millis(ctx.at + CODE_MILLIS)
    contest = Contest(
        home=await own_team(ctx), made=ctx.at, code=digest_of(letters), expires=expires, key=ctx.key, **plan
    )
    made = await ctx.use_cases.contests.challenge(contest)
    words = await ctx.words()
    until = {"at": words.moment(made.expires), "when": words.until(made.expires)}
    await ctx.reply(words("team.made", code=code, **until))


async def show_offer(ctx: Context, typed: str) -> None:
    """Shows what a code invites to, to a manager alone. Raises Refused."""
    guild = await require_manager(ctx)
    contest, letters = await _look_up(ctx, typed, guild)
    words = await ctx.words()
    name = escape(await server_name(ctx.services.names, contest.home.guild, words))
    if contest.guest is not None:
        await ctx.reply(_accepted(contest, name, words))
        return
    await require_place(ctx)
    answers = (
        AcceptTeam.make(words("team.button.accept"), discord.ButtonStyle.success, code=letters),
        DeclineTeam.make(words("team.button.decline"), code=letters),
    )
    await show_question(ctx, Question("\n".join(offer_lines(contest, name, words)), None, answers))


def _accepted(contest: Contest, name: str, words: Words) -> str:
    """Returns that the server plays against the server `name`."""
    return words("team.accepted.vote", name=name) if contest.kind is Kind.VOTE else words("team.accepted", name=name)


async def _look_up(ctx: Context, typed: str, guild: GuildId) -> tuple[Contest, str]:
    """Returns the contest of a code, and its letters. Each try counts. Raises Refused."""
    ctx.services.gate.count_code(ctx.request)
    letters = read_code(typed)
    if letters is None:
        raise Refused(Reason.NO_TEAM_CODE)
    return await ctx.use_cases.contests.look_up(letters, guild, ctx.at), letters


class AcceptTeam(Confirmation, id=ids.ACCEPT_TEAM):
    """Accepts for the server in this channel."""

    code: str

    async def carry_out(self, ctx: Context) -> list[Part]:
        team = await own_team(ctx)
        await _look_up(ctx, self.code, team.guild)
        accepted = await ctx.use_cases.contests.accept(self.code, team, ctx.at)
        words = await ctx.words()
        name = await server_name(ctx.services.names, accepted.team(Side.HOME).guild, words)
        return [_accepted(accepted, escape(name), words)]


class DeclineTeam(Confirmation, id=ids.DECLINE_TEAM):
    """Declines for the server."""

    code: str

    async def carry_out(self, ctx: Context) -> list[Part]:
        guild = await require_manager(ctx)
        await _look_up(ctx, self.code, guild)
        await ctx.use_cases.contests.decline(self.code, guild, ctx.at)
        words = await ctx.words()
        return [words("team.declined")]


BUTTONS: tuple[type[Component], ...] = (AcceptTeam, DeclineTeam)
