"""A feature: what a folder of bot/features offers to the client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from discord import app_commands

from bot.interactions.components import Component
from bot.interactions.modals import Form
from presentation.words.words import Words

Command = app_commands.Command[Any, Any, None] | app_commands.Group | app_commands.ContextMenu


class Feature(NamedTuple):
    """Its slash commands and those of context menus, described in the words of a language for the rules that can be
    chosen; its components, and its forms."""

    commands: Callable[[Words, Sequence[str]], Sequence[Command]] = lambda _words, _presets: ()
    components: tuple[type[Component], ...] = ()
    forms: tuple[Form, ...] = ()
