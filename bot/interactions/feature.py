"""A feature: what a folder of bot/features offers to the client."""

from __future__ import annotations

from typing import NamedTuple

from bot.interactions.commands import Declared
from bot.interactions.components import Component
from bot.interactions.modals import Form


class Feature(NamedTuple):
    """Its slash commands and those of context menus, its components, and its forms."""

    commands: tuple[Declared, ...] = ()
    components: tuple[type[Component], ...] = ()
    forms: tuple[Form, ...] = ()
