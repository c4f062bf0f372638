"""`/leaderboard`: who stands where, on a server, everywhere, or in a season; in words and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import Match as Found
from typing import TYPE_CHECKING, Any, Final, Self

import discord

from bot.features.coach import pictures
from bot.features.match.board.rating_text import rating_text
from bot.interactions import permissions
from bot.interactions.admission import Gated
from bot.interactions.buttons import Item, row
from bot.interactions.responses import acknowledge_quietly
from bot.request import Request
from bot.services.names import escaped
from bot.services.text_limits import fitted
from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.glicko import PROVISIONAL
from play.ratings.ledger import LEAST_GAMES
from play.ratings.season import Season
from play.refusal import Reason, Refused
from renderer.table import Line, table
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.ids import Millis
    from play.ratings.ledger import Leader, Scorer

SHOWN = 10
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


class Leafing(Gated, discord.ui.DynamicItem[Item], template=r"(?!)"):
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
    async def show(interaction: Interaction, view: View, own: UserId | None = None) -> None:
        """Turns to a view, in which the line of `own` stands out. The interaction is acknowledged."""
        content, picture, buttons = await _page(interaction, view, own)
        await interaction.edit_original_response(content=fitted(content), attachments=picture, view=buttons)


class Turn(
    Leafing,
    template=r"leaders:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4]):(?P<start>\d{1,6})",
):
    """Shows another page, or another leaderboard."""

    @classmethod
    def to(cls, view: View, label: str) -> Self:
        return cls(label, f"leaders:{view}")

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await self.show(interaction, self.page)


class Find(
    Leafing,
    template=r"leaders:me:(?P<where>all|here):(?P<pool>[a-z]+-[a-z]+):(?P<season>-|\d{4}q[1-4])",
):
    """Turns to the page on which whoever presses it stands."""

    @classmethod
    def to(cls, view: View, label: str) -> Self:
        return cls(label, f"leaders:me:{str(view).rpartition(':')[0]}")

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        view = replace(self.page, start=await _start(interaction, self.page))
        await self.show(interaction, view, Request.of(interaction).user)


async def shown(interaction: Interaction, view: View) -> None:
    """Shows a leaderboard to everybody in the channel. The interaction is acknowledged. Raises Refused."""
    content, picture, buttons = await _page(interaction, view)
    await interaction.followup.send(fitted(content), files=picture, view=buttons)


async def _start(interaction: Interaction, view: View) -> int:
    """The first line of the page on which the person stands. Raises Refused, which says what is missing, if he is on
    none."""
    request, guild = Request.of(interaction), _guild(interaction, view)
    async with interaction.client.store.read() as reader:
        line = await reader.line_of(request.user, view.pool, guild, view.season)
        rated = (await reader.ratings_of(request.user)).get(view.pool)
        standing = await reader.standing_of(request.user, view.pool, guild)
    if line is not None:
        return line // SHOWN * SHOWN
    if view.season is not None:
        raise Refused(Reason.LEADERS_NO_SEASON)
    if rated is None:
        raise Refused(Reason.LEADERS_NO_GAME)
    if rated.games < LEAST_GAMES:
        raise Refused(Reason.LEADERS_FEW_GAMES, count=LEAST_GAMES - rated.games)
    if rated.rating.deviation >= PROVISIONAL:
        raise Refused(Reason.LEADERS_UNSURE, deviation=round(rated.rating.deviation), least=round(PROVISIONAL))
    raise Refused(Reason.LEADERS_FAR if standing else Reason.LEADERS_ELSEWHERE)


async def _page(
    interaction: Interaction, view: View, own: UserId | None = None
) -> tuple[str, list[discord.File], discord.ui.View]:
    """What the message has; the line of `own` stands out. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    guild, there = _guild(interaction, view), permissions.installed_guild(interaction)
    words = await client.audience.server(request.guild)
    async with client.store.read() as reader:
        now = await reader.now()
        if view.season is None:
            found: Sequence[Leader | Scorer] = await reader.leaders(view.pool, guild, view.start, SHOWN + 1)
        else:
            found = await reader.scorers(view.season, view.pool, guild, view.start, SHOWN + 1)
        theme = (await reader.server(request.guild or GuildId(0))).theme
        podium = None if guild is None else await reader.podium(guild)
    names = await client.names.of_all([each.user for each in found[:SHOWN]], request.guild)
    lines = [
        _line(each, name, now, words)._replace(own=each.user == own)
        for each, name in zip(found[:SHOWN], names, strict=True)
    ]
    title = _title(view, words)
    content = "\n".join([f"### {title}", *(_told(line, words) for line in lines)])
    picture = []
    if lines:
        heading = words("leaders.everywhere" if view.everywhere else "leaders.here")
        png = await client.lane.pictures.make(request.user, table, title, heading, lines, THEMES.get(theme, PAPER))
        picture = [pictures.file(png, f"kropka-{view.pool}-{view.start}", words("leaders.alt", title=title))]
    else:
        content += "\n" + words("leaders.none", least=LEAST_GAMES)
    season = Season.at(now) if podium and podium.seasonal else None
    if podium and podium.trouble and (podium.pool, season) == (view.pool, view.season):
        content += "\n-# " + words(f"podium.trouble.{podium.trouble}")
    return content, picture, row(*_buttons(view, now, len(found) > SHOWN, words, alone=there is None))


def _guild(interaction: Interaction, view: View) -> GuildId | None:
    """The server of the leaderboard, None for everywhere; judged with every click, since a button says nothing of
    where it is pressed. Raises Refused (`leaderboard_in_dm`, `not_installed_here`)."""
    if view.everywhere:
        return None
    if Request.of(interaction).guild is None:
        raise Refused(Reason.LEADERBOARD_IN_DM)
    permissions.home(interaction)
    return permissions.installed_guild(interaction)


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
    told = words("leaders.line", place=medal, name=escaped(line.name), value=line.value, note=line.note)
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
        buttons.insert(0, Turn.to(replace(view, start=max(0, view.start - SHOWN)), words("leaders.button.up")))
    if more:
        buttons.insert(0, Turn.to(replace(view, start=view.start + SHOWN), words("leaders.button.down")))
    return buttons


async def usual_pool(interaction: Interaction) -> Pool:
    """The pool in which the person has played most, or that of games by the day."""
    async with interaction.client.store.read() as reader:
        ratings = await reader.ratings_of(UserId(interaction.user.id))
    return next(iter(ratings), Pool.parse("dots-days"))


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Turn, Find)
