"""The thread of a game is its own: another game that is asked for there begins in the channel of the thread."""

from __future__ import annotations

from collections.abc import Collection

from play.ids import ChannelId, UserId
from storage.unit_of_work import Reader


async def place_of_game(
    reader: Reader, channel: ChannelId, players: Collection[UserId | None], seats: int
) -> ChannelId:
    """Returns where a game of so many `seats` belongs that is asked for in a channel: there, or in the channel of the
    thread, if that is the thread of another game.

    Its players go on in it once their game is over. `players` are those who are known; None is anyone.
    """
    parent = await reader.matches.parent_of_thread(channel)
    if parent is None:
        return channel
    own = await reader.matches.in_channel(channel)
    goes_on = own is not None and own.outcome is not None and own.game.seats == seats and {*players} <= {*own.players}
    return channel if goes_on else parent
