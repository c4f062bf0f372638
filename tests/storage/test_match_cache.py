"""A cached match is replayed from where it was, and comes back as if from the beginning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ids import ChannelId, MatchId
from play.match.match import Match
from play.store import Store
from storage import Database
from storage.match_cache import MAX_MATCHES, MatchCache
from tests.clock import StoppedClock
from tests.matches import a_match, added, loaded, moved, saved
from tests.storage.test_matches import told


async def test_a_match_replayed_on_is_the_match_replayed_anew(url: str, clock: StoppedClock) -> None:
    async with Database.open(url, now=clock) as store:
        match = await added(store)
        for _ in range(6):
            match = await saved(store, moved(await loaded(store, match.id)))
        replayed_on = await loaded(store, match.id)
    async with Database.open(url, now=clock) as store:
        assert told(await loaded(store, match.id)) == told(replayed_on) == told(match)


async def test_an_earlier_version_comes_back_after_a_later_one(store: Store) -> None:
    first = await added(store)
    second = await saved(store, moved(first))
    await saved(store, moved(second))
    await loaded(store, first.id)
    assert told(await loaded(store, first.id, version=1)) == told(second)


async def test_what_was_never_committed_is_not_remembered(store: Store) -> None:
    match = await added(store)

    async def broken_off() -> None:
        async with store.write() as tx:
            await tx.matches.save(moved(match))
            await tx.matches.get(match.id)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await broken_off()
    other = await saved(store, moved(match, "A1"))
    assert told(await loaded(store, match.id)) == told(other)


async def test_what_was_saved_is_not_replayed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await added(store)
    played = await saved(store, moved(match))
    monkeypatch.setattr(Match, "after", None)
    assert told(await loaded(store, match.id)) == told(played)


async def test_a_known_match_comes_back_in_the_channel_where_it_is_played_now(store: Store) -> None:
    match = await added(store)
    await loaded(store, match.id)
    async with store.write() as tx:
        await tx.matches.move_out_of_thread(match.id, ChannelId(99))
    known = await loaded(store, match.id)
    assert (known.channel, known.parent) == (99, None)


def test_the_longest_unused_are_forgotten_first() -> None:
    replays = MatchCache()
    for number in range(MAX_MATCHES):
        replays.keep(replace(a_match(), id=MatchId(number)))
    replays.keep(replace(a_match(), id=MatchId(0)))
    replays.keep(replace(a_match(), id=MatchId(MAX_MATCHES)))
    assert replays.up_to(MatchId(0), version=0) is not None
    assert replays.up_to(MatchId(1), version=0) is None
