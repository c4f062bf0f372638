"""The end of a contest before its last game: a manager cancels it, proposes that, or agrees to a proposal."""

from __future__ import annotations

from bot.features.competitions.contests.invitations import require_manager
from bot.features.competitions.contests.naming import server_name
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from play.competitions.contest import Contest, ContestId
from play.ids import GuildId
from presentation.words.words import Words


class WithdrawTeam(Confirmation, id=ids.WITHDRAW_TEAM):
    """Cancels a contest for the server, or asks the other one for it."""

    contest: ContestId

    async def carry_out(self, ctx: Context) -> list[Part]:
        guild = await require_manager(ctx)
        contest = await ctx.use_cases.contests.withdraw(self.contest, guild, ctx.at)
        words = await ctx.words()
        return [words("team.withdraw.asked" if contest.is_open else "team.withdrawn")]


async def ask_to_withdraw(ctx: Context) -> None:
    """Asks a manager which of the server's open contests to cancel. Raises Refused."""
    guild = await require_manager(ctx)
    words = await ctx.words()
    found = await ctx.use_cases.contests.open_of_guild(guild)
    answers = [WithdrawTeam.make(await _label(ctx, contest, guild, words), contest=contest.id) for contest in found]
    await confirm(ctx, words("team.withdraw.ask"), *answers)


async def _label(ctx: Context, contest: Contest, guild: GuildId, words: Words) -> str:
    side = contest.require_side(guild)
    if contest.guest is None:
        return words("team.withdraw.invitation")
    name = await server_name(ctx.services.names, contest.team(side.other).guild, words)
    return words("team.withdraw.match", name=name)


BUTTONS: tuple[type[Component], ...] = (WithdrawTeam,)
