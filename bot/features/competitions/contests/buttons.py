"""The buttons below the message of a contest: a member signs up for their server, or leaves its team."""

from __future__ import annotations

import discord

from bot.features.competitions.contests.naming import server_name
from bot.features.match.prompts import show_line
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from play.competitions.contest import Contest, ContestId, Stage
from play.refusal import Reason, Refused
from presentation.text import escape
from presentation.words.words import Words


class JoinTeam(Component, id=ids.JOIN_TEAM):
    """Signs the player up for the server where they press it."""

    contest: ContestId
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        await permissions.require_player(ctx)
        await ctx.use_cases.contests.sign_up(self.contest, ctx.user, ctx.guild, ctx.at)
        words = await ctx.words()
        await show_line(ctx, words("team.joined", name=await own_name(ctx, words)))


class LeaveTeam(Component, id=ids.LEAVE_TEAM):
    """Takes the player off the list or, once the games have begun, asks whether they want to leave."""

    contest: ContestId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        words = await ctx.words()
        name = await own_name(ctx, words)
        if contest.stage is not Stage.RUNNING:
            await ctx.use_cases.contests.cancel_sign_up(self.contest, ctx.user)
            await show_line(ctx, words("team.signed_off", name=name))
            return
        if contest.number_of(ctx.user) is None:
            raise Refused(Reason.TEAM_NOT_IN)
        sure = ConfirmLeaving.make(words("team.button.leave"), contest=self.contest)
        await confirm(ctx, words("team.leave.ask", name=name), sure)


class ConfirmLeaving(Confirmation, id=ids.CONFIRM_LEAVING_TEAM):
    """Takes the player out of the team: a substitute plays their game if it is not under way."""

    contest: ContestId

    async def carry_out(self, ctx: Context) -> list[Part]:
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        await ctx.use_cases.contests.leave(self.contest, ctx.user)
        words = await ctx.words()
        return [words("team.left", name=await own_name(ctx, words))]


def team_buttons(contest: Contest, words: Words) -> discord.ui.View:
    """Returns the buttons of a contest's message at its present stage."""
    join = JoinTeam.make(words("team.button.join"), contest=contest.id)
    leave = LeaveTeam.make(words("team.button.leave"), contest=contest.id)
    if contest.stage is Stage.SIGN_UP:
        return row(join, leave)
    return row(leave) if contest.stage is Stage.RUNNING and contest.players else row()


async def own_name(ctx: Context, words: Words) -> str:
    """Returns the escaped name of the server where the interaction comes from."""
    assert ctx.guild is not None, "a server takes part"
    return escape(await server_name(ctx.services.names, ctx.guild, words))


BUTTONS: tuple[type[Component], ...] = (JoinTeam, LeaveTeam, ConfirmLeaving)
