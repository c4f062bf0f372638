"""Matrix as the chat's port: posts, edits and answers, and tells who is where and may what."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import count
from typing import Any, Final

from cachetools import LRUCache

from chat.messages import Message
from chat.port import Asked, Buttons, Once, Person, Place, Press, Private, Promises
from matrix import content
from matrix.homeserver import Forbidden, Homeserver, Missing, Rejected
from matrix.markup import MATRIX, address_of, references, resolve
from matrix.places import Places, Spot
from matrix.rooms import Rooms, localpart
from play.ids import ChannelId, GuildId, IdempotencyKey, MessageId, Platform, UserId
from presentation.markup import Markup
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

MESSAGE, REACTION = "m.room.message", "m.reaction"

PROMISES: Final = Promises(
    once=Once.KEY,
    private=Private.DIRECT,
    buttons=Buttons.REACTIONS,
    max_buttons=content.MAX_ACTIONS,
    message_length=12_000,
    caption_length=12_000,
    max_file_bytes=5_000_000,
    threads=True,
)
"""An event has 65,536 bytes at most, and holds a text twice: plain and with marks, and in an edit four times.

Source: https://spec.matrix.org/latest/client-server-api/#size-limits
"""

MAX_ANEW: Final = 4
"""Times that a message is sent which others redact: a moderating bot may do so at once."""

ANSWERS_KEPT: Final = 10_000


class MatrixPlatform:
    """Implements chat.port.ChatPlatform for one account of a homeserver."""

    kind = Platform.MATRIX
    promises = PROMISES
    markup: Markup = MATRIX
    shows_pages = False

    def __init__(self, homeserver: Homeserver, rooms: Rooms, places: Places) -> None:
        self._homeserver = homeserver
        self._rooms = rooms
        self._places = places
        self._me = ""
        self._own_id: UserId | None = None
        self._heard: LRUCache[IdempotencyKey, str] = LRUCache(ANSWERS_KEPT)
        self._answers: LRUCache[IdempotencyKey, Iterator[int]] = LRUCache(ANSWERS_KEPT)
        self._offers: LRUCache[Spot, str] = LRUCache(ANSWERS_KEPT)
        self._redacted: LRUCache[str, bool] = LRUCache(ANSWERS_KEPT)

    @property
    def own_id(self) -> UserId | None:
        return self._own_id

    @property
    def me(self) -> str:
        """What Matrix calls the bot's account; empty before it is logged in."""
        return self._me

    async def log_in(self) -> None:
        """Asks whose token it is, and which rooms are for one person alone."""
        me = (await self._homeserver.who_am_i()).get("user_id")
        if not isinstance(me, str):
            raise Rejected("the homeserver does not say whose token this is")
        await self._rooms.load(me)
        self._me, self._own_id = me, await self._places.user(me)

    async def post(
        self, channel: ChannelId, message: Message, once: str, *, reply_to: MessageId | None = None
    ) -> MessageId:
        spot = await self._places.spot(channel)
        reply = None if reply_to is None else await self._places.known_native(reply_to)
        return await self._send(channel, spot, message, once, reply)

    async def edit(self, channel: ChannelId, posted: MessageId, message: Message) -> None:
        spot, event = await self._places.spot(channel), await self._places.native(posted)
        shown = await self._content(message)
        # A second edit to the same is another one: a message may go back to what it was.
        await self._deliver(spot, MESSAGE, content.edit_of(shown, event), secrets.token_hex(8))

    async def fold(self, channel: ChannelId, posted: MessageId) -> None:
        spot, event = await self._places.spot(channel), await self._places.native(posted)
        shown = content.newest(await self._homeserver.event(spot.room, event))
        if not content.codes(shown):
            return
        await self._deliver(spot, MESSAGE, content.edit_of(content.folded(shown), event), f"fold{_digest(event)}")
        if shown.get("msgtype") == "m.text":
            await self._take_signs_off(spot.room, event)

    async def answer(self, asked: Asked, message: Message) -> None:
        once = f"answer{asked.key}.{next(self._answers.setdefault(asked.key, count()))}"
        if (message.private or isinstance(asked, Press)) and not asked.place.is_direct:
            await self.tell(asked.author.id, message, once)
            return
        channel, reply = asked.place.channel, self._heard.get(asked.key)
        await self._send(channel, await self._places.spot(channel), message, once, reply)

    async def tell(self, user: UserId, message: Message, once: str) -> MessageId:
        return await self.post(await self.direct(user), message, once)

    async def direct(self, user: UserId) -> ChannelId:
        return await self._places.channel(Spot(await self._rooms.open_direct(await self._places.native(user))))

    async def open_place(self, parent: Place, title: str, once: str) -> ChannelId | None:
        spot = await self._places.spot(parent.channel)
        if spot.thread is not None or parent.is_direct:
            return None
        try:
            root = await self._deliver(spot, MESSAGE, content.text_content(MATRIX.bold(MATRIX.literal(title))), once)
            return await self._places.channel(Spot(spot.room, root))
        except Undeliverable:
            return None

    async def who(self, user: UserId, guild: GuildId | None) -> Person | None:
        native = await self._places.known_native(user)
        if native is None:
            return None
        if guild is None:
            return Person(user, await self._profile_name(native), is_bot=native == self._me)
        name = await self._rooms.name_of(native, (await self._places.spot(guild)).room)
        return None if name is None else Person(user, name, is_bot=native == self._me)

    async def find(self, name: str, place: Place) -> Person | None:
        room, wanted = (await self._places.spot(place.channel)).room, name.strip().removeprefix("@").casefold()
        members = await self._rooms.members(room)
        for called in (lambda user: user[1:], lambda user: members[user], localpart):
            found = [user for user in members if called(user).casefold() == wanted]
            if len(found) == 1:
                return Person(await self._places.user(found[0]), members[found[0]], is_bot=found[0] == self._me)
        return None

    async def may_manage(self, user: UserId, place: Place) -> bool:
        room, native = (await self._places.spot(place.channel)).room, await self._places.native(user)
        return (await self._rooms.powers(room)).manages(native) and await self._rooms.has_joined(native, room)

    async def is_member(self, user: UserId, channel: ChannelId) -> bool:
        native = await self._places.known_native(user)
        room = (await self._places.spot(channel)).room
        return native is not None and await self._rooms.has_joined(native, room)

    async def title(self, guild: GuildId) -> str | None:
        return await self._rooms.title((await self._places.spot(guild)).room)

    def link(self, channel: ChannelId, message: MessageId | None = None) -> str | None:
        place = self._places.at_hand(channel)
        event = None if message is None else self._places.at_hand(message)
        if place is None or (message is not None and event is None):
            return None
        return address_of(Spot.read(place).room, *([event] if event else ()))

    def note_heard(self, key: IdempotencyKey, event: str) -> None:
        """Notes the event of a line, for an answer to it."""
        self._heard[key] = event

    def note_redacted(self, event: str) -> None:
        """Notes an event that is gone: what is sent by its key again is another one."""
        self._redacted[event] = True

    def offer_in(self, spot: Spot) -> str | None:
        """Returns the event with the newest choices in a place, if they are of late."""
        return self._offers.get(spot)

    async def say(self, room: str, html: str, once: str) -> None:
        """Says a sentence in a room, whatever can't be done there."""
        await self._homeserver.send(room, MESSAGE, content.text_content(html), once)

    async def _send(
        self, channel: ChannelId, spot: Spot, message: Message, once: str, reply_to: str | None = None
    ) -> MessageId:
        shown = await self._content(message)
        event = await self._deliver(spot, MESSAGE, shown, once, reply_to, channel)
        if codes := content.codes(shown):
            self._offers[spot] = event
            if message.picture is None:  # with those below a board, each move would be six events
                await self._put_signs(spot.room, event, len(codes), once)
        return await self._places.message(event, spot.room)

    async def _content(self, message: Message) -> dict[str, Any]:
        html = content.text_of(message)
        named = references(html)
        natives = {each: await self._places.known_native(each) for each in (*named, *message.pinged)}
        known = {each: native for each, native in natives.items() if native is not None}
        html = resolve(html, {each: Spot.read(native).room for each, native in known.items()})
        shown = await self._with_file(html, message, [known[user] for user in message.pinged if user in known])
        codes = content.codes_of(message)
        return {**shown, content.ACTIONS: codes} if codes else shown

    async def _with_file(self, html: str, message: Message, pinged: list[str]) -> dict[str, Any]:
        """Returns the content of a text, with its picture or else its file, which is uploaded."""
        if (picture := message.picture) is not None:
            address = await self._homeserver.upload(picture.png, picture.name, "image/png")
            return content.picture_content(html, picture, address, pinged)
        if (file := message.file) is not None:
            address = await self._homeserver.upload(file.data, file.name, file.mime)
            return content.file_content(html, file, address)
        return content.text_content(html, pinged)

    async def _deliver(
        self,
        spot: Spot,
        kind: str,
        shown: dict[str, Any],
        once: str,
        reply_to: str | None = None,
        channel: ChannelId | None = None,
    ) -> str:
        """Sends an event to a place. In an upgraded room, what began a thread is gone: another event begins it."""
        if self._rooms.has_left(spot.room):
            raise Undeliverable("the bot is in the room no more")
        if await self._rooms.is_encrypted(spot.room):
            raise Undeliverable("messages in the room are encrypted")
        is_edit = "m.new_content" in shown
        placed = shown if is_edit else content.placed(shown, spot.thread, reply_to)
        try:
            return await self._put(spot.room, kind, placed, once)
        except Forbidden as error:
            raise await self._closed(spot.room, error) from None
        except (Rejected, Missing):
            if is_edit or (spot.thread is None and reply_to is None):
                raise
        return await self._put(spot.room, kind, await self._anew(spot, shown, channel), f"{once}.anew")

    async def _put(self, room: str, kind: str, shown: dict[str, Any], once: str) -> str:
        """Sends an event once, and anew if that was redacted. Raises Undeliverable where it is each time."""
        for _ in range(MAX_ANEW):
            event = await self._homeserver.send(room, kind, shown, once)
            if event not in self._redacted:
                return event
            once = f"{once}.{_digest(event)}"
        raise Undeliverable("what the bot posts in the room is taken away")

    async def _anew(self, spot: Spot, shown: dict[str, Any], channel: ChannelId | None) -> dict[str, Any]:
        """Returns a content for a place whose thread, or the event that was replied to, is gone."""
        if spot.thread is None or channel is None:
            return shown
        begun = await self._homeserver.send(spot.room, MESSAGE, content.text_content("…"), f"thread{channel}")
        await self._places.rename(channel, Spot(spot.room, begun))
        return content.placed(shown, begun, None)

    async def _closed(self, room: str, error: Forbidden) -> RetryLater | Undeliverable:
        """Returns what it means that the bot may not send in a room: is it still there, and only muted?"""
        self._rooms.drop(room)
        with suppress(Forbidden):
            if await self._rooms.has_joined(self._me, room):
                return ChannelClosed("the bot has too little power in the room to write there")
        return error

    async def _put_signs(self, room: str, event: str, choices: int, once: str) -> None:
        """Puts the signs of the first choices below a message. Without them, numbers are typed."""
        for place, sign in enumerate(content.SIGNS[: min(choices, content.MAX_SIGNS)]):
            relation = {"m.relates_to": {"rel_type": "m.annotation", "event_id": event, "key": sign}}
            try:
                await self._homeserver.send(room, REACTION, relation, f"{once}.{place}")
            except (RetryLater, Undeliverable, Unsendable) as error:
                log.info("no sign below a message: %s", error)
                return

    async def _take_signs_off(self, room: str, event: str) -> None:
        found = (await self._homeserver.reactions(room, event)).get("chunk")
        for each in found if isinstance(found, list) else ():
            match each:
                case {"sender": self._me, "event_id": str(sign)}:
                    with suppress(Undeliverable, Unsendable):
                        await self._homeserver.redact(room, sign, f"fold{_digest(sign)}")

    async def _profile_name(self, user: str) -> str:
        with suppress(Forbidden, Missing, Rejected):
            name = (await self._homeserver.profile(user)).get("displayname")
            if isinstance(name, str) and name.strip():
                return name
        return localpart(user)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()
