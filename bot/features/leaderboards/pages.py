"""Pages of leaderboards and season tables: which one is asked for, and its lines in words and as a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.interactions import permissions
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience
from play.challenge.pool import Pool
from play.ids import GuildId, Millis, UserId
from play.ratings.leaderboard import LINES_PER_PAGE, QUALIFYING_GAMES, LeaderboardPage
from play.ratings.season import Season
from play.refusal import Reason, Refused
from presentation.leaderboards import describe_line, write_line, write_notes, write_title
from renderer.table import table
from renderer.theme import PAPER, THEMES
from use_cases.leaderboards import read_lines


class RenderedPage(NamedTuple):
    """The parts of a page, with the time when it was read, and whether there are `more` lines below."""

    parts: list[Part]
    now: Millis
    more: bool


def guild_of(ctx: Context, page: LeaderboardPage) -> GuildId | None:
    """Returns the server of a leaderboard; None for everywhere.

    Every click is judged anew: a custom id does not say where it is pressed. Raises Refused (`leaderboard_in_dm`,
    `not_installed_here`).
    """
    if page.everywhere:
        return None
    if ctx.guild is None:
        raise Refused(Reason.LEADERBOARD_IN_DM)
    permissions.require_bot_installed(ctx)
    return permissions.installed_guild(ctx)


async def first_page(ctx: Context, pool: Pool | None, everywhere: bool) -> LeaderboardPage:
    """Returns the page for a player who asks for no season: the ratings, or the season while nobody has a place.

    Outside of servers it is that of everywhere. Without a `pool` it is the one in which the player has played most.
    """
    everywhere = everywhere or permissions.installed_guild(ctx) is None
    async with ctx.services.store.read() as reader:
        chosen = pool or next(iter(await reader.ratings.of_user(ctx.user)), Pool.parse("dots-days"))
        page = LeaderboardPage(chosen, everywhere)
        guild = guild_of(ctx, page)
        best = await reader.leaderboards.leaders(chosen, guild, 0, 1)
        season = Season.at(await reader.clock.now())
        if best and best[0].provisional and await reader.leaderboards.scorers(season, chosen, guild, 0, 1):
            return replace(page, season=season)
    return page


async def own_page(ctx: Context, page: LeaderboardPage) -> tuple[LeaderboardPage, float]:
    """Returns the page with the player's own line, and how many whole games they lack for a place.

    Raises Refused, which says why they have no line.
    """
    guild = guild_of(ctx, page)
    async with ctx.services.store.read() as reader:
        line = await reader.leaderboards.line_number(ctx.user, page.pool, guild, page.season)
        rated = (await reader.ratings.of_user(ctx.user)).get(page.pool)
        own = await reader.leaderboards.leader(ctx.user, page.pool, guild)
        games = await reader.leaderboards.full_games(ctx.user, page.pool)
    if line is not None:
        lacking = QUALIFYING_GAMES - games if page.season is None and own and own.provisional else 0.0
        return replace(page, start=line // LINES_PER_PAGE * LINES_PER_PAGE), lacking
    if page.season is not None:
        raise Refused(Reason.LEADERS_NO_SEASON)
    if rated is None:
        raise Refused(Reason.LEADERS_NO_GAME)
    raise Refused(Reason.LEADERS_FAR if own else Reason.LEADERS_ELSEWHERE)


async def render_page(
    ctx: Context, page: LeaderboardPage, audience: Audience, own: UserId | None = None
) -> RenderedPage:
    """Returns the text and the picture of a page; the line of `own` is marked. Raises Refused."""
    guild, words = guild_of(ctx, page), audience.words
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
        found = await read_lines(reader, page, guild)
        rewards = None if guild is None else await reader.role_rewards.get(guild)
    shown = found[:LINES_PER_PAGE]
    names = await ctx.services.names.of_all([each.user for each in shown], ctx.guild)
    lines = [
        write_line(each, name, number, now, words)._replace(own=each.user == own)
        for number, (each, name) in enumerate(zip(shown, names, strict=True), start=page.start + 1)
    ]
    title = write_title(page, words)
    texts = [f"### {title}", *(describe_line(line, words) for line in lines)]
    texts += write_notes(page, shown, now, words)
    season = Season.at(now) if rewards and rewards.seasonal else None
    if rewards and rewards.trouble and (rewards.pool, season) == (page.pool, page.season):
        texts.append("-# " + words(f"rewards.trouble.{rewards.trouble}"))
    parts: list[Part] = ["\n".join(texts)]
    if lines:
        heading = words("leaders.everywhere" if page.everywhere else "leaders.here")
        theme = THEMES.get(audience.theme, PAPER)
        png = await ctx.services.jobs.pictures.make(ctx.user, table, title, heading, lines, theme)
        parts.append(picture_file(png, f"kropka-{page.pool}-{page.start}", words("leaders.alt", title=title)))
    return RenderedPage(parts, now, len(found) > LINES_PER_PAGE)
