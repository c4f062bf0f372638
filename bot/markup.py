"""Discord's marks: the Markdown of its messages, its mentions and its moments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from play.ids import SECOND, ChannelId, Millis, UserId, is_person
from presentation.markup import Markup, Stamp
from presentation.text import shorten
from presentation.words.words import Languages, languages

_MARKS = re.compile(r"([\\*_~`|>\[\]()<#@:\-+.!])")


class DiscordMarkup(Markup):
    """The Markdown of messages, which catalogues are written in.

    `command_ids` are the ids of the commands by name, as far as Discord has told them: the mapping may change later.
    Source: https://discord.com/developers/docs/reference#message-formatting-formats
    """

    platform = "Discord"

    def __init__(self, command_ids: Mapping[str, int] | None = None) -> None:
        super().__init__("DISCORD")
        self._command_ids = {} if command_ids is None else command_ids

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles without the ids of commands: what a worker process draws or films names none."""
        return _unlinked, ()

    def template(self, sentence: str, quotes: Sequence[str]) -> str:
        return sentence

    def escape(self, text: str) -> str:
        return _MARKS.sub(r"\\\1", text)

    def bold(self, text: str) -> str:
        return f"**{text}**"

    def slanted(self, text: str) -> str:
        return f"*{text}*"

    def label(self, text: str, quotes: Sequence[str]) -> str:
        return self.bold(text)

    def code(self, text: str, quotes: Sequence[str]) -> str:
        return f"`{text}`"

    def changed(self, old: str, new: str) -> str:
        return " ".join((*([f"~~{old}~~"] if old else ()), *([self.bold(new)] if new else ())))

    def link(self, text: str, address: str) -> str:
        return f"[{text}]({address})"

    def title(self, line: str) -> str:
        return f"### {line}"

    def small(self, line: str) -> str:
        return f"-# {line}"

    def item(self, line: str) -> str:
        return f"- {line}"

    def player(self, name: str, emblem: str) -> str:
        return f"{emblem} {self.bold(self.literal(name))}"

    def mention(self, user: UserId, name: str) -> str:
        return f"<@{user}>" if is_person(user) else self.bold(self.literal(name))

    def channel(self, channel: ChannelId) -> str:
        return f"<#{channel}>"

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        return f"<t:{at // SECOND}:{stamp}>"

    def command(self, name: str, localised: str) -> str:
        number = self._command_ids.get(name.partition(" ")[0])
        return f"`/{localised}`" if number is None else f"</{name}:{number}>"


DISCORD = DiscordMarkup()


def _unlinked() -> DiscordMarkup:
    return DISCORD


def escape(text: str) -> str:
    """Returns text in which nothing is a mark, a mention or a link, and which turns nothing around it, for messages."""
    return DISCORD.literal(text)


def quote(text: str) -> str:
    """Returns what a player typed, short and escaped, as an answer repeats it."""
    return escape(shorten(text))


@cache
def spoken() -> Languages:
    """Returns all languages as Discord shows them, read once."""
    return languages().speaking(DISCORD)
