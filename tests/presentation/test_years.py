"""A year in dots in words: what its cards say in each language, and what they leave out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from play.community.year import Champion, OwnYear, Pair, ServerYear
from play.ids import HOUR, MINUTE, UserId
from play.people.career import Tally
from play.records.openings import Board, Dot, Opening
from presentation.words.words import languages
from presentation.years import describe_year, named_in, own_year_card, server_year_card
from renderer.pen import Weight, font
from renderer.year import COLUMN, GAP, MIN_LABEL, MIN_VALUE, draw_year
from rules.game import Seat
from tests.matches import ANNA, BORIS, CLARA

OPENING = Opening.of(Board(20, 20), [Dot(9, 9, Seat(0)), Dot(10, 9, Seat(1))])
OWN = OwnYear(
    2026,
    Tally(4211, 388, 3120),
    (("zagram-no-territory", 5200), ("sport-territory", 1400)),
    longest=48,
    capture=137,
    best=2104.3,
    opening=OPENING,
    openings=312,
    puzzles=12480,
    live=1243 * HOUR,
    friend=(BORIS, 1204),
)
SERVER = ServerYear(
    2026,
    14210,
    1630,
    (date(2026, 9, 23), 131),
    (ANNA, 42),
    (Champion(BORIS, "Autumn Cup"), Champion(CLARA, "Winter Cup")),
    (Pair(ANNA, BORIS, 61), Pair(BORIS, CLARA, 44)),
)
NAMES = {ANNA: "Anna", BORIS: "Максим", CLARA: "Żółta Kropka"}
TAGS = languages().names


@pytest.mark.parametrize("tag", TAGS)
def test_a_huge_year_fits_in_each_language(tag: str) -> None:
    words = languages().of(tag)
    for card in (own_year_card(OWN, "Ola", words, "Żółta Kropka"), server_year_card(SERVER, "Dots", words, NAMES)):
        for fact in card.facts:
            width = (COLUMN[1] - COLUMN[0]) if fact.wide else (COLUMN[1] - COLUMN[0] - GAP) // 2
            assert font(Weight.MEDIUM, MIN_LABEL).getlength(fact.label) <= width, fact.label
            assert font(Weight.BOLD, MIN_VALUE).getlength(fact.told) <= width, fact.told
        assert draw_year(card, words("milestone.someone"))


def test_a_card_says_all_that_a_player_had() -> None:
    card = own_year_card(OWN, "Ola", languages().of("en"), "Максим")
    assert describe_year(card, languages().of("en")) == (
        "The year as a picture. Ola: 2026 in dots. 7,719 games. Results: 4211 won, 388 drawn, 3120 lost. "
        "Zagram without territory: 5,200 games. Sport Dots with territory: 1,400 games. "
        "Wins in a row: 48. Biggest capture: 137 dots. Strongest beaten, rating: 2104. Live play: 1243 hours. "
        "Puzzles solved: 12,480. Most games with: Максим · 1,204"
    )


def test_what_others_see_names_no_friend() -> None:
    card = own_year_card(OWN, "Ola", languages().of("en"))
    assert [fact for fact in card.facts if fact.names] == []


def test_less_than_an_hour_is_told_in_minutes() -> None:
    card = own_year_card(replace(OWN, live=7 * MINUTE), "Ola", languages().of("en"))
    assert "7 minutes" in [fact.value for fact in card.facts]


def test_a_year_of_puzzles_alone_says_no_results() -> None:
    card = own_year_card(OwnYear(2026, Tally(), puzzles=3), "Ola", languages().of("en"))
    assert [(fact.label, fact.value) for fact in card.facts] == [("Puzzles solved", "3")]


def test_the_card_of_a_server_says_what_was_played() -> None:
    words = languages().of("en")
    told = describe_year(server_year_card(SERVER, "Dots", words, NAMES), words)
    assert told == (
        "The year as a picture. Dots: 2026 in dots. 14,210 games. Players: 1,630. "
        "Busiest day: September 23, 2026 · 131. Biggest capture: Anna · 42 dots. Won Autumn Cup: Максим. "
        "Won Winter Cup: Żółta Kropka. Met most often: Anna – Максим · 61. Met most often: Максим – Żółta Kropka · 44"
    )


def test_names_are_asked_for_those_alone_whom_a_card_names() -> None:
    assert named_in(SERVER) == [ANNA, BORIS, CLARA]
    assert named_in(ServerYear(2026, 3, 2)) == []


def test_a_long_description_is_cut() -> None:
    names = dict.fromkeys((ANNA, BORIS, UserId(CLARA)), "W" * 600)
    words = languages().of("en")
    assert len(describe_year(server_year_card(SERVER, "Dots", words, names), words)) == 1000
