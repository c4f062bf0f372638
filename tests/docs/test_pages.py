"""Names in the pages exist: commands with their options, subcommands, targets, settings, files and buttons."""

from __future__ import annotations

import re

import pytest

from bot.__main__ import main
from bot.invitation import INVITED
from bot.settings import Settings
from presentation.words.words import CATALOGUES
from tests.docs.pages import PAGES, ROOT, code, full_text
from tests.presentation.words.test_words import commands, sentences, texts

PLAYED_BY = ("docs/players.md", "docs/server-admins.md")
"""The pages for people on Discord: they name buttons in bold, and options by themselves."""

GUIDES = tuple(page for page in PAGES if page.startswith("docs/guides/"))
"""Pages of one subject: they name buttons in bold, too."""

HEADING = re.compile(r"^\*\*[^*]+\*\*$|^(?:- |\d\. )?\*\*[^*]+[.:]\*\*", re.MULTILINE)
"""A bold line, or what opens a paragraph or an item of a list and ends with a mark."""

SETTINGS_PAGE = "docs/operators.md"
ADDRESSES = (
    "/healthz",
    "/metrics",
    "/front",
    "/activity",
    "/home",
    "/arena",
    "/watch",
    "/analysis",
    "/friend",
    "/figures",
    "/study",
    "/app",
)
SLASH = re.compile(r"/[a-z]+(?![\w/.-])")
PLACEHOLDER = re.compile(r"[A-Z]{3,}|<|…")
"""Part of a path that stands for something else, as TAG in a recipe."""


def written(pages: tuple[str, ...] = tuple(PAGES)) -> list[tuple[str, str]]:
    """Returns everything that is written as code, with its page."""
    return [(page, text) for page in pages for text in code(page)]


def unknown_in_command(text: str) -> list[str]:
    """Returns what is neither the name of a slash command nor one of its options, with or without a value."""
    words = text[1:].split()
    pair = " ".join(words[:2])
    name = pair if pair in commands() else words[0]
    if name not in commands():
        return [name]
    rest = words[len(name.split()) :]
    named = re.findall(r"(\w+):", " ".join(rest)) if ":" in text else rest
    return sorted(set(named) - commands()[name])


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("/challenge opponent:@Ola clock:10m+30s", []),
        ("/moderate end game:12", []),
        ("/ladder", []),
        ("/chalenge", ["chalenge"]),
        ("/challenge foe:@Ola", ["foe"]),
        ("/ladder climb", ["climb"]),
    ],
)
def test_a_command_is_read_by_its_name_and_its_options(text: str, unknown: list[str]) -> None:
    assert unknown_in_command(text) == unknown


def test_every_slash_command_exists_with_its_options() -> None:
    named = [(page, text) for page, text in written() if SLASH.match(text) and not text.startswith(ADDRESSES)]
    assert len(named) > 200
    assert [(page, text) for page, text in named if unknown_in_command(text)] == []


def test_every_slash_command_is_explained_to_players_or_admins() -> None:
    groups = {name.split()[0] for name in commands() if " " in name}
    told = " ".join(f"{text} " for page, text in written(PLAYED_BY) if text.startswith("/"))
    assert [name for name in commands().keys() - groups if f"/{name} " not in told] == []


def test_every_option_that_is_named_alone_exists() -> None:
    options = {option for each in commands().values() for option in each}
    named = [(page, text) for page, text in written((*PLAYED_BY, *GUIDES)) if re.match(r"[a-z]+:", text)]
    assert len(named) > 10
    assert [each for each in named if each[1].partition(":")[0] not in options] == []


def help_of(capsys: pytest.CaptureFixture[str], *subcommand: str) -> str:
    """Returns what the command line says of itself."""
    with pytest.raises(SystemExit):
        main([*subcommand, "--help"])
    return capsys.readouterr().out


def test_every_subcommand_of_kropka_exists_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    listed = re.search(r"\{([\w,]+)\}", help_of(capsys))
    assert listed is not None
    helps = {name: help_of(capsys, name) for name in listed[1].split(",")}
    used = [
        (page, *match)
        for page, text in written()
        for match in re.findall(r"(?:^|[\s/])kropka (?!kropka )([a-z]+)\b(.*)", text)
    ]
    assert len(used) > 30
    assert [each for each in used if each[1] not in helps] == []
    flags = [(page, name, flag) for page, name, rest in used for flag in re.findall(r"--[\w-]+", rest)]
    assert flags
    assert [each for each in flags if each[2] not in helps[each[1]]] == []
    assert [name for name in helps if f"`kropka {name}" not in full_text(SETTINGS_PAGE)] == []


def test_every_target_of_make_exists() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = [(page, match[1]) for page, text in written() if (match := re.match(r"make ([a-z-]+)", text))]
    assert len(named) > 10
    assert [each for each in named if each[1] not in targets] == []


def known_settings() -> set[str]:
    return {f"KROPKA_{name.upper()}" for name in Settings.model_fields}


def test_every_setting_exists() -> None:
    named = {(page, name) for page in PAGES for name in re.findall(r"\bKROPKA_[A-Z_]*[A-Z]\b", full_text(page))}
    assert {each for each in named if each[1] not in known_settings()} == set()


def test_one_table_has_every_setting() -> None:
    rows = [
        (page, name)
        for page in PAGES
        for row in re.findall(r"^\| `KROPKA_[^|]+", full_text(page), re.MULTILINE)
        for name in re.findall(r"KROPKA_\w+", row)
    ]
    assert sorted(rows) == sorted((SETTINGS_PAGE, name) for name in known_settings())


def test_every_file_exists() -> None:
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    paths = [
        (page, path)
        for page, text in written()
        for path in re.findall(rf"(?<![\w/.$-])(?:{folders})/[\w./*-]+", text)
        if not PLACEHOLDER.search(path) and not path.startswith(("build/", "data/"))
    ]
    assert len(paths) > 100
    missing = [(page, path) for page, path in paths if not any(ROOT.glob(path.rstrip("/.")))]
    assert missing == []


def test_the_index_lists_every_page() -> None:
    listed = re.findall(r"\]\(((?:guides/)?[\w-]+\.md)\)", full_text("docs/README.md"))
    pages = [name.removeprefix("docs/") for name in PAGES if re.fullmatch(r"docs/(?:guides/)?[\w-]+\.md", name)]
    assert sorted({*listed, "README.md"}) == sorted(pages)


@pytest.mark.parametrize("page", [*PLAYED_BY, *GUIDES])
def test_every_button_has_the_name_that_players_see(page: str) -> None:
    """A name in bold, as **Type a move**, is a text of the program; K12 in it is a point."""
    shown = {re.sub(r"\{\w+\}", "K12", text) for each in sentences("en").values() for text in texts(each)}
    named = re.findall(r"\*\*([^*]+)\*\*", HEADING.sub("", full_text(page)))
    assert named
    assert [name for name in named if name not in shown] == []


@pytest.mark.parametrize("page", PLAYED_BY)
def test_every_quotation_is_a_sentence_of_the_program(page: str) -> None:
    """An ellipsis in it replaces anything."""
    said = "\n".join(text for each in sentences("en").values() for text in texts(each))
    quoted = re.findall(r'"([^"\n]+)"', full_text(page))
    assert quoted
    assert [each for each in quoted if not re.search(re.escape(each).replace("…", ".+"), said)] == []


def test_the_invite_asks_for_what_the_bot_needs() -> None:
    asked = re.findall(r"permissions=(\d+)", full_text(SETTINGS_PAGE))
    assert asked == [str(INVITED.value)]


def test_every_language_has_a_column_in_the_glossary() -> None:
    head = re.search(r"^\| English \|(.+)\| meaning \|$", full_text("docs/translating.md"), re.MULTILINE)
    assert head is not None
    columns = {name.strip() for name in head[1].split("|")}
    assert columns == {path.name for path in CATALOGUES.iterdir()} - {"en"}
