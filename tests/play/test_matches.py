"""The use cases, on a real store, with the time and the seeds given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.refusal import Refused
from rules.game import Outcome, Seat
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Transaction
from tests.clock import HOUR, MINUTE, NOON, StoppedClock
from tests.matches import (
    ANNA,
    BORIS,
    CLARA,
    GAME,
    GUILD,
    a_match,
    add_match,
    add_shown_match,
    discard_boards,
    load_match,
    pass_time,
    play_turn,
    save_match,
)
from tests.same_database import SameDatabase
from tests.storage.sql import spoil
from use_cases import UseCases
from use_cases.clock_service import MAX_JUDGED
from use_cases.match_writer import MAX_ATTEMPTS, InChannel

CARD = ChannelId(1)
THREAD = ChannelId(2)
TERMS = Terms(GAME, parse_control("1h"))


class Disturbed(SameDatabase):
    """A store in which another process is faster the first `times` that a transaction saves something."""

    def __init__(self, store: Database, times: int) -> None:
        super().__init__(store)
        self.times = times

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        async with super().write() as tx:
            yield tx
            if self.times > 0:
                self.times -= 1
                raise Stale


async def offer(
    use_cases: UseCases, opponent: UserId | None = BORIS, channel: ChannelId = CARD, at: Millis = NOON
) -> Challenge:
    return await use_cases.challenges.challenge(ANNA, opponent, GUILD, channel, TERMS, at)


async def begun(use_cases: UseCases, channel: ChannelId = CARD, thread: ChannelId | None = None) -> Match:
    challenge = await offer(use_cases, channel=channel)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON, thread=thread)
    assert match is not None
    return match


async def stored_challenge(store: Database, challenge: ChallengeId) -> Challenge | None:
    async with store.read() as reader:
        return await reader.challenges.get(challenge)


async def test_a_challenge_is_stored_on_its_terms(store: Database, use_cases: UseCases) -> None:
    challenge = await offer(use_cases)
    assert await stored_challenge(store, challenge.id) == challenge
    assert (challenge.terms, challenge.state) == (TERMS, ChallengeState.OPEN)


async def test_nobody_challenges_himself(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="challenge_self"):
        await offer(use_cases, opponent=ANNA)


async def test_an_accepted_challenge_becomes_a_match_on_its_terms(store: Database, use_cases: UseCases) -> None:
    challenge = await offer(use_cases)
    accepted, match = await use_cases.challenges.accept(challenge.id, BORIS, Millis(NOON + MINUTE))
    assert match is not None
    assert (accepted.state, accepted.match) == (ChallengeState.ACCEPTED, match.id)
    assert await stored_challenge(store, challenge.id) == accepted
    assert (match.game, match.clock.control, match.started) == (TERMS.game, TERMS.control, NOON + MINUTE)
    assert sorted(match.players) == [ANNA, BORIS]


async def test_a_match_without_a_thread_is_played_where_its_card_stands(use_cases: UseCases) -> None:
    match = await begun(use_cases)
    assert (match.guild, match.channel, match.parent) == (GUILD, CARD, None)


async def test_a_match_with_a_thread_remembers_the_channel_that_it_hangs_in(use_cases: UseCases) -> None:
    match = await begun(use_cases, thread=THREAD)
    assert (match.guild, match.channel, match.parent) == (GUILD, THREAD, CARD)


async def test_who_begins_is_drawn(store: Database) -> None:
    first = set()
    for seed in range(20):
        use_cases = UseCases.over(store, seeds=lambda seed=seed: seed)  # type: ignore[misc]
        match = await begun(use_cases, thread=ChannelId(100 + seed))
        first.add(match.players[0])
    assert first == {ANNA, BORIS}


async def test_one_seed_makes_one_match(store: Database) -> None:
    drawn = []
    for thread in (2, 3):
        use_cases = UseCases.over(store, seeds=lambda: 7)
        drawn.append(await begun(use_cases, thread=ChannelId(thread)))
    assert drawn[0].players == drawn[1].players
    assert drawn[0].seed == drawn[1].seed == 7


async def test_a_challenge_waits_while_its_channel_is_busy(store: Database, use_cases: UseCases) -> None:
    await begun(use_cases)
    second = await offer(use_cases)
    with pytest.raises(Refused, match="channel_busy"):
        await use_cases.challenges.accept(second.id, BORIS, NOON)
    assert await stored_challenge(store, second.id) == second


async def test_an_expired_challenge_is_not_accepted(use_cases: UseCases) -> None:
    challenge = await offer(use_cases)
    with pytest.raises(Refused, match="challenge_expired"):
        await use_cases.challenges.accept(challenge.id, BORIS, challenge.expires)


async def test_a_challenge_that_nobody_made_is_refused(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="no_challenge"):
        await use_cases.challenges.accept(ChallengeId(99), BORIS, NOON)
    with pytest.raises(Refused, match="no_challenge"):
        await use_cases.challenges.decline(ChallengeId(99), BORIS, NOON)


async def test_a_declined_challenge_is_stored(store: Database, use_cases: UseCases) -> None:
    declined = await use_cases.challenges.decline((await offer(use_cases)).id, BORIS, NOON)
    assert declined.state is ChallengeState.DECLINED
    assert await stored_challenge(store, declined.id) == declined


async def test_of_many_who_accept_one_challenge_at_once_exactly_one_plays(store: Database, use_cases: UseCases) -> None:
    challenge = await offer(use_cases, opponent=None)
    takers = [UserId(user) for user in range(200, 220)]
    results = await asyncio.gather(
        *(use_cases.challenges.accept(challenge.id, user, NOON, thread=ChannelId(user)) for user in takers),
        return_exceptions=True,
    )
    refused = [result for result in results if isinstance(result, Refused)]
    assert [refusal.key for refusal in refused] == ["challenge_accepted"] * 19
    assert len(await use_cases.matches.list_open(ANNA)) == 1


async def test_of_accepting_and_taking_back_at_once_exactly_one_happens(use_cases: UseCases) -> None:
    challenge = await offer(use_cases)
    results = await asyncio.gather(
        use_cases.challenges.accept(challenge.id, BORIS, NOON),
        use_cases.challenges.decline(challenge.id, ANNA, NOON),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Refused) for result in results) == 1


@pytest.mark.parametrize("answer", ["accept", "decline"])
async def test_who_was_overtaken_at_a_challenge_decides_anew(store: Database, use_cases: UseCases, answer: str) -> None:
    challenge = await offer(use_cases)
    overtaken = UseCases.over(Disturbed(store, times=1), seeds=lambda: 4)
    await getattr(overtaken.challenges, answer)(challenge.id, BORIS, NOON)
    stored = await stored_challenge(store, challenge.id)
    assert stored is not None
    assert stored.state is not ChallengeState.OPEN


async def test_who_was_overtaken_at_a_match_decides_anew(store: Database) -> None:
    match = await add_match(store)
    overtaken = UseCases.over(Disturbed(store, times=1), seeds=lambda: 4)
    assert (await overtaken.matches.move(match.id, ANNA, "A1", NOON, IdempotencyKey(1))).version == 1


async def test_who_is_overtaken_again_and_again_is_asked_to_come_back(store: Database) -> None:
    match = await add_match(store)
    use_cases = UseCases.over(Disturbed(store, times=MAX_ATTEMPTS), seeds=lambda: 4)
    with pytest.raises(Refused, match="busy"):
        await use_cases.matches.move(match.id, ANNA, "A1", NOON, IdempotencyKey(1))


async def test_a_move_is_stored(store: Database, use_cases: UseCases) -> None:
    match = await begun(use_cases)
    moved = await use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1))
    assert (await load_match(store, match.id)).events == moved.events


async def test_a_move_here_is_one_in_the_match_of_the_channel(use_cases: UseCases) -> None:
    match = await begun(use_cases)
    moved = await use_cases.matches.move(InChannel(CARD), match.players[0], "a1", NOON, IdempotencyKey(1))
    assert (moved.id, moved.version) == (match.id, 1)


@pytest.mark.parametrize(("table", "key"), [(InChannel(THREAD), "no_match_here"), (MatchId(99), "no_match")])
async def test_where_there_is_no_match_nothing_is_done(
    use_cases: UseCases, table: InChannel | MatchId, key: str
) -> None:
    with pytest.raises(Refused, match=key):
        await use_cases.matches.move(table, ANNA, "a1", NOON, IdempotencyKey(1))
    with pytest.raises(Refused, match=key):
        await use_cases.matches.resign(table, ANNA, NOON, IdempotencyKey(1))
    with pytest.raises(Refused, match=key):
        await use_cases.matches.load(table)


async def test_a_refused_move_is_not_stored(store: Database, use_cases: UseCases) -> None:
    match = await begun(use_cases)
    with pytest.raises(Refused, match="occupied"):
        await use_cases.matches.move(match.id, match.players[0], "b3", NOON, IdempotencyKey(1))
    assert (await load_match(store, match.id)).version == 0


async def test_a_button_of_an_older_board_is_stale(use_cases: UseCases) -> None:
    match = await begun(use_cases)
    await use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1), version=0)
    with pytest.raises(Refused, match="stale"):
        await use_cases.matches.resign(match.id, match.players[1], NOON, IdempotencyKey(2), version=0)


async def test_a_move_that_arrives_twice_counts_once(use_cases: UseCases, news: list[Match]) -> None:
    match = await begun(use_cases)
    for _ in range(2):
        again = await use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1), version=0)
        assert again.version == 1
    assert len(news) == 2


async def test_a_move_that_two_processes_were_sent_counts_once(store: Database, use_cases: UseCases) -> None:
    match = await begun(use_cases)
    arrivals = (use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1)) for _ in range(10))
    assert [moved.version for moved in await asyncio.gather(*arrivals)] == [1] * 10


async def test_a_resigned_match_is_over(store: Database, use_cases: UseCases) -> None:
    match = await begun(use_cases)
    await use_cases.matches.resign(InChannel(CARD), match.players[0], NOON, IdempotencyKey(1))
    assert (await load_match(store, match.id)).outcome == Outcome((Seat(1),), "resign")


async def test_a_board_shows_the_match_as_it_stands(use_cases: UseCases) -> None:
    match = await begun(use_cases)
    await use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1))
    assert (
        (await use_cases.matches.load(InChannel(CARD))).version == (await use_cases.matches.load(match.id)).version == 1
    )


async def test_everybody_is_told_of_a_match_after_it_was_stored(use_cases: UseCases, news: list[Match]) -> None:
    match = await begun(use_cases)
    await use_cases.matches.move(match.id, match.players[0], "a1", NOON, IdempotencyKey(1))
    await use_cases.matches.resign(match.id, match.players[0], NOON, IdempotencyKey(2))
    assert [(told.id, told.version) for told in news] == [(match.id, 0), (match.id, 1), (match.id, 2)]


async def test_nobody_is_told_of_what_was_refused(use_cases: UseCases, news: list[Match]) -> None:
    match = await begun(use_cases)
    with pytest.raises(Refused):
        await use_cases.matches.move(match.id, CLARA, "a1", NOON, IdempotencyKey(1))
    assert len(news) == 1


async def test_flags_fall_by_the_clock_of_the_store(store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
    match = await begun(use_cases)
    async with store.write() as tx:
        await discard_boards(tx, match.id)
    clock.advance(HOUR + FLAG_GRACE)
    assert await use_cases.clocks.flag_overdue() == 0
    clock.advance(1)
    assert await use_cases.clocks.flag_overdue() == 1
    assert (await load_match(store, match.id)).outcome == Outcome((), "abort")


async def test_everybody_is_told_of_a_flag(
    store: Database, use_cases: UseCases, clock: StoppedClock, news: list[Match]
) -> None:
    match = await begun(use_cases)
    async with store.write() as tx:
        await discard_boards(tx, match.id)
    clock.advance(2 * HOUR)
    await use_cases.clocks.flag_overdue()
    assert news[-1].events[-1].kind is EventKind.TIME


async def test_no_flag_falls_before_the_first_board_is_posted(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await begun(use_cases)
    for _ in range(3):
        await pass_time(store, clock, 2 * HOUR)
        await use_cases.clocks.flag_overdue()
    waiting = await load_match(store, match.id)
    assert not waiting.outcome
    assert waiting.clock.deadline == clock() + HOUR
    async with store.write() as tx:
        await discard_boards(tx, match.id)
    await pass_time(store, clock, 2 * HOUR)
    await use_cases.clocks.flag_overdue()
    assert (await load_match(store, match.id)).outcome == Outcome((), "abort")


async def test_a_bounded_number_of_flags_falls_at_once(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    for channel in range(MAX_JUDGED + 1):
        await add_shown_match(store, a_match(channel))
    clock.advance(2 * HOUR)
    assert [
        await use_cases.clocks.flag_overdue(),
        await use_cases.clocks.flag_overdue(),
        await use_cases.clocks.flag_overdue(),
    ] == [MAX_JUDGED, 1, 0]


async def test_of_a_move_and_a_flag_at_once_exactly_one_counts(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    before = [await add_shown_match(store, a_match(channel)) for channel in range(30)]
    clock.advance(HOUR + FLAG_GRACE + 1)

    async def move(match: Match) -> None:
        await use_cases.matches.move(match.id, ANNA, "E5", Millis(NOON + HOUR), IdempotencyKey(match.id), version=0)

    found, *moves = await asyncio.gather(use_cases.clocks.flag_overdue(), *map(move, before), return_exceptions=True)
    assert found in range(31)  # those that were moved in before the flag looked are not even found
    after = [await load_match(store, match.id) for match in before]
    assert [match.version for match in after] == [1] * 30
    assert [match.outcome is None for match in after] == [not isinstance(moved, Refused) for moved in moves]


async def test_a_match_that_was_moved_in_after_it_was_found_overdue_goes_on(
    store: Database, clock: StoppedClock
) -> None:
    """The flag judges the match anew, in its own transaction."""
    match = await add_shown_match(store, a_match())
    clock.advance(HOUR + FLAG_GRACE + 1)

    class Interrupted(Disturbed):
        @asynccontextmanager
        async def write(self) -> AsyncIterator[Transaction]:
            await save_match(store, play_turn(match))
            async with store.write() as tx:
                yield tx

    await UseCases.over(Interrupted(store, times=0), seeds=lambda: 4).clocks.flag_overdue()
    stored = await load_match(store, match.id)
    assert (stored.version, stored.outcome) == (1, None)


async def test_a_deadline_that_was_moved_after_it_was_found_over_is_left_alone(
    store: Database, clock: StoppedClock
) -> None:
    """Its player was turned away in between."""
    match = await add_shown_match(store, a_match())
    clock.advance(HOUR + FLAG_GRACE + 1)
    held = Millis(clock() + HOUR)

    class Interrupted(Disturbed):
        @asynccontextmanager
        async def write(self) -> AsyncIterator[Transaction]:
            async with store.write() as tx:
                await tx.deadlines.hold([ANNA], held)
            async with store.write() as tx:
                yield tx

    await UseCases.over(Interrupted(store, times=0), seeds=lambda: 4).clocks.flag_overdue()
    assert not (await load_match(store, match.id)).outcome
    async with store.read() as reader:
        assert await reader.deadlines.next_deadline() == held


async def test_a_flag_that_was_overtaken_is_not_told(store: Database, clock: StoppedClock) -> None:
    await add_shown_match(store, a_match())
    clock.advance(2 * HOUR)
    told: list[Match] = []
    use_cases = UseCases.over(Disturbed(store, times=MAX_ATTEMPTS + 1), seeds=lambda: 4)
    use_cases.events.match_changed.subscribe(told.append)
    await use_cases.clocks.flag_overdue()
    assert told == []


async def test_a_match_that_cannot_be_ended_keeps_no_other_from_its_end(
    url: str, store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    broken, sound = await add_shown_match(store, a_match(1, control="1m")), await add_shown_match(store, a_match(2))
    await spoil(url, store, broken)
    clock.advance(2 * HOUR)
    with pytest.raises(ExceptionGroup, match="did not fall") as failures:
        await use_cases.clocks.flag_overdue()
    assert [failure.__notes__ for failure in failures.value.exceptions] == [[f"match {broken.id}"]]
    assert (await load_match(store, sound.id)).outcome
