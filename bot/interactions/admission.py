"""What every request passes before anything is done for it: the log learns of it, and it may be turned away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import discord

from bot.interactions import errors
from bot.request import Request
from bot.services.rate_limits import Limits
from bot.telemetry import logs
from play.ids import ChannelId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction


class Gate:
    """Open until the bot is told to stop; `clock` is in seconds."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._closing = False

    def close(self) -> None:
        """From now on everybody is told to come back in a moment."""
        self._closing = True

    def admit(self, request: Request) -> None:
        """Raises Refused (`closing`, `too_fast`, `server_too_fast`)."""
        if self._closing:
            raise Refused(Reason.CLOSING)
        self._limits.request(request.user, request.guild, self._clock())

    def imports(self, request: Request) -> None:
        """Somebody brings a record along. Raises Refused (`too_many_imports`)."""
        self._limits.imported(request.user, self._clock())

    def cards(self, channel: ChannelId) -> None:
        """A card, or the news of one, is to be posted in a channel. Raises Refused (`too_many_cards`)."""
        self._limits.card(channel, self._clock())

    def suggests(self, request: Request) -> bool:
        """Whether there are suggestions for whoever types."""
        return not self._closing and self._limits.suggestion(request.user, self._clock())


class Gated:
    """A button or a menu that is behind the gate; what goes wrong when it is pressed is told in words."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        """What the component with that id is on every message of ours."""
        return discord.ComponentType.button

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        if not sent_as(interaction, self.kind(interaction.custom_id or "")) or not await admitted(interaction):
            return False
        item: Any = self  # of discord.ui.DynamicItem
        if offers(item.item, interaction):
            return True
        await errors.answer(interaction, Refused(Reason.OLD_BUTTON))
        return False

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        try:
            await self.pressed(interaction)
        except Exception as error:
            await errors.answer(interaction, error)

    async def pressed(self, interaction: Interaction) -> None:
        raise NotImplementedError


def sent_as(interaction: Interaction, kind: discord.ComponentType) -> bool:
    """Whether a person has used a component of that kind."""
    data: Any = interaction.data or {}
    return bool(data.get("component_type") == kind.value)


def offers(item: discord.ui.Item[Any], interaction: Interaction) -> bool:
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


async def turn_away_forged(interaction: Interaction, buttons: Iterable[type[Any]]) -> None:
    """Answers a person who has used a component that none of our messages has: of that, discord.py says nothing.

    `buttons` are those whose template fits its custom id; the kind must fit, too, and it must hang on the message.
    """
    custom_id = interaction.custom_id or ""
    if any(sent_as(interaction, each.kind(custom_id)) for each in buttons) and _hangs_there(interaction):
        return
    if await admitted(interaction):
        await errors.answer(interaction, Refused(Reason.OLD_BUTTON))


def _hangs_there(interaction: Interaction) -> bool:
    data: Any = interaction.data or {}
    waiting: list[Any] = list(interaction.message.components) if interaction.message else []
    while waiting:
        part = waiting.pop()
        waiting += [*getattr(part, "children", ()), *filter(None, (getattr(part, "accessory", None),))]
        if getattr(part, "custom_id", None) == data.get("custom_id") and sent_as(interaction, part.type):
            return True
    return False


MAX_TYPED = 100
"""Characters for which there are suggestions: no suggestion may be longer."""


def _typed(data: Any) -> str:
    """What a person has typed so far of the option that asks for suggestions."""
    options: list[Any] = list((data or {}).get("options") or ())
    while options:
        option = options.pop()
        if option.get("focused"):
            return str(option.get("value", ""))
        options += option.get("options") or ()
    return ""


async def admitted(interaction: Interaction) -> bool:
    """Whether a handler may take the interaction; if not, the person has been told why.

    It is the `interaction_check` of every command, button and form, and so runs in the handler's own task.
    """
    client, request = interaction.client, Request.of(interaction)
    logs.handling(interaction.id)
    if interaction.type is discord.InteractionType.autocomplete:
        if client.gate.suggests(request) and len(_typed(interaction.data)) <= MAX_TYPED:
            return True
        await interaction.response.autocomplete([])
        return False
    client.meters.began(interaction)
    try:
        client.gate.admit(request)
    except Refused as refused:
        await errors.answer(interaction, refused)
        return False
    return True
