"""How many matches may go on at once, so that nobody takes the room of all the others."""

from __future__ import annotations

from collections.abc import Iterable

from play.challenge import Challenge
from play.ids import UserId
from play.refused import Refused
from play.store import Reader

OF_PERSON, WITH_COMPUTER, OF_SERVER = 50, 5, 1000


async def make_room(reader: Reader, challenge: Challenge, players: Iterable[UserId]) -> None:
    """Raises Refused (`too_many_matches`, `too_many_computers`, `server_full`) if a further match would be too many.

    Of two that begin at the same moment both may find the last place: one too many does no harm.
    """
    computer = challenge.opponent if challenge.terms.level is not None else None
    for player in players:
        if player == computer:
            continue
        if await reader.count_open(user=player) >= OF_PERSON:
            raise Refused("too_many_matches", user=player, count=OF_PERSON)
        if computer is not None:
            against = sum(computer in entry.players for entry in await reader.open_matches(player))
            if against >= WITH_COMPUTER:
                raise Refused("too_many_computers", count=WITH_COMPUTER)
    if challenge.guild is not None and await reader.count_open(guild=challenge.guild) >= OF_SERVER:
        raise Refused("server_full", count=OF_SERVER)
