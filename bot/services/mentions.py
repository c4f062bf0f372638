"""Mentions: a message may notify only the users whom it is for."""

from __future__ import annotations

from collections.abc import Iterable

import discord


def mention_only(users: Iterable[int]) -> discord.AllowedMentions:
    """Returns the leave to mention these users; no roles, not everyone, and not the author of what is replied to."""
    return discord.AllowedMentions(
        users=[discord.Object(user) for user in users], everyone=False, roles=False, replied_user=False
    )
