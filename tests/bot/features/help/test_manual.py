"""`/help` tells how to play, and lists every command in the player's language."""

from __future__ import annotations

import re

import discord
import pytest
from discord import app_commands

from bot.features.help import commands as help_commands
from bot.features.registry import FEATURES
from bot.interactions.command_tree import CommandTree
from bot.interactions.commands import FOR_MANAGERS
from loopback import Message, Person
from presentation.words.words import CATALOGUES, languages
from tests.bot.room import Room, private_message

MAX_PANEL = 4000
"""Characters of all texts in a message of Components V2; Discord's limit."""

ID = 2**63 - 1
"""The longest id."""


def command_tree() -> CommandTree:
    """Returns the tree of all commands."""
    client = discord.Client(intents=discord.Intents.none())
    return CommandTree(client, languages(), FEATURES)


def pages(tree: CommandTree, language: str) -> list[str]:
    """Returns all pages of commands, with ids of the greatest length."""
    ids = {command.name: ID for command in tree.get_commands()}
    leaves = help_commands.leaves(tree)
    words = languages().of(language).linking(ids)
    return list(help_commands.paginate(help_commands.sections(leaves, languages().keys, words)))


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_every_command_is_named_once_and_every_page_fits(language: str) -> None:
    tree = command_tree()
    found = pages(tree, language)
    assert sorted(re.findall(r"</(.+?):\d+>", "\n".join(found))) == sorted(
        command.qualified_name for command in tree.walk_commands() if isinstance(command, app_commands.Command)
    )
    assert max(map(len, found)) <= help_commands.MAX_PAGE < MAX_PANEL
    words = languages().of(language)
    assert len(words("help", size="39×32", start=words("start.random-double"), clock="x" * 80)) < MAX_PANEL


def test_every_purpose_is_that_of_existing_commands() -> None:
    tree = command_tree()
    roots = [root for purpose in help_commands.PURPOSES.values() for root in purpose]
    assert {root for purpose in help_commands.MANAGING.values() for root in purpose} <= {
        command.name for command in tree.get_commands()
    }
    assert sorted(roots) == sorted({*roots} & {command.name for command in tree.get_commands()})


def test_a_command_of_no_purpose_comes_at_the_end() -> None:
    @app_commands.command(name="computer", description=languages().of()("command.learn"))
    async def new(interaction: discord.Interaction) -> None: ...

    found = list(help_commands.sections([new], languages().keys, languages().of("de")))
    described = languages().of("de")("command.learn")
    assert described.startswith("Kurze Lektionen")
    assert found == [f"### Sonstiges\n- `/computer`: {described}"]


async def turn_page(room: Room, message: Message, label: str) -> Message:
    """Presses a button that turns the page; returns the panel, which changes in place."""
    page = await room.ola.click(message, label).followed()
    assert page.id == message.id
    return page


async def test_help_begins_with_how_to_play_and_turns_to_commands_that_can_be_clicked(room: Room) -> None:
    first = await private_message(room.ola.command(room.channel, "help"))
    assert "take turns placing one dot" in first.text
    assert first.labels[0] == "Learn step by step"
    await room.restart()
    commands = await turn_page(room, first, "All commands")
    known = {command["name"]: command["id"] for command in room.discord.commands}
    assert f"- </challenge:{known['challenge']}>: Challenge a friend to a game of Dots" in commands.text
    while "More commands" in commands.labels:
        commands = await turn_page(room, commands, "More commands")
    assert f"</moderate help:{known['moderate']}>" in commands.text
    while "All commands" not in commands.labels:
        commands = await turn_page(room, commands, "Back")
    assert commands.text == first.text


async def all_pages(room: Room, person: Person) -> str:
    page = await private_message(person.command(room.channel, "help"))
    page = await person.click(page, "All commands").followed()
    texts = [page.text]
    while "More commands" in page.labels:
        page = await person.click(page, "More commands").followed()
        texts.append(page.text)
    return "\n".join(texts)


async def test_help_leaves_out_for_members_what_only_managers_can_do(room: Room) -> None:
    of_manager, of_member = await all_pages(room, room.ola), await all_pages(room, room.kasia)
    every = {each.qualified_name: each for each in help_commands.leaves(room.client.tree)}
    managing = {name for name, each in every.items() if each.extras.get(FOR_MANAGERS)}
    assert len(managing) > 25
    assert set(re.findall(r"</(.+?):\d+>", of_manager)) == {*every}
    assert set(re.findall(r"</(.+?):\d+>", of_member)) == {*every} - managing
    assert "For managers (Manage Server)" in of_manager
    assert "For managers" not in of_member


async def test_commands_that_were_synced_while_the_bot_runs_can_be_clicked(room: Room) -> None:
    room.client.tree.ids.clear()
    first = await private_message(room.ola.command(room.channel, "help"))
    known = {command["name"]: command["id"] for command in room.discord.commands}
    assert f"</rules:{known['rules']}>" in first.text


async def test_where_discord_does_not_say_its_ids_commands_have_their_names(room: Room) -> None:
    room.client.tree.ids.clear()
    room.discord.fault("GET", "/applications/{application_id}/commands", 403, code=50001)
    first = await private_message(room.ola.command(room.channel, "help"))
    assert "- `/challenge`: Challenge a friend to a game of Dots" in (await turn_page(room, first, "All commands")).text
