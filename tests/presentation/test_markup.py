"""The same sentence without marks, and in the marks of a surface of its own."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from html import escape, unescape
from multiprocessing import get_context

import pytest

from play.ids import DAY, HOUR, MINUTE, SECOND, Millis, UserId
from presentation.markup import PLAIN, Markup, Stamp
from presentation.words.words import CATALOGUES, Words, languages
from tests.presentation.words.test_words import sentences, texts

NOW = Millis(1_700_000_000_000)

NAMES = ("**Bo**", "a_b", "[x](y)", "\\o/", "-# tiny", "</games:1>", "Ола")


class Page(Markup):
    """A surface that nobody has: HTML, in which all that a catalogue can mark is an element of its own."""

    platform = "Somewhere"

    def escape(self, text: str) -> str:
        return escape(text, quote=False)

    def bold(self, text: str) -> str:
        return f"<b>{text}</b>"

    def slanted(self, text: str) -> str:
        return f"<i>{text}</i>"

    def label(self, text: str, quotes: Sequence[str]) -> str:
        return f"<u>{text}</u>"

    def code(self, text: str, quotes: Sequence[str]) -> str:
        return f"<code>{text}</code>"

    def link(self, text: str, address: str) -> str:
        return f'<a href="{address}">{text}</a>'

    def title(self, line: str) -> str:
        return f"<h1>{line}</h1>"

    def small(self, line: str) -> str:
        return f"<small>{line}</small>"

    def item(self, line: str) -> str:
        return f"<li>{line}</li>"

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        return f"<time>{written()}</time>"


PAGE = Page("PAGE")


def told(words: Words) -> tuple[str, str]:
    """Returns what a process says with words."""
    return words("resign.ask", opponent=words.literal("<Bo>")), words.platform


def all_sentences() -> Iterator[tuple[str, str, str]]:
    for folder in CATALOGUES.iterdir():
        for key, message in sentences(folder.name).items():
            for text in texts(message):
                yield folder.name, key, text


@pytest.mark.parametrize(
    ("written", "plain", "marked"),
    [
        ("**Ola** played *E5*.", "Ola played E5.", "<b>Ola</b> played <i>E5</i>."),
        (
            "Press **Browser** under **{name}**.",
            "Press “Browser” under {name}.",
            "Press <u>Browser</u> under <b>{name}</b>.",
        ),
        (
            "**Say STOP?** Then choose **STOP**.",
            "Say STOP? Then choose “STOP”.",
            "<b>Say STOP?</b> Then choose <u>STOP</u>.",
        ),
        (
            "-# small\n- first\n- second",
            "small\nfirst\nsecond",
            "<small>small</small>\n<li>first</li>\n<li>second</li>",
        ),
        (
            "Then [the board](<{url}>), [or]({other}).",
            "Then the board, or.",
            'Then <a href="{url}">the board</a>, <a href="{other}">or</a>.',
        ),
        ("[**{name}**]({url})", "{name}", '<a href="{url}"><b>{name}</b></a>'),
        ("### Head *of* it", "Head of it", "<h1>Head <i>of</i> it</h1>"),
        ("-# - small item", "small item", "<small><li>small item</li></small>"),
        (
            "such as `c4` or `{#size}`.",
            "such as “c4” or “{#size}”.",
            "such as <code>c4</code> or <code>{#size}</code>.",
        ),
        ("{place}\\. **{name}**", "{place}. {name}", "{place}. <b>{name}</b>"),
        ("E5-F6 costs 2 - 1, {count}.", "E5-F6 costs 2 - 1, {count}.", "E5-F6 costs 2 - 1, {count}."),
        ("Leave out @, < and >.", "Leave out @, < and >.", "Leave out @, &lt; and &gt;."),
    ],
)
def test_a_sentence_keeps_its_text_and_its_placeholders(written: str, plain: str, marked: str) -> None:
    assert PLAIN.template(written, "“”") == plain
    assert PAGE.template(written, "“”") == marked


def test_a_bold_word_that_is_no_label_has_no_quotes() -> None:
    assert PLAIN.template("It was **Ola**, as `c4`.", ("", "")) == "It was Ola, as c4."


def test_no_sentence_of_any_language_has_a_mark_left_without_marks() -> None:
    count, left = 0, []
    for language, key, text in all_sentences():
        count += 1
        if re.search(r"[*`]|\]\(|\\.|^(?:-# |- |#+ )", PLAIN.template(text, "“”"), re.MULTILINE):
            left.append((language, key))
    assert not left
    assert count > 17_000


def test_every_sentence_of_all_languages_is_well_formed_on_a_surface_of_elements() -> None:
    for language, key, text in all_sentences():
        open_elements: list[str] = []
        shown = PAGE.template(text, "“”")
        for closing, element in re.findall(r"<(/?)([a-z]+[1]?)(?: href=\"[^\"]*\")?>", shown):
            if closing:
                assert open_elements.pop() == element, (language, key)
            else:
                open_elements.append(element)
        assert not open_elements, (language, key)
        assert unescape(re.sub(r"<[^>]*>", "", shown)) == PLAIN.template(text, ("", "")), (language, key)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_without_marks_stays_as_it_is(name: str) -> None:
    words = languages().of("en")
    assert words.literal(name) == words.markup.player(name, "🔴") == words.mention(UserId(1), name) == name
    assert words("resign.ask", opponent=words.literal(name)).count(name) == 1


def test_languages_have_no_marks_until_they_are_told_to_speak_some() -> None:
    assert all(words.is_plain and not words.platform for words in languages())
    assert all(words.markup is PAGE and words.platform == "Somewhere" for words in languages().speaking(PAGE))


def test_words_of_a_platform_without_marks_still_name_it() -> None:
    assert languages().speaking(PAGE).of("de").plain.platform == "Somewhere"


def test_words_keep_language_markup_and_platform_when_they_are_pickled() -> None:
    polish = languages().of("pl")
    for words in (polish, polish.speaking(PAGE), polish.speaking(PAGE).plain):
        found = pickle.loads(pickle.dumps(words))  # noqa: S301
        assert (found.tag, found.markup, found.platform) == ("pl", words.markup, words.platform)


@pytest.mark.process
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_worker_process_speaks_the_marks_of_a_surface_that_it_has_never_seen(method: str) -> None:
    words = languages().speaking(PAGE).of("pl")
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        assert pool.submit(told, words).result() == told(words)
    assert "&lt;Bo&gt;" in told(words)[0]


@pytest.mark.parametrize(
    ("language", "ahead", "ago"),
    [
        ("cs", "za 2 dny, 5 hodin", "před 2 dny, 5 hodinami"),
        ("de", "in 2 Tagen, 5 Stunden", "vor 2 Tagen, 5 Stunden"),
        ("en", "in 2 days, 5 hours", "2 days, 5 hours ago"),
        ("pl", "za 2 dni, 5 godzin", "2 dni, 5 godzin temu"),
        ("ru", "через 2 дня, 5 часов", "2 дня, 5 часов назад"),
        ("uk", "через 2 дні, 5 годин", "2 дні, 5 годин тому"),
    ],
)
def test_how_far_away_a_moment_is_is_written_where_a_surface_cannot_count(language: str, ahead: str, ago: str) -> None:
    words, span = languages().of(language), 2 * DAY + 5 * HOUR + 59 * MINUTE
    assert words.until(Millis(NOW + span), NOW) == ahead
    assert words.until(Millis(NOW - span), NOW) == ago
    assert words.speaking(PAGE).until(Millis(NOW + span), NOW) == f"<time>{ahead}</time>"


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (0, "in 1 second"),
        (20 * SECOND, "in 20 seconds"),
        (5 * MINUTE + 20 * SECOND, "in 5 minutes"),
        (3 * HOUR + 40 * SECOND, "in 3 hours"),
        (71 * HOUR + 59 * MINUTE, "in 2 days, 23 hours"),
        (3 * DAY - 5 * SECOND, "in 3 days"),
        (23 * HOUR + MINUTE, "in 23 hours, 1 minute"),
        (2 * DAY + 20 * MINUTE, "in 2 days"),
        (6 * DAY + HOUR, "in 6 days, 1 hour"),
        (7 * DAY + HOUR, "in 7 days"),
        (400 * DAY, "in 400 days"),
    ],
)
def test_a_distance_has_at_most_two_units_that_are_neighbours(span: int, told: str) -> None:
    assert languages().of("en").until(Millis(NOW + span), NOW) == told


def test_a_moment_is_by_utc_where_a_surface_does_not_know_the_readers_time() -> None:
    assert languages().of("en").moment(NOW) == "November 14, 2023, 10:13\u202fPM UTC"


@pytest.mark.parametrize("package", ["presentation", "web"])
def test_a_package_loads_without_the_library_of_discord(package: str) -> None:
    program = (
        "import importlib, pkgutil, sys\n"
        "sys.modules['discord'] = None\n"
        f"import {package}\n"
        f"for module in pkgutil.walk_packages({package}.__path__, '{package}.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(len(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
