"""`/vote games`: the open vote games of a server, and what the user may vote about."""

from __future__ import annotations

from bot.interactions import errors
from bot.interactions.buttons import link_button
from bot.interactions.context import Context
from bot.interactions.layout import Part, Section
from bot.interactions.permissions import is_hidden
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes.side import Side
from play.votes.turn import closing
from presentation.addresses import link
from presentation.match.narration import move_number
from presentation.text import escape
from presentation.votes import choice_text
from presentation.words.words import Words

MAX_GAMES = 10
"""Games in the list: more than a server may have at a time."""


async def vote_games(ctx: Context) -> list[Part]:
    """Returns the list, without games of channels that the user does not see; what to do where there is none."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        sides = await reader.votes.open_of_guild(ctx.guild, MAX_GAMES)
    parts: list[Part] = []
    for side in sides:
        match = await ctx.load_match(side.match)
        if not await _is_hidden(ctx, match, side):
            text = "\n".join((await _line(ctx, match, side, words), await _state(ctx, match, side, words)))
            parts.append(Section(text, link_button(words("button.go"), link(match.guild, match.channel))))
    return [words("vote.list"), *parts] if parts else [words("vote.none")]


async def _is_hidden(ctx: Context, match: Match, side: Side) -> bool:
    """Returns whether the user does not see the channel of a game. While Discord does not say that, those see it who
    have voted there. Raises Refused."""
    try:
        return await is_hidden(ctx, match)
    except Refused as refused:
        if refused.key is not Reason.DISCORD_AWAY:
            raise
        async with ctx.services.store.read() as reader:
            if await reader.votes.newest_of(ctx.user, (side,)) is None:
                raise
        return False


async def _line(ctx: Context, match: Match, side: Side, words: Words) -> str:
    names = await ctx.services.names.of_all(match.players, ctx.guild)
    opponent = escape(names[1 - side.seat])
    return words("vote.list.line", side=escape(names[side.seat]), opponent=opponent, number=move_number(match))


async def _state(ctx: Context, match: Match, side: Side, words: Words) -> str:
    """Returns what the user may do: vote, change their vote, wait, or why not."""
    try:
        own = await ctx.use_cases.votes.side_for(match.id, ctx.request.voter)
    except Refused as refused:
        return f"-# {await errors.explain(ctx.services, words, ctx.request, refused)}"
    if own.id != side.id or match.to_act != side.seat:
        return words("vote.list.waits")
    when = words.until(closing(match, side))
    try:
        await ctx.use_cases.votes.tally(match.id, ctx.user)
    except Refused as refused:
        if refused.key is not Reason.VOTE_FIRST:
            raise
        return words("vote.list.open", when=when)
    async with ctx.services.store.read() as reader:
        vote = await reader.votes.newest_of(ctx.user, (side,))
    assert vote is not None, "there is a tally for those who have voted"
    return words("vote.list.voted", move=choice_text(match.game, vote.choice, vote.text, words), when=when)
