"""The grammar of sentences around their placeholders."""

from __future__ import annotations

import re

import pytest

from tests.presentation.words.test_words import sentences, texts

PREPOSITIONS = {
    "ru": "без|в|во|для|за|из|из-за|имени|к|ко|между|на|над|нет|о|об|от|перед|под|при|про|против|с|со|у",
    "uk": "без|в|для|до|за|з|зі|із|імені|між|на|над|немає|перед|під|при|про|проти|від|у",
}
"""Words after which a language puts another case than the nominative, in which a name comes."""

NAMES = (
    "asker|by|challenger|defender|first|guest|home|host|loser|moderator|name|opponent|player|second|side|user|winner"
)
"""Placeholders of players, servers and roles."""

ORDINALS = {"web.sheet.folded": "first and last are the numbers of moves"}

POSSESSIVES = {"ru": r"ваш\w*|сво[ейюия]\w*", "uk": r"ваш\w*|сво[єїюяіи]\w*"}


@pytest.mark.parametrize("language", PREPOSITIONS)
def test_no_name_follows_a_preposition(language: str) -> None:
    before = re.compile(rf"(?<![\w-])(?:{PREPOSITIONS[language]}) \*{{0,2}}\{{(?:{NAMES})\}}", re.IGNORECASE)
    bent = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if key not in ORDINALS
        for text in texts(message)
        if before.search(text)
    ]
    assert bent == [], "Put a noun before the name, or a colon or a dash"


@pytest.mark.parametrize("language", POSSESSIVES)
def test_no_possessive_follows_a_count(language: str) -> None:
    """A Slavic reader says neither *1 your mistake* nor *5 of your mistakes are back*: a label counts them."""
    owned = re.compile(rf"\{{count\}} (?:{POSSESSIVES[language]})\b")
    found = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        for text in texts(message)
        if owned.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("language", PREPOSITIONS)
def test_an_option_is_in_backquotes(language: str) -> None:
    bare = re.compile(r"(?<!`)\{#\w+\}|\{#\w+\}(?!`)")
    found = [
        f"{key}: {text}" for key, message in sentences(language).items() for text in texts(message) if bare.search(text)
    ]
    assert found == []
