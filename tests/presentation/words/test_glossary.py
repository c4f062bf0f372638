"""One word for one thing: where English has a term of the glossary, each language has its own."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import read_page
from tests.presentation.words.test_translations import READ
from tests.presentation.words.test_words import sentences, texts

LANGUAGES = ("ru", "pl", "uk", "de", "cs")

STEMS = {
    "threat": ("угро", "groź", "загро", "droh|wehrt", "hroz"),
    "net": ("сет", "siec|sieć", "сіт", "netz", "sít|síť"),
    "wall": ("стен", "mur", "стін", "mauer", "zeď|zd[ií]|zdmi"),
    "vote game": ("голосован", "głosowan", "голосуван", "abstimm", "hlasov"),
    "prediction": ("прогноз", "typ", "прогноз", "voraussag", "tip"),
    "streak": ("сери", "seri", "сері", "seri", "séri"),
    "milestone": ("достижен", "kamie", "досягнен", "meilenstein", "milní"),
    "account": ("аккаунт", "kon[tc]", "акаунт", "kont", "úč"),
    "linked role": ("связанн", "połączon", "пов’язан", "verknüpft", "propojen"),
    "event": ("событи", "wydarze", "поді", "event", "událost"),
    "season": ("сезон", "sezon", "сезон", "saison", "sezón"),
    "handicap": ("фор", "for", "фор", "vorgabe", "výhod"),
    "komi": ("коми", "komi", "комі", "komi", "komi"),
    "quiet hours": ("тих", "cisz", "тих", "ruhezeit", "noční"),
    "vacation": ("отпуск", "urlop", "відпуст", "urlaub", "dovolen"),
    "rematch": ("реванш", "rewanż", "реванш", "revanche", "odvet"),
    "keypad": ("выб", "klawiatur", "клавіатур", "tastenfeld", "klávesnic"),
    "puzzle": ("задач", "zada", "задач", "aufgabe", "úloh"),
    "home post": ("сводк", "post|poście", "зведен", "serverübersicht", "přehled"),
    "analysis sheet": ("лист", "arkusz", "аркуш", "analyseblatt", "list"),
}
"""The beginning or a part of each language's word for a term of the glossary, in the order of its columns."""

ELSE = {
    "me.button.unlink": "what is linked is the account, and the panel names it",
    "command.team.challenge.quorum": "the option before it says so",
    "command.vote.resign": "the name of its group says so",
    "preset.szkrab.help": "in German, of which chains a new one may use dots",
}
"""Sentences that do without the term."""


def glossary() -> dict[str, dict[str, str]]:
    """Returns the words of each language for a term."""
    table = read_page("docs/translating.md").partition("## Glossary")[2].partition("## Words to avoid")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:7]] for row in table.splitlines() if row.startswith("| ")]
    return {term: dict(zip(LANGUAGES, cells, strict=True)) for term, *cells in rows}


@pytest.mark.parametrize("term", STEMS)
def test_a_language_has_one_word_for_a_term(term: str) -> None:
    spoken = re.compile(rf"\b{term}s?\b", re.IGNORECASE)
    keys = [
        key
        for key, message in sentences("en").items()
        if not key.startswith((*READ, "name.")) and key not in ELSE and spoken.search(plain(texts(message)[0]))
    ]
    assert keys
    for language, stem in zip(LANGUAGES, STEMS[term], strict=True):
        own = re.compile(stem, re.IGNORECASE)
        assert own.search(glossary()[term][language]), "the stem is that of the glossary"
        other = {key: text for key in keys if not own.search(text := " ".join(texts(sentences(language)[key])))}
        assert other == {}, f"{language}: {glossary()[term][language]}"


def plain(text: str) -> str:
    return re.sub(r"\{[^}]*\}", "", text)
