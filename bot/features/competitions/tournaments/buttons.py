"""The buttons of a tournament's message, and what they share with its commands."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.competitions.tournaments.leaving import withdraw
from bot.features.competitions.tournaments.terms import TournamentTerms, require_host, require_own_server
from bot.features.match.prompts import show_line
from bot.features.terms.terms_panel import terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control
from play.competitions.tournament import Stage, Tournament, TournamentId
from presentation.words.words import Words


class TournamentButton(Component):
    """A button of a tournament: `tournament:12:join`."""

    tournament: TournamentId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await self.act(ctx)

    async def act(self, ctx: Context) -> None:
        """Does what the button says, and answers. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


class Join(TournamentButton, id=ids.JOIN):
    style = discord.ButtonStyle.success

    async def act(self, ctx: Context) -> None:
        require_own_server(ctx, await ctx.use_cases.tournaments.load(self.tournament))
        await permissions.require_player(ctx)
        await ctx.use_cases.tournaments.sign_up(self.tournament, ctx.user)
        words = await ctx.words()
        await show_line(ctx, words("tournament.joined"))


class Withdraw(TournamentButton, id=ids.WITHDRAW):
    async def act(self, ctx: Context) -> None:
        await withdraw(ctx, self.tournament)


class Begin(TournamentButton, id=ids.BEGIN):
    style = discord.ButtonStyle.primary

    async def act(self, ctx: Context) -> None:
        await begin(ctx, self.tournament)


class ChangeTerms(TournamentButton, id=ids.TOURNAMENT_TERMS):
    async def act(self, ctx: Context) -> None:
        tournament = await ctx.use_cases.tournaments.load(self.tournament)
        require_host(ctx, tournament)
        tournament.require(Stage.SIGN_UP)
        await ctx.show(await terms_panel(ctx, TournamentTerms(tournament.id), tournament.terms))


def tournament_buttons(tournament: Tournament, words: Words, links: Sequence[Control] = ()) -> discord.ui.View:
    """Returns the buttons of a tournament's message at its present stage, and `links` to its page."""
    join, leave, begins, change = (
        Join.make(words("tournament.button.join"), tournament=tournament.id),
        Withdraw.make(words("tournament.button.withdraw"), tournament=tournament.id),
        Begin.make(words("tournament.button.begin"), tournament=tournament.id),
        ChangeTerms.make(words("terms.change"), tournament=tournament.id),
    )
    if tournament.stage is Stage.SIGN_UP:
        return row(join, leave, begins, change, *links)
    return row(leave, *links) if tournament.stage is Stage.RUNNING else row(*links)


async def begin(ctx: Context, tournament: TournamentId) -> None:
    """Begins the tournament for its host. The interaction is acknowledged. Raises Refused."""
    require_host(ctx, await ctx.use_cases.tournaments.load(tournament))
    await ctx.use_cases.tournaments.begin(tournament, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("tournament.begun"))


BUTTONS: tuple[type[TournamentButton], ...] = (Join, Withdraw, Begin, ChangeTerms)
