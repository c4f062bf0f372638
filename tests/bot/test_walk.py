"""A stranger types every slash command of the pages as it is written, and the bot takes each."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from discord import AppCommandOptionType, app_commands

from bot.services.rate_limits import Rate, RateLimits
from loopback import Channel, File
from tests.bot.room import Room
from tests.docs.test_pages import PLAYED_BY, SLASH, unknown_in_command, written
from tests.opponent.quick import Inside
from tests.presentation.words.test_words import commands, sentences

RECORD = File("game.sgf", b"(;FF[4]GM[40]SZ[9];B[aa];W[bb])")
IN_CHANNEL: Final = ("/challenge", "/tournament", "/ladder")
"""The commands that are typed in a channel; all others in the thread of a game."""

Command = app_commands.Command[Any, Any, Any]
FAST = Rate(10**6, 0.001)
LEFT_OUT: Final = {
    "computer": 1,
    "anyone": True,
    "rules": "zagram",
    "file": RECORD,
    "point": "A1",
    "line": "A1 B1",
    "name": "Cup",
    "time": "1h",
    "which": 1,
    "place": 1,
}
"""The value of an option that a page names without one."""

LAST: Final = ("/resign", "/abort", "/privacy delete", "/moderate annul", "/moderate end", "/takeback", "/move")
"""The commands that end a game, in the order in which they are tried after all others."""


@pytest.fixture
def run_options() -> dict[str, Any]:
    return {"limits": RateLimits(FAST, FAST, FAST, FAST)}


def typed_commands() -> list[str]:
    """Returns every slash command as the pages write it, except for the names of groups."""
    groups = {name.split()[0] for name in commands() if " " in name}
    named = {text for _, text in written(PLAYED_BY) if SLASH.match(text) and text[1:] not in groups}
    typed = [text for text in named if not unknown_in_command(text)]  # those are for another test
    last = {text: index for index, name in enumerate(LAST) for text in typed if text.startswith(name)}
    return sorted(typed, key=lambda text: (last.get(text, -1), text))


def options_of(room: Room, command: Command, text: str) -> dict[str, Any]:
    """Returns the options that are typed, as a client sends them, and what it demands besides."""
    typed = dict(re.findall(r"(\w+):(.*?)(?= \w+:|$)", text))
    options: dict[str, Any] = {}
    for parameter in command.parameters:
        name, chosen = parameter.name, {choice.name: choice.value for choice in parameter.choices}
        value = typed.get(name, "" if parameter.required else None)
        if value == "":
            options[name] = LEFT_OUT.get(name) or next(iter(chosen.values()), room.ola)
        elif value is not None and parameter.type is AppCommandOptionType.boolean:
            options[name] = value == "True"
        elif value is not None and parameter.type is AppCommandOptionType.integer:
            options[name] = chosen.get(value) or int(value)
        elif value is not None:
            options[name] = room.ola if value == "@Ola" else chosen.get(value, value)
    return options


async def walk(room: Room, place: Channel, text: str) -> str:
    """Types a command, and returns the answer."""
    tree = {each.qualified_name: each for each in room.client.tree.walk_commands()}
    pair = " ".join(text[1:].split()[:2])
    command = tree[pair if pair in tree else text[1:].split()[0]]
    assert isinstance(command, app_commands.Command)
    place = room.channel if text.startswith(IN_CHANNEL) else place
    asked = room.maksim.command(place, command.qualified_name, **options_of(room, command, text))
    answer = (await asked.answered()).message
    return answer.text if answer else ""


def is_misunderstood(answer: str) -> bool:
    """Returns whether an answer is a failure, or says that what was typed cannot be read."""
    unread = {str(each.string) for key, each in sentences("en").items() if key.startswith("refused.bad_")}
    begins = tuple(filter(None, (text.partition("{")[0] for text in unread)))
    return not answer or "in my log as" in answer or answer.startswith(begins)


@pytest.mark.parametrize(("typed", "misunderstood"), [("/vacation days:7", False), ("/challenge clock:3x", True)])
async def test_a_value_that_cannot_be_read_is_noticed(room: Room, typed: str, misunderstood: bool) -> None:
    thread = await room.start_match()
    assert is_misunderstood(await walk(room, thread, typed)) is misunderstood


async def test_every_command_is_taken_as_it_is_written(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    room.make_moderator(room.maksim)
    thread = await room.start_match(size="15x15", start="cross", clock="3d")
    room.make_moderator(room.maksim, thread)
    typed = [
        each for each in typed_commands() if each not in ("/feedback", "/launch")
    ]  # the operator has to allow them
    assert len(typed) > 60
    answers = {text: await walk(room, thread, text) for text in typed}
    assert {text: answer for text, answer in answers.items() if is_misunderstood(answer)} == {}
