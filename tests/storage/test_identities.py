"""Identities: the same native id has the same number for ever, also where two processes take one at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from play.ids import IdentityKind, Platform, UserId, creation_time, platform_of
from storage import Database
from storage.identities import MAX_NATIVE
from tests.clock import NOON, StoppedClock
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
