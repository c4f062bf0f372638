"""Every version waits in the outbox until it is posted."""

from __future__ import annotations

import pytest

from play.ids import MatchId, MessageId, Millis
from play.match.outbox_entry import OutboxEntry
from storage import Database
from storage.errors import Stale
from tests.matches import ANNA, a_match, add_match, play_turn, resign, save_match


async def untold(store: Database) -> list[MatchId]:
    async with store.read() as reader:
        return await reader.outbox.pending_matches()


async def waiting(store: Database, match: MatchId) -> OutboxEntry | None:
    async with store.read() as reader:
        return await reader.outbox.next_entry(match)


async def announced(store: Database, announcement: OutboxEntry, message: int | None) -> None:
    async with store.write() as tx:
        await tx.outbox.mark_posted(announcement, None if message is None else MessageId(message))


async def test_a_new_match_waits_to_be_announced(store: Database) -> None:
    match = await add_match(store)
    assert await waiting(store, match.id) == OutboxEntry(match.id, 0, previous=None)


async def test_a_version_knows_until_when_an_answer_may_bring_it(store: Database) -> None:
    match = play_turn(await add_match(store))
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    async with store.write() as tx:
        await tx.matches.save(match, Millis(2**53))
    assert await waiting(store, match.id) == OutboxEntry(match.id, 1, MessageId(41), answer_until=Millis(2**53))


async def test_versions_wait_in_their_order(store: Database) -> None:
    match = play_turn(await add_match(store))
    await save_match(store, match)
    await save_match(store, resign(match))
    versions = []
    while announcement := await waiting(store, match.id):
        versions.append(announcement.version)
        await announced(store, announcement, 1)
    assert versions == [0, 1, 2]


async def test_each_match_with_something_to_tell_is_listed_once(store: Database) -> None:
    one, told, other = [await add_match(store, a_match(channel)) for channel in (1, 2, 3)]
    await save_match(store, play_turn(one))
    await announced(store, OutboxEntry(told.id, 0, None), 1)
    assert await untold(store) == [one.id, other.id]


async def test_a_match_waits_for_itself_only(store: Database) -> None:
    one, other = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    await announced(store, OutboxEntry(one.id, 0, None), 1)
    assert await waiting(store, one.id) is None
    assert await waiting(store, other.id) is not None


async def test_the_next_announcement_knows_the_board_before_it(store: Database) -> None:
    match = await add_match(store)
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    await save_match(store, play_turn(match))
    assert await waiting(store, match.id) == OutboxEntry(match.id, 1, previous=MessageId(41))


async def test_what_could_not_be_posted_leaves_the_board_before_it(store: Database) -> None:
    match = await add_match(store)
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    first = await save_match(store, play_turn(match))
    await announced(store, OutboxEntry(match.id, 1, MessageId(41)), None)
    await save_match(store, play_turn(first))
    assert await waiting(store, match.id) == OutboxEntry(match.id, 2, previous=MessageId(41))


async def test_the_newest_board_never_goes_back_to_an_older_version(store: Database) -> None:
    match = await add_match(store)
    await save_match(store, play_turn(match))
    await announced(store, OutboxEntry(match.id, 1, None), 42)
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    async with store.read() as reader:
        assert [entry.board for entry in await reader.matches.open_of(ANNA)] == [42]


async def test_announcing_twice_changes_nothing(store: Database) -> None:
    match = await add_match(store)
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    await announced(store, OutboxEntry(match.id, 0, None), 42)
    await save_match(store, play_turn(match))
    assert await waiting(store, match.id) == OutboxEntry(match.id, 1, previous=MessageId(41))


async def test_a_stale_move_is_not_announced(store: Database) -> None:
    match = await add_match(store)
    await save_match(store, play_turn(match, "A1", source=1))
    with pytest.raises(Stale):
        await save_match(store, play_turn(match, "E5", source=2))
    await announced(store, OutboxEntry(match.id, 0, None), 41)
    await announced(store, OutboxEntry(match.id, 1, None), 42)
    assert await untold(store) == []
