"""The table of those who foretell games best, by season."""

from __future__ import annotations

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience
from play.ratings.season import Season
from presentation.leaderboards import describe_line, name_season
from presentation.predictions import table_line
from renderer.table import table as draw
from renderer.theme import PAPER, THEMES


class ShowTable(PanelItem, id=ids.PREDICT_TABLE):
    """Shows the table of a season."""

    season: str

    async def parts(self, ctx: Context) -> list[Part]:
        return await table_panel(ctx, Season.parse(self.season))


async def table_panel(ctx: Context, season: Season | None = None) -> list[Part]:
    """Returns the table of a season, by default of the present one, in words and as a picture, with the user's own
    line. Raises Refused."""
    guild, reader = permissions.require_guild(ctx), await Audience.reader(ctx)
    words = reader.words
    table = await ctx.use_cases.predictions.table(guild, ctx.user, season)
    async with ctx.services.store.read() as stored:
        now = Season.at(await stored.clock.now())
    names = await ctx.services.names.of_all([each.user for each in table.lines], guild)
    lines = [
        table_line(each, name, number, ctx.user, words)
        for number, (each, name) in enumerate(zip(table.lines, names, strict=True), start=1)
    ]
    title = words("predict.table", season=name_season(table.season, now, words))
    texts = [f"### {title}", *(describe_line(line, words) for line in lines)]
    if not lines:
        texts.append(words("predict.table.empty"))
    if table.own is not None and table.own not in table.lines:
        texts.append(words("predict.table.own", count=table.own.points, right=table.own.right, made=table.own.made))
    texts.append(words.markup.small(words("predict.table.note")))
    parts: list[Part] = ["\n".join(texts)]
    if lines:
        theme = THEMES.get(reader.theme, PAPER)
        png = await ctx.services.jobs.pictures.make(ctx.user, draw, title, words("leaders.here"), lines, theme)
        parts.append(picture_file(png, f"kropka-predictions-{table.season}", words("leaders.alt", title=title)))
    other = table.season.previous if table.season == now else now
    return [*parts, [ShowTable.make(name_season(other, now, words), season=other)]]


ITEMS: tuple[type[ShowTable]] = (ShowTable,)
