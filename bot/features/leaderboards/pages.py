"""Pages of leaderboards and season tables: which one is asked for, and its lines in words and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from re import Match as Found
from typing import Final, NamedTuple, Self

from bot.features.match.board.rating_text import range_text, rating_text
from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience
from bot.services.names import escape
from play.challenge.pool import Pool
from play.ids import GuildId, Millis, UserId
from play.ratings.leaderboard import QUALIFYING_GAMES, Leader, Scorer
from play.ratings.season import DRAW_POINTS, WIN_POINTS, Season
from play.refusal import Reason, Refused
from play.store import Reader
from renderer.table import Line, table
from renderer.theme import PAPER, THEMES

LINES_PER_PAGE = 10

INACTIVE_MILLIS: Final = 60 * 86_400_000
"""Players who have not played for 60 days are faint."""

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

    def guild(self, ctx: Context) -> GuildId | None:
        """Returns the server of the leaderboard; None for everywhere.

        Every click is judged anew: a custom id does not say where it is pressed. Raises Refused (`leaderboard_in_dm`,
        `not_installed_here`).
        """
        if self.everywhere:
            return None
        if ctx.guild is None:
            raise Refused(Reason.LEADERBOARD_IN_DM)
        permissions.require_bot_installed(ctx)
        return permissions.installed_guild(ctx)


class RenderedPage(NamedTuple):
    """The parts of a page, with the time when it was read, and whether there are `more` lines below."""

    parts: list[Part]
    now: Millis
    more: bool


async def first_page(ctx: Context, pool: Pool | None, everywhere: bool) -> LeaderboardPage:
    """Returns the page for a player who asks for no season: the ratings, or the season while nobody has a place.

    Outside of servers it is that of everywhere. Without a `pool` it is the one in which the player has played most.
    """
    everywhere = everywhere or permissions.installed_guild(ctx) is None
    async with ctx.services.store.read() as reader:
        chosen = pool or next(iter(await reader.ratings.of_user(ctx.user)), Pool.parse("dots-days"))
        page = LeaderboardPage(chosen, everywhere)
        best = await reader.leaderboards.leaders(chosen, page.guild(ctx), 0, 1)
        season = Season.at(await reader.clock.now())
        if best and best[0].provisional and await reader.leaderboards.scorers(season, chosen, page.guild(ctx), 0, 1):
            return replace(page, season=season)
    return page


async def own_page(ctx: Context, page: LeaderboardPage) -> tuple[LeaderboardPage, float]:
    """Returns the page with the player's own line, and how many whole games they lack for a place.

    Raises Refused, which says why they have no line.
    """
    guild = page.guild(ctx)
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


async def read_lines(reader: Reader, page: LeaderboardPage, guild: GuildId | None) -> Sequence[Leader | Scorer]:
    """Returns the lines of a page, and one more if there are lines below."""
    if page.season is None:
        return await reader.leaderboards.leaders(page.pool, guild, page.start, LINES_PER_PAGE + 1)
    return await reader.leaderboards.scorers(page.season, page.pool, guild, page.start, LINES_PER_PAGE + 1)


async def render_page(
    ctx: Context, page: LeaderboardPage, audience: Audience, own: UserId | None = None
) -> RenderedPage:
    """Returns the text and the picture of a page; the line of `own` is marked. Raises Refused."""
    guild, words = page.guild(ctx), audience.words
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
    texts = [f"### {title}", *(_describe_line(line, words) for line in lines)]
    texts += write_notes(page, shown, now, words, lambda moment: f"<t:{moment // 1000}:D>")
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


def write_notes(
    page: LeaderboardPage,
    lines: Sequence[Leader | Scorer],
    now: Millis,
    words: Words,
    date: Callable[[Millis], str],
) -> list[str]:
    """Returns the small print below the lines: how points are counted, and how players without a place get one."""
    if not lines:
        return [words("leaders.none")]
    if page.season is not None:
        tense = "now" if page.season.ends > now else "past"
        points = {"win": words.number(WIN_POINTS), "draw": words.number(DRAW_POINTS)}
        return ["-# " + words(f"leaders.points.{tense}", **points, when=date(Millis(page.season.ends - 1000)))]
    if any(isinstance(line, Leader) and line.provisional for line in lines):
        return ["-# " + words("leaders.provisional", count=round(QUALIFYING_GAMES))]
    return []


def write_line(each: Leader | Scorer, name: str, number: int, now: Millis, words: Words) -> Line:
    """Returns a line as texts.

    `number` counts the lines of all pages from 1. A picture shows it in place of a name that the font lacks: unlike a
    place, no two lines share it.
    """
    place, note = each.place or 0, words("leaders.games", count=each.games)
    fallback = words("leaders.numbered", number=number)
    if isinstance(each, Scorer):
        return Line(place, name, fallback, words.number(int(each.points + 0.5)), note)
    rating = each.rating.at_time(now)
    faint = each.provisional or (rating.at is not None and now - rating.at > INACTIVE_MILLIS)
    value = range_text(rating) if each.provisional else rating_text(rating)
    return Line(place, name, fallback, value, note, faint)


def _describe_line(line: Line, words: Words) -> str:
    """Returns a line in words; small for a player without a place, or who has not played for long."""
    medal = MEDALS[line.place - 1] if 0 < line.place <= len(MEDALS) else f"{line.place}\\." if line.place else "·"
    text = words("leaders.line", place=medal, name=escape(line.name), value=line.value, note=line.note)
    text = f"{OWN} {text}" if line.own else text
    return f"-# {text}" if line.faint else text


def write_title(page: LeaderboardPage, words: Words) -> str:
    """Returns what a leaderboard is called."""
    pool = words(f"pool.{page.pool}")
    if page.season is None:
        return words("leaders.title", pool=pool)
    return words("leaders.season", pool=pool, year=str(page.season.year), quarter=page.season.quarter)
