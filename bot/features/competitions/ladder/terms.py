"""The terms of a server's ladder, which those who may make one change in the panel."""

from __future__ import annotations

from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis
from bot.features.terms.terms_panel import terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.challenge.terms import Terms
from play.competitions.ladder import Ladder
from play.refusal import Reason, Refused


class LadderTerms(DefaultTermsTarget):
    """The terms of all challenges on the ladder."""

    kind = "ladder"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await _ladder_to_change(ctx)).terms, ctx.user, seats=2, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        await ctx.use_cases.ladders.change_terms((await _ladder_to_change(ctx)).guild, terms)
        words = await ctx.words()
        return [words("terms.saved")]


class ChangeTerms(Component, id=ids.LADDER_TERMS):
    """Opens the panel with the terms of the ladder."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        ladder = await _ladder_to_change(ctx)
        await ctx.show(await terms_panel(ctx, LadderTerms(), ladder.terms))


async def _ladder_to_change(ctx: Context) -> Ladder:
    """Returns the ladder of the server, for those who may change it. Raises Refused."""
    guild = permissions.require_guild(ctx)
    if not ctx.interaction.permissions.manage_messages:
        raise Refused(Reason.NOT_A_LADDER_MAKER)
    return await ctx.use_cases.ladders.load(guild)


ITEMS: tuple[type[ChangeTerms], ...] = (ChangeTerms,)
