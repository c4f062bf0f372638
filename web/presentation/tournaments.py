"""The tournaments of a server in words, for their pages."""

from __future__ import annotations

from play.competitions.tournament import Pairing, Stage, Tournament, TournamentId
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.people import Names
from presentation.text import plain_name
from presentation.tournaments import (
    MAX_NAME,
    bracket_sections,
    crosstable_lines,
    place_text,
    points_text,
    round_label,
    terms_lines,
    unplayed_note,
)
from presentation.words.words import Languages, Words
from renderer.crosstable import Cell
from storage import Database
from use_cases.public_servers import PublicServer, PublicServers
from web.presentation.people import People
from web.presentation.stories import PairLine, Person, StandingLine, TournamentLine, TournamentStory

TOURNAMENTS_PER_PAGE = 20

Members = dict[UserId, Person]


class TournamentPages:
    """The tournaments of servers. Pages count from 0. All methods raise Refused (`no_page`, `discord_away`)."""

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
            place_text(row), people[row.user], cells, points_text(row, words), row.user not in tournament.playing
        )
        for row, cells in zip(tournament.table, lines, strict=True)
    )


def _stage_text(tournament: Tournament, words: Words) -> str:
    if tournament.stage is Stage.RUNNING:
        return round_label(tournament, tournament.round, words)
    if tournament.stage is Stage.ENDED:
        return words("tournament.over", round=tournament.round)
    return words(f"web.tournament.{tournament.stage}")


def _pair_line(pair: Pairing, people: Members, words: Words) -> PairLine:
    other = Person(words("tournament.free.label" if pair.is_bye else "tournament.computer"))
    second = people[pair.second] if pair.second is not None else other
    if pair.points is None or pair.is_bye:
        return PairLine(people[pair.first], second, "", None)
    points = pair.points if pair.second else (pair.points[0], 1 - pair.points[0])
    is_there = pair.first >= 0 and (pair.second or 0) >= 0  # games of deleted players have no page
    result = " : ".join(map(words.number, points))
    if pair.unplayed:
        result += f" ({words('tournament.unplayed')})"
    return PairLine(people[pair.first], second, result, pair.match if is_there else None)
