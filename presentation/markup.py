"""How a surface marks a sentence: Discord by its Markdown and mentions, pages and pictures not at all."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from play.ids import SECOND, ChannelId, Millis, UserId, is_person
from presentation.text import escape, isolate

_SMALL_OR_ITEM = re.compile(r"^(?:-# |- )", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\(<?[^)>]*>?\)")
_LABEL = re.compile(r"(?<=[\w,.:;)–—] )\*\*([^*{}]+)\*\*")
"""A bold word inside a sentence: the label of a button."""

_MARK = re.compile(r"\\([\\*_~`|>\[\]()<#@:\-+.!])|\*{1,2}")

NOTHING = "–"
"""What is shown where there is nothing to link to."""

TEMPLATE_CACHE_SIZE = 4096
"""Sentences of catalogues whose marks were taken away: about all of two languages."""


class Stamp(StrEnum):
    """What is shown of a moment, as Discord names it."""

    FULL = "F"  # The day of the week, the date and the time of day.
    MOMENT = "f"  # The date and the time of day.
    DATE = "D"
    TIME = "t"  # The time of day.
    UNTIL = "R"  # How far away it is.


class Markup(Protocol):
    """What differs between surfaces in the same sentence."""

    def template(self, sentence: str, quotes: Sequence[str]) -> str:
        """Returns a sentence of a catalogue, which has Discord's marks, for this surface; its placeholders stay.

        The two `quotes` take the place of marks that say what is a label."""

    def literal(self, text: str) -> str:
        """Returns text that a person typed, as a name, so that nothing in it is a mark."""

    def bold(self, text: str) -> str: ...

    def title(self, line: str) -> str:
        """Returns a line as the title of what follows."""

    def small(self, line: str) -> str:
        """Returns a line as small print."""

    def item(self, line: str) -> str:
        """Returns a line as one of a list."""

    def player(self, name: str, emblem: str) -> str:
        """Returns a player's name beside the emblem of their dots, where the surface shows one."""

    def mention(self, user: UserId, name: str) -> str:
        """Returns a mention of a user, or their name."""

    def channel(self, channel: ChannelId) -> str:
        """Returns a link to a channel or thread; a dash on a surface that has none."""

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        """Returns a moment in the reader's own time, or as it is `written`."""

    def command(self, name: str, localised: str, number: int | None) -> str:
        """Returns a mention of the command `name` by its `number`, if that is known, or its `localised` name."""


class _Discord:
    """The Markdown of messages.

    Source: https://discord.com/developers/docs/reference#message-formatting-formats
    """

    def template(self, sentence: str, quotes: Sequence[str]) -> str:
        return sentence

    def literal(self, text: str) -> str:
        return escape(text)

    def bold(self, text: str) -> str:
        return f"**{text}**"

    def title(self, line: str) -> str:
        return f"### {line}"

    def small(self, line: str) -> str:
        return f"-# {line}"

    def item(self, line: str) -> str:
        return f"- {line}"

    def player(self, name: str, emblem: str) -> str:
        return f"{emblem} **{escape(name)}**"

    def mention(self, user: UserId, name: str) -> str:
        return f"<@{user}>" if is_person(user) else f"**{escape(name)}**"

    def channel(self, channel: ChannelId) -> str:
        return f"<#{channel}>"

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        return f"<t:{at // SECOND}:{stamp}>"

    def command(self, name: str, localised: str, number: int | None) -> str:
        return f"`/{localised}`" if number is None else f"</{name}:{number}>"


class _Plain:
    """No marks: for pages, alt texts and labels."""

    def template(self, sentence: str, quotes: Sequence[str]) -> str:
        return _unmarked(sentence, quotes)

    def literal(self, text: str) -> str:
        return isolate(text)

    def bold(self, text: str) -> str:
        return text

    def title(self, line: str) -> str:
        return line

    def small(self, line: str) -> str:
        return line

    def item(self, line: str) -> str:
        return line

    def player(self, name: str, emblem: str) -> str:
        return name

    def mention(self, user: UserId, name: str) -> str:
        return name

    def channel(self, channel: ChannelId) -> str:
        return NOTHING

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        return written()

    def command(self, name: str, localised: str, number: int | None) -> str:
        return f"/{localised}"


DISCORD: Markup = _Discord()
PLAIN: Markup = _Plain()


@lru_cache(maxsize=TEMPLATE_CACHE_SIZE)
def _unmarked(sentence: str, quotes: Sequence[str]) -> str:
    """Returns a sentence of a catalogue without bold, slanted and small print, escapes and links; labels are quoted."""
    quoted = _LABEL.sub(rf"{quotes[0]}\1{quotes[1]}", _SMALL_OR_ITEM.sub("", sentence))
    return _MARK.sub(lambda mark: mark[1] or "", _LINK.sub(r"\1", quoted))
