"""`/league`: the league of a server, which a manager opens once and which then runs by itself, and its posts."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Self

import discord
from discord import app_commands

from bot.features.competitions.publisher import Announcement, CompetitionPublisher, annulled_line
from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis
from bot.features.terms.offered_rules import find_rules, suggest_rules_of_two
from bot.features.terms.terms_panel import OpenTerms
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare
from bot.interactions.components import (
    Audience,
    Component,
    Confirmation,
    KeepAll,
    PanelItem,
    confirm,
    links_of,
    page_links,
)
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, picture_file, row, rows
from bot.services.channels import Picture, Post, ServerPosts
from bot.services.discord_errors import describe, is_final
from bot.services.guild_directory import GuildDirectory
from bot.services.locales import Locales
from bot.services.messages import fit
from bot.services.names import Names
from bot.services.open_questions import Asked
from bot.services.web_links import WebLinks
from play.challenge.terms import USUAL_CONTROL, Order, Terms
from play.competitions.league import MIN_PLAYERS, League, LeagueNotice, NoticeKind, Presence, first_season
from play.competitions.season import LeagueGame, Season
from play.ids import ChannelId, MessageId, Millis, UserId, is_person
from play.match.points import LOST, WON
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.league import (
    MAX_NAMES,
    leader_lines,
    leaders,
    league_lines,
    length_line,
    movement_lines,
    next_terms_text,
    page_title,
    table_lines,
    table_rows,
)
from presentation.markup import Stamp
from presentation.offered_rules import server_terms
from presentation.words.words import Words
from renderer.crosstable import crosstable
from renderer.theme import PAPER, THEMES
from storage import Database
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable

log = logging.getLogger(__name__)

PINNING = ("pin_messages",)
"""What the bot needs to pin the table."""

MAX_TYPED = 30
"""Characters of a typed size."""


class JoinLeague(Component, id=ids.JOIN_LEAGUE):
    """Joins the league: for everybody on the server."""

    style = discord.ButtonStyle.success

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.join"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await join(ctx)


class ComeBack(Component, id=ids.BACK_IN_LEAGUE):
    """Names the running games of a member who missed one, or lets one who dropped out play again."""

    style = discord.ButtonStyle.success

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.back"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        league = await ctx.use_cases.leagues.load(permissions.require_guild(ctx))
        if league.member(ctx.user).presence is not Presence.PLAYING:
            await join(ctx)
            return
        words = await ctx.words()
        games = [] if league.season is None else await _own_games(ctx, league, league.season, words)
        await ctx.reply("\n".join((words("league.here"), *games)))


class LeagueTerms(DefaultTermsTarget):
    """The terms of the seasons to come."""

    kind = "league"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await _league_to_change(ctx)).terms, ctx.user, seats=2, ordered=False)

    async def present(self, ctx: Context) -> Terms:
        league = await _league_to_change(ctx)
        return league.next_terms or league.terms

    async def own_parts(self, ctx: Context, draft: Terms) -> list[Part]:
        league, words = await _league_to_change(ctx), await ctx.words()
        return [] if league.next_terms is None else [[KeepTerms.to(words)]]

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        guild = (await _league_to_change(ctx)).guild
        league, words = await ctx.use_cases.leagues.change_terms(guild, ctx.user, terms), await ctx.words()
        if league.season is None:
            return [words("terms.saved")]
        if league.next_terms is None:
            return [words("league.kept")]
        return [f"✅ {next_terms_text(league, words, ctx.at)}", [ChangeTerms.to(words), KeepTerms.to(words)]]


class ChangeTerms(OpenTerms, id=ids.LEAGUE_TERMS):
    """Opens the panel with the terms of the next season, for managers."""

    target = LeagueTerms()


class KeepTerms(PanelItem, id=ids.KEEP_LEAGUE_TERMS):
    """Withdraws the change of the terms."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.keep"))

    async def parts(self, ctx: Context) -> list[Part]:
        league, words = await _league_to_change(ctx), await ctx.words()
        await ctx.use_cases.leagues.change_terms(league.guild, ctx.user, league.terms)
        return [words("league.kept"), [ChangeTerms.to(words)]]


async def _league_to_change(ctx: Context) -> League:
    """Returns the league of the server, for those who manage it. Raises Refused."""
    await permissions.require_manage_server(ctx)
    return await ctx.use_cases.leagues.load(permissions.require_guild(ctx))


class ShowTables(Component, id=ids.LEAGUE_TABLES):
    """Opens the tables, at the player's own one."""

    style = discord.ButtonStyle.primary

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.table"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await tables_page(ctx))


class TablePage(PanelItem, id=ids.LEAGUE_PAGE):
    """Turns to the table of a division, from 1, in a season."""

    season: int
    division: int

    @classmethod
    def to(cls, season: int, division: int, label: str) -> Self:
        return cls.make(label, season=season, division=division)

    async def parts(self, ctx: Context) -> list[Part]:
        return await tables_page(ctx, self.season, self.division)


async def join(ctx: Context) -> None:
    """Puts the player into the league, and says when it goes on. The interaction is acknowledged. Raises Refused."""
    await permissions.require_player(ctx)
    guild = permissions.require_guild(ctx)
    league = await ctx.use_cases.leagues.join(guild, ctx.user, ctx.at)
    words = await ctx.words()
    is_new = league.member(ctx.user).division is None
    await ctx.reply(words("league.joined" if is_new else "league.back", **words.appointment(league.begins, ctx.at)))


async def tables_page(ctx: Context, season: int | None = None, division: int | None = None) -> list[Part]:
    """Returns a table of the league, also of one that is closed: by default of the newest season, and of the player's
    own division.

    Raises Refused (`no_league`, `no_league_season`).
    """
    guild, reader = permissions.require_guild(ctx), await Audience.reader(ctx)
    words = reader.words
    league = await ctx.use_cases.leagues.look(guild)
    number = season or league.seasons
    if number == 0 and league.closed:
        raise Refused(Reason.NO_LEAGUE)
    change = [ChangeTerms.to(words)] if not league.closed and permissions.manages_server(ctx) else []
    if number == 0:
        begins = words("league.begins", **words.appointment(league.begins, ctx.at))
        rules = league_lines(league, await _move_time(ctx.services.store, league), words, ctx.at)
        return ["\n".join((*rules, begins)), *([change] if change else [])]
    shown = await ctx.use_cases.leagues.load_season(league, number)
    index = (shown.division_of(ctx.user) or 0) if division is None else division - 1
    if not 0 <= index < len(shown.divisions):
        raise Refused(Reason.NO_LEAGUE_SEASON)
    users = shown.divisions[index].users
    names = dict(zip(users, await ctx.services.names.of_all(users, guild), strict=True))
    title = page_title(shown, index, words)
    labels, lines = table_rows(shown, index, names, words)
    theme = THEMES.get(reader.theme, PAPER)
    heading = page_title(shown, index, words)
    name = words("league.title").removeprefix("## ")
    png = await ctx.services.jobs.pictures.make(ctx.user, crosstable, name, heading, labels, lines, theme)
    texts = [f"### {title}", *table_lines(shown, index, names, words), *await _own_games(ctx, league, shown, words)]
    if league.season is None or league.season.id != shown.id:
        games = (game.match for game in shown.divisions[index].games)
        texts += await annulled_line(ctx.services.store, games, words)
    else:
        texts.append(length_line(league, await _move_time(ctx.services.store, league), words))
        texts += filter(None, [next_terms_text(league, words, ctx.at)])
    picture = picture_file(png, f"kropka-league-{number}-{index + 1}", words("league.alt", title=title))
    page = await page_links(ctx, words, lambda paths: paths.league(guild, number, index + 1))
    return ["\n".join(texts), picture, *rows([*_turns(league, shown, index, words), *change, *page], PHONE_ROW)]


async def _move_time(store: Database, league: League) -> Millis:
    """Returns the time that a move of the league's games usually takes."""
    async with store.read() as reader:
        return await reader.matches.move_time(league.guild, league.terms.control)


async def _own_games(ctx: Context, league: League, shown: Season, words: Words) -> list[str]:
    """Returns a line with the threads of the player's running games, if they have some in this season."""
    if league.season is None or league.season.id != shown.id:
        return []
    async with ctx.services.store.read() as reader:
        places = await reader.leagues.places_of(league.guild, ctx.user)
    return [words("league.games", threads=" ".join(map(words.channel, places.values())))] if places else []


def _turns(league: League, shown: Season, index: int, words: Words) -> list[Control]:
    """Returns the buttons to the divisions above and below, and to the seasons before and after."""
    turns: list[Control] = [
        TablePage.to(shown.number, number, words("league.button.division", division=number))
        for number in (index, index + 2)
        if 1 <= number <= len(shown.divisions)
    ]
    return turns + [
        TablePage.to(number, 1, words("league.button.season", season=number))
        for number in (shown.number - 1, shown.number + 1)
        if 1 <= number <= league.seasons
    ]


class LeaguePublisher(CompetitionPublisher):
    """Implements use_cases.competitions.league_director.LeagueDisplay."""

    def __init__(
        self,
        posts: ServerPosts,
        store: Database,
        locales: Locales,
        names: Names,
        links: WebLinks | None,
        directory: GuildDirectory,
    ) -> None:
        super().__init__(posts, store, locales, names, links)
        self._directory = directory

    async def show(self, league: League) -> MessageId:
        """See use_cases.competitions.league_director.LeagueDisplay."""
        words = await self._locales.for_guild(league.guild)
        server = await self._server(league.guild)
        picture = None if league.season is None else await self._draw(server, league.season, words)
        page = links_of(self._links, server, words, lambda paths: paths.league(server.id))
        join = row(JoinLeague.to(words), ShowTables.to(words), *page)
        buttons = row(ShowTables.to(words)) if league.closed else join
        # A new one after a lost message, and in another channel
        nonce = f"lg:{league.message or league.channel:x}"
        post = Post(await self._text(league, words), buttons, picture)
        return await self._posts.keep(league.guild, league.channel, league.message, nonce, post)

    async def pin(self, league: League, message: MessageId, *, pinned: bool) -> bool:
        """See use_cases.competitions.league_director.LeagueDisplay."""
        try:
            channel = await self._directory.messageable(league.guild, league.channel)
            there = channel.get_partial_message(message)
            await (there.pin() if pinned else there.unpin())
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("the table of the league of server %d stays as it is: %s", league.guild, describe(error))
            return False
        return True

    async def tell_moved(self, league: League, channel: ChannelId, message: MessageId) -> None:
        """See use_cases.competitions.league_director.LeagueDisplay."""
        words = await self._locales.for_guild(league.guild)
        text = f"{words('league.title')}\n{words('league.moved', channel=f'<#{league.channel}>')}"
        try:
            there = (await self._directory.messageable(league.guild, channel)).get_partial_message(message)
            await there.edit(content=fit(text), view=None, attachments=[])
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("a former message of the league of server %d stays: %s", league.guild, describe(error))

    async def call(self, league: League, season: Season, index: int, game: LeagueGame) -> MessageId:
        """See use_cases.competitions.league_director.LeagueDisplay."""
        words = await self._locales.for_guild(league.guild)
        names = await self._escaped(game.users, league.guild)
        first, second = (words("tournament.computer") if user == game.taken else names[user] for user in game.users)
        content = words("league.call", division=index + 1, first=first, second=second)
        nonce = f"lg{season.id:x}:{index}:{season.divisions[index].games.index(game)}"
        plain = page_title(season, index, words)
        return await self._posts.call(league.guild, league.channel, nonce, Post(content), Post(plain))

    async def announce(self, league: League, notice: LeagueNotice, season: Season | None) -> None:
        """See use_cases.competitions.league_director.LeagueDisplay."""
        words = await self._locales.for_guild(league.guild)
        if notice.game is not None and season is not None:
            await self._tell_of_game(league, notice, season, [*season.games][notice.game], words)
            return
        lines, picture = [await self._headline(league, notice, season, words)], None
        if notice.kind is NoticeKind.ENDED and season is not None:
            names = await self._escaped(season.users, league.guild)
            lines += movement_lines(season, names, words)
            picture = await self._draw(await self._server(league.guild), season, words)
        for part, text in enumerate(Announcement(lines).messages):
            nonce = f"lg:{notice.kind[:2]}{notice.version:x}:{part}:{league.channel % 10**8:x}"
            post = Post(text, picture=picture if part == 0 else None)
            await self._posts.post(league.guild, league.channel, nonce, post)

    async def _tell_of_game(
        self, league: League, notice: LeagueNotice, season: Season, game: LeagueGame, words: Words
    ) -> None:
        """Tells players of a game what has become of it: in its thread, or in the channel if that is closed."""
        names = await self._escaped(game.users, league.guild)
        here = [user for user in game.people if not self._names.has_left(user, league.guild)]
        nonce = f"lg{season.id:x}:{notice.kind[:2]}{notice.game:x}"
        if notice.kind is NoticeKind.UNPLAYED:
            pair = {key: mention(user, names, here) for key, user in zip(("first", "second"), game.users, strict=True)}
            post = Post(words("league.told.unplayed", **pair), pinged=here)
            await self._posts.post(league.guild, league.channel, nonce, post)
            return
        if game.points not in (WON, LOST):  # a moderator has annulled it since
            return
        loser, winner = game.users if game.points == LOST else game.users[::-1]
        is_out = loser in season.divisions[season.division_of(loser) or 0].gone
        won = words("tournament.computer") if winner == game.taken else names[winner]
        key = "league.told.out" if is_out else "league.told.missed"
        text = words(key, name=mention(loser, names, here), winner=won)
        post = Post(text, row(ComeBack.to(words)), pinged=[loser] if loser in here else [])
        async with self._store.read() as reader:
            match = game.match and await reader.matches.get(game.match)
        try:
            await self._posts.post(league.guild, match.channel if match else league.channel, nonce, post)
        except (ChannelClosed, Undeliverable) as problem:
            log.info("a thread of the league of server %d is not told, but its channel: %s", league.guild, problem)
            await self._posts.post(league.guild, league.channel, nonce, post)

    async def _headline(self, league: League, notice: LeagueNotice, season: Season | None, words: Words) -> str:
        if season is None:
            async with self._store.read() as reader:
                when = words.until(league.begins, await reader.clock.now())
            return words("league.told.waiting", count=MIN_PLAYERS, when=when)
        if notice.kind is NoticeKind.BEGUN:
            count = len(season.users)
            ends = words.moment(season.ends, Stamp.FULL)
            return words("league.told.begun", season=season.number, count=count, at=ends)
        [best] = (await self._escaped([leaders(season)[0]], league.guild)).values()
        return words("league.told.ended", season=season.number, name=best)

    async def _text(self, league: League, words: Words) -> str:
        """Returns the text of the message, with the table of the first division in words."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
        lines = league_lines(league, await _move_time(self._store, league), words, now)
        if league.closed:
            return "\n".join((lines[0], words("league.over")))
        season = league.season
        if season is None:
            lines.append(words("league.begins", **words.appointment(league.begins, now)))
            shown = league.users[:MAX_NAMES]
            names = ", ".join((await self._escaped(shown, league.guild)).values())
            more = "" if len(league.users) == len(shown) else " …"
            joined = words("league.members", count=len(league.users), names=names + more)
            return "\n".join((*lines, joined if shown else words("league.empty")))
        lines.append(words("league.ends", season=season.number, **words.appointment(season.ends, now)))
        users = dict.fromkeys((*season.divisions[0].users, *leaders(season)))
        names_of = await self._names_of(users, league.guild)
        table = table_lines(season, 0, names_of, words)
        others = leader_lines(season, names_of, words)[1:]
        return "\n".join((*lines, f"**{page_title(season, 0, words)}**", *table, *others))

    async def _draw(self, server: ServerSettings, season: Season, words: Words) -> Picture:
        """Returns the picture of the first division's table. Raises RetryLater."""
        names = await self._names_of(season.divisions[0].users, server.id)
        labels, lines = table_rows(season, 0, names, words)
        title, page = words("league.title").removeprefix("## "), page_title(season, 0, words)
        file, alt = f"kropka-league-{season.number}", words("league.alt", title=page)
        return await self._picture(server, file, alt, lambda theme: crosstable(title, page, labels, lines, theme))


class ConfirmLeaving(Confirmation, id=ids.LEAVE_LEAGUE):
    """Leaves the league."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.leave"))

    async def carry_out(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.leagues.leave(permissions.require_guild(ctx), ctx.user, ctx.at)
        words = await ctx.words()
        return [words("league.left")]


class ConfirmClosing(Confirmation, id=ids.CLOSE_LEAGUE):
    """Closes the league."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("league.button.close"))

    async def carry_out(self, ctx: Context) -> list[Part]:
        await permissions.require_manage_server(ctx)
        await ctx.use_cases.leagues.close(permissions.require_guild(ctx), ctx.user)
        words = await ctx.words()
        return [words("league.closed")]


class OpenLeague(Component, id=ids.OPEN_LEAGUE):
    """Opens the league that a manager has looked at, or moves it. Only who was asked can answer."""

    question: int

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_manage_server(ctx)
        await permissions.require_threaded_channel(ctx)
        match ctx.services.questions.take(self.question, ctx.user, ctx.at):
            case League() as asked, bool(moves):
                pass
            case other:
                raise AssertionError(f"{other!r} is no question about a league")
        words = await ctx.words()
        if moves:
            await ctx.use_cases.leagues.move(asked.guild, asked.channel, asked.keeper)
            await ctx.show([words("league.move.done")])
        else:
            opened = await ctx.use_cases.leagues.open(asked)
            await ctx.show([words("league.opened", **words.appointment(opened.begins, ctx.at))])


def mention(user: UserId, names: Mapping[UserId, str], here: Collection[UserId]) -> str:
    """Returns a mention, or the name of a player who has left the server, or whose account data is deleted."""
    return f"<@{user}>" if is_person(user) and user in here else f"**{names[user]}**"


async def open_(
    ctx: Context, rules: str | None = None, size: app_commands.Range[str, 1, MAX_TYPED] | None = None
) -> None:
    """Shows what the league would be in this channel, where its games can have threads, and asks whether to open it; or
    whether to move one that is open elsewhere."""
    server = await permissions.require_manage_server(ctx)
    terms = await _terms(ctx, server, rules, size)
    await permissions.require_threaded_channel(ctx)
    asked = League(permissions.require_guild(ctx), ctx.channel, ctx.user, terms, first_season(ctx.at))
    async with ctx.services.store.read() as reader:
        known = await reader.leagues.get(asked.guild)
    words, number = await ctx.words(), ctx.interaction.id
    if is_open := known is not None and not known.closed:
        if known.channel == ctx.channel:
            raise Refused(Reason.LEAGUE_HERE)
        text = words("league.move.ask", channel=f"<#{known.channel}>")
        label, asked = words("league.button.move"), replace(known, channel=ctx.channel, keeper=ctx.user)
    else:
        move_time = await _move_time(ctx.services.store, asked)
        lines = [words("league.open.ask"), *league_lines(asked, move_time, words, ctx.at)[1:]]
        lines.append(words("league.begins", **words.appointment(asked.begins, ctx.at)))
        text, label = "\n".join(lines), words("league.button.open")
    ctx.services.questions.add(number, Asked(ctx.user, ctx.at, (asked, is_open)))
    await ctx.show([text, [OpenLeague.make(label, question=number), KeepAll.to(words)]])


async def leave(ctx: Context) -> None:
    (await ctx.use_cases.leagues.load(permissions.require_guild(ctx))).member(ctx.user)
    words = await ctx.words()
    await confirm(ctx, words("league.leave.ask"), ConfirmLeaving.to(words))


async def pause(ctx: Context) -> None:
    await ctx.use_cases.leagues.pause(permissions.require_guild(ctx), ctx.user)
    words = await ctx.words()
    await ctx.reply(words("league.paused"))


async def table(
    ctx: Context,
    division: app_commands.Range[int, 1, 30] | None = None,
    season: app_commands.Range[int, 1, 999] | None = None,
) -> None:
    await ctx.show(await tables_page(ctx, season, division))


async def pin(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    guild = permissions.require_guild(ctx)
    league = await ctx.use_cases.leagues.load(guild)
    pins = not league.pins
    await ctx.use_cases.leagues.set_pins(guild, ctx.user, pins=pins)
    words = await ctx.words()
    needed = permissions.permission_names([*PINNING], words)
    lacks = league.channel == ctx.channel and permissions.missing_permissions(ctx, PINNING)
    pinning = words("league.pins.lacking" if lacks else "league.pins.on", permissions=needed)
    await ctx.reply(pinning if pins else words("league.pins.off"))


async def close(ctx: Context) -> None:
    await permissions.require_manage_server(ctx)
    await ctx.use_cases.leagues.load(permissions.require_guild(ctx))
    words = await ctx.words()
    await confirm(ctx, words("league.close.ask"), ConfirmClosing.to(words))


async def _terms(ctx: Context, server: ServerSettings, rules: str | None, size: str | None) -> Terms:
    """Returns the terms of all games: the server's or the chosen rules, at three days a move, rated as the server's
    games are. Raises Refused and RuleError."""
    terms = server_terms(server)
    if rules:
        terms = (await find_rules(ctx, rules)).put_into(terms)
    if terms.game.seats != 2:
        raise Refused(Reason.SEATS_STAY, count=2)
    game = terms.game.with_options({"size": size}) if size else terms.game
    return replace(terms, game=game, control=USUAL_CONTROL, order=Order.DRAWN, window=None, level=None)


COMMANDS = (
    Group(
        "league",
        (
            Command(open_, like="challenge", suggests={"rules": suggest_rules_of_two}, for_managers=True),
            *declare(join, leave, pause, table),
            *declare(pin, close, for_managers=True),
        ),
        on_servers=True,
    ),
)

BUTTONS: tuple[type[Component], ...] = (
    OpenLeague,
    JoinLeague,
    ChangeTerms,
    KeepTerms,
    ComeBack,
    ShowTables,
    TablePage,
    ConfirmLeaving,
    ConfirmClosing,
)
