"""People on Matrix: each is a client of matrix-nio, which is not ours, on a Synapse."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self
from uuid import uuid4

from nio import AsyncClient, RoomCreateResponse, RoomSendResponse

from tests.matrix.synapse import Synapse

PATIENCE_SECONDS = 60.0
WAIT_MILLIS = 2000

Json = dict[str, Any]


class Player:
    """A user with a client. `heard` are the events of all their rooms so far, as the server tells them."""

    def __init__(self, synapse: Synapse, name: str) -> None:
        account = synapse.register(f"{name}-{uuid4().hex[:8]}")
        self.synapse, self.user, self.token = synapse, account.user, account.token
        self.client = AsyncClient(synapse.address, account.user)
        self.client.access_token, self.client.user_id = account.token, account.user
        self.heard: list[Json] = []
        self.invites: dict[str, list[Json]] = {}
        self._since: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """Returns what the server answers to a call that the client has no method for."""
        return await asyncio.to_thread(self.synapse.ask, method, f"/_matrix/client/v3{path}", body, self.token)

    async def make_room(self, *invited: str, **options: Any) -> str:
        made = await self.client.room_create(invite=list(invited), **options)
        assert isinstance(made, RoomCreateResponse), made
        return str(made.room_id)

    async def send(self, room: str, kind: str, content: Json) -> str:
        sent = await self.client.room_send(room, kind, content, uuid4().hex)
        assert isinstance(sent, RoomSendResponse), sent
        return str(sent.event_id)

    async def say(
        self, room: str, text: str, *, reply_to: str | None = None, thread: str | None = None, to: str | None = None
    ) -> str:
        content: Json = {"msgtype": "m.text", "body": text}
        relation: Json = {"rel_type": "m.thread", "event_id": thread, "is_falling_back": True} if thread else {}
        if reply_to or thread:
            relation |= {"m.in_reply_to": {"event_id": reply_to or thread}}
        if reply_to:
            relation.pop("is_falling_back", None)
        if relation:
            content["m.relates_to"] = relation
        if to:
            content["m.mentions"] = {"user_ids": [to]}
        return await self.send(room, "m.room.message", content)

    async def react(self, room: str, event: str, sign: str) -> str:
        relation = {"rel_type": "m.annotation", "event_id": event, "key": sign}
        return await self.send(room, "m.reaction", {"m.relates_to": relation})

    async def join(self, room: str) -> None:
        await self.call("POST", f"/join/{room}", {})

    async def listen(self) -> None:
        """Takes in what the server tells; it waits a little for something."""
        only = {"room": {"timeline": {"limit": 100}}}
        found = await self.client.sync(timeout=WAIT_MILLIS, since=self._since, sync_filter=only)
        assert hasattr(found, "next_batch"), found
        self._since = found.next_batch
        for room, told in found.rooms.join.items():
            self.heard += [{**event.source, "room": room} for event in told.timeline.events]
        for room, asked in found.rooms.invite.items():
            self.invites[room] = [event.source for event in asked.invite_state]

    async def wait_for(self, wanted: Callable[[Json], bool]) -> Json:
        """Returns the first event that is wanted."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for event in self.heard:
                    if wanted(event):
                        return event
                await self.listen()

    async def wait_for_text(self, text: str, room: str | None = None) -> Json:
        """Returns the first event of another whose text has that in it."""

        def wanted(event: Json) -> bool:
            is_other = event["sender"] != self.user and room in (None, event["room"])
            return is_other and text in str(event["content"].get("body"))

        return await self.wait_for(wanted)

    async def wait_for_invite(self, by: str) -> str:
        """Returns the room to which a user has invited, and joins it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (
                rooms := [room for room, state in self.invites.items() if any(e["sender"] == by for e in state)]
            ):
                await self.listen()
        await self.join(rooms[0])
        return rooms[0]

    def texts(self, room: str) -> list[str]:
        """Returns all that others have said in a room."""
        said = [event for event in self.heard if event["room"] == room and event["type"] == "m.room.message"]
        return [event["content"].get("body", "") for event in said if event["sender"] != self.user]
