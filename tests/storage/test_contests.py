"""Contests of two servers come back as they were stored, and are found when they need an update."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.codes import digest_of
from play.community.ban import Ban
from play.competitions.contest import (
    MAX_OPEN_CONTESTS,
    SHOW_MILLIS,
    Contest,
    ContestId,
    Side,
    Stage,
    accept,
    enter_result,
    finish_when_decided,
    with_board,
    withdraw,
)
from play.competitions.contest_season import PlayedContest
from play.ids import GuildId, MessageId, Millis, UserId
from play.match.points import WON
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.matches import a_match, add_match, discard_boards, pass_time, resign, save_match
from tests.play.competitions.contests import (
    BEGINS,
    GUEST,
    GUEST_TEAM,
    HOME,
    LETTERS,
    begin,
    invitation,
    member_of,
    members,
    signed_up,
)
from use_cases import UseCases
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS


async def stored(store: Database, contest: Contest) -> Contest:
    """Stores an invitation, and then what has become of it."""
    async with store.write() as tx:
        added = await tx.contests.add(invitation())
        return await tx.contests.save(replace(contest, id=added.id), added)


async def changed(store: Database, contest: Contest, before: Contest) -> Contest:
    async with store.write() as tx:
        return await tx.contests.save(contest, before)


async def found(store: Database, contest: Contest) -> Contest:
    async with store.read() as reader:
        read = await reader.contests.get(contest.id)
    assert read is not None
    return read


async def waiting(store: Database, now: int = NOON) -> list[ContestId]:
    async with store.read() as reader:
        return await reader.contests.to_update(Millis(now), 10)


async def shown(store: Database, contest: Contest, at: int = NOON, notice: str = "") -> None:
    async with store.write() as tx:
        for side in Side:
            key, edits = contest.post(side).key, Millis(at + SHOW_MILLIS)
            await tx.kept_posts.mark_shown(key, contest.version, MessageId(70 + side), edits, told=notice)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


async def test_a_contest_comes_back_as_it_was_stored(store: Database) -> None:
    async with store.write() as tx:
        added = await tx.contests.add(invitation(key=5))
    assert await found(store, added) == added
    begun = begin(signed_up(5, 4))
    board = replace(begun.boards[1], waits_since=Millis(7), calls=(MessageId(1), None), tries=2)
    begun = withdraw(with_board(enter_result(begun, begun.boards[0], WON, (3, 1)), board), Side.GUEST, BEGINS)
    kept = await changed(store, replace(begun, id=added.id, key=added.key), added)
    assert await found(store, kept) == kept


async def test_of_two_changes_only_one_counts(store: Database) -> None:
    contest = await stored(store, signed_up())
    await changed(store, contest, contest)
    with pytest.raises(Stale):
        await changed(store, contest, contest)


async def test_a_message_is_written_again_after_a_minute(store: Database) -> None:
    contest = await stored(store, signed_up())
    assert await waiting(store) == [contest.id]
    await shown(store, contest)
    contest = await changed(store, contest, contest)
    assert await waiting(store, NOON + SHOW_MILLIS - 1) == []
    assert await waiting(store, NOON + SHOW_MILLIS) == [contest.id]


async def test_a_message_is_written_at_once_when_the_stage_changes(store: Database) -> None:
    contest = await stored(store, signed_up())
    await shown(store, contest)
    await changed(store, withdraw(contest, Side.HOME, NOON), contest)
    assert await waiting(store) == [contest.id]


async def test_a_process_that_was_slower_takes_back_nothing_of_what_was_told(store: Database) -> None:
    before = await stored(store, signed_up())
    after = await changed(store, withdraw(before, Side.HOME, NOON), before)
    await shown(store, after, notice="cancelled")
    await shown(store, before)
    assert [(await found(store, after)).team(side).told for side in Side] == ["cancelled", "cancelled"]


async def test_an_invitation_is_looked_at_when_its_code_expires(store: Database) -> None:
    async with store.write() as tx:
        contest = await tx.contests.add(invitation())
    assert await waiting(store, contest.expires - 1) == []
    assert await waiting(store, contest.expires) == [contest.id]


async def test_a_game_that_has_ended_has_to_be_counted(store: Database) -> None:
    contest = await stored(store, begin(signed_up(3, 3)))
    for board in contest.boards:
        match = await add_match(store, a_match(10 + board.number, contest.users_of(board)))
        begun = with_board(contest, replace(board, match=match.id))
        contest = await changed(store, begun, contest)
    await shown(store, contest)
    assert await waiting(store) == []
    await save_match(store, resign(match, match.players[0]))
    assert await waiting(store) == [contest.id]


async def test_a_game_is_unseen_until_its_first_board_is_posted(store: Database) -> None:
    contest = await stored(store, begin(signed_up(3, 3)))
    assert not await is_unseen(store, contest)
    match = await add_match(store, a_match(10, contest.users_of(contest.boards[0])))
    contest = await changed(store, with_board(contest, replace(contest.boards[0], match=match.id)), contest)
    assert await is_unseen(store, contest)
    async with store.write() as tx:
        await discard_boards(tx, match.id)
    assert not await is_unseen(store, contest)


async def is_unseen(store: Database, contest: Contest) -> bool:
    async with store.read() as reader:
        return await reader.contests.has_unseen_games(contest.id, Side.HOME)


async def test_a_downtime_extends_the_sign_up(store: Database, clock: StoppedClock) -> None:
    contest = await stored(store, signed_up())
    await pass_time(store, clock, HOUR)
    clock.advance(DAY)
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    assert (await found(store, contest)).closes == BEGINS + DAY


async def test_a_downtime_gives_players_more_time_to_come(store: Database, clock: StoppedClock) -> None:
    begun = begin(signed_up(3, 3))
    contest = await stored(store, with_board(begun, replace(begun.boards[0], waits_since=NOON)))
    await pass_time(store, clock, HOUR)
    clock.advance(DAY)
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    later = await found(store, contest)
    assert (later.boards[0].waits_since, later.due) == (NOON + DAY, (contest.due or 0) + DAY)
    assert await waiting(store, (contest.due or 0) + DAY) == [contest.id]


async def test_a_call_that_was_posted_is_known(store: Database) -> None:
    contest = await stored(store, begin(signed_up(3, 3)))
    async with store.write() as tx:
        await tx.contests.mark_called(contest.id, 2, Side.GUEST, MessageId(9))
        await tx.contests.mark_called(contest.id, 2, Side.GUEST, MessageId(10))
    assert [board.calls for board in (await found(store, contest)).boards] == [(None,) * 2, (None, 9), (None,) * 2]


async def test_the_contests_of_a_season_have_their_results(store: Database) -> None:
    contest = begin(signed_up(3, 3))
    for board in contest.boards:
        contest = enter_result(contest, board, WON, (4, 1))
    await stored(store, finish_when_decided(contest, BEGINS))
    async with store.read() as reader:
        played = await reader.contests.played(NOON, Millis(BEGINS + 1), 10)
        assert await reader.contests.played(NOON, BEGINS, 10) == []
    assert played == [PlayedContest(HOME, GUEST, replace(contest.score, decided=0))]


async def test_a_server_says_whether_all_may_read_its_name(use_cases: UseCases) -> None:
    for listed in (True, True, False):
        await use_cases.contests.set_listed(GUEST, UserId(1), listed=listed)
        async with use_cases.store.read() as reader:
            assert await reader.contests.listed() == ({GUEST} if listed else set())


# What must not happen twice, or to others


async def test_one_interaction_makes_one_invitation(use_cases: UseCases) -> None:
    made = await asyncio.gather(*(use_cases.contests.challenge(invitation(key=5)) for _ in range(3)))
    assert len({contest.id for contest in made}) == 1


async def test_of_two_servers_that_use_a_code_at_once_one_plays(use_cases: UseCases) -> None:
    await use_cases.contests.challenge(invitation())
    teams = [replace(GUEST_TEAM, guild=GuildId(number)) for number in (8, 9, 10)]
    answers = await asyncio.gather(
        *(use_cases.contests.accept(LETTERS, team, NOON) for team in teams), return_exceptions=True
    )
    accepted = [each for each in answers if isinstance(each, Contest)]
    refused = [each.key for each in answers if isinstance(each, Refused)]
    assert (len(accepted), refused) == (1, [Reason.NO_TEAM_CODE] * 2)


async def test_a_manager_who_accepts_twice_begins_one_contest(use_cases: UseCases) -> None:
    await use_cases.contests.challenge(invitation())
    accepted = await asyncio.gather(*(use_cases.contests.accept(LETTERS, GUEST_TEAM, NOON) for _ in range(3)))
    assert {(each.id, each.version) for each in accepted} == {(accepted[0].id, 1)}


async def test_two_servers_play_one_contest_at_a_time(use_cases: UseCases) -> None:
    for letters in (LETTERS, LETTERS[::-1]):
        await use_cases.contests.challenge(invitation(letters=letters))
    await use_cases.contests.accept(LETTERS, GUEST_TEAM, NOON)
    with pytest.raises(Refused) as refused:
        await use_cases.contests.accept(LETTERS[::-1], GUEST_TEAM, NOON)
    assert refused.value.key is Reason.TEAM_MET


async def test_a_server_has_few_open_contests(use_cases: UseCases) -> None:
    for number in range(MAX_OPEN_CONTESTS):
        await use_cases.contests.challenge(invitation(letters=f"{number}" * 12))
    with pytest.raises(Refused) as refused:
        await use_cases.contests.challenge(invitation())
    assert refused.value.key is Reason.TOO_MANY_TEAM_MATCHES


async def test_the_database_does_not_have_the_code(store: Database) -> None:
    async with store.write() as tx:
        added = await tx.contests.add(invitation())
    assert added.code == digest_of(LETTERS) != LETTERS


async def test_a_ban_counts_for_the_own_server_alone(store: Database, use_cases: UseCases) -> None:
    contest = await stored(store, accept(invitation(), GUEST_TEAM, NOON))
    banned = UserId(55)
    await use_cases.bans.ban(Ban(HOME, banned, UserId(1), NOON, None, ""))
    with pytest.raises(Refused) as refused:
        await use_cases.contests.sign_up(contest.id, member_of(banned, HOME), NOON)
    assert refused.value.key is Reason.BANNED
    assert (await use_cases.contests.sign_up(contest.id, member_of(banned, GUEST), NOON)).number_of(banned) == 0


async def test_a_ban_takes_a_member_out_of_the_team_of_that_server(store: Database, use_cases: UseCases) -> None:
    contest = await stored(store, signed_up())
    home, guest = members(Side.HOME, 1)[0], members(Side.GUEST, 1)[0]
    for user in (home, guest):
        await use_cases.bans.ban(Ban(HOME, user, UserId(1), NOON, None, ""))
    now = await found(store, contest)
    assert (now.number_of(home), now.number_of(guest) is None) == (None, False)


async def test_a_stranger_and_a_third_server_cannot_sign_up(store: Database, use_cases: UseCases) -> None:
    contest = await stored(store, accept(invitation(), GUEST_TEAM, NOON))
    for guild in (None, GuildId(99)):
        with pytest.raises(Refused) as refused:
            await use_cases.contests.sign_up(contest.id, member_of(UserId(5), guild), NOON)
        assert refused.value.key is Reason.TEAM_ELSEWHERE
        with pytest.raises(Refused):
            await use_cases.contests.withdraw(contest.id, guild, UserId(1), NOON)
    assert (await found(store, contest)).stage is Stage.SIGN_UP


async def test_thirty_clicks_on_join_sign_up_one_player(store: Database, use_cases: UseCases) -> None:
    contest = await stored(store, accept(invitation(), GUEST_TEAM, NOON))
    clicks = (use_cases.contests.sign_up(contest.id, member_of(UserId(5), HOME), NOON) for _ in range(30))
    done = await asyncio.gather(*clicks, return_exceptions=True)
    assert {each.key for each in done if isinstance(each, Refused)} <= {Reason.TEAM_SIGNED_UP, Reason.BUSY}
    assert [each.user for each in (await found(store, contest)).players] == [UserId(5)]


async def test_a_channel_that_is_deleted_has_the_director_look(store: Database, use_cases: UseCases) -> None:
    contest = await stored(store, signed_up())
    await shown(store, contest)
    await use_cases.forget_channel(GUEST_TEAM.channel)
    assert (await found(store, contest)).version == contest.version + 1
