"""Happenings: what begins on a server at a known time, as its events in the chat announce it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from play.competitions.contest import Contest
from play.competitions.contest import Stage as ContestStage
from play.competitions.league import League
from play.competitions.tournament import Stage, Tournament
from play.ids import DAY, MINUTE, ChannelId, GuildId, Millis
from play.match.match import Match

EventId = NewType("EventId", int)
"""The id of a scheduled event in the chat."""

MAX_SHOWN_MILLIS = DAY
"""For so long after its beginning a happening is shown as going on: the chat pins such an event above the channels of a
server, which for the weeks of a tournament would be noise."""

MIN_AHEAD_MILLIS = MINUTE
"""An event begins so much later than it is made, at least: the chat takes no beginning in the past."""


class HappeningKind(StrEnum):
    """What can begin. The key of a happening is unique in its kind and server."""

    TOURNAMENT = "tournament"
    ROUND = "round"  # of a league
    VOTE = "vote"  # a vote game
    TEAM = "team"  # a match against another server


class Phase(StrEnum):
    AHEAD = "ahead"
    LIVE = "live"  # It has begun, perhaps before its time.
    OVER = "over"
    CANCELLED = "cancelled"


CLOSED = frozenset({Phase.OVER, Phase.CANCELLED})


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that begins on a server.

    `name` is as its makers typed it; `number` counts the round of a league, or is that of a vote game. Empty and 0 have
    no meaning.
    It happens in `channel`. `ends` is known to few kinds.
    """

    kind: HappeningKind
    key: int
    guild: GuildId
    channel: ChannelId
    name: str
    begins: Millis
    ends: Millis | None = None
    number: int = 0
    phase: Phase = Phase.AHEAD

    @property
    def mark(self) -> str:
        """The text by which its event is found in the chat, which has no key against making an event twice."""
        return f"{self.kind}-{self.key}"

    @property
    def closes(self) -> Millis:
        """When its event ends by itself."""
        last = Millis(self.begins + MAX_SHOWN_MILLIS)
        return last if self.ends is None else min(last, max(self.ends, Millis(self.begins + MIN_AHEAD_MILLIS)))


def replan(before: Happening | None, planned: Happening, now: Millis) -> Happening | None:
    """Returns what is to be stored of a happening that was stored as `before`; None if there is nothing to announce.

    One that begins before its time begins now. One that is over stays over.
    """
    if before is not None and before.phase in CLOSED:
        return before
    if planned.phase in CLOSED:
        return before and replace(before, phase=planned.phase)
    if planned.phase is Phase.AHEAD:
        return planned
    begun = planned.begins if before is None else before.begins
    return replace(planned, begins=min(begun, now))


PHASES = {
    Stage.SIGN_UP: Phase.AHEAD,
    Stage.RUNNING: Phase.LIVE,
    Stage.ENDED: Phase.OVER,
    Stage.CANCELLED: Phase.CANCELLED,
}


def tournament_happening(tournament: Tournament) -> Happening | None:
    """Returns the beginning of a tournament; None if its host begins it by hand, so that nobody knows when."""
    if tournament.begins is None:
        return None
    place = tournament.guild, tournament.channel
    phase = PHASES[tournament.stage]
    return Happening(HappeningKind.TOURNAMENT, tournament.id, *place, tournament.name, tournament.begins, phase=phase)


CONTEST_PHASES = {
    ContestStage.SIGN_UP: Phase.AHEAD,
    ContestStage.RUNNING: Phase.LIVE,
    ContestStage.ENDED: Phase.OVER,
    ContestStage.CANCELLED: Phase.CANCELLED,
}


def contest_happenings(contest: Contest) -> Iterator[Happening]:
    """Yields the beginning of a contest on each of its servers, without the name of the other one."""
    if contest.stage in CONTEST_PHASES and contest.closes is not None:
        for side in contest.sides:
            team, phase = contest.team(side), CONTEST_PHASES[contest.stage]
            if not team.gone:
                place = team.guild, team.channel
                yield Happening(HappeningKind.TEAM, contest.id, *place, "", contest.closes, phase=phase)


def vote_happening(match: Match) -> Happening:
    """Returns a vote game of one server: it begins when it is made, and nobody knows when it ends."""
    assert match.guild is not None, "a side belongs to a server"
    place, phase = (match.guild, match.parent or match.channel), Phase.OVER if match.outcome else Phase.LIVE
    return Happening(HappeningKind.VOTE, match.id, *place, "", match.started, number=match.id, phase=phase)


def season_happenings(league: League) -> list[Happening]:
    """Returns the beginnings of the present season of a league, and of the next one."""
    place, next_phase = (league.guild, league.channel), Phase.CANCELLED if league.closed else Phase.AHEAD
    number = league.seasons + 1
    coming = Happening(HappeningKind.ROUND, number, *place, "", league.begins, number=number, phase=next_phase)
    if league.season is None:
        return [coming]
    present, begins = league.season.number, league.season.begins
    return [Happening(HappeningKind.ROUND, present, *place, "", begins, number=present, phase=Phase.LIVE), coming]


@dataclass(frozen=True, slots=True)
class StoredHappening:
    """A happening as the store keeps it.

    `version` counts its changes, and `event` shows the version `shown`. `tries` counts the attempts to bring the event
    up to date, each of which owns the row for some time. A manager has `removed` the event in the chat. The server's
    managers have `chosen` to have events.
    """

    id: int
    happening: Happening
    version: int
    event: EventId | None
    shown: int
    tries: int
    removed: bool
    chosen: bool


class Action(StrEnum):
    """What the event of a happening needs."""

    NONE = "none"
    MAKE = "make"
    EDIT = "edit"
    END = "end"
    DELETE = "delete"


def next_action(stored: StoredHappening, now: Millis) -> Action:
    """Returns what to ask of the chat, if anything. An event whose time is over has ended by itself."""
    happening = stored.happening
    if stored.event is None:
        soon = now + MIN_AHEAD_MILLIS < happening.closes
        wanted = stored.chosen and not stored.removed and happening.phase not in CLOSED and soon
        return Action.MAKE if wanted else Action.NONE
    if not stored.chosen:
        return Action.DELETE if now < happening.closes else Action.NONE
    if stored.shown == stored.version or happening.closes <= now:
        return Action.NONE
    return Action.END if happening.phase in CLOSED else Action.EDIT
