"""Declared commands: their names, keys and privacy follow from their handlers."""

from __future__ import annotations

import pytest
from discord import app_commands

from bot.features.registry import FEATURES
from bot.interactions.commands import BY_SERVERS, ON_SERVERS, Command, Group, Menu
from bot.interactions.context import Context
from bot.markup import spoken
from tests.presentation.words.test_words import sentences

WORDS = spoken().of()
ANSWERING = {"move", "feedback"}
"""Commands that answer by themselves: with a board that all see, and with a form."""


async def import_(ctx: Context, file: str, rules: str | None = None) -> None: ...


async def history(ctx: Context, player: str | None = None) -> None: ...


async def ban(ctx: Context, member: str, time: str, reason: str, end_games: bool = False) -> None: ...


async def nonsense(ctx: Context) -> None: ...


def described(options: list[app_commands.Parameter]) -> dict[str, str]:
    return {option.display_name: str(option.description) for option in options}


def test_a_command_has_the_name_of_its_handler_and_the_sentences_of_that_name() -> None:
    made = Command(import_).make(WORDS)
    assert (made.name, made.description) == ("import", WORDS("command.import"))
    assert described(made.parameters) == {
        "file": WORDS("command.import.file"),
        "rules": WORDS("command.import.rules"),
    }


def test_a_subcommand_has_the_sentences_of_its_group() -> None:
    (made,) = Group("moderate", (Command(ban),)).make(WORDS).commands
    assert made.description == WORDS("command.moderate.ban")
    assert isinstance(made, app_commands.Command)
    assert described(made.parameters)["end-games"] == WORDS("command.moderate.ban.end-games")


def test_an_option_without_a_sentence_has_that_of_the_command_like_it() -> None:
    made = Command(history, like="profile").make(WORDS)
    assert described(made.parameters) == {"player": WORDS("command.profile.player")}


@pytest.mark.parametrize("command", [Command(nonsense), Command(history), Command(history, like="import")])
def test_a_command_without_a_sentence_cannot_be_made(command: Command) -> None:
    with pytest.raises(KeyError):
        command.make(WORDS)


def test_a_group_on_servers_is_offered_only_where_the_bot_is() -> None:
    everywhere, on_servers = Group("vote", ()).make(WORDS), Group("vote", (), on_servers=True).make(WORDS)
    assert (everywhere.allowed_contexts, everywhere.allowed_installs) == (None, None)
    assert (on_servers.allowed_contexts, on_servers.allowed_installs) == (ON_SERVERS, BY_SERVERS)


def test_every_command_answers_in_private_but_for_two() -> None:
    declared = [each for feature in FEATURES for each in feature.commands if not isinstance(each, Menu)]
    commands = [one for each in declared for one in (each.commands if isinstance(each, Group) else (each,))]
    assert {each.make(WORDS).name for each in commands if isinstance(each, Command) and not each.private} == ANSWERING


def test_every_sentence_of_a_command_describes_one() -> None:
    made = [each.make(WORDS) for feature in FEATURES for each in feature.commands]
    told = set[str]()
    for each in made:
        if isinstance(each, app_commands.ContextMenu):
            continue
        for one in (each, *(each.walk_commands() if isinstance(each, app_commands.Group) else ())):
            told.add(one.description)
            if isinstance(one, app_commands.Command):
                told |= {*described(one.parameters).values()}
    assert {key for key in sentences("en") if key.startswith("command.") and WORDS(key) not in told} == set()
