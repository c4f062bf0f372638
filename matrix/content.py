"""What a message of the chat is as an event: its text with marks and without, its picture, and its buttons as signs.

A client shows no buttons. So a message lists them with their numbers; a player reacts with a number, or types it. The
event carries what each number does, where no client shows it: so a number works for ever, and nothing is stored.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from chat.messages import Button, File, Message, Picture
from matrix.markup import formatted, plain

Json = dict[str, Any]

ACTIONS: Final = "kropka.actions"
"""The key under which an event carries the codes of its actions."""

MARK: Final = "\u2063"
"""The sign before the list of choices, by which it is found again; no client shows it."""

SIGNS: Final = tuple(f"{digit}\ufe0f\u20e3" for digit in range(1, 10))
"""The signs of the numbers from one to nine."""

MAX_SIGNS: Final = 5
"""Signs that the bot itself puts below a question: each is an event, of which homeservers allow few a minute."""

MAX_ACTIONS: Final = 40


def text_of(message: Message) -> str:
    """Returns the text of a message with the list of its choices, in the marks of Matrix."""
    lines, number = list[str](), 0
    for row in message.buttons:
        shown = list[str]()
        for button in row:
            if button.action is not None:
                number += 1
            shown.append(_choice(button, number))
        lines.append(" · ".join(shown))
    fixed = [f"<pre><code>{escape(message.fixed)}</code></pre>"] if message.fixed else []
    choices = [f"{'' if place else MARK}{line}" for place, line in enumerate(lines)]
    return "\n".join((message.text, *fixed, *choices))


def codes_of(message: Message) -> list[str]:
    """Returns what the numbers of a message do, in their order."""
    buttons = (button for row in message.buttons for button in row)
    return [button.action.code for button in buttons if button.action is not None][:MAX_ACTIONS]


def text_content(html: str, pinged: Iterable[str] = ()) -> Json:
    """Returns the content of a text message, which calls those `pinged`."""
    return {
        "msgtype": "m.text",
        "body": plain(html),
        "format": "org.matrix.custom.html",
        "formatted_body": formatted(html),
        "m.mentions": {"user_ids": [*pinged]} if pinged else {},
    }


def picture_content(html: str, picture: Picture, address: str, pinged: Iterable[str] = ()) -> Json:
    """Returns the content of a picture with a text below it; who can't see it reads both."""
    content = text_content(html, pinged)
    width, height = struct.unpack(">II", picture.png[16:24])
    info = {"mimetype": "image/png", "size": len(picture.png), "w": width, "h": height}
    body = f"{content['body']}\n{picture.alt}" if picture.alt else content["body"]
    return {**content, "msgtype": "m.image", "filename": picture.name, "body": body, "url": address, "info": info}


def file_content(html: str, file: File, address: str) -> Json:
    """Returns the content of a file with a text below it."""
    info = {"mimetype": file.mime, "size": len(file.data)}
    return {**text_content(html), "msgtype": "m.file", "filename": file.name, "url": address, "info": info}


def placed(content: Json, thread: str | None, reply_to: str | None) -> Json:
    """Returns a content as part of a thread, as a reply, or both."""
    relation: Json = {}
    if thread is not None:
        relation = {"rel_type": "m.thread", "event_id": thread, "is_falling_back": reply_to is None}
    if reply_to is not None or thread is not None:
        relation["m.in_reply_to"] = {"event_id": reply_to or thread}
    return {**content, "m.relates_to": relation} if relation else content


def edit_of(content: Json, event: str) -> Json:
    """Returns the content that shows another one in the place of an event's."""
    return {
        **{key: value for key, value in content.items() if key != ACTIONS},
        "body": f"* {content['body']}",
        "m.mentions": {},
        "m.new_content": content,
        "m.relates_to": {"rel_type": "m.replace", "event_id": event},
    }


def newest(event: Mapping[str, Any]) -> Json:
    """Returns the content of an event as it is shown now."""
    match event:
        case {"unsigned": {"m.relations": {"m.replace": {"content": {"m.new_content": dict(content)}}}}}:
            return content
        case {"content": dict(content)}:
            return content
    return {}


def thread_of(event: Mapping[str, Any]) -> str | None:
    """Returns the event in which the thread of an event begins."""
    match event:
        case {"content": {"m.relates_to": {"rel_type": "m.thread", "event_id": str(root)}}}:
            return root
    return None


def codes(content: Mapping[str, Any]) -> list[str]:
    """Returns what the numbers of an event do that the bot has sent."""
    found = content.get(ACTIONS)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def folded(content: Json) -> Json:
    """Returns a content without its choices."""
    kept = {key: value for key, value in content.items() if key not in (ACTIONS, "m.relates_to")}
    for key, before in (("body", "\n"), ("formatted_body", "<br>")):
        text, found, choices = str(kept.get(key, "")).partition(f"{before}{MARK}")
        alt = choices.partition("\n")[2] if key == "body" and found and kept.get("msgtype") == "m.image" else ""
        kept[key] = f"{text}\n{alt}" if alt else text
    return kept


def number_of(sign: str) -> int | None:
    """Returns the number that a sign or a typed line means, if it is one."""
    bare = sign.strip().replace("\ufe0f", "").replace("\u20e3", "")
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) <= 2 else None


def _choice(button: Button, number: int) -> str:
    label = escape(button.label)
    if button.url is not None:
        return f'<a href="{escape(button.url)}">{label}</a>'
    sign = SIGNS[number - 1] if number <= len(SIGNS) else f"<strong>{number}</strong>"
    return f"{sign} {label}"
