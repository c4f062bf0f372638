"""Tournaments in SQL."""

from typing import Final

from sqlalchemy import bindparam, exists, func, or_, select

from play.competitions.tournament import (
    Attendance,
    Entrant,
    Format,
    Notice,
    NoticeKind,
    Pairing,
    Stage,
    Tournament,
    TournamentEntry,
    TournamentId,
)
from play.ids import GuildId, UserId
from play.posts import PostKind
from storage import schema
from storage.competition_rows import (
    IS_UNDECIDED,
    OF_KIND,
    Found,
    Rows,
    competition,
    entrant,
    game,
    of_one,
    points_values,
    post,
    post_values,
    read_points,
    with_competition,
)
from storage.competitions import DUE, GAMES, CompetitionReader, CompetitionRepository, select_to_update
from storage.statements import AnyRow, Values
from storage.terms import read_terms, terms_values

_outbox = schema.outbox.c

_SETTINGS: Final = (
    *("name", "made", "rounds", "pace", "round_ends", "begins", "postponed", "reminded", "computer"),
    *("check_in", "too_few"),
)
"""Fields that the document has as they are; those of the second line since decision 0286."""

_first_board = exists().where(_outbox.match == game.match, _outbox.version == 0)
_is_unseen = IS_UNDECIDED, or_(game.match.is_(None), _first_board)
_HAS_UNSEEN_GAMES = select(exists().where(of_one(schema.game), *_is_unseen).label("unseen"))

_AT_ONCE: Final = 0
"""When a round is due whose time begins once its games have their boards."""

_may_begin = ~exists().where(with_competition(schema.game), *_is_unseen)
_of_entrant = entrant.kind == competition.kind, entrant.number == competition.number
_OF_GUILD = (
    select(
        *(competition.number, competition.head, competition.ended, post.channel, post.message),
        select(func.count()).where(*_of_entrant).scalar_subquery().label("players"),
    )
    .join_from(schema.kept_post, schema.competition, with_competition(schema.kept_post))
    .where(post.guild == bindparam("guild"), post.kind == OF_KIND)
    .order_by(post.number.desc())
    .limit(bindparam("limit"))
)


class TournamentReader(CompetitionReader[TournamentId, Tournament]):
    """Tournaments, as reads see them."""

    __slots__ = ()

    kind = PostKind.TOURNAMENT.value
    selects_to_update = select_to_update(*GAMES, due=DUE.where(or_(competition.due > _AT_ONCE, _may_begin)))

    def read(self, found: Found) -> Tournament:
        row, head = found.row, found.row.head
        entrants = tuple(_read_entrant(each) for each in found.entrants)
        users = [each.user for each in entrants]
        return Tournament(
            row.number,
            row.guild,
            row.channel,
            row.host,
            format=Format(head["format"]),
            terms=read_terms(head["terms"]),
            stage=Stage(head["stage"]),
            entrants=entrants,
            pairings=tuple(_read_pair(each, users) for each in found.games),
            message=row.message,
            version=row.version,
            key=row.source,
            notices=tuple(Notice(NoticeKind(kind), version, (*what,)) for kind, version, *what in head["notices"]),
            announced=row.announced,
            wishes=tuple((users[first], users[second]) for first, second in head.get("wishes", ())),
            ended=row.ended,
            **{name: head[name] for name in _SETTINGS if name in head},
        )

    async def of_guild(self, guild: GuildId, limit: int) -> list[TournamentEntry]:
        """Returns the tournaments of a server, the newest first."""
        rows = await self._sql.all(_OF_GUILD, of_kind=self.kind, guild=guild, limit=limit)
        return [_read_entry(row) for row in rows]

    async def has_unseen_games(self, tournament: TournamentId) -> bool:
        """Returns whether an undecided pair of the present round waits for its match, or for its first board."""
        return bool(await self._sql.value(_HAS_UNSEEN_GAMES, of_kind=self.kind, of_number=tournament))


class TournamentRepository(TournamentReader, CompetitionRepository[TournamentId, Tournament]):
    """Tournaments, as a transaction writes them."""

    __slots__ = ()

    def write(self, value: Tournament) -> Rows:
        places = {each.user: place for place, each in enumerate(value.entrants)}
        head = {name: getattr(value, name) for name in _SETTINGS} | {
            "format": value.format,
            "stage": value.stage,
            "terms": terms_values(value.terms),
            "notices": [(notice.kind, notice.version, *notice.what) for notice in value.pending_notices],
            "wishes": [(places[first], places[second]) for first, second in value.wishes],
        }
        due = _AT_ONCE if value.awaits_boards else value.due
        row = {"version": value.version, "head": head, "open": value.is_open, "due": due, "source": value.key}
        return Rows(
            row | {"ended": value.ended},
            [post_values(value.guild, value.channel, value.host, value.version)],
            [_entrant_values(each) for each in value.entrants],
            [_pair_values(pairing, places) for pairing in value.pairings],
        )


def _read_entry(row: AnyRow) -> TournamentEntry:
    head = row.head
    kinds = Format(head["format"]), Stage(head["stage"])
    return TournamentEntry(
        row.number, row.channel, head["name"], *kinds, head["made"], row.players, row.message, row.ended
    )


def _entrant_values(entrant: Entrant) -> Values:
    late = {"since": entrant.joined_in_round, "presence": entrant.attendance}
    return {"user": entrant.user, "rating": entrant.rating, "left": entrant.left_in_round, **late}


def _read_entrant(row: AnyRow) -> Entrant:
    attendance = None if row.presence is None else Attendance(row.presence)
    return Entrant(row.user, row.rating, row.left, row.since, attendance)


def _pair_values(pairing: Pairing, places: dict[UserId, int]) -> Values:
    return {
        "round": pairing.round,
        "first": places[pairing.first],
        "second": None if pairing.second is None else places[pairing.second],
        "match": pairing.match,
        **points_values(pairing.points),
        "tries": pairing.replays,
        "unplayed": pairing.unplayed,
    }


def _read_pair(row: AnyRow, users: list[UserId]) -> Pairing:
    second = None if row.second is None else users[row.second]
    return Pairing(row.round, users[row.first], second, row.match, read_points(row), row.tries, row.unplayed)
