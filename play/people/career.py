"""A person's finished matches, summed up: by rules, order of moves and opponent; streaks and the biggest capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from play.challenge.pool import Pool
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import Match
from rules.game import Seat

K = TypeVar("K")

MOST_SUMMED = 500
"""The latest matches that a career counts: beyond them nobody reads, and the sum has to stay quick."""


class Result(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match in a person's history, without its moves. `winners` are seats; `scores` and `captures` (the most
    dots that a seat took with one turn) are by seat. `board` is its last message; `annulled` tells whether a moderator
    did that after its end. `rated` is by how much it changed the rating of whose history this is,
    None if it did not."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    board: MessageId | None
    rules: str
    players: tuple[UserId, ...]
    winners: tuple[Seat, ...]
    reason: str
    ended: Millis
    scores: tuple[float, ...]
    captures: tuple[int, ...]
    annulled: bool = False
    rated: float | None = None

    def result(self, user: UserId) -> Result | None:
        """What it was to `user`; None if nothing was decided."""
        if not self.winners or self.annulled:
            return None
        if self.players.index(user) not in self.winners:
            return Result.LOST
        return Result.WON if len(self.winners) == 1 else Result.DRAWN


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something went which way."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @classmethod
    def of(cls, results: Iterable[Result]) -> Tally:
        counted = Counter(results)
        return cls(counted[Result.WON], counted[Result.DRAWN], counted[Result.LOST])


@dataclass(frozen=True, slots=True)
class Career:
    """`streak` is how many of the latest matches were won in a row, `longest` the most that ever were; `capture` is the
    biggest one with the match it was made in. Rules and opponents stand in the order of the matches against them."""

    all: Tally
    first: Tally
    later: Tally
    rules: tuple[tuple[str, Tally], ...]
    opponents: tuple[tuple[UserId, Tally], ...]
    streak: int
    longest: int
    capture: tuple[int, MatchId] | None


@dataclass(frozen=True, slots=True)
class Sight:
    """What of somebody's games is shown: those that were played on one server (`guild`), those in which another person
    played, too (`beside`), or all (neither)."""

    guild: GuildId | None = None
    beside: UserId | None = None

    @classmethod
    def of(cls, viewer: UserId, guild: GuildId | None, *people: UserId) -> Sight:
        """What `viewer` may see of `people`: everything of their own; of others what was played on the server where
        they ask, and outside of servers (None) what they played in themselves."""
        if viewer in people:
            return EVERYTHING
        return cls(guild=guild) if guild is not None else cls(beside=viewer)


EVERYTHING = Sight()


@dataclass(frozen=True, slots=True)
class Annulled:
    """A finished match that a moderator annulled; with `pool` and `ratings` (before and after, by player) if it was
    rated."""

    match: MatchId
    by: UserId
    at: Millis
    pool: Pool | None = None
    ratings: Mapping[UserId, tuple[float, float]] = field(default_factory=dict)


def summed(user: UserId, matches: Sequence[Finished]) -> Career:
    """The career that `matches` make, the latest first. Those in which nothing was decided do not count."""
    decided = [(match, result) for match in matches if (result := match.result(user))]
    results = [result for _, result in decided]
    rules: dict[str, list[Result]] = {}
    opponents: dict[UserId, list[Result]] = {}
    for match, result in decided:
        rules.setdefault(match.rules, []).append(result)
        for other in match.players:
            if other != user:
                opponents.setdefault(other, []).append(result)
    runs = "".join("w" if result is Result.WON else " " for result in results).split(" ")
    captures = [(match.captures[match.players.index(user)], match.id) for match, _ in decided]
    return Career(
        all=Tally.of(results),
        first=Tally.of(result for match, result in decided if match.players[0] == user),
        later=Tally.of(result for match, result in decided if match.players[0] != user),
        rules=_by_games(rules),
        opponents=_by_games(opponents),
        streak=len(runs[0]),
        longest=max(map(len, runs)),
        capture=max((capture for capture in captures if capture[0]), default=None),
    )


def _by_games(groups: dict[K, list[Result]]) -> tuple[tuple[K, Tally], ...]:
    tallies = ((key, Tally.of(results)) for key, results in groups.items())
    return tuple(sorted(tallies, key=lambda entry: -entry[1].games))


def captures(match: Match) -> tuple[int, ...]:
    """The most points that each seat won with one turn, by seat."""
    gained = list(zip(match.moves, match.gains, strict=True))
    return tuple(int(max((0, *(gain for move, gain in gained if move.seat == seat)))) for seat in match.seats)


def quitters(match: Match) -> tuple[Seat, ...]:
    """Who let a match come to nothing: by calling it off, or by not moving when it was their turn."""
    if match.outcome is None or match.outcome.reason not in ("abort", "called_off", "abandoned"):
        return ()
    return match.seats if match.outcome.reason == "abandoned" else (match.events[-1].seat,)
