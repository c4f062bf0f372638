"""The pages of a server in words: its leaderboards, players and ladder, as Discord shows them to all members."""

from __future__ import annotations

from play.challenge.pool import Pool
from play.ids import UserId
from play.people.career import Career, FinishedMatch, Tally, Visibility, summarize
from play.ratings.leaderboard import LINES_PER_PAGE, LeaderboardPage
from play.ratings.season import Season
from play.refusal import Reason, Refused
from presentation.leaderboards import name_season, write_line, write_notes, write_title
from presentation.match.phrases import change_text, rating_text
from presentation.terms import MAX_PLACES, rules_lines, rules_name
from presentation.words.words import Words
from use_cases.leaderboards import read_lines, read_seasons
from use_cases.profiles import MAX_GROUPS, Profile, read_profile
from use_cases.public_servers import PublicServer
from web.presentation.people import People
from web.presentation.stories import (
    Curve,
    GameLine,
    LadderStory,
    LeaderboardStory,
    LeaderLine,
    Person,
    ProfileStory,
    RatingLine,
    TallyLine,
)
from web.presentation.tournaments import TournamentPages

GAMES_PER_PAGE = 10

FIRST_POOL = Pool.parse("dots-days")
"""The leaderboard of a server on which nobody has a line."""


class Places(TournamentPages):
    """The pages of servers. Pages count from 0. All methods raise Refused (`no_page`, `discord_away`)."""

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
            found = await read_lines(reader, shown, server.id)
            seasons = await read_seasons(reader, now, pool, server.id)
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
        users = ladder.users[start : start + MAX_PLACES]
        if page and not users:
            raise Refused(Reason.NO_PAGE)
        people = await People(self._names, server.id, words).of_all(users)
        return LadderStory(
            tuple(rules_lines(ladder, words)),
            tuple(
                (place, people[user], ladder.duel_of(user) is not None)
                for place, user in enumerate(users, start=start + 1)
            ),
            len(ladder.users) > start + MAX_PLACES,
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
