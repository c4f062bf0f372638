"""Which game between strangers everybody may watch, and which of several is the best."""

import pytest

from play.community.featured import FeaturedGame, best_game
from play.community.operator import Restriction, RestrictionKind
from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS, a_match, play_turn, resign, save_match
from use_cases.featured import Featured


def featured(number: int, *ratings: float, control: str = "5m", moves: tuple[str, ...] = ()) -> FeaturedGame:
    match = a_match(number, control=control)
    for move in moves:
        match = play_turn(match, move)
    return FeaturedGame(match, ratings)


CAPTURE = ("D3", "A1", "C5", "A2", "D4", "A3", "B5")
"""Anna captures C4 with her last move."""


def test_of_live_games_the_strongest_players_are_watched() -> None:
    weak, strong = featured(1, 1400, 1500), featured(2, 1600, 1500)
    assert best_game([weak, strong]) is strong
    assert best_game([strong, weak]) is strong


def test_a_live_game_comes_before_a_stronger_one_over_days() -> None:
    live, slow = featured(1, 1200, 1200), featured(2, 2000, 2000, control="3d")
    assert best_game([slow, live]) is live


def test_of_equal_players_the_closer_game_is_watched() -> None:
    even, decided = featured(1, 1500, 1500), featured(2, 1500, 1500, moves=CAPTURE)
    assert decided.match.score[0] > decided.match.score[1]
    assert best_game([decided, even]) is even


def test_there_may_be_none() -> None:
    assert best_game([]) is None


@pytest.fixture
async def match(store: Database) -> Match:
    async with store.write() as tx:
        return await tx.matches.add(a_match(control="5m", strangers=True))


async def allow(store: Database, *users: UserId) -> None:
    async with store.write() as tx:
        for user in users:
            await tx.people.save(PlayerSettings(user, watchable=True))


async def test_a_game_is_watched_once_both_players_allow_it(store: Database, match: Match) -> None:
    use_case = Featured(store)
    assert await use_case.follow() is None
    await allow(store, ANNA)
    assert await use_case.follow() is None
    assert await use_case.follow(match.id) is None
    await allow(store, BORIS)
    found = await use_case.follow()
    assert found is not None
    assert (found.match.id, found.ratings) == (match.id, (1500.0, 1500.0))


async def test_a_game_that_no_search_has_made_is_never_watched(store: Database) -> None:
    async with store.write() as tx:
        match = await tx.matches.add(a_match(control="5m"))
    await allow(store, ANNA, BORIS)
    assert await Featured(store).follow() is None
    assert await Featured(store).follow(match.id) is None


async def test_a_game_that_is_over_is_shown_to_who_has_watched_it(store: Database, match: Match) -> None:
    await allow(store, ANNA, BORIS)
    await save_match(store, resign(match))
    assert await Featured(store).follow() is None
    found = await Featured(store).follow(match.id)
    assert found is not None
    assert found.match.outcome is not None


async def test_nothing_is_shown_while_the_operator_has_closed_games_of_strangers(store: Database, match: Match) -> None:
    await allow(store, ANNA, BORIS)
    async with store.write() as tx:
        await tx.operator.restrict(Restriction(RestrictionKind.STRANGERS, 0, NOON))
    assert await Featured(store).follow(match.id) is None


async def test_a_game_that_there_is_not_leads_to_the_best(store: Database, match: Match) -> None:
    await allow(store, ANNA, BORIS)
    found = await Featured(store).follow(MatchId(99))
    assert found is not None
    assert found.match.id == match.id
