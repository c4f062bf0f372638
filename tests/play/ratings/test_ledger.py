"""Which matches are rated, and that it happens with their last event."""

from __future__ import annotations

from itertools import count

import pytest

from play.clock import parse_control
from play.events import OfferKind
from play.ids import ChannelId, SourceId, UserId
from play.match import Match
from play.ratings.glicko import Rating
from play.ratings.pool import Pool
from play.store import Store
from play.tables import Tables
from play.terms import Terms
from rules.game import AnyGame
from rules.registry import configured
from tests.clock import HOUR, NOON, StoppedClock
from tests.matches import ANNA, BORIS, GUILD

SMALL = configured("zagram", {"size": "10x10"})
POOL = Pool.parse("dots-days")
_sources = count(1)


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, seeds=lambda: 4)


async def begun(tables: Tables, *, game: AnyGame = SMALL, rated: bool = True, channel: int = 1) -> Match:
    terms = Terms(game, parse_control("1h"), rated=rated)
    challenge = await tables.challenge(ANNA, BORIS, GUILD, ChannelId(channel), terms, NOON)
    _, match = await tables.accept(challenge.id, BORIS, NOON)
    assert match is not None
    return match


async def both_moved(tables: Tables, match: Match) -> Match:
    for _ in range(2):
        assert match.to_act is not None
        text = str(next(iter(match.position.moves())))
        player = match.players[match.to_act]
        match = await tables.move(match.id, player, text, match.clock.since, SourceId(next(_sources)))
    return match


async def ratings(store: Store) -> dict[UserId, Rating]:
    async with store.read() as reader:
        return await reader.ratings(POOL, (ANNA, BORIS))


NOBODY_RATED = {ANNA: Rating(), BORIS: Rating()}


async def test_a_rated_match_is_rated_when_it_ends(tables: Tables, store: Store) -> None:
    match = await both_moved(tables, await begun(tables))
    await tables.resign(match.id, ANNA, NOON, SourceId(next(_sources)))
    after = await ratings(store)
    assert after[BORIS].value > 1500 > after[ANNA].value


async def test_a_match_that_goes_on_is_not_rated_yet(tables: Tables, store: Store) -> None:
    await both_moved(tables, await begun(tables))
    assert await ratings(store) == NOBODY_RATED


async def test_a_friendly_match_is_not_rated(tables: Tables, store: Store) -> None:
    match = await both_moved(tables, await begun(tables, rated=False))
    await tables.resign(match.id, ANNA, NOON, SourceId(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_match_in_which_somebody_has_not_moved_is_not_rated(tables: Tables, store: Store) -> None:
    match = await begun(tables)
    await tables.resign(match.id, ANNA, NOON, SourceId(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_match_on_a_tiny_field_is_not_rated(tables: Tables, store: Store) -> None:
    match = await both_moved(tables, await begun(tables, game=configured("zagram", {"size": "5x5"})))
    await tables.resign(match.id, ANNA, NOON, SourceId(next(_sources)))
    assert await ratings(store) == NOBODY_RATED


async def test_a_flag_is_rated_like_any_other_end(tables: Tables, store: Store, clock: StoppedClock) -> None:
    match = await both_moved(tables, await begun(tables))
    assert match.to_act is not None
    clock.move(3 * HOUR)
    await tables.flag()
    after = await ratings(store)
    assert after[match.players[match.to_act]].value < 1500


async def test_a_draw_by_agreement_is_rated_as_a_draw(tables: Tables, store: Store) -> None:
    match = await both_moved(tables, await begun(tables))
    await tables.propose(match.id, ANNA, OfferKind.DRAW, NOON, SourceId(next(_sources)))
    await tables.agree(match.id, BORIS, OfferKind.DRAW, NOON, SourceId(next(_sources)))
    after = await ratings(store)
    assert after[ANNA].value == after[BORIS].value
    assert after[ANNA].deviation < 350


async def test_a_second_match_on_the_same_day_weighs_by_how_often_the_two_have_met(
    tables: Tables, store: Store
) -> None:
    weights = []
    for channel in range(5):
        match = await both_moved(tables, await begun(tables, channel=channel))
        await tables.resign(match.id, ANNA, NOON, SourceId(next(_sources)))
        async with store.read() as reader:
            weights.append((await reader.changes_of(match.id))[0].weight)
    assert [weight.value for weight in weights][-2:] == [weights[0].value / 2, weights[0].value / 4]
    assert "repeated_pair" in weights[-1].reasons
