"""Answers to interactions: the acknowledgement that Discord wants within three seconds, and private words."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord

from bot.interactions.doors import borrowed
from bot.interactions.fitting import fitted

if TYPE_CHECKING:
    from bot.client import Interaction

ALREADY_ACKNOWLEDGED = 40060


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
