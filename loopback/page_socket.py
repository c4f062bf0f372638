"""The WebSocket of the chat page: one person's view of a server, as JSON frames in both directions.

Its seats are people who are added by name, and who press a button together.
"""

import asyncio
import json
import logging
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from loopback import events
from loopback.activities import Instance
from loopback.attachments import MAX_FILE_BYTES
from loopback.client import LOCALES, USER_MENU, Impossible, menu_commands, visible_commands
from loopback.events import Event
from loopback.interaction import Callback, Interaction, InteractionKind
from loopback.interactions import Interactions
from loopback.model import Channel, ChannelKind, File, Guild, Message
from loopback.person import Person
from loopback.state import State
from loopback.wire import Wire

log = logging.getLogger(__name__)

MAX_SEATS = 16
"""People who can be played on a server, the three of a new one among them: a tournament with four rounds."""

MAX_NAME = 32
"""Characters of a name, as in Discord."""

Json = dict[str, Any]

MAX_FRAME_BYTES = 2 * MAX_FILE_BYTES  # base64 makes a file a third larger

NOTICE = (
    "This is a stand-in for Discord, running on your own computer: nothing leaves it, and nobody else is here. "
    "To play on the real Discord, give the bot a token, as the README says."
)


class Seats:
    """The seats of all servers; `people` are all by name, and `invite` adds one to a server. Who is added stays."""

    def __init__(self, state: State, people: Mapping[str, Person], invite: Callable[[str, Guild], Person]) -> None:
        self._state = state
        self._people = people
        self._invite = invite

    def on(self, guild: Guild) -> list[Person]:
        """Returns the people of a server."""
        return [each for each in self._people.values() if self._state.is_member(each.id, guild)]

    def add(self, typed: str, guild: Guild) -> Person:
        """Adds a person to a server: a new one, or one of another server, who then is on both. Raises Impossible, with
        what the page says."""
        name = " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
        if not name:
            raise Impossible("Type a name.")
        if len(name) > MAX_NAME:
            raise Impossible(f"A name has {MAX_NAME} characters at most.")
        name = next((known for known in self._people if known.casefold() == name.casefold()), name)
        here = self.on(guild)
        if self._people.get(name) in here:
            raise Impossible(f"{name} is here already. Choose another name.")
        if len(here) >= MAX_SEATS:
            raise Impossible(f"There are {MAX_SEATS} people, and no room for more.")
        return self._invite(name, guild)

    async def fill(self, message: int, custom_id: str, by: Person) -> None:
        """Lets everyone but `by` press a button of a message, one after another, as far as they see it."""
        for person in tuple(self._people.values()):
            if person.id == by.id:
                continue
            try:
                pressed = person.click(message, custom_id)
            except Impossible:  # they have left, or the button is gone
                continue
            await pressed.answered()


class PageSocket:
    """One open page, which shows what one person sees: the channels of one server, and their direct messages."""

    def __init__(
        self,
        wire: Wire,
        interactions: Interactions,
        person: Person,
        guild: Guild,
        seats: Seats,
        online: Callable[[], bool],
        max_frames: int,
    ) -> None:
        self._wire = wire
        self._world = wire.world
        self._interactions = interactions
        self._person = person
        self._guild = guild
        self._seats = seats
        self._online = online
        self._socket = web.WebSocketResponse(timeout=1.0, max_msg_size=MAX_FRAME_BYTES)
        self._transport: asyncio.Transport | None = None
        self._frames: asyncio.Queue[Json] = asyncio.Queue(max_frames)
        self._filling = set[asyncio.Task[None]]()
        self._requests: dict[int, int] = {}  # the page's request by open interaction
        self._handlers: Mapping[str, Callable[[Json], None]] = {
            "open": self._open,
            "say": self._say,
            "command": self._command,
            "menu": self._menu,
            "complete": self._complete,
            "click": self._click,
            "submit": self._submit,
            "speak": lambda frame: person.speak(frame["locale"]),
            "authorize": self._authorize,
            "authenticate": self._authenticate,
            "close_activity": lambda _: person.close_activity(),
            "reopen": self._reopen,
            "invite": self._invite,
            "fill": self._fill,
            "open_dm": lambda _: self._send_channel(person.open_dm()),
        }

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serves the page until it disconnects."""
        socket = self._socket
        await socket.prepare(request)
        self._transport = request.transport
        writer = asyncio.create_task(self._write())
        self._frames.put_nowait(self._hello())
        self._world.listeners.append(self.on_event)
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._receive(frame.data)
        finally:
            self._world.listeners.remove(self.on_event)
            tasks = writer, *self._filling
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return socket

    async def close(self) -> None:
        """Closes the page's socket, since the server stops."""
        await self._socket.close(code=WSCloseCode.GOING_AWAY)

    async def _write(self) -> None:
        while True:
            await self._socket.send_str(json.dumps(await self._frames.get(), ensure_ascii=False))

    def _send(self, kind: str, **fields: Any) -> None:
        try:
            self._frames.put_nowait({"t": kind, **fields})
        except asyncio.QueueFull:
            if self._transport is not None:
                self._transport.abort()

    # From the page

    def _receive(self, text: str) -> None:
        request = None
        try:
            frame = json.loads(text)
            request = frame.get("request")
            self._handlers[frame["t"]](frame)
        except Impossible as error:
            self._send("failed", request=request, message=None, text=str(error))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            log.exception("unreadable frame of the page: %s", text[:200])
            self._send("error", text=f"this frame cannot be read: {error!r}")

    def _open(self, frame: Json) -> None:
        messages = [self._message(each) for each in self._person.sees(int(frame["channel"]))]
        self._send("history", channel=frame["channel"], messages=messages)

    def _say(self, frame: Json) -> None:
        reply_to = frame["reply_to"] and int(frame["reply_to"])
        self._person.say(int(frame["channel"]), frame["content"], reply_to=reply_to, ping=frame["ping"])
        self._send("done", request=frame["request"])

    def _reopen(self, frame: Json) -> None:
        self._person.reopen(int(frame["channel"]))
        self._send("done", request=frame["request"])

    def _command(self, frame: Json) -> None:
        path = " ".join(frame["path"])
        channel = int(frame["channel"])
        if self._person.launches(channel, path):
            self._send("done", request=frame["request"])
            self._send_activity(self._person.launch(channel, path))
            return
        options = {name: _option_value(value) for name, value in frame["options"].items()}
        self._begin(frame, lambda: self._person.command(channel, path, **options))

    def _menu(self, frame: Json) -> None:
        channel, target = int(frame["channel"]), int(frame["target"])
        on = Person(self._wire, self._interactions, target) if frame["type"] == USER_MENU else target
        self._begin(frame, lambda: self._person.use_menu(channel, frame["name"], on))

    def _complete(self, frame: Json) -> None:
        here, path, options, focused = int(frame["channel"]), frame["path"], frame["options"], frame["focused"]
        self._begin(frame, lambda: self._person.completion(here, path, options, focused))

    def _click(self, frame: Json) -> None:
        self._begin(frame, lambda: self._person.click(int(frame["message"]), frame["custom_id"], frame["values"]))

    def _submit(self, frame: Json) -> None:
        opener = self._interactions.opener(int(frame["interaction"]))
        if opener is None or opener.modal is None:
            raise Impossible("this form is no longer open")
        modal = opener.modal
        self._begin(frame, lambda: self._person.submit(modal, frame["values"]))

    def _invite(self, frame: Json) -> None:
        added = self._seats.add(frame["name"], self._guild)
        self._send("done", request=frame["request"], seat=str(added.id))

    def _fill(self, frame: Json) -> None:
        async def fill() -> None:
            await self._seats.fill(int(frame["message"]), frame["custom_id"], self._person)
            self._send("done", request=frame["request"])

        task = asyncio.create_task(fill())
        self._filling.add(task)
        task.add_done_callback(self._filling.discard)

    def _authorize(self, frame: Json) -> None:
        code = self._person.authorize(frame["client_id"], frame["scope"])
        self._send("done", request=frame["request"], code=code)

    def _authenticate(self, frame: Json) -> None:
        grant = self._world.activities.granted(frame["access_token"])
        if grant is None or grant.user != self._person.id:
            raise Impossible("Invalid token")
        expires = datetime.fromtimestamp(grant.until, UTC).isoformat()
        self._send("done", request=frame["request"], scopes=list(grant.scopes), expires=expires)

    def _begin(self, frame: Json, use: Callable[[], Interaction]) -> None:
        self._requests[use().id] = frame["request"]

    # To the page

    def _hello(self) -> Json:
        people = self._seated()
        return {
            "t": "hello",
            "max_seats": MAX_SEATS,
            "me": self._wire.user(self._person.user) | {"locale": self._person.user.locale},
            "seats": people,
            "users": [*people, self._wire.user(self._world.bot)],
            "guild": {"id": str(self._guild.id), "name": self._guild.name},
            "servers": [self._server(each) for each in self._world.guilds],
            "channels": [
                self._wire.channel(each, self._person.id) for each in self._person.channels if self._has(each)
            ],
            "roles": self._wire.guild(self._guild)["roles"],
            "locales": LOCALES,
            "commands": self._commands(),
            "notice": NOTICE,
            "file_limit": MAX_FILE_BYTES,
            "online": self._online(),
        }

    def _seated(self) -> list[Json]:
        return [self._wire.user(person.user) for person in self._seats.on(self._guild)]

    def _server(self, guild: Guild) -> Json:
        """Returns a server, with the seat there: the person's own or, where they are no member, that of its owner."""
        is_member = self._world.is_member(self._person.id, guild)
        seat = self._person.user if is_member else self._world.users[guild.owner_id]
        return {"id": str(guild.id), "name": guild.name, "seat": self._wire.user(seat)}

    def _commands(self) -> list[Json]:
        """Returns the commands that the person can use on the server; the page offers the same ones in a DM."""
        here, user = self._world.channels_in(self._guild), self._person.user
        first = next((each for each in here if each.kind is ChannelKind.TEXT), None)
        if first is None:
            return []
        return [*visible_commands(self._wire, user, first), *menu_commands(self._wire, user, first)]

    def on_event(self, event: Event) -> None:
        """Sends the page an event, if the person sees its subject."""
        match event:
            case events.MessagePosted(message) | events.MessageEdited(message) | events.ReactionAdded(message) if (
                self._sees(message)
            ):
                self._send("message", message=self._message(message))
            case events.MessageDeleted(message):
                self._send_deletion(message)
            case events.MessagesPurged(messages):
                for message in messages:
                    self._send_deletion(message)
            case events.ChannelCreated(channel) | events.ChannelChanged(channel) if self._shows(channel):
                self._send_channel(channel)
            case events.MemberChanged() | events.ServerChanged():
                self._send("seats", seats=self._seated())
            case events.RoleMade() | events.RoleDeleted():
                self._send("roles", roles=self._wire.guild(self._guild)["roles"])
            case events.LocaleChanged(user) if user.id == self._person.id:
                self._send("locale", locale=user.locale)
            case events.CommandsSynced():
                self._send("commands", commands=self._commands())
            case events.TypingStarted(channel_id, user_id) if self._shows(self._world.channels[channel_id]):
                self._send("typing", channel=str(channel_id), user=str(user_id))
            case events.PresenceChanged(online):
                self._send("offline", online=online)
            case events.InteractionChanged(interaction) if interaction.id in self._requests:
                self._send_response(interaction)

    def _send_deletion(self, message: Message) -> None:
        if self._sees(message):
            self._send("message_delete", channel=str(message.channel_id), id=str(message.id))

    def _send_response(self, interaction: Interaction) -> None:
        request = self._requests.pop(interaction.id)
        if interaction.failure is not None:
            message = str(interaction.message.id) if interaction.message else None
            self._send("failed", request=request, message=message, text=interaction.failure)
        elif interaction.kind is InteractionKind.AUTOCOMPLETE:
            self._send("autocomplete", request=request, choices=list(interaction.choices))
        else:
            self._send("done", request=request)
            if interaction.activity is not None:
                self._send_activity(interaction.activity)
            if interaction.callback is Callback.MODAL and interaction.modal is not None:
                modal = interaction.modal
                form = {"custom_id": modal.custom_id, "title": modal.title, "components": list(modal.components)}
                self._send("modal", interaction=str(interaction.id), modal=form)

    def _send_activity(self, instance: Instance) -> None:
        application = self._wire.application()
        kept = {key: application[key] for key in ("id", "name", "description", "icon")}
        self._send("activity", instance=instance.id, channel=str(instance.channel_id), application=kept)

    def _send_channel(self, channel: Channel) -> None:
        self._send("channel", channel=self._wire.channel(channel, self._person.id))

    def _message(self, message: Message) -> Json:
        return self._wire.message(message, to_bot=False)

    def _sees(self, message: Message) -> bool:
        channel = self._world.channels[message.channel_id]
        return message.visible_to in (None, self._person.id) and self._shows(channel)

    def _shows(self, channel: Channel) -> bool:
        return self._has(channel) and self._person.can_see(channel)

    def _has(self, channel: Channel) -> bool:
        """Returns whether the page has a channel: one of its server, or a conversation."""
        return not channel.in_guild or self._world.guild_of(channel).id == self._guild.id


def _option_value(value: Any) -> Any:
    """Returns an option's value; the page sends a file as its name and its base64 data."""
    return File(value["name"], b64decode(value["data"], validate=True)) if isinstance(value, dict) else value
