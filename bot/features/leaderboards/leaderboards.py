"""Leaderboards of a server, of all servers or of a season, page by page, for the player who asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Self

from bot.features.leaderboards.pages import RenderedPage, guild_of, own_page, render_page
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, rows
from bot.interactions.page_links import page_links
from bot.interactions.sharing import Audience, ShareButton, can_share
from play.challenge.pool import Pool
from play.ids import UserId
from play.ratings.leaderboard import LINES_PER_PAGE, LeaderboardPage
from play.ratings.season import Season
from presentation.words.words import Words


class PageButton(Component):
    """A button that names a page."""

    where: str
    pool: str
    season: str
    start: int = 0

    @classmethod
    def to(cls, page: LeaderboardPage, label: str) -> Self:
        """Returns the button that names the page."""
        where, season = "all" if page.everywhere else "here", page.season or "-"
        return cls.make(label, where=where, pool=page.pool, season=season, start=page.start)

    @property
    def page(self) -> LeaderboardPage:
        """The page. Raises Refused for one that cannot exist."""
        season = None if self.season == "-" else Season.parse(self.season)
        return LeaderboardPage(Pool.parse(self.pool), self.where == "all", season, self.start)


class ShowPage(PageButton, id=ids.LEADERBOARD):
    """Shows another page, or another leaderboard, to the player who presses it."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_leaderboard(ctx, self.page)


class FindMe(PageButton, id=ids.FIND_ME):
    """Shows the page with the line of the player who presses it, marks that line, and says what a place still needs."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        page, lacking = await own_page(ctx, self.page)
        words = await ctx.words()
        notice = words("leaders.missing", count=ceil(lacking)) if lacking else ""
        await show_leaderboard(ctx, page, ctx.user, notice)


class ShareLeaderboard(ShareButton, PageButton, id=ids.SHARE_LEADERBOARD):
    """Shares a page of a leaderboard."""

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        page = self.page
        shown = await render_page(ctx, page, members)
        buttons = _buttons(page, shown, members.words, alone=False) + await _links(ctx, page, members.words)
        return [*shown.parts, *rows(buttons, PHONE_ROW)]


async def show_leaderboard(ctx: Context, page: LeaderboardPage, own: UserId | None = None, notice: str = "") -> None:
    """Shows a leaderboard to the player, with the line of `own` marked. The interaction is acknowledged.

    Raises Refused.
    """
    reader = await Audience.reader(ctx)
    shown = await render_page(ctx, page, reader, own)
    buttons = _buttons(page, shown, reader.words, alone=permissions.installed_guild(ctx) is None)
    buttons += await _links(ctx, page, reader.words)
    if can_share(ctx):
        buttons.append(ShareLeaderboard.to(page, reader.words("share.button")))
    await ctx.show([*([notice] if notice else []), *shown.parts, *rows(buttons, PHONE_ROW)])


def _buttons(page: LeaderboardPage, shown: RenderedPage, words: Words, *, alone: bool) -> list[Control]:
    """Returns the buttons to other pages; `alone`, outside of servers, only the leaderboard of all servers exists."""
    first = replace(page, start=0)
    elsewhere = replace(first, everywhere=not page.everywhere)
    other = replace(first, season=Season.at(shown.now) if page.season is None else None)
    buttons: list[Control] = []
    if shown.more:
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


async def _links(ctx: Context, page: LeaderboardPage, words: Words) -> list[Control]:
    """Returns the button to the same leaderboard on the web, where only those of servers are."""
    guild = guild_of(ctx, page)
    if guild is None:
        return []
    return await page_links(ctx, words, lambda paths: paths.leaderboard(guild, page.pool, page.season))


BUTTONS: tuple[type[PageButton], ...] = (ShowPage, FindMe, ShareLeaderboard)
