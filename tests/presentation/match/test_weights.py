"""Why a game counts less: each reason is told once, also where it holds for both players."""

from __future__ import annotations

from dataclasses import replace

from play.challenge.pool import Pool
from play.ids import MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.settlement import RatingChange, Weight
from presentation.match.phrases import weight_lines
from presentation.words.words import languages

RATING = Rating(1500.0, 50.0, 0.06, Millis(0))
EWA, OLA = UserId(1), UserId(2)
NAMES = {EWA: "Ewa", OLA: "Ola"}
SHORT = RatingChange(
    MatchId(1), EWA, Pool.parse("dots-days"), Millis(0), 0, 0.5, Weight().times(0.0, "short_game"), RATING, RATING
)


def test_a_reason_that_holds_for_both_is_told_once() -> None:
    drawn = [SHORT, replace(SHORT, user=OLA)]
    [line] = weight_lines(drawn, NAMES, languages().of())
    assert line.endswith("so Ewa gains nothing. The same holds for Ola.")


def test_reasons_of_one_are_told_of_one() -> None:
    won = [replace(SHORT, weight=SHORT.weight.times(0.5, "adjudged")), replace(SHORT, user=OLA, weight=Weight())]
    short, adjudged = weight_lines(won, NAMES, languages().of())
    assert "Ewa" in short
    assert "Ewa" in adjudged
    assert "Ola" not in short + adjudged
