"""`/predict`: the panel in which members foretell a game of others, and the table of the season."""

import discord

from bot.addresses import link
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Group, declare
from bot.interactions.components import Audience, Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Part, Section, link_button, picture_file, select
from bot.markup import escape
from play.community.prediction import PICKS, Outlook, window_at
from play.match.match import Match
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused
from presentation.leaderboards import describe_line, name_season
from presentation.predictions import option_text, outlook_lines, state_text, table_line, title_text
from renderer.table import table as draw
from renderer.theme import PAPER, THEMES


class Predict(MatchButton, id=ids.PREDICT):
    """Opens the panel of a game."""

    emoji = "🔮"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await self.refresh_panel(ctx, "")

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        guild = permissions.require_guild(ctx)
        await permissions.require_player(ctx)
        await permissions.load_visible_match(ctx, self.match)
        outlook = await ctx.use_cases.predictions.look(
            self.match, ctx.user, guild, manages=permissions.manages_server(ctx)
        )
        await ctx.show([*([notice] if notice else []), *await _parts(ctx, outlook)])


class PredictResult(Predict, id=ids.PREDICT_RESULT):
    """The menu of results. A choice is what the member predicts, until the window closes."""

    kind = discord.ComponentType.string_select

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        chosen = "".join(self.item.values)
        if not chosen.removeprefix("-").isdecimal():
            raise Refused(Reason.OLD_BUTTON)
        guild = permissions.require_guild(ctx)
        await permissions.require_player(ctx)
        await permissions.load_visible_match(ctx, self.match)
        outlook = await ctx.use_cases.predictions.predict(
            self.match, self.version, ctx.user, guild, int(chosen), manages=permissions.manages_server(ctx)
        )
        await ctx.show(await _parts(ctx, outlook))


async def games_panel(ctx: Context) -> list[Part]:
    """Returns the games of the server that the user may predict, each with the way to do so. Raises Refused."""
    guild = permissions.require_guild(ctx)
    words = await ctx.words()
    parts: list[Part] = []
    manages = permissions.manages_server(ctx)
    for match in await ctx.use_cases.predictions.list_open(guild, ctx.user, manages=manages):
        if await permissions.is_hidden(ctx, match):
            continue
        text = f"{title_text(await _names(ctx, match), words)} · <#{match.channel}>\n{state_text(match, words)}"
        parts.append(text if window_at(match) is None else Section(text, Predict.to(match, words)))
    return [words("predict.list"), *parts] if parts else [words("predict.nothing")]


async def _parts(ctx: Context, outlook: Outlook) -> list[Part]:
    """Returns a game with what can be said of it now, and the menu of results while a window is open."""
    words, match = await ctx.words(), outlook.match
    names = await _names(ctx, match)
    parts: list[Part] = [
        "\n".join([f"### {title_text(names, words)}", *outlook_lines(outlook, names, words)]),
    ]
    if outlook.window is not None:
        own = outlook.own.get(outlook.window.number)
        plain = await ctx.services.names.of_all(match.players, match.guild)
        choices = [
            Choice(str(pick), option_text(pick, plain, words), own is not None and own.pick == pick) for pick in PICKS
        ]
        custom_id = ids.PREDICT_RESULT(match=match.id, version=match.version)
        parts.append([PredictResult(select(custom_id, words("predict.hint"), choices))])
    parts.append([link_button(words("predict.game"), link(match.guild, match.channel))])
    return parts


async def _names(ctx: Context, match: Match) -> tuple[str, ...]:
    return tuple(map(escape, await ctx.services.names.of_all(match.players, match.guild)))


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


async def games(ctx: Context) -> None:
    await ctx.show(await games_panel(ctx))


async def table(ctx: Context) -> None:
    await ctx.show(await table_panel(ctx))


COMMANDS = (Group("predict", declare(games, table), on_servers=True),)

BUTTONS: tuple[type[Component], ...] = (Predict, PredictResult, ShowTable)
