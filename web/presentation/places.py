"""The pages of a server in words, as all its members see them in the chat: leaderboards, players, ladder, league,
tournaments."""

from collections.abc import Sequence

from play.challenge.pool import Pool
from play.competitions.league import League
from play.competitions.season import Season as LeagueSeason
from play.competitions.standings import Standing
from play.competitions.tournament import Pairing, Stage, Tournament, TournamentId
from play.ids import Millis, UserId
from play.people.career import Career, FinishedMatch, Tally, Visibility, summarize
from play.ratings.leaderboard import LINES_PER_PAGE, Leader, LeaderboardPage, Scorer, Season
from play.refusal import Reason, Refused
from presentation.leaderboards import name_season, write_line, write_notes, write_title
from presentation.league import MAX_NAMES, league_lines, page_title, table_rows
from presentation.match.phrases import change_text, rating_text
from presentation.people import Names, read_members
from presentation.terms import MAX_PLACES, rules_lines, rules_name
from presentation.text import plain_name
from presentation.tournaments import (
    MAX_NAME,
    UNPLAYED,
    bracket_sections,
    crosstable_lines,
    end_label,
    place_text,
    result_note,
    round_label,
    standing_text,
    terms_lines,
    unplayed_note,
)
from presentation.words.words import Languages, Words
from renderer.crosstable import Cell, CrossLine
from storage import Database
from use_cases.profiles import MAX_GROUPS, Profile, read_lines, read_profile, read_seasons
from use_cases.public_pages import PublicServer, PublicServers
from web.presentation.stories import (
    Curve,
    GameLine,
    LadderStory,
    LeaderboardStory,
    LeaderLine,
    LeagueStory,
    PairLine,
    People,
    Person,
    ProfileStory,
    RatingLine,
    StandingLine,
    TallyLine,
    TournamentLine,
    TournamentStory,
)

TOURNAMENTS_PER_PAGE = 20

Members = dict[UserId, Person]

GAMES_PER_PAGE = 10

FIRST_POOL = Pool.parse("dots-days")
"""The leaderboard of a server on which nobody has a line."""


class LeaguePages:
    """The leagues of servers. All methods raise Refused (`no_page`, `chat_away`)."""

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
            now, newest = await reader.clock.now(), league.seasons if league else 0
            chosen = newest if number is None else number
            season = await reader.leagues.season(server.id, chosen) if chosen else None
            move_time = await reader.matches.move_time(server.id, league.terms.control) if league else Millis(0)
        is_there = league is not None and not league.closed and await self._servers.is_open(server, league.channel)
        if number is not None and not (is_there and season and 1 <= division <= len(season.divisions)):
            raise Refused(Reason.NO_PAGE)
        if league is None or not is_there:
            return LeagueStory(words("web.server.league"), "", ())
        people, rules = People(self._names, server.id, words), tuple(league_lines(league, move_time, words, now)[1:])
        if season is None:
            members = tuple((await people.of_all(league.users[:MAX_NAMES])).values())
            begins = words("web.league.begins", date=words.date(league.begins))
            return LeagueStory(words("web.server.league"), begins, rules, members)
        persons = await people.of_all(season.divisions[division - 1].users)
        return _table(league, season, division, rules, persons, words)


def _table(
    league: League,
    season: LeagueSeason,
    division: int,
    rules: tuple[str, ...],
    people: dict[UserId, Person],
    words: Words,
) -> LeagueStory:
    table = season.divisions[division - 1]
    labels, lines = table_rows(season, division - 1, {user: each.name for user, each in people.items()}, words)
    is_running = league.season is not None and league.season.number == season.number
    ends = words("web.league.ends" if is_running else "web.league.ended", date=words.date(season.ends))
    return LeagueStory(
        f"{words('web.server.league')} · {page_title(season, division - 1, words)}",
        ends,
        rules,
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


class TournamentPages:
    """The tournaments of servers. Pages count from 0. All methods raise Refused (`no_page`, `chat_away`)."""

    def __init__(self, store: Database, servers: PublicServers, languages: Languages, names: Names) -> None:
        self._store = store
        self._servers = servers
        self._languages = languages
        self._names = names

    async def tournaments(self, server: PublicServer, page: int, language: str) -> tuple[list[TournamentLine], bool]:
        """Returns a page of the tournaments, the newest first, and whether there are more."""
        words = self._languages.of(language).plain
        start = page * TOURNAMENTS_PER_PAGE
        found = (await self._servers.tournaments(server))[start:]
        if page and not found:
            raise Refused(Reason.NO_PAGE)
        lines = [
            TournamentLine(
                each.id,
                plain_name(each.name, MAX_NAME),
                words(f"tournament.format.{each.format}"),
                words(f"web.tournament.{each.stage}"),
                each.players,
                words.date(each.made),
            )
            for each in found[:TOURNAMENTS_PER_PAGE]
        ]
        return lines, len(found) > TOURNAMENTS_PER_PAGE

    async def tournament(self, server: PublicServer, number: TournamentId, language: str) -> TournamentStory:
        """Returns a tournament."""
        words = self._languages.of(language).plain
        async with self._store.read() as reader:
            found = await reader.tournaments.get(number)
        if found is None or found.guild != server.id or not await self._servers.is_open(server, found.channel):
            raise Refused(Reason.NO_PAGE)
        people = await People(self._names, server.id, words).of_all(found.users)
        names = {user: person.name for user, person in people.items()}
        labels, standings = _standings(found, people, words)
        is_bracket = found.format.eliminates and bool(found.pairings)
        sections = bracket_sections(found, names, words) if is_bracket else ()
        return TournamentStory(
            plain_name(found.name, MAX_NAME),
            _stage_text(found, words),
            tuple(terms_lines(found, words)),
            () if found.pairings else tuple(people.values()),
            labels,
            standings,
            "" if is_bracket else unplayed_note(found, words),
            tuple(sections),
            tuple(
                (
                    round_label(found, number, words),
                    tuple(_pair_line(pair, people, words) for pair in found.pairings if pair.round == number),
                )
                for number in range(found.round, 0, -1)
            ),
        )


def _standings(
    tournament: Tournament, people: Members, words: Words
) -> tuple[tuple[str, ...], tuple[StandingLine, ...]]:
    """Returns the labels of the crosstable's columns, and its lines; a knock-out has no columns."""
    if not tournament.pairings:
        return (), ()
    labels = list[str]()
    lines: list[tuple[Cell, ...]] = [()] * len(tournament.table)
    if not tournament.format.eliminates:
        names = {user: person.name for user, person in people.items()}
        labels, table = crosstable_lines(tournament, names, words)
        lines = [line.cells for line in table]
    return tuple(labels), tuple(
        StandingLine(
            place_text(row) if tournament.has_results else "",
            people[row.user],
            cells,
            standing_text(tournament, row, words),
            row.user not in tournament.playing,
        )
        for row, cells in zip(tournament.table, lines, strict=True)
    )


def _stage_text(tournament: Tournament, words: Words) -> str:
    if tournament.stage is Stage.RUNNING:
        return round_label(tournament, tournament.round, words)
    if tournament.stage is Stage.ENDED:
        return end_label(tournament, words)
    if tournament.too_few:
        return words("tournament.too_few")
    return words(f"web.tournament.{tournament.stage}")


def _pair_line(pair: Pairing, people: Members, words: Words) -> PairLine:
    other = Person(words("tournament.free.label" if pair.is_bye else "tournament.computer"))
    second = people[pair.second] if pair.second is not None else other
    if pair.points is None or pair.is_bye:
        return PairLine(people[pair.first], second, "", None)
    points = pair.points if pair.second else (pair.points[0], 1 - pair.points[0])
    is_there = pair.first >= 0 and (pair.second or 0) >= 0  # games of deleted players have no page
    result = " : ".join(map(words.number, points)) + result_note(pair, words)
    return PairLine(people[pair.first], second, result, pair.match if is_there else None)


class Places(TournamentPages):
    """The pages of servers. Pages count from 0. All methods raise Refused (`no_page`, `chat_away`)."""

    async def leaderboard(
        self, server: PublicServer, pool: Pool | None, season: Season | None, page: int, language: str
    ) -> LeaderboardStory:
        """Returns a page of a leaderboard; without a pool, of that with the most players."""
        words = self._languages.of(language).plain
        async with self._store.read() as reader:
            now = await reader.clock.now()
            if pool is None:
                pool, is_rated = await reader.homes.main_pool(server.id, str(Season.at(now))) or (FIRST_POOL, True)
                season = None if is_rated else Season.at(now)
            shown = LeaderboardPage(pool, season=season, start=page * LINES_PER_PAGE)
            seasons = await read_seasons(reader, now, pool, server.id)

        async def read() -> Sequence[Leader | Scorer]:
            async with self._store.read() as reader:
                return await read_lines(reader, shown, server.id)

        found = await read_members(read, self._names, server.id)
        if page and not found:
            raise Refused(Reason.NO_PAGE)
        leaders, people = found[:LINES_PER_PAGE], People(self._names, server.id, words)
        lines = []
        for number, each in enumerate(leaders, start=shown.start + 1):
            person = await people.of(each.user)
            line = write_line(each, person.name, number, now, words)
            lines.append(LeaderLine(line.place, person, line.value, each.games, line.faint))
        return LeaderboardStory(
            write_title(shown, words),
            pool,
            season,
            tuple(lines),
            len(found) > LINES_PER_PAGE,
            tuple(write_notes(shown, leaders, now, words)),
            tuple((name_season(each, Season.at(now), words), each) for each in seasons),
        )

    async def player(
        self, server: PublicServer, user: UserId, pool: Pool | None, page: int, language: str
    ) -> ProfileStory:
        """Returns a profile, with the curve of `pool` or of the most played one."""
        words = self._languages.of(language).plain
        people = People(self._names, server.id, words)
        person = await people.require(user)
        async with self._store.read() as reader:
            profile = await read_profile(reader, user, server.id, Visibility(guild=server.id), pool)
        matches = await self._servers.keep_open(server, profile.matches)
        games = matches[page * GAMES_PER_PAGE : (page + 1) * GAMES_PER_PAGE + 1]
        if not (matches or profile.ratings) or (page and not games) or pool not in (None, profile.pool):
            raise Refused(Reason.NO_PAGE)
        career, more = summarize(user, matches), len(games) > GAMES_PER_PAGE
        shown = await self._servers.keep_shown(server, games[:GAMES_PER_PAGE])
        return ProfileStory(
            person.name,
            tuple(_rating_line(profile, each) for each in profile.ratings),
            _curve(profile, person.name, words),
            await _tallies(career, people, words),
            words("profile.streak", streak=career.streak, longest=career.longest),
            career.capture and (words("profile.capture", count=career.capture[0], url=""), career.capture[1]),
            tuple([await _game_line(match, user, people, words) for match in shown]),
            more,
        )

    async def ladder(self, server: PublicServer, page: int, language: str) -> LadderStory:
        """Returns a page of the ladder."""
        words = self._languages.of(language).plain
        async with self._store.read() as reader:
            ladder = await reader.ladders.get(server.id)
        if ladder is None or not await self._servers.is_open(server, ladder.channel):
            if page:
                raise Refused(Reason.NO_PAGE)
            return LadderStory((), (), more=False)
        start = page * MAX_PLACES
        users = ladder.present[start : start + MAX_PLACES]
        if page and not users:
            raise Refused(Reason.NO_PAGE)
        people = await People(self._names, server.id, words).of_all(users)
        return LadderStory(
            tuple(rules_lines(ladder, words)),
            tuple(
                (place, people[user], ladder.duel_of(user) is not None)
                for place, user in enumerate(users, start=start + 1)
            ),
            len(ladder.present) > start + MAX_PLACES,
        )


def _rating_line(profile: Profile, pool: Pool) -> RatingLine:
    leader, listed = profile.ratings[pool], profile.places.get(pool)
    return RatingLine(
        pool, rating_text(leader.rating.at_time(profile.now)), leader.games, listed.place if listed else None
    )


def _curve(profile: Profile, name: str, words: Words) -> Curve | None:
    if profile.pool is None:
        return None
    after = [(change.after.value, change.after.deviation) for change in profile.history]
    first, last = profile.history[0], profile.history[-1]
    rating = rating_text(last.after)
    return Curve(
        profile.pool,
        words("profile.curve", name=name, pool=words(f"pool.{profile.pool}"), rating=rating),
        tuple((value - deviation, value, value + deviation) for value, deviation in after),
        words.date(first.at),
        words.date(last.at),
    )


async def _tallies(career: Career, people: People, words: Words) -> tuple[TallyLine, ...]:
    def line(what: Person, tally: Tally) -> TallyLine:
        return TallyLine(what, tally.won, tally.drawn, tally.lost)

    if not career.all.games:
        return ()
    lines = [
        line(Person(words("web.server.all")), career.all),
        line(Person(words("web.server.first")), career.first),
        line(Person(words("web.server.later")), career.later),
    ]
    lines += [line(Person(words(f"preset.{key}.name")), tally) for key, tally in career.rules[:MAX_GROUPS]]
    for opponent, tally in career.opponents[:MAX_GROUPS]:
        person = await people.of(opponent)
        lines.append(line(Person(words("web.server.against", name=person.name), person.user), tally))
    return tuple(lines)


async def _game_line(match: FinishedMatch, user: UserId, people: People, words: Words) -> GameLine:
    own = match.players.index(user)
    points = [match.scores[own], *(score for seat, score in enumerate(match.scores) if seat != own)]
    result = "annulled" if match.annulled else match.result(user) or "undecided"
    return GameLine(
        match.id,
        words(f"web.result.{result}"),
        tuple([await people.of(player) for player in match.players if player != user]),
        " : ".join(map(words.number, points)),
        "" if match.rated is None else change_text(*match.rated),
        rules_name(match.rules, match.rule_set, words),
        words.date(match.ended),
    )
