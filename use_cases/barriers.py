"""What keeps players from a game: a ban of the server, or a block between two of them, which each may choose."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from play.community.operator import RestrictionKind
from play.ids import GuildId, Millis, UserId
from play.people.settings import Block
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader

MAX_BLOCKS: Final = 100
"""Players whom one player may block: four menus of the chat."""


async def check_open(reader: Reader, now: Millis) -> None:
    """Raises Refused (`paused`, `paused_until`) while the operator lets no game begin. All that begins a game, or leads
    to one, asks this."""
    pause = await reader.operator.restriction(RestrictionKind.GAMES, 0, now)
    if pause is None:
        return
    if pause.until is None:
        raise Refused(Reason.PAUSED)
    raise Refused(Reason.PAUSED_UNTIL, until=pause.until // 1000)


async def check_may_enter(reader: Reader, guild: GuildId | None, user: UserId, now: Millis) -> None:
    """Raises Refused (`paused`, `paused_until`, `server_blocked`, `banned`, `banned_until`) if `user` may not begin to
    play on a server, or sign up for what is played there."""
    await check_open(reader, now)
    if guild is not None and await reader.operator.restriction(RestrictionKind.SERVER, guild, now):
        raise Refused(Reason.SERVER_BLOCKED)
    await check_not_banned(reader, guild, user, now)


async def check_not_banned(reader: Reader, guild: GuildId | None, user: UserId, now: Millis) -> None:
    """Raises Refused (`banned`, `banned_until`) if the server keeps `user` from playing on it."""
    ban = None if guild is None else await reader.bans.get(guild, user)
    if ban is None or not ban.holds(now):
        return
    if ban.until is None:
        raise Refused(Reason.BANNED)
    raise Refused(Reason.BANNED_UNTIL, until=ban.until // 1000)


async def check_may_begin(
    reader: Reader, guild: GuildId | None, user: UserId, others: Collection[UserId], now: Millis
) -> None:
    """Raises Refused (`no_game_with`, `own_account`, and what `check_may_enter` does) if the operator or the server
    keeps `user` or one of the `others` from a game on it, by whichever account, or if two of them are one person."""
    await check_may_enter(reader, guild, user, now)
    accounts = await reader.own_accounts.of_all([user, *others])
    _check_different(accounts)
    for own in accounts[user]:
        if own != user:
            await check_not_banned(reader, guild, own, now)
    for other in others:
        for own in accounts[other]:
            ban = None if guild is None else await reader.bans.get(guild, own)
            is_banned = ban is not None and ban.holds(now)
            if is_banned or await reader.operator.restriction(RestrictionKind.USER, own, now):
                raise Refused(Reason.NO_GAME_WITH, user=other)


async def check_other_people(reader: Reader, user: UserId, others: Collection[UserId]) -> None:
    """Raises Refused (`own_account`) if one of the `others` is another account of the person of `user`."""
    _check_different({user: await reader.own_accounts.of_user(user), **dict.fromkeys(others, ())})


def _check_different(accounts: Mapping[UserId, Sequence[UserId]]) -> None:
    """Raises Refused (`own_account`) if one of these users is an account of another one."""
    for user, own in accounts.items():
        for account in own:
            if account != user and account in accounts:
                raise Refused(Reason.OWN_ACCOUNT, user=account)


async def check_may_challenge_for_place(
    reader: Reader, guild: GuildId, user: UserId, opponent: UserId, now: Millis
) -> None:
    """Raises Refused if `user` may not challenge `opponent` for a place of the ladder.

    Only blocks of the challenger count: otherwise a player could keep a place by blocking everyone who may reach it.
    """
    await check_may_begin(reader, guild, user, [opponent], now)
    if Block(user, opponent) in await reader.blocks.among({user, opponent}):
        raise Refused(Reason.YOU_BLOCKED, user=opponent)


async def check_may_meet(
    reader: Reader, guild: GuildId | None, user: UserId, others: Collection[UserId], now: Millis
) -> None:
    """Raises Refused if `user` may not begin a game with the `others` on a server, or outside of any (None).

    A player who was blocked learns only that this game is not possible (`no_game_with`), as with a player who is
    banned, or has too much to play (`Capacity`): outside servers nobody is banned.
    """
    await check_may_begin(reader, guild, user, others, now)
    for block in await reader.blocks.among({user, *others}):
        if block.user == user:
            raise Refused(Reason.YOU_BLOCKED, user=block.blocked)
        if block.blocked == user:
            raise Refused(Reason.NO_GAME_WITH, user=block.user)


class Blocks:
    """Blocks hold for both sides, and only for games to come. All methods raise Refused."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def load(self, user: UserId) -> list[UserId]:
        """Returns the players whom `user` has blocked, the newest first."""
        async with self._store.read() as reader:
            return await reader.blocks.of_user(user)

    async def block(self, user: UserId, other: UserId, at: Millis) -> None:
        """Blocks `other`; a second time changes nothing. Raises Refused (`block_self`, `too_many_blocks`)."""
        if user == other:
            raise Refused(Reason.BLOCK_SELF)
        with suppress(Stale):
            async with self._store.write() as tx:
                known = await tx.blocks.of_user(user)
                if other in known:
                    return
                if len(known) >= MAX_BLOCKS:
                    raise Refused(Reason.TOO_MANY_BLOCKS, count=MAX_BLOCKS)
                await tx.blocks.add(Block(user, other), at)

    async def unblock(self, user: UserId, other: UserId) -> None:
        """Takes a block back, if there is one."""
        async with self._store.write() as tx:
            await tx.blocks.remove(Block(user, other))
