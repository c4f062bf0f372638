"""`/vote`: games that the whole server plays."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.terms.offered_rules import find_rules, suggest_rules_of_two
from bot.features.votes.beginning import ask_to_begin
from bot.features.votes.draft import VoteDraft, read_hours
from bot.features.votes.ending import ask_to_end
from bot.features.votes.open_votes import vote_games
from bot.interactions import permissions
from bot.interactions.commands import Command, Group
from bot.interactions.context import Context
from bot.interactions.suggestions import level_choices
from bot.request import own_id
from opponent.levels import DEFAULT_LEVEL
from play.ids import RoleId, UserId
from play.refusal import Reason, Refused
from play.votes.side import MAX_QUORUM

MAX_TYPED = 10
"""Characters of a typed time."""


async def games(ctx: Context) -> None:
    permissions.require_bot_installed(ctx)
    await ctx.show(await vote_games(ctx))


async def begin(
    ctx: Context,
    computer: int | None = None,
    opponent: discord.User | None = None,
    role: discord.Role | None = None,
    time: app_commands.Range[str, 1, MAX_TYPED] = "1d",
    quorum: app_commands.Range[int, 1, MAX_QUORUM] = 3,
    rules: str | None = None,
) -> None:
    await permissions.require_manage_server(ctx)
    await permissions.require_playable_channel(ctx, alone=False)
    against, level = _opponent(ctx, opponent, computer)
    voters = RoleId(role.id) if role is not None and role.id != ctx.guild else None
    key = (await find_rules(ctx, rules)).key if rules else ""
    await ask_to_begin(ctx, VoteDraft(against, level, voters, read_hours(time), quorum, key))


async def end(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    await ask_to_end(ctx)


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
                begin, like="challenge", choices={"computer": level_choices}, suggests={"rules": suggest_rules_of_two}
            ),
            Command(end),
        ),
        on_servers=True,
    ),
)
