"""`/moderate`: what moderators of a server decide about its games and members."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.match.action_commands import MAX_DURATION, suggest_times
from bot.features.match.actions import moderation
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare
from bot.interactions.context import Context
from bot.request import Request
from play.clock import parse_duration
from play.community.ban import MAX_REASON
from play.ids import ChallengeId, MatchId, UserId
from play.refusal import Reason, Refused
from use_cases.match_writer import MatchRef


async def annul(ctx: Context, game: int | None = None) -> None:
    if not await _explain_without_game(ctx, game):
        await moderation.ask_to_annul(ctx, _match_ref(ctx.request, game))


async def end(ctx: Context, winner: discord.User | None = None, game: int | None = None) -> None:
    if not await _explain_without_game(ctx, game):
        await moderation.ask_to_decide(ctx, _match_ref(ctx.request, game), UserId(winner.id) if winner else None)


async def extend(
    ctx: Context,
    player: discord.User,
    time: app_commands.Range[str, 1, MAX_DURATION],
    game: int | None = None,
) -> None:
    await moderation.extend(ctx, _match_ref(ctx.request, game), UserId(player.id), parse_duration(time))


async def ban(
    ctx: Context,
    member: discord.User,
    time: app_commands.Range[str, 1, MAX_DURATION] | None = None,
    reason: app_commands.Range[str, 1, MAX_REASON] = "",
    end_games: bool = False,
) -> None:
    await moderation.ask_to_ban(ctx, member, time, reason, end_games=end_games)


async def unban(ctx: Context, member: discord.User) -> None:
    await moderation.lift_ban(ctx, member)


async def bans(ctx: Context) -> None:
    await moderation.list_bans(ctx)


async def notes(ctx: Context, member: discord.User | None = None, game: int | None = None) -> None:
    if member is not None or not await _explain_without_game(ctx, game):
        await moderation.ask_to_take_notes_off(ctx, member, None if game is None else MatchId(game))


async def withdraw_challenge(ctx: Context, which: int) -> None:
    await moderation.withdraw_challenge(ctx, ChallengeId(which))


async def help_(ctx: Context) -> None:
    await _explain(ctx)


def _match_ref(request: Request, game: int | None) -> MatchRef:
    """Returns the game of that number, or that of the channel: a game that was moved away is judged from home."""
    return request.here if game is None else MatchId(game)


async def _explain_without_game(ctx: Context, game: int | None) -> bool:
    """Explains `/moderate` where neither the command nor the channel names a game; returns whether it did."""
    if game is not None:
        return False
    try:
        await ctx.load_match(ctx.here)
    except Refused as refused:
        if refused.key != Reason.NO_MATCH_HERE:
            raise
        await _explain(ctx)
        return True
    return False


async def _explain(ctx: Context) -> None:
    """Says what each action does, whom it costs what, and whether it can be undone. The interaction is acknowledged."""
    words = await ctx.words()
    server = await permissions.server_settings(ctx)
    actions = ("annul", "end", "extend", "ban", "notes", "withdraw", "limit")
    lines = [f"### {words('moderate.help')}", *(f"- {words(f'moderate.help.{each}')}" for each in actions)]
    if server.log_channel is None:
        lines.append(words("moderate.unlogged"))
    else:
        lines.append(words("moderate.logged", channel=f"<#{server.log_channel}>"))
    await ctx.show(["\n".join(lines)])


COMMANDS = (
    Group(
        "moderate",
        (
            Command(annul),
            Command(end, like="moderate.annul"),
            Command(extend, like="moderate.annul", suggests={"time": suggest_times}),
            *declare(ban, unban, bans, notes),
            Command(withdraw_challenge, suggests={"which": moderation.suggest_challenges}),
            Command(help_),
        ),
        on_servers=True,
        permissions=discord.Permissions(manage_messages=True),
    ),
)
