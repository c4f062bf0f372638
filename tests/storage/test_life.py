"""Reminders, notices, plans, vacations, and the downtimes of the bot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from play.clock import parse_control
from play.clock.agreement import TimeAgreement
from play.clock.clock import ReminderStep
from play.clock.schedule import ClockSchedule, Night, Span, parse_night
from play.ids import ChannelId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match import moves
from play.match.conditional_moves import ConditionalLine, ConditionalReply
from play.match.events import Notice, NoticeKind, OfferKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.match.outbox_entry import OutboxEntry
from play.people.settings import PlayerSettings, Reminders
from play.people.vacation import Vacation
from play.refusal import Refused
from rules.game import Seat
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND, StoppedClock
from tests.matches import (
    ANNA,
    BORIS,
    GUILD,
    a_match,
    add_match,
    add_shown_match,
    load_match,
    pass_time,
    play_turn,
    resign,
    save_match,
)
from use_cases import UseCases
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS, PRESENCE_MILLIS
from use_cases.player_settings import change_player

LONG = HOUR
SOURCE = IdempotencyKey(1)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


async def beat(store: Database) -> Span | None:
    async with store.write() as tx:
        return await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)


async def slept(store: Database, clock: StoppedClock, time: int = LONG) -> Span | None:
    """Lets the bot be away for so long."""
    await beat(store)
    clock.advance(time)
    return await beat(store)


async def deadline(store: Database) -> Millis | None:
    async with store.read() as reader:
        return await reader.deadlines.next_deadline()


async def shown(store: Database) -> Millis | None:
    """Returns the deadline in a user's list of matches."""
    async with store.read() as reader:
        (entry,) = await reader.matches.open_of(ANNA)
    return entry.deadline


async def reminder(store: Database) -> Millis | None:
    async with store.read() as reader:
        return await reader.deadlines.next_reminder()


async def notice(store: Database, match: Match) -> Notice | None:
    async with store.read() as reader:
        return await reader.outbox.next_notice(match.id)


# Downtimes


async def test_the_first_heartbeat_credits_nothing(store: Database) -> None:
    assert await beat(store) is None


@pytest.mark.parametrize(("gap", "credited"), [(MAX_HEARTBEAT_GAP_MILLIS, False), (MAX_HEARTBEAT_GAP_MILLIS + 1, True)])
async def test_a_gap_between_heartbeats_is_a_downtime(
    store: Database, clock: StoppedClock, gap: int, credited: bool
) -> None:
    assert await slept(store, clock, gap) == (Span(NOON, Millis(NOON + gap)) if credited else None)


async def test_at_a_start_every_second_counts_if_no_other_process_can_have_been_there(
    url: str, store: Database, clock: StoppedClock
) -> None:
    await beat(store)
    clock.advance(SECOND)
    async with store.write() as tx:
        downtime = await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS, first=True)
    assert downtime == (Span(NOON, Millis(NOON + SECOND)) if url.startswith("sqlite") else None)


async def test_a_downtime_is_credited_once(store: Database, clock: StoppedClock) -> None:
    await slept(store, clock)
    assert await beat(store) is None


async def test_of_processes_that_wake_up_at_once_one_credits(store: Database, clock: StoppedClock) -> None:
    await beat(store)
    clock.advance(LONG)
    use_cases = UseCases.over(store, seeds=lambda: 4)
    found = await asyncio.gather(*(use_cases.clocks.record_heartbeat() for _ in range(8)))
    assert len([span for span in found if span]) == 1


async def test_a_clock_that_goes_back_credits_nothing(store: Database, clock: StoppedClock) -> None:
    assert await slept(store, clock, -DAY) is None


async def test_a_downtime_puts_deadlines_off(store: Database, clock: StoppedClock) -> None:
    match = await add_match(store, a_match(control="2h"))
    clock.advance(MINUTE)
    await slept(store, clock)
    assert await shown(store) == NOON + 3 * HOUR == (await load_match(store, match.id)).clock.deadline


async def test_what_was_put_off_is_judged_anew_when_it_seems_to_be_due(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="2h"))
    await slept(store, clock, 3 * HOUR)
    assert await deadline(store) == NOON + 2 * HOUR
    assert [await use_cases.clocks.flag_overdue(), await use_cases.clocks.flag_overdue()] == [1, 0]
    assert await deadline(store) == await shown(store) == NOON + 5 * HOUR
    assert not (await load_match(store, match.id)).outcome


async def test_a_turn_that_began_after_the_last_heartbeat_is_credited_from_its_beginning(
    store: Database, clock: StoppedClock
) -> None:
    await beat(store)
    clock.advance(3 * SECOND)
    match = await add_match(store, a_match(control="2h", at=clock()))
    clock.advance(LONG)
    await beat(store)
    assert await shown(store) == clock() + 2 * HOUR == (await load_match(store, match.id)).clock.deadline


async def test_a_move_made_just_before_the_bot_went_away_is_replayed_as_it_was_charged(
    store: Database, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="2h+0s"))
    await beat(store)
    clock.advance(3 * SECOND)
    match = moves.move(match, ANNA, "A1", clock(), SOURCE)
    await save_match(store, match)
    known = await load_match(store, match.id)
    clock.advance(LONG)
    await beat(store)
    assert (
        (await load_match(store, match.id)).clock.remaining
        == known.clock.remaining
        == (2 * HOUR - 3 * SECOND, 2 * HOUR)
    )
    assert await shown(store) == clock() + 2 * HOUR == (await load_match(store, match.id)).clock.deadline


async def test_a_match_replayed_anew_knows_its_downtimes(url: str, clock: StoppedClock) -> None:
    async with Database.open(url, now=clock) as store:
        match = await add_match(store, a_match(control="3h+0s"))
        await slept(store, clock)
        match = moves.move(await load_match(store, match.id), ANNA, "A1", Millis(clock() + 10 * SECOND), SOURCE)
        await save_match(store, match)
        clock.advance(10 * SECOND)
        await slept(store, clock)
        known = await load_match(store, match.id)
    async with Database.open(url, now=clock) as store:
        anew = await load_match(store, match.id)
    assert anew.clock == known.clock
    assert anew.clock.remaining == (3 * HOUR - 10 * SECOND, 3 * HOUR)


async def test_a_downtime_before_a_match_is_nothing_to_it(store: Database, clock: StoppedClock) -> None:
    await slept(store, clock)
    match = await add_match(store, a_match(at=clock()))
    assert (await load_match(store, match.id)).clock.downtimes == ()


async def test_what_was_overdue_before_a_downtime_stays_overdue(store: Database, clock: StoppedClock) -> None:
    await add_match(store, a_match(control="1m"))
    clock.advance(2 * MINUTE)
    await slept(store, clock)
    assert await deadline(store) == NOON + MINUTE


async def test_flags_fall_when_the_credit_is_used_up(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="1h"))
    await slept(store, clock, 5 * HOUR)
    await pass_time(store, clock, HOUR + FLAG_GRACE)
    assert [await use_cases.clocks.flag_overdue(), await use_cases.clocks.flag_overdue()] == [1, 0]
    assert not (await load_match(store, match.id)).outcome
    clock.advance(1)
    await use_cases.clocks.flag_overdue()
    assert (await load_match(store, match.id)).outcome


# Calendars


async def test_a_match_with_human_time_comes_back(store: Database) -> None:
    agreement = TimeAgreement(quiet=True, weekends=True, vacation=True, play_out=Millis(90_000))
    warsaw = ClockSchedule(ZoneInfo("Europe/Warsaw"), parse_night("22:00-07:30"), weekends=True)
    match = await add_match(store, a_match(agreement=agreement, schedules=(warsaw, ClockSchedule(weekends=True))))
    stored = await load_match(store, match.id)
    assert (stored.agreement, stored.clock) == (agreement, match.clock)
    assert stored.clock.schedules[0].night == Night(22 * 60, 7 * 60 + 30)


@pytest.mark.parametrize("control", ["10m+30s max 15m", "10m/30s", "5s random", "none"])
async def test_every_clock_comes_back(store: Database, control: str) -> None:
    match = await save_match(store, play_turn(await add_match(store, a_match(control=control)), at_once=True))
    assert (await load_match(store, match.id)).clock == match.clock
    assert match.clock.control == parse_control(control)


# Reminders and notices


async def test_a_reminder_is_due_when_most_of_the_time_is_over(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="10h"))
    assert await reminder(store) == NOON + 8 * HOUR
    assert await use_cases.clocks.remind() == 0
    clock.advance(8 * HOUR)
    assert await use_cases.clocks.remind() == 1
    assert await notice(store, match) == Notice(match.id, 0, ANNA, NoticeKind.REMINDER, ReminderStep.MOST)
    async with store.read() as reader:
        assert match.id in await reader.outbox.pending_matches()


async def test_in_one_turn_there_is_one_reminder(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_match(store, a_match(control="10h"))
    clock.advance(8 * HOUR)
    await use_cases.clocks.remind()
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, clock(), SOURCE)
    await use_cases.actions.give_time(match.id, BORIS, HOUR, clock(), IdempotencyKey(2))
    assert await reminder(store) is None
    assert await use_cases.clocks.remind() == 0


async def test_the_next_turn_has_its_own(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_match(store, a_match(control="10h"))
    clock.advance(8 * HOUR)
    await use_cases.clocks.remind()
    await use_cases.matches.move(match.id, ANNA, "A1", clock(), SOURCE)
    assert await reminder(store) == clock() + 8 * HOUR


async def test_of_processes_that_remind_at_once_one_does(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="10h"))
    clock.advance(8 * HOUR)
    told: list[Match] = []
    use_cases.events.match_changed.subscribe(told.append)
    await asyncio.gather(*(use_cases.clocks.remind() for _ in range(5)))
    assert [news.id for news in told] == [match.id]


async def test_who_wants_no_reminders_gets_none(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_match(store, a_match(control="10h"))
    async with store.write() as tx:
        await tx.people.save(PlayerSettings(ANNA, reminders=Reminders.OFF))
    clock.advance(8 * HOUR)
    assert await use_cases.clocks.remind() == 1
    assert (await notice(store, match), await reminder(store)) == (None, None)


async def choose_steps(store: Database, steps: ReminderStep, user: UserId = ANNA) -> None:
    await change_player(store, user, {"steps": steps})


async def remind(store: Database, use_cases: UseCases, match: Match) -> ReminderStep:
    """Judges reminders; returns the steps of the notice, which is taken out of the outbox."""
    await use_cases.clocks.remind()
    written = await notice(store, match)
    if written is None:
        return ReminderStep(0)
    async with store.write() as tx:
        await tx.outbox.remove_notice(written)
    return written.steps


async def test_each_chosen_step_of_a_turn_has_one_reminder(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    await choose_steps(store, ReminderStep.DAY | ReminderStep.QUARTER_DAY | ReminderStep.HOUR)
    match = await add_match(store, a_match(control="2d"))
    told = []
    for _ in range(48 * 2 - 1):
        await pass_time(store, clock, HOUR // 2)
        if step := await remind(store, use_cases, match):
            told.append((clock() - NOON, step))
    assert told == [
        (24 * HOUR, ReminderStep.DAY),
        (42 * HOUR, ReminderStep.QUARTER_DAY),
        (47 * HOUR, ReminderStep.HOUR),
    ]
    assert await reminder(store) is None


async def test_a_step_that_the_turn_begins_after_is_skipped(store: Database) -> None:
    await choose_steps(store, ReminderStep.DAY | ReminderStep.HALF_DAY)
    await add_match(store, a_match(control="1d"))
    assert await reminder(store) == NOON + 12 * HOUR


async def test_a_step_is_not_repeated_after_a_restart_nor_by_time_that_the_opponent_gives(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    await choose_steps(store, ReminderStep.HALF_DAY | ReminderStep.HOUR)
    match = await add_match(store, a_match(control="1d"))
    await pass_time(store, clock, 12 * HOUR)
    assert await remind(store, use_cases, match) is ReminderStep.HALF_DAY
    again = UseCases.over(store, seeds=lambda: 4)
    assert await remind(store, again, match) == ReminderStep(0)
    await use_cases.actions.give_time(match.id, BORIS, Millis(20 * HOUR), clock(), SOURCE)
    assert await reminder(store) == NOON + (24 + 20 - 1) * HOUR


async def test_steps_at_the_same_moment_are_one_reminder(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    await choose_steps(store, ReminderStep.MOST | ReminderStep.HOUR)
    match = await add_match(store, a_match(control="5h"))
    await pass_time(store, clock, 4 * HOUR)
    assert await remind(store, use_cases, match) == ReminderStep.MOST | ReminderStep.HOUR
    assert await reminder(store) is None


async def test_new_steps_hold_for_the_turn_that_waits_and_say_nothing_of_the_past(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="2d"))
    await pass_time(store, clock, 30 * HOUR)
    await choose_steps(store, ReminderStep.DAY | ReminderStep.HALF_DAY)
    assert await remind(store, use_cases, match) == ReminderStep(0)
    assert await reminder(store) == NOON + 36 * HOUR
    await pass_time(store, clock, 6 * HOUR)
    assert await remind(store, use_cases, match) is ReminderStep.HALF_DAY


async def test_new_steps_do_not_touch_the_turn_of_an_opponent(store: Database) -> None:
    await add_match(store, a_match(control="10h"))
    await choose_steps(store, ReminderStep.HOUR, BORIS)
    assert await reminder(store) == NOON + 8 * HOUR


async def test_steps_are_counted_in_time_that_the_clock_runs(store: Database) -> None:
    await choose_steps(store, ReminderStep.HOUR)
    night = ClockSchedule(ZoneInfo("UTC"), parse_night("16:00-00:00"))
    match = await add_match(store, a_match(control="3h", schedules=(night, ClockSchedule())))
    assert match.clock.deadline == NOON + 11 * HOUR
    assert await reminder(store) == NOON + 10 * HOUR


async def test_a_quiet_match_reminds_its_player_of_nothing(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="10h"))
    await use_cases.actions.set_quiet(match.id, ANNA, quiet=True)
    await pass_time(store, clock, 8 * HOUR)
    assert await remind(store, use_cases, match) == ReminderStep(0)
    async with store.read() as reader:
        assert [each.quiet for each in await reader.matches.open_of(ANNA)] == [{ANNA}]


async def test_only_players_make_a_match_quiet_and_only_while_it_goes_on(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store, a_match())
    with pytest.raises(Refused):
        await use_cases.actions.set_quiet(match.id, UserId(999), quiet=True)
    await save_match(store, resign(match))
    with pytest.raises(Refused, match="match_over"):
        await use_cases.actions.set_quiet(match.id, ANNA, quiet=True)


async def test_in_a_live_game_no_player_is_reminded(store: Database) -> None:
    await add_match(store, a_match(control="1h+30s"))
    assert await reminder(store) is None


@pytest.mark.parametrize(("since", "reminded"), [(PRESENCE_MILLIS - 1, False), (PRESENCE_MILLIS, True)])
async def test_who_has_moved_a_moment_ago_is_not_reminded(
    store: Database, use_cases: UseCases, clock: StoppedClock, since: int, reminded: bool
) -> None:
    begun, moved = await add_match(store, a_match(control="13h+0s")), Millis(NOON + 12 * HOUR + 49 * MINUTE)
    match = await save_match(store, moves.move(begun, ANNA, "A1", moved, IdempotencyKey(77)))
    await save_match(store, moves.move(match, BORIS, "E5", Millis(moved + MINUTE), SOURCE))
    clock.advance(moved - NOON + since)
    assert await use_cases.clocks.remind() == 1
    assert (await notice(store, match) is not None) is reminded


async def test_when_the_match_is_over_no_player_is_reminded(store: Database) -> None:
    await save_match(store, resign(await add_match(store, a_match(control="10h"))))
    assert await reminder(store) is None


async def test_a_downtime_puts_reminders_off(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_match(store, a_match(control="10h"))
    await slept(store, clock, 9 * HOUR)
    assert [await use_cases.clocks.remind(), await use_cases.clocks.remind()] == [1, 0]
    assert (await notice(store, match), await reminder(store)) == (None, NOON + 17 * HOUR)


async def test_a_notice_waits_until_it_was_told(store: Database) -> None:
    match = await add_match(store)
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), None)
    kinds = []
    while (found := await notice(store, match)) is not None:
        kinds.append((found.user, found.kind))
        async with store.write() as tx:
            await tx.outbox.remove_notice(found)
    assert kinds == [(ANNA, NoticeKind.LOST), (BORIS, NoticeKind.LOST)]
    async with store.read() as reader:
        assert await reader.outbox.pending_matches() == []


async def test_the_players_learn_once_that_their_match_is_lost(store: Database) -> None:
    match = await add_match(store)
    for version in (0, 1):
        async with store.write() as tx:
            await tx.outbox.mark_posted(OutboxEntry(match.id, version, None), None)
    found = await notice(store, match)
    assert found is not None
    assert found.version == 0


async def test_a_match_that_can_be_posted_again_is_not_lost(store: Database) -> None:
    match = await add_match(store)
    for message in (None, MessageId(5)):
        async with store.write() as tx:
            await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), message)
    async with store.read() as reader:
        assert not await reader.matches.is_lost(match.id)


async def test_a_match_that_is_over_cannot_be_lost(store: Database) -> None:
    match = await save_match(store, resign(await add_match(store)))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 1, None), None)
    assert await notice(store, match) is None


async def test_the_newest_board_of_a_deleted_channel_is_posted_again(store: Database) -> None:
    there, below = a_match(1), replace(a_match(3), parent=ChannelId(1))
    shown, in_thread, elsewhere, lost = [
        await add_match(store, each) for each in (there, below, a_match(4), replace(a_match(5), parent=ChannelId(1)))
    ]
    for match in (shown, in_thread, elsewhere, lost):
        async with store.write() as tx:
            await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), None if match == lost else MessageId(5))
    async with store.write() as tx:
        assert await tx.matches.shown_in(ChannelId(1)) == [shown.id, in_thread.id]
        await tx.matches.repost(shown.id)
        assert await tx.matches.shown_in(ChannelId(1)) == [in_thread.id]
        assert await tx.outbox.next_entry(shown.id) == OutboxEntry(shown.id, 0, None)


async def test_a_match_whose_next_board_waits_is_left_to_that_board(store: Database) -> None:
    match = await save_match(store, play_turn(await add_match(store, a_match(1))))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(5))
    async with store.read() as reader:
        assert await reader.matches.shown_in(ChannelId(1)) == []


async def test_a_match_that_has_moved_on_is_neither_rescheduled_nor_reminded(store: Database) -> None:
    match = await add_match(store, a_match(control="10h"))
    await save_match(store, play_turn(match))
    for change in ("reschedule", "reminded"):
        with pytest.raises(Stale):
            async with store.write() as tx:
                await (
                    tx.deadlines.reschedule(match)
                    if change == "reschedule"
                    else tx.deadlines.mark_reminded(match, ReminderStep.MOST, None)
                )


# Plans and vacations


async def test_a_plan_comes_back(store: Database) -> None:
    match = await add_match(store)
    plan = ConditionalLine(match.id, Seat(1), (ConditionalReply("A1", "E5"), ConditionalReply("A2", "E4")))
    async with store.write() as tx:
        await tx.plans.save(plan)
    async with store.read() as reader:
        assert await reader.plans.get(match.id, Seat(1)) == plan
        assert await reader.plans.get(match.id, Seat(0)) is None


async def test_plans_that_are_taken_are_gone(store: Database) -> None:
    match, other = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    plans = [ConditionalLine(id_, Seat(1), (ConditionalReply("A1", "E5"),)) for id_ in (match.id, other.id)]
    async with store.write() as tx:
        for plan in plans:
            await tx.plans.save(plan)
        assert await tx.plans.take_all(match.id) == [plans[0]]
        assert await tx.plans.take_all(match.id) == []
    async with store.read() as reader:
        assert await reader.plans.get(other.id, Seat(1)) == plans[1]


async def test_vacations_come_back_in_their_order(store: Database) -> None:
    taken = [Vacation(ANNA, Millis(NOON + start * DAY), Millis(NOON + (start + 2) * DAY)) for start in (10, 0)]
    async with store.write() as tx:
        for vacation in (*taken, Vacation(BORIS, NOON, Millis(NOON + DAY))):
            await tx.vacations.add(vacation)
        await tx.vacations.end(ended := replace(taken[0], end=Millis(NOON + 11 * DAY)))
    async with store.read() as reader:
        assert await reader.vacations.of_user(ANNA) == [taken[1], ended]


async def test_an_unknown_vacation_does_not_end(store: Database) -> None:
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.vacations.end(Vacation(ANNA, NOON, NOON))


# Who did it, and where


async def test_a_moderators_decision_comes_back_with_his_id(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    await use_cases.moderation.annul(match.id, UserId(9), GUILD, NOON, SOURCE)
    assert (await load_match(store, match.id)).events[-1].by == 9


async def test_a_match_comes_back_after_every_kind_of_event(store: Database, use_cases: UseCases) -> None:
    match = (await add_match(store, a_match(control="10h+30s", agreement=TimeAgreement(vacation=True)))).id
    source = iter(map(IdempotencyKey, range(1, 99)))
    at = iter(Millis(NOON + minute * MINUTE) for minute in range(1, 99))
    await use_cases.matches.move(match, ANNA, "A1", next(at), next(source))
    await use_cases.actions.take_back(match, ANNA, Millis(NOON + MINUTE + SECOND), next(source))
    await use_cases.matches.move(match, ANNA, "A1", next(at), next(source))
    await use_cases.matches.move(match, BORIS, "E5", next(at), next(source))
    await use_cases.actions.propose(match, BORIS, OfferKind.TAKEBACK, next(at), next(source))
    await use_cases.actions.agree(match, ANNA, OfferKind.TAKEBACK, next(at), next(source))
    await use_cases.actions.propose(match, ANNA, OfferKind.PAUSE, next(at), next(source))
    await use_cases.actions.agree(match, BORIS, OfferKind.PAUSE, next(at), next(source))
    await use_cases.actions.resume(match, BORIS, next(at), next(source))
    await use_cases.actions.propose(match, ANNA, OfferKind.DRAW, next(at), next(source))
    await use_cases.actions.disagree(match, BORIS, OfferKind.DRAW, next(at), next(source))
    await use_cases.actions.give_time(match, ANNA, HOUR, next(at), next(source))
    await use_cases.moderation.extend(match, UserId(9), GUILD, ANNA, HOUR, next(at), next(source))
    await use_cases.actions.start_vacation(BORIS, 2, next(at))
    await use_cases.actions.end_vacation(BORIS, next(at))
    known = await load_match(store, match)
    async with store.write() as tx:  # which remembers no replays
        anew = await tx.matches.get(match, known.version)
    assert anew is not None
    assert replace(anew, position=known.position) == known
    assert anew.position.picture() == known.position.picture()
    assert [event.text for event in known.moves] == ["A1"]


async def test_a_match_is_behind_whose_newest_version_stands_nowhere(store: Database) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    behind = []
    for number, message in enumerate((MessageId(5), None)):
        async with store.write() as tx:
            behind.append(await tx.matches.unposted_in(match.channel))
            await tx.outbox.mark_posted(OutboxEntry(match.id, number, None), message)
    assert behind == [None, None]  # the outbox has it
    async with store.read() as reader:
        found = await reader.matches.unposted_in(match.channel)
    assert found is not None
    assert (found.id, found.version) == (match.id, 1)


async def test_a_match_is_posted_again_where_it_is(store: Database) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(5))
        await tx.matches.repost(match.id)
    stored = await load_match(store, match.id)
    assert (stored.channel, stored.parent) == (match.channel, match.parent)
    async with store.read() as reader:
        assert await reader.outbox.next_entry(match.id) == OutboxEntry(MatchId(match.id), 1, None)


async def test_a_match_is_posted_anew_where_it_was_carried_to(store: Database) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(5))
        await tx.outbox.mark_posted(OutboxEntry(match.id, 1, MessageId(5)), None)
        await tx.matches.move_to_channel(match.id, None, ChannelId(9))
    stored = await load_match(store, match.id)
    assert (stored.guild, stored.channel, stored.parent) == (None, 9, None)
    async with store.read() as reader:
        assert await reader.outbox.next_entry(match.id) == OutboxEntry(MatchId(match.id), 1, None)
