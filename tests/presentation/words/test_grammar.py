"""The grammar of sentences around their placeholders."""

from __future__ import annotations

import re

import pytest

from presentation.words.words import CATALOGUES
from tests.presentation.words.places import spans
from tests.presentation.words.test_translations import READ
from tests.presentation.words.test_words import sentences, texts

LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir())

PREPOSITIONS = {
    "ru": "без|в|во|для|за|из|из-за|имени|к|ко|между|на|над|нет|о|об|от|перед|под|при|про|против|с|со|у",
    "uk": "без|в|для|до|за|з|зі|із|імені|між|на|над|немає|перед|під|при|про|проти|від|у",
    "pl": "bez|dla|do|ku|między|na|nad|o|od|po|pod|przeciw|przeciwko|przed|przez|przy|u|w|we|wobec|z|za|ze|wśród",
    "cs": "bez|do|k|ke|mezi|na|nad|o|od|po|pod|pro|proti|před|při|s|se|u|v|ve|vůči|z|za|ze",
}
"""Words after which a language puts another case than the nominative, in which a name comes."""

NAMES = (
    "asker|by|challenger|defender|first|guest|home|host|loser|moderator|name|opponent|player|second|side|user|winner"
)
"""Placeholders of players, servers and roles."""

ORDINALS = {"web.sheet.folded": "first and last are the numbers of moves"}

POSSESSIVES = {
    "ru": r"ваш\w*|сво[ейюия]\w*",
    "uk": r"ваш\w*|сво[єїюяіи]\w*",
    "pl": r"tw[oó]j\w*|swo[ijęe]\w*",
    "cs": r"tv[éůoý]\w*|tvoj\w*|sv[éůoý]\w*",
}

ADDRESSED = {
    "ru": r"ты|тебя|тебе|тобой|тво\w+|(?!лишь)(?:\w+ешь|\w+ишь)(?:ся)?",
    "uk": r"ти|тебе|тобі|тобою|тв[оі]\w+|(?:\w+єш|\w+еш|\w+иш|\w+їш)(?:ся)?",
    "de": r"(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihre?[mnrs]?)",
    "pl": r"Pan|Pani|Państw\w+|Pana|Panu",
    "cs": r"(?<=[a-zá-ž,] )(?:Vy|Vás|Vám|Vámi|Váš|Vaš\w+)",
}
"""The form of address that a language does not use: *ty* in ru and uk, elsewhere the polite one, with a capital."""

ONLY_THOSE = r"[Oo]nly those \w+ who|[Ww]ho doesn't|[Oo]nly accounts \w+ that|[Oo]f more, those|[Ww]hose \w+ shows"
"""German order in English words."""

SHORTENED = {
    "en": r"pts?|hrs?|mins?|secs?",
    "ru": r"очк|оч|дн|пт|мин|сек|ч",
    "pl": r"pkt|godz|dn",
    "uk": r"очк|оч|дн|хв|сек|год",
    "de": r"Pkt|Std|Min|Sek|Tg",
    "cs": r"b|hod|dn|sek",
}
"""Abbreviations that save a plural form; each ends in a full stop."""

LISTS = "permissions|changes|choices|option"
"""Placeholders of one thing or more, named as in a menu: in the nominative."""

GOVERNING = {
    "ru": r"\w*(?:не хватает|прав[оа]?|нужн[оаы]|дайте|измените)",
    "uk": r"\w*(?:бракує|прав[оа]?|потрібн[оаіе]|надайте|змініть)",
}
"""Words whose object is in another case than the nominative, or agrees with it in number."""

BEFORE_SPANS = {
    "en": "until|by|before|since|at|from",
    "ru": "до|к|на|с|не позже",
    "pl": "do|od|na|z|o|przed|po",
    "uk": "до|на|з|не пізніше",
    "de": "bis|seit|vor|ab|um",
    "cs": "do|od|na|z|v|ve|před|po",
}
"""Prepositions that do not go with *in 3 hours*: a span comes behind its verb (*closes in 3 hours*)."""

DISSONANT = re.compile(
    r"[аеєиіїоуюя] у (?=[аеєиіїоуюя])"
    r"|[аеєиіїоуюя] у (?=(?!хв|св|тв|дв|зв|гв|кв|чв|льв|ств)[бгґджзйклмнпрстхцчшщ])"
    r"|[бвгґджзйклмнпрстфхцчшщ] (?:в|з|й) (?=[бвгґджзйклмнпрстфхцчшщ])"
    r"|\bв (?=[вф])(?!в свою)",
    re.IGNORECASE,
)
"""Sounds at which Ukrainian changes *у* and *в*, *з* and *із*, *й* and *і*: neither vowels nor consonants meet."""


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_is_in_backquotes(language: str) -> None:
    bare = re.compile(r"(?<!`)\{#\w+\}|\{#\w+\}(?!`)")
    found = [
        f"{key}: {text}" for key, message in sentences(language).items() for text in texts(message) if bare.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("language", ADDRESSED)
def test_a_language_has_one_form_of_address(language: str) -> None:
    flags = re.IGNORECASE if language in ("ru", "uk") else re.NOFLAG
    other = re.compile(rf"(?<![\w’-])(?:{ADDRESSED[language]})(?![\w’-])", flags)
    assert found(language, other) == []


def test_english_has_the_order_of_english() -> None:
    assert found("en", re.compile(ONLY_THOSE)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_abbreviation_saves_a_plural(language: str) -> None:
    """*3 pts.* is how a sentence without plural forms ends."""
    assert found(language, re.compile(rf"[\d}}] (?:{SHORTENED[language]})\.")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_emoji_is_a_wrong_picture(language: str) -> None:
    """A flag marks an end, and no plane: five languages had one, and English the other."""
    assert found(language, re.compile("🛬|🛫")) == []


@pytest.mark.parametrize("language", GOVERNING)
def test_a_list_comes_behind_a_colon(language: str) -> None:
    """*Не хватает Создавать события* has a case that nothing fills in."""
    assert found(language, re.compile(rf"{GOVERNING[language]} \*{{0,2}}\{{(?:{LISTS})\}}", re.IGNORECASE)) == []


@pytest.mark.parametrize("language", BEFORE_SPANS)
def test_no_span_of_time_follows_a_preposition(language: str) -> None:
    assert {("vote.close.ask", "when"), ("web.voted", "when"), ("card.expires", "when")} <= spans()
    bent = [
        f"{key}: {text}"
        for key, detail in sorted(spans())
        for text in texts(sentences(language)[key])
        if re.search(rf"(?<!\w)(?:{BEFORE_SPANS[language]}) \{{{detail}\}}", text, re.IGNORECASE)
    ]
    assert bent == []


def test_ukrainian_is_easy_to_say() -> None:
    spoken = [re.sub(r"[*`_«»]", "", text) for message in sentences("uk").values() for text in texts(message)]
    assert [text for text in spoken if DISSONANT.search(text)] == []


def found(language: str, pattern: re.Pattern[str]) -> list[str]:
    """Returns the sentences with a pattern, each with its key."""
    return [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if not key.startswith(READ)
        for text in texts(message)
        if pattern.search(re.sub(r"\{[/#][^}]*\}", "", text))
    ]


BENT = {
    "pl": r"(?:w|o|z|do|od|dla) Kropka|(?:brakuje mi|mam|potrzebuję) \{permissions\}",
    "cs": r"(?:v|o|z|do|od|pro) Kropka|(?:chybí mi|mám|potřebuji) \{permissions\}|nejméně \w+(?:ami|emi)",
}
"""Words that are in the nominative, or in no case at all, where the language bends them."""

PASSIVE = {"pl": r"ruch nie został zagrany|zostani\w+ zagran\w+", "cs": r"(?:ne)?byl\w? zahrán\w*"}
"""A move that *was not played*, as no player says it."""


@pytest.mark.parametrize("language", BENT)
def test_what_follows_is_bent(language: str) -> None:
    assert found(language, re.compile(rf"(?<!\w)(?:{BENT[language]})(?!\w)", re.IGNORECASE)) == []


@pytest.mark.parametrize("language", PASSIVE)
def test_a_move_is_made_by_a_player(language: str) -> None:
    assert found(language, re.compile(rf"(?<!\w)(?:{PASSIVE[language]})(?!\w)", re.IGNORECASE)) == []
