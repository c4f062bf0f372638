"""Messages as Telegram takes them: text of a bounded length, keyboards, and alerts without marks."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from html import unescape
from typing import Any

from chat.messages import Button, Message
from telegram.markup import PLACE, USER

MAX_TEXT, MAX_CAPTION, MAX_ALERT = 4096, 1024, 200
"""Characters of a message, of the caption of a picture, and of an alert, without marks."""

MAX_LABEL = 64
"""Characters of a button that phones show."""

_TAG = re.compile(r"<[^>]+>")
_MENTION = re.compile(rf'<a href="{USER}(\d+)">(.*?)</a>', re.DOTALL)
_LINK = re.compile(rf'<a href="{PLACE}(\d+)/(\d+)">(.*?)</a>', re.DOTALL)
_EMPTY = re.compile(r'<a href="">(.*?)</a>', re.DOTALL)


def plain(text: str) -> str:
    """Returns text without marks."""
    return unescape(_TAG.sub("", text))


def fit(text: str, most: int) -> str:
    """Returns text of at most so many characters without marks, cut after a line: marks are within lines."""
    if len(plain(text)) <= most:
        return text
    lines = text.split("\n")
    while len(lines) > 1 and len(plain("\n".join(lines))) > most - 2:
        lines.pop()
    kept = "\n".join(lines)
    return f"{kept}\n…" if len(plain(kept)) <= most - 2 else plain(kept)[: most - 1].replace("<", "&lt;") + "…"


def body_of(message: Message) -> str:
    """Returns the text of a message, with what is in letters of one width below it."""
    if not message.fixed:
        return message.text
    fixed = message.fixed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"{message.text}\n<pre>{fixed}</pre>"


def keyboard(message: Message, app: Callable[[int], Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Returns the buttons below a message, if it has any; `app` returns how one opens the Mini App, if it can there."""
    rows = [[_button(each, app) for each in row] for row in message.buttons if row]
    return {"inline_keyboard": rows} if rows else None


def _button(button: Button, app: Callable[[int], Mapping[str, Any] | None]) -> dict[str, Any]:
    label, opens = button.label[:MAX_LABEL], None if button.app is None else app(button.app)
    if opens is not None:
        return {"text": label, **opens}
    if button.action is not None:
        return {"text": label, "callback_data": button.action.code}
    assert button.url is not None, "a button has an action or an address"
    return {"text": label, "url": button.url}


async def resolve(
    text: str, user_of: Callable[[int], Awaitable[str | None]], link_of: Callable[[int, int], Awaitable[str | None]]
) -> str:
    """Returns text in which mentions and links to messages have what Telegram calls them; those that it does not know
    are text alone."""
    text = await _replace(_MENTION, text, lambda found: _mention(found, user_of))
    text = await _replace(_LINK, text, lambda found: _link(found, link_of))
    return _EMPTY.sub(r"\1", text)


async def _replace(pattern: re.Pattern[str], text: str, shown: Callable[[re.Match[str]], Awaitable[str]]) -> str:
    parts, end = [], 0
    for found in pattern.finditer(text):
        parts += [text[end : found.start()], await shown(found)]
        end = found.end()
    return "".join((*parts, text[end:]))


async def _mention(found: re.Match[str], user_of: Callable[[int], Awaitable[str | None]]) -> str:
    native = await user_of(int(found[1]))
    return f'<a href="tg://user?id={native}">{found[2]}</a>' if native else found[2]


async def _link(found: re.Match[str], link_of: Callable[[int, int], Awaitable[str | None]]) -> str:
    address = await link_of(int(found[1]), int(found[2]))
    return f'<a href="{address}">{found[3]}</a>' if address else found[3]
