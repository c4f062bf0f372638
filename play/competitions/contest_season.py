"""The table of a season: what the contests of a quarter have brought each server."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from play.competitions.contest import Score, Side
from play.ids import GuildId


@dataclass(frozen=True, slots=True)
class PlayedContest:
    """A contest that has ended, between two servers."""

    home: GuildId
    guest: GuildId
    score: Score

    @property
    def guilds(self) -> tuple[GuildId, GuildId]:
        return self.home, self.guest


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A server's line: contests won, drawn and lost, boards and dots."""

    guild: GuildId
    won: int = 0
    drawn: int = 0
    lost: int = 0
    boards: float = 0.0
    dots: float = 0.0
    place: int = 1

    @property
    def points(self) -> int:
        """Two for a contest won, one for a drawn one."""
        return 2 * self.won + self.drawn

    @property
    def rank(self) -> tuple[float, float, float]:
        return self.points, self.boards, self.dots


def season_table(played: Iterable[PlayedContest]) -> list[SeasonRow]:
    """Returns the servers, the best first: by points, boards, then dots. Those with all the same share a place."""
    rows: dict[GuildId, SeasonRow] = {}
    for contest in played:
        winner = contest.score.winner
        for side, guild in zip(Side, contest.guilds, strict=True):
            row = rows.get(guild, SeasonRow(guild))
            rows[guild] = SeasonRow(
                guild,
                row.won + (winner is side),
                row.drawn + (winner is None),
                row.lost + (winner is side.other),
                row.boards + contest.score.boards[side],
                row.dots + contest.score.dots[side],
            )
    ranks = sorted((row.rank for row in rows.values()), reverse=True)
    placed = [
        SeasonRow(row.guild, row.won, row.drawn, row.lost, row.boards, row.dots, ranks.index(row.rank) + 1)
        for row in rows.values()
    ]
    return sorted(placed, key=lambda row: (row.place, row.guild))


def known_servers(guild: GuildId, played: Iterable[PlayedContest], listed: Collection[GuildId]) -> set[GuildId]:
    """Returns the servers whose names a server may read: its own, those that it has played, and the `listed`, which
    want to be seen by all."""
    met = {each for contest in played if guild in contest.guilds for each in contest.guilds}
    return {guild, *met, *listed}
