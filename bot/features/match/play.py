"""A player's turn is played, and that of a member of a side is a vote, whose answer only they read."""

import asyncio
from contextlib import suppress
from functools import partial

import discord

from bot.features.match.button import MatchButton, with_board_link
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Confirmation, Question, show_question
from bot.interactions.context import Context, Services
from bot.interactions.deferral import Deferral
from bot.interactions.layout import Part, button, drawing_file
from play.clock import Speed
from play.ids import side_of
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from play.turns import step_at
from play.votes import Choice, is_practice
from presentation.match.narration import CALLS
from presentation.match.phrases import turn_text
from presentation.votes import ask_for_draw_text, choice_text, draw_tally, tally_text
from rules.game import RuleError
from use_cases.match_writer import Late
from use_cases.matches import is_rated

MAX_TEXT = 54
"""Characters of a turn that the id of a button has room for."""


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


class VoteAnyway(MatchButton, id=ids.VOTE_ANYWAY):
    """Votes, though that ends the voter's prediction of the game."""

    choice: str
    text: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        match = await self._current_match(ctx)
        await ctx.show(await vote(ctx, match, Choice(self.choice), self.text, self.version, ends_prediction=True))


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


async def vote(
    ctx: Context, match: Match, choice: Choice, text: str, version: int | None, *, ends_prediction: bool = False
) -> list[Part]:
    """Stores the vote, and returns what the voter is shown: the question before it, if they have predicted the game.
    Raises Refused."""
    await permissions.require_player(ctx)
    words, version = await ctx.words(), match.version if version is None else version
    cast = partial(ctx.use_cases.votes.cast, match.id, ctx.request.member, choice, text, ctx.at, ctx.key, version)
    try:
        ballot = await cast(ends_prediction=ends_prediction)
    except Refused as refused:
        if refused.key is not Reason.VOTE_PREDICTED or len(text) > MAX_TEXT:
            raise
        sure = ids.VOTE_ANYWAY(match=match.id, version=version, choice=choice, text=text)
        back = ids.MORE(match=match.id, version=version)
        label = words("button.vote_anyway")
        return [
            words("vote.ask.predicted"),
            [button(sure, label, discord.ButtonStyle.danger), button(back, words("button.back"))],
        ]
    move = choice_text(match.game, choice, text, words)
    told = words("vote.yours", move=move, at=words.moment(ballot.closes), when=words.until(ballot.closes, ctx.at))
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
    await show_question(ctx, Question(ask_for_draw_text(match, words), None, (sure, back)))


BUTTONS: tuple[type[MatchButton], ...] = (ShowVotes, ConfirmDraw, VoteAnyway)


async def play_turn(
    ctx: Context, match: Match, turn: str, deferral: Deferral, version: int | None = None
) -> tuple[Match, str | None]:
    """Plays `turn` in `match`. With a `version`, it counts only if that is still the newest.

    Returns the match after it, and None if the new board answered the interaction. Otherwise the interaction is
    acknowledged and the board is posted; returns a line for the player that links to it. Raises Refused.
    """
    move = partial(ctx.use_cases.matches.move, match.place, ctx.user, turn, ctx.at, ctx.key, version=version)
    after: Match | None = None
    async with ctx.services.boards.relay.reserve(match.place, ctx.services.answer_seconds) as held:
        if held is not None and ctx.services.boards.publisher.can_answer(ctx, match):
            with suppress(Late):
                after = await move(delivers=True)
                if await ctx.services.boards.publisher.answer_with_board(ctx, deferral, after, held):
                    await ctx.services.channels.open_channel(ctx.interaction)
                    return after, None
    await deferral.acknowledge()
    after = after or await move()
    ctx.services.intake.leave(ctx.interaction.id)  # what is left is to wait for the board
    words = await ctx.words()
    played = next(event for event in after.events if event.key == ctx.key)
    line = words("move.done", move=turn_text(after.game, played.text, words))
    return after, await with_board_link(ctx.services, after, line, words)


async def undisputed_turn(ctx: Context, match: Match, code: str) -> str | None:
    """Returns the turn of a code if it is complete and its player neither confirms turns nor has anything to decide."""
    if not code or await confirms_turns(ctx.services, match, await ctx.settings()):
        return None
    with suppress(RuleError):
        step = await asyncio.to_thread(step_at, match, code)
        return step.complete_turn if step and not step.asks else None
    return None


async def confirms_turns(services: Services, match: Match, settings: PlayerSettings) -> bool:
    """Returns whether a player wants to look at a turn before it counts. Practice is played as a live game is; a vote
    can be changed, so it counts at once."""
    if side_of(match.players[match.position.to_act]) is not None:
        return False
    live = match.clock.control.speed is Speed.LIVE
    if not live and settings.confirm_days != settings.confirm_live:
        async with services.store.read() as reader:
            live = is_practice(match, services.names.own_id, rated=await is_rated(reader, match.id))
    return settings.confirms(live=live)
