"""`/moderate`: what moderators of a server decide about its games and members."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.match.action_commands import MAX_DURATION, suggest_times
from bot.features.match.actions import moderation
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.request import Request
from play.clock import parse_duration
from play.community.ban import MAX_REASON
from play.ids import ChallengeId, MatchId, UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words
from use_cases.match_writer import MatchRef


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """Returns `/moderate`, for members who may manage messages; a server can allow it to others in its settings."""
    group = app_commands.Group(
        name="moderate",
        description=words("command.moderate"),
        default_permissions=discord.Permissions(manage_messages=True),
        allowed_contexts=permissions.ON_SERVERS,
        allowed_installs=permissions.BY_SERVERS,
    )

    @group.command(name="annul", description=words("command.moderate.annul"))
    @app_commands.describe(game=words("command.moderate.annul.game"))
    @takes_context
    async def annul(ctx: Context, game: int | None = None) -> None:
        await ctx.defer_private()
        if not await _explain_without_game(ctx, game):
            await moderation.ask_to_annul(ctx, _match_ref(ctx.request, game))

    @group.command(name="end", description=words("command.moderate.end"))
    @app_commands.describe(winner=words("command.moderate.end.winner"), game=words("command.moderate.annul.game"))
    @takes_context
    async def end(ctx: Context, winner: discord.User | None = None, game: int | None = None) -> None:
        await ctx.defer_private()
        if not await _explain_without_game(ctx, game):
            await moderation.ask_to_decide(ctx, _match_ref(ctx.request, game), UserId(winner.id) if winner else None)

    @group.command(name="extend", description=words("command.moderate.extend"))
    @app_commands.describe(
        player=words("command.moderate.extend.player"),
        time=words("command.moderate.extend.time"),
        game=words("command.moderate.annul.game"),
    )
    @app_commands.autocomplete(time=suggest_times)
    @takes_context
    async def extend(
        ctx: Context,
        player: discord.User,
        time: app_commands.Range[str, 1, MAX_DURATION],
        game: int | None = None,
    ) -> None:
        await ctx.defer_private()
        await moderation.extend(ctx, _match_ref(ctx.request, game), UserId(player.id), parse_duration(time))

    @group.command(name="ban", description=words("command.moderate.ban"))
    @app_commands.describe(
        member=words("command.moderate.ban.member"),
        time=words("command.moderate.ban.time"),
        reason=words("command.moderate.ban.reason"),
        end_games=words("command.moderate.ban.end_games"),
    )
    @app_commands.rename(end_games="end-games")
    @takes_context
    async def ban(
        ctx: Context,
        member: discord.User,
        time: app_commands.Range[str, 1, MAX_DURATION] | None = None,
        reason: app_commands.Range[str, 1, MAX_REASON] = "",
        end_games: bool = False,
    ) -> None:
        await ctx.defer_private()
        await moderation.ask_to_ban(ctx, member, time, reason, end_games=end_games)

    @group.command(name="unban", description=words("command.moderate.unban"))
    @app_commands.describe(member=words("command.moderate.unban.member"))
    @takes_context
    async def unban(ctx: Context, member: discord.User) -> None:
        await ctx.defer_private()
        await moderation.lift_ban(ctx, member)

    @group.command(name="bans", description=words("command.moderate.bans"))
    @takes_context
    async def bans_(ctx: Context) -> None:
        await ctx.defer_private()
        await moderation.list_bans(ctx)

    @group.command(name="notes", description=words("command.moderate.notes"))
    @app_commands.describe(member=words("command.moderate.notes.member"), game=words("command.moderate.notes.game"))
    @takes_context
    async def notes(ctx: Context, member: discord.User | None = None, game: int | None = None) -> None:
        await ctx.defer_private()
        if member is not None or not await _explain_without_game(ctx, game):
            await moderation.ask_to_take_notes_off(ctx, member, None if game is None else MatchId(game))

    @group.command(name="withdraw-challenge", description=words("command.moderate.withdraw-challenge"))
    @app_commands.describe(which=words("command.moderate.withdraw-challenge.which"))
    @app_commands.autocomplete(which=moderation.suggest_challenges)
    @takes_context
    async def withdraw(ctx: Context, which: int) -> None:
        await ctx.defer_private()
        await moderation.withdraw_challenge(ctx, ChallengeId(which))

    @group.command(name="help", description=words("command.moderate.help"))
    @takes_context
    async def help_(ctx: Context) -> None:
        await ctx.defer_private()
        await _explain(ctx)

    return (group,)


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
