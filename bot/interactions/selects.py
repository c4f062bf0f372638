"""Selects whose state is in their options and their custom id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import discord

MAX_LABEL, MAX_HINT = 100, 150
"""Characters; Discord's limits for an option and for the placeholder of a select."""

Select = discord.ui.Select[discord.ui.LayoutView]


class Choice(NamedTuple):
    """What may be chosen: its `value`, how it is called, whether it is what holds now, and a line below it."""

    value: str
    label: str
    chosen: bool
    note: str = ""


def select(custom_id: str, hint: str, choices: Iterable[Choice], *, several: bool = False) -> Select:
    """A select of one of the choices or, `several`, of any number of them. The `hint` shows while none is chosen."""
    options = [
        discord.SelectOption(
            label=choice.label[:MAX_LABEL],
            value=choice.value,
            description=choice.note[:MAX_LABEL] or None,
            default=choice.chosen,
        )
        for choice in choices
    ]
    least, most = (0, len(options)) if several else (1, 1)
    return discord.ui.Select(
        custom_id=custom_id, placeholder=hint[:MAX_HINT] or None, min_values=least, max_values=most, options=options
    )
