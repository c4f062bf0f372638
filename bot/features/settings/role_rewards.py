"""The panel in which managers of a server choose roles for the top places of a leaderboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import discord

from bot.features.settings.server_changes import setting_entry
from bot.features.terms.default_terms import FIRST_TERMS
from bot.interactions import panels, permissions
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.selects import MAX_HINT, Choice, select
from play.challenge.pool import POOLS, Pool, pool_of
from play.community.role_rewards import LAST_PLACES, RoleRewards
from play.ids import RoleId
from play.people.settings import ServerSettings
from play.refusal import Refused
from play.services.server_log import log_entry
from presentation.words.words import Words


class RoleRewardsField(panels.PanelItem, template=r"podium:(?P<field>role[0-2]|pool|ratings|season)"):
    """Chooses a role or the leaderboard, and saves it at once."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        if custom_id == "podium:pool":
            return discord.ComponentType.string_select
        return discord.ComponentType.role_select if "role" in custom_id else discord.ComponentType.button

    async def parts(self, ctx: Context) -> list[Part]:
        data: Any = ctx.interaction.data
        field = self.custom_id.removeprefix("podium:")
        return await _change_rewards(ctx, field, data.get("values", []))


class OpenRoleRewards(panels.PanelItem, template=r"podium:open"):
    """Opens the panel from that of the server."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls(discord.ui.Button(label=words("rewards.button.open"), custom_id="podium:open"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await role_rewards_panel(ctx)


async def role_rewards_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server = await permissions.require_manage_server(ctx)
    async with ctx.services.store.read() as reader:
        rewards = await reader.role_rewards.get(server.id) or _default_rewards(server)
    words = await ctx.words()
    lines = [f"### {words('rewards.title')}", words("rewards.about"), "", _describe_state(ctx, rewards, words)]
    roles = [_role_select(step, rewards.roles[step], words) for step in range(len(LAST_PLACES))]
    pools = [Choice(str(pool), words(f"pool.{pool}"), pool == rewards.pool) for pool in POOLS]
    now, other = ("season", "ratings") if rewards.seasonal else ("ratings", "season")
    by = discord.ui.Button[Any](label=words(f"rewards.by.{now}"), custom_id=f"podium:{other}")
    back = discord.ui.Button[Any](label=words("button.back"), custom_id="server:shown")
    return [
        "\n".join(lines),
        *([RoleRewardsField(each)] for each in (*roles, select("podium:pool", words("rewards.pool"), pools))),
        [RoleRewardsField(by), back],
    ]


async def _change_rewards(ctx: Context, field: str, values: list[str]) -> list[Part]:
    """Saves a choice, and returns the panel.

    Raises Refused for players who may not manage the server, and for a role that the bot cannot give.
    """
    server = await permissions.require_manage_server(ctx)
    roles = [RoleId(int(value)) for value in values] if field.startswith("role") else []
    if roles:
        await ctx.services.roles.require_givable(ctx, roles)
    own = await ctx.services.locales.for_guild(server.id)
    async with ctx.services.store.write() as tx:
        before = rewards = await tx.role_rewards.get(server.id) or _default_rewards(server)
        if field.startswith("role"):
            step = int(field.removeprefix("role"))
            chosen = (*rewards.roles[:step], roles[0] if roles else None, *rewards.roles[step + 1 :])
            rewards = replace(rewards, roles=chosen)
        elif field == "pool":
            rewards = replace(rewards, pool=Pool.parse("".join(values)))
        else:
            rewards = replace(rewards, seasonal=field == "season")
        await tx.role_rewards.save(rewards)
        told = [_summarize(each, own) for each in (before, rewards)]
        await log_entry(tx, server.id, setting_entry(ctx.user, own("log.setting.rewards"), *told), ctx.at)
    ctx.services.publish_news()
    ctx.services.wake_role_sync()
    return await role_rewards_panel(ctx)


def _summarize(rewards: RoleRewards, words: Words) -> str:
    """Returns the roles and the leaderboard in a line of the log."""
    by = words("rewards.by.season") if rewards.seasonal else words("rewards.by.ratings")
    roles = " ".join(f"<@&{role}>" for role in rewards.roles if role is not None) or words("log.default")
    return f"{roles} ({words(f'pool.{rewards.pool}')}, {by})"


def _default_rewards(server: ServerSettings) -> RoleRewards:
    """Returns role rewards for the leaderboard of the server's default terms."""
    terms = server.terms or FIRST_TERMS
    try:
        return RoleRewards(server.id, pool_of(terms.game, terms.control))
    except Refused:
        return RoleRewards(server.id, pool_of(FIRST_TERMS.game, FIRST_TERMS.control))


def _describe_state(ctx: Context, rewards: RoleRewards, words: Words) -> str:
    """Returns whether the bot gives the roles and, if it cannot, what to do."""
    if not ctx.interaction.app_permissions.manage_roles:
        return words("rewards.trouble.permission")
    if rewards.trouble is not None:
        return words(f"rewards.trouble.{rewards.trouble}")
    return words("rewards.given") if any(rewards.roles) else words("rewards.none")


def _role_select(step: int, role: RoleId | None, words: Words) -> discord.ui.RoleSelect[Any]:
    return discord.ui.RoleSelect(
        custom_id=f"podium:role{step}",
        placeholder=words(f"rewards.role.{step}")[:MAX_HINT],
        min_values=0,
        max_values=1,
        default_values=[] if role is None else [discord.Object(role)],
    )


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (RoleRewardsField, OpenRoleRewards)
