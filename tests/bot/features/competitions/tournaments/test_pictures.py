"""Contents of the pictures of tournaments."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.markup import spoken
from play.competitions.entries import withdraw
from play.competitions.rounds import advance, enter_result, set_match
from play.competitions.tournament import MAX_BOARDS, Format, Stage
from play.ids import MatchId, Millis, UserId
from play.match.points import LOST, WON
from presentation.tournaments import (
    _cells_by_opponent,
    _cells_by_round,
    bracket_sections,
    crosstable_lines,
    draw_tournament,
    round_label,
    round_phrase,
    unplayed_note,
)
from renderer.crosstable import Cell, Result
from renderer.theme import DARK, PAPER
from tests.play.competitions.test_tournament import HOST, NOW, started
from tests.renderer.page import decode

WORDS = spoken().of("en")


def names(count: int) -> dict[UserId, str]:
    return {UserId(user): f"Игрок {user}" for user in range(1, count + 1)}


def test_a_round_robin_shows_each_result_from_both_sides() -> None:
    running = started(4, Format.ROUND_ROBIN)
    pair = running.current_pairings[0]
    labels, cells = _cells_by_opponent(enter_result(running, pair, WON), WORDS)
    order = [row.user for row in enter_result(running, pair, WON).table]
    assert labels == ["1", "2", "3", "4"]
    assert pair.second is not None
    assert cells[pair.first][order.index(pair.second)].text == "1"
    assert cells[pair.second][order.index(pair.first)].text == "0"


def test_an_odd_round_robin_has_a_column_for_the_free_round() -> None:
    labels, cells = _cells_by_opponent(started(5, Format.ROUND_ROBIN), WORDS)
    assert labels[-1] == "bye"
    assert [row[-1].text for row in cells.values()].count("1") == 1


def test_a_swiss_table_names_opponents_by_their_lines() -> None:
    running = started(4)
    pair = running.current_pairings[0]
    running = enter_result(running, pair, WON)
    order = [row.user for row in running.table]
    assert pair.second is not None
    _, cells = _cells_by_round(running, WORDS)
    assert cells[pair.first][0].text == f"+{order.index(pair.second) + 1}"


def test_a_bye_is_named_in_a_swiss_table_where_digits_are_opponents() -> None:
    running = started(5)
    (bye,) = (pair for pair in running.current_pairings if pair.is_bye)
    _, cells = _cells_by_round(running, WORDS)
    assert cells[bye.first] == [Cell("bye", Result.WON)]


def test_the_computer_is_named_in_a_swiss_table() -> None:
    running = replace(started(5), computer=3)
    (alone,) = (pair for pair in running.current_pairings if pair.second is None)
    running = replace(running, pairings=tuple(replace(p, points=None) if p == alone else p for p in running.pairings))
    (alone,) = (pair for pair in running.current_pairings if pair.second is None)
    _, cells = _cells_by_round(enter_result(running, replace(alone, match=MatchId(7)), LOST), WORDS)
    assert cells[alone.first][0].text in ("comp.", "−comp.")


@pytest.mark.parametrize("format", [Format.ROUND_ROBIN, Format.SWISS])
def test_a_result_without_a_game_is_marked_and_the_mark_explained(format: Format) -> None:  # noqa: A002
    running = started(4, format)
    pair = running.current_pairings[0]
    played, unplayed = (enter_result(running, pair, WON, unplayed=each) for each in (False, True))
    texts = [
        {cell.text for line in crosstable_lines(each, names(4), WORDS)[1] for cell in line.cells}
        for each in (played, unplayed)
    ]
    assert not any("*" in text for text in texts[0])
    assert sum("*" in text for text in texts[1]) == 2
    assert unplayed_note(played, WORDS) == ""
    assert unplayed_note(unplayed, WORDS) == "* without a game"


def test_who_has_left_before_a_game_is_out_without_one_and_who_leaves_a_game_has_lost_it() -> None:
    running = started(4, Format.ROUND_ROBIN)
    pair = running.current_pairings[0]
    assert withdraw(running, pair.first).current_pairings[0].unplayed
    assert not withdraw(set_match(running, pair, MatchId(7)), pair.first).current_pairings[0].unplayed


@pytest.mark.parametrize("word", ["label", "phrase"])
def test_the_last_rounds_of_a_knock_out_have_their_names(word: str) -> None:
    name = {"label": round_label, "phrase": round_phrase}[word]
    told, running = list[str](), started(16, Format.KNOCK_OUT)
    while running.stage is Stage.RUNNING:
        told.append(name(running, running.round, WORDS).lower())
        for pair in running.current_pairings:
            running = enter_result(running, pair, WON)
        running = advance(running, NOW)
    assert [each.rstrip("s") for each in told] == ["round 1", "quarterfinal", "semifinal", "final"]


def test_tied_players_whose_names_the_font_lacks_have_different_numbers() -> None:
    running = started(4)
    _, lines = crosstable_lines(running, names(4), WORDS)
    assert {line.place for line in lines} == {""}, "no game is over"
    for pair in running.current_pairings:
        running = enter_result(running, pair, (0.5, 0.5))
    _, lines = crosstable_lines(running, names(4), WORDS)
    assert {line.place for line in lines} == {"=1."}
    assert [line.fallback for line in lines] == ["No. 1", "No. 2", "No. 3", "No. 4"]


def test_a_double_elimination_has_its_final_among_the_unbeaten_and_the_others_below() -> None:
    running = started(5, Format.DOUBLE_ELIMINATION)
    while running.stage is Stage.RUNNING:
        for pair in running.current_pairings:
            if pair.points is None:
                running = enter_result(running, pair, WON)
        running = advance(running, NOW)
    above, below = bracket_sections(running, names(5), WORDS)
    assert (above.title, below.title) == ("Unbeaten", "Second chance")
    assert above.rounds[-1][0] == "Final"
    assert [label for label, _ in below.rounds][:2] == ["", "Round 2"]
    shown = sum(len(pairs) for section in (above, below) for _, pairs in section.rounds)
    assert shown == len(running.pairings)
    assert decode(draw_tournament(running, "Cup", names(5), WORDS, PAPER)).size[0] > 0


def test_a_bracket_shows_who_is_through_before_the_next_round() -> None:
    running = started(8, Format.KNOCK_OUT)
    pair = running.current_pairings[0]
    [section] = bracket_sections(enter_result(running, pair, LOST), names(8), WORDS)
    rounds = [pairs for _, pairs in section.rounds]
    assert [len(pairs) for pairs in rounds] == [4, 2, 1]
    assert rounds[1][0][0].name == f"Игрок {pair.second}"
    assert rounds[1][0][1].name == ""


@pytest.mark.sample(5)
@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("players", [3, 21, 64])
def test_any_tournament_makes_a_picture_at_any_moment(format: Format, players: int) -> None:  # noqa: A002
    players = min(players, MAX_BOARDS) if format is Format.EXHIBITION else players
    chance, running = random.Random(1), started(players, format)
    known = names(players) | {HOST: "Ведущий"}
    assert draw_tournament(running, "Кубок", known, WORDS, PAPER)
    for _ in range(2):
        if running.stage is not Stage.RUNNING:
            break
        running = withdraw(running, chance.choice(running.playing))
        for pair in running.current_pairings:
            if pair.points is None:
                running = enter_result(running, pair, chance.choice([WON, LOST]))
        running = advance(running, Millis(NOW + 1))
    width, height = decode(draw_tournament(running, "Cup", known, WORDS, DARK)).size
    assert 800 <= width <= 2000
    assert 200 <= height <= 3000
