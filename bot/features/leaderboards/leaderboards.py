"""`/leaderboard`: who stands where, on a server, everywhere, or in a season; in words and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import Match as Found
from typing import TYPE_CHECKING, Any, Final, Self

import discord

from bot.features.match.board.rating_text import rating_text
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.interactions.pictures import picture_file
from bot.services.names import escape
from bot.services.text_limits import fit
from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.glicko import PROVISIONAL
from play.ratings.leaderboard import MIN_RATED_GAMES
from play.ratings.season import Season
from play.refusal import Reason, Refused
from renderer.table import Line, table
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.ids import Millis
    from play.ratings.leaderboard import Leader, Scorer

LINES_PER_PAGE = 10
"""Lines on a page."""

INACTIVE: Final = 60 * 86_400_000
"""Whoever has not played for so long is shown faintly; in about a year his rating is too unsure for a leaderboard."""

MEDALS = ("🥇", "🥈", "🥉")
OWN = "➤"


@dataclass(frozen=True, slots=True)
class View:
    """A page of a leaderboard: of one server or of `everywhere`, by ratings or of a season."""

    pool: Pool
    everywhere: bool = False
    season: Season | None = None
    start: int = 0

    @classmethod
    def read(cls, match: Found[str]) -> Self:
        """The page that a custom id names; the first one where it names none."""
        season = None if match["season"] == "-" else Season.parse(match["season"])
        start = int(match.groupdict().get("start", 0))
        return cls(Pool.parse(match["pool"]), match["where"] == "all", season, start)

    def __str__(self) -> str:
        return f"{'all' if self.everywhere else 'here'}:{self.pool}:{self.season or '-'}:{self.start}"


class Leafing(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button that shows the page that its `custom_id` names, in the same message."""

    def __init__(self, label: str | None, custom_id: str) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=custom_id))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item.label, match[0])

    @property
    def page(self) -> View:
        """Raises Refused for a page that never was."""
        found = self.template.fullmatch(self.custom_id)
        assert found is not None, "it was made of a match"
        return View.read(found)

    @staticmethod
    async def show(ctx: Context, view: View, own: UserId | None = None) -> None:
        """Turns to a view, in which the line of `own` stands out. The interaction is acknowledged."""
        content, picture, buttons = await _page(ctx, view, own)
        await ctx.interaction.edit_original_response(content=fit(content), attachments=picture, view=buttons)


class Turn(
    Leafing,
    template=r"leaders:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4]):(?P<start>\d{1,6})",
):
    """Shows another page, or another leaderboard."""

    @classmethod
    def to(cls, view: View, label: str) -> Self:
        return cls(label, f"leaders:{view}")

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await self.show(ctx, self.page)


class Find(
    Leafing,
    template=r"leaders:me:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4])",
):
    """Turns to the page on which whoever presses it stands."""

    @classmethod
    def to(cls, view: View, label: str) -> Self:
        return cls(label, f"leaders:me:{str(view).rpartition(':')[0]}")

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        view = replace(self.page, start=await _start(ctx, self.page))
        await self.show(ctx, view, ctx.user)


async def show_leaderboard(ctx: Context, view: View) -> None:
    """Shows a leaderboard to everybody in the channel. The interaction is acknowledged. Raises Refused."""
    content, picture, buttons = await _page(ctx, view)
    await ctx.interaction.followup.send(fit(content), files=picture, view=buttons)


async def _start(ctx: Context, view: View) -> int:
    """The first line of the page on which the person stands. Raises Refused, which says what is missing, if he is on
    none."""
    guild = _guild(ctx, view)
    async with ctx.services.store.read() as reader:
        line = await reader.leaderboards.line_number(ctx.user, view.pool, guild, view.season)
        rated = (await reader.ratings.of_user(ctx.user)).get(view.pool)
        standing = await reader.leaderboards.leader(ctx.user, view.pool, guild)
    if line is not None:
        return line // LINES_PER_PAGE * LINES_PER_PAGE
    if view.season is not None:
        raise Refused(Reason.LEADERS_NO_SEASON)
    if rated is None:
        raise Refused(Reason.LEADERS_NO_GAME)
    if rated.games < MIN_RATED_GAMES:
        raise Refused(Reason.LEADERS_FEW_GAMES, count=MIN_RATED_GAMES - rated.games)
    if rated.rating.deviation >= PROVISIONAL:
        raise Refused(Reason.LEADERS_UNSURE, deviation=round(rated.rating.deviation), least=round(PROVISIONAL))
    raise Refused(Reason.LEADERS_FAR if standing else Reason.LEADERS_ELSEWHERE)


async def _page(ctx: Context, view: View, own: UserId | None = None) -> tuple[str, list[discord.File], discord.ui.View]:
    """What the message has; the line of `own` stands out. Raises Refused."""
    guild, there = _guild(ctx, view), permissions.installed_guild(ctx)
    words = await ctx.services.locales.for_guild(ctx.guild)
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
        if view.season is None:
            found: Sequence[Leader | Scorer] = await reader.leaderboards.leaders(
                view.pool, guild, view.start, LINES_PER_PAGE + 1
            )
        else:
            found = await reader.leaderboards.scorers(view.season, view.pool, guild, view.start, LINES_PER_PAGE + 1)
        theme = (await reader.servers.get(ctx.guild or GuildId(0))).theme
        podium = None if guild is None else await reader.role_rewards.get(guild)
    names = await ctx.services.names.of_all([each.user for each in found[:LINES_PER_PAGE]], ctx.guild)
    lines = [
        _line(each, name, now, words)._replace(own=each.user == own)
        for each, name in zip(found[:LINES_PER_PAGE], names, strict=True)
    ]
    title = _title(view, words)
    content = "\n".join([f"### {title}", *(_told(line, words) for line in lines)])
    picture = []
    if lines:
        heading = words("leaders.everywhere" if view.everywhere else "leaders.here")
        png = await ctx.services.jobs.pictures.make(ctx.user, table, title, heading, lines, THEMES.get(theme, PAPER))
        picture = [picture_file(png, f"kropka-{view.pool}-{view.start}", words("leaders.alt", title=title))]
    else:
        content += "\n" + words("leaders.none", least=MIN_RATED_GAMES)
    season = Season.at(now) if podium and podium.seasonal else None
    if podium and podium.trouble and (podium.pool, season) == (view.pool, view.season):
        content += "\n-# " + words(f"podium.trouble.{podium.trouble}")
    return content, picture, row(*_buttons(view, now, len(found) > LINES_PER_PAGE, words, alone=there is None))


def _guild(ctx: Context, view: View) -> GuildId | None:
    """The server of the leaderboard, None for everywhere; judged with every click, since a button says nothing of
    where it is pressed. Raises Refused (`leaderboard_in_dm`, `not_installed_here`)."""
    if view.everywhere:
        return None
    if ctx.guild is None:
        raise Refused(Reason.LEADERBOARD_IN_DM)
    permissions.require_bot_installed(ctx)
    return permissions.installed_guild(ctx)


def _line(each: Leader | Scorer, name: str, now: Millis, words: Words) -> Line:
    place = each.place or 0
    fallback = words("leaders.somebody", place=place)
    note = words("leaders.games", count=each.games)
    if hasattr(each, "points"):
        return Line(place, name, fallback, words.number(each.points), note)
    rating = each.rating.aged(now)
    faint = rating.at is not None and now - rating.at > INACTIVE
    return Line(place, name, fallback, rating_text(rating), note, faint)


def _told(line: Line, words: Words) -> str:
    """A line in words; that of somebody who has not played for long is small."""
    medal = MEDALS[line.place - 1] if line.place <= len(MEDALS) else f"{line.place}\\."
    told = words("leaders.line", place=medal, name=escape(line.name), value=line.value, note=line.note)
    told = f"{OWN} {told}" if line.own else told
    return f"-# {told}" if line.faint else told


def _title(view: View, words: Words) -> str:
    pool = words(f"pool.{view.pool}")
    if view.season is None:
        return words("leaders.title", pool=pool)
    return words("leaders.season", pool=pool, year=str(view.season.year), quarter=view.season.quarter)


def _buttons(view: View, now: Millis, more: bool, words: Words, *, alone: bool) -> list[Turn | Find]:
    """Those that lead on; `alone`, where there is no server, the leaderboard of all is the only one."""
    first = replace(view, start=0)
    elsewhere = replace(first, everywhere=not view.everywhere)
    other = replace(first, season=Season.at(now) if view.season is None else None)
    buttons: list[Turn | Find] = [
        Find.to(first, words("leaders.button.me")),
        *(
            []
            if alone
            else [Turn.to(elsewhere, words(f"leaders.button.{'here' if view.everywhere else 'everywhere'}"))]
        ),
        Turn.to(other, words("leaders.button.season" if view.season is None else "leaders.button.ratings")),
    ]
    if view.start:
        buttons.insert(0, Turn.to(replace(view, start=max(0, view.start - LINES_PER_PAGE)), words("leaders.button.up")))
    if more:
        buttons.insert(0, Turn.to(replace(view, start=view.start + LINES_PER_PAGE), words("leaders.button.down")))
    return buttons


async def default_pool(ctx: Context) -> Pool:
    """The pool in which the person has played most, or that of games by the day."""
    async with ctx.services.store.read() as reader:
        ratings = await reader.ratings.of_user(ctx.user)
    return next(iter(ratings), Pool.parse("dots-days"))


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Turn, Find)
