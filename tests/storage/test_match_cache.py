"""A cached match is replayed from where it was, and comes back as if from the beginning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ids import ChannelId, MatchId
from play.match.match import Match
from rules.registry import make_game
from storage import Database
from storage.match_cache import MAX_MATCHES, MatchCache
from storage.matches import EVENTS_PER_YIELD
from tests.clock import StoppedClock
from tests.loop_calls import count_turns
from tests.matches import a_match, add_match, load_match, play_turn, save_match
from tests.storage.test_matches import told


async def test_a_match_replayed_on_is_the_match_replayed_anew(url: str, clock: StoppedClock) -> None:
    async with Database.open(url, now=clock) as store:
        match = await add_match(store)
        for _ in range(6):
            match = await save_match(store, play_turn(await load_match(store, match.id)))
        replayed_on = await load_match(store, match.id)
    async with Database.open(url, now=clock) as store:
        assert told(await load_match(store, match.id)) == told(replayed_on) == told(match)


async def test_while_a_long_match_is_replayed_others_have_their_turns(url: str, clock: StoppedClock) -> None:
    async with Database.open(url, now=clock) as store:
        match = await add_match(store, a_match(game=make_game("zagram", {"size": "12x12", "start": "empty"})))
        for _ in range(4 * EVENTS_PER_YIELD):
            match = await save_match(store, play_turn(match))
    async with Database.open(url, now=clock) as store, store.read() as reader:
        loaded, turns = await count_turns(reader.matches.get(match.id))
    assert loaded is not None
    assert told(loaded) == told(match)
    assert turns >= 3


async def test_an_earlier_version_comes_back_after_a_later_one(store: Database) -> None:
    first = await add_match(store)
    second = await save_match(store, play_turn(first))
    await save_match(store, play_turn(second))
    await load_match(store, first.id)
    assert told(await load_match(store, first.id, version=1)) == told(second)


async def test_what_was_never_committed_is_not_remembered(store: Database) -> None:
    match = await add_match(store)

    async def broken_off() -> None:
        async with store.write() as tx:
            await tx.matches.save(play_turn(match))
            await tx.matches.get(match.id)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await broken_off()
    other = await save_match(store, play_turn(match, "A1"))
    assert told(await load_match(store, match.id)) == told(other)


async def test_what_was_saved_is_not_replayed(store: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await add_match(store)
    played = await save_match(store, play_turn(match))
    monkeypatch.setattr(Match, "after", None)
    assert told(await load_match(store, match.id)) == told(played)


async def test_a_known_match_comes_back_in_the_channel_where_it_is_played_now(store: Database) -> None:
    match = await add_match(store)
    await load_match(store, match.id)
    async with store.write() as tx:
        await tx.matches.move_out_of_thread(match.id, ChannelId(99))
    known = await load_match(store, match.id)
    assert (known.channel, known.parent) == (99, None)


def test_the_longest_unused_are_forgotten_first() -> None:
    replays = MatchCache()
    for number in range(MAX_MATCHES):
        replays.keep(replace(a_match(), id=MatchId(number)))
    replays.keep(replace(a_match(), id=MatchId(0)))
    replays.keep(replace(a_match(), id=MatchId(MAX_MATCHES)))
    assert replays.up_to(MatchId(0), version=0) is not None
    assert replays.up_to(MatchId(1), version=0) is None
