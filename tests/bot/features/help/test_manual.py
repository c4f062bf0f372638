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
from bot.markup import DiscordMarkup, spoken
from loopback import Message, Person
from presentation.words.words import CATALOGUES
from tests.bot import forging
from tests.bot.room import Room, private_message

MAX_PAGE = 2000
"""Characters of a page: half of what Discord allows, and short enough to read."""

ID = 2**63 - 1
"""The longest id."""


def command_tree() -> CommandTree:
    """Returns the tree of all commands."""
    client = discord.Client(intents=discord.Intents.none())
    return CommandTree(client, spoken(), FEATURES)


def texts(tree: CommandTree, language: str) -> list[str]:
    """Returns the commands for each purpose, with ids of the greatest length."""
    ids = {command.name: ID for command in tree.get_commands()}
    words = spoken().of(language).speaking(DiscordMarkup(ids))
    found = help_commands.sections(help_commands.leaves(tree))
    return [section.text(spoken().keys, words) for section in found]


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_every_command_is_named_once_and_every_page_fits(language: str) -> None:
    tree = command_tree()
    found = texts(tree, language)
    assert sorted(re.findall(r"</(.+?):\d+>", "\n".join(found))) == sorted(
        command.qualified_name for command in tree.walk_commands() if isinstance(command, app_commands.Command)
    )
    assert max(map(len, found)) <= MAX_PAGE


def test_every_command_has_a_purpose_and_every_purpose_existing_commands() -> None:
    tree = command_tree()
    known = {command.name for command in tree.get_commands()}
    for by_purpose in (help_commands.PURPOSES, help_commands.MANAGING):
        assert {root for roots in by_purpose.values() for root in roots} <= known
    found = help_commands.sections(help_commands.leaves(tree))
    purposes = [each.purpose for each in found]
    assert purposes == [*help_commands.PURPOSES, *help_commands.MANAGING]


def test_a_command_of_no_purpose_comes_at_the_end() -> None:
    @app_commands.command(name="computer", description=spoken().of()("command.learn"))
    async def new(interaction: discord.Interaction) -> None: ...

    (found,) = help_commands.sections([new])
    words = spoken().of("de")
    described = words("command.learn")
    assert described.startswith("Kurze Lektionen")
    assert found.text(spoken().keys, words) == f"### Sonstiges\n- `/computer`: {described}"


async def press(room: Room, person: Person, message: Message, label: str) -> Message:
    """Presses a button of the panel, which changes in place; returns it."""
    page = await person.click(message, label).followed()
    assert page.id == message.id
    return page


async def choose(person: Person, page: Message, purpose: str) -> Message:
    return await person.click(page, "help:purposes", [purpose]).followed()


async def all_purposes(room: Room, person: Person) -> dict[str, str]:
    """Returns what a person is shown of each purpose that their panel offers."""
    page = await private_message(person.command(room.channel, "help"))
    if "All commands" in page.labels:
        page = await press(room, person, page, "All commands")
    shown = {purpose: (await choose(person, page, purpose)).text for purpose in purposes_of(page)}
    if "For managers" in page.labels:
        page = await press(room, person, page, "For managers")
        shown |= {purpose: (await choose(person, page, purpose)).text for purpose in purposes_of(page)}
    return shown


def purposes_of(page: Message) -> list[str]:
    (menu,) = (part for part in page.controls if part["custom_id"] == "help:purposes")
    return [option["value"] for option in menu["options"]]


async def test_a_newcomer_sees_four_lines_and_two_buttons(room: Room) -> None:
    shown = await private_message(room.kasia.command(room.channel, "help"))
    assert [line.partition("**:")[0] for line in shown.text.split("\n")] == ["**Dots", "**Play", "**Move", "**Practise"]
    assert "three new puzzles every day" in shown.text
    assert shown.labels == ["Learn step by step", "All commands"]
    lesson = await room.kasia.click(shown, "Learn step by step").followed()
    assert "Lesson" in lesson.text


async def test_a_player_sees_the_commands_by_what_they_want_to_do(room: Room) -> None:
    await room.start_match(size="9x9")
    first = await private_message(room.maksim.command(room.channel, "help"))
    await room.restart()
    known = {command["name"]: command["id"] for command in room.discord.commands}
    assert first.text.startswith("### Start or find a game")
    assert f"- </challenge:{known['challenge']}>: Challenge a friend to a game of Dots" in first.text
    practise = await choose(room.maksim, first, "practise")
    assert practise.text.startswith("### Learn and practise")
    assert practise.id == first.id
    basics = await press(room, room.maksim, practise, "How to play")
    assert basics.text.startswith("**Dots**")
    assert (await press(room, room.maksim, basics, "All commands")).text == first.text


async def test_commands_of_managers_are_behind_a_button_that_they_alone_have(room: Room) -> None:
    of_manager, of_member = await all_purposes(room, room.ola), await all_purposes(room, room.kasia)
    every = {each.qualified_name: each for each in help_commands.leaves(room.client.tree)}
    managing = {name for name, each in every.items() if each.extras.get(FOR_MANAGERS)}
    assert len(managing) > 25
    assert set(re.findall(r"</(.+?):\d+>", "\n".join(of_member.values()))) == {*every} - managing
    assert {*of_manager} - {*of_member} == {*help_commands.MANAGING}
    for purpose in help_commands.PURPOSES:
        assert of_manager[purpose] == of_member[purpose]
    assert "What should happen here?" in of_manager["manage"]
    named = re.findall(r"</(.+?):\d+>", "\n".join(of_manager[purpose] for purpose in help_commands.MANAGING))
    assert {*named} == managing


async def test_a_member_does_not_open_the_commands_of_managers_by_a_button_that_was_made_up(room: Room) -> None:
    first = await private_message(room.ola.command(room.channel, "help"))
    (managing,) = (part["custom_id"] for part in first.controls if part.get("label") == "For managers")
    shown = await forging.click(room, room.kasia, room.channel, managing).followed()
    assert shown.text.startswith("### Change settings")


async def test_a_direct_message_has_what_works_there(room: Room) -> None:
    shown = await room.kasia.command(room.kasia.open_dm(), "help").followed()
    assert "in a channel of a server" in shown.text
    page = await press(room, room.kasia, shown, "All commands")
    assert "For managers" not in page.labels
    assert "as_server" not in purposes_of(page)
    compete = await choose(room.kasia, page, "compete")
    assert re.findall(r"</(.+?):\d+>", compete.text) == ["leaderboard"]


async def test_commands_that_were_synced_while_the_bot_runs_can_be_clicked(room: Room) -> None:
    room.client.tree.ids.clear()
    first = await private_message(room.ola.command(room.channel, "help"))
    known = {command["name"]: command["id"] for command in room.discord.commands}
    assert f"</rules:{known['rules']}>" in first.text


async def test_where_discord_does_not_say_its_ids_commands_have_their_names(room: Room) -> None:
    room.client.tree.ids.clear()
    room.discord.fault("GET", "/applications/{application_id}/commands", 403, code=50001)
    first = await private_message(room.ola.command(room.channel, "help"))
    commands = await press(room, room.ola, first, "All commands")
    assert "- `/challenge`: Challenge a friend to a game of Dots" in commands.text
