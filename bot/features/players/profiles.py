"""`/profile`: how somebody plays, in numbers and as a curve."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.match.board.rating_text import rating_text
from bot.features.players.histories import Page, hidden, tallied
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.interactions.layout import Part, rows
from bot.interactions.pictures import picture_file
from bot.request import link
from bot.services.names import escape
from play.challenge.pool import Pool
from play.ids import Millis, UserId
from play.people.career import EVERYTHING, MOST_SUMMED, Sight, summed
from renderer.curve import Caption, Rated, curve
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.people.career import Career, Finished
    from play.ratings.leaderboard import Leader
    from play.ratings.settlement import Change

NAMED = 5
"""Rules and opponents that are named, those with the most games."""

CURVE = 200
"""Games that a curve shows, the latest."""

QUITS_OVER = Millis(90 * 86_400_000)
"""How far back the profile tells of games that somebody let come to nothing."""


class Curve(GatedItem, discord.ui.DynamicItem[Item], template=r"profile:(?P<user>\d{1,20}):(?P<pool>[a-z]+-[a-z]+)"):
    """Shows the profile with the curve of another pool."""

    def __init__(self, user: UserId, pool: str, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"profile:{user}:{pool}"))
        self.user, self.pool = user, pool

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(UserId(int(match["user"])), match["pool"], item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await show_profile(ctx, self.user, Pool.parse(self.pool))


async def show_profile(ctx: Context, user: UserId, pool: Pool | None = None) -> None:
    """The profile of `user`, as far as whoever asks may see it; with the curve of `pool`, or of that in which they have
    played most. The interaction is acknowledged."""
    guild = permissions.installed_guild(ctx)
    sight = Sight.of(ctx.user, guild, user)
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
        matches = await reader.careers.finished(user, 0, MOST_SUMMED, sight=sight)
        ratings: dict[Pool, Leader] = {}
        places: dict[Pool, Leader | None] = {}
        quits = 0
        if sight.beside is None:  # of ratings people share nothing but what a server shows
            ratings = await reader.ratings.of_user(user, sight.guild)
            quits = await reader.careers.count_quits(user, Millis(now - QUITS_OVER), sight.guild)
        if guild is not None:
            places = {each: await reader.leaderboards.leader(user, each, guild) for each in ratings}
        if sight.guild is not None:  # whoever is on the leaderboard of a server is shown there as they are now
            ratings = {each: places[each] or leader for each, leader in ratings.items()}
        chosen = pool if pool in ratings else next(iter(ratings), None)
        history = await reader.ratings.history(user, chosen, CURVE, sight.guild) if chosen else []
    if sight != EVERYTHING and not (matches or ratings):
        await ctx.show([hidden(sight, words)])
        return
    name = await ctx.services.names.of(user, ctx.guild)
    lines = [f"### {escape(name)}"]
    lines += [_rated(each, leader, places.get(each), now, words) for each, leader in ratings.items()]
    lines += await _told(ctx, summed(user, matches), {match.id: match for match in matches}, words)
    if quits:
        lines.append(words("profile.quits", count=quits))
    parts: list[Part] = ["\n".join(lines)]
    if chosen:
        theme = (await ctx.settings()).theme
        caption = _caption(name, chosen, history, words)
        png = await ctx.services.jobs.pictures.make(
            ctx.user, curve, _points(history), caption, THEMES.get(theme, PAPER)
        )
        alt = words("profile.curve", name=name, pool=words(f"pool.{chosen}"), rating=rating_text(history[-1].after))
        parts.append(picture_file(png, f"kropka-profile-{chosen}", alt))
    others = [Curve(user, str(each), words(f"pool.{each}")) for each in ratings if each != chosen]
    parts += rows([*others, Page(user, UserId(0), 0, words("profile.games"))])
    await ctx.show(parts)


def _rated(pool: Pool, leader: Leader, standing: Leader | None, now: Millis, words: Words) -> str:
    place = standing.place if standing else None
    return words(
        "profile.placed" if place else "profile.rating",
        pool=words(f"pool.{pool}"),
        rating=rating_text(leader.rating.aged(now)),
        games=leader.games,
        place=place or 0,
    )


async def _told(ctx: Context, career: Career, matches: dict[Any, Finished], words: Words) -> list[str]:
    if not career.all.games:
        return [words("profile.nothing")]
    lines = [
        words("profile.all", tally=tallied(career.all, words)),
        words("profile.first", tally=tallied(career.first, words)),
        words("profile.later", tally=tallied(career.later, words)),
        words("profile.streak", streak=career.streak, longest=career.longest),
    ]
    if career.capture:
        dots, match = career.capture[0], matches[career.capture[1]]
        lines.append(words("profile.capture", count=dots, url=link(match.guild, match.channel, match.board)))
    for key, tally in career.rules[:NAMED]:
        lines.append(words("profile.of", what=words(f"preset.{key}.name"), tally=tallied(tally, words)))
    for opponent, tally in career.opponents[:NAMED]:
        name = escape(await ctx.services.names.of(opponent, ctx.guild))
        lines.append(words("profile.against", name=name, tally=tallied(tally, words)))
    return lines


def _points(history: list[Change]) -> list[Rated]:
    return [Rated(change.at, change.after.value, change.after.deviation) for change in history]


def _caption(name: str, pool: Pool, history: list[Change], words: Words) -> Caption:
    note = f"{words(f'pool.{pool}')} · {rating_text(history[-1].after)}"
    return Caption(name, note, words.date(history[0].at), words.date(history[-1].at))


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Curve,)
