"""Matches are rated with their last event, if they can be rated."""

from __future__ import annotations

from itertools import count

import pytest

from opponent.choice import HARDEST
from play.challenge.pool import Pool
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, Platform, UserId, ids_since
from play.match.events import OfferKind
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Season
from play.ratings.settlement import MAX_OF_OPPONENT, MIN_MOVES, RatingChange, Weight
from rules.game import AnyGame, Seat
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.league import add_rating
from tests.matches import ANNA, BORIS, CLARA, GUILD
from use_cases import UseCases
from use_cases.limits import MAX_DECISIONS

SMALL = make_game("zagram", {"size": "10x10"})
POOL = Pool.parse("dots-days")
ELSEWHERE = GuildId(8)
_sources = count(1)


async def start_match(
    use_cases: UseCases, *, game: AnyGame = SMALL, rated: bool = True, channel: int = 1, opponent: UserId = BORIS
) -> Match:
    terms = Terms(game, parse_control("1h"), rated=rated)
    challenge = await use_cases.challenges.challenge(ANNA, opponent, GUILD, ChannelId(channel), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, opponent, NOON)
    assert match is not None
    return match


async def play_moves(use_cases: UseCases, match: Match, moves: int = MIN_MOVES) -> Match:
    for _ in range(2 * moves):
        assert match.to_act is not None
        text = str(next(iter(match.position.moves())))
        player = match.players[match.to_act]
        match = await use_cases.matches.move(match.id, player, text, match.clock.since, IdempotencyKey(next(_sources)))
    return match


async def ratings(store: Database) -> dict[UserId, Rating]:
    async with store.read() as reader:
        return await reader.ratings.get(POOL, (ANNA, BORIS))


NOBODY_RATED = {ANNA: Rating(), BORIS: Rating()}


async def test_a_rated_match_is_rated_when_it_ends(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases))
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    after = await ratings(store)
    assert after[BORIS].value > 1500 > after[ANNA].value


async def test_a_match_that_goes_on_is_not_rated_yet(use_cases: UseCases, store: Database) -> None:
    await play_moves(use_cases, await start_match(use_cases))
    assert await ratings(store) == NOBODY_RATED


async def test_a_friendly_match_is_not_rated(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases, rated=False))
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_match_in_which_somebody_has_not_moved_is_not_rated(use_cases: UseCases, store: Database) -> None:
    match = await start_match(use_cases)
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_match_on_a_tiny_field_is_not_rated(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases, game=make_game("zagram", {"size": "5x5"})))
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_flag_is_rated_like_any_other_end(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match = await play_moves(use_cases, await start_match(use_cases))
    assert match.to_act is not None
    clock.advance(3 * HOUR)
    await use_cases.clocks.flag_overdue()
    after = await ratings(store)
    assert after[match.players[match.to_act]].value < 1500


async def test_a_draw_by_agreement_is_rated_as_a_draw(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases))
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, IdempotencyKey(next(_sources)))
    await use_cases.actions.agree(match.id, BORIS, OfferKind.DRAW, NOON, IdempotencyKey(next(_sources)))
    after = await ratings(store)
    assert after[ANNA].value == after[BORIS].value
    assert after[ANNA].deviation < 350


async def test_a_second_match_on_the_same_day_weighs_by_how_often_the_two_have_met(
    use_cases: UseCases, store: Database
) -> None:
    weights = []
    for channel in range(5):
        match = await play_moves(use_cases, await start_match(use_cases, channel=channel))
        await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
        async with store.read() as reader:
            weights.append((await reader.ratings.changes_of(match.id))[0].weight)
    assert [weight.value for weight in weights][-2:] == [weights[0].value / 2, weights[0].value / 4]
    assert "repeated_pair" in weights[-1].reasons


@pytest.mark.parametrize("moves", [1, MIN_MOVES - 1])
async def test_nobody_gains_from_a_game_that_was_given_up_at_once(
    use_cases: UseCases, store: Database, moves: int
) -> None:
    match = await play_moves(use_cases, await start_match(use_cases), moves)
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert (await ratings(store))[BORIS].value == 1500


async def test_a_player_who_resigns_at_once_loses_as_always(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases), 1)
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert (await ratings(store))[ANNA].value == pytest.approx(1338, abs=1)


async def test_a_draw_at_once_leaves_both_ratings_as_unsure_as_they_were(use_cases: UseCases, store: Database) -> None:
    match = await play_moves(use_cases, await start_match(use_cases), 1)
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, IdempotencyKey(next(_sources)))
    await use_cases.actions.agree(match.id, BORIS, OfferKind.DRAW, NOON, IdempotencyKey(next(_sources)))
    assert [(rating.value, rating.deviation) for rating in (await ratings(store)).values()] == [(1500, 350)] * 2


async def test_a_moderators_decision_counts_a_quarter_for_the_winner_alone(
    use_cases: UseCases, store: Database
) -> None:
    match = await play_moves(use_cases, await start_match(use_cases))
    await use_cases.moderation.adjudge(match.id, CLARA, GUILD, ANNA, NOON, IdempotencyKey(next(_sources)))
    async with store.read() as reader:
        weights = {change.user: change.weight for change in await reader.ratings.changes_of(match.id)}
    assert weights == {ANNA: Weight(0.25, ("adjudged",)), BORIS: Weight(1)}


PROGRAM = UserId(900)


async def begin_against_computer(use_cases: UseCases, game: AnyGame = SMALL, order: Order = Order.FIRST) -> Match:
    """Begins a game of ANNA against the strongest level."""
    terms = Terms(game, parse_control("1h"), order, rated=True, level=HARDEST)
    challenge = await use_cases.challenges.challenge(ANNA, PROGRAM, GUILD, ChannelId(1), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, PROGRAM, NOON)
    assert match is not None
    return match


async def changes_of(store: Database, match: Match) -> dict[UserId, RatingChange]:
    async with store.read() as reader:
        return {change.user: change for change in await reader.ratings.changes_of(match.id)}


@pytest.mark.parametrize("winner", [None, ANNA])
async def test_a_game_against_the_computer_that_its_round_ends_brings_nothing(
    use_cases: UseCases, store: Database, winner: UserId | None
) -> None:
    match = await play_moves(use_cases, await begin_against_computer(use_cases))
    await use_cases.moderation.close(match.id, PROGRAM, winner, NOON, IdempotencyKey(-1))
    change = (await changes_of(store, match))[ANNA]
    assert (change.after.value, change.weight) == (1500, Weight(0, ("decided_computer",)))


async def test_a_game_against_the_computer_that_a_moderator_decides_brings_nothing(
    use_cases: UseCases, store: Database
) -> None:
    match = await play_moves(use_cases, await begin_against_computer(use_cases))
    await use_cases.moderation.adjudge(match.id, CLARA, GUILD, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert (await changes_of(store, match))[ANNA].after.value == 1500


async def test_a_lost_game_against_the_computer_costs_as_usual_when_its_round_ends(
    use_cases: UseCases, store: Database
) -> None:
    match = await play_moves(use_cases, await begin_against_computer(use_cases))
    await use_cases.moderation.close(match.id, PROGRAM, PROGRAM, NOON, IdempotencyKey(-1))
    change = (await changes_of(store, match))[ANNA]
    assert (change.weight, change.after.value < 1500) == (Weight(1), True)


async def close_games(use_cases: UseCases, store: Database, count: int) -> list[Weight]:
    """Lets rounds of a tournament end this many games of ANNA and strangers in her favor; returns what each counted."""
    weights = []
    for number in range(count):
        match = await play_moves(use_cases, await start_match(use_cases, channel=number, opponent=UserId(300 + number)))
        await use_cases.moderation.close(match.id, PROGRAM, ANNA, NOON, IdempotencyKey(-1 - number))
        changes = await changes_of(store, match)
        assert changes[UserId(300 + number)].weight == Weight(1)
        weights.append(changes[ANNA].weight)
    return weights


async def test_of_the_games_that_rounds_end_for_a_player_five_in_90_days_bring_points(
    use_cases: UseCases, store: Database
) -> None:
    weights = await close_games(use_cases, store, MAX_DECISIONS + 1)
    assert weights == [Weight(0.25, ("adjudged",))] * MAX_DECISIONS + [Weight(0, ("many_decisions",))]


async def test_a_moderators_decision_after_five_games_that_rounds_ended_brings_no_points(
    use_cases: UseCases, store: Database
) -> None:
    await close_games(use_cases, store, MAX_DECISIONS)
    match = await play_moves(use_cases, await start_match(use_cases, channel=99))
    await use_cases.moderation.adjudge(match.id, CLARA, GUILD, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert (await changes_of(store, match))[ANNA].weight == Weight(0, ("many_decisions",))


WITH_KOMI = {"size": "12x12", "komi": "5.5"}


@pytest.mark.parametrize(("rules", "calls"), [("sport", ["land"]), ("classic", ["stop", "stop"])])
async def test_a_player_whom_komi_alone_lets_end_the_game_gains_nothing(
    use_cases: UseCases, store: Database, rules: str, calls: list[str]
) -> None:
    await add_rating(store, Pool.parse("computer-days"), ANNA, 1500)
    match = await play_moves(use_cases, await begin_against_computer(use_cases, make_game(rules, WITH_KOMI)))
    for call in calls:
        assert match.to_act is not None
        player = match.players[match.to_act]
        match = await use_cases.matches.move(match.id, player, call, NOON, IdempotencyKey(next(_sources)))
    assert match.outcome is not None
    assert match.outcome.winners == (Seat(0),)
    assert (await changes_of(store, match))[ANNA].weight == Weight(0, ("komi_alone",))


async def test_a_giver_of_komi_who_stops_first_loses_as_usual(use_cases: UseCases, store: Database) -> None:
    await add_rating(store, Pool.parse("computer-days"), ANNA, 1500)
    game = make_game("classic", WITH_KOMI)
    match = await play_moves(use_cases, await begin_against_computer(use_cases, game, Order.LAST))
    for _ in range(2):  # the computer's dot, and the player's STOP
        assert match.to_act is not None
        text = "stop" if match.players[match.to_act] == ANNA else str(next(iter(match.position.moves())))
        player = match.players[match.to_act]
        match = await use_cases.matches.move(match.id, player, text, NOON, IdempotencyKey(next(_sources)))
    await use_cases.matches.move(match.id, PROGRAM, "stop", NOON, IdempotencyKey(next(_sources)))
    change = (await changes_of(store, match))[ANNA]
    assert (change.weight, change.after.value < 1500) == (Weight(1), True)


async def moved_away(use_cases: UseCases, store: Database, match: Match) -> Match:
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, match.version, None), None)
    return await use_cases.actions.relocate(match.id, ANNA, ELSEWHERE, ChannelId(77))


async def test_a_game_that_is_judged_away_from_where_it_began_is_not_rated(
    use_cases: UseCases, store: Database
) -> None:
    match = await moved_away(use_cases, store, await play_moves(use_cases, await start_match(use_cases)))
    await use_cases.moderation.adjudge(match.id, CLARA, GUILD, ANNA, NOON, IdempotencyKey(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_game_that_a_tournament_decides_away_from_where_it_began_is_not_rated(
    use_cases: UseCases, store: Database
) -> None:
    match = await moved_away(use_cases, store, await play_moves(use_cases, await start_match(use_cases)))
    await use_cases.moderation.close(match.id, UserId(900), ANNA, NOON, IdempotencyKey(-1))
    assert await ratings(store) == NOBODY_RATED


async def test_a_game_that_is_finished_elsewhere_counts_where_it_began(use_cases: UseCases, store: Database) -> None:
    match = await moved_away(use_cases, store, await play_moves(use_cases, await start_match(use_cases)))
    await use_cases.matches.resign(match.id, BORIS, NOON, IdempotencyKey(next(_sources)))
    season = Season.at(NOON)
    async with store.read() as reader:
        listed = {
            guild: [scorer.user for scorer in await reader.leaderboards.scorers(season, POOL, guild, 0, 9)]
            for guild in (GUILD, ELSEWHERE)
        }
    assert listed == {GUILD: [ANNA, BORIS], ELSEWHERE: []}


async def test_many_young_accounts_are_one_opponent(use_cases: UseCases, store: Database) -> None:
    weights = []
    for number in range(4):
        of_each = ids_since([*Platform][number % len(Platform)], Millis(NOON - DAY))
        match = await start_match(use_cases, channel=number, opponent=UserId(of_each[number]))
        match = await play_moves(use_cases, match)
        await use_cases.matches.resign(match.id, match.players[1], NOON, IdempotencyKey(next(_sources)))
        async with store.read() as reader:
            weights += [each.weight for each in await reader.ratings.changes_of(match.id) if each.user == ANNA]
    assert [weight.value for weight in weights] == [0.25, 0.25, 0.25, 0.125]


async def beat(use_cases: UseCases, store: Database, opponent: UserId) -> RatingChange:
    """Lets Anna win a game; returns how it moved her rating."""
    number = next(_sources)
    match = await play_moves(use_cases, await start_match(use_cases, channel=number, opponent=opponent))
    await use_cases.matches.resign(match.id, opponent, NOON, IdempotencyKey(number))
    async with store.read() as reader:
        (change,) = [each for each in await reader.ratings.changes_of(match.id) if each.user == ANNA]
    return change


async def test_an_account_that_is_deleted_again_and_again_is_one_opponent(use_cases: UseCases, store: Database) -> None:
    moved = 0.0
    for _ in range(5):
        moved += (await beat(use_cases, store, BORIS)).moves
        async with store.write() as tx:
            await tx.privacy.forget(BORIS)
    assert 0.4 < moved < MAX_OF_OPPONENT + 1e-9


async def test_one_who_had_played_before_is_no_account_that_was_deleted(use_cases: UseCases, store: Database) -> None:
    await beat(use_cases, store, CLARA)
    await beat(use_cases, store, BORIS)
    async with store.write() as tx:
        await tx.privacy.forget(BORIS)
    again, other = await beat(use_cases, store, CLARA), await beat(use_cases, store, UserId(200))
    async with store.read() as reader:
        first = await reader.ratings.changes_of(MatchId(1))
    assert again.moved == pytest.approx(next(each.moves for each in first if each.user == ANNA))
    assert other.moved is not None
    assert other.moved > 0


async def test_a_table_weighs_less_if_two_of_it_have_met_often(use_cases: UseCases, store: Database) -> None:
    terms, weights = Terms(make_game("three", {"size": "13"}), parse_control("1h"), rated=True), []
    for channel in range(4):
        challenge = await use_cases.challenges.challenge(ANNA, None, GUILD, ChannelId(channel), terms, NOON)
        await use_cases.challenges.accept(challenge.id, BORIS, NOON)
        _, match = await use_cases.challenges.accept(challenge.id, UserId(200 + channel), NOON)
        assert match is not None
        for _ in range(3):
            assert match.to_act is not None
            text = str(next(iter(match.position.moves())))
            match = await use_cases.matches.move(
                match.id, match.players[match.to_act], text, NOON, IdempotencyKey(next(_sources))
            )
        await use_cases.matches.resign(match.id, match.players[0], NOON, IdempotencyKey(next(_sources)))
        async with store.read() as reader:
            changes = await reader.ratings.changes_of(match.id)
        weights.append({each.user: "repeated_pair" in each.weight.reasons for each in changes})
    assert [each[ANNA] for each in weights] == [False, False, False, True]
    assert weights[-1][UserId(203)] is False
