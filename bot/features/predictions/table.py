"""The table of those who foretell games best, by season."""

from __future__ import annotations

from bot.features.ladder.terms import require_guild
from bot.interactions import custom_ids as ids
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.ratings.season import Season
from presentation.leaderboards import name_season
from presentation.predictions import table_line
from presentation.text import escape


class ShowTable(PanelItem, id=ids.PREDICT_TABLE):
    """Shows the table of a season."""

    season: str

    async def parts(self, ctx: Context) -> list[Part]:
        return await table_panel(ctx, Season.parse(self.season))


async def table_panel(ctx: Context, season: Season | None = None) -> list[Part]:
    """Returns the table of a season, by default of the present one, with the user's own line. Raises Refused."""
    guild = require_guild(ctx)
    words = await ctx.words()
    table = await ctx.use_cases.predictions.table(guild, ctx.user, season)
    async with ctx.services.store.read() as reader:
        now = Season.at(await reader.clock.now())
    names = await ctx.services.names.of_all([line.user for line in table.lines], guild)
    lines = [f"### {words('predict.table', season=name_season(table.season, now, words))}"]
    lines += [table_line(line, escape(name), words) for line, name in zip(table.lines, names, strict=True)]
    if not table.lines:
        lines.append(words("predict.table.empty"))
    if table.own is not None and table.own not in table.lines:
        lines.append(words("predict.table.own", count=table.own.points, right=table.own.right, made=table.own.made))
    lines.append(words.markup.small(words("predict.table.note")))
    other = table.season.previous if table.season == now else now
    return ["\n".join(lines), [ShowTable.make(name_season(other, now, words), season=other)]]


ITEMS: tuple[type[ShowTable]] = (ShowTable,)
