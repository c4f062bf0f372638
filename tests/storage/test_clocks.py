"""Clocks that are wrong, and processes that are frozen: no player loses by either, on any engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.clock.schedule import Span
from play.ids import ChallengeId, ChannelId, IdempotencyKey, Millis
from play.match.match import Match
from play.match.moves import FLAG_GRACE, move
from storage import Database, schema
from storage.downtimes import downtimes_since
from storage.statements import Statements
from storage.steady_clock import DOUBT_MILLIS, MAX_STEP_MILLIS
from storage.unit_of_work import Transaction
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND, Machine, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, a_match, add_shown_match, load_match, pass_time, save_match
from tests.same_database import SameDatabase
from use_cases import UseCases
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS
from use_cases.workers.deadline_scheduler import HEARTBEAT_SECONDS

BEAT = int(HEARTBEAT_SECONDS * 1000)
FROZEN = 24 * SECOND
JUMP = 7 * SECOND
"""The time for which the clock is an hour ahead."""


class Host:
    """A process on a machine of its own, or on the same one as another process."""

    def __init__(self, store: Database, machine: Machine) -> None:
        self.store, self.machine = store, machine
        self.use_cases = UseCases.over(store, seeds=lambda: 4)

    async def works(self, duration: int) -> None:
        """Lets so much time pass, with a heartbeat now and then."""
        await self.use_cases.clocks.record_heartbeat()
        while duration > 0:
            self.machine.pass_time(min(BEAT, duration))
            duration -= BEAT
            await self.use_cases.clocks.record_heartbeat()

    async def works_on(self, duration: int) -> None:
        """Lets so much time pass at once, as if there had been heartbeats all the time."""
        await self.use_cases.clocks.record_heartbeat()
        async with self.store.write() as tx:
            self.machine.pass_time(duration)
            await tx.clock.record_heartbeat(away=Millis(duration + 1))
        await self.use_cases.clocks.record_heartbeat()

    async def downtimes(self) -> tuple[Span, ...]:
        async with self.store.read() as reader:
            spans, _ = await downtimes_since(Statements(reader.connection), Millis(0))
            return spans

    async def now(self) -> Millis:
        async with self.store.read() as reader:
            return await reader.clock.now()


@asynccontextmanager
async def process(url: str, machine: Machine, boot: str = "first") -> AsyncIterator[Host]:
    async with Database.open(url, now=machine.clock, uptime=machine.uptime, boot=boot) as store:
        yield Host(store, machine)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
async def host(url: str, machine: Machine) -> AsyncIterator[Host]:
    async with process(url, machine) as host:
        yield host


def deadline(match: Match) -> Millis | None:
    return match.clock.deadline


# Frozen


class Overtaken(SameDatabase):
    """A store whose process is frozen before its first write, and in which the task of the heartbeat thaws first."""

    def __init__(self, store: Database, clock: StoppedClock, duration: int) -> None:
        super().__init__(store)
        self._other, self._stopped, self._duration = store, clock, duration

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        if self._duration:
            self._stopped.advance(self._duration)
            self._duration = 0
            await UseCases.over(self._other, seeds=lambda: 4).clocks.record_heartbeat()
        async with super().write() as tx:
            yield tx


async def test_no_flag_falls_if_the_heartbeat_finds_the_freeze_before_the_keeper_writes(
    store: Database, clock: StoppedClock
) -> None:
    """The scheduler wakes first, sees that the time is over, and has to wait for the heartbeat's transaction."""
    match = await add_shown_match(store, a_match(control="20s"))
    await pass_time(store, clock, 10 * SECOND)
    clock.advance(FROZEN)
    await UseCases.over(Overtaken(store, clock, 1), seeds=lambda: 4).clocks.flag_overdue()
    assert not (await load_match(store, match.id)).outcome
    assert deadline(await load_match(store, match.id)) == clock() + 10 * SECOND


async def test_no_player_is_reminded_if_the_heartbeat_finds_the_freeze_first(
    store: Database, clock: StoppedClock
) -> None:
    await add_shown_match(store, a_match(control="10h"))
    await pass_time(store, clock, 7 * HOUR)
    clock.advance(2 * HOUR)
    await UseCases.over(Overtaken(store, clock, 1), seeds=lambda: 4).clocks.remind()
    async with store.read() as reader:
        assert await reader.deadlines.next_reminder() == NOON + 10 * HOUR + 1


async def test_a_move_that_arrives_before_the_first_heartbeat_after_a_freeze_is_in_time(
    host: Host, machine: Machine
) -> None:
    match = await add_shown_match(host.store, a_match(control="20s", at=machine.clock()))
    await host.works(10 * SECOND)
    machine.pass_time(FROZEN)
    moved = await host.use_cases.matches.move(match.id, ANNA, "A1", machine.clock(), IdempotencyKey(1))
    assert moved.version == 1


async def test_of_moves_that_arrive_together_after_a_freeze_all_are_in_time(host: Host, machine: Machine) -> None:
    matches = [
        await add_shown_match(host.store, a_match(number, control="20s", at=machine.clock())) for number in range(6)
    ]
    await host.works(10 * SECOND)
    machine.pass_time(FROZEN)
    at = machine.clock()
    moves = (host.use_cases.matches.move(match.id, ANNA, "A1", at, IdempotencyKey(match.id)) for match in matches)
    assert [each.version for each in await asyncio.gather(*moves)] == [1] * 6


async def test_a_move_after_a_freeze_is_not_charged_for_it(host: Host, machine: Machine) -> None:
    match = await add_shown_match(host.store, a_match(control="1h+0s", at=machine.clock()))
    await host.works(10 * SECOND)
    machine.pass_time(FROZEN)
    moved = await host.use_cases.matches.move(match.id, ANNA, "A1", machine.clock(), IdempotencyKey(1))
    assert moved.clock.remaining[0] == HOUR - 10 * SECOND


async def test_a_suspended_machine_was_away_like_a_frozen_process(host: Host, machine: Machine) -> None:
    await host.works(10 * SECOND)
    began = machine.clock()
    machine.pass_time(8 * HOUR)
    await host.use_cases.clocks.record_heartbeat()
    assert await host.downtimes() == (Span(began, Millis(began + 8 * HOUR)),)


async def test_a_process_frozen_after_its_heartbeat_judges_by_the_moment_of_that(
    store: Database, clock: StoppedClock
) -> None:
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
        clock.advance(FROZEN)
        assert await tx.clock.now() == NOON


# Challenges and rounds


def a_challenge(clock: str, at: Millis) -> Challenge:
    return Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, BORIS, Terms(GAME, parse_control(clock)), made=at)


async def challenged(store: Database, clock: str = "10m+5s", at: Millis = NOON) -> Challenge:
    async with store.write() as tx:
        return await tx.challenges.add(a_challenge(clock, at))


async def found(store: Database, challenge: Challenge) -> Challenge:
    async with store.read() as reader:
        stored = await reader.challenges.get(challenge.id)
    assert stored is not None
    return stored


async def test_a_challenge_does_not_expire_by_downtime(store: Database, clock: StoppedClock) -> None:
    use_cases, challenge = UseCases.over(store, seeds=lambda: 4), await challenged(store)
    await pass_time(store, clock, 2 * HOUR - MINUTE)
    clock.advance(20 * MINUTE)
    await use_cases.clocks.record_heartbeat()
    assert await use_cases.challenges.expire() == 0
    assert (await found(store, challenge)).expires == clock() + MINUTE


async def test_a_challenge_can_be_taken_by_the_end_that_was_put_off(store: Database, clock: StoppedClock) -> None:
    use_cases, challenge = UseCases.over(store, seeds=lambda: 4), await challenged(store)
    await pass_time(store, clock, 2 * HOUR - MINUTE)
    clock.advance(20 * MINUTE)
    await use_cases.clocks.record_heartbeat()
    assert (await use_cases.challenges.accept(challenge.id, BORIS, Millis(clock() + MINUTE - 1)))[1] is not None


async def test_a_challenge_expires_when_the_credit_is_used_up(store: Database, clock: StoppedClock) -> None:
    use_cases, challenge = UseCases.over(store, seeds=lambda: 4), await challenged(store)
    await pass_time(store, clock, 2 * HOUR - MINUTE)
    clock.advance(20 * MINUTE)
    await use_cases.clocks.record_heartbeat()
    await pass_time(store, clock, MINUTE)
    assert await use_cases.challenges.expire() == 1
    assert (await found(store, challenge)).state is ChallengeState.EXPIRED


async def test_a_challenge_that_is_due_does_not_expire_before_the_freeze_was_found(
    host: Host, machine: Machine
) -> None:
    challenge = await challenged(host.store, at=machine.clock())
    await host.works_on(2 * HOUR - MINUTE)
    machine.pass_time(20 * MINUTE)
    await host.use_cases.challenges.expire()
    assert (await found(host.store, challenge)).state is ChallengeState.OPEN


async def test_after_a_long_downtime_who_made_a_challenge_may_be_gone(store: Database, clock: StoppedClock) -> None:
    use_cases, challenge = UseCases.over(store, seeds=lambda: 4), await challenged(store)
    await use_cases.clocks.record_heartbeat()
    clock.advance(3 * HOUR)
    await use_cases.clocks.record_heartbeat()
    assert await use_cases.challenges.expire() == 1
    assert (await found(store, challenge)).state is ChallengeState.EXPIRED


async def test_other_terms_keep_what_was_put_off(store: Database, clock: StoppedClock) -> None:
    use_cases, challenge = UseCases.over(store, seeds=lambda: 4), await challenged(store)
    await use_cases.clocks.record_heartbeat()
    clock.advance(20 * MINUTE)
    await use_cases.clocks.record_heartbeat()
    stored = await found(store, challenge)
    days = replace(stored.terms, control=parse_control("3d"))
    changed = await use_cases.challenges.change(challenge.id, ANNA, days, clock(), changes=0)
    assert changed.expires == (await found(store, challenge)).expires == NOON + 7 * DAY + 20 * MINUTE


@pytest.mark.parametrize(("gap", "outdated"), [(MAX_HEARTBEAT_GAP_MILLIS + SECOND, 0), (MINUTE, 1)])
async def test_a_card_is_written_anew_if_its_end_is_seen_to_move(
    store: Database, clock: StoppedClock, gap: int, outdated: int
) -> None:
    challenge = await challenged(store)
    async with store.write() as tx:
        await tx.challenges.mark_card_posted(challenge.id, challenge.version, ChannelId(5))  # type: ignore[arg-type]
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    clock.advance(gap)
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    async with store.read() as reader:
        assert len(await reader.challenges.cards_to_update(5)) == outdated


# A clock that jumps


async def test_a_clock_that_jumps_for_some_seconds_stores_no_downtime(host: Host, machine: Machine) -> None:
    await host.works(MINUTE)
    machine.set_error(HOUR)
    await host.works(JUMP)
    machine.set_error(0)
    await host.works(MINUTE)
    assert await host.downtimes() == ()


@pytest.mark.parametrize("error", [HOUR, -HOUR])
async def test_time_goes_on_by_the_uptime_while_the_clock_is_wrong(host: Host, machine: Machine, error: int) -> None:
    await host.works(5 * MINUTE)
    right = machine.clock()
    machine.set_error(error)
    await host.works(JUMP)
    assert await host.now() == right + JUMP


async def test_a_jump_shorter_than_a_downtime_is_doubted_as_well(host: Host, machine: Machine) -> None:
    await host.works(5 * MINUTE)
    right = machine.clock()
    machine.set_error(MAX_HEARTBEAT_GAP_MILLIS - BEAT)
    await host.works(JUMP)
    assert await host.now() == right + JUMP


async def test_no_flag_falls_by_a_clock_that_jumps(host: Host, machine: Machine) -> None:
    match = await add_shown_match(host.store, a_match(control="5m", at=machine.clock()))
    await host.works(MINUTE)
    machine.set_error(HOUR)
    await host.works(JUMP)
    await host.use_cases.clocks.flag_overdue()
    assert not (await load_match(host.store, match.id)).outcome


@pytest.mark.parametrize("jumped", [False, True])
async def test_after_a_jump_flags_fall_as_ever(host: Host, machine: Machine, jumped: bool) -> None:
    """Plays a match from before, and one that began when the clock was right again."""
    before = await add_shown_match(host.store, a_match(1, control="2m", at=machine.clock()))
    await host.works(MINUTE)
    machine.set_error(HOUR if jumped else 0)
    await host.works(JUMP)
    machine.set_error(0)
    await host.works(JUMP)
    later = await add_shown_match(host.store, a_match(2, control="1m", at=machine.clock()))
    assert deadline(await load_match(host.store, later.id)) == machine.clock() + MINUTE
    await host.works(MINUTE + FLAG_GRACE + SECOND)
    await host.use_cases.clocks.flag_overdue()
    assert [bool((await load_match(host.store, each.id)).outcome) for each in (before, later)] == [True, True]


async def test_a_real_freeze_is_credited_while_the_clock_is_wrong(host: Host, machine: Machine) -> None:
    await host.works(5 * MINUTE)
    began = machine.clock()
    machine.set_error(HOUR)
    machine.pass_time(FROZEN)
    await host.use_cases.clocks.record_heartbeat()
    assert await host.downtimes() == (Span(began, Millis(began + FROZEN)),)


@pytest.mark.parametrize("step", [-MAX_STEP_MILLIS, -SECOND, SECOND, MAX_STEP_MILLIS])
async def test_a_clock_that_is_put_right_by_a_moment_is_followed_at_once(
    host: Host, machine: Machine, step: int
) -> None:
    await host.works(MINUTE)
    machine.set_error(step)
    assert await host.now() == machine.clock()
    await host.works(MINUTE)
    assert await host.downtimes() == ()


async def test_a_jump_that_lasts_is_believed_and_costs_no_player_time(host: Host, machine: Machine) -> None:
    """A paused virtual machine: its uptime stops, and then its clock is put right."""
    match = await add_shown_match(host.store, a_match(control="20m", at=machine.clock()))
    await host.works(5 * MINUTE)
    machine.set_error(HOUR)
    await host.works(DOUBT_MILLIS + BEAT)
    assert await host.now() == machine.clock()
    await host.use_cases.clocks.flag_overdue()
    stored = await load_match(host.store, match.id)
    assert not stored.outcome
    used = machine.clock() - HOUR - NOON
    assert 0 <= (deadline(stored) or 0) - (machine.clock() + 20 * MINUTE - used) <= BEAT


async def test_a_wrong_clock_that_was_believed_stops_no_clock_once_it_is_right(host: Host, machine: Machine) -> None:
    """Plays matches that began before, while the clock was wrong, and after."""
    matches = [await add_shown_match(host.store, a_match(1, control="20m", at=machine.clock()))]
    await host.works(5 * MINUTE)
    machine.set_error(HOUR)
    await host.works(5 * MINUTE)
    matches.append(await add_shown_match(host.store, a_match(2, control="20m", at=Millis(machine.clock() - HOUR))))
    machine.set_error(0)
    await host.works(2 * MINUTE)
    matches.append(await add_shown_match(host.store, a_match(3, control="20m", at=machine.clock())))
    assert all(span.end <= machine.clock() for span in await host.downtimes())
    for match in matches:
        assert (await load_match(host.store, match.id)).clock.stopped_until(machine.clock()) is None
    assert (deadline(await load_match(host.store, matches[0].id)) or 0) <= NOON + 30 * MINUTE


async def test_a_move_judged_by_a_wrong_clock_is_charged_the_same_ever_after(url: str, machine: Machine) -> None:
    async with process(url, machine) as host:
        match = await add_shown_match(host.store, a_match(control="20m+0s", at=machine.clock()))
        await host.works(5 * MINUTE)
        machine.set_error(HOUR)
        await host.works(5 * MINUTE)
        at = Millis(machine.clock() - HOUR)  # Discord's clock is right
        match = await host.use_cases.matches.move(match.id, ANNA, "A1", at, IdempotencyKey(1))
        machine.set_error(0)
        await host.works(2 * MINUTE)
    async with process(url, machine) as restarted:
        assert (await load_match(restarted.store, match.id)).clock.remaining == match.clock.remaining
    assert match.clock.remaining[0] > 13 * MINUTE


async def test_a_heartbeat_in_the_future_hides_no_freeze(host: Host, machine: Machine) -> None:
    """Stores a heartbeat in the future, as an earlier version or a start by a wrong clock has left it."""
    await host.works(MINUTE)
    async with host.store.write() as tx:
        await tx.connection.execute(update(schema.heartbeat).values(at=machine.clock() + HOUR))
    await host.works(MINUTE)
    began = machine.clock()
    machine.pass_time(FROZEN)
    await host.use_cases.clocks.record_heartbeat()
    assert await host.downtimes() == (Span(began, Millis(began + FROZEN)),)


async def test_a_downtime_left_in_the_future_ends_now(store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="2h"))
    use_cases = UseCases.over(store, seeds=lambda: 4)
    await use_cases.clocks.record_heartbeat()
    clock.advance(HOUR)
    await use_cases.clocks.record_heartbeat()
    clock.advance(JUMP - HOUR)
    await use_cases.clocks.record_heartbeat()
    assert deadline(await load_match(store, match.id)) == NOON + 2 * HOUR + JUMP


async def test_a_downtime_that_was_all_in_the_future_is_forgotten(store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="2h"))
    use_cases = UseCases.over(store, seeds=lambda: 4)
    clock.advance(HOUR)
    await use_cases.clocks.record_heartbeat()
    clock.advance(HOUR)
    await use_cases.clocks.record_heartbeat()
    clock.advance(JUMP - 2 * HOUR)
    await use_cases.clocks.record_heartbeat()
    assert (await load_match(store, match.id)).clock.downtimes == ()


# A start by a wrong clock


async def test_a_restart_while_the_clock_is_wrong_knows_better(url: str, machine: Machine) -> None:
    async with process(url, machine) as host:
        match = await add_shown_match(host.store, a_match(control="5m", at=machine.clock()))
        await host.works(MINUTE)
    machine.set_error(HOUR)
    machine.pass_time(3 * SECOND)
    async with process(url, machine) as host:
        await host.works(JUMP)
        machine.set_error(0)
        await host.works(MINUTE)
        assert all(span.end - span.start <= 3 * SECOND for span in await host.downtimes())
        assert (deadline(await load_match(host.store, match.id)) or 0) <= NOON + 5 * MINUTE + 3 * SECOND


async def test_a_restart_credits_the_time_in_between_whatever_the_clock_shows(url: str, machine: Machine) -> None:
    async with process(url, machine) as host:
        await host.works(MINUTE)
    began = machine.clock()
    machine.set_error(-HOUR)
    machine.pass_time(5 * MINUTE)
    async with process(url, machine) as host:
        await host.use_cases.clocks.record_heartbeat()
        assert await host.downtimes() == (Span(began, Millis(began + 5 * MINUTE)),)


async def test_the_uptime_of_another_machine_says_nothing(url: str, machine: Machine) -> None:
    async with process(url, machine) as host:
        await host.works(MINUTE)
    other = Machine(uptime=DAY + HOUR)
    other.up, other.error = Millis(other.up + 3 * DAY), Millis(-3 * DAY)
    async with process(url, other, boot="second") as host:
        assert await host.now() == other.clock()


async def test_a_start_by_a_wrong_clock_is_put_right_as_soon_as_the_clock_is(url: str, machine: Machine) -> None:
    """A machine whose clock stops while it is off: nothing shows that it is wrong."""
    async with process(url, machine) as host:
        match = await add_shown_match(host.store, a_match(control="2h", at=machine.clock()))
        await host.works(MINUTE)
    machine.set_error(HOUR)
    async with process(url, machine, boot="second") as host:
        await host.works(JUMP)
        machine.set_error(0)
        await host.works(MINUTE)
        stored = await load_match(host.store, match.id)
        assert all(span.end <= machine.clock() for span in await host.downtimes())
        assert (deadline(stored) or 0) <= NOON + 2 * HOUR + MINUTE


# Many processes


async def test_of_two_processes_one_that_was_held_believes_the_other(postgres_url: str) -> None:
    """The virtual machine of one process pauses for an hour, and so does its uptime; the other is at work meanwhile."""
    there, here = Machine(), Machine()
    async with process(postgres_url, there, "there") as works, process(postgres_url, here, "here") as held:
        await held.works(5 * MINUTE)
        there.pass_time(5 * MINUTE)
        await works.works_on(HOUR)
        here.set_error(there.clock() - here.clock())
        await held.use_cases.clocks.record_heartbeat()
        assert await held.now() == there.clock()
        await works.works(MINUTE)
        assert await works.downtimes() == ()


async def test_after_a_freeze_processes_that_write_at_once_all_go_on(postgres_url: str) -> None:
    machine = Machine()
    async with process(postgres_url, machine) as first, process(postgres_url, machine) as second:
        match = await add_shown_match(first.store, a_match(control="20s", at=machine.clock()))
        await first.works(10 * SECOND)
        await second.use_cases.clocks.record_heartbeat()
        machine.pass_time(FROZEN)

        async def flag(host: Host) -> None:
            with suppress(ExceptionGroup):
                await host.use_cases.clocks.flag_overdue()

        await asyncio.gather(*(flag(host) for host in (first, second, first, second)))
        assert not (await load_match(first.store, match.id)).outcome


async def test_a_match_saved_in_the_future_goes_on(host: Host, machine: Machine) -> None:
    """Plays on a turn that a wrong clock has left in the future: the next move counts from then, and costs no time."""
    match = await add_shown_match(host.store, a_match(control="20m+0s", at=machine.clock()))
    await save_match(host.store, move(match, ANNA, "A1", Millis(machine.clock() + 15 * MINUTE), IdempotencyKey(1)))
    moved = await host.use_cases.matches.move(
        match.id, BORIS, "E5", Millis(machine.clock() + MINUTE), IdempotencyKey(2)
    )
    assert moved.clock.remaining[1] == 20 * MINUTE


async def test_a_held_flag_falls_when_its_time_has_come(store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="20s"))
    await pass_time(store, clock, 20 * SECOND)
    async with store.write() as tx:
        await tx.deadlines.hold([ANNA], Millis(clock() + 10 * SECOND))
    use_cases = UseCases.over(store, seeds=lambda: 4)
    for seconds, is_over in ((9, False), (2 + FLAG_GRACE // SECOND, True)):
        await pass_time(store, clock, seconds * SECOND)
        await use_cases.clocks.flag_overdue()
        assert ((await load_match(store, match.id)).outcome is not None) == is_over


async def test_deadlines_of_others_are_not_held(store: Database, clock: StoppedClock) -> None:
    await add_shown_match(store, a_match(control="20s"))
    async with store.write() as tx:
        before = await tx.deadlines.next_deadline()
        await tx.deadlines.hold([BORIS], Millis(clock() + HOUR))
        assert await tx.deadlines.next_deadline() == before


async def test_lost_time_is_stored_with_the_move(store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="5m+2s"))
    await save_match(store, move(match, ANNA, "E5", Millis(clock() + 9 * SECOND), IdempotencyKey(1), Millis(4000)))
    async with store.read() as reader:
        (stored,) = await reader.connection.execute(select(schema.event.c.lost).where(schema.event.c.match == match.id))
    assert stored.lost == 4000
