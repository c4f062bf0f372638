"""Players: profiles with a curve of one rating, lists of games, and all that is stored of a player."""

import asyncio
import gzip
from collections.abc import Mapping, Sequence
from io import BytesIO

import discord
import orjson

from bot.addresses import link
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command, Declared, Group, Menu, declare
from bot.interactions.components import Audience, Component, Confirmation, ShareButton, can_share, confirm, page_links
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, button, picture_file, rows
from bot.markup import escape
from play.challenge.pool import Pool
from play.ids import DAY, GuildId, Millis, UserId
from play.people.career import EVERYTHING, MAX_SUMMARIZED_MATCHES, FinishedMatch, Tally, Visibility, summarize
from play.people.settings import ServerSettings
from play.ratings.leaderboard import Leader, Season
from play.ratings.settlement import RatingChange
from play.refusal import Reason, Refused
from presentation.markup import Stamp
from presentation.match.phrases import change_text, rating_text
from presentation.own_accounts import account_lines
from presentation.terms import rules_name
from presentation.words.words import Words
from renderer.graph import Caption, Rated, curve
from renderer.theme import PAPER, THEMES
from use_cases.own_accounts import read_other_accounts
from use_cases.profiles import MAX_GROUPS, MIN_GAMES, read_profile
from web.access.links import FIGURES

GAMES_PER_PAGE = 8

NOBODY = UserId(0)
"""The opponent of a history that has all games of its player."""

QUITS_MILLIS = Millis(90 * DAY)
"""How far back a profile counts abandoned games."""


class HistoryPageButton(Component, id=ids.HISTORY):
    """A button that turns to the page that begins with game number `start`."""

    user: UserId
    other: UserId
    start: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_history(ctx, self.user, self.other, self.start)


async def show_history(ctx: Context, user: UserId, other: UserId = NOBODY, start: int = 0) -> None:
    """Shows a page of the games of `user` that the reader may see; with `other`, of those between the two.

    The interaction is acknowledged.
    """
    sight = Visibility.of(ctx.user, permissions.installed_guild(ctx), user, other)
    async with ctx.services.store.read() as reader:
        found = await reader.careers.finished(user, start, GAMES_PER_PAGE + 1, opponent=other or None, sight=sight)
        sums = (
            await reader.careers.finished(user, 0, MAX_SUMMARIZED_MATCHES, opponent=other, sight=sight) if other else []
        )
        servers = {each.guild: await reader.servers.get(each.guild) for each in found if each.guild}
    words, is_own = await ctx.words(), ctx.user in (user, other)
    lines = []
    if found:  # else no name is shown: the custom id may have the number of any account
        lines.append(await _title(ctx, user, other, words))
    if other and (found or is_own):
        lines.append(tally_line(summarize(user, sums).all, words))
    hidden = await asyncio.gather(*(permissions.is_hidden(ctx, each) for each in found[:GAMES_PER_PAGE]))
    shown = [each for each, is_hidden in zip(found, hidden, strict=False) if not is_hidden]
    lines += await asyncio.gather(*(_game_line(ctx, each, user, words, servers) for each in shown))
    if any(hidden):
        lines.append(f"-# {words('history.private')}")
    if not found:
        lines.append(words("history.none") if is_own else hidden_notice(sight, words))
    turns = {"back": max(0, start - GAMES_PER_PAGE)} if start else {}
    if len(found) > GAMES_PER_PAGE:
        turns["on"] = start + GAMES_PER_PAGE
    buttons = [
        HistoryPageButton.make(words(f"page.{way}"), user=user, other=other, start=to) for way, to in turns.items()
    ]
    await ctx.show(["\n".join(lines), *([buttons] if buttons else [])])


def hidden_notice(sight: Visibility, words: Words) -> str:
    """Returns the sentence for a reader who may see nothing of a player: it says why, and what to do."""
    return words("history.hidden.private" if sight.guild is None else "history.hidden.server")


def tally_line(tally: Tally, words: Words) -> str:
    """Returns the counts of wins, draws and losses in words."""
    return words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)


async def _title(ctx: Context, user: UserId, other: UserId, words: Words) -> str:
    name = escape(await ctx.services.names.of(user, ctx.guild))
    if other == NOBODY:
        return words("history.title", name=name)
    return words("versus.title", name=name, opponent=escape(await ctx.services.names.of(other, ctx.guild)))


async def _game_line(
    ctx: Context, match: FinishedMatch, user: UserId, words: Words, servers: Mapping[GuildId, ServerSettings]
) -> str:
    others = [player for player in match.players if player != user]
    names = await ctx.services.names.of_all(others, ctx.guild)
    key = "annulled" if match.annulled else match.result(user) or "undecided"
    own = match.players.index(user)
    points = [match.scores[own], *(score for seat, score in enumerate(match.scores) if seat != own)]
    line = words(
        f"history.line.{key}",
        opponent=escape(", ".join(names)),
        rules=rules_name(match.rules, match.rule_set, words),
        score=":".join(map(words.number, points)),
        change="" if match.rated is None else f" ({change_text(*match.rated)})",
        when=words.moment(match.ended, Stamp.DATE),
        url=link(match.guild, match.channel, match.board),
        number=match.id,
    )
    links = ctx.services.web_links
    page = await links.page_of(match.id, match, servers[match.guild]) if links and match.guild else None
    return f"{line} · [{words('history.page')}]({page})" if page else line


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
        is_alone = user == ctx.user and not audience.members
        others = await read_other_accounts(reader, user) if is_alone else []
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
    lines += [line for account in others for line in account_lines(account, profile.now, words)]
    parts: list[Part] = ["\n".join(lines)]
    if profile.pool:
        parts.append(await _curve(ctx, name, profile.pool, profile.history, audience))
    games = HistoryPageButton.make(words("profile.games"), user=user, other=NOBODY, start=0)
    own: list[Control] = []
    if user == ctx.user:
        own = [button(ids.MILESTONES(), words("milestone.button")), button(ids.YEAR(), words("year.button"))]
    pools = [pool for pool in profile.ratings if pool != profile.pool]
    buttons: list[Control] = [
        *(CurveButton.make(words(f"pool.{each}"), user=user, pool=each) for each in pools),
        games,
        *(own if not audience.members else []),
    ]
    if own and not audience.members and (links := ctx.services.web_links) is not None:
        buttons.append(discord.ui.Button(label=words("web.figures.title"), url=links.place(lambda _: FIGURES)))
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


class DeleteDataButton(Confirmation, id=ids.DELETE_DATA):
    """A button that deletes the data of the player who presses it."""

    async def carry_out(self, ctx: Context) -> list[Part]:
        words = await ctx.words()
        await ctx.services.privacy.forget(ctx.user, ctx.at)
        ctx.services.names.forget(ctx.user)
        ctx.services.jobs.clear_cache()
        return [words("privacy.done")]


async def send_stored_data(ctx: Context) -> None:
    """Sends the player a file of all that is stored of them. The interaction is acknowledged."""
    words = await ctx.words()
    found = await ctx.services.privacy.export(ctx.user)
    data, name = orjson.dumps(found, option=orjson.OPT_INDENT_2), "kropka-data.json"
    if len(data) > ctx.interaction.filesize_limit:  # years of games; compressed they take a tenth
        data = await ctx.services.jobs.pictures.make(ctx.user, gzip.compress, data, keep=False)
        name += ".gz"
    await ctx.reply(words("privacy.export"), file=discord.File(BytesIO(data), name))


async def ask_to_delete(ctx: Context) -> None:
    """Says what deletion means, and asks. The interaction is acknowledged."""
    words = await ctx.words()
    await confirm(ctx, words("privacy.ask"), DeleteDataButton.make(words("privacy.button")))


async def profile(ctx: Context, player: discord.User | None = None) -> None:
    await show_profile(ctx, _subject(ctx, player))


async def history(ctx: Context, player: discord.User | None = None) -> None:
    await show_history(ctx, _subject(ctx, player))


async def versus(ctx: Context, opponent: discord.User, player: discord.User | None = None) -> None:
    one, other = _subject(ctx, player), _subject(ctx, opponent)
    if one == other:
        raise Refused(Reason.VERSUS_ONESELF)
    await show_history(ctx, one, other)


async def profile_menu(ctx: Context, player: discord.User) -> None:
    await profile(ctx, player)


async def versus_menu(ctx: Context, opponent: discord.User) -> None:
    await versus(ctx, opponent)


async def export(ctx: Context) -> None:
    await send_stored_data(ctx)


async def delete(ctx: Context) -> None:
    await ask_to_delete(ctx)


def _subject(ctx: Context, player: discord.User | None) -> UserId:
    """Returns the player that a command is about: the named one, whose name is kept, or else the user."""
    if player is None:
        return ctx.user
    ctx.services.names.remember(player, ctx.guild)
    return UserId(player.id)


COMMANDS: tuple[Declared, ...] = (
    Command(profile),
    *(Command(each, like="profile") for each in (history, versus)),
    Group("privacy", declare(export, delete)),
    Menu("profile", profile_menu),
    Menu("versus", versus_menu),
)

BUTTONS: tuple[type[Component], ...] = (HistoryPageButton, CurveButton, ShareProfile, DeleteDataButton)
