"""The use case of a player's own settings, and of what follows from them."""

from dataclasses import replace
from typing import Any

from play.ids import UserId
from play.people.digest import switch_digest
from play.people.settings import PlayerSettings
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.match_writer import retry_on_conflict

_MOVES_DIGEST = frozenset(("digest", "zone", "night"))
"""Settings on which the time of the digest depends."""


async def change_player(store: Database, user: UserId, changes: dict[str, Any]) -> None:
    """Changes settings of a player, plans their digest anew, and lets their turns be judged by new reminder steps.

    Raises Refused (`busy`).
    """

    async def save() -> None:
        async with store.write() as tx:
            await _save(tx, await tx.people.get(user), changes)

    await retry_on_conflict(save)


async def end_digest(store: Database, user: UserId) -> None:
    """Ends the digest of a player who accepts no direct messages. Then each turn pings them again. Raises Stale."""
    async with store.write() as tx:
        settings = await tx.people.get(user)
        if settings.digest is not None:
            await _save(tx, settings, {"digest": None, "digest_closed": True})


async def _save(tx: Transaction, before: PlayerSettings, changes: dict[str, Any]) -> None:
    now = await tx.clock.now()
    if "digest" in changes:
        changes = {"digest_closed": False, **changes}
    after = replace(before, **changes)
    if after.steps != before.steps:
        after = replace(after, steps_since=now)
        await tx.deadlines.remind_anew(before.id, now)
    await tx.people.save(after)
    if not _MOVES_DIGEST.isdisjoint(changes):
        digest = switch_digest(await tx.digests.get(before.id), after, now)
        if digest is not None:
            await tx.digests.put(digest)
