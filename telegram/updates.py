"""Reads updates by long polling, and turns them into lines and presses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from chat.commands import SHOWN, describe
from chat.conversation import Conversation
from chat.port import Person, Press, Typed
from play.ids import SECOND, ChannelId, IdempotencyKey, Millis, Platform, request_key
from presentation.words.words import Languages
from storage import Database
from storage.errors import Unavailable
from telegram.api import ApiError, BadToken, BotApi
from telegram.places import Where
from telegram.platform import GONE_STATES, TelegramPlatform, read_payload
from use_cases.keyed_locks import KeyedLocks
from use_cases.outages import Outages, Reach
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 25
"""Seconds for which Telegram holds a request that has nothing to tell."""

BATCH_SECONDS = 10.0
"""Seconds that a batch of updates gets before the next one is asked for: what takes longer goes on beside it."""

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 1.0, 60.0
"""The shortest and the longest pause before Telegram is asked again after a failure, if it says nothing else."""

MAX_TRIES = 5
"""Tries of one update while the database or Telegram fails: each counts once."""

MAX_FILE_BYTES = 256 * 1024
"""Bytes of a file that a person brings: records are shorter."""

APP: Final = "Kropka"
"""What the button that opens the Mini App says, in all languages: Telegram takes one."""

ALLOWED: Final = ("message", "callback_query", "my_chat_member")


class Updates:
    """The reader of updates. `forget` is called with a place from which the bot was removed."""

    def __init__(
        self,
        api: BotApi,
        platform: TelegramPlatform,
        conversation: Conversation,
        store: Database,
        outages: Outages,
        languages: Languages,
        forget: Callable[[ChannelId], Awaitable[None]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api = api
        self._platform = platform
        self._conversation = conversation
        self._store = store
        self._outages = outages
        self._reach = Reach(store, outages, Platform.TELEGRAM)
        self._languages = languages
        self._forget = forget
        self._sleep = sleep
        self._offset: int | None = None
        self._locks = KeyedLocks[int]()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Logs in and reads until it is cancelled. Raises BadToken: another token has to be set."""
        await self._outages.load()
        has_begun, pause = False, MIN_PAUSE_SECONDS
        while True:
            try:
                if not has_begun:
                    await self._begin()
                has_begun = True
                await self.poll()
                if pause > MIN_PAUSE_SECONDS:
                    log.warning("Telegram answers")
                pause = MIN_PAUSE_SECONDS
                continue
            except (RetryLater, Unavailable) as error:
                level = logging.WARNING if pause == MIN_PAUSE_SECONDS else logging.DEBUG
                log.log(level, "Telegram is away: %s", error)
                await self._reach.note_silence()
                wait = getattr(error, "seconds", None) or pause
            except ApiError as error:  # another process polls with the same token, or a webhook is set
                log.warning("Telegram gives no updates: %s", error)
                has_begun, wait = has_begun and not error.says("webhook"), pause
            await self._sleep(wait)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)

    async def _begin(self) -> None:
        """Logs in, and tells Telegram what it shows for the bot."""
        await self._reach.begin()
        await self._platform.log_in()
        await self._api.call("deleteWebhook")
        await self._tell_commands()
        await self._show_app()

    async def poll(self) -> None:
        """Asks once, and handles what came. What is not handled when the process ends comes again: each counts once."""
        asked = {"offset": self._offset, "timeout": POLL_SECONDS, "allowed_updates": ALLOWED}
        found = await self._api.call("getUpdates", asked, seconds=POLL_SECONDS + 10)
        await self._reach.note_answer()
        tasks = [asyncio.create_task(self._handle_in_turn(update)) for update in found]
        self._tasks.update(tasks)
        for task in tasks:
            task.add_done_callback(self._tasks.discard)
        if tasks:
            await asyncio.wait(tasks, timeout=BATCH_SECONDS)
            self._offset = max(int(update["update_id"]) for update in found) + 1

    async def close(self) -> None:
        """Waits for what is being handled."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=BATCH_SECONDS)

    async def _handle_in_turn(self, update: Mapping[str, Any]) -> None:
        """Handles an update; those of one chat come one after the other."""
        async with self._locks.of(_chat_of(update)):
            for _ in range(MAX_TRIES):
                try:
                    await self.handle(update)
                except (RetryLater, Unavailable) as error:
                    log.warning("update %s is not handled yet: %s", update.get("update_id"), error)
                    await self._sleep(getattr(error, "seconds", None) or MIN_PAUSE_SECONDS)
                except (Undeliverable, Unsendable, BadToken) as error:
                    log.warning("update %s is not handled: %s", update.get("update_id"), error)
                    return
                except Exception:
                    log.exception("update %s is not handled", update.get("update_id"))
                    return
                else:
                    return
            log.error("update %s is left out", update.get("update_id"))

    async def handle(self, update: Mapping[str, Any]) -> None:
        """Handles one update. What is none that a bot of ours reads is left alone."""
        if (message := update.get("message")) is not None:
            await self._handle_message(message)
        elif (query := update.get("callback_query")) is not None:
            await self._handle_press(query)
        elif (change := update.get("my_chat_member")) is not None:
            await self._handle_change(change)

    async def _handle_message(self, message: dict[str, Any]) -> None:
        if (new := message.get("migrate_to_chat_id")) is not None:
            await self._platform.move_group(int(message["chat"]["id"]), int(new))
            return
        if (old := message.get("migrate_from_chat_id")) is not None:
            await self._platform.move_group(int(old), int(message["chat"]["id"]))
            return
        if (left := message.get("left_chat_member")) is not None and not left.get("is_bot"):
            group = await self._platform.place_of(Where(int(message["chat"]["id"])))
            if group.guild is not None:
                await self._conversation.part(await self._platform.user_id(int(left["id"])), group.guild)
            return
        author, text = message.get("from"), message.get("text") or message.get("caption") or ""
        if author is None or author.get("is_bot") or message.get("sender_chat") or message.get("via_bot"):
            return
        if message["chat"]["type"] == "channel" or not (text or message.get("document")):
            return
        line = await self._line(message, await self._platform.meet(author), text)
        if line.place.is_direct and (started := _started(text)):
            await self._conversation.press(self._started_press(line, started))
            return
        await self._conversation.read(line)

    def _started_press(self, line: Typed, action: str) -> Press:
        """Returns the press that a deep link has brought into the direct chat."""
        assert line.message is not None, "a line of Telegram has a number"
        return Press(line.place, line.author, action, line.key, line.at, line.message)

    async def _line(self, message: dict[str, Any], author: Person, text: str) -> Typed:
        where, answered = Where.of(message), message.get("reply_to_message")
        is_topic = answered is not None and "forum_topic_created" in answered
        to_bot, mentions = False, []
        for entity in message.get("entities") or message.get("caption_entities") or ():
            named = _part(text, entity)
            if entity["type"] == "text_mention":
                mentions.append(await self._platform.meet(entity["user"]))
            elif entity["type"] == "mention" and named.casefold() == f"@{self._platform.username.casefold()}":
                to_bot = True
        plain_text = text if not to_bot else text.replace(f"@{self._platform.username}", " ").strip()
        replied = answered if answered is not None and not is_topic else None
        replied_author = await self._platform.meet(replied["from"]) if replied and "from" in replied else None
        return Typed(
            place=await self._platform.place_of(where),
            author=author,
            text=plain_text,
            key=self._key(f"message {where.chat}/{message['message_id']}"),
            at=await self._at(int(message["date"])),
            message=await self._platform.message_id(where, int(message["message_id"])),
            reply_to=await self._platform.known_message(where, int(replied["message_id"])) if replied else None,
            answered=replied_author,
            mentions=tuple(mentions),
            is_addressed=to_bot or (replied_author is not None and replied_author.id == self._platform.own_id),
            file=await self._file(message),
        )

    async def _file(self, message: dict[str, Any]) -> bytes | None:
        """Returns the file that came with a command, if it can be a record."""
        document = message.get("document")
        if document is None or int(document.get("file_size") or 0) > MAX_FILE_BYTES:
            return None
        try:
            found = await self._api.call("getFile", {"file_id": document["file_id"]})
            return await self._api.download(str(found["file_path"]), MAX_FILE_BYTES)
        except (ApiError, Unsendable, RetryLater) as error:
            log.info("a file is not read: %s", error)
            return None

    async def _handle_press(self, query: dict[str, Any]) -> None:
        message, action, handle = query.get("message"), query.get("data"), str(query["id"])
        if message is not None and action:
            where = Where.of(message)
            press = Press(
                place=await self._platform.place_of(where),
                author=await self._platform.meet(query["from"]),
                action=str(action),
                key=self._key(f"press {handle}"),
                at=await self._now(),
                message=await self._platform.message_id(where, int(message["message_id"])),
                handle=handle,
            )
            await self._conversation.press(press)
        await self._platform.end_press(handle)

    async def _handle_change(self, change: dict[str, Any]) -> None:
        """Has the games of a group go elsewhere from which the bot was removed."""
        if change["chat"]["type"] != "private" and change["new_chat_member"]["status"] in GONE_STATES:
            place = await self._platform.place_of(Where(int(change["chat"]["id"])))
            await self._forget(place.channel)

    def _key(self, native: str) -> IdempotencyKey:
        """Returns the key of what Telegram has told this bot: another one has numbers of its own."""
        return request_key(Platform.TELEGRAM, f"{self._platform.own_id} {native}")

    async def _at(self, date: int) -> Millis:
        """Returns when Telegram got a message, to the end of its second, which it does not tell."""
        return Millis(min(await self._now(), date * SECOND + SECOND - 1))

    async def _now(self) -> Millis:
        async with self._store.read() as reader:
            return await reader.clock.now()

    async def _tell_commands(self) -> None:
        """Lists the commands in each language, by their English names: Telegram takes Latin letters alone."""
        for words in self._languages:
            listed = [{"command": name, "description": describe(name, words.plain)[:256]} for name in SHOWN]
            language = None if words.tag == "en" else words.tag
            try:
                await self._api.call("setMyCommands", {"commands": listed, "language_code": language})
            except ApiError as error:
                log.warning("Telegram lists no commands in %s: %s", words.tag, error)

    async def _show_app(self) -> None:
        """Has the button beside the field for messages open the Mini App in direct chats, or what it opened before."""
        app = self._platform.app
        button = {"type": "web_app", "text": APP, "web_app": {"url": app}} if app else {"type": "default"}
        try:
            await self._api.call("setChatMenuButton", {"menu_button": button})
        except ApiError as error:
            log.warning("Telegram shows no button for the Mini App: %s", error)


def _chat_of(update: Mapping[str, Any]) -> int:
    """Returns the chat in whose order an update is handled."""
    query = update.get("callback_query") or {}
    message = update.get("message") or query.get("message") or update.get("my_chat_member") or {}
    return int(message.get("chat", {}).get("id", 0))


def _part(text: str, entity: Mapping[str, Any]) -> str:
    """Returns the part of a text that an entity is about, which counts in UTF-16."""
    encoded, start = text.encode("utf-16-le"), 2 * int(entity["offset"])
    return encoded[start : start + 2 * int(entity["length"])].decode("utf-16-le", "ignore")


def _started(text: str) -> str | None:
    """Returns the action that a deep link carries, if a text is the start of one."""
    command, _, payload = text.partition(" ")
    return read_payload(payload.strip()) if command == "/start" and payload else None
