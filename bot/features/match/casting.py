"""Votes of a side: a member's turn is stored as a vote where a player's is played. Only the voter reads the answer."""

from __future__ import annotations

import asyncio

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.pictures import drawing_file
from bot.interactions.questions import Confirmation, Question, show_question
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes.vote import Choice
from presentation.match.narration import CALLS
from presentation.votes import choice_text, draw_tally, tally_text


class ShowVotes(MatchButton, id=ids.VOTES):
    """*Votes*: shows the tally to one who has voted."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await tally_parts(ctx, await self._current_match(ctx)))


class ConfirmDraw(Confirmation, MatchButton, id=ids.CONFIRM_DRAW_VOTE):
    """Votes for a draw."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await ctx.show(await vote(ctx, await self._current_match(ctx), Choice.DRAW, "", self.version))


async def vote_turn(ctx: Context, match: Match, turn: str, version: int | None) -> list[Part]:
    """Votes for a turn, and returns what the voter is shown. The interaction is acknowledged. Raises Refused."""
    return await vote(ctx, match, Choice.MOVE, str(match.game.parse(turn)), version)


async def vote_to_end(ctx: Context, match: Match, way: str, version: int) -> list[Part]:
    """Votes for an end in this `way`, and returns what the voter is shown. The interaction is acknowledged. Raises
    Refused (`old_button` for an end that needs the agreement of players)."""
    if way in CALLS:
        return await vote_turn(ctx, match, way, version)
    if way != Choice.RESIGN:
        raise Refused(Reason.OLD_BUTTON)
    return await vote(ctx, match, Choice.RESIGN, "", version)


async def vote(ctx: Context, match: Match, choice: Choice, text: str, version: int | None) -> list[Part]:
    """Stores the vote, and returns what the voter is shown. Raises Refused."""
    ballot = await ctx.use_cases.votes.cast(
        match.id, ctx.request.voter, choice, text, ctx.at, ctx.key, match.version if version is None else version
    )
    words = await ctx.words()
    move = choice_text(match.game, choice, text, words)
    told = words("vote.yours", move=move, at=words.moment(ballot.closes), when=words.until(ballot.closes))
    return await tally_parts(ctx, match, told)


async def tally_parts(ctx: Context, match: Match, notice: str = "") -> list[Part]:
    """Returns the tally below a `notice`, and the way to change one's vote. Raises Refused, also before one's own
    vote."""
    tally = await ctx.use_cases.votes.tally(match.id, ctx.user)
    words, theme = await ctx.words(), (await ctx.settings()).theme
    async with ctx.services.store.read() as reader:
        own = await reader.votes.newest_of(ctx.user, (tally.side,))
    drawn = await asyncio.to_thread(draw_tally, match, tally, own, words, theme)
    change = button(ids.KEYPAD(match=match.id, version=match.version), words("button.change_vote"))
    again = button(ids.VOTES(match=match.id, version=match.version), words("button.look_again"))
    picture = drawing_file(drawn, f"kropka-{match.id}-{match.version}-votes")
    text = "\n".join(filter(None, (notice, tally_text(match, tally, words), words("vote.legend"))))
    return [picture, text, [change, again]]


async def ask_for_draw(ctx: Context, match: Match) -> None:
    """Asks the voter whether their vote is for a draw. The interaction is acknowledged."""
    words = await ctx.words()
    sure = ConfirmDraw.at(match, words("vote.label", turn=words("vote.choice.draw")))
    back = button(ids.MORE(match=match.id, version=match.version), words("button.back"))
    text = f"{words('vote.ask.draw')}\n{words('vote.two_thirds')}"
    await show_question(ctx, Question(text, None, (sure, back)))


BUTTONS: tuple[type[MatchButton], ...] = (ShowVotes, ConfirmDraw)
