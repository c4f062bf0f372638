"""Identities: the same native id has the same number for ever, also where two processes take one at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from play.community.ban import Ban
from play.community.conduct import MONTH_MILLIS
from play.community.operator import Restriction, RestrictionKind
from play.ids import IdentityKind, MessageId, Millis, Platform, UserId, creation_time, platform_of
from play.match.outbox_entry import OutboxEntry
from play.people.settings import Block
from storage import Database
from storage.identities import MAX_NATIVE
from tests.clock import NOON, StoppedClock
from tests.matches import BORIS, GUILD, add_match, play_turn, save_match
from use_cases.identities import Identities

ANNA = (Platform.MATRIX, IdentityKind.USER, "@anna:example.org")
ROOM = (Platform.MATRIX, IdentityKind.PLACE, "!room")


@pytest.fixture
def identities(store: Database) -> Identities:
    return Identities(store)


async def test_a_native_id_keeps_its_number(identities: Identities) -> None:
    assert await identities.take(*ANNA) == await identities.take(*ANNA) == await identities.find(*ANNA)


async def test_a_number_tells_its_native_id_platform_and_time(identities: Identities) -> None:
    anna = await identities.take(*ANNA)
    assert (await identities.native(anna), platform_of(anna), creation_time(anna)) == (ANNA[2], Platform.MATRIX, NOON)


async def test_what_was_never_taken_has_neither(identities: Identities) -> None:
    assert (await identities.find(*ANNA), await identities.native(5)) == (None, None)


async def test_the_same_text_on_two_platforms_or_of_two_kinds_has_two_numbers(identities: Identities) -> None:
    same = [(platform, kind) for platform in (Platform.MATRIX, Platform.TELEGRAM) for kind in IdentityKind]
    assert len({await identities.take(*each, "7") for each in same}) == len(same)


async def test_native_ids_differ_by_case(identities: Identities) -> None:
    assert await identities.take(*ROOM[:2], "!a") != await identities.take(*ROOM[:2], "!A")


@pytest.mark.parametrize("native", ["", "x" * (MAX_NATIVE + 1)])
async def test_an_empty_or_endless_native_id_is_not_taken(identities: Identities, native: str) -> None:
    with pytest.raises(ValueError, match="characters"):
        await identities.take(*ROOM[:2], native)


@asynccontextmanager
async def processes(url: str) -> AsyncIterator[list[Identities]]:
    """Yields the identities of two processes; of one where it has the file for itself."""
    async with AsyncExitStack() as stack:
        count = 1 if url.startswith("sqlite") else 2
        yield [
            Identities(await stack.enter_async_context(Database.open(url, now=StoppedClock()))) for _ in range(count)
        ]


async def test_all_that_take_the_same_at_once_get_one_number(url: str) -> None:
    async with processes(url) as running:
        takes = [each.take(*ANNA) for each in running for _ in range(3)]
        assert len(set(await asyncio.gather(*takes))) == 1


async def test_all_that_take_others_at_once_get_numbers_of_their_own(url: str) -> None:
    async with processes(url) as running:
        takes = [each.take(*ANNA[:2], f"@{number}") for number, each in enumerate(running * 2)]
        assert len(set(await asyncio.gather(*takes))) == len(takes)


async def test_a_person_and_their_direct_chat_are_deleted_with_their_data(store: Database) -> None:
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        direct = await tx.identities.take(Platform.MATRIX, IdentityKind.PLACE, "!direct", NOON, user=anna)
        room = await tx.identities.take(*ROOM, NOON)
    async with store.write() as tx:
        await tx.privacy.forget(anna)
    async with store.read() as reader:
        assert [await reader.identities.native(each) for each in (anna, direct, room)] == [None, None, "!room"]


async def test_a_person_gets_what_their_platform_calls_them(store: Database) -> None:
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        await tx.identities.take(*ROOM, NOON)
    async with store.read() as reader:
        assert [row["native"] for row in (await reader.privacy.export(anna))["identity"]] == [ANNA[2]]


@pytest.fixture
async def banned(store: Database) -> UserId:
    """Anna, who has deleted her data, and is banned from a server."""
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        await tx.bans.put(Ban(GUILD, anna, BORIS, NOON))
        await tx.privacy.forget(anna)
    return anna


async def test_who_is_banned_is_known_again_after_their_data_are_deleted(
    identities: Identities, banned: UserId
) -> None:
    assert await identities.find(*ANNA) is None
    assert await identities.take(*ANNA) == banned
    assert await identities.find(*ANNA) == banned


async def test_what_stays_of_a_banned_person_is_nobodys(store: Database, banned: UserId) -> None:
    async with store.read() as reader:
        assert "identity" not in await reader.privacy.export(banned)


async def test_what_stays_of_a_banned_person_goes_with_the_ban(store: Database, banned: UserId) -> None:
    async with store.write() as tx:
        await tx.bans.put(Ban(GUILD, banned, BORIS, NOON, until=Millis(NOON + 1)))
    async with store.read() as reader:
        assert await reader.identities.native(banned) == ANNA[2]
    async with store.write() as tx:
        await tx.bans.remove_ended(Millis(NOON + 1))
    async with store.read() as reader:
        assert await reader.identities.native(banned) is None


async def test_what_stays_of_a_person_whom_the_operator_blocks_goes_when_that_is_lifted(store: Database) -> None:
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        await tx.operator.restrict(Restriction(RestrictionKind.USER, anna, NOON, None, ""))
        await tx.privacy.forget(anna)
        assert await tx.identities.native(anna) == ANNA[2]
        await tx.operator.lift(RestrictionKind.USER, anna)
        assert await tx.identities.native(anna) is None


async def test_what_stays_of_a_person_whom_a_player_blocks_goes_when_that_is_lifted(store: Database) -> None:
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        await tx.blocks.add(Block(BORIS, anna), NOON)
        await tx.privacy.forget(anna)
        assert await tx.identities.native(anna) == ANNA[2]
        await tx.blocks.remove(Block(BORIS, anna))
        assert await tx.identities.native(anna) is None


async def test_what_stays_of_a_person_who_was_reported_goes_after_a_month(store: Database) -> None:
    match = await add_match(store)
    async with store.write() as tx:
        anna = UserId(await tx.identities.take(*ANNA, NOON))
        await tx.seeks.report(match.id, anna, BORIS, None, NOON)
        await tx.seeks.keep_conduct(anna, NOON)
        await tx.privacy.forget(anna)
        assert await tx.identities.native(anna) == ANNA[2]
        await tx.seeks.drop_past_conduct(Millis(NOON + MONTH_MILLIS))
        assert await tx.identities.native(anna) is None


async def test_one_who_is_back_stays_known_when_a_ban_ends(
    identities: Identities, store: Database, banned: UserId
) -> None:
    await identities.take(*ANNA)
    async with store.write() as tx:
        await tx.bans.remove(GUILD, banned)
    assert await identities.find(*ANNA) == banned


async def test_the_name_of_a_board_is_deleted_with_its_follower(store: Database, identities: Identities) -> None:
    match = await add_match(store)
    await save_match(store, play_turn(match))
    boards = [MessageId(await identities.take(Platform.MATRIX, IdentityKind.MESSAGE, f"$board{n}")) for n in range(2)]
    for version, previous in enumerate((None, boards[0])):
        async with store.write() as tx:
            await tx.outbox.mark_posted(OutboxEntry(match.id, version, previous), boards[version])
    assert [await identities.native(board) for board in boards] == [None, "$board1"]
