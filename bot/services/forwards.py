"""Forwarded messages, which are empty themselves: what they show is in their snapshot."""

from __future__ import annotations

from typing import TypeAlias

import discord

Shown: TypeAlias = discord.Message | discord.MessageSnapshot
"""What has the text, the files and the components that readers of a message see."""


def is_forward(message: discord.Message) -> bool:
    """Returns whether a message is one that its author has forwarded, from wherever they read it."""
    return bool(message.message_snapshots)


def shown_in(message: discord.Message) -> Shown:
    """Returns what a message shows: itself, or the message that was forwarded, whose author Discord doesn't tell."""
    return next(iter(message.message_snapshots), message)
