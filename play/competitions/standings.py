"""Standings of a tournament, with their tie-breaks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from play.ids import UserId


@dataclass(frozen=True, slots=True)
class Score:
    """A finished game of two players, or (without `second`) a free round of `first`. Both may have lost.

    `unplayed` is a game that was decided without being played.
    """

    first: UserId
    second: UserId | None
    points: tuple[float, float]
    unplayed: bool = False

    @property
    def sides(self) -> tuple[tuple[UserId, UserId | None, float], ...]:
        """Each player with their opponent and their points."""
        if self.second is None:
            return ((self.first, None, self.points[0]),)
        return (self.first, self.second, self.points[0]), (self.second, self.first, self.points[1])


class TieBreak(StrEnum):
    """What ranks players of equal points.

    `BUCHHOLZ` is the sum of the points of all opponents. `SONNEBORN_BERGER` is that of the opponents whom the player
    beat, and half of that of those with whom they drew. `WINS` counts won games. None counts free rounds and games that
    were not played: those who never moved stand behind those who won as many points at the board.
    """

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the standings. `place` counts from 1; players who tie in everything share it.

    `broken_by` has the tie-breaks that separate the player from others of equal points, with the player's values.
    """

    place: int
    user: UserId
    points: float
    shared: bool = False
    broken_by: tuple[tuple[TieBreak, float], ...] = ()


def standings(
    players: Sequence[UserId],
    scores: Sequence[Score],
    tie_breaks: Sequence[TieBreak] = (),
    gone: Collection[UserId] = (),
    given: Mapping[UserId, float] = {},
) -> list[Standing]:
    """Returns the standings, the best first; those who have `gone` stand last, whatever they won before. Points that
    are `given` for rounds that a player has missed count in no tie-break.

    Ties are broken by the first of `tie_breaks`, then by the next one. Players who still tie share a place, in the
    order of `players`.
    """
    points = dict.fromkeys(players, 0.0)
    for user, _, gained in (side for score in scores for side in score.sides):
        points[user] += gained
    wins, buchholz, berger = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0), dict.fromkeys(players, 0.0)
    for user, opponent, gained in (side for score in scores if not score.unplayed for side in score.sides):
        if opponent is not None:
            wins[user] += gained == 1
            buchholz[user] += points[opponent]
            berger[user] += points[opponent] * gained

    totals = {user: points[user] + given.get(user, 0) for user in players}
    values: dict[TieBreak, Mapping[UserId, float]] = {
        TieBreak.BUCHHOLZ: buchholz,
        TieBreak.SONNEBORN_BERGER: berger,
        TieBreak.WINS: wins,
    }
    merits = {user: (user not in gone, totals[user], *(values[each][user] for each in tie_breaks)) for user in players}
    order = sorted(players, key=merits.__getitem__, reverse=True)
    ranked = [merits[user] for user in order]
    return [
        Standing(
            place=ranked.index(merits[user]) + 1,
            user=user,
            points=totals[user],
            shared=ranked.count(merits[user]) > 1,
            broken_by=_deciding(merits[user], ranked, tie_breaks),
        )
        for user in order
    ]


def _deciding(
    own: tuple[float, ...], merits: Sequence[tuple[float, ...]], tie_breaks: Sequence[TieBreak]
) -> tuple[tuple[TieBreak, float], ...]:
    """Returns the tie-breaks, with a player's values, in which others differ who equal the player in all before."""
    return tuple(
        (tie_break, own[number])
        for number, tie_break in enumerate(tie_breaks, start=2)
        if len({merit[number] for merit in merits if merit[:number] == own[:number]}) > 1
    )
