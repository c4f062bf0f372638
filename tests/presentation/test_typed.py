"""Clocks and moves are read as players type them, in each of the languages."""

from __future__ import annotations

import re

import pytest

from bot.markup import DISCORD
from play.clock import parse_control, parse_duration
from play.refusal import Refused
from presentation.typed import MOVES, TIMES, meanings, typed_move, typed_time
from presentation.words.words import CATALOGUES, languages
from rules.registry import make_game
from tests.presentation.words.test_words import sentences, texts

LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir())
CLOCK = re.compile(r"`([^`]+)`")
WRITTEN = re.compile(r"(?<![\w:])(\d+[^\W\d_]+)(?![\w:])")
"""A number and its unit, as an example has them."""


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("3д", "3d"),
        ("10хв+30с", "10m+30s"),
        ("10 Min + 30 Sek", "10m+30s"),
        ("10м+30с макс 15м", "10m+30s max 15m"),
        ("5s blitz", "5s random"),
        ("brak", "none"),
        ("Нет", "none"),
        ("žádné", "none"),
        ("3d", "3d"),
        ("none", "none"),
    ],
)
def test_a_clock_is_read_in_any_language(typed: str, plain: str) -> None:
    assert parse_control(typed_time(typed)) == parse_control(plain)


@pytest.mark.parametrize(
    ("preset", "typed", "plain"),
    [
        ("sport-territory", "k12 обвести l13 m14", "k12 paint l13 m14"),
        ("sport-territory", "K12 zamaluj L13", "k12 paint l13"),
        ("paper", "k12 ziehen k12-l12-l13", "k12 draw k12-l12-l13"),
        ("paper", "к12 провести к12-l12-l13", "k12 draw k12-l12-l13"),
        ("paper", "k12", "k12"),
    ],
)
def test_a_move_is_read_in_any_language(preset: str, typed: str, plain: str) -> None:
    game = make_game(preset, {})
    assert str(game.parse(typed_move(typed))) == str(game.parse(plain))


@pytest.mark.parametrize("known", [TIMES, MOVES], ids=["times", "moves"])
def test_no_word_means_two_things(known: tuple[str, ...]) -> None:
    meanings: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for meaning in known:
            for word in languages().of(language)(f"typed.{meaning}").split(","):
                meanings.setdefault(word.casefold(), set()).add(meaning)
    assert {word: found for word, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_of_clocks_work_as_they_are_shown(language: str) -> None:
    """Also those of pauses, votes and bans: what a sentence shows is in the reader's letters and is read so."""
    shown = CLOCK.findall(texts(sentences(language)["refused.bad_clock"])[0])
    assert len(shown) == 4
    for example in shown:
        parse_control(typed_time(example))
    listed = texts(sentences(language)["terms.clock.description"])[0].split("; ")
    assert len([parse_control(typed_time(each.partition(": ")[0].partition(" (")[0])) for each in listed]) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_number_with_a_unit_is_a_duration(language: str) -> None:
    found = {
        example
        for key, message in sentences(language).items()
        if key.startswith(("command.", "refused.bad_", "modal.", "clock.", "terms."))
        for text in texts(message)
        for example in WRITTEN.findall(text)
    }
    unread = []
    for example in sorted(found):
        try:
            parse_duration(typed_time(example))
        except Refused:
            unread.append(example)
    assert len(found) > 10
    assert unread == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "preset"), [("refused.paints_only", "sport-territory"), ("refused.draws_only", "paper")]
)
def test_examples_of_moves_work_as_they_are_shown(language: str, key: str, preset: str) -> None:
    (example,) = CLOCK.findall(languages().speaking(DISCORD).of(language)(key, example="K12", other="L13"))
    turn = make_game(preset, {}).parse(typed_move(example))
    assert str(turn).startswith("K12 ")


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_no_example_is_an_english_word(language: str) -> None:
    """Players type in the letters and words that they have."""
    english = re.compile(r"\b(?:none|random|paint|draw|tomorrow|on|off)\b")
    found = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if not key.startswith(("typed.", "web."))
        for text in texts(message)
        for quoted in CLOCK.findall(re.sub(r"\{[^}]*\}", "", text))
        if english.search(quoted)
    ]
    assert found == []


@pytest.mark.parametrize("typed", ["комп’ютер", "комп'ютер", "компʼютер"])
def test_an_apostrophe_is_read_as_each_keyboard_has_it(typed: str) -> None:
    assert meanings({"computer": "computer"})[typed] == "computer"
