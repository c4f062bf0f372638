"""The tables of a league, page by page, for the player who asks, and the buttons that lead to them."""

from __future__ import annotations

from typing import Self

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, rows
from bot.interactions.page_links import page_links
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience
from play.competitions.league import League
from play.competitions.season import Season
from play.refusal import Reason, Refused
from presentation.league import page_title, table_lines, table_rows
from presentation.words.words import Words
from renderer.crosstable import crosstable
from renderer.theme import PAPER, THEMES


class JoinLeague(Component, id=ids.JOIN_LEAGUE):
    """Joins the league: for everybody on the server."""

    style = discord.ButtonStyle.success

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.join"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await join_league(ctx)


class ShowTables(Component, id=ids.LEAGUE_TABLES):
    """Opens the tables, at the player's own one."""

    style = discord.ButtonStyle.primary

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.table"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await tables_page(ctx))


class TablePage(PanelItem, id=ids.LEAGUE_PAGE):
    """Turns to the table of a division, from 1, in a season."""

    season: int
    division: int

    @classmethod
    def to(cls, season: int, division: int, label: str) -> Self:
        return cls.make(label, season=season, division=division)

    async def parts(self, ctx: Context) -> list[Part]:
        return await tables_page(ctx, self.season, self.division)


async def join_league(ctx: Context) -> None:
    """Puts the player into the league, and says when it goes on. The interaction is acknowledged. Raises Refused."""
    await permissions.require_player(ctx)
    guild = permissions.require_guild(ctx)
    league = await ctx.use_cases.leagues.join(guild, ctx.user, ctx.at)
    words = await ctx.words()
    is_new = league.member(ctx.user).division is None
    await ctx.reply(words("league.joined" if is_new else "league.back", **words.appointment(league.begins)))


async def tables_page(ctx: Context, season: int | None = None, division: int | None = None) -> list[Part]:
    """Returns a table of the league, also of one that is closed: by default of the newest season, and of the player's
    own division.

    Raises Refused (`no_league`, `no_league_season`).
    """
    guild, reader = permissions.require_guild(ctx), await Audience.reader(ctx)
    words = reader.words
    league = await ctx.use_cases.leagues.look(guild)
    number = season or league.seasons
    if number == 0 and league.closed:
        raise Refused(Reason.NO_LEAGUE)
    if number == 0:
        return ["\n".join((words("league.title"), words("league.begins", **words.appointment(league.begins))))]
    shown = await ctx.use_cases.leagues.load_season(league, number)
    index = (shown.division_of(ctx.user) or 0) if division is None else division - 1
    if not 0 <= index < len(shown.divisions):
        raise Refused(Reason.NO_LEAGUE_SEASON)
    users = shown.divisions[index].users
    names = dict(zip(users, await ctx.services.names.of_all(users, guild), strict=True))
    title = page_title(shown, index, words)
    labels, lines = table_rows(shown, index, names, words)
    theme = THEMES.get(reader.theme, PAPER)
    heading = page_title(shown, index, words)
    name = words("league.title").removeprefix("## ")
    png = await ctx.services.jobs.pictures.make(ctx.user, crosstable, name, heading, labels, lines, theme)
    texts = [f"### {title}", *table_lines(shown, index, names, words), *await _own_games(ctx, league, shown, words)]
    picture = picture_file(png, f"kropka-league-{number}-{index + 1}", words("league.alt", title=title))
    page = await page_links(ctx, words, lambda paths: paths.league(guild, number, index + 1))
    return ["\n".join(texts), picture, *rows([*_turns(league, shown, index, words), *page], PHONE_ROW)]


async def _own_games(ctx: Context, league: League, shown: Season, words: Words) -> list[str]:
    """Returns a line with the threads of the player's running games, if they have some in this season."""
    if league.season is None or league.season.id != shown.id:
        return []
    async with ctx.services.store.read() as reader:
        places = await reader.leagues.places_of(league.guild, ctx.user)
    return [words("league.games", threads=" ".join(map(words.channel, places.values())))] if places else []


def _turns(league: League, shown: Season, index: int, words: Words) -> list[Control]:
    """Returns the buttons to the divisions above and below, and to the seasons before and after."""
    turns: list[Control] = [
        TablePage.to(shown.number, number, words("league.button.division", division=number))
        for number in (index, index + 2)
        if 1 <= number <= len(shown.divisions)
    ]
    return turns + [
        TablePage.to(number, 1, words("league.button.season", season=number))
        for number in (shown.number - 1, shown.number + 1)
        if 1 <= number <= league.seasons
    ]


BUTTONS: tuple[type[Component], ...] = (JoinLeague, ShowTables, TablePage)
