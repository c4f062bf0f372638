"""What was made of a finished match, and how it is taken back when a moderator annuls that."""

from play.competitions.annulment import Trace, without_game, without_pair
from play.match.match import Match
from storage.unit_of_work import Reader, Transaction


async def load_traces(reader: Reader, match: Match) -> list[Trace]:
    """Returns what a finished match leaves behind where it counted, once it is annulled."""
    found = []
    if (league := await reader.leagues.of_match(match.id, match.players)) is not None:
        found.append(Trace.LEAGUE if without_game(league, match.id) else Trace.LEAGUE_STAYS)
    if (tournament := await reader.tournaments.of_match(match.id, match.players)) is not None:
        found.append(Trace.TOURNAMENT if without_pair(tournament, match.id) else Trace.TOURNAMENT_STAYS)
    if await _was_duel(reader, match):
        found.append(Trace.LADDER_STAYS)
    return found


async def take_back(tx: Transaction, match: Match) -> None:
    """Takes a finished match out of running competitions and of predictions."""
    await tx.predictions.remove_all(match.id)
    league = await tx.leagues.of_match(match.id, match.players)
    if league is not None and (counted := without_game(league, match.id)):
        await tx.leagues.save(counted, league)
    tournament = await tx.tournaments.of_match(match.id, match.players)
    if tournament is not None:  # one that is over says that a game of it was annulled
        await tx.tournaments.save(without_pair(tournament, match.id) or tournament, tournament)


async def _was_duel(reader: Reader, match: Match) -> bool:
    """Returns whether a match on the ladder's terms, of two of its players, was for their places, as far as is known:
    a ladder keeps only duels that are not decided."""
    challenge = await reader.challenges.of_match(match.id)
    ladder = None if challenge is None or challenge.guild is None else await reader.ladders.get(challenge.guild)
    if challenge is None or ladder is None or any(duel.challenge == challenge.id for duel in ladder.duels):
        return False
    return ladder.terms.game == challenge.terms.game and {*match.players} <= {*ladder.users}
