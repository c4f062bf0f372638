"""The guides in other languages: of the same shape as the English ones, of their newest text, and in the words of the
catalogues."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from markdown_it.token import Token

from bot.markup import spoken
from docs.translations import digest, recorded, translations
from tests.docs.test_pages import HEADING
from tests.presentation.words.test_translations import avoided, finder
from tests.presentation.words.test_words import sentences, texts
from web.pages.guides import FOLDER, GROUPS, parse

NAMES: Final = tuple(name for names in GROUPS.values() for name in names)
LANGUAGES: Final = tuple(words.tag for words in spoken() if words.tag != "en")
LINK: Final = re.compile(r"\]\(([^)#\s]+)")

ENGLISH: Final = """# Move

1. **Press Play.** See the [rules](../rules.md). `/move` moves.
   ![a board](pictures/en/board.png)
2. Wait.
"""
GERMAN: Final = """# Ziehen

1. **Drück auf Spielen.** `/zug` zieht; die [Regeln](../../rules.md) helfen.
   ![ein Brett](../pictures/de/board.png)
2. Warte.
"""


class Shape(NamedTuple):
    """The form that a translation takes from its source: the kinds of its blocks in their order; of each block, where
    its links lead and its pictures are, and how much in it is marked as a label or as typed."""

    blocks: list[str]
    inside: list[tuple[Counter[str], int, int]]


def shape(text: str) -> Shape:
    """Returns the shape of a guide. Within a block a translation may have another order."""
    blocks = parse(text)
    inline = [each.children or [] for each in blocks if each.type == "inline"]
    kinds = [Counter(each.type for each in children) for children in inline]
    return Shape(
        [f"{each.type} {each.tag}" for each in blocks],
        [
            (Counter(targets(children)), count["strong_open"], count["code_inline"])
            for children, count in zip(inline, kinds, strict=True)
        ],
    )


def targets(children: Iterable[Token]) -> Iterator[str]:
    """Yields where links lead and pictures are, without the folder from which they do so and the language."""
    for each in children:
        if address := each.attrs.get("href") or each.attrs.get("src"):
            yield re.sub(r"^(?:\.\./)+|pictures/[a-z]{2}/", "", str(address))


def typed(text: str) -> list[str]:
    """Returns the commands that a guide has its reader type."""
    inline = [each for block in parse(text) for each in block.children or ()]
    return [each.content for each in inline if each.type == "code_inline" and each.content.startswith("/")]


def named(command: str, language: str) -> tuple[str, list[str]]:
    """Returns a command in English as its name and its options are in a language."""
    words = spoken().of(language).plain
    options = re.findall(r"([\w-]+):", command)
    name = " ".join(re.match(r"/([a-z ]+?)(?= [\w-]+:|$)", command)[1].split())  # type: ignore[index]
    return words.command(name).strip("`"), [words(f"name.{option}") for option in options]


def english(path: Path) -> str:
    return (FOLDER / path.name).read_text("utf-8")


def test_every_guide_is_in_the_index_of_the_site() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in FOLDER.glob("*.md"))


def test_a_translation_of_the_same_shape_is_known_by_it() -> None:
    assert shape(GERMAN) == shape(ENGLISH)


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("2. Warte.\n", ""),
        ("# Ziehen", "## Ziehen"),
        ("../../rules.md", "../../faq.md"),
        ("de/board.png", "de/other.png"),
        ("`/zug`", "/zug"),
        ("**Drück auf Spielen.**", "Drück auf Spielen."),
    ],
)
def test_a_translation_that_lacks_or_changes_something_is_found(part: str, other: str) -> None:
    assert part in GERMAN
    assert shape(GERMAN.replace(part, other)) != shape(ENGLISH)


def test_a_change_of_the_words_makes_translations_old_and_a_place_of_a_picture_does_not() -> None:
    assert digest(ENGLISH.replace("Wait", "Go on")) != digest(ENGLISH)
    assert digest(ENGLISH.replace("![a board](pictures/en/board.png)", "<!-- picture: a board -->")) == digest(ENGLISH)


def test_a_translation_has_the_shape_of_its_source() -> None:
    texts_of = {name: (path.read_text("utf-8"), english(path)) for name, path in translations().items()}
    assert [name for name, (text, source) in texts_of.items() if shape(text) != shape(source)] == []


def test_a_translation_is_as_new_as_its_source() -> None:
    made = {name: digest(english(path)) for name, path in translations().items()}
    assert recorded() == made, "translate what has changed, then note it: python -m docs.translations PAGES"


def test_what_is_typed_is_in_the_language() -> None:
    for name, path in translations().items():
        wanted = [named(each, path.parent.name) for each in typed(english(path))]
        written = typed(path.read_text("utf-8"))
        commands = sorted({command for command, _ in wanted}, key=len, reverse=True)
        found = [next((each for each in commands if f"{line} ".startswith(f"{each} ")), line) for line in written]
        assert Counter(found) == Counter(command for command, _ in wanted), name
        options = Counter(option for _, options in wanted for option in options)
        assert Counter(re.findall(r"([\w-]+):", " ".join(written))) == options, name


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_a_time_is_typed_in_the_letters_of_its_language(language: str) -> None:
    latin = re.compile(r"`[^`]*\d[dhms]\b[^`]*`")
    pages = [path for path in translations().values() if path.parent.name == language]
    assert [line for path in pages for line in latin.findall(path.read_text("utf-8"))] == []


def test_labels_are_those_of_the_language() -> None:
    for name, path in translations().items():
        said = {text for each in sentences(path.parent.name).values() for text in texts(each)}
        shown = {re.sub(r"\{\w+\}", "K12", text) for text in said}
        labels = re.findall(r"\*\*([^*]+)\*\*", HEADING.sub("", path.read_text("utf-8")))
        assert [label for label in labels if label not in shown] == [], name


def test_links_of_a_translation_lead_to_files() -> None:
    links = {(path, link) for path in translations().values() for link in LINK.findall(path.read_text("utf-8"))}
    assert [f"{path}: {link}" for path, link in links if not (path.parent / link).exists()] == []


def test_a_guide_has_none_of_the_words_to_avoid() -> None:
    text_of = {name: path.read_text("utf-8") for name, path in translations().items()}
    assert [
        f"{name}: {line}"
        for language, words, _ in avoided()
        for name, text in text_of.items()
        if name.startswith(f"{language}/")
        for line in text.splitlines()
        if finder(words).search(line)
    ] == []
