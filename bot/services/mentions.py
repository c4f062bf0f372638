"""Which users a message may ping."""

from __future__ import annotations

from collections.abc import Iterable

import discord


def mentions_of(users: Iterable[int]) -> discord.AllowedMentions:
    """Returns the permission to ping these users and nobody else, whatever the text says."""
    pinged = [discord.Object(user) for user in users]
    return discord.AllowedMentions(users=pinged, everyone=False, roles=False, replied_user=False)
