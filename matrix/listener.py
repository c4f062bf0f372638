"""What happens in rooms, made into lines and presses for the conversation, and what the bot does about its places."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from cachetools import TTLCache

from chat.port import Person, Place, Press, Typed
from matrix import content
from matrix.events import Changed, Encrypted, Event, Membership, Reacted, Redacted, Said, Upgraded
from matrix.homeserver import Forbidden, Homeserver, Missing, Rejected
from matrix.places import Places, Spot
from matrix.platform import MatrixPlatform
from matrix.rooms import Rooms, localpart, server_of
from play.ids import ChannelId, GuildId, MessageId, Millis, Platform, UserId, request_key
from presentation.words.words import Words
from use_cases.worker import RetryLater, Timing, Undeliverable, Unsendable

log = logging.getLogger(__name__)

MAX_INVITES: Final = 5
"""Invitations of one user that are accepted in an hour."""

INVITE_SECONDS: Final = 3600.0
MAX_INVITERS: Final = 10_000

MAX_FILE_BYTES: Final = 200_000
"""The longest record that is read; all others are rejected by it."""

GONE: Final = ("leave", "ban")
"""What a person is in a room whom it has no more."""

GONE_EARLY_SECONDS: Final = (0.5, 2.0, 5.0, 0.0)
"""Pauses after which a redacted event of the bot is looked for again among the boards."""

_ADDRESS: Final = re.compile(r"\A[:,\s]+")
_COMMAND: Final = re.compile(r"\A!(?=\w)")

FAILURES: Final = (RetryLater, Undeliverable, Unsendable)


class Hearer(Protocol):
    """Who answers: chat.conversation.Conversation. Lines and presses raise nothing, the others Unavailable."""

    async def read(self, line: Typed) -> None: ...

    async def press(self, press: Press) -> None: ...

    async def lose(self, channel: ChannelId, message: MessageId) -> bool: ...

    async def come_back(self, end: Millis) -> None: ...

    async def part(self, user: UserId, guild: GuildId) -> None: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """When a batch was told: after `begin`, and by `end`. Servers of strangers may date their events as they like."""

    begin: Millis
    end: Millis

    def of(self, at: int) -> Millis:
        """Returns when an event was told, as far as its own time can be believed."""
        return Millis(min(max(at, self.begin), self.end))


class Listener:
    """Hears one account's rooms. What its own calls raise is raised; the batch is then heard once more."""

    def __init__(
        self,
        homeserver: Homeserver,
        rooms: Rooms,
        places: Places,
        platform: MatrixPlatform,
        hearer: Hearer,
        words_for: Callable[[UserId | None, GuildId | None], Awaitable[Words]],
        forget_guild: Callable[[GuildId], Awaitable[object]],
        forget_channel: Callable[[ChannelId], Awaitable[object]],
        timing: Timing,
    ) -> None:
        """`words_for` returns the words for a user or a group; `forget_guild` drops what belongs to a group that the
        bot has left, and `forget_channel` has its games go elsewhere."""
        self._homeserver = homeserver
        self._rooms = rooms
        self._places = places
        self._platform = platform
        self._hearer = hearer
        self._words_for = words_for
        self._forget_guild = forget_guild
        self._forget_channel = forget_channel
        self._timing = timing
        self._invites: TTLCache[str, int] = TTLCache(MAX_INVITERS, INVITE_SECONDS, timing.clock)

    async def come_back(self, end: Millis) -> None:
        """Tells that the homeserver answers again, after an outage up to `end`."""
        await self._hearer.come_back(end)

    async def hear(self, event: Event, moment: Moment) -> None:
        """Does what an event of a joined room asks for."""
        match event:
            case Said():
                await self._hear_line(event, moment)
            case Reacted():
                await self._hear_sign(event, moment)
            case Redacted(room, gone):
                await self._lose(room, gone)
            case Membership(room, user, membership):
                self._rooms.drop(room, user)
                if membership in GONE:
                    await self._part(room, user)
            case Changed(room):
                self._rooms.drop(room)
                await self._check_power(room, None)
            case Encrypted(room):
                await self._leave_encrypted(room)
            case Upgraded(room, to, by):
                await self._follow(room, to, by)

    async def note_own(self, own: Membership, *, encrypted: bool) -> None:
        """Accepts an invitation, or drops what belongs to a room that the bot is in no more."""
        if own.membership == "invite":
            await self._accept(own, encrypted=encrypted)
            return
        was_direct = self._rooms.direct_user(own.room) is not None
        await self._rooms.forget(own.room)
        if not was_direct and (guild := await self._places.guild(own.room)) is not None:
            await self._forget_guild(guild)
            await self._forget_channel(await self._places.channel(Spot(own.room)))

    async def _part(self, room: str, native: str) -> None:
        """Tells that a person, whom the bot knows, has left a group."""
        user, guild = await self._places.known_user(native), await self._places.guild(room)
        if user is not None and guild is not None and self._rooms.direct_user(room) is None:
            await self._hearer.part(user, guild)

    async def _lose(self, room: str, event: str) -> None:
        """Tells that an event is gone. A board may be gone before it is stored where it is."""
        self._platform.note_redacted(event)
        for pause in GONE_EARLY_SECONDS:
            message = await self._places.known_message(event)
            if message is not None and await self._hearer.lose(await self._places.channel(Spot(room)), message):
                return
            if await self._sender_of(room, event) != self._platform.me:
                return
            await self._timing.sleep(pause)

    async def _hear_line(self, said: Said, moment: Moment) -> None:
        me, spot = self._platform.me, Spot(said.room, said.thread)
        is_direct = self._rooms.direct_user(said.room) is not None
        answered = None if said.reply_to is None else await self._sender_of(said.room, said.reply_to)
        text, was_called = self._without_address(said.text)
        is_addressed = is_direct or was_called or me in said.mentions or answered == me
        # Who never addressed the bot has no number here, so their talk is none of its business.
        if not is_addressed and await self._places.known_user(said.sender) is None:
            return
        if await self._press_by_number(said, spot, text, moment):
            return
        place = Place(await self._places.channel(spot), await self._places.guild(said.room))
        key = request_key(Platform.MATRIX, said.event)
        self._platform.note_heard(key, said.event)
        line = Typed(
            place,
            await self._person(said.sender, said.room),
            text,
            key,
            moment.of(said.at),
            reply_to=await self._places.known_message(said.reply_to) if said.reply_to else None,
            answered=await self._person(answered, said.room) if answered else None,
            mentions=tuple([await self._person(user, said.room) for user in said.mentions if user != me]),
            is_addressed=is_addressed,
            file=await self._file(said) if is_addressed else None,
        )
        await self._hearer.read(line)

    async def _press_by_number(self, said: Said, spot: Spot, text: str, moment: Moment) -> bool:
        """Presses the choice whose number was typed, as a reply to its message or below the newest one."""
        number, event = content.number_of(text), said.reply_to or self._platform.offer_in(spot)
        if number is None or event is None:
            return False
        return await self._press(said.room, event, number, said, moment)

    async def _hear_sign(self, reacted: Reacted, moment: Moment) -> None:
        number = content.number_of(reacted.sign)
        if number is not None:
            await self._press(reacted.room, reacted.to, number, reacted, moment)

    async def _press(self, room: str, event: str, number: int, by: Said | Reacted, moment: Moment) -> bool:
        """Presses a choice of one of the bot's messages; returns False if that has no such choice."""
        try:
            shown = await self._homeserver.event(room, event)
        except (Missing, Forbidden):
            return False
        codes = content.codes(content.newest(shown)) if shown.get("sender") == self._platform.me else []
        if not 0 < number <= len(codes):
            return False
        spot = Spot(room, content.thread_of(shown))
        place = Place(await self._places.channel(spot), await self._places.guild(room))
        person, key = await self._person(by.sender, room), request_key(Platform.MATRIX, by.event)
        message = await self._places.message(event, room)
        await self._hearer.press(Press(place, person, codes[number - 1], key, moment.of(by.at), message, by.event))
        return True

    async def _person(self, user: str, room: str) -> Person:
        name = await self._rooms.name_of(user, room) or localpart(user)
        return Person(await self._places.user(user), name, is_bot=user == self._platform.me)

    async def _sender_of(self, room: str, event: str) -> str | None:
        try:
            sender = (await self._homeserver.event(room, event)).get("sender")
        except (Missing, Forbidden, Rejected):
            return None
        return sender if isinstance(sender, str) else None

    async def _file(self, said: Said) -> bytes | None:
        if said.file is None:
            return None
        try:
            return await self._homeserver.download(said.file, MAX_FILE_BYTES)
        except (Missing, Forbidden, Rejected):
            return b""

    def _without_address(self, text: str) -> tuple[str, bool]:
        """Returns a line without the bot's name at its beginning, with a slash before a command, and whether either was
        there. Clients keep lines with a slash to themselves, so people type an exclamation mark."""
        me = self._platform.me
        for name in (me, localpart(me), f"@{localpart(me)}"):
            begin, rest = text[: len(name)], text[len(name) :]
            line = _ADDRESS.sub("", rest)
            if begin.casefold() == name.casefold() and line and line != rest:
                return _COMMAND.sub("/", line), True
        return _COMMAND.sub("/", text), _COMMAND.match(text) is not None

    async def _accept(self, invitation: Membership, *, encrypted: bool) -> None:
        invites = self._invites.get(invitation.by, 0)
        if invites >= MAX_INVITES:
            log.info("an invitation is declined: its user has sent too many")
            with suppress(Undeliverable, Unsendable):
                await self._homeserver.leave(invitation.room)
            return
        self._invites[invitation.by] = invites + 1
        try:
            await self._homeserver.join(invitation.room, server_of(invitation.by))
        except (Undeliverable, Unsendable) as error:
            log.info("an invitation can't be accepted: %s", error)
            return
        self._rooms.note_joined(invitation.room)
        if invitation.is_direct:
            await self._rooms.note_direct(invitation.room, invitation.by)
        if encrypted or await self._rooms.is_encrypted(invitation.room):
            await self._leave_encrypted(invitation.room)
            return
        if (before := await self._rooms.predecessor(invitation.room)) is not None:
            await self._places.move(before, invitation.room)
        await self._check_power(invitation.room, invitation.by)
        await self._greet(invitation)

    async def _greet(self, invitation: Membership) -> None:
        user = await self._places.user(invitation.by)
        words = await self._words_for(user, await self._places.guild(invitation.room))
        with suppress(*FAILURES):
            await self._platform.say(invitation.room, words("matrix.hello"), f"hello{invitation.room}")

    async def _leave_encrypted(self, room: str) -> None:
        """Says in an encrypted room why nobody can play there; who is alone with the bot gets another room."""
        self._rooms.note_encrypted(room)
        user = self._rooms.direct_user(room)
        reader = await self._places.user(user) if user else None
        words = await self._words_for(reader, await self._places.guild(room))
        with suppress(*FAILURES):
            key = "matrix.encrypted" if user is None else "matrix.encrypted.direct"
            await self._platform.say(room, words(key), f"encrypted{room}")
        if user is not None:
            await self._rooms.forget(room)
            with suppress(*FAILURES):
                other = await self._rooms.open_direct(user)
                await self._platform.say(other, words("matrix.hello"), f"hello{other}")

    async def _check_power(self, room: str, by: str | None) -> None:
        """Tells the one who can help, once, if the bot may not write in a room."""
        powers = await self._rooms.powers(room)
        helper = by or powers.helper
        if powers.may_send(self._platform.me) or helper is None or helper == self._platform.me:
            return
        user = await self._places.user(helper)
        words = await self._words_for(user, await self._places.guild(room))
        name = await self._rooms.title(room) or room
        with suppress(*FAILURES):
            direct = await self._rooms.open_direct(helper)
            await self._platform.say(direct, words("matrix.muted", room=words.literal(name)), f"muted{room}")

    async def _follow(self, room: str, to: str, by: str) -> None:
        """Goes on in the room that takes the place of another one, with all that is played there."""
        try:
            await self._homeserver.join(to, server_of(by))
        except (Undeliverable, Unsendable) as error:
            log.info("an upgraded room can't be followed before an invitation: %s", error)
            return
        if await self._rooms.predecessor(to) == room:
            user = self._rooms.direct_user(room)
            await self._places.move(room, to)
            if user is not None:
                await self._rooms.note_direct(to, user)
