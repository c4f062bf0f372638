"""The homeserver of the bot's account: the calls that the adapter makes, and what their failures mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import aiohttp
import orjson
from yarl import URL

from use_cases.worker import RetryLater, Timing, Undeliverable, Unsendable

Json = dict[str, Any]

CLIENT: Final = "/_matrix/client/v3"
MEDIA: Final = "/_matrix/media/v3"

CALL_SECONDS: Final = 20.0
"""How long an answer may take."""

MAX_ANSWER_BYTES: Final = 32 * 1024 * 1024
"""The longest answer that is read: a sync after a day in busy rooms has some megabytes."""

CHUNK_BYTES: Final = 64 * 1024

PATIENCE_SECONDS: Final = 2.0
"""A call that is too fast waits for so long; longer waits are left to who called."""

MAX_PAUSE_SECONDS: Final = 600.0
"""The longest wait that a homeserver is believed."""

MAX_SAID: Final = 100
"""Characters that are told of what a homeserver says."""

SIGNED_OUT: Final = {"M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED", "M_USER_SUSPENDED"}
"""What a homeserver says to an account that is not let in any more."""


class Unreachable(RetryLater):
    """The homeserver doesn't answer, or something in front of it answers in its place."""


class TooFast(RetryLater):
    """The homeserver takes no more of this account for some seconds."""


class SignedOut(RetryLater):
    """The homeserver knows the token no more. Another token helps, and a start with it."""


class Forbidden(Undeliverable):
    """The account may not do this there: it is not in the room, or has too little power."""


class Missing(Undeliverable):
    """There is no such room, event, user or value."""


class Rejected(Unsendable):
    """The homeserver takes no such request."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call: what it sends, for how long the answer was asked to wait, and how long a body that has."""

    method: str
    path: str
    body: Json | bytes | None = None
    mime: str = "application/json"
    parameters: Json = field(default_factory=dict)
    wait_seconds: float = 0.0
    max_bytes: int = MAX_ANSWER_BYTES

    @property
    def data(self) -> bytes | None:
        return self.body if self.body is None or isinstance(self.body, bytes) else orjson.dumps(self.body)


class Homeserver:
    """Calls a homeserver in the name of one account.

    Each call raises Unreachable, TooFast, SignedOut, Forbidden, Missing or Rejected, and nothing else. The token is in
    a header alone, which goes to no other address: redirects are not followed.
    """

    def __init__(
        self,
        address: str,
        token: str,
        session: aiohttp.ClientSession,
        timing: Timing = Timing(),  # noqa: B008 - frozen
        seconds: float = CALL_SECONDS,
    ) -> None:
        """An answer may take so many `seconds`; that of sync comes so much later than it was asked to."""
        self.address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"}
        self._session = session
        self._timing = timing
        self._seconds = seconds
        self._open_at = 0.0

    async def who_am_i(self) -> Json:
        """Returns the account of the token (`user_id`)."""
        return await self._get(f"{CLIENT}/account/whoami")

    async def sync(self, since: str | None, wait_seconds: float, only: Json) -> Json:
        """Returns what has happened `since` a position; waits for something if nothing has."""
        parameters = {"timeout": str(round(1000 * wait_seconds)), "filter": orjson.dumps(only).decode()}
        if since is not None:
            parameters["since"] = since
        return await self._call(Call("GET", f"{CLIENT}/sync", parameters=parameters, wait_seconds=wait_seconds))

    async def history(self, room: str, before: str, until: str | None, limit: int, only: Json) -> Json:
        """Returns events of a room, the newest first, from `before` one position back to another."""
        parameters = {"dir": "b", "from": before, "limit": str(limit), "filter": orjson.dumps(only).decode()}
        if until is not None:
            parameters["to"] = until
        return await self._get(f"{CLIENT}/rooms/{_part(room)}/messages", **parameters)

    async def send(self, room: str, kind: str, content: Json, once: str) -> str:
        """Sends an event and returns its id. The same `once` sends one, whatever comes between."""
        path = f"{CLIENT}/rooms/{_part(room)}/send/{_part(kind)}/{_part(once)}"
        return _text(await self._write(Call("PUT", path, content)), "event_id")

    async def redact(self, room: str, event: str, once: str) -> None:
        """Takes the content of an event away."""
        await self._write(Call("PUT", f"{CLIENT}/rooms/{_part(room)}/redact/{_part(event)}/{_part(once)}", {}))

    async def event(self, room: str, event: str) -> Json:
        """Returns an event, with its newest edit in what it says of relations."""
        return await self._get(f"{CLIENT}/rooms/{_part(room)}/event/{_part(event)}")

    async def reactions(self, room: str, event: str) -> Json:
        """Returns the newest reactions to an event."""
        path = f"/_matrix/client/v1/rooms/{_part(room)}/relations/{_part(event)}/m.annotation/m.reaction"
        return await self._get(path, limit="50")

    async def state(self, room: str, kind: str, key: str = "") -> Json:
        """Returns a value of a room's state. Raises Missing if it has none."""
        return await self._get(f"{CLIENT}/rooms/{_part(room)}/state/{_part(kind)}/{_part(key)}")

    async def joined_at(self, room: str, user: str) -> int:
        """Returns when a user has joined a room that they are in, by the time of their server."""
        at = (await self._state_event(room, "m.room.member", user)).get("origin_server_ts")
        return at if isinstance(at, int) else 0

    async def made_by(self, room: str) -> str | None:
        """Returns who has made a room."""
        maker = (await self._state_event(room, "m.room.create")).get("sender")
        return maker if isinstance(maker, str) else None

    async def joined_rooms(self) -> list[str]:
        """Returns the rooms that the account is in."""
        rooms = (await self._get(f"{CLIENT}/joined_rooms")).get("joined_rooms")
        return [room for room in rooms if isinstance(room, str)] if isinstance(rooms, list) else []

    async def members(self, room: str) -> Json:
        """Returns the joined members of a room by their ids, with their names."""
        found: Json = (await self._get(f"{CLIENT}/rooms/{_part(room)}/joined_members")).get("joined") or {}
        return found

    async def join(self, room: str, via: str | None = None) -> None:
        """Joins a room, by way of a server that is in it."""
        parameters = {"server_name": via, "via": via} if via else {}
        await self._write(Call("POST", f"{CLIENT}/join/{_part(room)}", {}, parameters=parameters))

    async def leave(self, room: str) -> None:
        """Leaves a room, or declines an invitation."""
        await self._write(Call("POST", f"{CLIENT}/rooms/{_part(room)}/leave", {}))

    async def create_direct(self, user: str) -> str:
        """Makes a room for a user and the bot alone, invites them and returns its id."""
        wanted = {"preset": "trusted_private_chat", "is_direct": True, "invite": [user]}
        return _text(await self._write(Call("POST", f"{CLIENT}/createRoom", wanted)), "room_id")

    async def profile(self, user: str) -> Json:
        """Returns the profile of a user: `displayname`, if they have one."""
        return await self._get(f"{CLIENT}/profile/{_part(user)}")

    async def account_data(self, user: str, kind: str) -> Json:
        """Returns what the account has stored of a kind. Raises Missing."""
        return await self._get(f"{CLIENT}/user/{_part(user)}/account_data/{_part(kind)}")

    async def store_account_data(self, user: str, kind: str, content: Json) -> None:
        """Stores it."""
        await self._write(Call("PUT", f"{CLIENT}/user/{_part(user)}/account_data/{_part(kind)}", content))

    async def upload(self, data: bytes, name: str, mime: str) -> str:
        """Uploads a file and returns its address (`mxc://…`)."""
        found = await self._write(Call("POST", f"{MEDIA}/upload", data, mime, {"filename": name}))
        return _text(found, "content_uri")

    async def download(self, address: str, max_bytes: int) -> bytes:
        """Returns a file of at most so many bytes. Raises Rejected for a longer one."""
        server, _, media = address.removeprefix("mxc://").partition("/")
        path = f"/_matrix/client/v1/media/download/{_part(server)}/{_part(media)}"
        status, data = await self._ask(Call("GET", path, max_bytes=max_bytes))
        if status == 200:
            return data
        raise self._failure(status, data)

    async def _get(self, path: str, **parameters: str) -> Json:
        return await self._call(Call("GET", path, parameters=parameters))

    async def _state_event(self, room: str, kind: str, key: str = "") -> Json:
        """Returns the event that has set a value of a room's state: who did, and when."""
        return await self._get(f"{CLIENT}/rooms/{_part(room)}/state/{_part(kind)}/{_part(key)}", format="event")

    async def _write(self, call: Call) -> Json:
        """Makes a call that homeservers limit: it waits for its turn, if that comes soon."""
        while True:
            if (wait := self._open_at - self._timing.clock()) > 0:
                if wait > PATIENCE_SECONDS:
                    raise TooFast("the homeserver takes no more of this account yet", wait)
                await self._timing.sleep(wait)
            try:
                return await self._call(call)
            except TooFast as error:
                self._open_at = max(self._open_at, self._timing.clock() + (error.seconds or 1.0))

    async def _call(self, call: Call) -> Json:
        status, answer = await self._ask(call)
        found = _read(answer)
        if status == 200 and found is not None:
            return found
        raise self._failure(status, answer)

    async def _ask(self, call: Call) -> tuple[int, bytes]:
        """Returns the status and the body of an answer. Raises Unreachable, and Rejected for too long a body."""
        data = call.data
        headers = {**self._headers, "Content-Type": call.mime} if data is not None else self._headers
        try:
            async with self._session.request(
                *(call.method, URL(self.address + call.path, encoded=True)),
                params=call.parameters,
                data=data,
                headers=headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(call.wait_seconds + self._seconds),
            ) as answer:
                body = bytearray()
                async for chunk in answer.content.iter_chunked(CHUNK_BYTES):
                    body += chunk
                    if len(body) > call.max_bytes:
                        raise Rejected("the homeserver's answer is too long")
                return answer.status, bytes(body)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Unreachable(f"the homeserver does not answer ({type(error).__name__})") from None

    def _failure(self, status: int, answer: bytes) -> Exception:
        """Returns what an answer means that is not what was asked for."""
        found = _read(answer)
        code = found.get("errcode") if found is not None else None
        if found is None or not isinstance(code, str) or status >= 500:
            return Unreachable(f"no homeserver answers at its address (HTTP {status})")
        said = f"{_printable(code)}: {_printable(str(found.get('error', '')))}"
        if status == 429 or code == "M_LIMIT_EXCEEDED":
            return TooFast(said, _seconds(found))
        if code in SIGNED_OUT:
            return SignedOut(said)
        if code == "M_FORBIDDEN":
            return Forbidden(said)
        if code == "M_NOT_FOUND":
            return Missing(said)
        return Rejected(said)


def _part(text: str) -> str:
    """Returns a text as one part of a path. A dot alone would be taken for a folder."""
    return quote(text, safe="").replace(".", "%2E") if not text.strip(".") else quote(text, safe="")


def _read(answer: bytes) -> Json | None:
    """Returns the object of an answer, if it is one."""
    try:
        found = orjson.loads(answer)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _text(found: Json, name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise Rejected(f"the homeserver's answer has no {name}")
    return value


def _seconds(found: Json) -> float:
    """Returns how long an account that is too fast has to wait."""
    wait = found.get("retry_after_ms")
    return min(max(wait / 1000, 0.1), MAX_PAUSE_SECONDS) if isinstance(wait, int | float) else 1.0


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:MAX_SAID])
