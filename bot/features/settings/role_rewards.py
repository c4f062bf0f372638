"""The panel on which those who run a server choose roles for the top places of a leaderboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.challenges.default_terms import FIRST
from bot.interactions import panels, permissions
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.selects import MAX_HINT, Choice, select
from play.challenge.pool import POOLS, Pool, pool_of
from play.community.role_rewards import LOWEST, Podium
from play.ids import RoleId
from play.refusal import Refused

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.people.settings import Server


class Field(panels.PanelItem, template=r"podium:(?P<field>role[0-2]|pool|ratings|season)"):
    """A role, or the leaderboard that it is given by; saved as it is chosen."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        if custom_id == "podium:pool":
            return discord.ComponentType.string_select
        return discord.ComponentType.role_select if "role" in custom_id else discord.ComponentType.button

    async def parts(self, ctx: Context) -> list[Part]:
        data: Any = ctx.interaction.data
        field = self.custom_id.removeprefix("podium:")
        return await _changed(ctx, field, data.get("values", []))


class Open(panels.PanelItem, template=r"podium:open"):
    """Opens the panel, from that of the server."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls(discord.ui.Button(label=words("podium.button.open"), custom_id="podium:open"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await role_rewards_panel(ctx)


async def role_rewards_panel(ctx: Context) -> list[Part]:
    """The panel. Raises Refused for who may not run the server."""
    server = await permissions.require_manage_server(ctx)
    async with ctx.services.store.read() as reader:
        podium = await reader.role_rewards.get(server.id) or _first(server)
    words = await ctx.words()
    lines = [f"### {words('podium.title')}", words("podium.about"), "", _state(ctx, podium, words)]
    roles = [_role(step, podium.roles[step], words) for step in range(len(LOWEST))]
    pools = [Choice(str(pool), words(f"pool.{pool}"), pool == podium.pool) for pool in POOLS]
    by = _button(f"podium:{'ratings' if podium.seasonal else 'season'}", _by(podium, words))
    back = discord.ui.Button[Any](label=words("podium.button.back"), custom_id="server:shown")
    return [
        "\n".join(lines),
        *([Field(each)] for each in (*roles, select("podium:pool", words("podium.pool"), pools))),
        [by, back],
    ]


async def _changed(ctx: Context, field: str, values: list[str]) -> list[Part]:
    """Saves a choice, and returns the panel. Raises Refused for who may not run the server, and for a role that cannot
    be given."""
    server = await permissions.require_manage_server(ctx)
    roles = [RoleId(int(value)) for value in values] if field.startswith("role") else []
    if roles:
        await ctx.services.roles.require_givable(ctx, roles)
    async with ctx.services.store.write() as tx:
        podium = await tx.role_rewards.get(server.id) or _first(server)
        if field.startswith("role"):
            step = int(field.removeprefix("role"))
            chosen = (*podium.roles[:step], roles[0] if roles else None, *podium.roles[step + 1 :])
            podium = replace(podium, roles=chosen)
        elif field == "pool":
            podium = replace(podium, pool=Pool.parse("".join(values)))
        else:
            podium = replace(podium, seasonal=field == "season")
        await tx.role_rewards.save(podium)
    ctx.services.wake_role_sync()
    return await role_rewards_panel(ctx)


def _first(server: Server) -> Podium:
    """With the leaderboard of the games that the server usually plays."""
    terms = server.terms or FIRST
    try:
        return Podium(server.id, pool_of(terms.game, terms.control))
    except Refused:
        return Podium(server.id, pool_of(FIRST.game, FIRST.control))


def _state(ctx: Context, podium: Podium, words: Words) -> str:
    """Whether the roles can be given, and what to do if not."""
    if not ctx.interaction.app_permissions.manage_roles:
        return words("podium.trouble.permission")
    if podium.trouble is not None:
        return words(f"podium.trouble.{podium.trouble}")
    return words("podium.given") if any(podium.roles) else words("podium.none")


def _by(podium: Podium, words: Words) -> str:
    return words("podium.by.season" if podium.seasonal else "podium.by.ratings")


def _role(step: int, role: RoleId | None, words: Words) -> discord.ui.RoleSelect[Any]:
    return discord.ui.RoleSelect(
        custom_id=f"podium:role{step}",
        placeholder=words(f"podium.role.{step}")[:MAX_HINT],
        min_values=0,
        max_values=1,
        default_values=[] if role is None else [discord.Object(role)],
    )


def _button(custom_id: str, label: str) -> Field:
    return Field(discord.ui.Button(label=label, custom_id=custom_id))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Open)
