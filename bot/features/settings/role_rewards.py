"""The panel in which managers of a server choose roles for the top places of a leaderboard."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import RoleField, SelectField, chosen_ids
from bot.interactions.layout import Part, button
from bot.request import own_id
from play.challenge.pool import POOLS, Pool, pool_of
from play.community.news import NOTHING, setting_changed
from play.community.roles import RoleRewards
from play.ids import RoleId
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.offered_rules import FIRST_TERMS
from presentation.words.words import Words
from use_cases.events import log_entry

POOL = SelectField(
    "pool",
    lambda words: words("rewards.pool"),
    tuple(map(str, POOLS)),
    lambda pool, words: words(f"pool.{pool}"),
    lambda rewards: (str(rewards.pool),),
    lambda pool: {"pool": Pool.parse(pool)},
)


class RewardRole(RoleField, id=ids.REWARD_ROLE):
    """The select of the role for a step; none ends it."""

    step: int

    async def parts(self, ctx: Context) -> list[Part]:
        roles = [*map(RoleId, chosen_ids(ctx))]
        role, step = roles[0] if roles else None, self.step
        return await _change_rewards(
            ctx, lambda before: replace(before, roles=(*before.roles[:step], role, *before.roles[step + 1 :])), roles
        )


class RewardsPool(PanelItem, id=ids.REWARDS_POOL):
    """The select of the pool whose leaderboard counts."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        changes = POOL.read(self.item.values)
        return await _change_rewards(ctx, lambda before: replace(before, **changes))


class RewardsBasis(PanelItem, id=ids.REWARDS_BASIS):
    """The button that changes between ratings and the season."""

    basis: str

    async def parts(self, ctx: Context) -> list[Part]:
        return await _change_rewards(ctx, lambda before: replace(before, seasonal=self.basis == "season"))


class OpenRoleRewards(PanelItem, id=ids.OPEN_REWARDS):
    """Opens the panel from that of the server."""

    async def parts(self, ctx: Context) -> list[Part]:
        return await role_rewards_panel(ctx)


async def role_rewards_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server = await permissions.require_manage_server(ctx)
    async with ctx.services.store.read() as reader:
        rewards = await reader.role_rewards.get(server.id) or _default_rewards(server)
    words = await ctx.words()
    lines = [f"### {words('rewards.title')}", words("rewards.about"), "", await _describe_state(ctx, rewards, words)]
    roles = [
        RewardRole.showing([role], words(f"rewards.role.{step}"), step=step) for step, role in enumerate(rewards.roles)
    ]
    now, other = ("season", "ratings") if rewards.seasonal else ("ratings", "season")
    by = RewardsBasis.make(words(f"rewards.by.{now}"), basis=other)
    back = button(ids.SERVER(way="shown"), words("button.back"))
    return [
        "\n".join(lines),
        *([each] for each in roles),
        [RewardsPool(POOL.select(ids.REWARDS_POOL(), rewards, words))],
        [by, back],
    ]


async def _change_rewards(
    ctx: Context, change: Callable[[RoleRewards], RoleRewards], roles: Sequence[RoleId] = ()
) -> list[Part]:
    """Saves a change, which gives these `roles`, and returns the panel.

    Raises Refused for players who may not manage the server, and for a role that the bot cannot give.
    """
    server = await permissions.require_manage_server(ctx)
    if roles:
        await _require_givable(ctx, roles)
    own = await ctx.services.locales.for_guild(server.id)
    async with ctx.services.store.write() as tx:
        before = await tx.role_rewards.get(server.id) or _default_rewards(server)
        rewards = change(before)
        await tx.role_rewards.save(rewards)
        told = [_summarize(each, own) for each in (before, rewards)]
        await log_entry(tx, server.id, setting_changed(ctx.user, "rewards", *told), ctx.at)
    ctx.use_cases.events.news_added()  # which also has roles and places compared
    return await role_rewards_panel(ctx)


async def _require_givable(ctx: Context, roles: Iterable[RoleId]) -> None:
    """Raises Refused if the bot cannot give one of the roles.

    Its reasons are `podium_permission`, `podium_role_above` and `podium_role_fixed`.
    """
    if not ctx.interaction.app_permissions.manage_roles:
        raise Refused(Reason.PODIUM_PERMISSION)
    guild, client = ctx.interaction.guild_id, ctx.interaction.client
    assert guild is not None, "role rewards belong to a server"
    there = {int(role["id"]): role for role in await client.http.get_roles(guild)}
    own = (await client.http.get_member(guild, own_id(client)))["roles"]
    highest = max((_rank(there[int(role)]) for role in own if int(role) in there), default=(0, 0))
    for role in roles:
        if role == guild or (role in there and there[role]["managed"]):
            raise Refused(Reason.PODIUM_ROLE_FIXED, role=f"<@&{role}>")
        if role in there and _rank(there[role]) >= highest:
            raise Refused(Reason.PODIUM_ROLE_ABOVE, role=f"<@&{role}>")


def _rank(role: Any) -> tuple[int, int]:
    """Returns a key by which roles are sorted. Of two in the same position the older one is higher."""
    return role["position"], -int(role["id"])


def _summarize(rewards: RoleRewards, words: Words) -> str:
    """Returns the roles and the leaderboard in a line of the log."""
    by = words("rewards.by.season") if rewards.seasonal else words("rewards.by.ratings")
    roles = " ".join(f"<@&{role}>" for role in rewards.roles if role is not None) or NOTHING
    return f"{roles} ({words(f'pool.{rewards.pool}')}, {by})"


def _default_rewards(server: ServerSettings) -> RoleRewards:
    """Returns role rewards for the leaderboard of the server's default terms."""
    terms = server.terms or FIRST_TERMS
    try:
        return RoleRewards(server.id, pool_of(terms.game, terms.control))
    except Refused:
        return RoleRewards(server.id, pool_of(FIRST_TERMS.game, FIRST_TERMS.control))


async def _describe_state(ctx: Context, rewards: RoleRewards, words: Words) -> str:
    """Returns whether the bot gives the roles and, if it cannot, what to do."""
    if not ctx.interaction.app_permissions.manage_roles:
        return await permissions.describe_lack(ctx, words("rewards.trouble.permission"))
    if rewards.trouble is not None:
        return words(f"rewards.trouble.{rewards.trouble}")
    return words("rewards.given") if any(rewards.roles) else words("rewards.none")


BUTTONS: tuple[type[PanelItem], ...] = (RewardRole, RewardsPool, RewardsBasis, OpenRoleRewards)
