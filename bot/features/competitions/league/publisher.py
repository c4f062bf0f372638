"""Publishes leagues: the message with the table, the calls of games, and what is told of seasons."""

from __future__ import annotations

import logging

import discord

from bot.features.competitions.league.tables import JoinLeague, ShowTables
from bot.features.competitions.publisher import Announcement, CompetitionPublisher
from bot.interactions.buttons import row
from bot.interactions.page_links import links_of
from bot.services.discord_errors import describe, is_final
from bot.services.guild_directory import GuildDirectory
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.server_posts import Picture, Post, ServerPosts
from bot.services.web_links import WebLinks
from play.competitions.league import MIN_PLAYERS, League, LeagueNotice, NoticeKind
from play.competitions.season import LeagueGame, Season
from play.ids import MessageId
from play.people.settings import ServerSettings
from presentation.league import (
    MAX_NAMES,
    leader_lines,
    leaders,
    league_lines,
    movement_lines,
    page_title,
    table_lines,
    table_rows,
)
from presentation.markup import Stamp
from presentation.words.words import Words
from renderer.crosstable import crosstable
from storage import Database
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)


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
        lines, picture = [await self._headline(league, notice, season, words)], None
        if notice.kind is NoticeKind.ENDED and season is not None:
            names = await self._escaped(season.users, league.guild)
            lines += movement_lines(season, names, words)
            picture = await self._draw(await self._server(league.guild), season, words)
        for part, text in enumerate(Announcement(lines).messages):
            nonce = f"lg:{notice.kind[:2]}{notice.version:x}:{part}:{league.channel % 10**8:x}"
            post = Post(text, picture=picture if part == 0 else None)
            await self._posts.post(league.guild, league.channel, nonce, post)

    async def _headline(self, league: League, notice: LeagueNotice, season: Season | None, words: Words) -> str:
        if season is None:
            return words("league.told.waiting", count=MIN_PLAYERS, when=words.until(league.begins))
        if notice.kind is NoticeKind.BEGUN:
            count = len(season.users)
            ends = words.moment(season.ends, Stamp.FULL)
            return words("league.told.begun", season=season.number, count=count, at=ends)
        [best] = (await self._escaped([leaders(season)[0]], league.guild)).values()
        return words("league.told.ended", season=season.number, name=best)

    async def _text(self, league: League, words: Words) -> str:
        """Returns the text of the message, with the table of the first division in words."""
        lines = league_lines(league, words)
        if league.closed:
            return "\n".join((lines[0], words("league.over")))
        season = league.season
        if season is None:
            lines.append(words("league.begins", **words.appointment(league.begins)))
            shown = league.users[:MAX_NAMES]
            names = ", ".join((await self._escaped(shown, league.guild)).values())
            more = "" if len(league.users) == len(shown) else " …"
            joined = words("league.members", count=len(league.users), names=names + more)
            return "\n".join((*lines, joined if shown else words("league.empty")))
        lines.append(words("league.ends", season=season.number, **words.appointment(season.ends)))
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
