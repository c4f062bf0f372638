"""Answers to interactions: the acknowledgement that Discord wants within three seconds, and private words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import discord

from bot.services.channels import borrowed
from bot.services.text_limits import fitted

if TYPE_CHECKING:
    from bot.client import Interaction

ALREADY_ACKNOWLEDGED = 40060

ANSWER_SECONDS = 0.5
"""How long an answer may take before the click is acknowledged; Discord waits for 3 s."""


async def acknowledge(interaction: Interaction) -> None:
    """Takes the time to think of a private answer; decide only after this. Raises NotFound if it is too late."""
    await _deferred(interaction, ephemeral=True, thinking=True)
    if borrowed(interaction):
        # The next answer would take the place of this one and, like it, be seen by that person alone: also a board.
        with suppress(discord.NotFound):
            await interaction.delete_original_response()
    await interaction.client.doors.open(interaction)


async def acknowledge_openly(interaction: Interaction) -> None:
    """Takes the time to think of an answer that everybody in the channel sees."""
    await _deferred(interaction, thinking=True)


async def acknowledge_quietly(interaction: Interaction) -> None:
    """Takes the time to change the message that the button hangs on."""
    await _deferred(interaction)
    await interaction.client.doors.open(interaction)


async def _deferred(interaction: Interaction, **how: bool) -> None:
    try:
        await interaction.response.defer(**how)
    except discord.HTTPException as error:
        # A first try whose answer was lost, or a twin process: the source id keeps what follows from counting twice.
        if error.code != ALREADY_ACKNOWLEDGED:
            raise


async def privately(interaction: Interaction, content: str, **extras: Any) -> None:
    """Tells the person alone, whether or not the interaction was acknowledged already."""
    if not interaction.response.is_done():
        try:
            await interaction.response.send_message(fitted(content), ephemeral=True, **extras)
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise
        else:
            await interaction.client.doors.open(interaction)
            return
    await interaction.followup.send(fitted(content), ephemeral=True, **extras)


Defer = Callable[["Interaction"], Coroutine[Any, Any, None]]
"""A way to acknowledge: `acknowledge`, or what a panel needs."""


class Deferral:
    """Acknowledges an interaction by `defer` after so many `seconds`, unless its answer is ready before.

    Of an acknowledgement and an answer Discord takes only the one that comes first.
    """

    def __init__(self, interaction: Interaction, defer: Defer, seconds: float) -> None:
        self._interaction = interaction
        self._defer = defer
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    async def acknowledge(self) -> None:
        """Acknowledges at once, if that is still to be done. Raises NotFound if it is too late."""
        self._timer.cancel()
        if self._task is None:
            self._begin()
        assert self._task is not None, "it has just begun"
        await self._task

    async def take_over(self) -> bool:
        """Whether the first answer is now the caller's to give: from here on nothing else gives it."""
        self._timer.cancel()
        if self._task is not None:
            await self._task
        return self._task is None

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._defer(self._interaction))


@asynccontextmanager
async def deferring(interaction: Interaction, defer: Defer = acknowledge) -> AsyncIterator[Deferral]:
    """Gives the block half a second for the interaction's first answer, then acknowledges it by `defer`."""
    deferral = Deferral(interaction, defer, interaction.client.answer_seconds)
    try:
        yield deferral
    finally:
        await deferral.take_over()
