"""Absences: tables, roles and places of a server pass over who has left it until they are back. Their data stays."""

import logging

from play.ids import GuildId, UserId
from storage import Database
from storage.errors import Unavailable
from storage.unit_of_work import Transaction
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict

log = logging.getLogger(__name__)


class Absences:
    """Notes what the chat says of members whenever it is asked for a name, or sends an interaction; nothing is asked
    for this alone."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def note(self, guild: GuildId, user: UserId, *, is_member: bool) -> None:
        """Notes whether a user is a member of a server; what shows its members is made anew if that has changed."""
        try:
            async with self._store.read() as reader:
                if await reader.absences.has(guild, user) is not is_member:
                    return
            await retry_on_conflict(lambda: self._store_change(guild, user, is_member))
        except Unavailable as error:  # a name is still a name
            log.warning("who has left server %d is not noted: %s", guild, error)
            return
        self._events.ladder_changed()
        self._events.members_changed()
        self._events.guild_changed(guild)

    async def _store_change(self, guild: GuildId, user: UserId, is_member: bool) -> None:
        async with self._store.write() as tx:
            await note_member(tx, guild, user, is_member=is_member)


async def note_member(tx: Transaction, guild: GuildId, user: UserId, *, is_member: bool) -> None:
    """Stores whether a user is a member of a server."""
    await (tx.absences.remove if is_member else tx.absences.add)(guild, user)
    ladder = await tx.ladders.get(guild)
    if ladder is not None and user in ladder.users:
        await tx.ladders.save(ladder, ladder)  # its standing is shown anew
