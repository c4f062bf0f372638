"""A year in dots: of a player, in private until they share it, and of a server, which its managers post."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Audience, Component, PanelItem, ShareButton, can_share
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, picture_file, rows
from bot.services.job_pool import JobPool
from bot.services.names import Names
from play.community.year import OwnYear
from play.ids import GuildId, UserId
from play.refusal import Reason, Refused
from presentation.people import MAX_READS
from presentation.words.words import Words
from presentation.years import describe_year, named_in, own_year_card, server_year_card
from renderer.theme import PAPER, THEMES
from renderer.year import YearCard, draw_year
from use_cases.years import ServerYears, ToldServerYear, load_own_year


class ShowYear(PanelItem, id=ids.YEAR):
    """Shows a year of the player who presses it, or the present one."""

    year: int | None
    emoji = "🗓️"

    async def parts(self, ctx: Context) -> Sequence[Part]:
        audience = await Audience.reader(ctx)
        words = audience.words
        told = await load_own_year(ctx.services.store, ctx.user, self.year, ctx.services.names.own_id)
        year = told.year
        ways = [ShowYear.make(str(each), year=each) for each in (told.before, told.after) if each is not None]
        here: list[Control] = []
        if permissions.installed_guild(ctx) is not None:
            here.append(ShowServerYear.make(words("year.server"), year=year.year))
        if year.is_empty:
            return [words("year.none", year=year.year), *rows([*ways, *here])]
        if can_share(ctx):
            here.append(ShareYear.make(words("share.button"), year=year.year))
        return [await _own_card(ctx, year, audience), words("year.private"), *rows([*ways, *here])]

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))


class ShareYear(ShareButton, id=ids.SHARE_YEAR):
    """Posts a year of the player who presses, without their friend."""

    year: int

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        told = await load_own_year(ctx.services.store, ctx.user, self.year, ctx.services.names.own_id)
        if told.year.is_empty:
            raise Refused(Reason.NOTHING_TO_SHARE)
        return [await _own_card(ctx, told.year, members)]


class ShowServerYear(PanelItem, id=ids.SERVER_YEAR):
    """Shows a year of the server, or the present one."""

    year: int | None
    emoji = "🗓️"

    async def parts(self, ctx: Context) -> Sequence[Part]:
        audience, guild = await Audience.reader(ctx), permissions.require_guild(ctx)
        words = audience.words
        drawn = await draw_server_year(
            ctx.services.server_years, ctx.services.names, ctx.services.jobs, guild, self.year, ctx.user, audience
        )
        year = drawn.told.year
        buttons: list[Control] = [
            ShowServerYear.make(str(each), year=each) for each in (drawn.told.before, drawn.told.after) if each
        ]
        buttons.append(ShowYear.make(words("year.button"), year=year.year))
        if drawn.picture is None:
            return [words("year.none.server", year=year.year), *rows(buttons)]
        if can_share(ctx) and permissions.manages_server(ctx):
            buttons.append(ShareServerYear.make(words("share.button"), year=year.year))
        return [drawn.picture, *rows(buttons)]

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))


class ShareServerYear(ShareButton, id=ids.SHARE_SERVER_YEAR):
    """Posts a year of the server, for a manager."""

    year: int

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        guild = permissions.require_guild(ctx)
        await permissions.require_manage_server(ctx)
        services = ctx.services
        drawn = await draw_server_year(
            services.server_years, services.names, services.jobs, guild, self.year, ctx.user, members
        )
        if drawn.picture is None:
            raise Refused(Reason.NOTHING_TO_SHARE)
        return [drawn.picture, [ShowYear.make(members.words("year.button"), year=drawn.told.year.year)]]


BUTTONS: tuple[type[Component], ...] = (ShowYear, ShareYear, ShowServerYear, ShareServerYear)


class DrawnYear(NamedTuple):
    """A year of a server, with its card; None without a game."""

    told: ToldServerYear
    picture: discord.File | None


async def draw_server_year(
    years: ServerYears,
    names: Names,
    jobs: JobPool,
    guild: GuildId,
    number: int | None,
    reader: UserId,
    audience: Audience,
) -> DrawnYear:
    """Returns a year of a server for readers, of whom `reader` has asked. Raises Refused."""
    told = await years.load(guild, number, names.own_id)
    named = dict[UserId, str]()
    for _ in range(MAX_READS):  # names tell who has left, whom the next look passes over
        users = named_in(told.year)
        named = dict(zip(users, await names.of_all(users, guild), strict=True))
        if not any(names.has_left(user, guild) for user in users):
            break
        told = await years.load(guild, number, names.own_id)
    if not told.year.games:
        return DrawnYear(told, None)
    card = server_year_card(told.year, told.name, audience.words, named)
    return DrawnYear(told, await _picture(jobs, reader, card, audience))


async def _own_card(ctx: Context, year: OwnYear, audience: Audience) -> discord.File:
    """Returns the card of the player who asks; they alone see who their friend is, as that one is called elsewhere."""
    names, friend = ctx.services.names, None
    if year.friend is not None and not audience.members:
        friend = await names.of(year.friend[0], None)
    card = own_year_card(year, await names.of(ctx.user, ctx.guild), audience.words, friend)
    return await _picture(ctx.services.jobs, ctx.user, card, audience)


async def _picture(jobs: JobPool, reader: UserId, card: YearCard, audience: Audience) -> discord.File:
    theme, words = THEMES.get(audience.theme, PAPER), audience.words
    png = await jobs.pictures.make(reader, draw_year, card, words("milestone.someone"), theme)
    return picture_file(png, "kropka-year", describe_year(card, words))


def year_button(words: Words) -> ShowYear:
    """Returns the button that opens the present year of the player who presses it."""
    return ShowYear.make(words("year.button"), year=None)
