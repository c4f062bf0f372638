"""A feature: what a folder of bot/features offers to the client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.interactions.modals import Form
from presentation.words.words import Words

Command = app_commands.Command[Any, Any, None] | app_commands.Group
Component = type[discord.ui.DynamicItem[Any]]
"""A template that answers the clicks on its components."""


class Feature(NamedTuple):
    """Its slash commands, described in the words of a language for the rules that can be chosen; its components, and
    its forms."""

    commands: Callable[[Words, Sequence[str]], Sequence[Command]] = lambda _words, _presets: ()
    components: tuple[Component, ...] = ()
    forms: tuple[Form, ...] = ()
