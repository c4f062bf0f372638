"""Profiles: a player's ratings and results, with a curve of one rating."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.players.histories import NOBODY, HistoryPageButton, hidden_notice, tally_line
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, rows
from bot.interactions.page_links import page_links
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience, ShareButton, can_share
from play.challenge.pool import Pool
from play.ids import DAY, Millis, UserId
from play.people.career import EVERYTHING, FinishedMatch, Visibility, summarize
from play.ratings.leaderboard import Leader
from play.ratings.season import Season
from play.ratings.settlement import RatingChange
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.match.rating_text import rating_text
from presentation.text import escape
from presentation.words.words import Words
from renderer.curve import Caption, Rated, curve
from renderer.theme import PAPER, THEMES
from use_cases.profiles import MAX_GROUPS, MIN_GAMES, read_profile

QUITS_MILLIS = Millis(90 * DAY)
"""How far back a profile counts abandoned games."""


class CurveButton(Component, id=ids.PROFILE):
    """A button that shows the profile with the curve of another pool."""

    user: UserId
    pool: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_profile(ctx, self.user, Pool.parse(self.pool))


class ShareProfile(ShareButton, id=ids.SHARE_PROFILE):
    """Shares what members of the server see of a player."""

    user: UserId
    pool: str

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        pool = None if self.pool == "-" else Pool.parse(self.pool)
        found = await _parts(ctx, self.user, pool, members)
        if found is None:
            raise Refused(Reason.NOTHING_TO_SHARE)
        return found


async def show_profile(ctx: Context, user: UserId, pool: Pool | None = None) -> None:
    """Shows what the reader may see of `user`, with the curve of `pool` or of their most played one.

    The interaction is acknowledged.
    """
    reader = await Audience.reader(ctx)
    parts = await _parts(ctx, user, pool, reader)
    await ctx.show(parts or [hidden_notice(_sight(ctx, user, reader), reader.words)])


def _sight(ctx: Context, user: UserId, audience: Audience) -> Visibility:
    """Returns what the audience may see of `user`: members of a server together as little as each of them."""
    guild = permissions.installed_guild(ctx)
    return Visibility(guild=guild) if audience.members else Visibility.of(ctx.user, guild, user)


async def _parts(ctx: Context, user: UserId, pool: Pool | None, audience: Audience) -> list[Part] | None:
    """Returns what the audience may see of `user`; None if that is nothing."""
    sight, words = _sight(ctx, user, audience), audience.words
    guild = permissions.installed_guild(ctx)
    async with ctx.services.store.read() as reader:
        profile = await read_profile(reader, user, guild, sight, pool)
        since = Millis(profile.now - QUITS_MILLIS)
        season = Season.at(profile.now)
        foretold = None if guild is None or sight.beside else await reader.predictions.line(guild, season, user)
        quits = 0 if sight.beside else await reader.careers.count_quits(user, since, sight.guild)
    if sight != EVERYTHING and not (profile.matches or profile.ratings):
        return None
    name = await ctx.services.names.of(user, ctx.guild)
    lines = [f"### {escape(name)}"]
    lines += [
        _rating_line(each, leader, profile.places.get(each), profile.now, words)
        for each, leader in profile.ratings.items()
    ]
    lines += await _career_lines(ctx, user, profile.matches, audience)
    if foretold is not None and foretold.points > 0:
        lines.append(words("profile.predictions", count=foretold.points, place=foretold.place))
    if quits:
        lines.append(words("profile.quits", count=quits))
    parts: list[Part] = ["\n".join(lines)]
    if profile.pool:
        parts.append(await _curve(ctx, name, profile.pool, profile.history, audience))
    games = HistoryPageButton.make(words("profile.games"), user=user, other=NOBODY, start=0)
    own: list[Control] = [button(ids.MILESTONES(), words("milestone.button"))] if user == ctx.user else []
    others = [pool for pool in profile.ratings if pool != profile.pool]
    buttons: list[Control] = [
        *(CurveButton.make(words(f"pool.{each}"), user=user, pool=each) for each in others),
        games,
        *(own if not audience.members else []),
    ]
    if can_share(ctx) and not audience.members:
        buttons.append(ShareProfile.make(words("share.button"), user=user, pool=profile.pool or "-"))
    if guild is not None and (any(profile.places.values()) or any(each.guild == guild for each in profile.matches)):
        buttons += await page_links(ctx, words, lambda paths: paths.player(guild, user))
    return parts + rows(buttons)


def _rating_line(pool: Pool, leader: Leader, listed: Leader | None, now: Millis, words: Words) -> str:
    """Returns the rating in a pool, with the place on the server's leaderboard where the player is `listed`."""
    place = listed.place if listed else None
    return words(
        "profile.placed" if place else "profile.rating",
        pool=words(f"pool.{pool}"),
        rating=rating_text(leader.rating.at_time(now)),
        count=leader.games,
        place=place or 0,
    )


async def _career_lines(ctx: Context, user: UserId, matches: Sequence[FinishedMatch], audience: Audience) -> list[str]:
    career, words = summarize(user, matches), audience.words
    if not career.all.games:
        return [words("profile.nothing")]
    lines = [words("profile.all", tally=tally_line(career.all, words))]
    if career.all.games >= MIN_GAMES:
        lines += [
            words("profile.first", tally=tally_line(career.first, words)),
            words("profile.later", tally=tally_line(career.later, words)),
            words("profile.streak", streak=career.streak, longest=career.longest),
        ]
    if career.capture:
        dots, number = career.capture
        match = next(each for each in matches if each.id == number)
        if not await permissions.is_hidden(ctx, match, members=audience.members):
            lines.append(words("profile.capture", count=dots, url=link(match.guild, match.channel, match.board)))
    for key, tally in career.rules[:MAX_GROUPS]:
        lines.append(words("profile.of", what=words(f"preset.{key}.name"), tally=tally_line(tally, words)))
    for opponent, tally in career.opponents[:MAX_GROUPS]:
        name = escape(await ctx.services.names.of(opponent, ctx.guild))
        lines.append(words("profile.against", name=name, tally=tally_line(tally, words)))
    return lines


async def _curve(ctx: Context, name: str, pool: Pool, history: Sequence[RatingChange], audience: Audience) -> Part:
    words = audience.words
    pool_name, rating = words(f"pool.{pool}"), rating_text(history[-1].after)
    points = [Rated(change.at, change.after.value, change.after.deviation) for change in history]
    caption = Caption(name, f"{pool_name} · {rating}", words.date(history[0].at), words.date(history[-1].at))
    png = await ctx.services.jobs.pictures.make(ctx.user, curve, points, caption, THEMES.get(audience.theme, PAPER))
    alt = words("profile.curve", name=name, pool=pool_name, rating=rating)
    return picture_file(png, f"kropka-profile-{pool}", alt)


BUTTONS: tuple[type[Component], ...] = (CurveButton, ShareProfile)
