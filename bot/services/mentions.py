"""Which users a message may ping."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from play.ids import UserId, is_person


def mentions_of(users: Iterable[UserId]) -> discord.AllowedMentions:
    """Returns the permission to ping these users and nobody else, whatever the text says.

    Sides and deleted users have no account that Discord could ping.
    """
    pinged = [discord.Object(user) for user in users if is_person(user)]
    return discord.AllowedMentions(users=pinged, everyone=False, roles=False, replied_user=False)
