"""Messages as the JSON of Discord's API v10, as the bot or a person gets them."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from loopback import components
from loopback.access import sign
from loopback.guild_wire import GuildWire
from loopback.ids import iso, made_at
from loopback.model import Attachment, Message, MessageKind, ReferenceKind

Json = dict[str, Any]


class Wire(GuildWire):
    """Writes all values as JSON."""

    def attachment(self, message: Message, attachment: Attachment) -> Json:
        """Returns an attachment object."""
        return self.file(attachment, f"attachments/{message.channel_id}", ephemeral=message.ephemeral)

    def file(self, attachment: Attachment, folder: str, *, ephemeral: bool) -> Json:
        """Returns an attachment object of a file, which for a command's file is in no message."""
        path = f"{folder}/{attachment.id}"
        proof = sign(self.world.secret, path)
        url = f"{self.cdn}/{path}/{quote(attachment.filename, safe='')}?hm={proof}"
        known = {key: getattr(attachment, key) for key in ("width", "height", "description")}
        return {
            "id": str(attachment.id),
            "filename": attachment.filename,
            "content_type": attachment.content_type,
            "size": len(attachment.data),
            "url": url,
            "proxy_url": url,
            "ephemeral": ephemeral,
            **{key: value for key, value in known.items() if value is not None},
        }

    def message(self, message: Message, *, to_bot: bool = True, nested: bool = False) -> Json:
        """Returns a message object.

        The bot has no Message Content intent. It gets the content of others only where they mention it, reply to it
        with a ping or write to it directly. A nested message comes without the message that it replies to.
        """
        channel = self.world.channels[message.channel_id]
        hidden = to_bot and not (
            message.author_id == self.world.bot.id or channel.is_dm or self.world.bot.id in message.mentions
        )
        json: Json = {
            "id": str(message.id),
            "channel_id": str(message.channel_id),
            "author": self.user(self.world.users[message.author_id]),
            "tts": False,
            "mention_everyone": message.mention_everyone,
            "pinned": message.pinned,
            **self._shown(message, hidden=hidden),
        }
        if message.nonce is not None:
            json["nonce"] = message.nonce
        if message.reactions:
            json["reactions"] = [self._reaction(each, me=to_bot) for each in message.reactions]
        if message.reference is not None:
            json |= self._reference(message, to_bot=to_bot, nested=nested)
        if message.snapshot is not None:
            json["message_snapshots"] = [{"message": self._shown(message.snapshot, hidden=hidden)}]
        if message.origin is not None:
            json |= self._origin(message)
        if thread := self.world.thread_of(message.id):
            json["thread"] = self.channel(thread)
        return json

    @staticmethod
    def _reaction(emoji: str, *, me: bool) -> Json:
        return {
            "emoji": {"id": None, "name": emoji},
            "count": 1,
            "count_details": {"burst": 0, "normal": 1},
            "burst_colors": [],
            "me_burst": False,
            "me": me,
        }

    def _standalone(self, message: Message) -> Iterable[Attachment]:
        """Returns the attachments that no embed and no component displays."""
        shown = {embed.get(key, {}).get("url") for embed in message.embeds for key in ("image", "thumbnail")}
        shown.update(components.media(message.components))
        return (each for each in message.attachments if f"attachment://{each.filename}" not in shown)

    def _media(self, message: Message, url: str) -> Json:
        for attachment in message.attachments:
            if url == f"attachment://{attachment.filename}":
                json = self.attachment(message, attachment)
                kept = {key: json.get(key) for key in ("id", "url", "proxy_url", "width", "height", "content_type")}
                return kept | {"attachment_id": json["id"]}
        return {
            "id": str(message.id),
            "url": url,
            "proxy_url": url,
            "width": None,
            "height": None,
            "content_type": None,
        }

    def _component(self, message: Message, part: Json) -> Json:
        part = components.with_media(part, lambda url: self._media(message, url))
        files = {str(each.id): each for each in message.attachments}
        for each in components.walk([part]):
            if each["type"] == components.FILE:
                shown = files[each["file"]["attachment_id"]]
                each |= {"name": shown.filename, "size": len(shown.data)}
        return part

    def _embed(self, message: Message, embed: Json) -> Json:
        keys = ("url", "proxy_url", "width", "height")
        pictures = {key: self._media(message, embed[key]["url"]) for key in ("image", "thumbnail") if key in embed}
        kept = {key: {each: media[each] for each in keys if media[each] is not None} for key, media in pictures.items()}
        return {"type": "rich"} | embed | kept

    def _shown(self, message: Message, *, hidden: bool) -> Json:
        """Returns the part of a message that goes along when it is forwarded, which is neither its author nor its id.
        What people write may be hidden from the bot."""
        return {
            "type": int(message.kind),
            "content": "" if hidden else message.content,
            "timestamp": iso(made_at(message.id)),
            "edited_timestamp": None if message.edited is None else iso(message.edited),
            "mentions": self.users(message.mentions),
            "mention_roles": [str(role) for role in message.mention_roles],
            "attachments": [] if hidden else [self.attachment(message, each) for each in self._standalone(message)],
            "embeds": [] if hidden else [self._embed(message, embed) for embed in message.embeds],
            "components": [] if hidden else [self._component(message, part) for part in message.components],
            "flags": int(message.flags),
        }

    def _reference(self, message: Message, *, to_bot: bool, nested: bool) -> Json:
        assert message.reference is not None
        channel = self.world.channels.get(message.reference.channel_id)
        original = self.world.messages.get(message.reference.message_id)
        json: Json = {
            "message_reference": {
                "type": int(ReferenceKind.REPLY if message.snapshot is None else ReferenceKind.FORWARD),
                "channel_id": str(message.reference.channel_id),
                "message_id": str(message.reference.message_id),
                **({"guild_id": str(self.world.guild_of(channel).id)} if channel and channel.in_guild else {}),
            }
        }
        if not nested and message.kind is MessageKind.REPLY:
            json["referenced_message"] = original and self.message(original, to_bot=to_bot, nested=True)
        return json

    def _origin(self, message: Message) -> Json:
        origin = message.origin
        assert origin is not None
        user = self.user(self.world.users[origin.user_id])
        metadata: Json = {
            "id": str(origin.interaction_id),
            "type": origin.kind,
            "user": user,
            "authorizing_integration_owners": self.owners(self.world.channels[message.channel_id], origin.installer),
        }
        json: Json = {
            "webhook_id": str(self.world.application_id),
            "application_id": str(self.world.application_id),
            "interaction_metadata": metadata,
        }
        if origin.kind == 2:
            json["interaction"] = {"id": metadata["id"], "type": 2, "name": origin.name, "user": user}
        elif origin.kind == 3:
            metadata["interacted_message_id"] = str(origin.message_id)
        elif origin.kind == 5:
            opener = {key: metadata[key] for key in ("id", "user", "authorizing_integration_owners")}
            by_component = {"type": 3, "interacted_message_id": str(origin.message_id)}
            metadata["triggering_interaction_metadata"] = opener | (
                {"type": 2} if origin.message_id is None else by_component
            )
        return json
