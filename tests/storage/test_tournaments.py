"""Tournaments come back as they were stored, and are found when they need an update."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.entries import sign_up, withdraw
from play.competitions.rounds import begin_round_time, enter_result, set_match, start
from play.competitions.tournament import Format, Notice, NoticeKind, Stage, Tournament, TournamentEntry, TournamentId
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis
from play.match.points import WON
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.matches import ANNA, GAME, GUILD, a_match, add_match, discard_boards, pass_time, resign, save_match
from tests.people import person
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS

USERS = tuple(person(101 + number) for number in range(4))


async def made(store: Database, channel: int = 1, pace: Millis | None = None) -> Tournament:
    """A tournament that all users have signed up to."""
    terms = Terms(GAME, parse_control("1h"), rated=True)
    new = Tournament(
        TournamentId(0), GUILD, ChannelId(channel), ANNA, "Cup", Format.SWISS, terms, NOON, rounds=3, pace=pace
    )
    async with store.write() as tx:
        stored = entered = await tx.tournaments.add(new)
        for user in USERS:
            entered = sign_up(entered, user)
        return await tx.tournaments.save(entered, stored)


async def changed(store: Database, tournament: Tournament, before: Tournament) -> Tournament:
    async with store.write() as tx:
        return await tx.tournaments.save(tournament, before)


async def running(store: Database, pace: Millis | None = None) -> Tournament:
    new = await made(store, pace=pace)
    started = start(new, dict.fromkeys(USERS, 1500.0), 1, NOON)
    return await changed(store, begin_round_time(started, NOON), new)


async def test_a_server_has_its_own_tournaments_the_newest_first(store: Database) -> None:
    first, second = await made(store, 1), await made(store, 2)
    async with store.write() as tx:
        await tx.tournaments.add(replace(first, guild=GuildId(GUILD + 1)))
    async with store.read() as reader:
        listed = await reader.tournaments.of_guild(GUILD, 5)
        assert await reader.tournaments.of_guild(GUILD, 1) == listed[:1]
    assert listed[1] == TournamentEntry(first.id, ChannelId(1), "Cup", Format.SWISS, Stage.SIGN_UP, NOON, len(USERS))
    assert [each.id for each in listed] == [second.id, first.id]


async def found(store: Database, tournament: Tournament) -> Tournament:
    async with store.read() as reader:
        stored = await reader.tournaments.get(tournament.id)
    assert stored is not None
    return stored


async def stirring(store: Database, now: Millis = NOON) -> list[TournamentId]:
    async with store.read() as reader:
        return await reader.tournaments.to_update(now, 10)


async def shown(store: Database, tournament: Tournament) -> None:
    async with store.write() as tx:
        await tx.kept_posts.mark_shown(tournament.post.key, tournament.version, MessageId(77))


async def test_a_tournament_comes_back_as_it_was_stored(store: Database) -> None:
    assert await found(store, tournament := await made(store)) == tournament
    tournament = await running(store)
    tournament = await changed(store, withdraw(tournament, USERS[0]), tournament)
    assert await found(store, tournament) == tournament


async def test_of_two_changes_only_one_counts(store: Database) -> None:
    tournament = await made(store)
    await changed(store, withdraw(tournament, USERS[0]), tournament)
    with pytest.raises(Stale):
        await changed(store, withdraw(tournament, USERS[1]), tournament)


async def test_a_channel_has_its_newest_tournament(store: Database) -> None:
    await made(store)
    newest = await made(store)
    async with store.read() as reader:
        assert await reader.tournaments.in_channel(ChannelId(1)) == newest
        assert await reader.tournaments.in_channel(ChannelId(2)) is None


async def test_a_message_that_is_behind_has_to_be_written(store: Database) -> None:
    tournament = await made(store)
    assert await stirring(store) == [tournament.id]
    await shown(store, tournament)
    assert await stirring(store) == []
    assert (await found(store, tournament)).message == 77


async def all_opened(store: Database, tournament: Tournament) -> Tournament:
    for number, pairing in enumerate(tournament.current_pairings):
        assert pairing.second is not None
        match = await add_match(store, a_match(10 + number, (pairing.first, pairing.second)))
        tournament = await changed(store, set_match(tournament, pairing, match.id), tournament)
    await shown(store, tournament)
    return tournament


async def test_a_pair_without_a_match_has_to_be_called(store: Database) -> None:
    tournament = await running(store)
    await shown(store, tournament)
    assert await stirring(store) == [tournament.id]
    await all_opened(store, tournament)
    assert await stirring(store) == []


async def test_a_match_that_has_ended_has_to_be_counted(store: Database) -> None:
    tournament = await all_opened(store, await running(store))
    pairing = tournament.current_pairings[0]
    async with store.read() as reader:
        match = await reader.matches.get(pairing.match or a_match().id)
    assert match is not None
    await save_match(store, resign(match, pairing.first))
    assert await stirring(store) == [tournament.id]
    tournament = await changed(store, enter_result(tournament, pairing, WON), tournament)
    await shown(store, tournament)
    assert await stirring(store) == []


async def test_a_round_whose_time_is_over_has_to_be_judged(store: Database) -> None:
    tournament = await all_opened(store, await running(store, pace=DAY))
    tournament = await changed(store, replace(tournament, reminded=True), tournament)
    await shown(store, tournament)
    assert await stirring(store, Millis(NOON + DAY - 1)) == []
    assert await stirring(store, Millis(NOON + DAY)) == [tournament.id]


async def test_the_time_of_a_round_begins_once_each_of_its_games_has_a_board(store: Database) -> None:
    new = await made(store, pace=DAY)
    started = start(new, dict.fromkeys(USERS, 1500.0), 1, NOON)
    tournament = await all_opened(store, await changed(store, started, new))
    for pairing in tournament.current_pairings:
        assert await stirring(store) == []
        async with store.write() as tx:
            await discard_boards(tx, MatchId(pairing.match or 0))
    assert await stirring(store) == [tournament.id]


async def test_the_players_of_a_round_are_reminded_when_a_quarter_of_it_is_left(store: Database) -> None:
    tournament = await all_opened(store, await running(store, pace=DAY))
    assert await stirring(store, Millis(NOON + 3 * DAY // 4 - 1)) == []
    assert await stirring(store, Millis(NOON + 3 * DAY // 4)) == [tournament.id]


async def test_what_a_tournament_still_has_to_tell_comes_back_until_it_is_posted(store: Database) -> None:
    tournament = await made(store)
    told = Notice(NoticeKind.SOON, tournament.version + 1), Notice(NoticeKind.ROUND, tournament.version + 1)
    noted = replace(tournament, begins=DAY, postponed=True, reminded=True, notices=told)
    tournament = await changed(store, noted, tournament)
    assert await found(store, tournament) == tournament
    async with store.write() as tx:
        await tx.kept_posts.mark_announced(tournament.post.key, told[1].version)
    assert (await found(store, tournament)).pending_notices == ()


async def test_a_downtime_extends_a_round(store: Database, clock: StoppedClock) -> None:
    tournament = await running(store, pace=Millis(DAY))
    await pass_time(store, clock, HOUR)
    clock.advance(2 * DAY)
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    assert (await found(store, tournament)).round_ends == NOON + 3 * DAY


async def test_a_round_that_was_read_before_it_was_put_off_is_not_saved(store: Database, clock: StoppedClock) -> None:
    tournament = await running(store, pace=Millis(DAY))
    await pass_time(store, clock, HOUR)
    clock.advance(2 * DAY)
    async with store.write() as tx:
        await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS)
    with pytest.raises(Stale):
        await changed(store, withdraw(tournament, ANNA), tournament)
