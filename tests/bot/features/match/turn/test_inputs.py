"""Anything that users or programs send is understood or refused, and a refusal changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.match.button import MatchButton
from bot.features.match.turn.keypad import turn_panel
from bot.features.match.turn.suggestions import suggest_turns
from bot.interactions.offers import form_fits
from bot.markup import spoken
from play.ids import IdempotencyKey, Millis
from play.match import moves
from play.match.match import Match
from play.records import sgf
from play.refusal import Refused
from play.turns import MAX_CODE, encode, leaves_choice, step_at
from presentation.typed_turns import is_move, mentioned_point, read_code
from rules.game import RuleError, point_name
from tests.bot.features.match.entering import TRAP, submit_point
from tests.bot.room import Room, private_words
from tests.bot.table import a_match, panel_components
from tests.bot.templates import COMPONENTS, FORMS
from tests.clock import HOUR, NOON
from tests.examples import examples
from tests.facts import recorded_game

GENERATED = 10_000
"""Texts."""

WORDS = spoken().of()

MATCHES = (
    a_match("zagram", *TRAP),
    a_match("sport-territory", *TRAP),
    a_match("zagram-territory", *TRAP),
    a_match("two-squares", *TRAP),
    a_match("paper", *TRAP),
    a_match("three", "f6", "g6", "g7", size="12x12"),
    a_match("dot-dash", size="9"),
    a_match("dot-dash", "set D4 E5/G7", size="9"),
    a_match("dot-dash-frozen", "set D4 E5/G7", "take single", size="13"),
)
SEEDS = (
    *(point_name(dot.point) for dot in sgf.read(recorded_game("zagram352562").read_bytes()).moves[:80]),
    *("F5", "f5 paint e5", "F5 draw E5", "F5 draw F5-E6-D5-E4", "stop", "land", "к12", "11 12", "12K"),
    *("set D4 E5/G7", "take single", "take pair", "F7-I10", "G7-J7 five B3-F3"),
    *("F5+1", "F5+3/F5dfh.", "F5/F5d", "F5/", "G7>2", "set D4 E5"),
    *("match:12:6:go:F5+1@K13", "match:12:6:play:F5", "match:12:6:point", "match:12:6:more", "lesson:1:C3"),
    *("hello", "good move!", "**bold** <@1> `x`", "‮K12", "\N{FULLWIDTH LATIN CAPITAL LETTER K}12", "٣٤", "", " "),
)
NOISE = "aKкЯ12０ -–:/@+.>*_~`|<#&\\\"'{}%\x00\n\t\u202e\u200d\U0001f534é漢"


def mutate(text: str, rng: random.Random) -> str:
    """Returns the text, or something like it."""
    letters = list(text)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(letters) + 1)
        match rng.randrange(4):
            case 0:
                letters.insert(place, rng.choice(NOISE))
            case 1:
                letters[place : place + 1] = []
            case 2:
                letters[place : place + 1] = rng.choice(NOISE)
            case 3:
                letters[place:place] = letters[: rng.choice((1, 3, 200))]
    return "".join(letters)


def inputs(count: int) -> Iterator[str]:
    rng = random.Random(4)
    return (mutate(rng.choice(SEEDS), rng) for _ in range(count))


def try_all_parsers(match: Match, text: str) -> None:
    """Parses a text in every way in which the bot parses moves and custom ids."""
    before = match.position.picture()
    assert match.to_act is not None
    with suppress(Refused):
        moves.move(match, match.players[match.to_act], text, Millis(NOON + HOUR), IdempotencyKey(1))
    with suppress(RuleError):
        assert len(encode(match, text, MAX_CODE) or "") <= MAX_CODE
    with suppress(RuleError):
        step_at(match, text)
    with suppress(RuleError):
        leaves_choice(match, read_code(match, text))
    point = mentioned_point(match, text)
    assert 0 <= point.x < before.width
    assert 0 <= point.y < before.height
    is_move(partial(read_code, match), text)
    assert match.position.picture() == before


@pytest.mark.contest
def test_ten_thousand_texts_are_played_or_refused_and_change_nothing() -> None:
    for number, text in enumerate(inputs(GENERATED)):
        try_all_parsers(MATCHES[number % len(MATCHES)], text)


@examples(200)
@given(st.text(max_size=70), st.sampled_from(MATCHES))
def test_any_text_is_played_or_refused(text: str, match: Match) -> None:
    try_all_parsers(match, text)


def test_any_text_has_at_most_25_suggestions_that_fit() -> None:
    for number, text in enumerate(inputs(150)):
        for suggestion in suggest_turns(MATCHES[number % len(MATCHES)], text, WORDS):
            assert 1 <= len(suggestion.turn) <= 100
            assert 1 <= len(suggestion.label) <= 100


async def test_ten_thousand_custom_ids_are_a_button_of_the_bot_or_none() -> None:
    for text in inputs(GENERATED):
        for button in COMPONENTS:
            found = button.__discord_ui_compiled_template__.fullmatch(text[:100])
            if found and issubclass(button, MatchButton):
                made: Any = await button.from_custom_id(None, discord.ui.Button(custom_id=text[:100]), found)  # type: ignore[arg-type]
                assert made.custom_id == text[:100]


def test_discord_takes_the_panel_of_every_code() -> None:
    for number, text in enumerate(inputs(1500)):
        match = MATCHES[number % len(MATCHES)]
        with suppress(RuleError, Refused):
            if len(text) <= MAX_CODE and step_at(match, text):
                panel_components(turn_panel(match, WORDS, "paper", text))


@examples(100)
@given(st.text(max_size=100))
def test_any_custom_id_of_a_form_is_known_or_not(text: str) -> None:
    for form in FORMS:
        form.id_form.read(text)


def test_a_form_without_its_field_is_refused() -> None:
    other = {"component": {"custom_id": "other", "value": "x"}}
    data = {"custom_id": "match:1:2:point", "components": [other]}
    assert not any(form_fits(form.fields, data) for form in FORMS)


@pytest.mark.parametrize("way", ["command", "reply", "form"])
async def test_dozens_of_them_over_the_wire_change_nothing(room: Room, way: str) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.wait_for_board(thread, 0)
    wrong = [text for text in inputs(300) if _is_wrong(text)][:12]
    for text in wrong:
        if way == "command":
            words = await private_words(room.ola.command(thread, "move", point=text))
            assert "Something went wrong" not in words, text
        elif way == "form":
            words = await private_words(await submit_point(room.ola, board, text))
            assert "Something went wrong" not in words, text
        else:
            room.ola.say(thread, text, reply_to=board)
    await room.ola.command(thread, "board").answered()
    assert await room.version() == 0
    answers = [message.content for message in room.discord.messages(thread) if message.reference]
    assert not any("Something went wrong" in answer for answer in answers)


def _is_wrong(text: str) -> bool:
    """Returns whether the text cannot be played on an empty board of 9x9, and a Discord client would send it."""
    match = a_match("zagram")
    try:
        match.position.play(match.game.parse(text))
    except RuleError:
        return bool(text.strip()) and len(text) <= 1000
    return False


async def test_unknown_custom_ids_over_the_wire_are_answered(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.wait_for_board(thread, 0)
    for text in (
        "match:1:0:go:K99@A1",
        "match:1:0:go:A1@Z99",
        "match:1:0:play:A1",
        "match:999999999999999:0:more",
        "x",
    ):
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="?", custom_id=text))
        view.stop()
        sent = await room.client.get_partial_messageable(thread.id).send("old", view=view)
        words = await private_words(room.ola.click(sent.id, "?"))
        assert "Something went wrong" not in words, text
    assert await room.version() == 0
    assert board.labels
