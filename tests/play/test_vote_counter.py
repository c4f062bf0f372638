"""The counter closes votes when their time is over, and plays what most are for."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.clock.schedule import UTC, ClockSchedule, parse_night
from play.community.ban import Ban
from play.ids import MatchId, Millis, UserId
from play.match.events import OfferKind
from play.match.match import Match
from play.votes import ARRIVAL_MILLIS, COUNTING_MILLIS, LONGER, MAX_LONGER_MILLIS, Choice, Side, closing, missed
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND, StoppedClock
from tests.matches import BORIS, GUILD, discard_boards, pass_time
from tests.play.naps import Naps, running
from tests.votes import AWAY, PERIOD, a_counter, a_game, a_member, a_side, begin, cast, new_key
from use_cases import UseCases
from use_cases.votes import CHANGING_MILLIS
from use_cases.workers.vote_counter import VoteCounter

FIRST = PERIOD + ARRIVAL_MILLIS
LAST = 2 * PERIOD - COUNTING_MILLIS + ARRIVAL_MILLIS


@pytest.fixture
def counter(use_cases: UseCases) -> VoteCounter:
    return a_counter(use_cases)


async def load(use_cases: UseCases, match: Match) -> Match:
    return await use_cases.matches.load(match.id)


async def begin_shown(use_cases: UseCases, *, quorum: int = 1) -> tuple[Match, Side]:
    """Begins a game whose first board is posted, so that its flag can fall."""
    match, (side,) = await begin(use_cases, a_game(a_side(quorum=quorum)))
    async with use_cases.store.write() as tx:
        await discard_boards(tx, match.id)
    return match, side


async def begin_known(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter, *, quorum: int = 1
) -> tuple[Match, Side]:
    """Begins a game, and plays its first turns: a day in which it shows how many come."""
    match, side = await begin_shown(use_cases, quorum=quorum)
    for user in range(110, 110 + quorum):
        await cast(use_cases, match.id, user=user)
    await pass_time(store, clock, FIRST)
    await counter.poll()
    moved = await use_cases.matches.move(match.id, BORIS, "a2", clock(), new_key())
    async with store.write() as tx:
        await discard_boards(tx, match.id)
    return moved, side


async def test_the_move_with_the_most_votes_is_played_when_the_time_is_over(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin(use_cases)
    for user, text in ((101, "a1"), (104, "a2"), (105, "a2")):
        await cast(use_cases, match.id, text, user)
    await pass_time(store, clock, FIRST - 1)
    await counter.poll()
    assert (await load(use_cases, match)).moves == ()
    await pass_time(store, clock, 1)
    await counter.poll()
    played = await load(use_cases, match)
    assert [str(move.text).lower() for move in played.moves] == ["a2"]
    assert (played.moves[0].at, played.moves[0].is_automatic) == (NOON + FIRST, True)


async def test_a_vote_without_a_quorum_goes_on_once(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_shown(use_cases, quorum=3)
    await cast(use_cases, match.id)
    told: list[MatchId] = []
    use_cases.events.votes_changed.subscribe(told.append)
    await pass_time(store, clock, FIRST)
    await counter.poll()
    assert told == [match.id]
    async with store.read() as reader:
        assert await reader.votes.next_look() == NOON + LAST
    assert (await load(use_cases, match)).moves == ()
    await cast(use_cases, match.id, "a3", 104, at=clock())
    await pass_time(store, clock, LAST - FIRST)
    await counter.poll()
    assert len((await load(use_cases, match)).moves) == 1


async def test_each_turn_has_a_first_vote_of_its_own(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_shown(use_cases)
    await counter.poll()
    await pass_time(store, clock, FIRST)
    await counter.poll()
    await cast(use_cases, match.id, at=clock())
    await pass_time(store, clock, LAST - FIRST)
    await counter.poll()
    moved = await use_cases.matches.move(match.id, BORIS, "a2", clock(), new_key())
    (side,) = await use_cases.votes.sides_of(match.id)
    assert side.prolonged == 0
    assert closing(moved, side) == moved.clock.when_left(PERIOD)


async def test_silence_brings_a_longer_vote_then_an_offer_of_a_draw_and_then_the_flag(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, side = await begin_shown(use_cases)
    await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    await use_cases.matches.move(match.id, BORIS, "a2", NOON, new_key())
    longer = min(LONGER * PERIOD, MAX_LONGER_MILLIS)
    found = []
    for step in (FIRST, LAST - FIRST, longer, longer):
        await pass_time(store, clock, step)
        await counter.poll()
        await use_cases.clocks.flag_overdue()
        seen = await load(use_cases, match)
        found.append((missed(seen, side.seat), seen.offer(OfferKind.DRAW) is not None, seen.outcome is not None))
    assert found == [(0, False, False), (1, False, False), (2, True, False), (2, True, False)]
    await pass_time(store, clock, COUNTING_MILLIS + SECOND)
    await counter.poll()
    await use_cases.clocks.flag_overdue()
    over = await load(use_cases, match)
    assert over.outcome is not None
    assert (over.outcome.reason, over.outcome.winners) == ("time", (over.seat_of(BORIS),))


async def test_who_votes_after_silence_decides_a_period_later(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_shown(use_cases, quorum=3)
    for step in (FIRST, LAST - FIRST, SECOND):
        await pass_time(store, clock, step)
        await counter.poll()
    await cast(use_cases, match.id, at=clock())
    for step, moves in ((PERIOD - SECOND, 0), (SECOND, 1)):
        await pass_time(store, clock, step)
        await counter.poll()
        assert len((await load(use_cases, match)).moves) == moves


async def test_an_undecided_vote_of_before_the_silence_closes_no_longer_vote_early(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    """Those who come after a missed vote have a period, though one alone has voted to resign in it."""
    match, side = await begin_shown(use_cases, quorum=3)
    await cast(use_cases, match.id, choice=Choice.RESIGN)
    for step in (FIRST, LAST - FIRST):
        await pass_time(store, clock, step)
        await counter.poll()
    assert missed(await load(use_cases, match), side.seat) == 1
    await cast(use_cases, match.id, "a3", 104, at=clock())
    for step, moves in ((PERIOD - SECOND, 0), (SECOND, 1)):
        await pass_time(store, clock, step)
        await counter.poll()
        assert len((await load(use_cases, match)).moves) == moves


async def test_a_vote_closes_when_all_have_voted_who_voted_about_the_last_turns(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_shown(use_cases, quorum=2)
    for user in (101, 104):
        await cast(use_cases, match.id, user=user)
    await pass_time(store, clock, MINUTE + SECOND)
    await counter.poll()
    assert (await load(use_cases, match)).moves == ()  # in the first turn nobody knows who will come
    await pass_time(store, clock, FIRST)
    await counter.poll()
    moved = await use_cases.matches.move(match.id, BORIS, "a2", clock(), new_key())
    for user, wait, moves in ((105, PERIOD // 2, 2), (101, MINUTE, 2), (104, MINUTE - SECOND, 2), (104, MINUTE, 3)):
        await cast(use_cases, moved.id, "a3", user, at=clock())
        await pass_time(store, clock, wait)
        await counter.poll()
        assert len((await load(use_cases, match)).moves) == moves, (user, wait)


async def test_one_vote_ends_no_game_in_a_quiet_turn(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    """A member who is alone in a turn doesn't resign for all, nor agree to the opponent's draw."""
    match, side = await begin_shown(use_cases, quorum=3)
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, NOON, new_key())
    for choice in (Choice.RESIGN, Choice.DRAW):
        await cast(use_cases, match.id, user=101, choice=choice, at=clock())
        for step in (FIRST, LAST - FIRST):
            await pass_time(store, clock, step)
            await counter.poll()
        quiet = await load(use_cases, match)
        assert (quiet.outcome, quiet.to_act) == (None, side.seat)


@pytest.mark.parametrize("choice", [Choice.RESIGN, Choice.DRAW])
async def test_three_members_end_no_game_in_its_first_day(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter, choice: Choice
) -> None:
    """It may have begun at night: nobody knows yet how many come."""
    match, _ = await begin_shown(use_cases, quorum=3)
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, NOON, new_key())
    for user in (101, 104, 105):
        await cast(use_cases, match.id, user=user, choice=choice)
    for step in (FIRST, LAST - FIRST):
        await pass_time(store, clock, step)
        await counter.poll()
    seen = await load(use_cases, match)
    assert (seen.outcome, seen.moves) == (None, ())


async def test_half_of_the_usual_turnout_ends_a_game(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_shown(use_cases)
    for user in (101, *range(104, 109)):
        await cast(use_cases, match.id, user=user)
    await pass_time(store, clock, FIRST)
    await counter.poll()
    moved = await use_cases.matches.move(match.id, BORIS, "a2", clock(), new_key())
    for users, is_over in (((101, 104), False), ((105,), True)):
        for user in users:
            await cast(use_cases, moved.id, user=user, choice=Choice.RESIGN, at=clock())
        await pass_time(store, clock, FIRST if not is_over else LAST - FIRST)
        await counter.poll()
        assert ((await load(use_cases, match)).outcome is not None) is is_over


async def test_a_downtime_does_not_shorten_a_vote(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin(use_cases)
    await cast(use_cases, match.id)
    await use_cases.clocks.record_heartbeat()
    clock.advance(PERIOD)
    await use_cases.clocks.record_heartbeat()
    await counter.poll()
    assert (await load(use_cases, match)).moves == ()
    await pass_time(store, clock, FIRST)
    await counter.poll()
    assert len((await load(use_cases, match)).moves) == 1


async def test_the_vote_of_a_member_who_was_banned_since_does_not_count(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin(use_cases)
    for user, text in ((101, "a1"), (104, "a2"), (105, "a1")):
        await cast(use_cases, match.id, text, user)
    for user in (101, 105):
        await use_cases.bans.ban(Ban(GUILD, UserId(user), UserId(999), NOON))
    await pass_time(store, clock, FIRST)
    await counter.poll()
    assert (await load(use_cases, match)).moves[0].text.lower() == "a2"


async def test_two_counters_play_a_turn_once(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match, _ = await begin(use_cases)
    await cast(use_cases, match.id)
    await pass_time(store, clock, FIRST)
    for counter in (a_counter(use_cases), a_counter(use_cases)):
        await counter.process(match.id)
        await counter.process(match.id)
    assert (await load(use_cases, match)).version == 1


async def test_a_count_goes_on_after_the_process_has_died_in_it(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match, (side,) = await begin(use_cases)
    await cast(use_cases, match.id)
    await pass_time(store, clock, FIRST)
    assert await use_cases.votes.settle(match, side)
    await a_counter(use_cases).poll()
    assert (await load(use_cases, match)).version == 1


async def test_both_sides_play_in_turn(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin(use_cases, a_game(second=a_side(AWAY)))
    for turn, voter in enumerate((a_member(101), a_member(201, AWAY), a_member(104))):
        await cast(use_cases, match.id, f"a{turn + 1}", voter=voter, at=clock())
        await pass_time(store, clock, FIRST)
        await counter.poll()
    assert [move.text.lower() for move in (await load(use_cases, match)).moves] == ["a1", "a2", "a3"]


async def test_two_thirds_resign(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_known(use_cases, store, clock, counter)
    for user in (101, 104):
        await cast(use_cases, match.id, user=user, choice=Choice.RESIGN, at=clock())
    await cast(use_cases, match.id, text="a3", user=105, at=clock())
    await pass_time(store, clock, FIRST)
    await counter.poll()
    over = await load(use_cases, match)
    assert over.outcome is not None
    assert over.outcome.reason == "resign"
    async with store.read() as reader:
        assert await reader.votes.count_open(GUILD) == 0


async def test_two_thirds_agree_to_a_draw(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_known(use_cases, store, clock, counter)
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, clock(), new_key())
    for user in (101, 104):
        await cast(use_cases, match.id, user=user, choice=Choice.DRAW, at=clock())
    await cast(use_cases, match.id, text="a3", user=105, at=clock())
    await pass_time(store, clock, FIRST)
    await counter.poll()
    over = await load(use_cases, match)
    assert over.outcome is not None
    assert over.outcome.reason == "draw"


async def test_a_draw_is_offered_after_the_move(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, side = await begin_known(use_cases, store, clock, counter)
    for user in (101, 104):
        await cast(use_cases, match.id, user=user, choice=Choice.DRAW, at=clock())
    await cast(use_cases, match.id, text="a3", user=105, at=clock())
    await pass_time(store, clock, FIRST)
    await counter.poll()
    offered = await load(use_cases, match)
    offer = offered.offer(OfferKind.DRAW)
    assert offer is not None
    assert (offer.seat, len(offered.moves), offered.version) == (side.seat, 3, 4)
    await use_cases.actions.disagree(match.id, BORIS, OfferKind.DRAW, clock(), new_key())
    await counter.poll()
    assert (await load(use_cases, match)).version == 5
    async with store.read() as reader:
        assert await reader.votes.to_look_at(clock(), 50) == []


async def test_a_draw_needs_a_quorum_to_be_offered(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, _ = await begin_known(use_cases, store, clock, counter, quorum=4)
    for user in (101, 104):
        await cast(use_cases, match.id, user=user, choice=Choice.DRAW, at=clock())
    await cast(use_cases, match.id, text="a3", user=105, at=clock())
    await pass_time(store, clock, FIRST)
    await counter.poll()
    assert (await load(use_cases, match)).version == 2
    await pass_time(store, clock, LAST - FIRST)
    await counter.poll()
    moved = await load(use_cases, match)
    assert (len(moved.moves), moved.version) == (3, 3)


async def test_a_draw_without_a_move_is_offered_while_the_vote_goes_on(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    match, side = await begin_known(use_cases, store, clock, counter)
    await cast(use_cases, match.id, choice=Choice.DRAW, at=clock())
    await pass_time(store, clock, FIRST)
    await counter.poll()
    offered = await load(use_cases, match)
    assert offered.offer(OfferKind.DRAW) is not None
    assert offered.to_act == side.seat
    await cast(use_cases, match.id, "a3", at=clock())
    await pass_time(store, clock, LAST - FIRST)
    await counter.poll()
    assert len((await load(use_cases, match)).moves) == 3


async def test_a_vote_in_which_all_have_voted_waits_for_the_morning(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    nights = ClockSchedule(UTC, parse_night("20-8"))
    match, _ = await begin(use_cases, a_game(replace(a_side(), schedule=nights)))
    await cast(use_cases, match.id)
    await pass_time(store, clock, FIRST + DAY)  # a day without its two nights
    await counter.poll()
    await use_cases.matches.move(match.id, BORIS, "a3", clock(), new_key())
    night = nights.stopped_spans(clock(), Millis(clock() + DAY))[0]
    await pass_time(store, clock, night.start + HOUR - clock())
    await cast(use_cases, match.id, "a2", at=clock())
    await counter.poll()
    assert len((await load(use_cases, match)).moves) == 2
    await pass_time(store, clock, night.end + CHANGING_MILLIS - clock())
    await counter.poll()
    assert len((await load(use_cases, match)).moves) == 3


async def test_a_counter_sleeps_until_a_vote_is_over(
    use_cases: UseCases, store: Database, clock: StoppedClock, counter: VoteCounter
) -> None:
    await begin(use_cases)
    await counter.poll()
    assert counter.pause() == 5
    await pass_time(store, clock, FIRST - 3 * SECOND)
    await counter.poll()
    assert counter.pause() == 3


async def test_the_counter_wakes_at_a_new_version_and_when_a_vote_is_over(
    use_cases: UseCases, store: Database, clock: StoppedClock, naps: Naps
) -> None:
    counter = VoteCounter(store, use_cases.votes, use_cases.matches, use_cases.actions, naps.timing)
    played = asyncio.Event()

    def note(match: Match) -> None:
        counter.note_match(match)
        if match.moves:
            played.set()

    use_cases.events.match_changed.subscribe(note)
    async with running(counter):
        match, _ = await begin(use_cases)
        await cast(use_cases, match.id)
        await pass_time(store, clock, FIRST)
        counter.wake()
        await played.wait()
    assert len((await load(use_cases, match)).moves) == 1
