"""What every request passes before anything is done for it: the log learns of it, and it may be turned away."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord

from bot.interactions import errors
from bot.interactions.context import Context
from bot.request import Interaction
from bot.telemetry import logs
from play.refusal import Refused


class GatedItem:
    """A button or a menu that is behind the gate; what goes wrong when it is pressed is told in words."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        """What the component with that id is on every message of ours."""
        return discord.ComponentType.button

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        ctx = Context.of(interaction)
        if not is_component(interaction, self.kind(interaction.custom_id or "")) or not await admit(ctx):
            return False
        item: Any = self  # of discord.ui.DynamicItem
        if allows_values(item.item, interaction):
            return True
        await errors.reply_error(ctx, Refused("old_button"))
        return False

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        ctx = Context.of(interaction)
        try:
            await self.pressed(ctx)
        except Exception as error:
            await errors.reply_error(ctx, error)

    async def pressed(self, ctx: Context) -> None:
        """Does what the component is for. May raise: the player is told why."""
        raise NotImplementedError


def is_component(interaction: Interaction, kind: discord.ComponentType) -> bool:
    """Whether a person has used a component of that kind."""
    data: Any = interaction.data or {}
    return bool(data.get("component_type") == kind.value)


def allows_values(item: discord.ui.Item[Any], interaction: Interaction) -> bool:
    """Whether the component lets a person choose what they are said to have chosen."""
    data: Any = interaction.data or {}
    values = data.get("values", [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        return False
    if isinstance(item, discord.ui.Select):
        known = {option.value for option in item.options}
    elif isinstance(item, discord.ui.RoleSelect | discord.ui.ChannelSelect):
        kind = "roles" if isinstance(item, discord.ui.RoleSelect) else "channels"
        known = set((data.get("resolved") or {}).get(kind) or ())
    else:
        return True
    return item.min_values <= len(values) <= item.max_values and known.issuperset(values)


async def refuse_forged(ctx: Context, buttons: Iterable[type[Any]]) -> None:
    """Answers a person who has used a component that none of our messages has: of that, discord.py says nothing.

    `buttons` are those whose template fits its custom id; the kind must fit, too, and it must hang on the message.
    """
    custom_id = ctx.interaction.custom_id or ""
    if any(is_component(ctx.interaction, each.kind(custom_id)) for each in buttons) and _hangs_there(ctx.interaction):
        return
    if await admit(ctx):
        await errors.reply_error(ctx, Refused("old_button"))


def _hangs_there(interaction: Interaction) -> bool:
    data: Any = interaction.data or {}
    waiting: list[Any] = list(interaction.message.components) if interaction.message else []
    while waiting:
        part = waiting.pop()
        waiting += [*getattr(part, "children", ()), *filter(None, (getattr(part, "accessory", None),))]
        if getattr(part, "custom_id", None) == data.get("custom_id") and is_component(interaction, part.type):
            return True
    return False


MAX_TYPED = 100
"""Characters for which there are suggestions: no suggestion may be longer."""


def _typed_text(data: Any) -> str:
    """What a person has typed so far of the option that asks for suggestions."""
    options: list[Any] = list((data or {}).get("options") or ())
    while options:
        option = options.pop()
        if option.get("focused"):
            return str(option.get("value", ""))
        options += option.get("options") or ()
    return ""


async def admit(ctx: Context) -> bool:
    """Whether a handler may take the interaction; if not, the person has been told why.

    It is the `interaction_check` of every command, button and form, and so runs in the handler's own task.
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
