"""Words that agree with the picture: colours, the number of the move, and turns that close something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.match.board import BoardMessage
from bot.markup import DISCORD, spoken
from play.match.match import Match
from presentation.match.match_view import MatchView
from presentation.match.phrases import MAX_NAMED_DOTS, chain_text, colour_name, emblem, turn_text
from presentation.text import plain_name
from renderer.theme import THEMES
from rules.game import Point
from rules.registry import make_game
from tests.bot.table import a_match
from tests.clock import NOON
from tests.matches import resign

WORDS = spoken().of()
TRAP = ("d5", "e5", "e6", "d4", "e4", "a2")


def view(match: Match, theme: str = "paper", language: str = "en") -> MatchView:
    names = tuple(("Ola", "Max", "Kim", "Eve")[: match.game.seats])
    return MatchView(match, (0.0,) * match.game.seats, names, spoken().of(language), NOON, theme)


@pytest.mark.parametrize(
    ("theme", "signs", "colours"),
    [
        ("paper", "🔴🔵🟢🟣", "red blue green violet"),
        ("dark", "🔴🔵🟢🟣", "red blue green violet"),
        ("colour-blind", "🟠🟦🟢🟣", "orange blue green violet"),
        ("notebook", "🔵🟤🟢🔴", "blue brown green crimson"),
        ("high-contrast", "🟡🟦🟢🟣", "yellow blue green pink"),
        ("no-such", "🔴🔵🟢🟣", "red blue green violet"),
    ],
)
def test_emoji_and_words_have_the_colours_of_the_theme(theme: str, signs: str, colours: str) -> None:
    assert "".join(emblem(theme, seat) for seat in range(4)) == signs
    assert " ".join(colour_name(theme, seat, WORDS) for seat in range(4)) == colours


@pytest.mark.parametrize("language", spoken().names)
def test_every_language_has_every_colour(language: str) -> None:
    words = spoken().of(language)
    named = {ink.name: words(f"colour.{ink.name}") for theme in THEMES.values() for ink in theme.inks}
    assert len(set(named.values())) == len(named) == 9


def test_a_notebook_board_calls_the_first_player_blue_in_text_and_alt_text() -> None:
    shown = view(a_match("zagram", "e5", "d5"), "notebook")
    assert "🔵 **Ola** 0 · 🟤 **Max** 0" in shown.content
    assert shown.content.splitlines()[-1].startswith("🔵 ")
    assert "Ola (blue) 0, Max (brown) 0" in shown.alt
    assert [plate.fallback for plate in shown.header.plates] == ["blue", "brown"]


@pytest.mark.parametrize("moves", [(), ("e5",), ("e5", "d5", "e6")])
def test_picture_text_and_alt_text_have_the_same_number_of_the_move(moves: tuple[str, ...]) -> None:
    shown, number = view(a_match("zagram", *moves)), len(moves) + 1
    assert shown.header.note == f"move {number}"
    assert f"(move {number})" in shown.content
    assert f"move {number}." in shown.alt


def test_the_number_of_a_finished_game_is_that_of_its_last_move() -> None:
    match = a_match("zagram-no-territory", "e5", "stop", "stop")
    assert match.outcome is not None
    shown = view(match)
    assert (shown.header.note, "move 3." in shown.alt) == ("move 3", True)


PAINTED, DRAWN = make_game("sport-territory", {}), make_game("zagram-territory", {})


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Ola, Kim win: Max resigned."),
        ("de", "Ola, Kim gewinnen: Max gibt auf."),
        ("pl", "Ola, Kim wygrywają: Max poddaje partię."),
        ("ru", "Ola, Kim побеждают: Max сдаётся."),
        ("uk", "Ola, Kim перемагають: Max здається."),
        ("cs", "Ola, Kim vyhrávají: Max se vzdává."),
    ],
)
def test_several_winners_win(language: str, told: str) -> None:
    match = a_match("three", "e5")
    assert told in view(resign(match, match.players[1]), language=language).alt


@pytest.mark.parametrize("language", ["en", "de", "pl", "ru", "uk"])  # some Czech verbs have one form for both
def test_three_winners_are_told_otherwise_than_one(language: str) -> None:
    words = spoken().of(language)
    for reason in ("full", "captures", "lead", "agreed", "resign", "time", "adjudged"):
        one, three = (words(f"result.win.{reason}", count=count, winner="A", loser="B") for count in (1, 3))
        assert one != three, reason


def test_names_from_the_right_leave_scores_and_colours_in_their_places() -> None:
    shown = replace(view(a_match("zagram", "e5", "d5")), names=(plain_name("שלום"), plain_name("العربية")))
    hebrew, arabic = "\u2068שלום\u2069", "\u2068العربية\u2069"
    assert f"🔴 **{hebrew}** 0 · 🔵 **{arabic}** 0" in shown.content
    assert f"{hebrew} (red) 0, {arabic} (blue) 0" in shown.alt


def test_a_turn_that_closes_something_is_put_into_words() -> None:
    assert turn_text(PAINTED, "C20 paint S16 T3", WORDS, DISCORD.bold) == "**C20** with a chain around S16, T3"
    assert turn_text(DRAWN, "C20 draw S16", WORDS) == "C20 with a chain around S16"
    assert turn_text(DRAWN, "C20 draw A1-B2-A3", WORDS) == "C20 with the chain A1–B2–A3"
    assert turn_text(DRAWN, "C20", WORDS, DISCORD.bold) == "**C20**"
    assert turn_text(make_game("dot-dash", {}), "F7-I10", WORDS) == "F7-I10"


def test_a_turn_without_a_dot_has_the_name_of_its_button() -> None:
    assert turn_text(make_game("classic", {}), "stop", WORDS, DISCORD.bold) == "**STOP**"
    assert turn_text(make_game("zagram", {}), "land", WORDS) == "Land"


@pytest.mark.parametrize("language", spoken().names)
def test_no_language_shows_the_notation_of_a_closing(language: str) -> None:
    match = a_match("sport-territory", *TRAP, "f5 paint e5")
    shown = view(match, language=language)
    for text in (shown.content, shown.alt):
        assert "paint" not in text
        assert "E5" in text
        assert "F5" in text


def test_the_board_tells_what_a_turn_closed() -> None:
    shown = view(a_match("sport-territory", *TRAP, "f5 paint e5"))
    assert shown.content.startswith("🔴 **Ola** played **F5** with a chain around E5")


@pytest.mark.parametrize("preset", ["sport-territory", "german-count"])
def test_points_are_told_as_points_and_not_as_fives(preset: str) -> None:
    closing = "f5 paint e5" if preset == "sport-territory" else "f5 draw e5"
    shown = replace(view(a_match(preset, *TRAP, closing)), gains=(1.0, 0.0))
    assert shown.content.splitlines()[0] == "🔴 **Ola** played **F5** with a chain around E5, 🔴 **Ola** +1."
    assert "Score: Ola (red) 1" in shown.alt


def test_a_long_chain_is_named_by_its_last_dots() -> None:
    chain = tuple(Point(x, 0) for x in range(20))
    assert chain_text(chain).startswith("…–I1–")
    assert chain_text(chain).count("–") == MAX_NAMED_DOTS


def test_the_zoom_names_the_dots_in_the_colours_of_the_theme() -> None:
    board = BoardMessage.draw(view(a_match("zagram", "k12", size="39x32", start="cross"), "notebook"))
    assert board.zoom is not None
    assert "Dots of blue: K12." in board.zoom.drawing.alt
