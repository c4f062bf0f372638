"""What becomes of a league and of a tournament when a finished game of theirs is annulled."""

from dataclasses import replace
from enum import StrEnum

from play.competitions import rounds
from play.competitions.league import League
from play.competitions.season import enter_result
from play.competitions.tournament import Stage, Tournament
from play.ids import MatchId
from play.match.points import DRAWN


class Trace(StrEnum):
    """What an annulled game leaves behind. The values name sentences of the catalogues (`annulled.trace.<value>`)."""

    LEAGUE = "league"  # It counts as a draw.
    LEAGUE_STAYS = "league_stays"  # Its season is over.
    TOURNAMENT = "tournament"  # It counts as a draw, which a knock-out repeats.
    TOURNAMENT_STAYS = "tournament_stays"  # That is over, or a player has gone on by it.
    LADDER_STAYS = "ladder_stays"  # Others may have played for these places since.


def without_game(league: League, match: MatchId) -> League | None:
    """Returns the league with a game of its present season as a draw that was not played; None if it is of another."""
    for index, division in enumerate(league.season.divisions if league.season else ()):
        for game in division.games:
            if game.match == match and league.season is not None:
                season = enter_result(league.season, index, game, DRAWN, unplayed=True)
                return replace(league, season=season).renewed()
    return None


def without_pair(tournament: Tournament, match: MatchId) -> Tournament | None:
    """Returns the tournament with a game as a draw that was not played; None if its result stays.

    A player who has left loses it.
    """
    pair = next((each for each in tournament.pairings if each.match == match), None)
    if pair is None or tournament.stage is not Stage.RUNNING:
        return None
    if tournament.format.eliminates and pair.round < tournament.round:
        return None
    points = replace(pair, points=None).forfeit(tournament.gone).points or DRAWN
    return rounds.enter_result(tournament, pair, points, unplayed=True)
