"""The messages in their places, as a reader of a language gets them."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any, Final

from docs.places import Notes, Page, message_lines, tell, write
from presentation.words.words import Words, languages

HEAD: Final = "resign.ask"
BUTTON: Final = "button.resign"


def noted(*sentences: tuple[str, dict[str, Any]], shown: str) -> list[dict[str, Any]]:
    """Returns the places that are noted when sentences are said in English, and what is `shown` is sent."""
    file, english = StringIO(), languages().of("en")
    notes = Notes(file)
    for key, details in sentences:
        notes.say(english, "said", english(key, **details), key, details)
    notes.send("Discord", [("{}", shown)])
    return [json.loads(line) for line in file.getvalue().splitlines()]


def english(key: str, **details: Any) -> str:
    return languages().of("en")(key, **details)


def test_a_place_is_told_in_the_language_of_its_reader() -> None:
    shown = f"{english(HEAD, opponent='Ola')}\n{english(BUTTON)}"
    (place,) = noted((HEAD, {"opponent": "Ola"}), (BUTTON, {}), shown=shown)
    german: Words = languages().of("de")
    assert tell(place["lines"][0][1], german) == f"{german(HEAD, opponent='Ola')}\n{german(BUTTON)}"


def test_a_sentence_in_another_is_told_too() -> None:
    inner = english("clock.none")
    (place,) = noted(("clock.none", {}), ("card.clock", {"clock": inner}), shown=english("card.clock", clock=inner))
    german = languages().of("de")
    assert tell(place["lines"][0][1], german) == german("card.clock", clock=german("clock.none"))


def test_a_sentence_is_shown_where_it_is_first_sent() -> None:
    assert noted((BUTTON, {}), shown="Nothing of it") == []
    assert noted((BUTTON, {}), shown=english(BUTTON))[0]["keys"] == [BUTTON]


def test_sentences_without_a_place_come_with_the_lines_that_say_them() -> None:
    rest = write([], languages().of("en")).partition("In no place")[2]
    assert f"    {BUTTON} (bot/" in rest


def test_a_page_has_its_text_and_what_is_read_aloud_and_what_its_scripts_say() -> None:
    page = '<p aria-label="Board">Play <b>now</b></p><script>{"words": {"play": "Play it"}}</script>'
    assert [text for _, text in Page(page).lines] == ["Board", "Play", "now", "Play it"]


def test_a_message_has_its_text_and_labels_and_no_ids() -> None:
    sent = {"content": "Hello", "components": [{"type": 1, "components": [{"label": "Go", "custom_id": "go"}]}]}
    assert list(message_lines(sent)) == [("{}", "Hello"), ("[{}]", "Go")]
