"""The league of a server in words, for its pages."""

from __future__ import annotations

from play.competitions.league import League
from play.competitions.season import Season
from play.competitions.standings import Standing
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.league import MAX_NAMES, league_lines, page_title, table_rows
from presentation.people import Names
from presentation.tournaments import UNPLAYED
from presentation.words.words import Languages, Words
from renderer.crosstable import CrossLine
from storage import Database
from use_cases.public_servers import PublicServer, PublicServers
from web.presentation.people import People
from web.presentation.stories import LeagueStory, Person, StandingLine


class LeaguePages:
    """The leagues of servers. All methods raise Refused (`no_page`, `discord_away`)."""

    def __init__(self, store: Database, servers: PublicServers, languages: Languages, names: Names) -> None:
        self._store = store
        self._servers = servers
        self._languages = languages
        self._names = names

    async def league(self, server: PublicServer, number: int | None, division: int, language: str) -> LeagueStory:
        """Returns the table of a division, from 1, in a season, by default of the newest one; before the first season
        who has joined. A server without a league in a channel that every member reads has none here."""
        words = self._languages.of(language).plain
        async with self._store.read() as reader:
            league = await reader.leagues.get(server.id)
            newest = league.seasons if league else 0
            chosen = newest if number is None else number
            season = await reader.leagues.season(server.id, chosen) if chosen else None
        is_there = league is not None and not league.closed and await self._servers.is_open(server, league.channel)
        if number is not None and not (is_there and season and 1 <= division <= len(season.divisions)):
            raise Refused(Reason.NO_PAGE)
        if league is None or not is_there:
            return LeagueStory(words("web.server.league"), "", ())
        people = People(self._names, server.id, words)
        if season is None:
            members = tuple((await people.of_all(league.users[:MAX_NAMES])).values())
            begins = words("web.league.begins", date=words.date(league.begins))
            return LeagueStory(words("web.server.league"), begins, _rules(league, words), members)
        persons = await people.of_all(season.divisions[division - 1].users)
        return _table(league, season, division, persons, words)


def _table(league: League, season: Season, division: int, people: dict[UserId, Person], words: Words) -> LeagueStory:
    table = season.divisions[division - 1]
    labels, lines = table_rows(season, division - 1, {user: each.name for user, each in people.items()}, words)
    is_running = league.season is not None and league.season.number == season.number
    ends = words("web.league.ends" if is_running else "web.league.ended", date=words.date(season.ends))
    return LeagueStory(
        f"{words('web.server.league')} · {page_title(season, division - 1, words)}",
        ends,
        _rules(league, words),
        season=season.number,
        division=division,
        seasons=league.seasons,
        divisions=len(season.divisions),
        labels=tuple(labels),
        standings=tuple(_line(row, line, people) for row, line in zip(table.table, lines, strict=True)),
        note=f"{UNPLAYED} {words('tournament.unplayed')}" if any(game.unplayed for game in table.games) else "",
    )


def _line(row: Standing, line: CrossLine, people: dict[UserId, Person]) -> StandingLine:
    return StandingLine(line.place, people[row.user], line.cells, line.points, line.faint)


def _rules(league: League, words: Words) -> tuple[str, ...]:
    """Returns the rules without the title, which the page has."""
    return tuple(league_lines(league, words)[1:])
