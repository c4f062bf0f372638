"""A match in two places: how it is looked at, and that each place gets every version once, whatever the other does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from play.match.events import Notice, NoticeKind
from play.match.match import Match, MatchPlace
from play.match.outbox_entry import OutboxEntry
from play.refusal import Refused
from storage import Database
from tests.clock import StoppedClock
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
from tests.play.naps import Naps, running
from use_cases import UseCases
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.outbox_relay import OutboxRelay

HERE, THERE = ChannelId(1), ChannelId(2)
OTHER_GUILD = GuildId(8)


class Servers:
    """Posts boards by channel. A step of a channel's script is raised instead of a post."""

    def __init__(self) -> None:
        self.posted: dict[ChannelId, list[int]] = defaultdict(list)
        self.previous: dict[ChannelId, list[MessageId | None]] = defaultdict(list)
        self.script: dict[ChannelId, list[Exception]] = defaultdict(list)
        self.closed: set[ChannelId] = set()
        self.noticed: list[tuple[ChannelId, Notice]] = []

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        assert announcement.away == match.is_turned
        if match.channel in self.closed:
            raise Undeliverable("403")
        if self.script[match.channel]:
            raise self.script[match.channel].pop(0)
        self.posted[match.channel].append(match.version)
        self.previous[match.channel].append(announcement.previous)
        return MessageId(match.channel * 1000 + match.version)

    async def find_answer(self, match: Match) -> MessageId | None:
        raise AssertionError(f"no click has answered {match.id}")

    async def notify(self, match: Match, notice: Notice) -> None:
        self.noticed.append((match.channel, notice))


@pytest.fixture
def servers() -> Servers:
    return Servers()


@pytest.fixture
def relay(store: Database, servers: Servers, naps: Naps) -> OutboxRelay:
    return OutboxRelay(store, servers, naps.timing)


async def quiet(store: Database) -> None:
    while True:
        async with store.read() as reader:
            if not [*await reader.outbox.pending_matches(), *await reader.outbox.pending_matches(away=True)]:
                return


async def emptied(store: Database, match: Match) -> None:
    """Until nothing waits for the place where the match began."""
    while True:
        async with store.read() as reader:
            if await reader.outbox.next_entry(match.id) is None:
                return


async def begin(store: Database, *, strangers: bool = False) -> Match:
    return await add_match(store, replace(a_match(HERE, away=away_place(THERE)), strangers=strangers))


@given(st.booleans(), st.sampled_from([0, 1]))
def test_a_match_turned_twice_is_itself(thread: bool, seat: int) -> None:
    place = away_place(seat=seat)
    match = a_match(away=place if thread else away_place(seat=seat))
    turned = match.turn_around()
    assert turned.turn_around() == match
    assert {match.place, turned.place} == set(match.places) == set(turned.places)
    assert set(match.hosts) | set(turned.hosts) == set(match.seats)
    assert match.guests == set(turned.hosts)
    assert (turned.guild, turned.channel, turned.parent) == (place.guild, place.channel, place.parent)


@pytest.mark.parametrize(
    ("user", "guild", "channel"),
    [
        (ANNA, GUILD, HERE),
        (ANNA, OTHER_GUILD, THERE),
        (BORIS, GUILD, HERE),
        (BORIS, None, THERE),
        (ANNA, None, HERE),
        (BORIS, GuildId(99), THERE),
        (CLARA, OTHER_GUILD, THERE),
        (CLARA, None, HERE),
    ],
)
def test_a_reader_sees_the_place_where_they_ask_and_else_their_own(
    user: UserId, guild: GuildId | None, channel: ChannelId
) -> None:
    match = a_match(HERE, away=away_place(THERE))
    assert match.for_reader(user, guild).channel == channel
    assert match.turn_around().for_reader(user, guild).channel == (THERE if (user, guild) == (CLARA, None) else channel)


def test_play_goes_on_wherever_it_is_looked_at_from() -> None:
    match = a_match(HERE, away=away_place(THERE))
    here, there = play_turn(match), play_turn(match.turn_around())
    assert there.look_from(away=False).events == here.events
    assert there.channel == THERE


async def test_every_version_is_posted_once_in_each_place(
    store: Database, relay: OutboxRelay, servers: Servers
) -> None:
    match = await begin(store)
    async with running(relay):
        await quiet(store)
        for _ in range(3):
            match = await save_match(store, play_turn(match))
            relay.note_match(match)
            await quiet(store)
    assert servers.posted == {HERE: [0, 1, 2, 3], THERE: [0, 1, 2, 3]}
    assert servers.previous == {HERE: [None, 1000, 1001, 1002], THERE: [None, 2000, 2001, 2002]}


@pytest.mark.parametrize(("closed", "open_"), [(HERE, THERE), (THERE, HERE)])
async def test_a_closed_place_does_not_keep_the_other_from_its_boards(
    store: Database, relay: OutboxRelay, servers: Servers, closed: ChannelId, open_: ChannelId
) -> None:
    servers.closed.add(closed)
    match = await begin(store)
    async with running(relay):
        for _ in range(3):
            await quiet(store)
            match = await save_match(store, play_turn(match))
            relay.note_match(match)
        match = await save_match(store, resign(match))
        relay.note_match(match)
        await quiet(store)
    assert servers.posted == {open_: [0, 1, 2, 3, 4]}
    [(told_in, notice)] = servers.noticed
    assert (told_in, notice.kind, notice.user) == (closed, NoticeKind.LOST, ANNA if closed == HERE else BORIS)


@pytest.mark.parametrize("slow", [HERE, THERE])
async def test_a_place_that_fails_for_a_while_holds_up_itself_alone(
    store: Database, relay: OutboxRelay, servers: Servers, slow: ChannelId
) -> None:
    servers.script[slow] = [RetryLater("503"), RetryLater("503")]
    match = await begin(store)
    await save_match(store, play_turn(match))
    async with running(relay):
        await quiet(store)
    assert servers.posted == {HERE: [0, 1], THERE: [0, 1]}


async def test_a_click_reserves_its_own_place(store: Database, relay: OutboxRelay, servers: Servers) -> None:
    match = await begin(store)
    async with running(relay):
        await quiet(store)
        async with relay.reserve(MatchPlace(match.id, away=True), patience=1) as held:
            assert held is not None
            after = await save_match(store, play_turn(match.turn_around()))
            held.version = after.version
            relay.note_match(after)
            await emptied(store, match)
        await quiet(store)
    assert servers.posted == {HERE: [0, 1], THERE: [0, 1]}


async def test_the_first_turn_begins_with_the_later_board(
    store: Database, relay: OutboxRelay, servers: Servers, clock: StoppedClock
) -> None:
    match = await begin(store)
    began = []
    for away in (False, True):
        now = clock.advance(1000)
        await relay.process(MatchPlace(match.id, away))
        began.append((await load_match(store, match.id)).clock.since == now)
    assert began == [True, True]
    assert servers.posted == {HERE: [0], THERE: [0]}


async def test_a_channel_that_is_gone_is_left_in_its_own_place(
    store: Database, relay: OutboxRelay, use_cases: UseCases, servers: Servers
) -> None:
    match = await begin(store)
    async with running(relay):
        await quiet(store)
        await use_cases.actions.leave_channel(THERE)
        relay.wake()
        await quiet(store)
    assert servers.posted == {HERE: [0], THERE: [0, 0]}
    assert match.version == 0


async def lose(store: Database, match: Match, *, away: bool) -> None:
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None, away=away), None)


@pytest.mark.parametrize(
    ("away", "user", "guild", "other"), [(False, ANNA, GUILD, OTHER_GUILD), (True, BORIS, OTHER_GUILD, GUILD)]
)
async def test_a_lost_place_is_found_again_on_its_own_server(
    store: Database, use_cases: UseCases, *, away: bool, user: UserId, guild: GuildId, other: GuildId
) -> None:
    match = await begin(store)
    await lose(store, match, away=away)
    with pytest.raises(Refused, match="other_server"):
        await use_cases.actions.relocate(match.id, user, other, ChannelId(77))
    opponent = BORIS if user == ANNA else ANNA
    with pytest.raises(Refused, match="has_a_channel"):
        await use_cases.actions.relocate(match.id, opponent, other, ChannelId(78))
    moved = await use_cases.actions.relocate(match.id, user, guild, ChannelId(77))
    assert (moved.channel, moved.guild, moved.is_turned) == (77, guild, away)


@pytest.mark.parametrize(("away", "user", "others"), [(False, ANNA, THERE), (True, BORIS, HERE)])
async def test_one_place_of_a_stranger_s_game_goes_on_in_direct_messages(
    store: Database, use_cases: UseCases, *, away: bool, user: UserId, others: ChannelId
) -> None:
    match = await begin(store, strangers=True)
    moved = await use_cases.actions.go_on_alone(match.id, user, ChannelId(77))
    assert (moved.channel, moved.guild, moved.is_turned) == (77, None, away)
    assert moved.away is not None
    assert moved.away.channel == others
    assert moved.clock == match.clock
    await lose(store, match, away=away)
    again = await use_cases.actions.relocate(match.id, user, None, ChannelId(78))
    assert (again.channel, again.guild) == (78, None)


async def test_a_game_of_two_servers_stays_on_them(store: Database, use_cases: UseCases) -> None:
    match = await begin(store)
    with pytest.raises(Refused, match="no_stranger_game"):
        await use_cases.actions.go_on_alone(match.id, ANNA, ChannelId(77))


async def test_a_game_of_two_servers_has_no_rematch(store: Database, use_cases: UseCases) -> None:
    match = await save_match(store, resign(await begin(store)))
    with pytest.raises(Refused, match="no_rematch"):
        await use_cases.challenges.rematch(match.id, ANNA, match.clock.since)


async def test_both_servers_hear_of_a_change(store: Database, use_cases: UseCases) -> None:
    heard: list[int | None] = []
    changed: Callable[[GuildId | None], object] = heard.append
    match = await begin(store)
    writer = use_cases.actions._writer
    writer.events.guild_changed.subscribe(changed)
    writer.publish(match)
    assert heard == [GUILD, OTHER_GUILD]


async def test_an_unknown_match_has_no_place(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="no_match"):
        await use_cases.matches.load(MatchPlace(MatchId(99), away=True))
