"""How many matches and open challenges there may be at once, so that no user takes the room of all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from play.challenge.challenge import Challenge
from play.ids import HOUR, GuildId, Millis, UserId
from play.refusal import Reason, Refused
from storage.unit_of_work import Reader

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
