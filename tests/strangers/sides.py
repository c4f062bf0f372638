"""The two sides of a wall: a server, group or room each, with a person, and all that the bot sends there."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import aiohttp

from loopback import Attempt, Channel, Discord, Guild, Message, Person
from matrix import content
from play.ids import GuildId, IdentityKind, Platform, UserId
from tests.bot.room import Room
from tests.bot.wall import COMMAND, Wall
from tests.matrix.driver import actions_of
from tests.matrix.people import Player
from tests.telegram.stand_in import Sent, Telegram, User
from web.access.links import Paths

PATIENCE_SECONDS = 30.0


async def until(look: Callable[[], Any]) -> Any:
    """Returns what is there, once it is."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (found := look()):  # noqa: ASYNC110 - other programs bring it
            await asyncio.sleep(0.02)
    return found


class Side(ABC):
    """A person in their place. `names` are what people call what is there, and `ids` what programs call it: both are
    secrets to the other side. `payloads` are all requests of the bot that show something here."""

    alias: str
    user: UserId
    direct_calls = 0

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.names: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.payloads: list[str] = []

    @abstractmethod
    async def command(self, name: str) -> None:
        """Uses a command in the common place."""

    async def command_at_board(self, name: str) -> None:
        """Uses a command where the newest board is."""
        await self.command(name)

    @abstractmethod
    async def press(self, label: str) -> None:
        """Presses the newest button with a label, once it is there."""

    async def replay(self) -> None:
        """Asks for the newest game move by move."""
        await self.command_at_board("replay")

    async def say(self, phrase: str, label: str) -> None:
        """Tells the stranger a phrase."""
        await self.press("More")
        await self.press("Say something")
        await self.press(label)

    async def sees(self, text: str) -> None:
        """Waits until the bot has sent a text here."""
        await until(lambda: self.has_seen(text))

    def has_seen(self, text: str) -> bool:
        """Returns whether the bot has sent a text here."""
        return any(text in each for each in self.payloads)

    def pages(self) -> Sequence[Callable[[Paths], str]]:
        """Returns the addresses of pages of this place, which only its members are told."""
        return ()

    async def learn(self, room: Room) -> None:
        """Notes the ids that the program has given to what is here."""
        async with room.services.store.read() as reader:
            self.ids |= {
                f"our id of {native}": str(found)
                for kind in (IdentityKind.USER, IdentityKind.PLACE)
                for native in self._natives()
                if (found := await reader.identities.find(self._platform, kind, native)) is not None
            }

    _platform = Platform.DISCORD

    def _natives(self) -> Sequence[str]:
        return ()


class DiscordSide(Side):
    """A server of Discord."""

    def __init__(self, discord: Discord, mark: str) -> None:
        super().__init__(mark)
        self._discord = discord
        server, person = f"{mark}server", f"{mark}member"
        self.guild: Guild = discord.add_server(server, person, f"{mark}owner")
        self.channel: Channel = discord.open_channel(f"{mark}channel".lower(), guild=self.guild)
        self.person: Person = discord.people[person]
        self.user, self._private = UserId(self.person.id), list[Message]()
        self.names = {"server": server, "channel": self.channel.name, "member": person, "owner": f"{mark}owner"}
        self.names |= {"username": person.lower(), "avatar": f"{mark}avatar"}
        discord.world.users[self.person.id] = replace(self.person.user, avatar=self.names["avatar"])
        self.ids = {"guild": str(self.guild.id), "channel id": str(self.channel.id), "user id": str(self.person.id)}

    async def command(self, name: str) -> None:
        await self._command(self.channel, name)

    async def command_at_board(self, name: str) -> None:
        boards = {each: [m.id for m in self._discord.messages(each) if m.attachments] for each in self._threads}
        await self._command(max(self._threads, key=lambda each: max(boards[each], default=0)), name)

    async def replay(self) -> None:
        await super().replay()
        await self.press("Film")

    async def _command(self, channel: Channel, name: str) -> None:
        interaction = self.person.command(channel, name)
        await interaction.answered()
        found: list[Message] = await interaction.until(lambda: [*interaction.messages])
        self._private.append(found[-1])

    @property
    def _threads(self) -> list[Channel]:
        return [each for each in self._discord.threads if each.parent_id == self.channel.id]

    async def press(self, label: str) -> None:
        message = await until(lambda: self._find(label))
        self._private.append(await self.person.click(message, label).followed())

    async def say(self, phrase: str, label: str) -> None:
        await self.press("More")
        await self.press("Say something")
        choice = self._private[-1]
        picked = next(part["custom_id"] for part in choice.controls if part["custom_id"].endswith(":phrase"))
        await self.person.click(choice, picked, [phrase]).answered()

    def pages(self) -> Sequence[Callable[[Paths], str]]:
        guild = GuildId(self.guild.id)
        return (
            lambda paths: paths.server(guild),
            lambda paths: paths.leaderboard(guild),
            lambda paths: paths.tournaments(guild),
        )

    def _find(self, label: str) -> Message | None:
        public = [each for place in (self.channel, *self._threads) for each in self._discord.messages(place)]
        newest = (*reversed(self._private), *sorted(public, key=lambda each: each.id, reverse=True))
        return next((each for each in newest if label in each.labels), None)

    async def learn(self, room: Room) -> None:
        for place in (self.channel, *self._threads):
            self.ids[f"place {place.id}"] = str(place.id)
            self.ids |= {f"message {each.id}": str(each.id) for each in self._discord.messages(place)}


def watch_discord(discord: Discord, sides: Sequence[Side]) -> None:
    """Notes every request to Discord with the side of its readers."""
    readers, own = Wall(discord), [each for each in sides if isinstance(each, DiscordSide)]

    def look(attempt: Attempt) -> bool:
        found = None if attempt.endpoint.startswith("GET ") else readers._readers(attempt)
        for side in own:
            if found is not None and side.guild.id in found[1]:
                told = COMMAND.sub("", json.dumps(attempt.body, ensure_ascii=False))
                side.payloads.append(f"{attempt.endpoint} {' '.join(attempt.path.values())} {told}")
        return False

    looking = discord.fault("*", "*", 500, times=None, predicate=look)
    faults = discord._router.faults
    faults.insert(0, faults.pop(faults.index(looking)))


def watched_session(payloads: list[str]) -> aiohttp.ClientSession:
    """Returns a session that notes all that is sent by it."""
    trace = aiohttp.TraceConfig()

    async def note(_: Any, __: SimpleNamespace, sent: Any) -> None:
        payloads.append(f"{sent.method} {sent.url} {sent.chunk.decode('utf-8', 'replace')}")

    async def start(_: Any, __: SimpleNamespace, sent: Any) -> None:
        payloads.append(f"{sent.method} {sent.url}")

    trace.on_request_start.append(start)
    trace.on_request_chunk_sent.append(note)
    return aiohttp.ClientSession(trace_configs=[trace])


class TelegramSide(Side):
    """A group of Telegram."""

    _platform = Platform.TELEGRAM

    def __init__(self, telegram: Telegram, mark: str) -> None:
        super().__init__(mark)
        self._telegram, person = telegram, f"{mark}member"
        self.group = telegram.group(f"{mark}group", -1_009_182_736_455)
        self._person = User(7_301_993_481, person, "en", f"{mark}username".lower(), started=True)
        telegram.users[self._person.id] = self._person
        self.names = {"group": f"{mark}group", "member": person, "username": f"{mark}username".lower()}
        self.ids = {"chat": "9182736455", "user number": str(self._person.id)}

    async def arrive(self, room: Room) -> None:
        """Says something first, and is known from then on."""
        await self.command("help")
        await until(lambda: self._telegram.in_chat(self.group))
        async with room.services.store.read() as reader:
            found = await reader.identities.find(self._platform, IdentityKind.USER, str(self._person.id))
        assert found is not None
        self.user = UserId(found)

    async def command(self, name: str) -> None:
        self._telegram.write(self._person, self.group, f"/{name}")

    async def press(self, label: str) -> None:
        sent = await until(lambda: self._find(label))
        self._telegram.press(self._person, sent, label)

    def _find(self, label: str) -> Sent | None:
        own = [each for each in self._telegram.sent if each.chat in (self.group, self._person.id)]
        return next((each for each in reversed(own) if any(label in made["text"] for made in each.buttons)), None)

    def _natives(self) -> Sequence[str]:
        return str(self._person.id), str(self.group)


class MatrixSide(Side):
    """A room of Matrix."""

    _platform = Platform.MATRIX

    def __init__(self, player: Player, mark: str) -> None:
        super().__init__(mark)
        self._player = player
        self.names = {"room": f"{mark}room", "member": f"{mark}member", "localpart": player.user.split(":")[0]}
        self.names |= {"avatar": f"{mark}avatar"}
        self._joined = set[str]()

    async def arrive(self, room: Room, bot: str) -> None:
        """Makes the room, invites the bot, and says something."""
        player = self._player
        await player.call("PUT", f"/profile/{player.user}/displayname", {"displayname": self.names["member"]})
        await player.call(
            "PUT", f"/profile/{player.user}/avatar_url", {"avatar_url": f"mxc://{self.names['avatar']}/1"}
        )
        self._room = await player.make_room(bot, name=self.names["room"])
        await player.wait_for_text("begins a game here", self._room)
        await self.command("help")
        await player.wait_for_text("Dots", self._room)
        async with room.services.store.read() as reader:
            found = await reader.identities.find(self._platform, IdentityKind.USER, player.user)
        assert found is not None
        self.user = UserId(found)
        self.ids = {"room id": self._room, "server": player.user.partition(":")[2], "account": player.user}

    async def command(self, name: str) -> None:
        await self._player.say(self._room, f"!{name}")

    async def press(self, label: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (found := await self._find(label)) is None:
                await self._player.listen()
                for room in self._player.invites.keys() - self._joined:
                    self._joined.add(room)
                    await self._player.join(room)
        room, event, number = found
        said = {"msgtype": "m.text", "body": str(number), "m.relates_to": {"m.in_reply_to": {"event_id": event}}}
        await self._player.call("PUT", f"/rooms/{room}/send/m.room.message/{uuid4().hex}", said)

    async def _find(self, label: str) -> tuple[str, str, int] | None:
        for told in reversed(self._player.heard):
            is_new = told["content"].get("m.relates_to", {}).get("rel_type") != "m.replace"
            if told["type"] != "m.room.message" or told["sender"] == self._player.user or not is_new:
                continue
            event = await self._player.call("GET", f"/rooms/{told['room']}/event/{told['event_id']}")
            for number, shown in enumerate(actions_of(content.newest(event)), 1):
                if label in shown:
                    return told["room"], told["event_id"], number
        return None

    def _natives(self) -> Sequence[str]:
        return self._player.user, self._room

    async def learn(self, room: Room) -> None:
        await super().learn(room)
        self.ids |= {f"event {told['event_id']}": told["event_id"] for told in self._player.heard}
