"""`/vote`: games that the whole server plays, as managers begin and end them, and where members find them."""

import logging
from collections.abc import Sequence

import discord
from discord import app_commands

from bot.addresses import link
from bot.features.terms.offered_rules import find_rules, suggest_rules_of_two
from bot.features.votes.beginning import VoteDraft, ask_to_begin
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.commands import Command, Group, declare, level_choices
from bot.interactions.components import Component, Confirmation, confirm
from bot.interactions.context import Context
from bot.interactions.layout import Part, Section, link_button
from bot.interactions.permissions import is_hidden
from bot.markup import escape
from bot.request import own_id
from bot.services.discord_errors import describe
from opponent.choice import DEFAULT_LEVEL
from play.clock.schedule import Night, parse_night
from play.ids import MatchId, RoleId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes import MAX_QUORUM, USUAL_NIGHT, Side, closing, read_period, time_ahead
from presentation.match.narration import move_number
from presentation.typed import typed_time
from presentation.votes import choice_text
from presentation.words.words import Words

log = logging.getLogger(__name__)

MAX_GAMES = 10
"""Games in the list: more than a server may have at a time."""

MAX_TYPED, MAX_NIGHT = 10, 20
"""Characters of a typed time or size, and of a typed night."""

NO_NIGHT = "none"
"""What is typed where votes also close at night."""


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
            ahead = words("vote.list.length", time=words.duration(time_ahead(match, side, ctx.services.names.own_id)))
            lines = await _line(ctx, match, side, words), await _state(ctx, match, side, words), ahead
            text = "\n".join(lines)
            parts.append(Section(text, link_button(words("button.go"), link(match.guild, match.channel))))
    return [words("vote.list"), *parts] if parts else [words("vote.none")]


async def _is_hidden(ctx: Context, match: Match, side: Side) -> bool:
    """Returns whether the user does not see the channel of a game. While Discord does not say that, those see it who
    have voted there. Raises Refused."""
    try:
        return await is_hidden(ctx, match)
    except Refused as refused:
        if refused.key is not Reason.CHAT_AWAY:
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
        own = await ctx.use_cases.votes.side_for(match.id, ctx.request.member)
        await permissions.require_player(ctx)
    except Refused as refused:
        return f"-# {await errors.explain(ctx.services, words, ctx.request, refused)}"
    if own.id != side.id or match.to_act != side.seat:
        return words("vote.list.waits")
    when = words.until(closing(match, side), ctx.at)
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


class ConfirmVoteClosing(Confirmation, id=ids.VOTE_CLOSE):
    """Closes the present vote of the server."""

    match: MatchId

    async def carry_out(self, ctx: Context) -> Sequence[Part]:
        await permissions.require_manage_server(ctx)
        match = await ctx.load_match(self.match)
        await ctx.use_cases.votes.close_now(match, await _own_side(ctx, match), ctx.user)
        words = await ctx.words()
        return [words("vote.closed")]


async def ask_to_close(ctx: Context) -> None:
    """Asks whether the vote of this channel's game closes now. The interaction is acknowledged. Raises Refused."""
    match, side = await _game_here(ctx)
    words = await ctx.words()
    sure = ConfirmVoteClosing.make(words("button.vote_close"), match=match.id)
    await confirm(ctx, words("vote.close.ask", when=words.until(closing(match, side), ctx.at), count=side.quorum), sure)


class ConfirmServerResign(Confirmation, id=ids.VOTE_END):
    """Resigns for the server."""

    match: MatchId

    async def carry_out(self, ctx: Context) -> Sequence[Part]:
        await permissions.require_manage_server(ctx)
        match = await ctx.load_match(self.match)
        side = await _own_side(ctx, match)
        await ctx.use_cases.matches.resign_side(side, ctx.user, ctx.at, ctx.key)
        words = await ctx.words()
        return [words("vote.resigned")]


async def ask_to_resign(ctx: Context) -> None:
    """Asks whether the server resigns the vote game of this channel. The interaction is acknowledged. Raises
    Refused."""
    match, side = await _game_here(ctx)
    words = await ctx.words()
    name = escape(await ctx.services.names.of(side.account, ctx.guild))
    sure = ConfirmServerResign.make(words("button.vote_end"), match=match.id)
    await confirm(ctx, words("vote.resign.ask", side=name), sure)


async def _game_here(ctx: Context) -> tuple[Match, Side]:
    """Returns the vote game of this channel, with the side of this server. Raises Refused, as `_own_side` does."""
    try:
        match = await ctx.load_match(ctx.here)
    except Refused as refused:
        raise (Refused(Reason.NO_VOTE_GAME_HERE) if refused.key is Reason.NO_MATCH_HERE else refused) from refused
    return match, await _own_side(ctx, match)


async def _own_side(ctx: Context, match: Match) -> Side:
    """Returns the only side of this server in a match that goes on. Raises Refused (`no_vote_game_here`,
    `match_over`)."""
    own = [side for side in await ctx.use_cases.votes.sides_of(match.id) if side.guild == ctx.guild]
    if len(own) != 1:
        raise Refused(Reason.NO_VOTE_GAME_HERE)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    return own[0]


BUTTONS: tuple[type[Component], ...] = (ConfirmVoteClosing, ConfirmServerResign)


async def games(ctx: Context) -> None:
    permissions.require_bot_installed(ctx)
    await ctx.show(await vote_games(ctx))


async def begin(
    ctx: Context,
    computer: int | None = None,
    opponent: discord.User | None = None,
    role: discord.Role | None = None,
    time: app_commands.Range[str, 1, MAX_TYPED] = "6h",
    quorum: app_commands.Range[int, 1, MAX_QUORUM] = 3,
    rules: str | None = None,
    size: app_commands.Range[str, 1, MAX_TYPED] = "",
    night: app_commands.Range[str, 1, MAX_NIGHT] = "",
) -> None:
    await permissions.require_manage_server(ctx)
    await permissions.require_managed_channel(ctx)
    against, level = _opponent(ctx, opponent, computer)
    voters = RoleId(role.id) if role is not None and role.id != ctx.guild else None
    if voters is not None and await _nobody_holds(ctx, voters):
        raise Refused(Reason.EMPTY_ROLE, role=voters)
    key = (await find_rules(ctx, rules)).key if rules else ""
    hours = await _read_night(ctx, night)
    await ask_to_begin(ctx, VoteDraft(against, level, voters, read_period(typed_time(time)), quorum, key, hours, size))


async def close(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    await ask_to_close(ctx)


async def resign(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    await ask_to_resign(ctx)


async def _read_night(ctx: Context, typed: str) -> Night | None:
    """Returns the hours in which no vote closes, by default those of most; None without nights, also on a server
    without a time zone. Raises Refused (`bad_night`, `night_needs_place`)."""
    if typed_time(typed).strip() == NO_NIGHT:
        return None
    night = parse_night(typed) if typed else USUAL_NIGHT
    known = (await ctx.use_cases.votes.schedule(permissions.require_guild(ctx), night)).night
    if typed and known is None:
        raise Refused(Reason.NIGHT_NEEDS_PLACE)
    return known


async def _nobody_holds(ctx: Context, role: RoleId) -> bool:
    """Returns whether no member has a role, as far as Discord says."""
    assert ctx.guild is not None, "a role is one of a server"
    try:
        counts = await ctx.interaction.client.http.get_role_member_counts(ctx.guild)
    except discord.HTTPException as error:
        log.info("how many members have role %d is not known: %s", role, describe(error))
        return False
    return bool(counts.get(str(role)) == 0)


def _opponent(ctx: Context, opponent: discord.User | None, level: int | None) -> tuple[UserId, int]:
    """Returns the user who plays against the server, or the level of the computer. Raises Refused."""
    if opponent is not None and opponent.id == own_id(ctx.interaction.client):
        opponent, level = None, level or DEFAULT_LEVEL
    if (opponent is None) == (level is None):
        raise Refused(Reason.VOTE_OPPONENT)
    if opponent is None:
        ctx.services.coach.advisor(ctx.user)  # refused where the operator has no computer
        return UserId(0), level or DEFAULT_LEVEL
    if opponent.bot:
        raise Refused(Reason.OPPONENT_IS_BOT)
    ctx.services.names.remember(opponent, ctx.guild)
    return UserId(opponent.id), 0


COMMANDS = (
    Group(
        "vote",
        (
            Command(games),
            Command(
                begin,
                like="challenge",
                choices={"computer": level_choices},
                suggests={"rules": suggest_rules_of_two},
                for_managers=True,
            ),
            *declare(close, resign, for_managers=True),
        ),
        on_servers=True,
    ),
)
