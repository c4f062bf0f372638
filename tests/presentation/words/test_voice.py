"""The voice of the English catalogue, and the plural forms after numbers in every language."""

from __future__ import annotations

import re

import pytest

from presentation.words.words import CATALOGUES, SOURCE
from tests.presentation.words.test_words import catalogue, sentences, texts

PARSED = ("typed.", "name.")
"""How the keys begin of words that the bot reads, and of the names of commands and options: they are no sentences."""

OTHERS = r"he|him|his|himself|she|her|hers|herself|whoever|whomever|whom|somebody|someone|oneself"
"""Words for another person whose place *they*, *anyone* or *the player* takes."""

LONG_FORMS = (
    r"(?:do|does|did|is|are|was|were|has|have|had|would|could|should) not|cannot|can not|will not"
    r"|(?:you|we|they) are|(?:that|there|here) is|(?<!of )it is|I am|(?:I|you|we|they|it) will|I would"
)
"""Words that are contracted: isn't, can't, you're, it's, I'll."""

REPLACED = {
    r"match|matches": "game",
    r"fields?": "board",
    r"enemy|enemies": "opponent",
    r"(?:give|gives|gave|given|giving) up": "resign",
    r"catch|catches|caught": "capture",
    r"call(?:s|ed)? (?:\w+ )?off": "cancel",
    r"forgets?|forgotten": "delete",
    r"type a point|point of the board": "move, crossing",
    r"say nothing|(?:say|says) otherwise|if left out": "Default: …",
    r"I don't know|I do not know": "X isn't valid. Try …",
    r"please": "a plain request",
    r"foretells?|foretold|foretell": "predict",
    r"(?:at|from) the foot": "at the bottom",
    r"the present (?:\w+|one)": "current",
    r"of no use": "no longer works",
}
"""Words that the voice has a better one for: a thing has one name in the whole bot."""

IMPERATIVES = (
    "accept|add|allow|answer|ask|change|check|choose|climb|come|continue|create|delete|draw|end|enter|find|finish|go|"
    "join|just|land|leave|let|look|make|move|name|offer|open|play|press|reload|remove|repeat|save|see|separate|set|"
    "shorten|start|switch|take|try|type|unblock|use|vote|wait|watch|write"
)
NEXT_STEP = re.compile(
    rf"\{{/|(?:^|[.:;!?,] (?:or |and |so |then )?|\b(?:first|now|otherwise|you can),? )(?:{IMPERATIVES})\b",
    re.IGNORECASE,
)
"""A command, or a clause that tells what to do."""

NOTHING_TO_DO = {
    "refused.turn_over": "the bot moves, and the game goes on by itself",
    "refused.annulled_already": "what the moderator wanted is done",
    "refused.only_watching": "the reader goes on watching",
    "refused.sheet_taken_off": "moderators have decided, and the notes are kept",
    "refused.no_page": "what a reader may see is for others to decide",
    "refused.side_votes": "members of a side vote, and answer nothing else",
    "refused.side_not_judged": "the game ends by its votes, its players or its clock",
}
"""Refusals after which there is nothing to do, and why."""

PERMISSIONS = {"Manage Messages", "Manage Roles", "Manage Server", "Use External Apps"}
"""The names that Discord itself gives to the permissions in sentences."""

QUANTITIES = ("days", "points", "reach", "risk", "places", "rounds", "games", "seats")
"""Placeholders of whole numbers beside `count`, which stands for them where the noun that follows has to agree."""

FIXED = {
    "vacation.about": "the days of a year's vacation never change",
    "weight.weak_level": "the points of a level never change",
    "ladder.rules": "the reach and the days of every ladder are the same",
}
"""Sentences whose number is a constant, so that one form of the noun fits."""

LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir())


def english() -> dict[str, list[str]]:
    """Returns the English sentences without their placeholders, which are no words."""
    return {
        key: [re.sub(r"\{[^}]*\}", "{}", text) for text in texts(message)]
        for key, message in sentences(SOURCE).items()
        if not key.startswith(PARSED)
    }


def found(pattern: str) -> list[str]:
    """Returns the sentences with a word, each with its key."""
    word = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return [f"{key}: {text}" for key, forms in english().items() for text in forms if word.search(text)]


def test_english_calls_another_player_they() -> None:
    assert found(OTHERS) == []


def test_english_uses_contractions() -> None:
    assert found(LONG_FORMS) == []


@pytest.mark.parametrize("pattern", REPLACED)
def test_english_has_one_word_for_one_thing(pattern: str) -> None:
    assert found(pattern) == [], f"better: {REPLACED[pattern]}"


def test_english_has_straight_apostrophes() -> None:
    assert [key for key, forms in english().items() if any("’" in text for text in forms)] == []


def test_every_refusal_says_what_to_do_next() -> None:
    refusals = {key: texts(message) for key, message in sentences(SOURCE).items() if key.startswith("refused.")}
    silent = {key for key, forms in refusals.items() if not all(NEXT_STEP.search(text) for text in forms)}
    assert silent == NOTHING_TO_DO.keys()


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("There is no such thing.", False),
        ("You draw your chains, and they end where you wish.", False),
        ("That is over. Start a new one.", True),
        ("To leave, press **Leave**.", True),
        ("Yours are in {/games}.", True),
    ],
)
def test_a_next_step_is_a_command_or_an_imperative(sentence: str, tells: bool) -> None:
    assert bool(NEXT_STEP.search(sentence)) is tells


def test_a_refusal_puts_in_bold_only_buttons_and_permissions() -> None:
    labels = {text for forms in english().values() for text in forms}
    for key, forms in english().items():
        if key.startswith("refused."):
            named = {name for text in forms for name in re.findall(r"\*\*([^*]+)\*\*", text)}
            assert named <= labels | PERMISSIONS, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_with_a_count_has_the_plural_forms_of_its_language(language: str) -> None:
    forms = catalogue(language).num_plurals
    for key, message in sentences(language).items():
        if any("{count}" in text for text in texts(message)):
            assert message.pluralizable, key
            assert len(texts(message)) == forms, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_number_stands_before_a_noun(language: str) -> None:
    before = re.compile(rf"\{{(?:{'|'.join(QUANTITIES)})\}}\*{{0,2}} [^\W\d_]{{2,}}")
    wrong = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if key not in FIXED and not message.pluralizable
        for text in texts(message)
        if before.search(text)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("beginning", "longest"), [("command.", 100), ("button.", 25), ("modal.title", 45), ("modal.label", 45)]
)
def test_english_fits_in_a_narrow_place(beginning: str, longest: int) -> None:
    long = [text for key, forms in english().items() if key.startswith(beginning) for text in forms]
    assert [text for text in long if len(text) > longest] == []
