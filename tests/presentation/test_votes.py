"""Tallies are drawn so that a phone can read them, and say the same in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.markup import spoken
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, SideId, UserId
from play.match.match import Match
from play.votes import Choice, Count, Side, Tally, Vote, turn_of_move
from play.votes import tally as tally_of
from presentation.votes import MAX_DRAWN, MAX_SIDE, draw_tally, tally_picture, tally_text, tally_zone, turn_votes_text
from renderer.theme import THEMES
from rules.game import Point, Seat, point_name
from tests.bot.table import a_match
from tests.examples import examples

SIDE = Side(SideId(1), MatchId(12), Seat(0), GuildId(1), ChannelId(1), None, Millis(3_600_000), 1, Millis(0))
LARGE = a_match("zagram", size="39x32")
DOTS = st.builds(Point, st.integers(0, 38), st.integers(0, 31)).map(point_name)


def counted(votes: dict[str, int], version: int = 0) -> Tally:
    """Returns the tally of so many votes for turns, or for *resign* and *draw*."""
    counts = [
        Count(Choice(text), "", number, (Millis(at), at))
        if text in set(Choice)
        else Count(Choice.MOVE, text, number, (Millis(at), at))
        for at, (text, number) in enumerate(votes.items())
    ]
    return tally_of(SIDE, version, counts)


def own(text: str) -> Vote:
    return Vote(SIDE.id, 0, UserId(5), Choice.MOVE, text, Millis(0), IdempotencyKey(1))


@examples(300)
@given(st.dictionaries(DOTS, st.integers(1, 5000), min_size=1, max_size=60))
def test_a_tally_of_any_votes_can_be_read(votes: dict[str, int]) -> None:
    tally = counted(votes)
    picture = tally_picture(LARGE, tally, own(next(iter(votes))))
    zone = tally_zone(picture)
    likeliest = max(votes.values())
    assert 1 <= len(picture.numbers) <= min(MAX_DRAWN, len(votes))
    assert all(1 <= number.value <= 100 for number in picture.numbers)
    assert votes[point_name(picture.numbers[0].point)] >= likeliest * 0.99 - 1
    assert zone.contains(picture.numbers[0].point)
    assert max(zone.high.x - zone.low.x, zone.high.y - zone.low.y) < MAX_SIDE


def test_votes_for_the_same_dot_are_one_share() -> None:
    tally = counted({"F5": 3, "F5 paint E5": 1, "A1": 1})
    assert [number.value for number in tally_picture(a_match("classic"), tally).numbers] == [80, 20]


def test_ends_are_said_and_not_drawn() -> None:
    words = spoken().of("en")
    tally = counted({"resign": 2, "draw": 1, "A1": 1})
    assert [number.value for number in tally_picture(LARGE, tally).numbers] == [25]
    text = tally_text(LARGE, tally, words)
    assert "4 votes so far:" in text
    assert "**resigning**: 50% (2 votes)" in text
    assert "**a draw**: 25% (1 vote)" in text


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_draws_it_with_words_for_those_who_do_not_see_it(theme: str) -> None:
    drawn = draw_tally(LARGE, counted({"K12": 3, "L12": 1}), own("K12"), spoken().of("pl"), theme)
    assert drawn.png.startswith(b"\x89PNG")
    assert "K12: 75%" in drawn.alt
    assert "**" not in drawn.alt


def test_a_move_has_the_votes_of_its_turn() -> None:
    match, words = a_match("zagram", "E5", "D5", "D3"), spoken().of("en")
    told = turn_votes_text(match, counted({"E5": 2, "F5": 1}), 1, words)
    assert "2 votes of 3 were for E5." in told
    assert "**F5**: 33% (1 vote)" in told
    assert turn_votes_text(match, counted({"D3": 4}, version=2), 3, words) == "-# 🗳️ 4 votes of 4 were for D3."


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_turn_of_a_move_is_the_one_that_was_open_before_it(number: int) -> None:
    match: Match = a_match("zagram", "E5", "D5", "D3")
    assert turn_of_move(match, number) == number - 1
