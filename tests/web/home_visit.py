"""A browser, or a frame of the Activity, at the home of a player."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord, Person
from play.ids import UserId
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.opponent.quick import Inside
from tests.web.visit import Visit

Answer = tuple[int, dict[str, Any]]


async def home_link(room: Room, person: Person) -> str:
    """Returns a link to the home of a person, as the bot makes it."""
    links, user, sessions = room.services.web_links, UserId(person.id), room.services.web_sessions
    assert links is not None, "there is a site"
    return links.make(user, None, room.clock(), key=await sessions.link_key(user), seen=None)


@asynccontextmanager
async def room_with_activity(
    discord: Discord, url: str, clock: StoppedClock, options: dict[str, Any]
) -> AsyncIterator[Room]:
    """Yields a server with a computer, a site and an Activity."""
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    room = Room(discord, url, clock, **{"hosting": hosting, **options})
    room.thinkers = Inside
    await room.start()
    async with mount_site(discord, room.bot.website):
        yield room
    await room.stop()


class AtHome:
    """A browser with a session, or a frame with a `token` and the channel where it is open."""

    def __init__(self, visit: Visit, told: dict[str, Any] | None = None) -> None:
        self.visit = visit
        self.told = told

    @classmethod
    async def enter(cls, room: Room, person: Person, visit: Visit) -> AtHome:
        """Enters by a link."""
        status, answer = await visit.enter(await home_link(room, person))
        assert status == 200, answer
        assert answer["to"].startswith("/home")
        return cls(visit)

    @classmethod
    async def launch(cls, room: Room, person: Person, channel: Channel, visit: Visit) -> AtHome:
        """Opens the Activity in a channel without a game."""
        visit.origin = "null"
        code = person.authorize(str(room.discord.bot.id), ["identify"])
        body = {"code": code, "instance": person.launch(channel, "launch").id}
        status, told = await visit.post("/activity/enter", body)
        assert status == 200, told
        assert told["match"] is None
        return cls(visit, told)

    async def read(self) -> dict[str, Any]:
        """Returns the player's own part of their home."""
        if self.told is None:
            status, text = await self.visit.get("/home.json")
            answer: dict[str, Any] = json.loads(text)
        else:
            status, answer = await self.visit.post("/activity/home", {"token": self.told["token"]})
        assert status == 200, answer
        return answer

    async def do(self, what: str, **fields: Any) -> Answer:
        """Does something; returns the status and the answer."""
        message = {"do": what, "id": str(uuid4()), **fields}
        if self.told is None:
            return await self.visit.post("/home/do", message)
        framed = {"token": self.told["token"], "here": self.told["here"]}
        return await self.visit.post("/activity/home/do", {**framed, **message})

    async def must(self, what: str, **fields: Any) -> dict[str, Any]:
        """Does something that is not refused; returns the answer."""
        status, answer = await self.do(what, **fields)
        assert status == 200, answer
        return answer
