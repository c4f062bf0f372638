"""Leaderboards of a server, of all servers or of a season, page by page; in words and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import Match as Found
from typing import Any, Final, Self

import discord

from bot.features.match.board.rating_text import rating_text
from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.interactions.pictures import picture_file
from bot.services.names import escape
from bot.services.text_limits import fit
from play.challenge.pool import Pool
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import PROVISIONAL_DEVIATION
from play.ratings.leaderboard import MIN_RATED_GAMES, Leader, Scorer
from play.ratings.season import Season
from play.refusal import Reason, Refused
from renderer.table import Line, table
from renderer.theme import PAPER, THEMES

LINES_PER_PAGE = 10

INACTIVE_MILLIS: Final = 60 * 86_400_000
"""Players who have not played for 60 days are faint; in about a year their ratings are too unsure for a leaderboard."""

MEDALS = ("🥇", "🥈", "🥉")
OWN = "➤"


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard: of one server or of `everywhere`, by ratings or of a season."""

    pool: Pool
    everywhere: bool = False
    season: Season | None = None
    start: int = 0

    @classmethod
    def read(cls, match: Found[str]) -> Self:
        """Returns the page that a custom id names, or the first one. Raises Refused for one that cannot exist."""
        season = None if match["season"] == "-" else Season.parse(match["season"])
        start = int(match.groupdict().get("start", 0))
        return cls(Pool.parse(match["pool"]), match["where"] == "all", season, start)

    def __str__(self) -> str:
        return f"{'all' if self.everywhere else 'here'}:{self.pool}:{self.season or '-'}:{self.start}"


class PageButton(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button that shows another page in the same message."""

    def __init__(self, label: str | None, custom_id: str) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=custom_id))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item.label, match[0])

    @property
    def page(self) -> LeaderboardPage:
        """The page of the custom id. Raises Refused."""
        found = self.template.fullmatch(self.custom_id)
        assert found is not None, "the template has matched it"
        return LeaderboardPage.read(found)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        content, picture, buttons = await self.render(ctx)
        await ctx.interaction.edit_original_response(content=fit(content), attachments=picture, view=buttons)

    async def render(self, ctx: Context) -> Rendered:
        """Returns the page that the message shows next. Raises Refused."""
        raise NotImplementedError


class ShowPage(
    PageButton,
    template=r"leaders:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4]):(?P<start>\d{1,6})",
):
    """Shows another page, or another leaderboard."""

    @classmethod
    def to(cls, page: LeaderboardPage, label: str) -> Self:
        return cls(label, f"leaders:{page}")

    async def render(self, ctx: Context) -> Rendered:
        return await _render(ctx, self.page)


class FindMe(
    PageButton,
    template=r"leaders:me:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4])",
):
    """Shows the page with the line of the player who presses it, and marks that line."""

    @classmethod
    def to(cls, page: LeaderboardPage, label: str) -> Self:
        return cls(label, f"leaders:me:{str(page).rpartition(':')[0]}")

    async def render(self, ctx: Context) -> Rendered:
        return await _render(ctx, replace(self.page, start=await _own_start(ctx, self.page)), ctx.user)


Rendered = tuple[str, list[discord.File], discord.ui.View]
"""The text, the picture and the buttons of a page."""


async def show_leaderboard(ctx: Context, page: LeaderboardPage) -> None:
    """Shows a leaderboard to everybody in the channel. The interaction is acknowledged. Raises Refused."""
    content, picture, buttons = await _render(ctx, page)
    await ctx.interaction.followup.send(fit(content), files=picture, view=buttons)


async def default_pool(ctx: Context) -> Pool:
    """Returns the pool in which the player has played most, or that of games by the day."""
    async with ctx.services.store.read() as reader:
        ratings = await reader.ratings.of_user(ctx.user)
    return next(iter(ratings), Pool.parse("dots-days"))


async def _own_start(ctx: Context, page: LeaderboardPage) -> int:
    """Returns the first line of the page with the player's own. Raises Refused, which says why there is none."""
    guild = _guild(ctx, page)
    async with ctx.services.store.read() as reader:
        line = await reader.leaderboards.line_number(ctx.user, page.pool, guild, page.season)
        rated = (await reader.ratings.of_user(ctx.user)).get(page.pool)
        standing = await reader.leaderboards.leader(ctx.user, page.pool, guild)
    if line is not None:
        return line // LINES_PER_PAGE * LINES_PER_PAGE
    if page.season is not None:
        raise Refused(Reason.LEADERS_NO_SEASON)
    if rated is None:
        raise Refused(Reason.LEADERS_NO_GAME)
    if rated.games < MIN_RATED_GAMES:
        raise Refused(Reason.LEADERS_FEW_GAMES, count=MIN_RATED_GAMES - rated.games)
    if rated.rating.deviation >= PROVISIONAL_DEVIATION:
        raise Refused(
            Reason.LEADERS_UNSURE, deviation=round(rated.rating.deviation), least=round(PROVISIONAL_DEVIATION)
        )
    raise Refused(Reason.LEADERS_FAR if standing else Reason.LEADERS_ELSEWHERE)


async def _render(ctx: Context, page: LeaderboardPage, own: UserId | None = None) -> Rendered:
    """Returns what the message shows; the line of `own` is marked. Raises Refused."""
    guild = _guild(ctx, page)
    words = await ctx.services.locales.for_guild(ctx.guild)
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
        if page.season is None:
            found: Sequence[Leader | Scorer] = await reader.leaderboards.leaders(
                page.pool, guild, page.start, LINES_PER_PAGE + 1
            )
        else:
            found = await reader.leaderboards.scorers(page.season, page.pool, guild, page.start, LINES_PER_PAGE + 1)
        theme = (await reader.servers.get(ctx.guild or GuildId(0))).theme
        rewards = None if guild is None else await reader.role_rewards.get(guild)
    names = await ctx.services.names.of_all([each.user for each in found[:LINES_PER_PAGE]], ctx.guild)
    lines = [
        _line(each, name, now, words)._replace(own=each.user == own)
        for each, name in zip(found[:LINES_PER_PAGE], names, strict=True)
    ]
    title = _title(page, words)
    content = "\n".join([f"### {title}", *(_describe_line(line, words) for line in lines)])
    picture = []
    if lines:
        heading = words("leaders.everywhere" if page.everywhere else "leaders.here")
        png = await ctx.services.jobs.pictures.make(ctx.user, table, title, heading, lines, THEMES.get(theme, PAPER))
        picture = [picture_file(png, f"kropka-{page.pool}-{page.start}", words("leaders.alt", title=title))]
    else:
        content += "\n" + words("leaders.none", least=MIN_RATED_GAMES)
    season = Season.at(now) if rewards and rewards.seasonal else None
    if rewards and rewards.trouble and (rewards.pool, season) == (page.pool, page.season):
        content += "\n-# " + words(f"podium.trouble.{rewards.trouble}")
    alone = permissions.installed_guild(ctx) is None
    return content, picture, row(*_buttons(page, now, len(found) > LINES_PER_PAGE, words, alone=alone))


def _guild(ctx: Context, page: LeaderboardPage) -> GuildId | None:
    """Returns the server of the leaderboard; None for everywhere.

    Every click is judged anew: a custom id does not say where it is pressed. Raises Refused (`leaderboard_in_dm`,
    `not_installed_here`).
    """
    if page.everywhere:
        return None
    if ctx.guild is None:
        raise Refused(Reason.LEADERBOARD_IN_DM)
    permissions.require_bot_installed(ctx)
    return permissions.installed_guild(ctx)


def _line(each: Leader | Scorer, name: str, now: Millis, words: Words) -> Line:
    place = each.place or 0
    fallback = words("leaders.somebody", place=place)
    note = words("leaders.games", count=each.games)
    if isinstance(each, Scorer):
        return Line(place, name, fallback, words.number(each.points), note)
    rating = each.rating.at_time(now)
    faint = rating.at is not None and now - rating.at > INACTIVE_MILLIS
    return Line(place, name, fallback, rating_text(rating), note, faint)


def _describe_line(line: Line, words: Words) -> str:
    """Returns a line in words; small for a player who has not played for long."""
    medal = MEDALS[line.place - 1] if line.place <= len(MEDALS) else f"{line.place}\\."
    text = words("leaders.line", place=medal, name=escape(line.name), value=line.value, note=line.note)
    text = f"{OWN} {text}" if line.own else text
    return f"-# {text}" if line.faint else text


def _title(page: LeaderboardPage, words: Words) -> str:
    pool = words(f"pool.{page.pool}")
    if page.season is None:
        return words("leaders.title", pool=pool)
    return words("leaders.season", pool=pool, year=str(page.season.year), quarter=page.season.quarter)


def _buttons(page: LeaderboardPage, now: Millis, more: bool, words: Words, *, alone: bool) -> list[PageButton]:
    """Returns the buttons to other pages; `alone`, outside of servers, only the leaderboard of all servers exists."""
    first = replace(page, start=0)
    elsewhere = replace(first, everywhere=not page.everywhere)
    other = replace(first, season=Season.at(now) if page.season is None else None)
    buttons: list[PageButton] = []
    if more:
        down = replace(page, start=page.start + LINES_PER_PAGE)
        buttons.append(ShowPage.to(down, words("leaders.button.down")))
    if page.start:
        up = replace(page, start=max(0, page.start - LINES_PER_PAGE))
        buttons.append(ShowPage.to(up, words("leaders.button.up")))
    buttons.append(FindMe.to(first, words("leaders.button.me")))
    if not alone:
        buttons.append(ShowPage.to(elsewhere, words(f"leaders.button.{'here' if page.everywhere else 'everywhere'}")))
    key = "leaders.button.season" if page.season is None else "leaders.button.ratings"
    return [*buttons, ShowPage.to(other, words(key))]


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (ShowPage, FindMe)
