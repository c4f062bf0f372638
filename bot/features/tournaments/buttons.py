"""The buttons of a tournament's message, and what they share with its commands."""

from __future__ import annotations

from collections.abc import Sequence
from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.features.match.actions.prompts import show_line
from bot.features.terms.terms_panel import terms_panel
from bot.features.tournaments.terms import TournamentTerms, require_host, require_own_server
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.interactions.layout import Control
from play.tournaments.tournament import Stage, Tournament, TournamentId
from presentation.words.words import Words

CUSTOM_ID = r"tournament:(?P<tournament>\d{1,15})"


class TournamentButton(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button of a tournament: `tournament:12:join`."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, tournament: TournamentId, label: str | None) -> None:
        custom_id = f"tournament:{tournament}:{self.action}"
        super().__init__(discord.ui.Button(label=label, style=self.style, custom_id=custom_id))
        self.tournament = tournament

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(TournamentId(int(match["tournament"])), item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await self.act(ctx)

    async def act(self, ctx: Context) -> None:
        """Does what the button says, and answers. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


class Join(TournamentButton, template=rf"{CUSTOM_ID}:join"):
    action = "join"
    style = discord.ButtonStyle.success

    async def act(self, ctx: Context) -> None:
        require_own_server(ctx, await ctx.services.tournaments.load(self.tournament))
        await permissions.require_player(ctx)
        await ctx.services.tournaments.sign_up(self.tournament, ctx.user)
        words = await ctx.words()
        await show_line(ctx, words("tournament.joined"))


class Withdraw(TournamentButton, template=rf"{CUSTOM_ID}:withdraw"):
    action = "withdraw"

    async def act(self, ctx: Context) -> None:
        await withdraw(ctx, self.tournament)


class Begin(TournamentButton, template=rf"{CUSTOM_ID}:begin"):
    action = "begin"
    style = discord.ButtonStyle.primary

    async def act(self, ctx: Context) -> None:
        await begin(ctx, self.tournament)


class ChangeTerms(TournamentButton, template=rf"{CUSTOM_ID}:terms"):
    action = "terms"

    async def act(self, ctx: Context) -> None:
        tournament = await ctx.services.tournaments.load(self.tournament)
        require_host(ctx, tournament)
        tournament.require(Stage.SIGN_UP)
        await ctx.show(await terms_panel(ctx, TournamentTerms(tournament.id), tournament.terms))


def tournament_buttons(tournament: Tournament, words: Words, links: Sequence[Control] = ()) -> discord.ui.View:
    """Returns the buttons of a tournament's message at its present stage, and `links` to its page."""
    join, leave, begins, change = (
        Join(tournament.id, words("tournament.button.join")),
        Withdraw(tournament.id, words("tournament.button.withdraw")),
        Begin(tournament.id, words("tournament.button.begin")),
        ChangeTerms(tournament.id, words("terms.change")),
    )
    if tournament.stage is Stage.SIGN_UP:
        return row(join, leave, begins, change, *links)
    return row(leave, *links) if tournament.stage is Stage.RUNNING else row(*links)


async def withdraw(ctx: Context, tournament: TournamentId) -> None:
    """Withdraws the player. The interaction is acknowledged. Raises Refused."""
    await ctx.services.tournaments.withdraw(tournament, ctx.user, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("tournament.withdrawn"))


async def begin(ctx: Context, tournament: TournamentId) -> None:
    """Begins the tournament for its host. The interaction is acknowledged. Raises Refused."""
    require_host(ctx, await ctx.services.tournaments.load(tournament))
    await ctx.services.tournaments.begin(tournament, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("tournament.begun"))


async def cancel(ctx: Context, tournament: TournamentId) -> None:
    """Cancels the tournament for its host. The interaction is acknowledged. Raises Refused."""
    require_host(ctx, await ctx.services.tournaments.load(tournament))
    await ctx.services.tournaments.cancel(tournament)
    words = await ctx.words()
    await show_line(ctx, words("tournament.cancelled"))


BUTTONS: tuple[type[TournamentButton], ...] = (Join, Withdraw, Begin, ChangeTerms)
