"""What keeps players from a game: a ban of the server, or a block between two of them."""

from __future__ import annotations

from collections.abc import Collection

from play.ids import GuildId, Millis, UserId
from play.people.block import Block
from play.refusal import Reason, Refused
from storage.unit_of_work import Reader


async def check_not_banned(reader: Reader, guild: GuildId | None, user: UserId, now: Millis) -> None:
    """Raises Refused (`banned`, `banned_until`) if the server keeps `user` from playing on it."""
    ban = None if guild is None else await reader.bans.get(guild, user)
    if ban is None or not ban.holds(now):
        return
    if ban.until is None:
        raise Refused(Reason.BANNED)
    raise Refused(Reason.BANNED_UNTIL, until=ban.until // 1000)


async def check_nobody_banned(
    reader: Reader, guild: GuildId | None, user: UserId, others: Collection[UserId], now: Millis
) -> None:
    """Raises Refused (`banned`, `banned_until`, `no_game_with`) if the server keeps `user` or one of the `others` from
    playing on it."""
    await check_not_banned(reader, guild, user, now)
    for other in others:
        ban = None if guild is None else await reader.bans.get(guild, other)
        if ban is not None and ban.holds(now):
            raise Refused(Reason.NO_GAME_WITH, user=other)


async def check_may_challenge_for_place(
    reader: Reader, guild: GuildId, user: UserId, opponent: UserId, now: Millis
) -> None:
    """Raises Refused if `user` may not challenge `opponent` for a place of the ladder.

    Only blocks of the challenger count: otherwise a player could keep a place by blocking everyone who may reach it.
    """
    await check_nobody_banned(reader, guild, user, [opponent], now)
    if Block(user, opponent) in await reader.blocks.among({user, opponent}):
        raise Refused(Reason.YOU_BLOCKED, user=opponent)


async def check_may_meet(
    reader: Reader, guild: GuildId | None, user: UserId, others: Collection[UserId], now: Millis
) -> None:
    """Raises Refused if `user` may not begin a game with the `others` on a server, or outside of any (None).

    A player who was blocked learns only that this game is not possible (`no_game_with`), as with a player who is
    banned, or has too much to play (`Capacity`): outside servers nobody is banned.
    """
    await check_nobody_banned(reader, guild, user, others, now)
    for block in await reader.blocks.among({user, *others}):
        if block.user == user:
            raise Refused(Reason.YOU_BLOCKED, user=block.blocked)
        if block.blocked == user:
            raise Refused(Reason.NO_GAME_WITH, user=block.user)
