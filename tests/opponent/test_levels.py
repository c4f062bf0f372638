"""The levels of the computer, as people meet them."""

from __future__ import annotations

import pytest

from bot.features.challenges.commands import NEWCOMER_TERMS
from opponent.automatic import as_automatic
from opponent.choice import EASIEST, HARDEST
from opponent.dots.player import serves
from play.ratings.settlement import counted_level
from rules.dots import DotsPosition
from rules.registry import GAMES
from tests.opponent.contest import computer, play_game, seeded
from tests.opponent.rivals import pupil


@pytest.mark.parametrize("games", [3, pytest.param(20, marks=pytest.mark.contest)])
def test_who_has_just_read_learn_wins_most_of_their_first_games(games: int) -> None:
    level = computer(EASIEST)
    won = sum(play_game(NEWCOMER_TERMS.game, seed, seeded(pupil), level) for seed in range(games))
    assert won > games / 2


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.seats == 2])
def test_two_levels_count_as_one_where_the_search_is_in_plain_python(key: str) -> None:
    position = GAMES[key].start(seed=0)
    compiled = isinstance(position, DotsPosition) and serves(as_automatic(position).rules)
    assert (counted_level(GAMES[key], HARDEST) == HARDEST) == compiled
