"""The terms of a tournament, which its host changes in the panel until it begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Self

from bot.features.terms.drafts import TermsBasis, TermsTarget
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.challenge.terms import Terms
from play.competitions.tournament import Tournament, TournamentId
from play.refusal import Reason, Refused


@dataclass(frozen=True, slots=True)
class TournamentTerms(TermsTarget):
    """The terms of all games of a tournament."""

    kind: ClassVar[str] = "tournament"
    tournament: TournamentId

    def __str__(self) -> str:
        return f"t{self.tournament}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"t(\d{1,15})", text)
        return cls(TournamentId(int(found[1]))) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        tournament = await ctx.use_cases.tournaments.load(self.tournament)
        require_host(ctx, tournament)
        return TermsBasis(tournament.terms, tournament.host, seats=2, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        await self.basis(ctx)
        await ctx.use_cases.tournaments.change_terms(self.tournament, terms)
        words = await ctx.words()
        return [words("terms.saved")]


def require_own_server(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused (`tournament_elsewhere`) unless the interaction comes from the tournament's server.

    Discord's permissions and the server's settings are those of the place where the player is.
    """
    if ctx.guild != tournament.guild:
        raise Refused(Reason.TOURNAMENT_ELSEWHERE)


def require_host(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused unless the player is the host or may manage messages on the tournament's server.

    Its reasons are `tournament_elsewhere` and `not_your_tournament`.
    """
    require_own_server(ctx, tournament)
    if ctx.user != tournament.host and not ctx.interaction.permissions.manage_messages:
        raise Refused(Reason.NOT_YOUR_TOURNAMENT)
