"""Telegram as a chat platform: implements chat/port.py by the Bot API."""

from __future__ import annotations

import base64
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cachetools import LRUCache, TTLCache

from chat.messages import Message
from chat.port import Asked, Buttons, Once, Person, Place, Press, Private, Promises, Typed
from play.ids import ChannelId, GuildId, IdentityKind, MessageId, Platform, UserId
from presentation.markup import Markup
from storage.errors import Unavailable
from telegram.api import BAD_ENTITIES, NO_TEXT, TOO_OLD, UNCHANGED, ApiError, BadToken, BotApi, meaning_of
from telegram.markup import PLACE, TELEGRAM
from telegram.places import Where, read_message
from telegram.texts import MAX_ALERT, MAX_CAPTION, MAX_TEXT, body_of, fit, keyboard, plain, resolve
from use_cases import UseCases
from use_cases.worker import RetryLater, Undeliverable

log = logging.getLogger(__name__)

PROMISES = Promises(
    once=Once.EDIT,
    private=Private.ALERT,
    buttons=Buttons.INLINE,
    max_buttons=100,
    message_length=MAX_TEXT,
    caption_length=MAX_CAPTION,
    alert_length=MAX_ALERT,
    max_file_bytes=50_000_000,
)

KNOWN_SIZE, KNOWN_SECONDS = 20_000, 600.0
"""People and natives that are remembered, and seconds for which a membership is."""

MAX_PAYLOAD = 64
"""Characters of what a deep link carries. Source: https://core.telegram.org/bots/features#deep-linking"""

GONE_STATES = frozenset(("left", "kicked"))
MANAGING_STATES = frozenset(("creator", "administrator"))


class TelegramPlatform:
    """Implements chat.port.ChatPlatform. The bot's account is known after `log_in`."""

    kind = Platform.TELEGRAM
    promises = PROMISES
    markup: Markup = TELEGRAM

    def __init__(self, api: BotApi, use_cases: UseCases, *, app: str | None = None) -> None:
        """`app` is the address of the Mini App, with https; None without one."""
        self._api = api
        self._identities = use_cases.identities
        self.app = app
        self._has_main_app = False
        self._own: UserId | None = None
        self._natives: LRUCache[int, str] = LRUCache(KNOWN_SIZE)
        self._ids: LRUCache[tuple[IdentityKind, str], int] = LRUCache(KNOWN_SIZE)
        self._by_username: LRUCache[str, Person] = LRUCache(KNOWN_SIZE)
        self._members: TTLCache[tuple[int, int], Mapping[str, Any]] = TTLCache(KNOWN_SIZE, KNOWN_SECONDS)
        self._answered: LRUCache[str, bool] = LRUCache(KNOWN_SIZE)
        self.username = ""
        self._name = ""

    @property
    def shows_pages(self) -> bool:
        return self.app is not None

    @property
    def own_id(self) -> UserId | None:
        return self._own

    async def log_in(self) -> None:
        """Finds the bot's own account. Raises BadToken, RetryLater and Unavailable."""
        me = await self._api.call("getMe")
        self.username = str(me["username"])
        self._name = str(me["first_name"])
        self._has_main_app = self.app is not None and bool(me.get("has_main_web_app"))
        self._own = await self.user_id(int(me["id"]))

    async def post(
        self, channel: ChannelId, message: Message, once: str, *, reply_to: MessageId | None = None
    ) -> MessageId:
        where, answered = await self._where(channel), None
        if reply_to is not None and (native := await self._native(reply_to)):
            answered = read_message(native)[1]
        return await self._send(where, message, answered)

    async def edit(self, channel: ChannelId, posted: MessageId, message: Message) -> None:
        native = await self._native(posted)
        if native is None:
            raise Undeliverable("the message is not known any more")
        chat, number = read_message(native)
        at = {"chat_id": chat, "message_id": number, "reply_markup": self._keyboard(message, chat)}
        try:
            await self._edit(at, message)
        except ApiError as error:
            raise meaning_of(error) from error

    async def fold(self, channel: ChannelId, posted: MessageId) -> None:
        native = await self._native(posted)
        if native is None:
            return
        chat, number = read_message(native)
        await self._call("editMessageReplyMarkup", {"chat_id": chat, "message_id": number}, ignored=UNCHANGED)

    async def answer(self, asked: Asked, message: Message) -> None:
        if isinstance(asked, Press):
            await self._answer_press(asked, message)
        elif message.private and not asked.place.is_direct:
            await self._send_directly(asked.author.id, message)
        else:
            await self._answer_line(asked, message)

    async def tell(self, user: UserId, message: Message, once: str) -> MessageId:
        return await self._send_directly(user, message)

    async def direct(self, user: UserId) -> ChannelId:
        native = await self._native(user)
        if native is None:
            raise Undeliverable("the person is not known any more")
        return (await self.place_of(Where(int(native)))).channel

    async def open_place(self, parent: Place, title: str, once: str) -> ChannelId | None:
        """Returns a place of its own for a game in the same chat and topic: a chat may have many games."""
        native = await self._native(parent.channel)
        if native is None:
            raise Undeliverable("the chat is not known any more")
        owner = await self._owner(Where.read(native))
        return ChannelId(await self._take(IdentityKind.PLACE, f"{native.partition('#')[0]}#{once}", owner))

    async def who(self, user: UserId, guild: GuildId | None) -> Person | None:
        if user == self._own:
            return Person(user, self._name, is_bot=True)
        native, chat = await self._native(user), None if guild is None else await self._native(guild)
        if native is None:
            return None
        try:
            if chat is None:
                return self._person_of_chat(user, await self._api.call("getChat", {"chat_id": int(native)}))
            member = await self._member(Where.read(chat).chat, int(native))
        except ApiError as error:
            log.info("user %d is not named: %s", user, error)
            return None
        return None if member["status"] in GONE_STATES else self._person(user, member["user"])

    async def find(self, name: str, place: Place) -> Person | None:
        """Returns the person of a username: one who has lately written, or manages the group. Telegram tells no bot
        whose any other is."""
        plain_name = name.removeprefix("@").casefold()
        if plain_name == self.username.casefold() and self._own is not None:
            return Person(self._own, self.username, is_bot=True)
        if plain_name not in self._by_username and not place.is_direct:
            where = await self._where(place.channel)
            for member in await self._call("getChatAdministrators", {"chat_id": where.chat}):
                await self.meet(member["user"])
        return self._by_username.get(plain_name)

    async def may_manage(self, user: UserId, place: Place) -> bool:
        if place.is_direct:
            return True
        return (await self._membership(user, place.channel)).get("status") in MANAGING_STATES

    async def is_member(self, user: UserId, channel: ChannelId) -> bool:
        native = await self._native(channel)
        if native is not None and Where.read(native).is_direct:
            return str(Where.read(native).chat) == await self._native(user)
        return (await self._membership(user, channel)).get("status", "left") not in GONE_STATES

    async def title(self, guild: GuildId) -> str | None:
        native = await self._native(guild)
        if native is None:
            return None
        found = await self._call("getChat", {"chat_id": Where.read(native).chat})
        return str(found.get("title") or "") or None

    def link(self, channel: ChannelId, message: MessageId | None = None) -> str | None:
        """Returns an address that is filled in when it is sent: what Telegram calls the place is stored."""
        return f"{PLACE}{channel}/{message or 0}"

    # What the reader of updates needs.

    async def user_id(self, native: int) -> UserId:
        """Returns our id of a user."""
        return UserId(await self._take(IdentityKind.USER, str(native)))

    async def meet(self, user: Mapping[str, Any]) -> Person:
        """Returns a user of an update as a person, and remembers by which username they are found."""
        person = self._person(await self.user_id(int(user["id"])), user)
        if username := user.get("username"):
            self._by_username[str(username).casefold()] = person
        return person

    async def place_of(self, where: Where) -> Place:
        """Returns the place of a chat or topic, whose group is the chat."""
        owner = await self._owner(where)
        channel = ChannelId(await self._take(IdentityKind.PLACE, str(where), owner))
        if where.is_direct:
            return Place(channel)
        group = await self._take(IdentityKind.PLACE, str(where.chat))
        return Place(channel, GuildId(group))

    async def message_id(self, where: Where, number: int) -> MessageId:
        """Returns our id of a message."""
        owner = await self._owner(where)
        return MessageId(await self._take(IdentityKind.MESSAGE, f"{where.chat}/{number}", owner))

    async def known_message(self, where: Where, number: int) -> MessageId | None:
        """Returns our id of a message, if it has one."""
        found = await self._identities.find(self.kind, IdentityKind.MESSAGE, f"{where.chat}/{number}")
        return None if found is None else MessageId(found)

    async def move_group(self, old: int, new: int) -> None:
        """Notes that a group became a supergroup, which has another number."""
        await self._identities.move(self.kind, str(old), str(new))
        self._natives.clear()
        self._ids.clear()

    async def end_press(self, handle: str) -> None:
        """Ends the waiting of a button whose press nothing else has answered."""
        if handle not in self._answered:
            await self._acknowledge(handle)

    # Sending

    async def _send(self, where: Where, message: Message, answered: int | None = None) -> MessageId:
        try:
            sent = await self._deliver(where, message, answered)
        except ApiError as error:
            if error.migrated_to is None:
                raise meaning_of(error) from error
            await self.move_group(where.chat, error.migrated_to)
            return await self._send(replace(where, chat=error.migrated_to), message, answered)
        return await self.message_id(where, int(sent["message_id"]))

    async def _deliver(self, where: Where, message: Message, answered: int | None) -> Any:
        to = {
            **where.parameters,
            "reply_markup": self._keyboard(message, where.chat),
            "disable_notification": None if message.pinged or where.is_direct else True,
            "reply_parameters": answered and {"message_id": answered, "allow_sending_without_reply": True},
        }
        if message.file is not None:
            file = {"file": (message.file.name, message.file.data)}
            return await self._worded("sendDocument", {**to, "document": "attach://file"}, message, file)
        if message.picture is not None:
            file = {"photo": (message.picture.name, message.picture.png)}
            return await self._worded("sendPhoto", {**to, "photo": "attach://photo"}, message, file)
        return await self._worded("sendMessage", to, message)

    async def _worded(
        self, method: str, given: dict[str, Any], message: Message, files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> Any:
        """Calls a method with the words of a message; without marks if Telegram can't read those. Raises ApiError."""
        field, most = ("text", MAX_TEXT) if method == "sendMessage" else ("caption", MAX_CAPTION)
        text = fit(await self._resolve(body_of(message)), most)
        more = {"link_preview_options": {"is_disabled": True}} if field == "text" else {}
        try:
            return await self._ask(method, {**given, **more, field: text, "parse_mode": "HTML"}, files)
        except ApiError as error:
            if not error.says(BAD_ENTITIES):
                raise
            log.warning("a text has marks that Telegram can't read: %s", error)
            return await self._ask(method, {**given, **more, field: plain(text)}, files)

    async def _edit(self, at: dict[str, Any], message: Message) -> None:
        """Shows another message; that it is the same already is no failure. Raises ApiError and RetryLater."""
        body = await self._resolve(body_of(message))
        try:
            if message.picture is not None:
                media = {"type": "photo", "media": "attach://photo", "parse_mode": "HTML"}
                media["caption"] = fit(body, MAX_CAPTION)
                file = {"photo": (message.picture.name, message.picture.png)}
                await self._ask("editMessageMedia", {**at, "media": media}, file)
                return
            text = {"text": fit(body, MAX_TEXT), "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
            await self._ask("editMessageText", {**at, **text})
        except ApiError as error:
            if error.says(NO_TEXT):
                await self._edit_caption(at, body)
            elif not error.says(UNCHANGED):
                raise

    async def _edit_caption(self, at: dict[str, Any], body: str) -> None:
        try:
            await self._ask("editMessageCaption", {**at, "caption": fit(body, MAX_CAPTION), "parse_mode": "HTML"})
        except ApiError as error:
            if not error.says(UNCHANGED):
                raise

    async def _answer_line(self, asked: Typed, message: Message) -> None:
        where, answered = await self._where(asked.place.channel), None
        if not where.is_direct and asked.message is not None and (native := await self._native(asked.message)):
            answered = read_message(native)[1]
        await self._send(where, message, answered)

    async def _answer_press(self, asked: Press, message: Message) -> None:
        """Answers by an alert, which is short and has no marks, or else directly.

        A person whom the bot may not write to is led to the direct chat, where the press is done again.
        """
        alert = plain(message.text)
        is_short = len(alert) <= MAX_ALERT and not (message.buttons or message.picture or message.file or message.fixed)
        if is_short and asked.handle and asked.handle not in self._answered:
            await self._acknowledge(asked.handle, text=alert, show_alert=True)
            return
        try:
            await self._send_directly(asked.author.id, message)
        except Undeliverable:
            payload = payload_of(asked.action)
            if payload is None or asked.handle in self._answered:
                raise
            await self._acknowledge(asked.handle, url=f"https://t.me/{self.username}?start={payload}")

    async def _acknowledge(self, handle: str, **answer: Any) -> None:
        self._answered[handle] = True
        await self._call("answerCallbackQuery", {"callback_query_id": handle, **answer}, ignored=TOO_OLD)

    async def _send_directly(self, user: UserId, message: Message) -> MessageId:
        native = await self._native(user)
        if native is None:
            raise Undeliverable("the person is not known any more")
        return await self._send(Where(int(native)), message)

    def _keyboard(self, message: Message, chat: int) -> dict[str, Any] | None:
        return keyboard(message, lambda match: self._opening(match, chat))

    def _opening(self, match: int, chat: int) -> Mapping[str, Any] | None:
        """Returns how a button opens the Mini App: as a page in direct chats, where alone that is allowed, else by a
        link, which works once the operator has told Telegram of the app."""
        if self.app is not None and chat > 0:
            return {"web_app": {"url": f"{self.app}?board={match}" if match else self.app}}
        if self._has_main_app:
            return {"url": f"https://t.me/{self.username}?startapp{f'={match}' if match else ''}"}
        return None

    async def _call(self, method: str, given: Mapping[str, Any], *, ignored: str = "") -> Any:
        try:
            return await self._ask(method, given)
        except ApiError as error:
            if ignored and error.says(ignored):
                return None
            raise meaning_of(error) from error

    async def _ask(
        self, method: str, given: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> Any:
        try:
            return await self._api.call(method, given, files=files)
        except BadToken as error:
            raise RetryLater("Telegram does not take the token") from error

    # Identities

    async def _where(self, channel: ChannelId) -> Where:
        native = await self._native(channel)
        if native is None:
            raise Undeliverable("the chat is not known any more")
        return Where.read(native)

    async def _native(self, id_: int) -> str | None:
        if id_ not in self._natives:
            try:
                native = await self._identities.native(id_)
            except Unavailable as error:
                raise RetryLater("the database does not answer") from error
            if native is None:
                return None
            self._natives[id_] = native
        return self._natives[id_]

    async def _take(self, kind: IdentityKind, native: str, owner: UserId | None = None) -> int:
        known = self._ids.get((kind, native))
        if known is None:
            known = self._ids[kind, native] = await self._identities.take(self.kind, kind, native, user=owner)
            self._natives[known] = native
        return known

    async def _owner(self, where: Where) -> UserId | None:
        """Returns the person with whom alone the bot shares a chat."""
        return await self.user_id(where.chat) if where.is_direct else None

    async def _resolve(self, text: str) -> str:
        return await resolve(text, self._native, self._address)

    async def _address(self, channel: int, message: int) -> str | None:
        native, posted = await self._native(channel), await self._native(message) if message else None
        if native is None:
            return None
        return Where.read(native).link(read_message(posted)[1]) if posted else None

    # People

    async def _membership(self, user: UserId, channel: ChannelId) -> Mapping[str, Any]:
        native, where = await self._native(user), await self._where(channel)
        if native is None:
            return {}
        try:
            return await self._member(where.chat, int(native))
        except ApiError as error:
            log.info("user %d is no member: %s", user, error)
            return {}

    async def _member(self, chat: int, user: int) -> Mapping[str, Any]:
        if (chat, user) not in self._members:
            self._members[chat, user] = await self._ask("getChatMember", {"chat_id": chat, "user_id": user})
        return self._members[chat, user]

    def _person(self, user: UserId, told: Mapping[str, Any]) -> Person:
        name = " ".join(filter(None, (told.get("first_name"), told.get("last_name"))))
        return Person(user, name or str(told.get("username", "")), told.get("language_code"), bool(told.get("is_bot")))

    def _person_of_chat(self, user: UserId, chat: Mapping[str, Any]) -> Person:
        return self._person(user, {**chat, "is_bot": False})


def payload_of(action: str) -> str | None:
    """Returns what a deep link carries to do the action of a button; None if it is too long for that."""
    payload = base64.urlsafe_b64encode(action.encode()).decode().rstrip("=")
    return payload if len(payload) <= MAX_PAYLOAD else None


def read_payload(payload: str) -> str | None:
    """Returns the action of a deep link; None for what is none."""
    try:
        return base64.b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        return None
