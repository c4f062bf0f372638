"""The commands in every language: names that Discord takes, and descriptions that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.features.registry import FEATURES
from bot.interactions.command_tree import CommandTree
from bot.interactions.commands import Translator
from bot.markup import spoken
from opponent.choice import EASIEST, HARDEST
from presentation.words.words import CATALOGUES, SOURCE, Languages

NAME = re.compile(r"[-_'\w]{1,32}")
MAX_DESCRIPTION = 100
"""Characters of a description, and of the name of a choice."""

SERVER_COMMANDS = {"moderate", "tournament", "ladder", "league", "vote", "predict", "team"}
"""Commands that Discord offers only where the bot is a member."""

Payload = dict[str, Any]


async def payloads(languages: Languages, *kinds: discord.AppCommandType) -> list[Payload]:
    """Returns the slash commands, or those of other `kinds`, as a sync sends them to Discord."""
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, languages, FEATURES)
    translator = Translator(languages)
    asked = kinds or (discord.AppCommandType.chat_input,)
    commands = (command for kind in asked for command in tree.get_commands(type=kind))
    return [await command.get_translated_payload(tree, translator) for command in commands]


def levels(options: list[Payload]) -> Iterator[list[Payload]]:
    """Yields the commands, or options, of each level together."""
    yield options
    for option in options:
        yield from levels(option.get("options", []))


async def test_every_name_is_in_the_catalogue_and_is_itself() -> None:
    words = spoken().of()
    for command in await payloads(spoken()):
        for level in levels([command]):
            for each in level:
                assert words.called(each["name"], command["name"]) == words.called(each["name"]) == each["name"]


async def test_a_name_of_a_group_is_that_of_a_subcommand_in_it() -> None:
    """Each language has the names by which a group calls its subcommands; all others have one name everywhere."""
    groups = {each["name"]: {inside["name"] for inside in each["options"]} for each in await payloads(spoken())}
    own = [key.split(".")[1:] for key in spoken().all_keys if key.startswith("name.") and key.count(".") == 2]
    assert own
    assert [each for each in own if each[1] not in groups.get(each[0], ())] == []


@pytest.mark.parametrize(
    ("command", "language", "name"),
    [
        ("vote resign", "ru", "сдаться"),
        ("vote resign", "pl", "poddaj-partię"),
        ("team cancel", "ru", "отменить"),
        ("team cancel", "uk", "скасувати"),
        ("team challenge", "ru", "вызвать"),
        ("league close", "cs", "ukončit"),
        ("vote close", "cs", "uzavřít"),
    ],
)
async def test_a_subcommand_has_the_name_that_is_right_in_its_group(command: str, language: str, name: str) -> None:
    group, subcommand = command.split()
    sent = next(each for each in await payloads(spoken()) if each["name"] == group)
    shown = next(each for each in sent["options"] if each["name"] == subcommand)["name_localizations"][language]
    mentioned = spoken().of(language).command(command)
    assert shown == name
    assert mentioned == f"`/{sent['name_localizations'][language]} {shown}`"


@pytest.mark.parametrize(("language", "first"), [("en-GB", None), ("ru", "1 · "), ("pl", "1 · "), ("de", "1 · ")])
async def test_levels_are_listed_by_number_and_name_in_every_language(language: str, first: str | None) -> None:
    (challenge,) = (each for each in await payloads(spoken()) if each["name"] == "challenge")
    computer = next(option for option in challenge["options"] if option["name"] == "computer")
    easiest = computer["choices"][0]
    name = spoken().of(language)("level.1")
    shown = easiest["name"] if first is None else easiest["name_localizations"][language]
    assert shown == f"1 · {name}"
    assert [choice["value"] for choice in computer["choices"]] == list(range(EASIEST, HARDEST + 1))


async def test_names_and_descriptions_are_given_in_other_languages() -> None:
    (challenge,) = (each for each in await payloads(spoken()) if each["name"] == "challenge")
    assert challenge["name_localizations"]["pl"] == "wyzwanie"
    assert challenge["description_localizations"]["pl"].startswith("Rzuć wyzwanie")
    rules = next(option for option in challenge["options"] if option["name"] == "rules")
    assert rules["name_localizations"]["pl"] == "zasady"
    start = next(option for option in challenge["options"] if option["name"] == "start")
    cross = next(choice for choice in start["choices"] if choice["value"] == "cross")
    assert cross["name_localizations"]["pl"] == "krzyż z czterech kropek na środku"


async def test_subcommands_are_translated_too() -> None:
    (settings,) = (each for each in await payloads(spoken()) if each["name"] == "settings")
    assert settings["options"][0]["name_localizations"]["pl"] == "moje"


async def test_context_menus_are_named_in_other_languages_and_no_more_than_discord_takes() -> None:
    for kind in (discord.AppCommandType.user, discord.AppCommandType.message):
        menus = await payloads(spoken(), kind)
        assert 1 <= len(menus) <= 5
        for language in spoken().names.keys() - {SOURCE}:
            names = {each["name_localizations"][language] for each in menus}
            assert len(names) == len(menus)
    (profile,) = (each for each in await payloads(spoken(), discord.AppCommandType.user) if each["name"] == "Profile")
    assert profile["name_localizations"]["pl"] == "Profil"


async def test_english_needs_no_translation() -> None:
    (challenge,) = (each for each in await payloads(spoken()) if each["name"] == "challenge")
    assert "en-GB" not in challenge["name_localizations"]


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
async def test_names_and_descriptions_are_such_as_discord_takes(language: str) -> None:
    words = spoken().of(language)
    keys = spoken().keys
    for level in levels(await payloads(spoken())):
        names = [each["name_localizations"].get(language, each["name"]) for each in level]
        assert len(set(names)) == len(names)
        for name in names:
            assert NAME.fullmatch(name), name
            assert name == name.lower()
        for each in level:
            assert 1 <= len(words(keys[each["description"]])) <= MAX_DESCRIPTION, each["description"]
            for choice in each.get("choices", []):
                if choice["name"] in keys:
                    assert 1 <= len(words(keys[choice["name"]])) <= MAX_DESCRIPTION


async def test_syncing_tells_discord_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, spoken(), FEATURES)
    synced: list[Payload] = []

    async def upsert(_: int, payload: list[Payload]) -> list[Payload]:
        synced.extend(payload)
        return []

    monkeypatch.setattr(client.http, "bulk_upsert_global_commands", upsert)
    monkeypatch.setattr(discord.Client, "application_id", 1)
    await tree.sync()
    assert {each["name_localizations"]["pl"] for each in synced} >= {"wyzwanie", "ustawienia", "zasady"}
    anywhere = [each for each in synced if each["name"] not in SERVER_COMMANDS]
    assert all(1 in each["integration_types"] and 2 in each["contexts"] for each in anywhere)
    assert all(each["contexts"] == [0] for each in synced if each["name"] in SERVER_COMMANDS)


def test_there_are_no_more_options_than_a_command_may_have() -> None:
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, spoken(), FEATURES)
    commands = [each for each in tree.walk_commands() if isinstance(each, app_commands.Command)]
    assert max(len(command.parameters) for command in commands) <= 25
    assert len(tree.get_commands()) <= 100
