"""Early ends, instant wins and extra moves of Dots (docs/rules-reference.md)."""

from __future__ import annotations

import pytest

from rules.dots import Call, Closing, DotsPosition, Ending, Links, Reuse, Scoring, Win
from rules.game import IllegalMove, Outcome
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry
from tests.rules.dots.positions import lay_out, refusal, turn

# STOP

HOUSE = """
    ........
    ..AA....
    .A..AAAA
    .A..A...
    ..AA....
    ........
"""


def test_grounding_takes_every_group_that_touches_no_edge(symmetry: Symmetry) -> None:
    position = lay_out(HOUSE, symmetry, ending=Ending.GROUND)
    after = position.play(Call.STOP)
    assert after.rows() == symmetry.rows(["........", "..rr....", ".r..RRRR", ".r..R...", "..rr....", "........"])
    assert after.score == (0, 6)
    assert after.outcome == Outcome((BLUE,), "ground")


def test_the_loss_by_grounding_is_known_before(symmetry: Symmetry) -> None:
    assert lay_out(HOUSE, symmetry).at_risk(RED) == 6


def test_of_a_house_that_is_tied_to_the_edge_nothing_falls_when_it_is_played_out(symmetry: Symmetry) -> None:
    position = lay_out(HOUSE, symmetry, ending=Ending.PLAY_OUT)
    after = position.play(Call.STOP)
    assert (after.rows(), after.score, after.outcome) == (position.rows(), (0, 0), None)


def test_grounding_frees_the_prisoners_of_a_lost_group(symmetry: Symmetry) -> None:
    position = lay_out("..... ..A.. .AbA. ..A.. .....", symmetry, ending=Ending.GROUND)
    after = position.play(Call.STOP)
    assert after.rows() == ["." * 5, "..r..", ".rBr.", "..r..", "." * 5]
    assert after.score == (0, 4)


def test_a_base_joins_the_dots_round_it_into_one_group(symmetry: Symmetry) -> None:
    position = lay_out("..A.. .AbA. ..A.. ..... .....", symmetry, ending=Ending.GROUND)
    assert position.play(Call.STOP).score == (1, 0)


def test_a_group_that_the_opponent_can_enclose_without_entering_a_house_falls_when_play_goes_on(
    symmetry: Symmetry,
) -> None:
    position = lay_out("...... .AA... ...... ...A.. ...A.. ......", symmetry, ending=Ending.PLAY_OUT)
    after = position.play(Call.STOP)
    assert after.rows() == symmetry.rows(["......", ".rr...", "......", "...r..", "...r..", "......"])
    assert (after.score, after.outcome) == ((0, 4), None)


def test_after_a_stop_the_opponent_places_any_number_of_dots() -> None:
    position = lay_out(HOUSE, ending=Ending.PLAY_OUT).play(Call.STOP)
    for at in ((0, 0), (1, 0), (2, 0)):
        assert position.to_act == BLUE
        position = position.play(turn(position, at))


def test_the_houses_of_a_player_after_a_stop_still_capture() -> None:
    position = lay_out(HOUSE, ending=Ending.PLAY_OUT).play(Call.STOP)
    assert position.play(turn(position, (2, 2))).score == (1, 0)


def test_when_the_other_stops_as_well_the_game_is_over() -> None:
    position = lay_out(HOUSE, ending=Ending.PLAY_OUT).play(Call.STOP)
    assert position.play(Call.STOP).outcome == Outcome((RED, BLUE), "stop")


def test_stop_may_be_said_on_the_opponents_turn(symmetry: Symmetry) -> None:
    waiting = lay_out("...... .AA... ...... ...A.. ...A.. ......", symmetry, ending=Ending.PLAY_OUT).with_to_act(BLUE)
    after = waiting.play(Call.STOP_WAITING)
    assert (after.to_act, after.stopped, after.score) == (BLUE, RED, (0, 4))
    assert after.rows() == waiting.with_to_act(RED).play(Call.STOP).rows()
    assert after.play(turn(after, (0, 0), symmetry=symmetry)).to_act == BLUE


def test_stop_on_the_opponents_turn_is_said_once_and_only_where_the_ending_is_played_out() -> None:
    position = lay_out(HOUSE, ending=Ending.PLAY_OUT)
    assert refusal(position.play(Call.STOP), Call.STOP_WAITING) == "no_stop"
    assert refusal(position.play(Call.STOP_WAITING), Call.STOP_WAITING) == "no_stop"
    for ending in (Ending.FULL, Ending.GROUND):
        assert refusal(lay_out(HOUSE, ending=ending), Call.STOP_WAITING) == "no_stop"


def test_who_goes_on_after_a_stop_in_their_own_turn_may_stop_as_well() -> None:
    position = lay_out(HOUSE, ending=Ending.PLAY_OUT).play(Call.STOP_WAITING)
    assert position.play(Call.STOP).outcome == Outcome((RED, BLUE), "stop")


def test_stopping_is_refused_where_only_a_full_field_ends_the_game() -> None:
    assert refusal(lay_out("..."), Call.STOP) == "no_stop"


def test_under_everything_the_crossings_of_bases_count_with_own_dots_in_them() -> None:
    position = lay_out("..AAA.. .A...A. A..A.bA .A...A. ..AAC..", scoring=Scoring.EVERYTHING)
    assert position.score == (11, 0)


# Landing

WON = "..A.. .AbA. ..A.. ..... ....b"


def test_a_player_whose_lead_exceeds_their_risk_lands_and_wins() -> None:
    position = lay_out(WON, landing=True)
    assert position.calls() == (Call.LAND,)
    assert position.play(Call.LAND).outcome == Outcome((RED,), "land")


@pytest.mark.parametrize(
    "diagram", ["..... ..... ....A", "..A.. .AbA. ..A.. ..... ..A.. .....", ".A.A. AbAaA .A.A. ....."]
)
def test_landing_is_refused_to_a_player_who_does_not_lead_by_more(diagram: str) -> None:
    position = lay_out(diagram, landing=True)
    seat = BLUE if diagram.startswith(".A.A.") else RED
    assert refusal(position.with_to_act(seat), Call.LAND) == "lead_too_small"


PRISONER = """
    .....A..
    ....AbA.
    .....A..
"""
SAFE_BEHIND_A_HOUSE = HOUSE + PRISONER
"""Red leads by one. Six dots hang on the edge only through a house, where each capture takes two blue dots."""

OPEN_TO_ONE_DOT = "........ ..A..... .A.AAAAA ..A..... ........" + PRISONER
"""The house has one crossing, and a blue dot there completes the enclosure of three."""

OPEN_TO_TWO_DOTS = "........ ..A.A... .A.A.AAA ..A.A... ........" + PRISONER
"""As before, with a second house, and three more dots that hang on it."""

OPENED_BY_A_CAPTURE = "........ ...A.... ..A.A... .A...AAA ..A.A... ...A.... ........" + PRISONER
"""A blue dot below the topmost red one captures it. The house is open then, so that Blue can fill it."""


@pytest.mark.parametrize("closing", list(Closing))
def test_a_house_protects_a_landing_if_it_captures_by_itself(closing: Closing, symmetry: Symmetry) -> None:
    position = lay_out(SAFE_BEHIND_A_HOUSE, symmetry, landing=True, closing=closing)
    if closing is Closing.DRAWN:
        position = position.play(turn(position, (0, 0), chains=[[(5, 7)]], symmetry=symmetry)).with_to_act(RED)
    if closing is Closing.AUTOMATIC:
        assert position.at_risk(RED) == 6
        assert position.play(Call.LAND).outcome == Outcome((RED,), "land")
    else:
        assert refused_risk(position) == 6


@pytest.mark.parametrize(("diagram", "risk"), [(OPEN_TO_ONE_DOT, 3), (OPEN_TO_TWO_DOTS, 6), (OPENED_BY_A_CAPTURE, 7)])
def test_what_a_dot_in_a_house_can_enclose_is_at_risk_in_a_landing(diagram: str, risk: int, symmetry: Symmetry) -> None:
    assert refused_risk(lay_out(diagram, symmetry, landing=True)) == risk


def refused_risk(position: DotsPosition) -> object:
    """Returns what a player who is not allowed to land is told to have at risk."""
    with pytest.raises(IllegalMove) as refused:
        position.play(Call.LAND)
    assert (refused.value.key, position.calls()) == ("lead_too_small", ())
    return refused.value.details["risk"]


def test_landing_is_refused_where_it_is_not_played() -> None:
    assert refusal(lay_out(WON), Call.LAND) == "no_landing"


# Winning at once

READY = """
    .A..A.
    AbAAbA
    .A....
    ......
"""


def test_a_player_with_enough_captures_wins_at_once() -> None:
    position = lay_out(READY, win=Win(2))
    assert position.play(turn(position, (4, 2))).outcome == Outcome((RED,), "captures")


def test_one_capture_too_few_wins_nothing() -> None:
    position = lay_out(READY, win=Win(3))
    assert position.play(turn(position, (4, 2))).outcome is None


def test_a_player_with_a_sufficient_lead_wins_at_once() -> None:
    position = lay_out(READY, win=Win(2, ahead=True))
    assert position.play(turn(position, (4, 2))).outcome == Outcome((RED,), "lead")


def test_captures_without_the_lead_do_not_win_by_lead() -> None:
    position = lay_out(".A..A.... AbAAbA.a. .A.....Ba .......a.", win=Win(2, ahead=True))
    position = position.with_to_act(BLUE).play(turn(position, (6, 2)))
    assert position.score == (1, 1)
    assert position.with_to_act(RED).play(turn(position, (4, 2))).outcome is None


def test_a_dot_put_into_a_house_can_lose_at_once() -> None:
    position = lay_out(".A. A.A .A.", win=Win(1)).with_to_act(BLUE)
    assert position.play(turn(position, (1, 1))).outcome == Outcome((RED,), "captures")


# Moving again


def test_a_player_who_captures_moves_again() -> None:
    position = lay_out(READY, extra_move=True)
    assert position.play(turn(position, (4, 2))).to_act == RED


def test_a_player_who_captures_nothing_does_not_move_again() -> None:
    position = lay_out(READY, extra_move=True)
    assert position.play(turn(position, (5, 3))).to_act == BLUE


def test_a_capture_on_the_enemys_move_gives_no_extra_move() -> None:
    position = lay_out(".A. A.A .A. ...", extra_move=True).with_to_act(BLUE)
    after = position.play(turn(position, (1, 1)))
    assert (after.score, after.to_act) == ((1, 0), RED)
    assert after.play(turn(after, (0, 3))).to_act == BLUE


# The agreed end


def pool(diagram: str = ".A. A.A .A.", symmetry: Symmetry = AS_DRAWN) -> DotsPosition:
    return lay_out(diagram, symmetry, closing=Closing.DRAWN)


def test_an_odd_half_point_goes_against_the_player_to_move_once_the_neutral_crossings_are_full(
    symmetry: Symmetry,
) -> None:
    position = pool(symmetry=symmetry)
    assert position.agreed_end().scores == (0, 0)
    assert position.with_to_act(BLUE).agreed_end().scores == (1, 0)


def test_an_odd_number_of_neutral_crossings_turns_the_odd_half_point_round(symmetry: Symmetry) -> None:
    position = pool("bA. A.A .A.", symmetry)
    assert position.agreed_end().scores == (1, 0)
    assert position.with_to_act(BLUE).agreed_end().scores == (0, 0)


def test_an_even_difference_counts_half_for_either_player_to_move() -> None:
    position = pool(".AA. A..A .AA.")
    assert position.agreed_end().scores == position.with_to_act(BLUE).agreed_end().scores == (1, 0)


def test_enemy_dots_in_closed_areas_count_in_an_agreed_end_without_being_drawn() -> None:
    agreed = pool(".A. AbA .A.").agreed_end()
    assert (agreed.scores, agreed.outcome) == ((1, 0), Outcome((RED,), "agreed"))


def test_an_area_in_an_area_of_the_opponent_does_not_count_in_an_agreed_end() -> None:
    agreed = pool("..b.. .bAb. bA.Ab .bAb. ..b..").with_to_act(BLUE).agreed_end()
    assert agreed.scores == (0, 4)
    assert list(map(len, agreed.pools)) == [0, 1]


def test_prisoners_in_a_base_that_lies_in_an_area_of_the_opponent_do_not_count_in_an_agreed_end() -> None:
    position = pool("..b.. .bAb. bAbAb .b.b. ..b..")
    position = position.play(turn(position, (2, 3), chains=[[(2, 2)]]))
    assert position.score == (1, 0)
    assert position.agreed_end().scores == (0, 4)


def test_a_base_is_no_pool() -> None:
    position = pool(".A. AbA ... ...")
    position = position.play(turn(position, (1, 2), chains=[[(1, 1)]]))
    assert position.agreed_end().pools == ((), ())


@pytest.mark.parametrize("reuse", [Reuse.NONE, Reuse.ANY])
def test_szkrab_and_paper_count_what_is_drawn_in_an_agreed_end(reuse: Reuse, symmetry: Symmetry) -> None:
    agreed = lay_out(".AA. AbbA .AA. ....", symmetry, closing=Closing.DRAWN, reuse=reuse).agreed_end()
    assert (agreed.scores, agreed.pools) == ((0, 0), ((), ()))


def test_zagram_counts_captured_dots_in_an_agreed_end_and_no_room_to_move(symmetry: Symmetry) -> None:
    position = lay_out(".AA...a. A..A.aBa .AA...a.", symmetry)
    assert position.agreed_end().scores == position.score == (0, 1)


def test_an_agreed_end_paints_everything_enclosed_under_territory(symmetry: Symmetry) -> None:
    position = lay_out(".AA... A.bA.. .AA...", symmetry, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    agreed = position.agreed_end()
    assert (agreed.scores, agreed.outcome) == ((1.5, 0), Outcome((RED,), "agreed"))
    assert list(map(len, agreed.pools)) == [1, 0]


def test_painted_areas_that_were_left_open_count_nothing_in_an_agreed_end_by_dots() -> None:
    position = lay_out(".AA... A.bA.. .AA...", closing=Closing.PAINTED)
    assert position.agreed_end().scores == (0, 0)


@pytest.mark.parametrize("closing", [Closing.PAINTED, Closing.DRAWN])
def test_an_agreed_end_closes_everything_enclosed_under_everything(closing: Closing, symmetry: Symmetry) -> None:
    position = lay_out(".AA...a A.bA.aB .AA...a", symmetry, closing=closing, scoring=Scoring.EVERYTHING)
    assert position.score == (0, 0)
    agreed = position.agreed_end()
    assert (agreed.scores, agreed.outcome) == ((2, 0), Outcome((RED,), "agreed"))
    assert position.score == (0, 0), "the position itself never changes"


def test_far_links_close_nothing_in_an_agreed_end() -> None:
    position = lay_out(
        ".AA. A.bA .AA.", closing=Closing.DRAWN, links=Links.FAR, reuse=Reuse.ANY, scoring=Scoring.EVERYTHING
    )
    assert position.agreed_end().scores == (0, 0)
