"""`/leaderboard`: the best players, page by page, and the roles that the first of them get."""

import logging
from collections.abc import Awaitable, Sequence, Set
from dataclasses import replace
from typing import Final, NamedTuple, Self

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command
from bot.interactions.components import Audience, Component, ShareButton, can_share, page_links
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, button, picture_file, rows
from bot.services.discord_errors import ErrorCode, describe, is_about_rights, is_final
from bot.services.locales import Locales
from bot.services.members import DiscordMembers
from play.challenge.pool import POOLS, Pool
from play.community.roles import GrantProblem, RoleGrant
from play.ids import GuildId, Millis, RoleId, UserId
from play.ratings.leaderboard import LINES_PER_PAGE, Leader, LeaderboardPage, Scorer, Season
from play.refusal import Reason, Refused
from presentation.leaderboards import describe_line, name_season, write_lack, write_line, write_notes, write_title
from presentation.people import read_members
from presentation.words.words import Words
from renderer.table import table
from renderer.theme import PAPER, THEMES
from use_cases.profiles import read_lines, read_seasons
from use_cases.worker import RetryLater
from use_cases.workers.role_sync import MemberAbsent, RoleNotChanged

log = logging.getLogger(__name__)

TROUBLES: Final[dict[int, GrantProblem]] = {
    ErrorCode.UNKNOWN_GUILD: GrantProblem.AWAY,
    ErrorCode.MISSING_ACCESS: GrantProblem.AWAY,
    ErrorCode.UNKNOWN_ROLE: GrantProblem.ROLE,
}
"""The trouble behind Discord's error codes; any other one is a lack of permission, or a refusal of its own kind."""


async def suggest_seasons(ctx: Context, typed: str) -> list[Choice[str]]:
    """Returns the seasons of the leaderboard that the other options name, of which the label has what they typed."""
    options = ctx.interaction.namespace
    pool = next((each for each in POOLS if str(each) == options.kind), None)
    guild = None if options.everywhere else permissions.installed_guild(ctx)
    async with ctx.services.store.read() as reader:
        now, *found = await read_seasons(reader, await reader.clock.now(), pool, guild)
    words, choices = await ctx.words(), []
    for season in (now, *found):
        label = name_season(season, now, words)
        if typed.strip().lower() in f"{label} {season}".lower():
            choices.append(Choice(name=label, value=str(season)))
    return choices


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


async def own_page(ctx: Context, page: LeaderboardPage) -> tuple[LeaderboardPage, str]:
    """Returns the page with the player's own line, and what they lack for a place.

    Raises Refused, which says why they have no line.
    """
    guild = guild_of(ctx, page)
    async with ctx.services.store.read() as reader:
        line = await reader.leaderboards.line_number(ctx.user, page.pool, guild, page.season)
        rated = (await reader.ratings.of_user(ctx.user)).get(page.pool)
        own = await reader.leaderboards.leader(ctx.user, page.pool, guild)
        games = await reader.leaderboards.full_games(ctx.user, page.pool)
        world = await reader.leaderboards.world(ctx.user, page.pool)
    if line is not None:
        lacks = page.season is None and own is not None and own.provisional
        lack = write_lack(page, games, world, await ctx.words()) if lacks else ""
        return replace(page, start=line // LINES_PER_PAGE * LINES_PER_PAGE), lack
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
        rewards = None if guild is None else await reader.role_rewards.get(guild)

    async def read() -> Sequence[Leader | Scorer]:
        async with ctx.services.store.read() as reader:
            return await read_lines(reader, page, guild)

    found = await (read() if guild is None else read_members(read, ctx.services.names, guild))
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
        page, lack = await own_page(ctx, self.page)
        await show_leaderboard(ctx, page, ctx.user, lack)


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
    if permissions.installed_guild(ctx) is not None:
        buttons.append(button(ids.SERVER_YEAR(), reader.words("year.server")))
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


class DiscordRoles:
    """Implements use_cases.workers.role_sync.RoleGateway."""

    def __init__(self, client: discord.Client, locales: Locales, members: DiscordMembers) -> None:
        self._client = client
        self._locales = locales
        self._members = members

    async def held(self, guild: GuildId, user: UserId) -> Set[RoleId]:
        """See use_cases.workers.role_sync.RoleGateway."""
        try:
            roles = await self._members.roles(guild, user)
            if roles is None and not await self._members.left(guild, [user]):
                raise RoleNotChanged(GrantProblem.AWAY)
        except Refused as away:
            raise RetryLater(away.key) from away
        if roles is None:
            raise MemberAbsent
        return roles

    async def give(self, guild: GuildId, grant: RoleGrant) -> None:
        """See use_cases.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.add_role(guild, *grant, reason=await self._reason(guild)))

    async def take(self, guild: GuildId, grant: RoleGrant) -> None:
        """See use_cases.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.remove_role(guild, *grant, reason=await self._reason(guild)))

    async def _reason(self, guild: GuildId) -> str:
        """Returns the reason for the server's audit log."""
        words = await self._locales.for_guild(guild)
        return words("rewards.reason")

    async def _change(self, change: Awaitable[None]) -> None:
        """Makes a change. Raises what the gateway of use_cases.workers.role_sync may raise, or RetryLater."""
        try:
            await change
        except discord.HTTPException as error:
            if error.code in (ErrorCode.UNKNOWN_MEMBER, ErrorCode.UNKNOWN_USER):
                raise MemberAbsent from error
            if error.code in TROUBLES:
                raise RoleNotChanged(TROUBLES[error.code]) from error
            if is_about_rights(error):
                raise RoleNotChanged(GrantProblem.PERMISSION) from error
            log.warning("a role is not changed: %s", describe(error))
            if is_final(error):
                raise RoleNotChanged(GrantProblem.REFUSED) from error
            raise RetryLater(describe(error)) from error


async def leaderboard(
    ctx: Context,
    kind: str | None = None,
    everywhere: bool = False,
    season: app_commands.Range[str, 6, 6] | None = None,
) -> None:
    page = await first_page(ctx, Pool.parse(kind) if kind else None, everywhere)
    await show_leaderboard(ctx, replace(page, season=Season.parse(season)) if season else page)


COMMANDS = (
    Command(
        leaderboard,
        choices={"kind": lambda words: [Choice(name=words(f"pool.{pool}"), value=str(pool)) for pool in POOLS]},
        suggests={"season": suggest_seasons},
    ),
)
