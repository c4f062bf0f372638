"""Each catalogue in the folder is a translation that fits where Discord shows it, with the terms of the glossary."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

import pytest

from play.refusal import Refused
from presentation.terms import read_options
from presentation.words.words import CATALOGUES, SOURCE, languages
from tests.docs.pages import read_page
from tests.presentation.words.places import durations, shown, spans
from tests.presentation.words.test_words import placeholders, sentences, texts

LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir())
TRANSLATIONS = [language for language in LANGUAGES if language != SOURCE]

READ = ("typed.", "web.board.say.")
"""How the keys begin of words that players may write, whatever the voice says of them."""

NAME = re.compile(r"[\w-]{1,32}")
"""Source: https://discord.com/developers/docs/interactions/application-commands#application-command-object-naming"""

LIMITS = {"button": 80, "title": 45, "label": 45, "description": 100, "hint": 150}
"""Characters that Discord takes, by place; placeholders come on top."""

MAX_BUTTON = 25
"""Characters of a button that fits on a phone."""

PHONE_BUTTON = re.compile(r"(?:^|\.)(?:button|switch)(?:\.|$)|^terms\.save\.")
MAX_HELP = 350
MAX_REFUSAL = 1500
"""Discord takes 2,000 characters; what is filled in needs room."""

ALIKE = {"preset.dot-dash.name", "pool.dash-live"}
"""Names that are the same in several languages."""

PANEL_NAMES = {
    "log.setting.threads": "switch.threads.on",
    "log.setting.dot_dash": "switch.dot_dash.on",
    "log.setting.pages": "switch.pages.on",
    "log.setting.rated": "switch.rated.on",
    "log.setting.terms": "server.usual",
    "log.setting.channels": "server.channels",
    "log.setting.roles": "server.roles",
    "log.setting.theme": "server.theme",
    "log.setting.rewards": "rewards.title",
    "log.setting.log_channel": "log.title",
}
"""The name of a setting in the log, and the sentence of the panel that has it too."""

FIRST_WORDS = [
    ("en", "step by step", "three new puzzles"),
    ("ru", "шаг за шагом", "три новые задачи"),
    ("pl", "krok po kroku", "trzy nowe zadania"),
    ("uk", "крок за кроком", "три нові задачі"),
    ("de", "schritt für schritt", "drei neue aufgaben"),
    ("cs", "krok za krokem", "tři nové úlohy"),
]
"""How each language says *step by step* and *three new puzzles*, which a newcomer reads first."""

INFLECTING = ("cs", "pl", "ru", "uk")
UNINFLECTED = re.compile(
    r"(?:^|[:(—–·]\*{0,2} ?\W{0,3}|, "
    r"|\b(?:až|nejméně|nejvýše|najmniej|najwięcej|найменше|найбільше|есть) )$"
)
"""How the text before a duration ends, so that the duration can keep its form: at the start, after a colon, or after a
word such as *at most*."""

NOMINATIVE = {
    "clock.": "a clock is a list of durations, each the subject of its part",
    "card.play_out": "behind a colon",
}
"""Sentences whose durations are subjects, though something else comes before them."""


def words_of(text: str) -> list[str]:
    """Returns the words of a sentence without its placeholders."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}", "", text))


def is_understood(example: str, language: str) -> bool:
    """Returns whether options in a few words can be typed like this."""
    try:
        return bool(read_options(example, languages().of(language)))
    except Refused:
        return False


def bold(text: str) -> list[str]:
    return re.findall(r"\*\*([^*{}]+)\*\*", text)


def filled(text: str) -> str:
    """Returns a sentence without its placeholders, for its length."""
    return re.sub(r"\{[^}]*\}", "", text)


@cache
def avoided() -> list[tuple[str, str, str]]:
    """Returns the rows of the table of words to avoid: language, words and what to write."""
    table = read_page("docs/translating.md").partition("## Words to avoid")[2]
    rows = re.findall(r"^\| (\w\w) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    return [(language, words, better) for language, words, better in rows]


def finder(words: str) -> re.Pattern[str]:
    """Returns what finds words of the table: `*` at the end of one stands for any ending."""
    each = (re.escape(word.strip()).replace(r"\*", r"\w*") for word in words.split(","))
    return re.compile(rf"(?<![\w’-])(?:{'|'.join(each)})(?![\w’-])", re.IGNORECASE)


@pytest.mark.parametrize(("language", "steps", "three"), FIRST_WORDS)
def test_greeting_about_and_help_promise_the_same(language: str, steps: str, three: str) -> None:
    """The lessons go step by step, and each day has three puzzles, as README says."""

    def said(key: str) -> str:
        return texts(sentences(language)[key])[0].lower()

    assert [key for key in ("welcome.text", "about.more", "help.lesson") if steps not in said(key)] == []
    assert [key for key in ("about.more", "help.practise") if three not in said(key)] == []


def test_the_walk_finds_the_places_and_the_durations() -> None:
    assert {place for place, keys in shown().items() if len(keys) > 5} == LIMITS.keys()
    assert {("clock.give", "time"), ("refused.bad_pace", "least"), ("clock.per_move", "allowance")} <= durations()


def test_the_walk_finds_the_spans_of_time() -> None:
    assert {("web.voted", "when"), ("card.expires", "when"), ("daily.next", "when")} <= spans()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_language_is_not_a_copy_of_english(language: str) -> None:
    source = sentences(SOURCE)
    copied = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        for text in texts(message)
        if key not in ALIKE and len(words_of(text)) >= 3 and text in texts(source[key])
    ]
    assert not copied, f"{len(copied)} sentences are still English:\n" + "\n".join(copied[:20])


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_names_the_commands_and_options_of_the_source(language: str) -> None:
    source = sentences(SOURCE)
    other = {
        key: sorted(placeholders(source[key]) ^ placeholders(message))
        for key, message in sentences(language).items()
        if placeholders(source[key]) != placeholders(message)
    }
    assert other == {}, "Keep each placeholder, also {/command} and {#option}"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_refusal_names_the_buttons_of_the_source_as_the_language_calls_them(language: str) -> None:
    source, translated = sentences(SOURCE), sentences(language)
    own_names = defaultdict(set)
    for key, message in source.items():
        for text in texts(message):
            own_names[text].update(texts(translated[key]))
    for key in source:
        if key.startswith(("refused.", "error.", "home.trouble.", "rewards.trouble.")):
            for text, own in zip(texts(source[key])[:1], texts(translated[key])[:1], strict=True):
                assert len(bold(own)) == len(bold(text)), f"{key}: {own}"
                for name in bold(text):
                    assert name not in own_names or own_names[name] & set(bold(own)), f"{key}: {name} in {own}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_that_is_named_without_its_point_is_a_label(language: str) -> None:
    """**Keypad near …** stands for *Keypad near K12*."""
    every = [text for message in sentences(language).values() for text in texts(message)]
    labels = {text.replace("{point}", "…") for text in every}
    assert [name for text in every for name in bold(text) if "…" in name and name not in labels] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_refusal_has_a_next_step_where_the_source_has_one(language: str) -> None:
    """A translation has two sentences where English says what happened, and in another sentence what to do."""
    ends = re.compile(r"[.?!](?:\s|$)")
    lost = [
        f"{key}: {own}"
        for key, message in sentences(SOURCE).items()
        if key.startswith("refused.") and len(ends.findall(texts(message)[0])) > 1
        for own in texts(sentences(language)[key])
        if len(ends.findall(own)) < 2
    ]
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_commands_and_options_are_single_words_in_lower_case(language: str) -> None:
    wrong = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if key.startswith("name.")
        for text in texts(message)
        if not NAME.fullmatch(text) or text != text.lower()
    ]
    assert wrong == [], "Letters and digits, 32 at most, with - instead of a space"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", LIMITS)
def test_a_sentence_fits_in_its_place(language: str, place: str) -> None:
    long = [
        f"{key} ({len(filled(text))}): {text}"
        for key in sorted(shown()[place])
        for text in texts(sentences(language)[key])
        if len(filled(text)) > LIMITS[place]
    ]
    assert long == [], f"{LIMITS[place]} characters at most"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_fits_on_a_phone(language: str) -> None:
    long = [
        f"{key} ({len(text)}): {text}"
        for key, message in sentences(language).items()
        if PHONE_BUTTON.search(key)
        for text in texts(message)
        if len(text) > MAX_BUTTON
    ]
    assert long == [], f"{MAX_BUTTON} characters at most"


@pytest.mark.parametrize("language", LANGUAGES)
def test_longer_texts_leave_room(language: str) -> None:
    limits = {
        r"preset\..*\.help": MAX_HELP,
        r"command\..*": 100,
        r"menu\..*": 32,
        r"refused\..*|error\..*": MAX_REFUSAL,
    }
    for key, message in sentences(language).items():
        for pattern, most in limits.items():
            if re.fullmatch(pattern, key):
                assert max(map(len, texts(message))) <= most, f"{key}: {most} characters at most"


@pytest.mark.parametrize(("language", "words", "better"), avoided(), ids=str)
def test_a_word_to_avoid_is_avoided(language: str, words: str, better: str) -> None:
    word = finder(words)
    found = [
        f"{key}: {text}"
        for key, message in sentences(language).items()
        if not key.startswith(READ)
        for text in texts(message)
        if word.search(text)
    ]
    assert found == [], f"better: {better}"


def test_the_table_of_words_to_avoid_has_rows_of_the_languages_that_there_are() -> None:
    assert {"cs", "de", "pl", "ru", "uk"} <= {language for language, _, _ in avoided()} <= set(TRANSLATIONS)
    assert finder("доск*").search("Открыть доску партии")
    assert not finder("крест").search("крест-накрест, скрест")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_its_own_quotes_and_one_ellipsis(language: str) -> None:
    quotes = texts(sentences(language)["quotes"])[0]
    foreign = set('«»„“”‟"') - set(quotes)
    assert len(quotes) == 2
    for key, message in sentences(language).items():
        for text in texts(message):
            assert not foreign & set(text), f"{key}: {text}"
            assert "..." not in text, f"{key}: …"
            assert language == SOURCE or "'" not in text, f"{key}: ’"


@pytest.mark.parametrize("language", LANGUAGES)
def test_percentages_are_written_by_the_program(language: str) -> None:
    """A catalogue has no sign for them: some languages put a non-breaking space before it, others none."""
    assert [key for key, message in sentences(language).items() if any("%" in text for text in texts(message))] == []


@pytest.mark.parametrize(
    ("language", "written"), [("en", "25%"), ("pl", "25%"), ("de", "25\xa0%"), ("cs", "25\xa0%"), ("ru", "25\xa0%")]
)
def test_a_percentage_is_written_as_in_the_language(language: str, written: str) -> None:
    assert languages().of(language).percent(0.25) == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_names_a_setting_as_its_panel_does(language: str) -> None:
    words = {key: texts(message)[0] for key, message in sentences(language).items()}
    assert {key for key, panel in PANEL_NAMES.items() if words[key] not in words[panel]} == set()


@pytest.mark.parametrize("language", INFLECTING)
def test_a_duration_keeps_its_form(language: str) -> None:
    """Babel writes durations in the nominative, so no word of a sentence may ask for another case."""
    bent = [
        f"{key}: {text}"
        for key, detail in sorted(durations())
        if not key.startswith(tuple(NOMINATIVE))
        for text in texts(sentences(language)[key])
        for before, placeholder, _ in [text.partition(f"{{{detail}}}")]
        if placeholder and not UNINFLECTED.search(before)
    ]
    assert bent == [], "Put a duration behind a colon or in brackets"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["refused.bad_win", "refused.bad_part", "terms.win.description"])
def test_the_options_in_examples_can_be_typed(language: str, key: str) -> None:
    text = texts(sentences(language)[key])[0]
    quoted = re.findall(r"`([^`]*\d[^`]*)`", text)
    assert all(is_understood(example, language) for example in quoted), text
    if not quoted:  # a number in a form, with the word before or behind it
        either = [*re.findall(r"[^\W\d]+ \d+", text), *re.findall(r"\d+ [^\W\d]+", text)]
        assert sum(is_understood(example, language) for example in either) == 2, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_in_a_few_words_are_all_different(language: str) -> None:
    """Players type them, so two that are the same could mean either."""
    phrases = [
        (key, text)
        for key, message in sentences(language).items()
        if key.startswith("short.")
        for text in texts(message)
    ]
    assert len({text.casefold() for _, text in phrases}) == len(phrases)


def test_the_page_for_translators_says_of_every_key_where_it_appears() -> None:
    table = read_page("docs/translating.md")
    listed = set(re.findall(r"`([a-z]+)\.`", table))
    assert {key.partition(".")[0] for key in sentences(SOURCE)} <= listed
