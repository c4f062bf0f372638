"""Builds messages from the bodies that the bot sends, within Discord's limits on content, embeds, components and files.

Source: https://discord.com/developers/docs/resources/message#create-message
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from loopback import components
from loopback.attachments import MAX_FILE_BYTES, new_attachment
from loopback.errors import EMPTY_MESSAGE, MESSAGE_BLOCKED, TOO_LARGE, ApiError, Malformed
from loopback.model import Attachment, Message, MessageFlag, MessageKind
from loopback.world import World

Json = dict[str, Any]

SENDABLE = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
FIELDS: dict[str, tuple[type, ...]] = {
    "content": (str,),
    "embeds": (list,),
    "components": (list,),
    "attachments": (list,),
    "flags": (int,),
    "allowed_mentions": (dict,),
    "message_reference": (dict,),
    "nonce": (str, int),
    "enforce_nonce": (bool,),
    "tts": (bool,),
    "sticker_ids": (list,),
}
"""The fields of a body, each with its types; any may be null."""
USER_MENTION = re.compile(r"<@!?(\d+)>")
ROLE_MENTION = re.compile(r"<@&(\d+)>")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request; ``index`` is the n of its field ``files[n]``."""

    index: int
    filename: str
    data: bytes


def build_message(
    world: World, message: Message, body: Json, uploads: Sequence[Upload], *, replied_to: int | None = None
) -> Message:
    """Returns the message with the fields of the body in place of its own; a new message starts blank.

    Args:
        replied_to: the author of the message that this one replies to.

    Raises:
        Malformed: the body or the result breaks a limit.
        ApiError: 50006 for an empty message, 40005 for a file over 10 MiB, 200000 for a word that AutoMod blocks.
    """
    if unknown := body.keys() - FIELDS.keys():
        raise Malformed((sorted(unknown)[0],), "no such field in a message, or one that this stand-in does not know")
    for name, kinds in FIELDS.items():
        if not isinstance(body.get(name), (*kinds, type(None))):
            raise Malformed((name,), f"this is no {kinds[0].__name__}")
    if body.get("sticker_ids"):
        raise Malformed(("sticker_ids",), "there are no stickers here")
    flags = message.flags | (MessageFlag(body.get("flags") or 0) & SENDABLE)
    v2 = MessageFlag.COMPONENTS_V2 in flags
    content = (body["content"] or "").strip() if "content" in body else message.content
    if len(content) > 2000:
        raise Malformed(("content",), f"must be 2000 or fewer in length, is {len(content)}")
    embeds = tuple(body["embeds"] or ()) if "embeds" in body else message.embeds
    _check_embeds(embeds)
    parts = message.components
    if "components" in body:
        parts = components.validate(body["components"] or (), v2=v2)
    if v2 and (content or embeds):
        raise Malformed(("content" if content else "embeds",), "cannot stand beside Components V2 (flag 32768)")
    files = _attachments(world, message, body.get("attachments"), uploads)
    for url in (*components.media(parts), *_embedded_urls(embeds)):
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in {
            each.filename for each in files
        }:
            raise Malformed(("components",), f"{url} names no attachment of the message")
    if not (content or embeds or files or (v2 and parts)):
        raise ApiError(EMPTY_MESSAGE)
    draft = replace(message, flags=flags, content=content, embeds=embeds, components=parts, attachments=files)
    by_user_app = message.origin is not None and message.origin.installer is not None
    if world.blocks(message.author_id, world.channels[message.channel_id], draft.text, exempt=not by_user_app):
        raise ApiError(MESSAGE_BLOCKED)
    return _with_mentions(world, draft, body.get("allowed_mentions"), replied_to)


def _check_embeds(embeds: Sequence[Json]) -> None:
    if len(embeds) > 10:
        raise Malformed(("embeds",), f"at most 10 allowed, are {len(embeds)}")
    limits = {"title": 256, "description": 4096}
    total = 0
    for index, embed in enumerate(embeds):
        for key, limit in limits.items():
            if len(embed.get(key) or "") > limit:
                raise Malformed(("embeds", index, key), f"must be {limit} or fewer in length")
        fields = embed.get("fields", ())
        if len(fields) > 25:
            raise Malformed(("embeds", index, "fields"), "at most 25 allowed")
        for place, field in enumerate(fields):
            if not (0 < len(field["name"]) <= 256 and 0 < len(field["value"]) <= 1024):
                raise Malformed(
                    ("embeds", index, "fields", place), "needs a name up to 256 and a value up to 1024 characters"
                )
        texts = [embed.get("title"), embed.get("description"), embed.get("footer", {}).get("text")]
        total += sum(len(text or "") for text in texts) + sum(len(each["name"] + each["value"]) for each in fields)
    if total > 6000:
        raise Malformed(("embeds",), f"at most 6000 characters in all embeds, are {total}")


def _embedded_urls(embeds: Sequence[Json]) -> list[str]:
    return [embed[key]["url"] for embed in embeds for key in ("image", "thumbnail") if key in embed]


def _attachments(
    world: World, message: Message, listed: list[Json] | None, uploads: Sequence[Upload]
) -> tuple[Attachment, ...]:
    """Keeps old attachments if the list is absent or names them; an index in the list names an upload."""
    old = {each.id: each for each in message.attachments}
    new = {each.index: each for each in uploads}
    for upload in uploads:
        if len(upload.data) > MAX_FILE_BYTES:
            raise ApiError(TOO_LARGE)
    entries: list[Json] = list(listed) if listed is not None else [{"id": each} for each in old]
    entries += [{"id": index} for index in new if not any(str(entry["id"]) == str(index) for entry in entries)]
    if len(entries) > 10:
        raise Malformed(("attachments",), f"at most 10 files allowed, are {len(entries)}")
    kept = []
    for place, entry in enumerate(entries):
        which = int(entry["id"])
        description = entry.get("description")
        if len(description or "") > 1024:
            raise Malformed(("attachments", place, "description"), "must be 1024 or fewer in length")
        if which in old:
            kept.append(replace(old[which], description=description or old[which].description))
        elif which in new:
            filename = entry.get("filename") or new[which].filename
            kept.append(new_attachment(world.ids.next(), filename, new[which].data, description))
        else:
            raise Malformed(
                ("attachments", place, "id"), f"{which} is neither files[{which}] nor an attachment of the message"
            )
    return tuple(kept)


def _with_mentions(world: World, message: Message, allowed: Json | None, replied_to: int | None) -> Message:
    """Adds whom the message pings: mentioned users and roles, and ``replied_to``, as ``allowed_mentions`` permits."""
    roles = [each for each in dict.fromkeys(map(int, ROLE_MENTION.findall(message.text))) if each in world.roles]
    named = list(dict.fromkeys(int(each) for each in USER_MENTION.findall(message.text)))
    everyone = "@everyone" in message.text or "@here" in message.text
    ping = replied_to
    if allowed is not None:
        kinds, users = allowed.get("parse") or [], [int(each) for each in allowed.get("users") or []]
        if "users" in kinds and users:
            raise Malformed(("allowed_mentions",), 'parse with "users" and a list of users exclude each other')
        if "users" not in kinds:
            named = [each for each in named if each in users]
        if "roles" not in kinds:
            roles = [each for each in roles if str(each) in map(str, allowed.get("roles") or [])]
        everyone = everyone and "everyone" in kinds
        ping = replied_to if allowed.get("replied_user") else None
    if message.kind is not MessageKind.REPLY:
        ping = None
    pinged = [each for each in dict.fromkeys((*named, *([ping] if ping else []))) if each in world.users]
    return replace(message, mentions=tuple(pinged), mention_everyone=everyone, mention_roles=tuple(roles))
