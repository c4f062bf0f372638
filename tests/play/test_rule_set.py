"""A name belongs to rules: terms with them have it, all others do not."""

from __future__ import annotations

import pytest

from play.challenge.terms import Owner, RuleSet, Terms, fold, with_name
from play.clock import parse_control
from play.ids import RuleSetId
from rules.game import AnyGame
from rules.registry import GAMES, make_game
from tests.matches import ANNA

EXTRA = make_game("sport", {"size": "20x20", "extra-move": "on"})
SMALL = make_game("sport", {"size": "9x9"})
TERMS = Terms(GAMES["quick"], parse_control("3d"), rated=True)


def named(game: AnyGame, name: str = "Grandpa", control: str | None = None) -> RuleSet:
    return RuleSet(RuleSetId(1), Owner(ANNA), name, game, parse_control(control) if control else None)


def test_rules_come_with_their_name_and_leave_the_clock_alone() -> None:
    terms = named(EXTRA).apply(TERMS)
    assert (terms.game, terms.rule_set, terms.control, terms.rated) == (EXTRA, "Grandpa", TERMS.control, True)


def test_rules_with_a_clock_bring_it() -> None:
    assert named(EXTRA, control="5s random").apply(TERMS).control == parse_control("5s random")


@pytest.mark.parametrize(
    ("of", "game", "is_named"),
    [
        (EXTRA, EXTRA, True),
        (EXTRA, EXTRA.with_options({"size": "30x30"}), True),
        (EXTRA, EXTRA.with_options({"extra-move": "off"}), False),
        (EXTRA, EXTRA.with_options({"start": "empty"}), False),
        (EXTRA, make_game("sport-blitz", {"size": "20x20", "extra-move": "on"}), False),
        (SMALL, SMALL, True),
        (SMALL, GAMES["sport"], False),
        (GAMES["dot-dash"], GAMES["dot-dash"], True),
    ],
)
def test_a_name_goes_with_the_options_on_a_board_of_any_size(of: AnyGame, game: AnyGame, *, is_named: bool) -> None:
    terms = Terms(game, TERMS.control)
    assert with_name(terms, [named(of)]).rule_set == ("Grandpa" if is_named else None)


def test_of_two_rule_sets_that_differ_in_size_the_one_of_that_size_gives_its_name() -> None:
    small = named(EXTRA.with_options({"size": "9x9"}), "Small")
    assert with_name(Terms(EXTRA, TERMS.control), [small, named(EXTRA, "Large")]).rule_set == "Large"
    assert with_name(Terms(small.game, TERMS.control), [named(EXTRA, "Large"), small]).rule_set == "Small"


def test_a_draft_keeps_the_name_that_its_rules_had() -> None:
    before = Terms(EXTRA, TERMS.control, rule_set="Hers")
    assert with_name(Terms(EXTRA, parse_control("1d")), [], before).rule_set == "Hers"
    assert with_name(Terms(SMALL, parse_control("1d")), [], before).rule_set is None


def test_the_present_name_of_a_rule_set_counts() -> None:
    before = Terms(EXTRA, TERMS.control, rule_set="Old")
    assert with_name(before, [named(EXTRA, "New")], before).rule_set == "New"


@pytest.mark.parametrize(("one", "other"), [("Дед", "ДЕД"), ("Straße", "STRASSE"), ("Ａ", "a"), ("é", "e\u0301")])
def test_names_are_compared_without_case_and_spelling_of_letters(one: str, other: str) -> None:
    assert fold(one) == fold(other)
