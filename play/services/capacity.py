"""How many games and open challenges there may be at once, so that nobody takes the room of all the others."""

from __future__ import annotations

from collections.abc import Iterable

from play.challenge.challenge import Challenge
from play.ids import Millis, UserId
from play.refusal import Refused
from play.store import Reader

OF_PERSON, WITH_COMPUTER, OF_SERVER = 50, 5, 1000

MAX_OPEN_OF_PERSON = 10
"""Open challenges of one person. Each is a message, and may stand for seven days."""

MAX_OPEN_IN_CHANNEL = 25
"""Open challenges in one channel: more than anybody reads."""

MAX_TO_SAME_PERSON, MAX_TO_PERSON = 3, 10
"""Challenges that mention a person, of one challenger and of all: those still open, and those of the last
`CALL_MILLIS` that did not become a game, since each has mentioned them once."""

CALL_MILLIS = Millis(3_600_000)


async def make_room(reader: Reader, challenge: Challenge, players: Iterable[UserId]) -> None:
    """Raises Refused (`too_many_matches`, `too_many_computers`, `server_full`) if a further match would be too many.

    Of two that begin at the same moment both may find the last place: one too many does no harm.
    """
    computer = challenge.opponent if challenge.terms.level is not None else None
    for player in players:
        if player == computer:
            continue
        if await reader.matches.count_open(user=player) >= OF_PERSON:
            raise Refused("too_many_matches", user=player, count=OF_PERSON)
        if computer is not None:
            against = sum(computer in entry.players for entry in await reader.matches.open_of(player))
            if against >= WITH_COMPUTER:
                raise Refused("too_many_computers", count=WITH_COMPUTER)
    if challenge.guild is not None and await reader.matches.count_open(guild=challenge.guild) >= OF_SERVER:
        raise Refused("server_full", count=OF_SERVER)


async def check_challenges(reader: Reader, challenge: Challenge) -> None:
    """Raises Refused (`too_many_challenges`, `too_many_to_one`, `person_asked_by_many`, `channel_full`) if a further
    challenge would be too many.

    Exact if `ChallengeRepository.lock` came before; rematches, duels and answers with other terms count as well.
    """
    user, opponent = challenge.challenger, challenge.opponent
    if await reader.challenges.count_open(challenger=user) >= MAX_OPEN_OF_PERSON:
        raise Refused("too_many_challenges", count=MAX_OPEN_OF_PERSON)
    if await reader.challenges.count_open(channel=challenge.channel) >= MAX_OPEN_IN_CHANNEL:
        raise Refused("channel_full", count=MAX_OPEN_IN_CHANNEL)
    if opponent is None or challenge.terms.level is not None:  # the computer is disturbed by nobody
        return
    callers = await reader.challenges.challengers_of(opponent, Millis(challenge.made - CALL_MILLIS))
    if callers.count(user) >= MAX_TO_SAME_PERSON:
        raise Refused("too_many_to_one", count=MAX_TO_SAME_PERSON, user=opponent)
    if len(callers) >= MAX_TO_PERSON:
        raise Refused("person_asked_by_many", count=MAX_TO_PERSON, user=opponent)
