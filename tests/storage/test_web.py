"""Sessions of browsers: links count once, and what has expired goes away."""

from __future__ import annotations

import asyncio

import pytest

from play.ids import ChannelId, MatchId, Millis
from play.people.web_session import USED_LINK_MILLIS, Watching, WebLink, WebSession, WebWatch
from storage import Database
from storage.errors import Stale
from tests.clock import NOON
from tests.people import person

ANNA = person(5)
LATER = Millis(NOON + 1)


def link(number: str = "a", until: Millis = LATER) -> WebLink:
    return WebLink(number, ANNA, MatchId(1), until, "key", ChannelId(3))


async def test_a_link_is_used_once(store: Database) -> None:
    async with store.write() as tx:
        assert await tx.web.use(link())
    async with store.write() as tx:
        assert not await tx.web.use(link())
        assert await tx.web.use(link("b"))


async def test_of_many_at_once_one_uses_a_link(store: Database) -> None:
    async def use() -> bool:
        async with store.write() as tx:
            return await tx.web.use(link())

    assert sorted(await asyncio.gather(*(use() for _ in range(8)))) == [False] * 7 + [True]


async def test_a_session_is_known_until_it_expires(store: Database) -> None:
    session = WebSession("d", ANNA, LATER)
    async with store.write() as tx:
        await tx.web.add(session, 20)
    async with store.read() as reader:
        assert await reader.web.session("d", NOON) == session
        assert await reader.web.session("d", LATER) is None
        assert await reader.web.session("e", NOON) is None
        assert await reader.web.current({"d", "e"}, NOON) == {"d"}
        assert await reader.web.current(set(), NOON) == frozenset()


async def test_the_oldest_of_too_many_sessions_ends(store: Database) -> None:
    async with store.write() as tx:
        for number in range(4):
            await tx.web.add(WebSession(str(number), ANNA, Millis(LATER + number)), 3)
    async with store.read() as reader:
        assert await reader.web.current({"0", "1", "2", "3"}, NOON) == {"1", "2", "3"}


async def test_watching_is_allowed_for_one_match_and_a_time(store: Database) -> None:
    async with store.write() as tx:
        await tx.web.allow_watching(WebWatch(ANNA, MatchId(1), LATER, ChannelId(3)))
        await tx.web.allow_watching(WebWatch(ANNA, MatchId(1), LATER, ChannelId(4)))
    async with store.read() as reader:
        assert await reader.web.watch(ANNA, MatchId(1), NOON) == WebWatch(ANNA, MatchId(1), LATER, ChannelId(4))
        assert await reader.web.watch(ANNA, MatchId(2), NOON) is None
        assert await reader.web.watch(ANNA, MatchId(1), LATER) is None


async def test_the_key_of_links_ends_with_the_sessions(store: Database) -> None:
    async with store.write() as tx:
        await tx.web.add_key(ANNA, "key")
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.web.add_key(ANNA, "other")
    async with store.write() as tx:
        assert await tx.web.key(ANNA) == "key"
        assert [await tx.web.holds(ANNA, key) for key in ("key", "other")] == [True, False]
        await tx.web.end_all(ANNA)
    async with store.write() as tx:
        assert await tx.web.key(ANNA) is None
        assert not await tx.web.holds(ANNA, "key")


async def test_what_has_expired_is_deleted(store: Database) -> None:
    before = Millis(NOON - 1)
    async with store.write() as tx:
        for number, until in (("old", NOON), ("new", LATER)):
            await tx.web.add(WebSession(number, ANNA, until), 20)
            await tx.web.allow_watching(WebWatch(ANNA, MatchId(until), until, None))
        await tx.web.add_launch(ANNA, MatchId(1), NOON)
        await tx.web.delete_expired(NOON)
    async with store.write() as tx:
        assert await tx.web.current({"old", "new"}, before) == {"new"}
        there = [await tx.web.watch(ANNA, MatchId(until), before) is not None for until in (NOON, LATER)]
        assert there == [False, True]
        assert await tx.web.take_launch(ANNA, before) is None


async def test_a_launch_is_taken_once_and_the_newest_counts(store: Database) -> None:
    async with store.write() as tx:
        await tx.web.add_launch(ANNA, MatchId(1), LATER)
        await tx.web.add_launch(ANNA, MatchId(2), LATER)
    async with store.write() as tx:
        assert [await tx.web.take_launch(ANNA, NOON) for _ in range(2)] == [MatchId(2), None]
        await tx.web.add_launch(ANNA, MatchId(3), NOON)
        assert await tx.web.take_launch(ANNA, NOON) is None


async def test_a_used_link_is_remembered_while_a_clock_that_is_set_back_may_make_it_valid_again(
    store: Database,
) -> None:
    async with store.write() as tx:
        for number, until in (("old", NOON), ("new", LATER)):
            await tx.web.use(link(number, until))
        await tx.web.delete_expired(Millis(NOON + USED_LINK_MILLIS))
    async with store.write() as tx:
        assert [await tx.web.use(link(number)) for number in ("old", "new")] == [True, False]


async def test_who_watches_counts_until_they_leave_or_their_process_is_silent(store: Database) -> None:
    boris, clara = person(6), person(7)
    async with store.write() as tx:
        for user, match in ((ANNA, 1), (boris, 1), (ANNA, 2)):
            await tx.web.allow_watching(WebWatch(user, MatchId(match), Millis(LATER + 1000), ChannelId(3)))
        opened = [Watching(user, MatchId(match)) for user, match in ((ANNA, 1), (boris, 1), (ANNA, 2), (clara, 1))]
        await tx.web.note_watching(opened, Millis(LATER + 10))
        await tx.web.note_watching([], None)
    matches = [MatchId(number) for number in (1, 2, 3)]
    async with store.read() as reader:
        assert await reader.web.watching(matches, LATER) == {1: [ANNA, boris], 2: [ANNA]}  # Clara has no right
        assert await reader.web.watching([MatchId(2)], LATER) == {2: [ANNA]}
        assert await reader.web.watching([], LATER) == {}
        assert await reader.web.watching(matches, Millis(LATER + 10)) == {}
    async with store.write() as tx:
        await tx.web.note_watching([Watching(boris, MatchId(1))], None)
        await tx.web.allow_watching(WebWatch(ANNA, MatchId(2), Millis(LATER + 2000), ChannelId(3)))  # another link
        assert await tx.web.watching(matches, LATER) == {1: [ANNA], 2: [ANNA]}
        await tx.web.end_all(ANNA)
        assert await tx.web.watching(matches, LATER) == {}
