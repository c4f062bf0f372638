"""The acts of the bot's operator: to block a server or a user, to pause new games, to speak to all servers. Each is in
their log."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from play.community.conduct import Report
from play.community.operator import (
    MAX_BLOCKED,
    Announcement,
    DeliveryOutcome,
    OperatorAct,
    Restriction,
    RestrictionKind,
)
from play.ids import GuildId, Millis, UserId
from play.match import adjudication
from play.refusal import Reason, Refused
from storage.unit_of_work import Transaction
from use_cases.match_writer import MatchWriter, automatic_key, undone_by

log = logging.getLogger(__name__)

PROGRAM = UserId(-1)
"""Annuls the games of a blocked server; the name of a deleted user."""

MAX_LOG = 100
"""Acts, or reports, that are listed."""


def describe_time(moment: Millis) -> str:
    """Returns a time in UTC, as the operator reads it."""
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="seconds")


class Blocked:
    """The servers and users that are blocked, as this process knows them: every request asks."""

    def __init__(self) -> None:
        self._servers: frozenset[int] = frozenset()
        self._users: frozenset[int] = frozenset()

    def replace(self, restrictions: list[Restriction]) -> None:
        """Takes what the store has now."""
        self._servers = frozenset(each.subject for each in restrictions if each.kind is RestrictionKind.SERVER)
        self._users = frozenset(each.subject for each in restrictions if each.kind is RestrictionKind.USER)

    def has_server(self, guild: GuildId | None) -> bool:
        return guild in self._servers

    def check(self, user: UserId, guild: GuildId | None) -> None:
        """Raises Refused (`server_blocked`, `user_blocked`)."""
        if self.has_server(guild):
            raise Refused(Reason.SERVER_BLOCKED)
        if user in self._users:
            raise Refused(Reason.USER_BLOCKED)


class Operator:
    """The acts of the operator, each `by` an account of the machine, which go into their log with it."""

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer
        self._store = writer.store

    @undone_by("lift")
    async def block(self, by: str, kind: RestrictionKind, subject: int, reason: str) -> bool:
        """Blocks a server or a user; returns False if too many are.

        The running games of a blocked server are annulled, since its players can't go on. Those of a blocked user are
        lost on time as ever.
        """
        async with self._store.write() as tx:
            now = await tx.clock.now()
            if len(await tx.operator.restrictions(now)) > MAX_BLOCKED:
                return False
            await tx.operator.restrict(Restriction(kind, subject, now, None, reason))
            await _note(tx, by, f"block {kind}", subject, reason)
            matches = await tx.matches.open_on(GuildId(subject)) if kind is RestrictionKind.SERVER else []
        self._writer.events.operator_acted()
        for number in matches:
            async with self._store.read() as reader:
                match = await reader.matches.get(number)
            if match is not None and not match.outcome:
                key = automatic_key(match)
                annul = partial(adjudication.annul, moderator=PROGRAM, at=now, key=key)
                with suppress(Refused):  # it has ended at this moment
                    await self._writer.apply(match.id, key, None, annul)
        return True

    async def lift(self, by: str, kind: RestrictionKind, subject: int = 0) -> bool:
        """Lifts a block, or the pause; returns False if there was none."""

        async def lift(tx: Transaction, _: Millis) -> bool:
            return await tx.operator.lift(kind, subject)

        names = {RestrictionKind.GAMES: "resume", RestrictionKind.STRANGERS: "open strangers"}
        return await self._act(by, names.get(kind, f"unblock {kind}"), lift, subject)

    @undone_by("lift")
    async def pause(self, by: str, until: Millis | None) -> bool:
        """Lets no game begin `until` then, or until that is lifted; returns False if then is over."""

        async def pause(tx: Transaction, now: Millis) -> bool:
            if until is not None and until <= now:
                return False
            await tx.operator.restrict(Restriction(RestrictionKind.GAMES, 0, now, until))
            return True

        return await self._act(by, "pause", pause, detail="" if until is None else describe_time(until))

    @undone_by("lift")
    async def close_strangers(self, by: str) -> bool:
        """Lets nobody meet strangers until that is lifted."""

        async def close(tx: Transaction, now: Millis) -> bool:
            await tx.operator.restrict(Restriction(RestrictionKind.STRANGERS, 0, now, None))
            return True

        return await self._act(by, "close strangers", close)

    async def announce(self, by: str, texts: Mapping[str, str]) -> bool:
        """Has a text go to all servers; returns False while another one still does."""

        async def announce(tx: Transaction, now: Millis) -> bool:
            if await _going_out(tx):
                return False
            await tx.operator.announce(Announcement(0, now, texts))
            return True

        return await self._act(by, "announce", announce)

    @undone_by("announce")
    async def withdraw(self, by: str) -> bool:
        """Stops the announcement that goes out; returns False if there is none."""

        async def withdraw(tx: Transaction, _: Millis) -> bool:
            if newest := await _going_out(tx):
                await tx.operator.withdraw(newest.id)
            return newest is not None

        return await self._act(by, "withdraw", withdraw)

    async def note_leave(self, by: str, guild: int) -> None:
        """Notes in the log that the bot has left a server."""
        async with self._store.write() as tx:
            await _note(tx, by, "leave", guild)

    async def restrictions(self) -> list[Restriction]:
        """Returns the restrictions that hold, the oldest first."""
        async with self._store.read() as reader:
            return await reader.operator.restrictions(await reader.clock.now())

    async def reports(self) -> list[Report]:
        """Returns the newest reports of strangers, the newest first."""
        async with self._store.read() as reader:
            return await reader.seeks.reports(await reader.clock.now(), MAX_LOG)

    async def log(self) -> list[OperatorAct]:
        """Returns the newest acts, the newest first."""
        async with self._store.read() as reader:
            return await reader.operator.log(MAX_LOG)

    async def status(self) -> tuple[Announcement, dict[DeliveryOutcome | None, int]] | None:
        """Returns the newest announcement, and how many servers have each outcome."""
        async with self._store.read() as reader:
            newest = await reader.operator.newest_announcement()
            return None if newest is None else (newest, await reader.operator.progress(newest.id))

    async def _act(
        self,
        by: str,
        name: str,
        work: Callable[[Transaction, Millis], Awaitable[bool]],
        subject: int = 0,
        detail: str = "",
    ) -> bool:
        """Does an act, and notes it if something has changed; returns whether that is so."""
        async with self._store.write() as tx:
            if not await work(tx, await tx.clock.now()):
                return False
            await _note(tx, by, name, subject, detail)
        self._writer.events.operator_acted()
        return True


async def _going_out(tx: Transaction) -> Announcement | None:
    """Returns the announcement for which servers wait, or may."""
    newest = await tx.operator.newest_announcement()
    if newest is None or newest.withdrawn:
        return None
    return newest if not newest.listed or await tx.operator.pending(newest.id, 1) else None


async def _note(tx: Transaction, by: str, name: str, subject: int = 0, detail: str = "") -> None:
    await tx.operator.note(OperatorAct(await tx.clock.now(), by, name, subject, detail))
    log.warning("operator %s: %s", by, " ".join(filter(None, (name, str(subject or ""), detail))))
