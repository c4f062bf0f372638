"""Games move by move: the moves that captured are those after which more dots are captured on the board."""

from __future__ import annotations

import pytest

from presentation.match.played_game import PlayedGame, turn_to
from presentation.words.words import languages
from tests.play.walks import played


@pytest.mark.parametrize("game", ["zagram", "sport", "paper", "sport-territory", "german-count"])
def test_captures_are_found_from_each_position(game: str) -> None:
    match = played(*["E5", "E6", "D6", "A1", "F6", "A2", "E7", "A3"], game=game, size="9x9", start="empty")
    shown = PlayedGame(match, ("Ann", "Bob"), languages().of("en"), "paper")
    positions = shown.positions()
    counts = [sum(stone.captured for stone in position.picture().stones) for position in positions]
    captured = [number for number in range(1, len(counts)) if counts[number] > counts[number - 1]]
    for number in range(len(positions)):
        page = turn_to(shown, number)
        assert page.captured_before == max((each for each in captured if each < number), default=None)
        assert page.captured_after == min((each for each in captured if each > number), default=None)
