"""Commands as a feature declares them: a handler, from whose name all else follows.

The key `command.NAME` describes a command, and `command.NAME.OPTION` an option of it; NAME of a subcommand is
`GROUP.NAME`. Discord gets both in every language. Answers are private: a command is acknowledged so before its handler
begins.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import discord
from discord import Locale, app_commands
from discord.app_commands import Choice
from discord.app_commands import TranslationContextLocation as Place

from bot.interactions.context import Context
from bot.interactions.layout import MAX_OPTION
from bot.request import Interaction
from opponent.choice import LEVELS
from presentation.terms import MAX_SUGGESTIONS, complete, level_label
from presentation.words.words import Words

if TYPE_CHECKING:
    from presentation.words.words import Languages

FOR_MANAGERS = "for managers"
"""Among the extras of a command that only those who manage or moderate a server can use."""

NAMES = (Place.command_name, Place.group_name, Place.parameter_name)

TreeCommand = app_commands.Command[Any, Any, Any] | app_commands.Group | app_commands.ContextMenu
Handler = Callable[..., Coroutine[Any, Any, Any]]

ON_SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
BY_SERVERS = app_commands.AppInstallationType(guild=True, user=False)
"""Where Discord offers the commands of servers that have the bot; the tree decides all others."""


def composed(words: Words, in_words: Callable[[Words], str]) -> app_commands.locale_str:
    """Returns a text for Discord that no catalogue has as a whole; `in_words` makes it in a language."""
    return app_commands.locale_str(in_words(words), in_words=in_words)


class Translator(app_commands.Translator):
    """A translator of descriptions, by their English sentences, and of names, by their keys.

    A text that is more than one sentence brings the function `in_words` that makes it (see `composed`).
    """

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._keys = languages.keys

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Returns the translation; None where Discord shows the English word."""
        words = self._languages.of(locale.value)
        if words is self._languages.of():
            return None
        if (in_words := string.extras.get("in_words")) is not None:
            return str(in_words(words))
        if context.location in NAMES:
            group = context.data.parent if isinstance(context.data, app_commands.Command) else None
            return words.called(string.message, group.name if group else "")
        key = self._keys.get(string.message)
        return None if key is None else words(key)


def level_choices(words: Words) -> list[Choice[int]]:
    """Returns the levels of the computer; Discord finds one by any part of its label."""
    labels = ((each.number, partial(level_label, each.number)) for each in LEVELS)
    return [Choice(name=composed(words, label), value=number) for number, label in labels]


def suggest_options(typed: str, words: Words) -> list[Choice[str]]:
    """Suggests how the last part of typed options may end."""
    texts = [text for text in complete(typed, words) if len(text) <= MAX_OPTION]
    return [Choice(name=text, value=text) for text in texts[:MAX_SUGGESTIONS]]


@dataclass(frozen=True, eq=False, slots=True)
class Command:
    """A slash command or a subcommand. Its handler, of a Context and the options, has its name: `if_` is called `if`.

    Options may have `choices`, or a function that `suggests` values by a Context and what is typed. One without a
    sentence of its own is described as in the command `like`. A handler that is not `private` answers by itself. One
    that refuses all who may not manage or moderate the server is `for_managers`: `/help` leaves it out for others.
    """

    handler: Handler
    like: str = ""
    choices: Mapping[str, Callable[[Words], list[Choice[Any]]]] = field(default_factory=dict)
    suggests: Mapping[str, Handler] = field(default_factory=dict)
    private: bool = True
    for_managers: bool = False
    kind: type[app_commands.Command[Any, Any, Any]] = app_commands.Command

    def make(self, words: Words, group: str = "") -> app_commands.Command[Any, Any, Any]:
        """Returns the command for the tree, described in `words`."""
        name = _spelled(self.handler.__name__)
        key = f"{group}.{name}" if group else name
        _, *parameters = inspect.signature(self.handler).parameters
        options = {each: _spelled(each) for each in parameters}
        described = {each: self._describe(words, key, option) for each, option in options.items()}
        callback = _adapted(self.handler, private=self.private)
        app_commands.rename(**options)(callback)
        app_commands.describe(**described)(callback)
        app_commands.choices(**{each: make(words) for each, make in self.choices.items()})(callback)
        app_commands.autocomplete(**{each: _adapted(handler) for each, handler in self.suggests.items()})(callback)
        extras = {FOR_MANAGERS: self.for_managers}
        return self.kind(name=name, description=words(f"command.{key}"), callback=callback, extras=extras)

    def _describe(self, words: Words, key: str, option: str) -> str:
        """Returns the sentence of an option. Raises KeyError without one."""
        try:
            return words(f"command.{key}.{option}")
        except KeyError:
            return words(f"command.{self.like}.{option}")


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """Subcommands below one name: everywhere, or only on servers that the bot is on."""

    name: str
    commands: tuple[Command, ...]
    on_servers: bool = False
    permissions: discord.Permissions | None = None
    """Members without them are not offered the group, unless a server allows it to them in its settings."""

    def make(self, words: Words) -> app_commands.Group:
        """Returns the group for the tree, described in `words`."""
        group = app_commands.Group(
            name=self.name,
            description=words(f"command.{self.name}"),
            default_permissions=self.permissions,
            allowed_contexts=ON_SERVERS if self.on_servers else None,
            allowed_installs=BY_SERVERS if self.on_servers else None,
        )
        for each in self.commands:
            group.add_command(each.make(words, self.name))
        return group


@dataclass(frozen=True, eq=False, slots=True)
class Menu:
    """A command of the context menu of people or of messages, which the handler takes after its Context. The key
    `menu.NAME` is what it is called."""

    name: str
    handler: Handler

    def make(self, words: Words) -> app_commands.ContextMenu:
        """Returns the command for the tree, called so in all languages."""
        name = composed(words, lambda words: words(f"menu.{self.name}"))
        return app_commands.ContextMenu(name=name, callback=_adapted(self.handler, private=True))


Declared = Command | Group | Menu


def declare(*handlers: Handler, for_managers: bool = False) -> tuple[Command, ...]:
    """Returns a command for each handler, with nothing but its name."""
    return tuple(Command(each, for_managers=for_managers) for each in handlers)


def _spelled(name: str) -> str:
    """Returns what Discord calls a handler or an option."""
    return name.rstrip("_").replace("_", "-")


def _adapted(handler: Handler, *, private: bool = False) -> Handler:
    """Adapts a handler to discord.py, which passes an interaction.

    Its annotations are resolved where it was written, since discord.py would look them up here.
    """

    @wraps(handler)
    async def adapted(interaction: Interaction, /, *arguments: Any, **options: Any) -> Any:
        ctx = Context.of(interaction)
        if private:
            await ctx.defer_private()
        return await handler(ctx, *arguments, **options)

    adapted.__signature__ = inspect.signature(handler, eval_str=True)  # type: ignore[attr-defined]
    return adapted
