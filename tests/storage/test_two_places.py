"""A match that is played on two servers is stored with both places, and each of them has its own boards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ids import ChannelId, GuildId, MessageId, Millis
from play.match.events import NoticeKind
from play.match.match import AwayPlace, Match
from play.match.outbox_entry import OutboxEntry
from play.people.career import Visibility
from storage import Database
from storage.errors import ChannelTaken
from tests.clock import NOON
from tests.matches import (
    ANNA,
    BORIS,
    CLARA,
    GUILD,
    a_match,
    add_match,
    away_place,
    load_match,
    play_turn,
    resign,
    save_match,
)

THERE = GuildId(8)


@pytest.fixture
async def match(store: Database) -> Match:
    return await add_match(store, a_match(1, away=away_place(2)))


async def post(store: Database, match: Match, version: int, message: int | None, *, away: bool) -> None:
    async with store.write() as tx:
        entry = OutboxEntry(match.id, version, None, away=away)
        await tx.outbox.mark_posted(entry, None if message is None else MessageId(message))


async def test_both_places_come_back(store: Database, match: Match) -> None:
    found = await load_match(store, match.id)
    assert (found.guild, found.channel, found.away, found.is_turned) == (GUILD, 1, away_place(2), False)


async def test_an_ordinary_match_has_one_place(store: Database) -> None:
    found = await load_match(store, (await add_match(store)).id)
    assert (found.away, found.places, found.hosts) == (None, (found.place,), found.seats)


async def test_each_channel_finds_the_match_as_it_is_played_there(store: Database, match: Match) -> None:
    async with store.read() as reader:
        here, there = [await reader.matches.in_channel(ChannelId(channel)) for channel in (1, 2)]
    assert here is not None
    assert there is not None
    assert (here.channel, here.is_turned, there.channel, there.guild, there.is_turned) == (1, False, 2, THERE, True)
    assert there.away == AwayPlace(GUILD, ChannelId(1), ChannelId(501), match.seats[0])


async def test_a_channel_finds_the_match_that_is_open_and_else_the_newest(store: Database, match: Match) -> None:
    await save_match(store, resign(match))
    later = await add_match(store, a_match(2, at=Millis(NOON + 1)))
    async with store.read() as reader:
        found = await reader.matches.in_channel(ChannelId(2))
    assert found is not None
    assert (found.id, found.is_turned) == (later.id, False)
    await save_match(store, resign(later))
    newest = await save_match(store, resign(await add_match(store, a_match(3, away=away_place(2)))))
    async with store.read() as reader:
        over = await reader.matches.in_channel(ChannelId(2))
    assert over is not None
    assert over.id in (later.id, newest.id)
    assert over.channel == 2


async def test_a_thread_that_was_opened_for_a_match_is_known_as_long_as_it_has_been_one(
    store: Database, match: Match
) -> None:
    await save_match(store, resign(match))
    later = await add_match(store, replace(a_match(1), parent=None))
    await save_match(store, resign(later))
    await add_match(store, replace(a_match(6), parent=None))
    async with store.read() as reader:
        parents = [await reader.matches.parent_of_thread(ChannelId(each)) for each in (1, 2, 6, 501)]
    assert parents == [501, 502, None, None]


@pytest.mark.parametrize(
    "other",
    [a_match(2, players=(CLARA, ANNA)), a_match(3, away=away_place(2)), a_match(3, away=away_place(1))],
    ids=["begins where it is away", "is away there, too", "is away where it began"],
)
async def test_two_open_matches_share_no_channel(store: Database, match: Match, other: Match) -> None:
    assert match.away == away_place(2)
    with pytest.raises(ChannelTaken):
        await add_match(store, other)


async def test_a_match_does_not_leave_its_thread_for_the_place_of_another(store: Database, match: Match) -> None:
    other = await add_match(store, a_match(5))
    with pytest.raises(ChannelTaken):
        async with store.write() as tx:
            await tx.matches.move_out_of_thread(other.id, ChannelId(2))
    with pytest.raises(ChannelTaken):
        async with store.write() as tx:
            await tx.matches.move_out_of_thread(match.id, ChannelId(5), away=True)


async def test_each_version_waits_once_for_each_place(store: Database, match: Match) -> None:
    await save_match(store, play_turn(match))
    async with store.read() as reader:
        assert await reader.outbox.pending_matches() == [match.id]
        assert await reader.outbox.pending_matches(away=True) == [match.id]
    for away in (False, True):
        for version in (0, 1):
            async with store.read() as reader:
                entry = await reader.outbox.next_entry(match.id, away=away)
            assert entry == OutboxEntry(
                match.id, version, (version and MessageId(40)) or None, last=version == 1, away=away
            )
            await post(store, match, version, 40 + version, away=away)
        async with store.read() as reader:
            assert await reader.outbox.next_entry(match.id, away=away) is None


async def test_an_ordinary_match_waits_in_one_place(store: Database) -> None:
    await save_match(store, play_turn(await add_match(store)))
    async with store.read() as reader:
        assert await reader.outbox.pending_matches(away=True) == []


@pytest.mark.parametrize("away", [False, True])
async def test_the_answer_to_a_click_may_bring_the_board_of_its_own_place_alone(
    store: Database, match: Match, *, away: bool
) -> None:
    for place in (False, True):
        await post(store, match, 0, 41, away=place)
    async with store.write() as tx:
        await tx.matches.save(play_turn(match.look_from(away=away)), Millis(2**53))
    async with store.read() as reader:
        found = [await reader.outbox.next_entry(match.id, away=place) for place in (False, True)]
    assert [entry and entry.answer_until for entry in found] == ([None, 2**53] if away else [2**53, None])


async def test_a_player_finds_the_match_where_they_are_at_home(store: Database, match: Match) -> None:
    await post(store, match, 0, 41, away=False)
    await post(store, match, 0, 42, away=True)
    async with store.read() as reader:
        [of_anna], [of_boris] = await reader.matches.open_of(ANNA), await reader.matches.open_of(BORIS)
    assert (of_anna.guild, of_anna.channel, of_anna.parent, of_anna.board) == (GUILD, 1, 501, 41)
    assert (of_boris.guild, of_boris.channel, of_boris.parent, of_boris.board) == (THERE, 2, 502, 42)


async def test_a_finished_match_is_told_where_its_player_was_at_home(store: Database, match: Match) -> None:
    await post(store, match, 0, 42, away=True)
    await save_match(store, resign(match))
    async with store.read() as reader:
        [of_anna], [of_boris] = [await reader.careers.finished(user, 0, 9) for user in (ANNA, BORIS)]
        seen = {
            (user, guild): len(await reader.careers.finished(user, 0, 9, sight=Visibility(guild=guild)))
            for user in (ANNA, BORIS)
            for guild in (GUILD, THERE)
        }
    assert (of_anna.guild, of_anna.channel, of_boris.guild, of_boris.channel, of_boris.board) == (
        GUILD,
        1,
        THERE,
        2,
        42,
    )
    assert seen == {(ANNA, GUILD): 1, (ANNA, THERE): 0, (BORIS, GUILD): 0, (BORIS, THERE): 1}


@pytest.mark.parametrize(("away", "told"), [(False, ANNA), (True, BORIS)])
async def test_a_place_that_is_lost_is_told_to_its_own_player_and_the_other_goes_on(
    store: Database, match: Match, *, away: bool, told: int
) -> None:
    await post(store, match, 0, None, away=away)
    async with store.read() as reader:
        notice = await reader.outbox.next_notice(match.id)
        lost = [await reader.matches.is_lost(match.id, away=each) for each in (False, True)]
        by_player = [(await reader.matches.open_of(user))[0].lost for user in (ANNA, BORIS)]
    assert notice is not None
    assert (notice.user, notice.kind) == (told, NoticeKind.LOST)
    assert lost == by_player == [not away, away]
    async with store.write() as tx:
        await tx.outbox.remove_notice(notice)
        assert await tx.outbox.next_notice(match.id) is None
        await tx.matches.move_to_channel(match.id, THERE if away else GUILD, ChannelId(9), away=away)
    moved = await load_match(store, match.id)
    assert moved.away is not None
    assert (moved.channel, moved.away.channel) == ((1, 9) if away else (9, 2))


async def test_a_deleted_channel_has_the_matches_of_both_kinds(store: Database, match: Match) -> None:
    for away, message in ((False, 41), (True, 42)):
        await post(store, match, 0, message, away=away)
    async with store.read() as reader:
        found = {
            channel: [await reader.matches.shown_in(ChannelId(channel), away=away) for away in (False, True)]
            for channel in (1, 501, 2, 502)
        }
    assert found == {1: [[match.id], []], 501: [[match.id], []], 2: [[], [match.id]], 502: [[], [match.id]]}


async def test_each_place_has_its_own_thread_to_keep_open_and_its_own_language(store: Database, match: Match) -> None:
    async with store.write() as tx:
        await tx.matches.plan_reopening(match.id, Millis(NOON + 5), away=True)
        await tx.matches.settle_language(match.id, "pl")
        await tx.matches.settle_language(match.id, "uk", away=True)
    async with store.read() as reader:
        due = [await reader.matches.threads_due(Millis(NOON + 9), 5, away=away) for away in (False, True)]
        languages = [await reader.matches.language(match.id, away=away) for away in (False, True)]
    assert due == [[], [match.id]]
    assert languages == ["pl", "uk"]


async def test_a_clock_waits_until_both_places_have_their_first_board(store: Database, match: Match) -> None:
    for away, waits in ((False, {match.id}), (True, set())):
        await post(store, match, 0, 41, away=away)
        async with store.read() as reader:
            assert await reader.outbox.waiting([match.id]) == waits


async def test_what_is_not_in_the_channel_of_a_place_is_posted_there_again(store: Database, match: Match) -> None:
    for away in (False, True):
        await post(store, match, 0, 41, away=away)
    await save_match(store, play_turn(match))
    await post(store, match, 1, 42, away=False)
    await post(store, match, 1, None, away=True)
    async with store.read() as reader:
        assert await reader.matches.unposted_in(ChannelId(1)) is None
        behind = await reader.matches.unposted_in(ChannelId(2))
    assert behind is not None
    async with store.write() as tx:
        await tx.matches.repost(match.id, away=True)
        assert await tx.outbox.next_entry(match.id) is None
        assert await tx.outbox.next_entry(match.id, away=True) == OutboxEntry(match.id, 1, None, away=True)


async def test_the_cache_keeps_no_place(store: Database, match: Match) -> None:
    turned = (await load_match(store, match.id)).turn_around()
    await save_match(store, play_turn(turned))
    async with store.write() as tx:
        await tx.matches.move_out_of_thread(match.id, ChannelId(502), away=True)
    found = await load_match(store, match.id)
    assert found.away is not None
    assert (found.channel, found.is_turned, found.away.channel, found.away.parent) == (1, False, 502, None)
