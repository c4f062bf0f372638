"""The facts of the Bot API that the bot relies on: `python -m tests.telegram.facts telegram-api.json` writes them.

They are a published description of the API (github.com/PaulSonOfLars/telegram-bot-api-spec, MIT), cut down to the
methods that the bot calls and to the types in them.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

FACTS = Path(__file__).parents[1] / "data" / "telegram-api.json"

METHODS = (
    *("getMe", "getUpdates", "deleteWebhook", "setMyCommands", "setChatMenuButton", "getFile"),
    *("sendMessage", "sendPhoto", "sendDocument", "answerCallbackQuery"),
    *("editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"),
    *("getChat", "getChatMember", "getChatAdministrators"),
)
"""The methods that the bot calls."""

KEPT = (
    *("Update", "Message", "MaybeInaccessibleMessage", "User", "Chat", "ChatFullInfo", "CallbackQuery", "File"),
    *("MessageEntity", "PhotoSize", "Document", "ChatMemberUpdated", "ChatMember", "ChatMemberOwner"),
    *("ChatMemberAdministrator", "ChatMemberMember", "ChatMemberRestricted", "ChatMemberLeft", "ChatMemberBanned"),
    *("InlineKeyboardMarkup", "InlineKeyboardButton", "WebAppInfo", "ReplyParameters", "LinkPreviewOptions"),
    *("InputMedia", "InputMediaPhoto", "BotCommand", "ForumTopicCreated"),
    *("MenuButton", "MenuButtonWebApp", "MenuButtonDefault", "MenuButtonCommands"),
)
"""The types that the bot sends or reads; of all others only the name is known."""


def trim(description: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of a description that the bot relies on."""
    methods = {name: _fields(description["methods"][name]) for name in METHODS}
    for name, found in methods.items():
        found["returns"] = description["methods"][name]["returns"]
    types = {name: _fields(description["types"][name]) for name in KEPT}
    return {"version": description["version"], "licence": "MIT", "methods": methods, "types": types}


def _fields(described: dict[str, Any]) -> dict[str, Any]:
    fields = {
        field["name"]: {"types": field["types"], "required": field["required"]} for field in described.get("fields", ())
    }
    subtypes = described.get("subtypes")
    return {"fields": fields} | ({"subtypes": subtypes} if subtypes else {})


@cache
def facts() -> dict[str, Any]:
    """Returns the facts."""
    found: dict[str, Any] = json.loads(FACTS.read_text("utf-8"))
    return found


def problems_of(value: Any, types: list[str], where: str) -> list[str]:
    """Returns what is wrong with a value that should have one of the types."""
    found = [_problems(value, each, where) for each in types]
    return min(found, key=len) if found else []


def _problems(value: Any, kind: str, where: str) -> list[str]:
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            return [f"{where} is no array"]
        inner = kind.removeprefix("Array of ")
        return [problem for at, each in enumerate(value) for problem in _problems(each, inner, f"{where}[{at}]")]
    simple = {"Integer": int, "String": str, "InputFile": str, "Float": float, "Boolean": bool, "True": bool}
    if kind in simple:
        fits = isinstance(value, simple[kind]) and (kind not in ("Integer", "Float") or not isinstance(value, bool))
        return [] if fits else [f"{where} is no {kind}: {value!r}"]
    described = facts()["types"].get(kind)
    if described is None:
        return [] if isinstance(value, dict) else [f"{where} is no {kind}"]
    if not isinstance(value, dict):
        return [f"{where} is no {kind}"]
    if described.get("subtypes"):
        return min((_problems(value, each, where) for each in described["subtypes"]), key=len)
    return problems_of_fields(value, described["fields"], where)


def problems_of_fields(given: dict[str, Any], fields: dict[str, Any], where: str) -> list[str]:
    """Returns what is wrong with the fields of an object or of a call."""
    found = [f"{where} lacks {name}" for name, field in fields.items() if field["required"] and name not in given]
    for name, value in given.items():
        if name not in fields:
            found.append(f"{where} has no {name}")
        else:
            found += problems_of(value, fields[name]["types"], f"{where}.{name}")
    return found


TAGS = frozenset(("b", "i", "u", "s", "a", "code", "pre"))
_TAG = re.compile(r"<(/?)([a-z]+)((?:\s[^>]*)?)>")


def read_html(text: str) -> str | None:
    """Returns the plain text of HTML as Telegram reads it; None if it can't."""
    opened: list[str] = []
    for closing, name, _ in _TAG.findall(text):
        if name not in TAGS or (closing and (not opened or opened.pop() != name)):
            return None
        if not closing:
            opened.append(name)
    plain = _TAG.sub("", text)
    if opened or "<" in plain or re.search(r"&(?!amp;|lt;|gt;|quot;|#\d+;)", plain):
        return None
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


if __name__ == "__main__":
    source = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    FACTS.write_text(json.dumps(trim(source), indent=1, sort_keys=True) + "\n", "utf-8")
