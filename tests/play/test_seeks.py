"""Strangers meet: a search finds a partner, both are called, and their game begins in the place of each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest

from play.challenge.terms import Terms, Window
from play.clock import Speed, parse_control
from play.community.ban import Ban
from play.community.conduct import MAX_STRIKES, MONTH_MILLIS, Conduct
from play.community.operator import RestrictionKind
from play.community.seek import (
    CALL_MILLIS,
    LIFETIME,
    RATED_AGAIN_MILLIS,
    WEEKLY_MILLIS,
    Seek,
    SeekCall,
    SeekId,
    SeekState,
)
from play.ids import (
    DAY,
    EPOCH,
    HOUR,
    MINUTE,
    SECOND,
    ChannelId,
    GuildId,
    IdempotencyKey,
    MatchId,
    MessageId,
    Millis,
    Platform,
    UserId,
    ids_since,
)
from play.match.match import Match
from play.people.settings import Block, ServerSettings
from play.refusal import Reason, Refused
from rules.registry import GAMES
from storage import Database
from tests.clock import StoppedClock
from tests.matches import ANNA, BORIS, CLARA, load_match
from tests.people import person
from tests.storage.test_role_rewards import Cloakroom
from use_cases import UseCases
from use_cases.barriers import MAX_BLOCKS
from use_cases.limits import Capacity
from use_cases.match_writer import automatic_key
from use_cases.privacy import Privacy
from use_cases.seeks import MAX_EXPIRED
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.call_settler import SETTLE_MILLIS, CallSettler
from use_cases.workers.matchmaker import LATE_MILLIS, MAX_SEEKS, Matchmaker, Posted
from use_cases.workers.role_sync import RoleSync

LIVE = Terms(GAMES["quick"], parse_control("10m+10s"))
DAYS = Terms(GAMES["quick"], parse_control("3d"))
HOME, AWAY = GuildId(7), GuildId(8)
DORA, ANNA_ELSEWHERE = person(104), UserId(ids_since(Platform.TELEGRAM, EPOCH)[101])
PLACES = {
    ANNA: (HOME, ChannelId(70)),
    BORIS: (AWAY, ChannelId(80)),
    CLARA: (None, ChannelId(90)),
    DORA: (None, ChannelId(91)),
    ANNA_ELSEWHERE: (None, ChannelId(92)),
}


class Display:
    """Notes who was called and what was settled. A channel may be closed, or fail for a while."""

    def __init__(self) -> None:
        self.calls: list[tuple[UserId, UserId]] = []
        self.settled: list[tuple[UserId, SeekState]] = []
        self.gone: set[ChannelId] = set()
        self.failing: set[ChannelId] = set()
        self.narrow: set[ChannelId] = set()
        """Channels in which no place opens."""
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        """Happens while the first call is posted."""

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        if self.meanwhile is not None:
            happen, self.meanwhile = self.meanwhile, None
            await happen()
        if seek.channel in self.failing:
            raise RetryLater("500")
        if seek.channel in self.gone:
            raise Undeliverable("404")
        self.calls.append((seek.user, opponent))
        return [Posted(seek.channel, MessageId(1000 * seek.id + len(self.calls)))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        if seek.channel in self.narrow:
            raise Undeliverable("404")
        return None if seek.guild is None or seek.call is None else ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        if call.channel in self.failing:
            raise RetryLater("500")
        if call.channel in self.gone:
            raise Undeliverable("404")
        assert call.told is not None
        self.settled.append((call.user, call.told))


@pytest.fixture
def display() -> Display:
    return Display()


@pytest.fixture
def matchmaker(store: Database, use_cases: UseCases, display: Display) -> Matchmaker:
    return Matchmaker(store, use_cases.seeks, use_cases.events, Capacity(), display, seeds=lambda: 4)


@pytest.fixture
def settler(store: Database, display: Display) -> CallSettler:
    return CallSettler(store, display)


async def settle(settler: CallSettler) -> None:
    for key in await settler.pending(50):
        await settler.process(key)


async def look(use_cases: UseCases, user: UserId, at: Millis, terms: Terms = LIVE, *, weekly: bool = False) -> Seek:
    guild, channel = PLACES[user]
    return await use_cases.seeks.look(user, guild, channel, terms, at, weekly=weekly)


async def round_of(matchmaker: Matchmaker) -> None:
    for key in await matchmaker.pending(50):
        await matchmaker.process(key)


async def reload(store: Database, *seeks: Seek) -> Sequence[Seek]:
    async with store.read() as reader:
        found = [await reader.seeks.get(seek.id) for seek in seeks]
    return [each for each in found if each is not None]


async def begin(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, terms: Terms = LIVE
) -> Match:
    """Has Anna and Boris meet; returns their match."""
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time, terms)
    await round_of(matchmaker)
    async with store.read() as reader:
        seeks = [*await reader.seeks.open_of(ANNA), *await reader.seeks.open_of(BORIS)]
    for seek in seeks:
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    await round_of(matchmaker)
    async with store.read() as reader:
        [entry] = await reader.matches.open_of(ANNA)
    return await load_match(store, entry.id)


async def test_both_are_called_and_the_game_begins_once_both_are_there(
    use_cases: UseCases,
    matchmaker: Matchmaker,
    settler: CallSettler,
    store: Database,
    clock: StoppedClock,
    display: Display,
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    assert display.calls == [(ANNA, BORIS), (BORIS, ANNA)]
    await use_cases.seeks.answer(anna.id, ANNA, clock.time)
    await round_of(matchmaker)
    await settle(settler)
    assert display.settled == []
    await use_cases.seeks.answer(boris.id, BORIS, clock.time)
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert one.match is not None
    assert one.match == other.match
    await settle(settler)
    assert display.settled == [(ANNA, SeekState.PLAYED), (BORIS, SeekState.PLAYED)]
    match = await load_match(store, one.match)
    assert (match.guild, match.parent) == (HOME, ChannelId(70))
    assert match.away is not None
    assert (match.away.guild, match.away.parent) == (AWAY, ChannelId(80))
    assert match.players[match.away.seat] == BORIS


async def test_over_days_the_game_begins_at_once(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, _ = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, BORIS, clock.time, DAYS)
    await round_of(matchmaker)
    [seek] = await reload(store, anna)
    assert seek.state is SeekState.PLAYED


async def test_a_game_in_direct_messages_has_no_thread_and_is_seen_from_there(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, clara = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, CLARA, clock.time, DAYS)
    await round_of(matchmaker)
    seek, _ = await reload(store, anna, clara)
    assert seek.match is not None
    match = await load_match(store, seek.match)
    assert match.away is not None
    assert (match.away.guild, match.away.channel, match.away.parent) == (None, ChannelId(90), None)
    assert match.for_reader(CLARA, None).channel == ChannelId(90)
    assert match.for_reader(ANNA, None).parent == ChannelId(70)


async def test_two_of_one_server_play_in_one_place_as_strangers(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna = await look(use_cases, ANNA, clock.time, DAYS)
    await use_cases.seeks.look(BORIS, HOME, ChannelId(71), DAYS, clock.time)
    await round_of(matchmaker)
    [seek] = await reload(store, anna)
    assert seek.match is not None
    match = await load_match(store, seek.match)
    assert (match.away, match.strangers) == (None, True)


async def test_who_is_called_and_not_there_is_out_of_it_and_the_other_looks_on(
    use_cases: UseCases,
    matchmaker: Matchmaker,
    settler: CallSettler,
    store: Database,
    clock: StoppedClock,
    display: Display,
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    await use_cases.seeks.answer(anna.id, ANNA, clock.time)
    clock.advance(CALL_MILLIS)
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert (one.state, one.since) == (SeekState.WAITING, anna.since)
    assert other.state is SeekState.MISSED
    await settle(settler)
    assert display.settled == [(ANNA, SeekState.WAITING), (BORIS, SeekState.MISSED)]


async def test_an_answer_after_the_call_or_by_another_user_is_refused(
    use_cases: UseCases, matchmaker: Matchmaker, clock: StoppedClock
) -> None:
    anna, _ = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    for user, later in ((BORIS, 0), (ANNA, CALL_MILLIS + 1)):
        with pytest.raises(Refused) as refused:
            await use_cases.seeks.answer(anna.id, user, Millis(clock.time + later))
        assert refused.value.key is Reason.SEEK_OVER


async def test_a_channel_that_is_gone_ends_the_search_of_its_player_alone(
    use_cases: UseCases,
    matchmaker: Matchmaker,
    settler: CallSettler,
    store: Database,
    clock: StoppedClock,
    display: Display,
) -> None:
    display.gone.add(ChannelId(80))
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert (one.state, other.state) == (SeekState.WAITING, SeekState.LEFT)
    await settle(settler)
    assert display.settled == [(ANNA, SeekState.WAITING)]


async def test_a_place_that_does_not_open_ends_the_search_of_its_player_alone(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    display.narrow.add(ChannelId(80))
    anna, boris = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, BORIS, clock.time, DAYS)
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.WAITING, SeekState.LEFT]


async def test_who_is_banned_as_the_game_begins_ends_no_search_of_the_other_one(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async def ban() -> None:
        async with store.write() as tx:
            await tx.bans.put(Ban(AWAY, BORIS, UserId(99), clock.time))

    display.meanwhile = ban
    anna, boris = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, BORIS, clock.time, DAYS)
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.WAITING, SeekState.LEFT]


async def test_over_days_a_player_whom_no_call_reaches_for_a_day_holds_nobody_up(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    display.failing = {ChannelId(80)}
    anna, boris = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, BORIS, clock.time, DAYS)
    with pytest.raises(RetryLater):
        await round_of(matchmaker)
    clock.advance(DAY)
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.WAITING, SeekState.LEFT]


async def test_a_user_has_one_search_a_speed_and_a_new_one_ends_it(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    first, days = await look(use_cases, ANNA, clock.time), await look(use_cases, ANNA, clock.time, DAYS)
    second = await look(use_cases, ANNA, clock.time)
    assert [each.state for each in await reload(store, first, days, second)] == [
        SeekState.LEFT,
        SeekState.WAITING,
        SeekState.WAITING,
    ]


async def test_who_leaves_is_not_paired_and_nobody_else_can_end_a_search(
    use_cases: UseCases, matchmaker: Matchmaker, clock: StoppedClock, display: Display
) -> None:
    anna, _ = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    with pytest.raises(Refused):
        await use_cases.seeks.leave(anna.id, BORIS)
    assert (await use_cases.seeks.leave(anna.id, ANNA)).state is SeekState.LEFT
    await round_of(matchmaker)
    assert display.calls == []


async def test_a_search_ends_after_its_time_and_a_weekly_one_goes_on(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    live, weekly = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time, DAYS, weekly=True)
    clock.advance(LIFETIME[DAYS.control.speed])
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, live, weekly)] == [SeekState.EXPIRED, SeekState.WAITING]


async def test_no_made_up_button_looks_for_a_live_game_for_good(use_cases: UseCases, clock: StoppedClock) -> None:
    with pytest.raises(Refused, match="old_button"):
        await look(use_cases, ANNA, clock.time, LIVE, weekly=True)


async def test_a_weekly_search_looks_again_a_week_after_its_game_began(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    await look(use_cases, ANNA, clock.time, DAYS, weekly=True)
    await look(use_cases, BORIS, clock.time, DAYS)
    await round_of(matchmaker)
    async with store.read() as reader:
        [again] = await reader.seeks.open_of(ANNA)
        assert await reader.seeks.waiting(DAYS.control.speed, clock.time, 9) == []
    assert again.since == clock.time + WEEKLY_MILLIS


async def test_a_weekly_search_ends_once_its_player_has_left_games(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    await look(use_cases, ANNA, clock.time, DAYS, weekly=True)
    for partner in (BORIS, CLARA, DORA):
        await look(use_cases, partner, clock.time, DAYS)
        await round_of(matchmaker)
        async with store.read() as reader:
            [entry] = await reader.matches.open_of(ANNA)
            is_looking = bool(await reader.seeks.open_of(ANNA))
        match = await load_match(store, entry.id)
        await use_cases.actions.abort(match.id, ANNA, clock.time, automatic_key(match))
        clock.advance(Millis(WEEKLY_MILLIS + DAY))
    assert not is_looking


async def test_two_who_have_met_meet_again_only_after_a_while(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    await use_cases.matches.resign(match.id, ANNA, clock.time, IdempotencyKey(5))
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    display.calls.clear()
    await round_of(matchmaker)
    assert display.calls == []
    clock.advance(HOUR + 1)
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    await round_of(matchmaker)
    assert len(display.calls) == 2


async def test_those_who_look_over_days_keep_no_live_search_waiting(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async with store.write() as tx:
        for number in range(MAX_SEEKS):
            terms = replace(DAYS, window=Window(number, number))
            user, made = UserId(10_000 + number), Millis(clock.time - DAY)
            await tx.seeks.add(Seek(SeekId(0), user, None, ChannelId(user), terms, made, made, weekly=True))
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    await round_of(matchmaker)
    assert display.calls == [(ANNA, BORIS), (BORIS, ANNA)]


async def test_a_pair_that_has_yet_to_answer_comes_after_one_that_is_not_called(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, _ = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    clock.advance(SECOND)
    clara, _ = await look(use_cases, CLARA, clock.time), await look(use_cases, DORA, clock.time)
    assert await matchmaker.pending(1) == [clara.id]
    await round_of(matchmaker)
    assert await matchmaker.pending(2) == [anna.id, clara.id]


async def test_who_has_blocked_the_other_does_not_meet_them(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async with store.write() as tx:
        await tx.blocks.add(Block(BORIS, ANNA), clock.time)
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    await round_of(matchmaker)
    assert display.calls == []


async def test_two_who_meet_again_within_a_week_play_unrated(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    rated = []
    for wait in (0, 2 * DAY, RATED_AGAIN_MILLIS):
        clock.advance(Millis(wait))
        match = await begin(use_cases, matchmaker, store, clock, replace(DAYS, rated=True))
        async with store.read() as reader:
            offers = await reader.challenges.of_matches([match.id])
        rated.append(offers[match.id].terms.rated)
        await use_cases.matches.resign(match.id, ANNA, clock.time, IdempotencyKey(-match.id))
    assert rated == [True, False, True]


async def test_two_accounts_of_one_person_do_not_meet(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async with store.write() as tx:
        await tx.own_accounts.join("anna", [ANNA, ANNA_ELSEWHERE])
    for user in (ANNA, ANNA_ELSEWHERE):
        await look(use_cases, user, clock.time)
    await round_of(matchmaker)
    assert display.calls == []


async def test_two_who_have_met_do_not_meet_sooner_by_another_account(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async with store.write() as tx:
        await tx.own_accounts.join("anna", [ANNA, ANNA_ELSEWHERE])
    match = await begin(use_cases, matchmaker, store, clock)
    await use_cases.matches.resign(match.id, ANNA, clock.time, IdempotencyKey(5))
    display.calls.clear()
    for user in (ANNA_ELSEWHERE, BORIS):
        await look(use_cases, user, clock.time)
    await round_of(matchmaker)
    assert display.calls == []


async def test_strikes_and_reports_count_for_all_accounts_of_a_person(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    await use_cases.seeks.report(match.id, BORIS, clock.time)
    await use_cases.actions.abort(match.id, ANNA, clock.time, automatic_key(match))
    async with store.write() as tx:
        await tx.own_accounts.join("anna", [ANNA, ANNA_ELSEWHERE])
        conduct = await tx.seeks.conduct([ANNA_ELSEWHERE, BORIS], clock.time)
    assert conduct == {ANNA_ELSEWHERE: Conduct(1, 1, 1, 1), BORIS: Conduct(1)}


async def test_a_report_is_noted_once_and_blocks(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    for _ in range(2):
        await use_cases.seeks.report(match.id, ANNA, clock.time)
    assert await use_cases.blocks.load(ANNA) == [BORIS]
    async with store.read() as reader:
        conduct = await reader.seeks.conduct([ANNA, BORIS], clock.time)
    assert (conduct[ANNA].reported, conduct[BORIS].reported) == (0, 1)
    with pytest.raises(Refused) as refused:
        await use_cases.seeks.report(match.id, CLARA, clock.time)
    assert refused.value.key is Reason.NO_STRANGER_GAME


async def test_who_can_block_nobody_more_reports_all_the_same(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    async with store.write() as tx:
        for number in range(MAX_BLOCKS):
            await tx.blocks.add(Block(ANNA, UserId(700 + number)), clock.time)
    with pytest.raises(Refused, match="too_many_blocks"):
        await use_cases.seeks.report(match.id, ANNA, clock.time)
    async with store.read() as reader:
        assert await reader.seeks.is_reported(match.id, ANNA)


async def test_an_abandoned_game_and_a_missed_call_are_strikes(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    await use_cases.actions.abort(match.id, BORIS, clock.time, automatic_key(match))
    clock.advance(2 * HOUR)
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    await use_cases.seeks.answer(anna.id, ANNA, clock.time)
    clock.advance(CALL_MILLIS)
    await round_of(matchmaker)
    assert boris.state is SeekState.WAITING
    async with store.read() as reader:
        conduct = await reader.seeks.conduct([ANNA, BORIS], clock.time)
        later = await reader.seeks.conduct([BORIS], Millis(clock.time + 8 * DAY))
    assert (conduct[ANNA].strikes, conduct[BORIS].strikes, conduct[BORIS].games) == (0, 2, 1)
    assert (conduct[BORIS].strikes_of_week, later[BORIS].strikes_of_week, later[BORIS].strikes) == (2, 0, 2)


async def test_a_deletion_takes_no_strike_and_no_block_back_for_a_month(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    match = await begin(use_cases, matchmaker, store, clock)
    await use_cases.seeks.report(match.id, ANNA, clock.time)
    await use_cases.actions.abort(match.id, BORIS, clock.time, automatic_key(match))
    async with store.read() as reader:
        before = await reader.seeks.conduct([BORIS], clock.time)
    privacy = Privacy(use_cases, RoleSync(store, Cloakroom()))
    for _ in range(2):  # the second one has nothing to add
        await privacy.forget(BORIS, clock.time)
        clock.advance(HOUR)
    month = Millis(clock.time - 2 * HOUR + MONTH_MILLIS)
    async with store.read() as reader:
        assert before[BORIS] == Conduct(1, 1, 1, 1)
        assert await reader.seeks.conduct([BORIS], clock.time) == before
        later = (await reader.seeks.conduct([BORIS], Millis(month - 1)))[BORIS]
        assert later == Conduct(1, 1)
        assert await reader.blocks.among([ANNA, BORIS]) == [Block(ANNA, BORIS)]
        assert (await reader.seeks.conduct([BORIS], month))[BORIS] == Conduct()
    await use_cases.seeks.expire(Millis(month - 1))
    async with store.read() as reader:
        assert "past_conduct" in await reader.privacy.export(BORIS)
    await use_cases.seeks.expire(month)
    async with store.read() as reader:
        assert await reader.privacy.export(BORIS) == {}


async def test_who_misses_call_after_call_is_out_for_a_week(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    for _ in range(MAX_STRIKES):
        clock.advance(HOUR)
        anna, _ = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
        clock.advance(4 * MINUTE)  # the later they come, the later they are paired
        await round_of(matchmaker)
        await use_cases.seeks.answer(anna.id, ANNA, clock.time)
        clock.advance(CALL_MILLIS)
        await round_of(matchmaker)
    with pytest.raises(Refused) as refused:
        await look(use_cases, BORIS, clock.time)
    assert refused.value.key is Reason.SEEK_OUT
    await look(use_cases, BORIS, Millis(clock.time + 7 * DAY))


async def test_a_server_and_the_operator_can_say_no(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(HOME, strangers=False))
    with pytest.raises(Refused) as refused:
        await look(use_cases, ANNA, clock.time)
    assert refused.value.key is Reason.NO_STRANGERS
    await use_cases.operator.close_strangers("ada")
    with pytest.raises(Refused) as refused:
        await look(use_cases, BORIS, clock.time)
    assert refused.value.key is Reason.STRANGERS_CLOSED
    await use_cases.operator.lift("ada", RestrictionKind.STRANGERS)
    await look(use_cases, BORIS, clock.time)


async def test_the_usual_wait_is_told_by_the_searches_of_that_hour(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    clock.time = Millis(20_000 * DAY + 12 * HOUR)
    for day in range(5):
        clock.time = Millis((20_000 + day) * DAY + 12 * HOUR)
        await look(use_cases, ANNA, clock.time, DAYS)
        clock.advance(4 * MINUTE)
        await look(use_cases, BORIS, clock.time, DAYS)
        await round_of(matchmaker)
    await look(use_cases, CLARA, clock.time, replace(DAYS, rated=True))
    [outlook] = await use_cases.seeks.outlooks(CLARA)
    assert (outlook.others, outlook.usually) == (0, 2 * MINUTE)
    clock.advance(6 * HOUR)
    assert [each.usually for each in await use_cases.seeks.outlooks(CLARA)] == [None]


async def test_no_two_processes_begin_two_games_of_a_pair(
    use_cases: UseCases, store: Database, clock: StoppedClock, display: Display
) -> None:
    makers = [Matchmaker(store, use_cases.seeks, use_cases.events, Capacity(), display, lambda: 4) for _ in range(2)]
    anna, _ = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, BORIS, clock.time, DAYS)
    [key] = await makers[0].pending(50)
    assert await makers[1].pending(50) == [key]
    for maker in makers:
        await maker.process(key)
    async with store.read() as reader:
        assert len(await reader.matches.open_of(ANNA)) == 1
    [seek] = await reload(store, anna)
    assert seek.match == MatchId(1)


async def test_a_call_that_comes_late_leaves_its_time_to_answer_and_is_no_strike(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    display.failing = {ChannelId(80)}
    with pytest.raises(RetryLater):
        await round_of(matchmaker)
    clock.advance(Millis(CALL_MILLIS + 1))
    display.failing.clear()
    await round_of(matchmaker)
    clock.advance(Millis(CALL_MILLIS - 1))
    for seek in (anna, boris):
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.PLAYED] * 2


async def test_a_player_whom_no_call_reaches_for_minutes_holds_nobody_up(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    display.failing = {ChannelId(80)}
    with pytest.raises(RetryLater):
        await round_of(matchmaker)
    clock.advance(Millis(2 * MINUTE))
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert (one.state, other.state) == (SeekState.WAITING, SeekState.LEFT)


async def test_who_is_banned_meanwhile_is_not_called_and_the_other_one_looks_on(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    async with store.write() as tx:
        await tx.bans.put(Ban(AWAY, BORIS, UserId(99), clock.time))
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert (one.state, other.state) == (SeekState.WAITING, SeekState.LEFT)
    assert display.calls == []


async def test_a_server_that_says_no_meanwhile_gets_no_game(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(AWAY, strangers=False))
    for seek in (anna, boris):
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    await round_of(matchmaker)
    one, other = await reload(store, anna, boris)
    assert (one.state, other.state) == (SeekState.WAITING, SeekState.LEFT)


async def test_once_the_operator_has_closed_the_search_nobody_who_waits_is_called(
    use_cases: UseCases, matchmaker: Matchmaker, clock: StoppedClock, display: Display
) -> None:
    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    await use_cases.operator.close_strangers("ada")
    await round_of(matchmaker)
    assert display.calls == []


@pytest.mark.parametrize("gone", [ANNA, BORIS])
async def test_a_player_who_deletes_their_data_while_called_leaves_the_other_one_looking(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, gone: UserId
) -> None:
    seeks = {user: await look(use_cases, user, clock.time) for user in (ANNA, BORIS)}
    await round_of(matchmaker)
    async with store.write() as tx:
        await tx.privacy.forget(gone)
    await round_of(matchmaker)
    [left] = await reload(store, *seeks.values())
    assert (left.user != gone, left.state) == (True, SeekState.WAITING)


async def test_a_call_that_is_posted_after_its_player_has_deleted_their_data_is_not_noted(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    async def forget() -> None:
        async with store.write() as tx:
            await tx.privacy.forget(ANNA)

    for user in (ANNA, BORIS):
        await look(use_cases, user, clock.time)
    display.meanwhile = forget
    await round_of(matchmaker)
    async with store.read() as reader:
        assert await reader.seeks.call(MessageId(1001)) is None
        assert await reader.privacy.export(ANNA) == {}


async def test_a_process_that_was_frozen_in_a_call_does_not_note_it_in_the_next_meeting(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    other = Matchmaker(store, use_cases.seeks, use_cases.events, Capacity(), Display(), seeds=lambda: 4)

    async def part_and_meet_again() -> None:
        async with store.write() as tx:
            await tx.bans.put(Ban(AWAY, BORIS, UserId(99), clock.time))
        await round_of(other)
        await look(use_cases, CLARA, clock.time)
        clock.advance(SECOND)
        await other.pending(50)

    anna = await look(use_cases, ANNA, clock.time)
    await look(use_cases, BORIS, clock.time)
    display.meanwhile = part_and_meet_again
    await round_of(matchmaker)
    [seek] = await reload(store, anna)
    assert (seek.state, seek.call, seek.met) == (SeekState.CALLED, None, clock.time)


async def test_after_an_outage_nobody_is_called_whose_time_is_over(
    use_cases: UseCases, matchmaker: Matchmaker, clock: StoppedClock, display: Display
) -> None:
    async with asyncio.TaskGroup() as group:
        for number in range(MAX_EXPIRED + 2):
            user = person(500 + number)
            group.create_task(use_cases.seeks.look(user, None, ChannelId(user), LIVE, clock.time))
    clock.advance(LIFETIME[Speed.LIVE])
    await round_of(matchmaker)
    assert display.calls == []


async def test_a_call_that_ends_while_no_process_runs_is_no_strike_and_both_look_on(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    clock.advance(Millis(CALL_MILLIS + LATE_MILLIS))
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.WAITING] * 2


async def test_after_an_outage_of_a_night_no_live_game_begins(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    for seek in (anna, boris):
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    clock.advance(Millis(9 * HOUR))
    for _ in range(2):
        await round_of(matchmaker)
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.EXPIRED] * 2


async def test_who_sat_down_in_the_evening_has_no_live_game_in_the_morning(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    anna = await look(use_cases, ANNA, clock.time)
    boris = await use_cases.open_seats.sit(anna.id, BORIS, *PLACES[BORIS])
    clock.advance(Millis(9 * HOUR))
    for _ in range(2):
        await round_of(matchmaker)
    assert display.calls == []
    assert [each.state for each in await reload(store, anna, boris)] == [SeekState.EXPIRED] * 2


async def play(use_cases: UseCases, matchmaker: Matchmaker, clock: StoppedClock) -> None:
    """Has Anna and Boris look, be called, answer and begin."""
    seeks = [await look(use_cases, user, clock.time) for user in (ANNA, BORIS)]
    await round_of(matchmaker)
    for seek in seeks:
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    await round_of(matchmaker)


async def test_a_call_that_the_chat_does_not_take_is_settled_later(
    use_cases: UseCases, matchmaker: Matchmaker, settler: CallSettler, clock: StoppedClock, display: Display
) -> None:
    await play(use_cases, matchmaker, clock)
    display.failing = {ChannelId(70)}
    keys = await settler.pending(50)
    with pytest.raises(RetryLater):
        await settler.process(keys[0])
    await settler.process(keys[1])
    assert display.settled == [(BORIS, SeekState.PLAYED)]
    display.failing.clear()
    await settle(settler)
    assert display.settled == [(BORIS, SeekState.PLAYED), (ANNA, SeekState.PLAYED)]
    assert await settler.pending(50) == []


async def test_a_call_whose_channel_is_gone_is_not_tried_again(
    use_cases: UseCases, matchmaker: Matchmaker, settler: CallSettler, clock: StoppedClock, display: Display
) -> None:
    await play(use_cases, matchmaker, clock)
    display.gone = {ChannelId(70)}
    await settle(settler)
    assert await settler.pending(50) == []


async def test_a_call_that_the_chat_never_takes_is_tried_for_a_day(
    use_cases: UseCases, matchmaker: Matchmaker, settler: CallSettler, clock: StoppedClock, display: Display
) -> None:
    await play(use_cases, matchmaker, clock)
    display.failing = {ChannelId(70), ChannelId(80)}
    clock.advance(Millis(SETTLE_MILLIS + 1))
    await settle(settler)
    assert await settler.pending(50) == []


async def test_a_process_that_ends_between_call_and_game_leaves_both_to_the_next_one(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    anna, boris = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    for seek in (anna, boris):
        await use_cases.seeks.answer(seek.id, seek.user, clock.time)
    following = Matchmaker(store, use_cases.seeks, use_cases.events, Capacity(), display, lambda: 4)
    await round_of(following)
    one, other = await reload(store, anna, boris)
    assert (one.match, other.match) == (MatchId(1), MatchId(1))
    assert len(display.calls) == 2


async def test_the_computer_leaves_without_a_trace_when_the_opponent_is_there(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    computer = UserId(999)
    small = Terms(GAMES["quick"], parse_control("3d"), level=1)
    offer = await use_cases.challenges.challenge(ANNA, computer, HOME, ChannelId(70), small, clock.time)
    meanwhile = offer.match or (await use_cases.challenges.accept(offer.id, computer, clock.time))[1].id  # type: ignore[union-attr]
    seek = await look(use_cases, ANNA, clock.time)
    await use_cases.seeks.play_meanwhile(seek.id, ANNA, meanwhile)
    await look(use_cases, BORIS, clock.time)
    await round_of(matchmaker)
    async with store.read() as reader:
        called = [*await reader.seeks.open_of(ANNA), *await reader.seeks.open_of(BORIS)]
    assert (await load_match(store, meanwhile)).outcome is None
    for each in called:
        await use_cases.seeks.answer(each.id, each.user, clock.time)
    await round_of(matchmaker)
    ended = await load_match(store, meanwhile)
    assert ended.outcome is not None
    assert ended.outcome.reason == "called_off"
    async with store.read() as reader:
        assert await reader.careers.count_quits(ANNA, Millis(0)) == 0
        assert await reader.careers.count_completed(ANNA) == 0
