"""Decisions of moderators about games, notes, challenges and members, and what the moderator reads then."""

from __future__ import annotations

import discord
from discord.app_commands import Choice

from bot.features.match.actions.prompts import show_line
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.selects import MAX_LABEL
from play.challenge.challenge import Challenge
from play.clock import parse_duration
from play.community.ban import MAX_REASON, Ban
from play.ids import ChallengeId, GuildId, MatchId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.text import escape, visible_text
from presentation.words.words import Words

MAX_LISTED = 25
"""Bans that a list shows."""


async def ban_member(
    ctx: Context, member: discord.User | discord.Member, time: str | None, reason: str, *, end_games: bool
) -> None:
    """Bans a member, and says what has ended. The interaction is acknowledged. Raises Refused."""
    guild = _require_guild(ctx)
    _require_bannable(ctx, member)
    ctx.services.names.remember(member, guild)
    until = None if time is None else Millis(ctx.at + parse_duration(time))
    user = UserId(member.id)
    await ctx.use_cases.bans.ban(Ban(guild, user, ctx.user, ctx.at, until, visible_text(reason, MAX_REASON)))
    words = await ctx.words()
    name = escape(await ctx.services.names.of(user, guild))
    if until is None:
        lines = [words("ban.done", name=name)]
    else:
        lines = [words("ban.done.until", name=name, until=f"<t:{until // 1000}:f>")]
    lines.append(await _games_line(ctx, guild, user, words) if end_games else words("ban.games.go_on"))
    await show_line(ctx, "\n".join(lines))


async def lift_ban(ctx: Context, member: discord.User | discord.Member) -> None:
    """Lets a member play again. The interaction is acknowledged. Raises Refused."""
    guild = _require_guild(ctx)
    ctx.services.names.remember(member, guild)
    await ctx.use_cases.bans.lift(guild, ctx.user, UserId(member.id), ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("ban.lifted", name=escape(await ctx.services.names.of(UserId(member.id), guild))))


async def list_bans(ctx: Context) -> None:
    """Lists the bans of the server, the newest first. The interaction is acknowledged. Raises Refused."""
    guild = _require_guild(ctx)
    bans = await ctx.use_cases.bans.load(guild)
    words = await ctx.words()
    lines = [words("ban.list", count=len(bans)) if bans else words("ban.list.empty")]
    lines += [await _ban_line(ctx, ban, words) for ban in bans[:MAX_LISTED]]
    if more := len(bans) - MAX_LISTED:
        lines += [words("ban.list.more", count=more)] if more > 0 else []
    await show_line(ctx, "\n".join(lines))


async def _ban_line(ctx: Context, ban: Ban, words: Words) -> str:
    name, moderator = map(escape, await ctx.services.names.of_all((ban.user, ban.by), ban.guild))
    at = f"<t:{ban.at // 1000}:d>"
    if ban.until is None:
        line = words("ban.line", name=name, moderator=moderator, at=at)
    else:
        line = words("ban.line.until", name=name, moderator=moderator, at=at, until=f"<t:{ban.until // 1000}:f>")
    return f"- {line} {escape(ban.reason)}".rstrip()


async def _games_line(ctx: Context, guild: GuildId, user: UserId, words: Words) -> str:
    """Ends the running games of a banned member; returns how many."""
    games = await ctx.use_cases.bans.end_games(guild, ctx.user, user, ctx.at)
    line = words("ban.games.ended", count=games.ended)
    return f"{line} {words('ban.games.left', count=games.left)}" if games.left else line


def _require_bannable(ctx: Context, member: discord.User | discord.Member) -> None:
    """Raises Refused for a bot, for managers of the server, and for its moderators unless the user manages it.

    Discord sends the permissions of the member with the command; a user who has left the server has none.
    """
    if member.bot:
        raise Refused(Reason.BAN_BOT)
    theirs = getattr(member, "resolved_permissions", None)
    if theirs is None or member.id == ctx.user:
        return
    own = ctx.interaction.permissions
    if theirs.manage_guild or (theirs.manage_messages and not own.manage_guild):
        raise Refused(Reason.BAN_MODERATOR)


def _require_guild(ctx: Context) -> GuildId:
    if ctx.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    return ctx.guild


async def annul_match(ctx: Context, number: MatchId | None) -> None:
    """Annuls the game of that number, or the one of the channel. The interaction is acknowledged. Raises Refused."""
    own = await ctx.words()
    match = await ctx.use_cases.matches.load(ctx.here if number is None else number)
    if match.outcome is None:
        match = await ctx.use_cases.moderation.annul(match.id, ctx.user, ctx.guild, ctx.at, ctx.key)
        await show_line(ctx, own("moderate.annulled"), match)
        return
    _, _, later = await ctx.use_cases.moderation.void(match.id, ctx.user, ctx.guild, ctx.at)
    lines = [own("moderate.annulled")]
    if later:
        lines.append(own("moderate.replayed", count=later))
    await show_line(ctx, " ".join(lines))


async def take_off(ctx: Context, member: discord.User | None, game: MatchId | None) -> None:
    """Takes off the notes of a game, of a member, or of both; without either, those of the channel's game.

    The interaction is acknowledged. Raises Refused.
    """
    if ctx.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    author = None if member is None else UserId(member.id)
    ref = ctx.here if game is None and author is None else game
    count = await ctx.use_cases.moderation.take_notes_off(ctx.guild, ctx.user, ref, author, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("moderate.notes_off", count=count))


async def withdraw_challenge(ctx: Context, challenge: ChallengeId) -> None:
    """Withdraws a challenge of the server, and tells its challenger. The interaction is acknowledged.

    Raises Refused.
    """
    withdrawn = await ctx.use_cases.challenges.withdraw_as_moderator(challenge, ctx.user, ctx.guild, ctx.at)
    await ctx.services.cards.tell_proposer(withdrawn)
    words = await ctx.words()
    await show_line(ctx, words("moderate.withdrawn"))


@takes_context
async def suggest_challenges(ctx: Context, typed: str) -> list[Choice[int]]:
    """Returns the open challenges of the channel of which the label has what the user typed; it holds no more."""
    words = await ctx.words()
    found = await ctx.use_cases.challenges.list_open(channel=ctx.channel)
    labels = [(await _label(ctx, each, words), int(each.id)) for each in found]
    return [Choice(name=label[:MAX_LABEL], value=each) for label, each in labels if typed.lower() in label.lower()]


async def _label(ctx: Context, challenge: Challenge, words: Words) -> str:
    players = [challenge.challenger, *([challenge.opponent] if challenge.opponent else [])]
    challenger, *opponents = await ctx.services.names.of_all(players, challenge.guild)
    details = {"challenger": challenger, "size": challenge.terms.game.options["size"].replace("x", "×")}
    if opponents:
        return words("moderate.choice.personal", opponent=opponents[0], **details)
    return words("moderate.choice.open", **details)
