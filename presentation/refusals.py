"""Refusals as sentences: why something is not done, and what to do instead."""

from __future__ import annotations

from play.ids import GuildId, Millis, UserId
from play.refusal import Refused
from presentation.people import Names
from presentation.text import shorten
from presentation.words.words import Words

OWN_DETAILS = ("roles", "channels", "permissions", "choices")
"""Details that the program has made; any other text may be what a player typed."""


async def explain_refusal(refused: Refused, words: Words, names: Names, guild: GuildId | None) -> str:
    """Returns the sentence of a refusal, with people as `guild` knows them."""
    details = short_details(refused)
    if "user" in details:
        details["user"] = words.literal(await names.of(UserId(int(details["user"])), guild))
    if "until" in details:
        details["until"] = words.moment(Millis(1000 * int(details["until"])))
    return words(f"refused.{refused.key}", **details)


def short_details(refused: Refused) -> dict[str, str | int]:
    """Returns the details of a refusal; what a player may have typed is shortened."""
    return {
        name: shorten(value) if isinstance(value, str) and name not in OWN_DETAILS else value
        for name, value in refused.details.items()
    }
