"""The table of the season, and whether a server shows its name in everybody's."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.competitions.contests.invitations import require_manager
from bot.features.competitions.contests.naming import server_name
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.competitions.contest_season import SeasonRow
from play.ids import GuildId
from play.ratings.season import Season
from presentation.contests import season_lines
from presentation.leaderboards import name_season
from presentation.text import escape

MAX_ROWS = 20
"""Servers in the table, and the reader's own below them."""


class ListServer(PanelItem, id=ids.LIST_SERVER):
    """Shows the server's name to all, or to those alone that it has played."""

    listed: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        guild = await require_manager(ctx)
        await ctx.use_cases.contests.set_listed(guild, listed=bool(self.listed))
        return await season_panel(ctx)


async def season_panel(ctx: Context) -> list[Part]:
    """Returns the present season's table as the server may read it. Raises Refused."""
    guild = permissions.require_guild(ctx)
    words, season = await ctx.words(), Season.at(ctx.at)
    table = await ctx.use_cases.contests.season(guild, season)
    rows = _shown(table.rows, guild)
    names = {
        row.guild: escape(await server_name(ctx.services.names, row.guild, words))
        for row in rows
        if row.guild in table.known
    }
    title = words("team.season.title", season=name_season(season, season, words))
    lines = [title, *season_lines(rows, names, words)]
    if table.is_listed:
        lines.append(words("team.season.listed"))
    parts: list[Part] = ["\n".join(lines)]
    if ctx.interaction.permissions.manage_guild:
        label = words("team.season.unlist" if table.is_listed else "team.season.list")
        parts.append([ListServer.make(label, listed=int(not table.is_listed))])
    return parts


def _shown(rows: Sequence[SeasonRow], guild: GuildId) -> list[SeasonRow]:
    """Returns the best servers, and the reader's own."""
    return [*rows[:MAX_ROWS], *(row for row in rows[MAX_ROWS:] if row.guild == guild)]


ITEMS: tuple[type[Component], ...] = (ListServer,)
