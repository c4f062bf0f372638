"""Every key that the code uses has its sentence, whose placeholders are all filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.features.registry import FEATURES, offered_presets
from bot.i18n.words import CATALOGUES, SOURCE, languages
from bot.interactions.command_tree import CommandTree
from play.challenge.challenge import ChallengeState
from play.clock import parse_control
from play.refusal import Reason
from rules.registry import GAMES

ROOT = Path(__file__).parents[3]
REFUSING = {"Refused", "IllegalMove", "BadNotation", "BadOption"}
GAME_FOLDERS = sorted({type(game).__module__.rpartition(".")[0].replace(".", "/") for game in GAMES.values()})
PLAYED = ("bot", "play", "web", *GAME_FOLDERS)
"""Folders that raise refusals. Games that no player can choose yet have no words."""


Call = tuple[str, set[str], str]
"""A pattern of the key, the names of the details, and the place in the code."""


@cache
def catalogue(language: str) -> Catalog:
    with (CATALOGUES / language / "LC_MESSAGES" / "kropka.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def sentences(language: str) -> dict[str, Message]:
    found = {}
    for message in catalogue(language):
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key:
            found[key] = message
    return found


def texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def placeholders(message: Message) -> set[str]:
    return {name for text in texts(message) for _, name, _, _ in Formatter().parse(text) if name}


def fields(message: Message) -> set[str]:
    """Returns the placeholders that the code fills in: not those that name a command or an option."""
    return {name for name in placeholders(message) if name[0] not in "/#"}


def calls(folders: tuple[str, ...], names: set[str]) -> Iterator[Call]:
    """Yields every call of a function by one of the `names` whose first argument is a key."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _called(node.func) in names and node.args:
                    key = _pattern(node.args[0])
                    if key is not None:
                        named = {keyword.arg or "**" for keyword in node.keywords}
                        yield key, named, f"{path.relative_to(ROOT)}:{node.lineno}"


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _pattern(key: ast.expr) -> str | None:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return re.escape(key.value)
    if isinstance(key, ast.Attribute) and _called(key.value) == "Reason":
        return Reason[key.attr].value
    if isinstance(key, ast.Call) and _called(key.func) == "Reason":
        return _pattern(key.args[0])
    if isinstance(key, ast.IfExp):
        return f"{_pattern(key.body)}|{_pattern(key.orelse)}"
    if isinstance(key, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.-]+" for part in key.values
        )
    return None


SPOKEN: list[Call] = list(calls(("bot", "play", "web"), {"words", "own", "here", "self"}))
TEMPLATES: list[Call] = list(calls(("bot",), {"template"}))
REFUSED: list[Call] = [(f"refused\\.(?:{key})", given, where) for key, given, where in calls(PLAYED, REFUSING)]


def test_the_walk_finds_the_calls() -> None:
    assert len(SPOKEN) > 50
    assert len(REFUSED) > 25


def _named(value: object) -> str:
    """Returns a name that is the same in every process, unlike the text of a set."""
    return " ".join(sorted(value)) if isinstance(value, set) else str(value)


@pytest.mark.parametrize(("pattern", "given", "where"), SPOKEN + REFUSED, ids=_named)
def test_every_key_has_a_sentence_that_asks_for_what_is_given(pattern: str, given: set[str], where: str) -> None:
    known = sentences(SOURCE)
    found = [key for key in known if re.fullmatch(pattern, key)]
    assert found, f"{where}: no sentence for {pattern}"
    if "**" not in given:
        for key in found:
            assert fields(known[key]) <= given, f"{where}: {key}"


def test_every_sentence_is_used() -> None:
    patterns = [pattern for pattern, _, _ in SPOKEN + TEMPLATES + REFUSED]
    unused = [key for key in sentences(SOURCE) if not any(re.fullmatch(pattern, key) for pattern in patterns)]
    assert unused == []


@cache
def commands() -> dict[str, set[str]]:
    """Returns the options of every command and subcommand by its name; a group has none."""
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, languages(), FEATURES, offered_presets(dot_dash=True))
    return {
        each.qualified_name: {parameter.name for parameter in getattr(each, "parameters", ())}
        for each in tree.walk_commands()
    }


UNCLICKABLE = ("command.", "button.", "modal.", "name.", "alt.", "picture.", "start.", "level.")
"""How the keys of sentences begin that Discord shows without mentions: in its menus, on buttons and in pictures."""


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_sentences_mention_commands_that_exist_and_where_they_can_be_clicked(language: str) -> None:
    groups = {name.split()[0] for name in commands() if " " in name}
    options = {option for options in commands().values() for option in options}
    for key, message in sentences(language).items():
        for name in placeholders(message):
            if name.startswith("/"):
                assert name[1:] in commands().keys() - groups, key
                assert not key.startswith(UNCLICKABLE), key
            elif name.startswith("#"):
                assert name[1:] in options, key


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_no_sentence_writes_a_command_out(language: str) -> None:
    words = languages().of(language)
    names = {root for name in commands() for root in (name.split()[0], words(f"name.{name.split()[0]}"))}
    for key, message in sentences(language).items():
        for text in texts(message):
            assert not names.intersection(re.findall(r"(?<![\w{/])/([\w-]+)", text)), key


def test_a_sentence_mentions_a_command_by_its_id_or_by_its_name_in_the_language() -> None:
    polish, ids = languages().of("pl"), {"settings": 5}
    assert polish.linking(ids).command("settings me") == "</settings me:5>"
    assert polish.command("settings me") == "`/ustawienia moje`"
    assert "</settings me:5>" in polish.linking(ids)("reminder.closed")
    assert "`/ustawienia moje`" in polish("reminder.closed")


def test_a_mention_appears_as_soon_as_its_id_is_known() -> None:
    ids: dict[str, int] = {}
    words = languages().linking(ids).of("de")
    ids["settings"] = 5
    assert "</settings me:5>" in words("reminder.closed")


def test_a_missing_detail_is_an_error() -> None:
    with pytest.raises(KeyError, match="user"):
        languages().of()("refused.not_your_challenge")


def test_every_state_of_a_challenge_has_its_words() -> None:
    known = sentences(SOURCE)
    for state in set(ChallengeState) - {ChallengeState.OPEN}:
        assert f"card.state.{state}" in known
        assert f"refused.challenge_{state}" in known


def test_every_preset_has_a_name_and_help_of_one_paragraph() -> None:
    known = sentences(SOURCE)
    for key in GAMES:
        assert f"preset.{key}.name" in known
        assert 0 < len(str(known[f"preset.{key}.help"].string)) <= 350


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_translation_has_the_keys_and_the_placeholders_of_the_source(language: str) -> None:
    source, translated = sentences(SOURCE), sentences(language)
    assert set(translated) == set(source)
    for key, message in translated.items():
        assert fields(message) == fields(source[key]), key


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_the_head_of_a_catalogue_names_the_language_of_its_folder(language: str) -> None:
    text = (CATALOGUES / language / "LC_MESSAGES" / "kropka.po").read_text(encoding="utf-8")
    assert f'"Language: {language}\\n"' in text.partition("\n\n")[0]


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_translation_has_every_plural_form_and_no_empty_sentence(language: str) -> None:
    source, forms = sentences(SOURCE), catalogue(language).num_plurals
    for key, message in sentences(language).items():
        texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert len(texts) == (forms if source[key].pluralizable else 1), key
        assert all(text.strip() for text in texts), key


def test_a_key_without_a_sentence_is_an_error() -> None:
    with pytest.raises(KeyError):
        languages().of()("no.such.key")


def test_a_language_without_a_catalogue_falls_back_to_english() -> None:
    assert languages().of("ja")("resign.not") == "Game on! You haven't resigned."


def test_counts_choose_the_plural_form() -> None:
    words = languages().of("en-GB")
    assert [words("turn.captures", count=count) for count in (1, 2)] == ["captured 1 dot", "captured 2 dots"]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("3d", "3 days per move"),
        ("36h", "36 hours per move"),
        ("1d", "1 day per move"),
        ("10m+30s", "10 minutes in total, plus 30 seconds per move"),
    ],
)
def test_a_clock_is_told_in_words(control: str, text: str) -> None:
    assert languages().of().control(parse_control(control)) == text
