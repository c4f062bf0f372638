"""Challenges that players put together in a browser, on the home page and at positions of boards of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from play.challenge.terms import Continuation
from play.ids import ChannelId, UserId
from play.refusal import Reason, Refused
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.ports import Challenging, Friend, TermsMenu, Venue

CHANNEL: Final = re.compile(r"[0-9]{1,19}", re.ASCII)

MAX_CODE, MAX_VALUE, MAX_VALUES = 120, 60, 12
"""Characters of the code of terms and of a chosen value, and values that are chosen at once."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What pages ask for on the way to a challenge. All deeds raise Refused."""

    challenging: Callable[[UserId], Challenging]
    sessions: WebSessions

    async def draft(
        self, user: UserId, here: ChannelId | None, message: Json, beginning: Continuation | None = None
    ) -> Json:
        """Changes the terms of a challenge, or begins with the usual ones."""
        code = read_code(message)
        field, values = bodies.text(message, "field", MAX_VALUE), bodies.names(message, "values", MAX_VALUES)
        chosen = [bodies.text({"value": each}, "value", MAX_VALUE) for each in values]
        ways = self.challenging(user)
        draft = await ways.draft(user, code, field, chosen, beginning and beginning.game)
        told: Json = {}
        if code is None:
            venues = await ways.venues(user, here)
            friends = await ways.friends(user, {each.guild for each in venues})
            told = {"venues": [*map(_venue_json, venues)], "people": [*map(_friend_json, friends)]}
        return told | {
            "code": draft.code,
            "rated": draft.rated,
            "about": draft.about,
            "menus": [_menu_json(each) for each in draft.menus],
        }

    async def offer(self, user: UserId, page: str, message: Json, beginning: Continuation | None = None) -> Json:
        """Posts a challenge to one person, or to anyone. The keys of a `page` are its own."""
        opponent = read_channel(message, "opponent")
        channel, key = read_channel(message, "channel"), bodies.deed_key(user, page, bodies.key(message))
        if channel is None:
            raise Refused(Reason.BAD_MESSAGE)
        code, now = bodies.text(message, "code", MAX_CODE), await self.sessions.now()
        friend = None if opponent is None else UserId(opponent)
        return {"url": await self.challenging(user).offer(user, friend, channel, code, now, key, beginning)}


def read_code(message: Json) -> str | None:
    """Returns the code of terms in a message; None for the usual ones. Raises Refused (`bad_message`)."""
    return None if message.get("code") is None else bodies.text(message, "code", MAX_CODE)


def read_channel(message: Json, field: str) -> ChannelId | None:
    """Returns the channel that a field names; None where it is absent. Raises Refused (`bad_message`)."""
    value = message.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not CHANNEL.fullmatch(value):
        raise Refused(Reason.BAD_MESSAGE)
    return ChannelId(int(value))


def _menu_json(menu: TermsMenu) -> Json:
    """Returns a menu as docs/web-protocol.md has it. The chat's choices say what they are of, as "Rules: Zagram"; on a
    page the label above does, but for the switches of one that may have several."""
    labels = [each.label for each in menu.choices]
    values = labels if menu.several else [label.partition(": ")[2] or label for label in labels]
    choices = [
        each._asdict() | {"label": value[:1].upper() + value[1:]}
        for each, value in zip(menu.choices, values, strict=True)
    ]
    return {**menu._asdict(), "choices": choices}


def _venue_json(venue: Venue) -> Json:
    """Returns a channel for challenges as the page has it."""
    return {**venue._asdict(), "guild": str(venue.guild), "channel": str(venue.channel)}


def _friend_json(friend: Friend) -> Json:
    """Returns one who may be challenged, as the page has them."""
    return {"user": str(friend.user), "name": friend.name, "guilds": [str(each) for each in sorted(friend.guilds)]}
