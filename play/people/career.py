"""A player's finished matches, and their summary by rules, order of moves and opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from play.challenge.pool import Pool
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import AwayPlace, Match
from rules.game import Seat

K = TypeVar("K")

MAX_SUMMARIZED_MATCHES = 500
"""The latest matches that a career counts. Few readers want more, and the summary has to stay fast."""


class Result(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match in a player's history, without its moves.

    `winners` are seats. `scores` and `captures` (the most dots that a seat captured with one turn) are by seat. `board`
    is the match's last message. `annulled` says whether a moderator annulled it after its end. `rated` has the
    player's rating before and after it, None for an unrated match. `rule_set` is the name of the own rule set that it
    was played by. `parent` is the channel of its thread, if it had one. `away` is the other place of a match of two
    servers.
    """

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
    rated: tuple[float, float] | None = None
    rule_set: str | None = None
    parent: ChannelId | None = None
    away: AwayPlace | None = None

    def result(self, user: UserId) -> Result | None:
        """Returns the result for `user`. None if nothing was decided."""
        if not self.winners or self.annulled:
            return None
        if self.players.index(user) not in self.winners:
            return Result.LOST
        return Result.WON if len(self.winners) == 1 else Result.DRAWN


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of wins, draws and losses."""

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
    """The summary of a player's matches.

    `first` and `later` count the matches in which the player moved first or later. `streak` is how many of the latest
    matches were won in a row, `longest` the longest such run. `capture` is the biggest capture, with its match. `rules`
    and `opponents` are sorted by the number of matches, the most first.
    """

    all: Tally
    first: Tally
    later: Tally
    rules: tuple[tuple[str, Tally], ...]
    opponents: tuple[tuple[UserId, Tally], ...]
    streak: int
    longest: int
    capture: tuple[int, MatchId] | None


@dataclass(frozen=True, slots=True)
class Visibility:
    """The part of a player's matches that another may see: those on one server (`guild`), those in which a certain
    user played as well (`beside`), or all (neither)."""

    guild: GuildId | None = None
    beside: UserId | None = None

    @classmethod
    def of(cls, viewer: UserId, guild: GuildId | None, *people: UserId) -> Visibility:
        """Returns what `viewer` may see of the matches of `people`.

        They see all of their own. Of others they see what was played on the `guild` where they ask, and outside of
        servers (None) the matches in which they played themselves.
        """
        if viewer in people:
            return EVERYTHING
        return cls(guild=guild) if guild is not None else cls(beside=viewer)


EVERYTHING = Visibility()


@dataclass(frozen=True, slots=True)
class Annulment:
    """A finished match that a moderator annulled. For a rated one with `pool` and `ratings` (before and after, by
    player)."""

    match: MatchId
    by: UserId
    at: Millis
    pool: Pool | None = None
    ratings: Mapping[UserId, tuple[float, float]] = field(default_factory=dict)


def summarize(user: UserId, matches: Sequence[FinishedMatch]) -> Career:
    """Returns the summary of `matches` of `user`, the latest first. Undecided matches do not count."""
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


def biggest_captures(match: Match) -> tuple[int, ...]:
    """Returns the most points that each seat won with one turn."""
    gained = list(zip(match.moves, match.gains, strict=True))
    return tuple(int(max((0, *(gain for move, gain in gained if move.seat == seat)))) for seat in match.seats)


def quitters(match: Match) -> tuple[Seat, ...]:
    """Returns the seats that abandoned a match, by calling it off or by not moving in their turn."""
    if match.outcome is None or match.outcome.reason not in ("abort", "called_off", "abandoned"):
        return ()
    return match.seats if match.outcome.reason == "abandoned" else (match.events[-1].seat,)
