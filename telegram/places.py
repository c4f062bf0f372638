"""What Telegram calls places and messages, as text that identities keep.

A chat is its number, a topic `<chat>/<topic>`, and a game in either has a place of its own: `<place>#<key>`. A message
is `<chat>/<number>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

SUPERGROUP = -1_000_000_000_000
"""Chats below are supergroups, whose messages have addresses."""


@dataclass(frozen=True, slots=True)
class Where:
    """A chat, and a topic of it."""

    chat: int
    topic: int | None = None

    @classmethod
    def read(cls, native: str) -> Self:
        """Returns the chat and the topic of a place."""
        chat, _, topic = native.partition("#")[0].partition("/")
        return cls(int(chat), int(topic) if topic else None)

    @classmethod
    def of(cls, message: dict[str, Any]) -> Self:
        """Returns where a message was sent. The thread of replies of a group without topics is none."""
        topic = message.get("message_thread_id") if message.get("is_topic_message") else None
        return cls(int(message["chat"]["id"]), topic)

    def __str__(self) -> str:
        return f"{self.chat}/{self.topic}" if self.topic else str(self.chat)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of a method that sends something there."""
        return {"chat_id": self.chat, "message_thread_id": self.topic}

    @property
    def is_direct(self) -> bool:
        return self.chat > 0

    def link(self, message: int) -> str | None:
        """Returns the address of a message for members, if it has one."""
        if self.chat >= SUPERGROUP:
            return None
        return "/".join(map(str, filter(None, ("https://t.me/c", SUPERGROUP - self.chat, self.topic, message))))


def read_message(native: str) -> tuple[int, int]:
    """Returns the chat and the number of a message."""
    chat, _, number = native.partition("/")
    return int(chat), int(number)
