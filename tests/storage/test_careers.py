"""Histories: the seats of finished matches, pages of them, and matches that were annulled after their end."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from play.challenge.pool import Pool
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves
from play.people.career import EVERYTHING, Annulment, Visibility
from rules.registry import GAMES
from storage import Database
from storage.careers import MATCHES_PER_YIELD
from storage.errors import Stale
from tests.clock import DAY, NOON
from tests.loop_calls import count_turns
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match, play_turn, resign, save_match
from use_cases import UseCases

MODERATOR = UserId(900)
ELSEWHERE = GuildId(8)
_channels = count(1)


async def played(
    store: Database, loser: UserId, other: UserId = BORIS, *, day: int = 0, guild: GuildId | None = GUILD
) -> MatchId:
    """A match that `loser`, who moved first, resigned after both had moved."""
    new = a_match(next(_channels), (loser, other), at=Millis(NOON + day * DAY))
    match = await add_match(store, replace(new, guild=guild))
    for _ in range(2):
        match = await save_match(store, play_turn(match))
    await save_match(store, resign(match, loser))
    return match.id


async def called_off(store: Database, user: UserId, guild: GuildId = GUILD) -> MatchId:
    match = await add_match(store, replace(a_match(next(_channels), (user, CLARA)), guild=guild))
    await save_match(store, moves.abort(match, user, NOON, IdempotencyKey(match.id)))
    return match.id


async def pages(
    store: Database, user: UserId, opponent: UserId | None = None, limit: int = 10, sight: Visibility = EVERYTHING
) -> list[MatchId]:
    """Returns the ids of a user's history, read in pages."""
    found: list[MatchId] = []
    async with store.read() as reader:
        while page := await reader.careers.finished(user, len(found), limit, opponent=opponent, sight=sight):
            found += [match.id for match in page]
    return found


async def test_an_open_match_is_in_no_history(store: Database) -> None:
    await add_match(store)
    assert await pages(store, ANNA) == []


async def test_a_history_has_the_latest_match_first(store: Database) -> None:
    played_ = [await played(store, ANNA, day=day) for day in (2, 0, 1)]
    assert await pages(store, ANNA) == [played_[0], played_[2], played_[1]]


async def test_pages_neither_repeat_nor_leave_out(store: Database) -> None:
    played_ = [await played(store, ANNA, day=day // 2) for day in range(5)]
    assert await pages(store, ANNA, limit=2) == played_[::-1]


async def test_while_a_long_history_is_read_others_have_their_turns(store: Database) -> None:
    called = [await called_off(store, ANNA) for _ in range(2 * MATCHES_PER_YIELD + 1)]
    async with store.read() as reader:
        found, turns = await count_turns(reader.careers.finished(ANNA, 0, 500))
    assert [match.id for match in found] == called[::-1]
    assert turns >= 2


async def test_the_games_of_two_are_told_apart(store: Database) -> None:
    theirs = [await played(store, ANNA, CLARA), await played(store, CLARA, ANNA, day=1)]
    await played(store, ANNA, BORIS)
    assert await pages(store, ANNA, CLARA) == await pages(store, CLARA, ANNA) == theirs[::-1]


async def test_on_a_server_what_was_played_there_is_in_sight(store: Database) -> None:
    here = await played(store, ANNA)
    for guild in (ELSEWHERE, None):
        await played(store, ANNA, guild=guild)
    assert await pages(store, ANNA, sight=Visibility.of(CLARA, GUILD, ANNA)) == [here]
    assert await pages(store, ANNA, BORIS, sight=Visibility.of(CLARA, GUILD, ANNA, BORIS)) == [here]


async def test_outside_of_servers_what_was_played_with_the_asker_is_in_sight(store: Database) -> None:
    shared = [
        await played(store, *pair, day=day, guild=guild)
        for day, (pair, guild) in enumerate((((ANNA, CLARA), GUILD), ((CLARA, ANNA), None), ((ANNA, CLARA), ELSEWHERE)))
    ]
    await played(store, ANNA, BORIS)
    assert await pages(store, ANNA, limit=1, sight=Visibility.of(CLARA, None, ANNA)) == shared[::-1]


async def test_the_games_of_two_others_are_out_of_sight_outside_of_servers(store: Database) -> None:
    await played(store, ANNA, BORIS)
    assert await pages(store, ANNA, BORIS, sight=Visibility.of(CLARA, None, ANNA, BORIS)) == []


async def test_at_a_table_of_three_the_games_of_two_are_in_sight_of_the_third(store: Database) -> None:
    game = GAMES["three"].with_options({"size": "5x5", "start": "empty"})
    table = await add_match(store, a_match(next(_channels), (ANNA, BORIS, CLARA), game=game))
    await save_match(store, resign(table))
    await played(store, ANNA, BORIS)
    assert await pages(store, ANNA, BORIS, sight=Visibility.of(CLARA, None, ANNA, BORIS)) == [table.id]


@pytest.mark.parametrize("guild", [GUILD, None])
async def test_ones_own_games_are_in_sight_everywhere(store: Database, guild: GuildId | None) -> None:
    own = [await played(store, ANNA, day=day, guild=where) for day, where in enumerate((GUILD, ELSEWHERE, None))]
    assert await pages(store, ANNA, sight=Visibility.of(ANNA, guild, ANNA)) == own[::-1]
    assert await pages(store, BORIS, ANNA, sight=Visibility.of(ANNA, guild, BORIS, ANNA)) == own[::-1]


async def test_games_that_came_to_nothing_are_counted_by_server(store: Database) -> None:
    await called_off(store, ANNA)
    await called_off(store, ANNA, ELSEWHERE)
    async with store.read() as reader:
        assert await reader.careers.count_quits(ANNA, Millis(0), GUILD) == 1
        assert await reader.careers.count_quits(ANNA, Millis(0)) == 2


async def test_a_finished_match_says_who_won_and_by_what(store: Database) -> None:
    await played(store, ANNA)
    async with store.read() as reader:
        (match,) = await reader.careers.finished(ANNA, 0, 1)
    assert (match.players, match.winners, match.reason, match.rules) == ((ANNA, BORIS), (1,), "resign", "zagram")
    assert (match.scores, match.captures, match.annulled, match.rated) == ((0, 0), (0, 0), False, None)


async def test_a_player_who_cancels_a_match_leaves_a_trace(store: Database) -> None:
    await called_off(store, ANNA)
    await called_off(store, ANNA)
    async with store.read() as reader:
        assert await reader.careers.count_quits(ANNA, Millis(NOON - 1)) == 2
        assert await reader.careers.count_quits(ANNA, NOON) == 0
        assert await reader.careers.count_quits(CLARA, Millis(0)) == 0


async def annulled(store: Database, match: MatchId) -> Annulment:
    note = Annulment(match, MODERATOR, NOON, Pool.parse("dots-days"), {ANNA: (1500.0, 1400.5), BORIS: (1500.0, 1600.0)})
    async with store.write() as tx:
        await tx.careers.annul(note, (ANNA, BORIS))
    return note


async def test_an_annulment_comes_back_with_the_ratings_before_and_after(store: Database) -> None:
    match = await played(store, ANNA)
    note = await annulled(store, match)
    async with store.read() as reader:
        assert await reader.careers.annulment_of(match) == note
        assert (await reader.careers.finished(ANNA, 0, 1))[0].annulled


async def test_what_was_never_rated_is_annulled_without_ratings(store: Database) -> None:
    match = await played(store, ANNA)
    async with store.write() as tx:
        await tx.careers.annul(Annulment(match, MODERATOR, NOON), (ANNA, BORIS))
    async with store.read() as reader:
        assert await reader.careers.annulment_of(match) == Annulment(match, MODERATOR, NOON)


async def test_nothing_is_annulled_twice(store: Database) -> None:
    match = await played(store, ANNA)
    await annulled(store, match)
    with pytest.raises(Stale):
        await annulled(store, match)


async def decided(store: Database, decide: str, *, rated: bool = True, source: int = 1, day: int = 0) -> None:
    """A match of ANNA and BORIS that a moderator annulled (`annul`), or adjudged to `ANNA`, `BORIS` or `neither`."""
    use_cases, at = UseCases.over(store, seeds=lambda: 4), Millis(NOON + day * DAY)
    terms, channel = Terms(GAME, parse_control("1d"), rated=rated), ChannelId(next(_channels))
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, channel, terms, at)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, at)
    assert match is not None
    if decide == "annul":
        await use_cases.moderation.annul(match.id, MODERATOR, GUILD, at, IdempotencyKey(source))
        return
    winner = {"ANNA": ANNA, "BORIS": BORIS, "neither": None}[decide]
    await use_cases.moderation.close(match.id, MODERATOR, winner, at, IdempotencyKey(source))


async def favors(store: Database, user: UserId = ANNA) -> int:
    async with store.read() as reader:
        return await reader.careers.count_favorable_decisions(user, NOON)


async def test_a_user_who_never_played_was_never_favored(store: Database) -> None:
    assert await favors(store) == 0


@pytest.mark.parametrize(
    ("decide", "anna", "boris"), [("annul", 1, 1), ("ANNA", 1, 0), ("BORIS", 0, 1), ("neither", 1, 1)]
)
async def test_a_moderators_decision_favors_whom_it_saves(store: Database, decide: str, anna: int, boris: int) -> None:
    await decided(store, decide, day=1)
    assert (await favors(store), await favors(store, BORIS)) == (anna, boris)


@pytest.mark.parametrize("details", [{"rated": False, "day": 1}, {"source": -5, "day": 1}, {"day": 0}])
async def test_no_favor_is_what_is_unrated_or_decided_by_the_program_or_long_ago(
    store: Database, details: dict[str, Any]
) -> None:
    await decided(store, "ANNA", **details)
    assert await favors(store) == 0


async def test_what_a_round_ended_is_counted_where_it_is_asked_for(store: Database) -> None:
    await decided(store, "ANNA", source=-5, day=1)
    async with store.read() as reader:
        assert await reader.careers.count_favorable_decisions(ANNA, NOON, by_rounds=True) == 1


async def test_an_annulled_match_favors_its_loser(store: Database) -> None:
    match = await played(store, ANNA)
    ratings = {ANNA: (1500.0, 1400.0), BORIS: (1500.0, 1600.0)}
    async with store.write() as tx:
        annulled = Annulment(match, MODERATOR, Millis(NOON + DAY), Pool.parse("dots-days"), ratings)
        await tx.careers.annul(annulled, (ANNA, BORIS))
    assert (await favors(store), await favors(store, BORIS)) == (1, 0)
