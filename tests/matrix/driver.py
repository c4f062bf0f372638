"""Matrix as tests of all chat platforms drive it: a real Synapse with a room, the bot, and people."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from typing import Any
from uuid import uuid4

import aiohttp

from chat.parts import ChatParts
from chat.port import ChatPlatform, Press, Typed
from matrix import content
from matrix.connection import Connection
from matrix.markup import plain
from matrix.places import Spot
from play.ids import ChannelId, GuildId, IdempotencyKey, MessageId, Millis, Platform, UserId, request_key
from presentation.words.words import Words
from tests.chat.driving import Seen, Who
from tests.clock import SECOND, StoppedClock
from tests.matrix.synapse import Account, Synapse
from use_cases import UseCases
from use_cases.worker import Timing

CLIENT = "/_matrix/client/v3"
PATIENCE_SECONDS = 30.0

_CHOICE = re.compile(r"^(?:\d\ufe0f\u20e3|\d+) ")


@dataclass(frozen=True)
class Native:
    """An account and the room that it has alone with the bot."""

    account: Account
    direct: str


class Followed:
    """Answers through a conversation, and tells what it has worked off."""

    def __init__(self, parts: ChatParts) -> None:
        self._conversation = parts.conversation
        self._done: dict[IdempotencyKey, asyncio.Event] = {}
        self.parted: set[UserId] = set()

    async def read(self, line: Typed) -> None:
        await self._conversation.read(line)
        self._of(line.key).set()

    async def press(self, press: Press) -> None:
        await self._conversation.press(press)
        self._of(press.key).set()

    async def lose(self, channel: ChannelId, message: MessageId) -> bool:
        return await self._conversation.lose(channel, message)

    async def come_back(self, end: Millis) -> None:
        await self._conversation.come_back(end)

    async def part(self, user: UserId, guild: GuildId) -> None:
        await self._conversation.part(user, guild)
        self.parted.add(user)

    async def wait(self, event: str) -> None:
        """Waits until an event is worked off."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._of(request_key(Platform.MATRIX, event)).wait()

    def _of(self, key: IdempotencyKey) -> asyncio.Event:
        return self._done.setdefault(key, asyncio.Event())


class MatrixDriver:
    """A room of a homeserver, the bot's account, and the adapter before it. Who presses the same again types it, as the
    homeserver takes a reaction once."""

    tells_languages = False

    def __init__(
        self, use_cases: UseCases, clock: StoppedClock, synapse: Synapse, session: aiohttp.ClientSession
    ) -> None:
        self._synapse, self._clock, self._use_cases = synapse, clock, use_cases
        self._bot, self._host = (synapse.register(f"{name}-{uuid4().hex[:8]}") for name in ("kropka", "host"))
        timing = replace(Timing(), sleep=lambda seconds: asyncio.sleep(min(seconds, 0.05)))
        self.connection = Connection.build(synapse.address, self._bot.token, session, use_cases, timing)
        self.platform: ChatPlatform = self.connection.platform
        self._people: dict[str, str] = {}
        self._pressed: set[tuple[UserId, str, int]] = set()
        self._files = cache(self._download)

    async def open(self, parts: ChatParts) -> None:
        self.followed, locales = Followed(parts), parts.services.locales

        async def words_for(user: UserId | None, guild: GuildId | None) -> Words:
            return await (locales.for_guild(guild) if user is None else locales.for_user(user, guild))

        self._listening = asyncio.create_task(self.connection.run(self.followed, words_for, wait_seconds=1.0))
        wanted = {"preset": "public_chat", "name": "Dots", "invite": [self._bot.user]}
        self._room: str = (await self._ask("POST", "/createRoom", wanted, self._host))["room_id"]
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self.seen():  # noqa: ASYNC110 - another process tells it
                await asyncio.sleep(0.05)
        self._greetings = {each.key for each in self.seen()}

    async def close(self) -> None:
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def join(self, name: str, language: str | None = None) -> Who:
        account = await asyncio.to_thread(self._synapse.register, f"{name.lower()}-{uuid4().hex[:8]}")
        await self._ask("PUT", f"/profile/{account.user}/displayname", {"displayname": name}, account)
        await self._ask("POST", f"/join/{self._room}", {}, account)
        direct = await self.connection.rooms.open_direct(account.user)
        await self._ask("POST", f"/join/{direct}", {}, account)
        self._people[direct] = name
        user = await self.connection.places.user(account.user)
        return Who(user, name, Native(account, direct))

    async def say(
        self, who: Who, text: str, *, direct: bool = False, reply_to: Seen | None = None, mention: Who | None = None
    ) -> None:
        self._clock.advance(SECOND)
        said: dict[str, Any] = {"msgtype": "m.text", "body": f"!{text[1:]}" if text.startswith("/") else text}
        if reply_to is not None:
            said["m.relates_to"] = {"m.in_reply_to": {"event_id": reply_to.key[1]}}
        if mention is not None:
            said["m.mentions"] = {"user_ids": [mention.native.account.user]}
        room = who.native.direct if direct else self._room
        if reply_to is not None:
            room = reply_to.key[0]
        await self._send(who, room, "m.room.message", said)

    async def press(self, who: Who, seen: Seen, label: str) -> None:
        self._clock.advance(SECOND)
        room, event = seen.key
        shown = content.newest(await self._ask("GET", f"/rooms/{room}/event/{event}", None, self._bot))
        fitting = [place for place, each in enumerate(actions_of(shown), 1) if label in each]
        number = min(fitting, key=lambda place: actions_of(shown)[place - 1] != label)
        press = who.user, event, number
        if number <= len(content.SIGNS) and press not in self._pressed:
            self._pressed.add(press)
            relation = {"rel_type": "m.annotation", "event_id": event, "key": content.SIGNS[number - 1]}
            await self._send(who, room, "m.reaction", {"m.relates_to": relation})
        else:
            said = {"msgtype": "m.text", "body": str(number)}
            await self._send(
                who, room, "m.room.message", {**said, "m.relates_to": {"m.in_reply_to": {"event_id": event}}}
            )

    async def place(self) -> int:
        return await self.connection.places.channel(Spot(self._room))

    async def make_manager(self, who: Who) -> None:
        at = f"/rooms/{self._room}/state/m.room.power_levels"
        levels = await self._ask("GET", at, None, self._host)
        user = who.native.account.user
        await self._ask("PUT", at, {**levels, "users": {**levels["users"], user: 100}}, self._host)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (await self.connection.rooms.powers(self._room)).manages(user):  # noqa: ASYNC110 - heard soon
                await asyncio.sleep(0.05)

    async def remove(self, who: Who) -> None:
        await self._kick(who.native.account.user)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while who.user not in self.followed.parted:  # noqa: ASYNC110 - heard soon
                await asyncio.sleep(0.05)

    async def remove_bot(self) -> None:
        await self._kick(self._bot.user)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await self._has_news():  # noqa: ASYNC110 - heard soon
                await asyncio.sleep(0.05)

    async def _kick(self, user: str) -> None:
        await self._ask("POST", f"/rooms/{self._room}/kick", {"user_id": user}, self._host)

    async def _has_news(self) -> bool:
        """Returns whether a board waits to be posted."""
        async with self._use_cases.store.read() as reader:
            return bool([*await reader.outbox.pending_matches(), *await reader.outbox.pending_matches(away=True)])

    def seen(self) -> Sequence[Seen]:
        found = [(event["origin_server_ts"], self._read(room, event)) for room, event in self._told()]
        return [seen for _, seen in sorted(found, key=lambda each: each[0])]

    def _told(self) -> list[tuple[str, Any]]:
        told = []
        for room in (self._room, *self._people):
            path, reader = f"{CLIENT}/rooms/{room}/messages?dir=b&limit=500", self._reader(room)
            for event in self._synapse.ask("GET", path, None, reader.token)["chunk"]:
                said = event["content"]
                if event["sender"] == self._bot.user and event["type"] == "m.room.message" and "body" in said:
                    is_edit = said.get("m.relates_to", {}).get("rel_type") == "m.replace"
                    if not is_edit and (room, event["event_id"]) not in getattr(self, "_greetings", ()):
                        told.append((room, event))
        return told

    def _reader(self, room: str) -> Account:
        """Returns who reads a room for the test: the host is in the group before the bot."""
        return self._host if room == self._room else self._bot

    def _read(self, room: str, event: Any) -> Seen:
        shown = content.newest(event)
        file = self._files(shown["url"]) if "url" in shown else None
        text = shown["formatted_body"].partition(content.MARK)[0].removesuffix("<br>")
        return Seen(
            (room, event["event_id"]),
            plain(text.replace("<br>", "\n")),
            tuple(_labels(shown)),
            file if shown["msgtype"] == "m.image" else None,
            file if shown["msgtype"] == "m.file" else None,
            self._people.get(room),
            str(shown),
        )

    def _download(self, address: str) -> bytes:
        path = f"/_matrix/client/v1/media/download/{address.removeprefix('mxc://')}"
        headers = {"Authorization": f"Bearer {self._bot.token}"}
        request = urllib.request.Request(self._synapse.address + path, headers=headers)  # noqa: S310 - of this machine
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            data: bytes = answer.read()
        return data

    async def _send(self, who: Who, room: str, kind: str, said: dict[str, Any]) -> None:
        path = f"/rooms/{room}/send/{kind}/{uuid4().hex}"
        event: str = (await self._ask("PUT", path, said, who.native.account))["event_id"]
        await self.followed.wait(event)

    async def _ask(self, method: str, path: str, body: object, by: Account) -> Any:
        return await asyncio.to_thread(self._synapse.ask, method, CLIENT + path, body, by.token)


def _choices(shown: dict[str, Any]) -> list[str]:
    listed = shown["formatted_body"].partition(content.MARK)[2]
    return [choice for line in listed.split("<br>") if line for choice in line.split(" · ")]


def _labels(shown: dict[str, Any]) -> list[str]:
    """Returns the labels of all buttons, links among them."""
    return [_CHOICE.sub("", unescape(re.sub(r"<[^>]*>", "", choice))) for choice in _choices(shown)]


def actions_of(shown: dict[str, Any]) -> list[str]:
    """Returns the labels of what can be pressed."""
    kept = [choice for choice in _choices(shown) if not choice.startswith("<a ")]
    return [_CHOICE.sub("", unescape(re.sub(r"<[^>]*>", "", choice))) for choice in kept]
