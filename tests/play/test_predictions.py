"""A game is predicted by those who do not play it, in its windows, and settled once it is over."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.community.ban import Ban
from play.community.news import News, NewsKind
from play.community.prediction import Outlook, Tally, windows
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from play.match.match import AwayPlace, Match
from play.refusal import Refused
from rules.game import Seat
from rules.registry import make_game
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, load_match, play_turn, save_match
from tests.votes import AWAY, a_game, cast, with_terms
from tests.votes import begin as begin_votes
from use_cases import UseCases
from use_cases.workers.prediction_judge import PredictionJudge

DORA, EVA = UserId(104), UserId(105)
BOARD = make_game("zagram", {"size": "10x10", "start": "empty"})


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
async def final(store: Database) -> Match:
    return await add_match(store, replace(a_match(game=BOARD, control="3d"), predictable=True))


async def play(store: Database, match: Match, moves: int) -> Match:
    for _ in range(moves):
        match = await save_match(store, play_turn(match))
    return match


async def predict(use_cases: UseCases, match: Match, user: UserId = CLARA, pick: int = 1) -> Outlook:
    return await use_cases.predictions.predict(match.id, match.version, user, GUILD, pick, manages=False)


async def refused(
    use_cases: UseCases, match: Match, user: UserId = CLARA, guild: GuildId = GUILD, pick: int = 1
) -> str:
    with pytest.raises(Refused) as caught:
        await use_cases.predictions.predict(match.id, match.version, user, guild, pick, manages=False)
    return caught.value.key


async def resign(use_cases: UseCases, match: Match, user: UserId = BORIS) -> None:
    """Resigns after the first window: an earlier end by word counts nothing."""
    await play(use_cases.store, match, windows(match)[0].closes)
    await use_cases.matches.resign(match.id, user, NOON, IdempotencyKey(77))


async def judge(use_cases: UseCases) -> list[News]:
    """Settles what is to be settled; returns the news of it."""
    worker = PredictionJudge(use_cases.store, use_cases.events)
    for match in await worker.pending(10):
        await worker.process(match)
    async with use_cases.store.read() as reader:
        found = [await reader.news.get(each) for each in await reader.news.pending(10)]
    return [each for each in found if each is not None]


async def test_a_prediction_can_be_changed_until_its_window_closes(
    store: Database, use_cases: UseCases, final: Match
) -> None:
    await predict(use_cases, final)
    later = await play(store, final, 1)
    assert (await predict(use_cases, later, pick=-2)).own[0].pick == -2


async def test_thirty_clicks_at_once_make_one_prediction(store: Database, use_cases: UseCases, final: Match) -> None:
    await asyncio.gather(*(predict(use_cases, final, pick=each % 9 - 4) for each in range(30)))
    async with store.read() as reader:
        assert len(await reader.predictions.of_user(final.id, CLARA)) == 1


async def test_a_panel_from_before_a_move_of_the_same_window_counts(
    store: Database, use_cases: UseCases, final: Match
) -> None:
    await play(store, final, 3)
    assert (await predict(use_cases, final)).own[0].pick == 1


async def test_a_panel_from_before_the_window_closed_counts_for_no_window(
    store: Database, use_cases: UseCases, final: Match
) -> None:
    first, second, *_ = windows(final)
    before = await play(store, final, first.closes - 1)
    await play(store, before, 1)
    assert await refused(use_cases, before) == "stale"
    after = await play(store, await load_match(store, final.id), second.opens - first.closes)
    assert await refused(use_cases, before) == "stale"
    assert (await predict(use_cases, after)).own.keys() == {1}


async def test_between_windows_nothing_is_predicted(store: Database, use_cases: UseCases, final: Match) -> None:
    between = await play(store, final, windows(final)[0].closes)
    assert await refused(use_cases, between) == "predict_closed"
    assert (await use_cases.predictions.look(final.id, CLARA, GUILD, manages=False)).window is None


async def test_after_the_last_move_nothing_is_predicted(store: Database, use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final)
    await resign(use_cases, final)
    assert await refused(use_cases, final, DORA) == "match_over"
    await judge(use_cases)
    table = await use_cases.predictions.table(GUILD, DORA)
    assert [(line.user, line.points) for line in table.lines] == [(CLARA, 8)]
    assert table.own is None


@pytest.mark.parametrize("player", [ANNA, BORIS])
async def test_players_do_not_predict_their_own_game(use_cases: UseCases, final: Match, player: UserId) -> None:
    assert await refused(use_cases, final, player) == "predict_own"
    with pytest.raises(Refused, match="predict_own"):
        await use_cases.predictions.look(final.id, player, GUILD, manages=False)


async def test_a_banned_member_predicts_nothing(use_cases: UseCases, final: Match) -> None:
    await use_cases.bans.ban(Ban(GUILD, CLARA, ANNA, NOON))
    assert await refused(use_cases, final) == "banned"


async def test_a_member_of_another_server_finds_no_game(use_cases: UseCases, final: Match) -> None:
    assert await refused(use_cases, final, guild=GuildId(8)) == "no_match"


async def test_an_ordinary_game_is_not_predicted(store: Database, use_cases: UseCases) -> None:
    assert await refused(use_cases, await add_match(store, a_match())) == "predict_not_this"


@pytest.mark.parametrize("pick", [5, -5, 10**9])
async def test_a_result_that_was_made_up_is_refused(use_cases: UseCases, final: Match, pick: int) -> None:
    assert await refused(use_cases, final, pick=pick) == "old_button"


async def test_no_match_is_no_prediction(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="no_match"):
        await use_cases.predictions.predict(MatchId(99), 0, CLARA, GUILD, 1, manages=False)


async def test_others_are_hidden_until_the_window_closes(store: Database, use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final, DORA)
    await predict(use_cases, final, EVA)
    assert (await predict(use_cases, final, pick=-1)).tallies == []
    await play(store, final, windows(final)[0].closes)
    assert (await use_cases.predictions.look(final.id, CLARA, GUILD, manages=False)).tallies == [
        Tally(0, 1, 2),
        Tally(0, -1, 1),
    ]


async def test_the_best_prediction_is_told_once(use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final)
    await predict(use_cases, final, DORA, -1)
    await resign(use_cases, final)
    (news,) = await judge(use_cases)
    assert (news.kind, news.guild, news.channel, news.about) == (NewsKind.FORETOLD, GUILD, final.channel, final.id)
    assert await judge(use_cases) == [news]


async def test_nothing_is_told_where_nobody_was_better_than_the_score(use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final, pick=0)
    await predict(use_cases, final, DORA, -1)
    await resign(use_cases, final)
    assert await judge(use_cases) == []


async def test_a_game_without_a_result_brings_no_points(store: Database, use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final)
    await use_cases.actions.abort(final.id, ANNA, NOON, IdempotencyKey(78))
    assert await judge(use_cases) == []
    assert (await use_cases.predictions.table(GUILD, CLARA)).own is None
    async with store.read() as reader:
        assert await reader.predictions.of_user(final.id, CLARA) == []


async def test_the_list_has_the_games_that_go_on(use_cases: UseCases, final: Match) -> None:
    assert [each.id for each in await use_cases.predictions.list_open(GUILD, CLARA, manages=False)] == [final.id]
    await resign(use_cases, final)
    assert await use_cases.predictions.list_open(GUILD, CLARA, manages=False) == []


async def test_the_list_leaves_out_ones_own_games(use_cases: UseCases, final: Match) -> None:
    assert await use_cases.predictions.list_open(GUILD, final.players[0], manages=False) == []


async def test_a_vote_game_is_predicted_by_those_who_do_not_vote(use_cases: UseCases) -> None:
    match, _ = await begin_votes(use_cases)
    await cast(use_cases, match.id, "a1", user=CLARA)
    assert await refused(use_cases, match) == "predict_voted"
    assert (await predict(use_cases, match, DORA)).own.keys() == {0}
    assert await use_cases.predictions.list_open(GUILD, CLARA, manages=False) == []
    assert [each.id for each in await use_cases.predictions.list_open(GUILD, DORA, manages=False)] == [match.id]


async def test_who_manages_a_server_predicts_no_game_that_it_plays(use_cases: UseCases, final: Match) -> None:
    match, _ = await begin_votes(use_cases, a_game(channel=2))
    with pytest.raises(Refused, match="predict_managed"):
        await use_cases.predictions.predict(match.id, match.version, CLARA, GUILD, 1, manages=True)
    found = await use_cases.predictions.list_open(GUILD, CLARA, manages=True)
    assert [each.id for each in found] == [final.id]


async def test_a_vote_of_a_member_who_has_predicted_is_agreed_to_and_ends_that(
    use_cases: UseCases,
) -> None:
    match, _ = await begin_votes(use_cases)
    await predict(use_cases, match)
    await predict(use_cases, match, DORA)
    with pytest.raises(Refused, match="vote_predicted"):
        await cast(use_cases, match.id, "a1", user=CLARA)
    assert {*(await use_cases.predictions.look(match.id, CLARA, GUILD, manages=False)).own} == {0}
    await cast(use_cases, match.id, "a1", user=CLARA, ends_prediction=True)
    await cast(use_cases, match.id, "a2", user=CLARA)
    assert await refused(use_cases, match) == "predict_voted"
    await resign(use_cases, match)
    await judge(use_cases)
    table = await use_cases.predictions.table(GUILD, CLARA)
    assert ([line.user for line in table.lines], table.own) == ([DORA], None)


async def test_the_level_of_the_computer_is_obvious(use_cases: UseCases) -> None:
    match, _ = await begin_votes(use_cases, with_terms(a_game(), level=9))
    assert (await use_cases.predictions.look(match.id, CLARA, GUILD, manages=False)).obvious < 0


async def test_both_servers_of_a_game_predict_it_and_are_told_in_their_own_channels(
    store: Database, use_cases: UseCases
) -> None:
    away = AwayPlace(AWAY, ChannelId(2), ChannelId(502), Seat(1))
    match = await add_match(store, replace(a_match(game=BOARD, control="3d"), predictable=True, away=away))
    await predict(use_cases, match)
    assert (
        await use_cases.predictions.predict(match.id, 0, DORA, AWAY, 2, manages=False)
    ).match.channel == away.channel
    assert [each.channel for each in await use_cases.predictions.list_open(AWAY, DORA, manages=False)] == [away.channel]
    assert await refused(use_cases, match, guild=GuildId(99)) == "no_match"
    await resign(use_cases, match)
    assert {(news.guild, news.channel) for news in await judge(use_cases)} == {
        (GUILD, match.channel),
        (AWAY, away.channel),
    }
    for guild, user in ((GUILD, CLARA), (AWAY, DORA)):
        table = await use_cases.predictions.table(guild, user)
        assert [line.user for line in table.lines] == [user]


async def test_an_annulled_game_has_no_predictions(store: Database, use_cases: UseCases, final: Match) -> None:
    await predict(use_cases, final)
    await resign(use_cases, final)
    assert len(await judge(use_cases)) == 1
    await use_cases.moderation.void(final.id, UserId(900), GUILD, NOON)
    async with store.read() as reader:
        assert await reader.predictions.of_user(final.id, CLARA) == []
        assert await reader.predictions.best(final.id, GUILD) is None
