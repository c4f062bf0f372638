"""A stand-in for Telegram's Bot API on 127.0.0.1. It checks each request and each answer against the published
description, refuses as Telegram documents, and shows what a chat looks like."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import escape
from itertools import count
from typing import Any

from aiohttp import web

from tests.telegram.facts import facts, problems_of, problems_of_fields, read_html

TOKEN = "4242:stand-in"  # noqa: S105 - it opens nothing
BOT = 4242
USERNAME = "KropkaBot"

MAX_TEXT, MAX_CAPTION, MAX_DATA_BYTES, MAX_ALERT = 4096, 1024, 64, 200

JSON_TYPES = (
    "Integer",
    "Boolean",
    "Float",
    "Array of",
    "InputMedia",
    "InlineKeyboardMarkup",
    "ReplyParameters",
    "MenuButton",
)


class Refusal(Exception):
    """An answer of Telegram that is no result."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


@dataclass
class Sent:
    """A message of the bot as people see it."""

    chat: int
    number: int
    text: str
    photo: bytes | None = None
    document: tuple[str, bytes] | None = None
    keyboard: list[list[dict[str, Any]]] = field(default_factory=list)
    topic: int | None = None
    reply_to: int | None = None
    edits: int = 0
    html: str = ""
    silent: bool = False

    @property
    def buttons(self) -> list[dict[str, Any]]:
        return [each for row in self.keyboard for each in row]

    def button(self, label: str) -> dict[str, Any]:
        """Returns the button with this label, or one that contains it."""
        found = sorted((each for each in self.buttons if label in each["text"]), key=lambda each: each["text"] != label)
        assert found, f"{label!r} is none of {[each['text'] for each in self.buttons]}"
        return found[0]


@dataclass
class User:
    """A person. They have `started` the bot if they have written to it directly."""

    id: int
    first_name: str
    language: str | None = None
    username: str | None = None
    started: bool = False

    @property
    def told(self) -> dict[str, Any]:
        told = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        told |= {"language_code": self.language} if self.language else {}
        return told | ({"username": self.username} if self.username else {})


BOT_TOLD = {"id": BOT, "is_bot": True, "first_name": "Kropka", "username": USERNAME}


@dataclass
class Telegram:
    """The server with its chats. `problems` are what is wrong with requests and answers."""

    now: Any
    address: str = ""
    users: dict[int, User] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)
    managers: set[tuple[int, int]] = field(default_factory=set)
    gone: set[tuple[int, int]] = field(default_factory=set)
    migrated: dict[int, int] = field(default_factory=dict)
    too_old: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    sent: list[Sent] = field(default_factory=list)
    alerts: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    commands: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    down: bool = False
    cuts: bool = False
    slow_down: int = 0
    menu_button: dict[str, Any] = field(default_factory=dict)
    has_main_app: bool = False
    last_update: dict[str, Any] = field(default_factory=dict)
    _updates: list[dict[str, Any]] = field(default_factory=list)
    _numbers: Any = field(default_factory=lambda: count(1))
    _update_ids: Any = field(default_factory=lambda: count(1000))
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Is set when the bot asks for what comes after all that it has got."""
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    # What people do

    def join(self, name: str, language: str | None = None, *, started: bool = True) -> User:
        """Returns a new person."""
        user = User(100 + len(self.users), name, language, name.casefold(), started)
        self.users[user.id] = user
        return user

    def group(self, title: str, chat: int = -1_001_234) -> int:
        """Returns a new group."""
        self.groups[chat] = title
        return chat

    def write(
        self, user: User, chat: int, text: str, *, reply_to: int | None = None, topic: int | None = None, **more: Any
    ) -> int:
        """Lets a person write; returns the number of the message. A direct chat has the number of the person."""
        if chat == user.id:
            user.started = True
        number = next(self._numbers)
        message = {"message_id": number, "from": user.told, "date": self.now() // 1000, "chat": self.chat(chat)}
        message |= {"text": text, **more}
        entities = [
            {"type": "mention", "offset": len(text[:at].encode("utf-16-le")) // 2, "length": len(word)}
            for word, at in _words(text)
            if word.startswith("@")
        ]
        message |= {"entities": entities} if entities else {}
        if topic is not None:
            message |= {"message_thread_id": topic, "is_topic_message": True}
        if reply_to is not None:
            message["reply_to_message"] = self._replied(chat, reply_to)
        self._add({"message": message})
        return int(number)

    def press(self, user: User, sent: Sent, label: str) -> None:
        """Lets a person press a button."""
        message = self.told(sent)
        query = {"id": f"q{next(self._numbers)}", "from": user.told, "message": message, "chat_instance": "1"}
        self._add({"callback_query": query | {"data": sent.button(label)["callback_data"]}})

    def service(self, chat: int, **what: Any) -> None:
        """Lets something happen in a chat of which Telegram tells by a message."""
        message = {"message_id": next(self._numbers), "date": self.now() // 1000, "chat": self.chat(chat), **what}
        self._add({"message": message | {"from": BOT_TOLD}})

    def remove_bot(self, chat: int, by: User) -> None:
        """Removes the bot from a group."""
        self.closed.add(chat)
        told = {"user": BOT_TOLD, "status": "left"}
        change = {"chat": self.chat(chat), "from": by.told, "date": self.now() // 1000, "new_chat_member": told}
        change["old_chat_member"] = {"user": BOT_TOLD, "status": "member"}
        self._add({"my_chat_member": change})

    def migrate(self, old: int, new: int) -> None:
        """Turns a group into a supergroup."""
        self.groups[new] = self.groups[old]
        self.migrated[old] = new
        self.service(old, migrate_to_chat_id=new)

    # What is shown

    def in_chat(self, chat: int) -> list[Sent]:
        """Returns the bot's messages in a chat."""
        return [each for each in self.sent if each.chat == chat]

    def chat(self, chat: int) -> dict[str, Any]:
        if chat > 0:
            return {"id": chat, "type": "private", "first_name": self.users[chat].first_name}
        return {"id": chat, "type": "supergroup" if chat < -1_000_000 else "group", "title": self.groups[chat]}

    def told(self, sent: Sent) -> dict[str, Any]:
        """Returns a message of the bot as Telegram tells it."""
        told: dict[str, Any] = {"message_id": sent.number, "from": BOT_TOLD, "date": self.now() // 1000}
        told["chat"] = self.chat(sent.chat)
        if sent.topic is not None:
            told |= {"message_thread_id": sent.topic, "is_topic_message": True}
        if sent.photo is not None:
            told["photo"] = [{"file_id": "p", "file_unique_id": "p", "width": 9, "height": 9}]
            return told | {"caption": sent.text}
        return told | ({"document": {"file_id": "d", "file_unique_id": "d"}} if sent.document else {"text": sent.text})

    def page(self, chat: int, since: int = 0) -> str:
        """Returns a simple page of what a chat shows, for pictures; without the first messages of the bot if so many
        were sent `since`."""
        parts, title = [], self.groups.get(chat) or self.users[chat].first_name
        for each in self.sent[since:]:
            if each.chat != chat:
                continue
            photo = f'<img src="data:image/png;base64,{b64encode(each.photo).decode()}">' if each.photo else ""
            labels = [[f"<span>{escape(button['text'])}</span>" for button in row] for row in each.keyboard]
            rows = "".join(f"<div class=row>{''.join(row)}</div>" for row in labels)
            body = each.html.replace("\n", "<br>")
            parts.append(f"<div class=m>{photo}<p>{body}</p></div>{rows}")
        return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><h1>{escape(title)}</h1>{''.join(parts)}"

    # The API

    async def answer(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        self.calls.append(method)
        if self.down:
            return web.Response(status=502, text="<html>Bad Gateway</html>")
        if self.cuts:
            assert request.transport is not None
            request.transport.close()
        if self.slow_down:
            return _refused(Refusal(429, "Too Many Requests", retry_after=self.slow_down))
        if request.match_info["token"] != f"bot{TOKEN}":
            return _refused(Refusal(401, "Unauthorized"))
        if self.refusals and method.startswith(("send", "edit", "answer")):
            return _refused(self.refusals.pop(0))
        try:
            given, files = await self._read(method, request)
            result = await getattr(self, f"_{method}")(given, files)
        except Refusal as refusal:
            return _refused(refusal)
        self.problems += problems_of(result, facts()["methods"][method]["returns"], f"the answer of {method}")
        return web.json_response({"ok": True, "result": result})

    async def _read(self, method: str, request: web.Request) -> tuple[dict[str, Any], dict[str, tuple[str, bytes]]]:
        """Returns the parameters of a call, which are checked, and its files."""
        fields, files = facts()["methods"][method]["fields"], {}
        if request.content_type == "application/json":
            given = await request.json()
        else:
            given = {}
            for name, value in (await request.post()).items():
                if isinstance(value, web.FileField):
                    files[name] = (value.filename, value.file.read())
                else:
                    types = fields.get(name, {"types": ["String"]})["types"]
                    given[name] = json.loads(str(value)) if any(t.startswith(JSON_TYPES) for t in types) else value
        self.problems += problems_of_fields(given, fields, method)
        return given, files

    async def _getMe(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802 - the method's name
        return BOT_TOLD | {"has_main_web_app": self.has_main_app}

    async def _getUpdates(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        offset = given.get("offset")
        if offset is not None:
            self._updates = [each for each in self._updates if each["update_id"] >= offset]
        if not self._updates:
            self.asked.set()
            self._woken.clear()
            try:
                async with asyncio.timeout(min(given.get("timeout", 0), 0.2)):
                    await self._woken.wait()
            except TimeoutError:
                pass
        return self._updates[:100]

    async def _deleteWebhook(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        return True

    async def _setMyCommands(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        for each in given["commands"]:
            if not each["command"].replace("_", "").isalnum() or not each["command"].isascii():
                raise Refusal(400, "Bad Request: BOT_COMMAND_INVALID")
            if not 1 <= len(each["description"]) <= 256:
                raise Refusal(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        self.commands[given.get("language_code", "")] = given["commands"]
        return True

    async def _setChatMenuButton(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        self.menu_button = given["menu_button"]
        if not self.menu_button.get("web_app", {"url": "https://"})["url"].startswith("https://"):
            raise Refusal(400, "Bad Request: BUTTON_URL_INVALID")
        return True

    async def _getFile(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        return {"file_id": given["file_id"], "file_unique_id": "u", "file_path": given["file_id"]}

    async def _getChat(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        chat = int(given["chat_id"])
        if chat not in self.users and chat not in self.groups:
            raise Refusal(400, "Bad Request: chat not found")
        more = {"accent_color_id": 1, "max_reaction_count": 1, "accepted_gift_types": {}}
        return self.chat(chat) | more

    async def _getChatMember(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        chat, user = int(given["chat_id"]), int(given["user_id"])
        if user not in self.users:
            raise Refusal(400, "Bad Request: PARTICIPANT_ID_INVALID")
        return self._member(chat, user)

    def _member(self, chat: int, user: int) -> dict[str, Any]:
        if (chat, user) in self.gone:
            return {"status": "left", "user": self.users[user].told}
        if (chat, user) in self.managers:
            return {"status": "creator", "user": self.users[user].told, "is_anonymous": False}
        return {"status": "member", "user": self.users[user].told}

    async def _getChatAdministrators(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        chat = int(given["chat_id"])
        return [self._member(chat, user) for each, user in sorted(self.managers) if each == chat]

    async def _sendMessage(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        return self._send(given, given["text"], MAX_TEXT)

    async def _sendPhoto(self, given: dict[str, Any], files: dict[str, tuple[str, bytes]]) -> Any:  # noqa: N802
        _, photo = files[given["photo"].removeprefix("attach://")]
        return self._send(given, given.get("caption", ""), MAX_CAPTION, photo=photo)

    async def _sendDocument(self, given: dict[str, Any], files: dict[str, tuple[str, bytes]]) -> Any:  # noqa: N802
        document = files[given["document"].removeprefix("attach://")]
        return self._send(given, given.get("caption", ""), MAX_CAPTION, document=document)

    def _send(self, given: dict[str, Any], html: str, most: int, **what: Any) -> dict[str, Any]:
        chat = int(given["chat_id"])
        if (new := self.migrated.get(chat)) is not None:
            raise Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=new)
        if chat > 0 and (chat not in self.users or not self.users[chat].started):
            raise Refusal(403, "Forbidden: bot can't initiate conversation with a user")
        if chat in self.closed:
            raise Refusal(403, "Forbidden: bot was kicked from the supergroup chat")
        text = self._parse(given, html, most)
        if not what and not text.strip():
            raise Refusal(400, "Bad Request: message text is empty")
        number, reply = next(self._numbers), given.get("reply_parameters") or {}
        sent = Sent(chat, number, text, keyboard=self._keyboard(given, chat), topic=given.get("message_thread_id"))
        sent.reply_to, sent.html, sent.silent = reply.get("message_id"), html, bool(given.get("disable_notification"))
        for name, value in what.items():
            setattr(sent, name, value)
        self.sent.append(sent)
        return self.told(sent)

    def _parse(self, given: dict[str, Any], html: str, most: int) -> str:
        text = read_html(html) if given.get("parse_mode") == "HTML" or "media" in given else html
        if text is None:
            raise Refusal(400, "Bad Request: can't parse entities: unsupported start tag")
        if len(text) > most:
            what = "message is too long" if most == MAX_TEXT else "message caption is too long"
            raise Refusal(400, f"Bad Request: {what}")
        return text

    def _keyboard(self, given: dict[str, Any], chat: int) -> list[list[dict[str, Any]]]:
        rows: list[list[dict[str, Any]]] = (given.get("reply_markup") or {}).get("inline_keyboard", [])
        for each in (button for row in rows for button in row):
            if not 1 <= len(each.get("callback_data", "x").encode()) <= MAX_DATA_BYTES:
                raise Refusal(400, "Bad Request: BUTTON_DATA_INVALID")
            if "web_app" in each and (chat < 0 or not each["web_app"]["url"].startswith("https://")):
                raise Refusal(400, "Bad Request: BUTTON_TYPE_INVALID")
            if len({"callback_data", "url", "web_app"} & each.keys()) != 1:
                raise Refusal(400, "Bad Request: text buttons are unallowed in the inline keyboard")
        return rows

    async def _editMessageText(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        sent = self._found(given)
        if sent.photo or sent.document:
            raise Refusal(400, "Bad Request: there is no text in the message to edit")
        return self._edit(sent, given, given["text"], MAX_TEXT)

    async def _editMessageCaption(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        return self._edit(self._found(given), given, given.get("caption", ""), MAX_CAPTION)

    async def _editMessageMedia(self, given: dict[str, Any], files: dict[str, tuple[str, bytes]]) -> Any:  # noqa: N802
        sent, media = self._found(given), given["media"]
        _, photo = files[media["media"].removeprefix("attach://")]
        return self._edit(sent, given, media.get("caption", ""), MAX_CAPTION, photo)

    async def _editMessageReplyMarkup(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        sent = self._found(given)
        keyboard = self._keyboard(given, sent.chat)
        if keyboard == sent.keyboard:
            raise Refusal(400, "Bad Request: message is not modified")
        sent.keyboard = keyboard
        return self.told(sent)

    def _found(self, given: dict[str, Any]) -> Sent:
        if int(given["chat_id"]) in self.migrated:
            raise Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat")
        if given["message_id"] in self.too_old:
            raise Refusal(400, "Bad Request: message can't be edited")
        for each in self.sent:
            if (each.chat, each.number) == (int(given["chat_id"]), given["message_id"]):
                return each
        raise Refusal(400, "Bad Request: message to edit not found")

    def _edit(
        self, sent: Sent, given: dict[str, Any], html: str, most: int, photo: bytes | None = None
    ) -> dict[str, Any]:
        text, keyboard = self._parse(given, html, most), self._keyboard(given, sent.chat)
        if (text, keyboard, photo or sent.photo) == (sent.text, sent.keyboard, sent.photo):
            raise Refusal(400, "Bad Request: message is not modified: specified new message content is the same")
        sent.text, sent.keyboard, sent.photo, sent.html = text, keyboard, photo or sent.photo, html
        sent.edits += 1
        return self.told(sent)

    async def _answerCallbackQuery(self, given: dict[str, Any], _: Any) -> Any:  # noqa: N802
        if len(given.get("text", "")) > MAX_ALERT:
            raise Refusal(400, "Bad Request: MESSAGE_TOO_LONG")
        if "url" in given and not given["url"].startswith(f"https://t.me/{USERNAME}?start="):
            raise Refusal(400, "Bad Request: URL_INVALID")
        if any(each["callback_query_id"] == given["callback_query_id"] for each in self.alerts):
            raise Refusal(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
        self.alerts.append(given)
        return True

    def _replied(self, chat: int, number: int) -> dict[str, Any]:
        for each in self.sent:
            if (each.chat, each.number) == (chat, number):
                return self.told(each)
        author = next(iter(self.users.values())).told
        return {"message_id": number, "from": author, "date": self.now() // 1000, "chat": self.chat(chat), "text": "?"}

    def _add(self, update: dict[str, Any]) -> None:
        told = {"update_id": next(self._update_ids), **update}
        self.problems += problems_of(told, ["Update"], "update")
        self._updates.append(told)
        self.last_update = told
        self._woken.set()

    async def file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["path"]])


def _words(text: str) -> list[tuple[str, int]]:
    found, at = [], 0
    for word in text.split(" "):
        found.append((word, at))
        at += len(word) + 1
    return found


def _refused(refusal: Refusal) -> web.Response:
    body: dict[str, Any] = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    body |= {"parameters": refusal.parameters} if refusal.parameters else {}
    return web.json_response(body, status=refusal.code)


STYLE = """
body{font:15px/1.4 sans-serif;background:#dfe8d8;margin:0 auto;padding:8px;max-width:520px}
h1{font-size:15px}.m{background:#fff;border-radius:10px;padding:6px 10px;margin:8px 0 2px}
img{max-width:100%;border-radius:6px}p{margin:4px 0}.row{display:flex;gap:4px;margin-bottom:3px}
.row span{flex:1;background:#9fb79a;color:#fff;border-radius:6px;padding:6px;text-align:center;font-size:13px}
"""


@asynccontextmanager
async def serve(now: Any) -> AsyncIterator[Telegram]:
    """Runs the stand-in; the problems that it finds fail the test."""
    telegram = Telegram(now)
    app = web.Application(client_max_size=60_000_000)
    app.router.add_post("/{token}/{method}", telegram.answer)
    app.router.add_get("/file/{token}/{path}", telegram.file)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    telegram.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield telegram
        assert telegram.problems == []
    finally:
        await runner.cleanup()
