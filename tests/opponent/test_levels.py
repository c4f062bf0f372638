"""The levels of the computer, as people meet them."""

from __future__ import annotations

from bot.features.challenges.newcomer_game import NEWCOMER_TERMS
from opponent.levels import EASIEST
from tests.opponent.contest import computer, play_game, seeded
from tests.opponent.rivals import pupil

GAMES = 20


def test_who_has_just_read_learn_wins_most_of_their_first_games() -> None:
    level = computer(EASIEST)
    won = sum(play_game(NEWCOMER_TERMS.game, seed, seeded(pupil), level) for seed in range(GAMES))
    assert won > GAMES / 2
