"""Admission: every request is logged and counted before a handler runs, and may be refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord

from bot.interactions import errors
from bot.interactions.context import Context
from bot.request import Interaction
from bot.telemetry import logs
from play.refusal import Reason, Refused


def is_component(interaction: Interaction, kind: discord.ComponentType) -> bool:
    """Returns whether the interaction is from a component of that type."""
    data: Any = interaction.data or {}
    return bool(data.get("component_type") == kind.value)


async def refuse_forged(ctx: Context, components: Iterable[type[Any]]) -> None:
    """Refuses a component that no message of the bot has: discord.py ignores such an interaction.

    `components` are the classes that answer its custom id; its type has to match, too, and its message has to have it.
    """
    if any(is_component(ctx.interaction, each.kind) for each in components) and _is_on_message(ctx.interaction):
        return
    if await admit(ctx):
        await errors.reply_error(ctx, Refused(Reason.OLD_BUTTON))


def _is_on_message(interaction: Interaction) -> bool:
    data: Any = interaction.data or {}
    waiting: list[Any] = list(interaction.message.components) if interaction.message else []
    while waiting:
        part = waiting.pop()
        waiting += [*getattr(part, "children", ()), *filter(None, (getattr(part, "accessory", None),))]
        if getattr(part, "custom_id", None) == data.get("custom_id") and is_component(interaction, part.type):
            return True
    return False


MAX_TYPED = 100
"""Characters of a typed text that still gets suggestions; none is longer."""


def _typed_text(data: Any) -> str:
    """Returns what a player has typed so far of the option that asks for suggestions."""
    options: list[Any] = list((data or {}).get("options") or ())
    while options:
        option = options.pop()
        if option.get("focused"):
            return str(option.get("value", ""))
        options += option.get("options") or ()
    return ""


async def admit(ctx: Context) -> bool:
    """Returns whether a handler may take the interaction; if not, the player was told why.

    Every command, component and form calls it first, so it runs in the handler's own task.
    """
    logs.bind_interaction(ctx.interaction.id)
    if ctx.interaction.type is discord.InteractionType.autocomplete:
        if ctx.services.gate.allows_suggestion(ctx.request) and len(_typed_text(ctx.interaction.data)) <= MAX_TYPED:
            return True
        await ctx.interaction.response.autocomplete([])
        return False
    ctx.services.metrics.interaction_started(ctx.interaction)
    try:
        ctx.services.gate.admit(ctx.request)
    except Refused as refused:
        await errors.reply_error(ctx, refused)
        return False
    return True
