"""The slash commands of all features, in all languages."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.abc import Snowflake

from bot.interactions import admission, errors
from bot.interactions.commands import Declared, Translator, TreeCommand
from bot.interactions.components import Component, Form
from bot.interactions.context import Context
from bot.request import Interaction
from play.refusal import Reason, Refused
from presentation.words.words import Languages, Words

MISMATCHES = (app_commands.TransformerError, app_commands.CommandSignatureMismatch, app_commands.CommandNotFound)
"""A command as it is not declared here: made up, or by a Discord that knows another version of it."""

FIRST = ("help", "challenge", "learn")
"""The commands that a newcomer needs, first in what Discord is told.

Its clients begin with what a person uses most, and it does not say how they order the rest. The page of the try-out
keeps this order.
"""

RENAMED = {("vote", "end"): "resign", ("team", "withdraw"): "cancel"}
"""The present names of subcommands by their earlier ones, which Discord sends until the operator syncs."""

_TYPES = {discord.AppCommandOptionType.string: str, discord.AppCommandOptionType.integer: int}


class Feature(NamedTuple):
    """Its slash commands and those of context menus, its components, and its forms."""

    commands: tuple[Declared, ...] = ()
    components: tuple[type[Component], ...] = ()
    forms: tuple[Form, ...] = ()


class CommandTree(app_commands.CommandTree[Any]):
    """The commands of the features; what they raise is explained to the player."""

    def __init__(self, client: discord.Client, languages: Languages, features: Sequence[Feature]) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._languages = languages
        for command in _commands(tuple(features), languages.of()):
            self.add_command(command)
        self.ids: dict[str, int] = {}
        """The ids of the commands by name, as far as Discord has told them."""

    async def load_ids(self) -> None:
        """Asks Discord for the ids of the commands; leaves those that are known where it does not answer."""
        application = self.client.application_id
        assert application is not None, "it is known once the client is logged in"
        with suppress(discord.HTTPException):  # discord.py's own way would also make objects of all their options
            told = await self.client.http.get_global_commands(application)
            self.ids.update((command["name"], int(command["id"])) for command in told)

    async def _learn_id(self, interaction: Interaction) -> None:
        """Loads the ids if this command has another one: the operator may have told Discord the commands lately."""
        data: Any = interaction.data
        if "guild_id" not in data and self.ids.get(data["name"]) != int(data["id"]):
            await self.load_ids()

    async def sync(self, *, guild: Snowflake | None = None) -> list[app_commands.AppCommand]:
        """Tells Discord the commands in all languages."""
        await self.set_translator(Translator(self._languages))
        commands = await super().sync(guild=guild)
        self.ids.update((command.name, command.id) for command in commands)
        return commands

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Admits an interaction. discord.py calls it before every command and every suggestion."""
        _rename(interaction)
        ctx = Context.of(interaction)
        if not await admission.admit(ctx):
            return False
        await self._learn_id(interaction)
        if interaction.type is discord.InteractionType.autocomplete or _is_as_declared(interaction):
            return True
        await errors.reply_error(ctx, Refused(Reason.BAD_COMMAND))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Tells the player what went wrong."""
        ctx = Context.of(interaction)
        if isinstance(error, app_commands.CommandInvokeError):
            await errors.reply_error(ctx, error.original)
        elif isinstance(error, MISMATCHES):
            await errors.reply_error(ctx, Refused(Reason.BAD_COMMAND))
        else:
            await errors.reply_error(ctx, error)


def _rename(interaction: Interaction) -> None:
    """Changes an earlier name of a subcommand to the present one, before discord.py looks for it."""
    data: Any = interaction.data
    for option in data.get("options", ()):
        option["name"] = RENAMED.get((data["name"], option["name"]), option["name"])


def _is_as_declared(interaction: Interaction) -> bool:
    """Returns whether the options are of their lists and within their bounds: Discord sees to that, not discord.py."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return True
    given = ((each, getattr(interaction.namespace, each.name, None)) for each in command.parameters)
    return all(value is None or _allows(parameter, value) for parameter, value in given)


@cache  # discord.py takes 10 ms to make them, and they belong to no tree
def _commands(features: Sequence[Feature], words: Words) -> list[TreeCommand]:
    """Returns the commands of features, those that a newcomer needs first."""
    commands = [command.make(words) for feature in features for command in feature.commands]
    return sorted(commands, key=lambda each: FIRST.index(each.name) if each.name in FIRST else len(FIRST))


def _allows(parameter: app_commands.Parameter, value: Any) -> bool:
    if not isinstance(value, _TYPES.get(parameter.type, object)):
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size: Any = len(value) if isinstance(value, str) else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or least <= size) and (most is None or size <= most)
