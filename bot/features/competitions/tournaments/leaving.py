"""Ways out of a tournament: a player withdraws, or its host cancels it. What cannot be undone is asked first."""

from __future__ import annotations

from bot.features.competitions.tournaments.terms import require_host
from bot.features.match.prompts import show_line
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from play.competitions.tournament import Stage, Tournament, TournamentId
from play.ids import UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.text import escape, plain_name
from presentation.tournaments import MAX_NAME


class ConfirmWithdrawal(Confirmation, id=ids.CONFIRM_WITHDRAWAL):
    """Withdraws the player from a tournament that has begun."""

    tournament: TournamentId

    async def carry_out(self, ctx: Context) -> list[Part]:
        withdrawn = await ctx.use_cases.tournaments.withdraw(self.tournament, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("tournament.withdrawn", name=escaped_name(withdrawn))]


class ConfirmCancellation(Confirmation, id=ids.CONFIRM_CANCELLATION):
    """Cancels a tournament for its host."""

    tournament: TournamentId

    async def carry_out(self, ctx: Context) -> list[Part]:
        require_host(ctx, await ctx.use_cases.tournaments.load(self.tournament))
        await ctx.use_cases.tournaments.cancel(self.tournament)
        words = await ctx.words()
        return [words("tournament.cancelled")]


async def withdraw(ctx: Context, number: TournamentId) -> None:
    """Takes the player off the list or, once the tournament has begun, asks whether they want to withdraw.

    The interaction is acknowledged. Raises Refused.
    """
    tournament = await ctx.use_cases.tournaments.load(number)
    words = await ctx.words()
    if tournament.stage is not Stage.RUNNING:
        await ctx.use_cases.tournaments.cancel_sign_up(number, ctx.user)
        await show_line(ctx, words("tournament.signed_off", name=escaped_name(tournament)))
        return
    if ctx.user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_IN)
    lines = [words("tournament.withdraw.ask", name=escaped_name(tournament))]
    if matches := await load_running_matches(ctx, tournament, ctx.user):
        threads = " ".join(words.channel(match.channel) for match in matches)
        lines.append(words("tournament.withdraw.game", thread=threads))
    sure = ConfirmWithdrawal.make(words("tournament.button.withdraw"), tournament=number)
    await confirm(ctx, "\n".join(lines), sure)


async def ask_to_cancel(ctx: Context, number: TournamentId) -> None:
    """Asks the host whether the tournament is to be cancelled. The interaction is acknowledged. Raises Refused."""
    tournament = await ctx.use_cases.tournaments.load(number)
    require_host(ctx, tournament)
    if tournament.stage not in (Stage.SIGN_UP, Stage.RUNNING):
        raise Refused(Reason.TOURNAMENT_OVER)
    words = await ctx.words()
    text = words(f"tournament.cancel.ask.{tournament.stage}", name=escaped_name(tournament))
    await confirm(ctx, text, ConfirmCancellation.make(words("tournament.cancel.sure"), tournament=number))


async def load_running_matches(ctx: Context, tournament: Tournament, user: UserId) -> list[Match]:
    """Returns the games of the present round that the player has not finished: one, or in an exhibition each board of
    the host."""
    own = [
        pair.match
        for pair in tournament.current_pairings
        if pair.points is None and pair.match is not None and user in (pair.first, pair.second)
    ]
    return [match for match in [await ctx.load_match(number) for number in own] if not match.outcome]


def escaped_name(tournament: Tournament) -> str:
    return escape(plain_name(tournament.name, MAX_NAME))


BUTTONS: tuple[type[Confirmation], ...] = (ConfirmWithdrawal, ConfirmCancellation)
