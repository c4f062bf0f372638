"""Limits of what may go on at once: matches and challenges of a user, rated and abandoned ones, and one live game at
a time."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from play.challenge import challenge as challenges
from play.challenge.challenge import Challenge
from play.clock import Speed
from play.ids import DAY, HOUR, GuildId, Millis, UserId, is_person
from play.match.match import Match
from play.refusal import Reason, Refused
from storage.careers import CareerReader
from storage.unit_of_work import Reader, Transaction

MAX_OPEN_OF_PLAYER = 10
"""Open challenges of one user. Each is a message, and may wait for seven days."""

MAX_OPEN_IN_CHANNEL = 25
"""Open challenges in one channel: more than anyone reads."""

MAX_TO_SAME_OPPONENT, MAX_TO_OPPONENT = 3, 10
"""Challenges that mention an opponent, of one challenger and of all: those still open, and those of the last
`CALL_MILLIS` that became no match, since each has mentioned the opponent once."""

MAX_VOTE_GAMES = 5
"""Vote games of one server at once: each asks all its members, day after day."""

CALL_MILLIS = HOUR

MAX_OPEN_RATED_MATCHES: Final = 30
"""Rated matches of one user that are open at the same time."""

MAX_DAILY_QUITS: Final = 4
"""Matches that a user may abandon within a day before they have to wait with rated ones."""

MAX_DECISIONS: Final = 5
DECISION_WINDOW_MILLIS: Final = 90 * DAY
"""Rated matches that moderators may decide in favor of one player within the window, on all servers together. Without a
limit, a player whose friend is a moderator could keep all wins and lose no game.

Of these and of those that rounds of tournaments end, so many bring the player points: a host chooses how soon rounds
end.
"""

MAX_GIVING_WAY = 100
"""Open challenges of one player that are looked through: more than they may make, and all that they are asked for in a
day."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """Limits on open matches: of one player, of one player against the computer, of one server."""

    max_of_player: int = 50
    max_against_computer: int = 5
    max_of_server: int = 1000

    async def check_match(self, reader: Reader, challenge: Challenge, players: Iterable[UserId], user: UserId) -> None:
        """Raises Refused (`too_many_matches`, `too_many_computers`, `server_full`) if one more match is too many.

        To `user`, who begins it, too many of another player read like a block of theirs (`no_game_with`).

        Two that begin at the same moment may both find the last place: one match too many does no harm.
        """
        computer = challenge.opponent if challenge.terms.level is not None else None
        for player in players:
            if player == computer:
                continue
            if await reader.matches.count_open(user=player) >= self.max_of_player:
                if player != user:
                    raise Refused(Reason.NO_GAME_WITH, user=player)
                raise Refused(Reason.TOO_MANY_MATCHES, user=player, count=self.max_of_player)
            if computer is not None:
                against = sum(computer in entry.players for entry in await reader.matches.open_of(player))
                if against >= self.max_against_computer:
                    raise Refused(Reason.TOO_MANY_COMPUTERS, count=self.max_against_computer)
        if challenge.guild is not None and await reader.matches.count_open(guild=challenge.guild) >= self.max_of_server:
            raise Refused(Reason.SERVER_FULL, count=self.max_of_server)

    async def check_challenge(self, reader: Reader, challenge: Challenge) -> None:
        """Raises Refused (`too_many_challenges`, `too_many_to_one`, `no_game_with`, `channel_full`) if one more
        challenge is too many. A player whom many ask reads like one who has blocked the user.

        Exact after `ChallengeRepository.lock`. Rematches, duels and counter-offers count as well.
        """
        user, opponent = challenge.challenger, challenge.opponent
        if await reader.challenges.count_open(challenger=user) >= MAX_OPEN_OF_PLAYER:
            raise Refused(Reason.TOO_MANY_CHALLENGES, count=MAX_OPEN_OF_PLAYER)
        if await reader.challenges.count_open(channel=challenge.channel) >= MAX_OPEN_IN_CHANNEL:
            raise Refused(Reason.CHANNEL_FULL, count=MAX_OPEN_IN_CHANNEL)
        if opponent is None or challenge.terms.level is not None:  # nothing disturbs the computer
            return
        callers = await reader.challenges.challengers_of(opponent, Millis(challenge.made - CALL_MILLIS))
        if callers.count(user) >= MAX_TO_SAME_OPPONENT:
            raise Refused(Reason.TOO_MANY_TO_ONE, count=MAX_TO_SAME_OPPONENT, user=opponent)
        if len(callers) >= MAX_TO_OPPONENT:
            raise Refused(Reason.NO_GAME_WITH, user=opponent)

    async def check_vote_games(self, reader: Reader, guild: GuildId) -> None:
        """Raises Refused (`too_many_vote_games`) if a server plays as many as it may. Exact after
        `VoteRepository.lock`."""
        if await reader.votes.count_open(guild) >= MAX_VOTE_GAMES:
            raise Refused(Reason.TOO_MANY_VOTE_GAMES, count=MAX_VOTE_GAMES)


async def check_decision_limit(careers: CareerReader, favored: Iterable[UserId], now: Millis) -> None:
    """Raises Refused (`too_many_decisions`) if moderators have decided often enough for one of the `favored`."""
    for user in favored:
        count = await careers.count_favorable_decisions(user, Millis(now - DECISION_WINDOW_MILLIS))
        if count >= MAX_DECISIONS:
            raise Refused(Reason.TOO_MANY_DECISIONS, user=user, count=count)


async def is_favored_too_often(careers: CareerReader, user: UserId, now: Millis) -> bool:
    """Returns whether too many matches were decided in favor of `user`, by moderators and by rounds that ended."""
    since = Millis(now - DECISION_WINDOW_MILLIS)
    return await careers.count_favorable_decisions(user, since, by_rounds=True) > MAX_DECISIONS


async def check_rated_match_limits(careers: CareerReader, user: UserId, now: Millis) -> None:
    """Raises Refused (`too_many_rated`, `too_many_quits`) if `user` may not begin another rated match at `now`."""
    if await careers.count_open_rated(user) >= MAX_OPEN_RATED_MATCHES:
        raise Refused(Reason.TOO_MANY_RATED, count=MAX_OPEN_RATED_MATCHES)
    if (quits := await careers.count_quits(user, Millis(now - DAY))) > MAX_DAILY_QUITS:
        raise Refused(Reason.TOO_MANY_QUITS, count=quits)


async def check_others_free(reader: Reader, challenge: Challenge, match: Match, user: UserId) -> None:
    """Raises Refused (`in_live_game`) if a live match would begin for a player who is in another one, without `user`,
    who begins it and knows of their own."""
    if not _is_live(challenge):
        return
    for player in match.players:
        if player != user and is_person(player) and await _plays_live(reader, player, user):
            raise Refused(Reason.IN_LIVE_GAME, user=player)


async def give_way(tx: Transaction, begun: Challenge, match: Match) -> list[Challenge]:
    """Ends or frees the other live challenges of the players of a live match that has begun; returns those that have
    changed."""
    changed: dict[int, Challenge] = {}
    for player in filter(is_person, match.players if _is_live(begun) else ()):
        for standing in await tx.challenges.involving(player, MAX_GIVING_WAY):
            left = challenges.give_way(standing, player)
            if left is not standing:
                await tx.challenges.save(left)
                changed[left.id] = left
    return list(changed.values())


def _is_live(challenge: Challenge) -> bool:
    """Returns whether a challenge is for a live match of people: the computer is left without a word."""
    return challenge.terms.control.speed is Speed.LIVE and challenge.terms.level is None


async def _plays_live(reader: Reader, player: UserId, user: UserId) -> bool:
    """Returns whether a player is in a live match with people, of whom `user` is none."""
    entries = await reader.matches.open_of(player)
    live = [entry.id for entry in entries if entry.speed is Speed.LIVE and user not in entry.players]
    offered = await reader.challenges.of_matches(live)
    return any(match not in offered or _is_live(offered[match]) for match in live)
