"""How a surface marks a sentence: a chat by what it calls bold or a link, pages and pictures not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache

from play.ids import ChannelId, Millis, UserId
from presentation.text import isolate

_LINE = re.compile(r"(?P<small>-# )?(?P<item>- )?(?P<title>#{1,3} )?(?P<rest>.*)")

_MARK = re.compile(
    r"\\(?P<escaped>[<\\*_~`|>\[\]()#@:\-+.!])"
    r"|(?<=[\w,.:;)–—] )\*\*(?P<label>[^*{}]+)\*\*"
    r"|\*\*(?P<bold>(?:[^*]|\*[^*]+\*)+)\*\*"
    r"|\*(?P<slanted>[^*]+)\*"
    r"|`(?P<code>[^`]+)`"
    r"|\[(?P<linked>[^]]*)\]\(<?(?P<address>[^)>]*)>?\)"
)
"""The marks of catalogues. A bold word inside a sentence is the label of a button."""

NOTHING = "–"
"""What is shown where there is nothing to link to."""

TEMPLATE_CACHE_SIZE = 8192
"""Sentences of catalogues in the marks of a surface: about all of two languages on two surfaces."""


class Stamp(StrEnum):
    """What is shown of a moment."""

    FULL = "F"  # The day of the week, the date and the time of day.
    MOMENT = "f"  # The date and the time of day.
    DATE = "D"
    TIME = "t"  # The time of day.
    UNTIL = "R"  # How far away it is.


class Markup:
    """What differs between surfaces in the same sentence.

    This class has no marks: it is for pages, alt texts and labels. A surface derives from it and has what it shows.
    Its values are constants of the module of their class. They pickle by their `name` there, so worker processes find
    them, and words that were sent there speak the marks of their surface.
    """

    platform = ""
    """How people call the platform; empty for a surface of none."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> str | tuple[object, ...]:
        return self._name

    def template(self, sentence: str, quotes: Sequence[str]) -> str:
        """Returns a sentence of a catalogue in the marks of this surface; its placeholders stay.

        The two `quotes` are around labels and what is typed, where the surface has no marks for them.
        """
        return _rendered(sentence, self, quotes)

    def escape(self, text: str) -> str:
        """Returns text in which nothing is a mark."""
        return text

    def literal(self, text: str) -> str:
        """Returns text that a person typed, as a name: nothing in it is a mark, and it turns nothing around it."""
        return isolate(self.escape(text))

    def bold(self, text: str) -> str:
        return text

    def slanted(self, text: str) -> str:
        return text

    def label(self, text: str, quotes: Sequence[str]) -> str:
        """Returns the label of a button: bold where the surface has that, or in quotes."""
        return f"{quotes[0]}{text}{quotes[1]}"

    def code(self, text: str, quotes: Sequence[str]) -> str:
        """Returns what people type letter by letter."""
        return f"{quotes[0]}{text}{quotes[1]}"

    def changed(self, old: str, new: str) -> str:
        """Returns a text in place of an older one; either may be empty."""
        return f"{old or NOTHING} → {new or NOTHING}"

    def link(self, text: str, address: str) -> str:
        """Returns text that leads to an address; the text alone on a surface without links."""
        return text

    def title(self, line: str) -> str:
        """Returns a line as the title of what follows."""
        return line

    def small(self, line: str) -> str:
        """Returns a line as small print."""
        return line

    def item(self, line: str) -> str:
        """Returns a line as one of a list."""
        return line

    def player(self, name: str, emblem: str) -> str:
        """Returns a player's name beside the emblem of their dots, where the surface shows one."""
        return self.literal(name)

    def mention(self, user: UserId, name: str) -> str:
        """Returns a mention of a user, or their name."""
        return self.literal(name)

    def channel(self, channel: ChannelId) -> str:
        """Returns a link to a channel or thread; a dash on a surface that has none."""
        return NOTHING

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        """Returns a moment in the reader's own time, or as it is `written`."""
        return written()

    def command(self, name: str, localised: str) -> str:
        """Returns the command `name` as people type or press it, by its `localised` name."""
        return f"/{localised}"


PLAIN = Markup("PLAIN")


@lru_cache(maxsize=TEMPLATE_CACHE_SIZE)
def _rendered(sentence: str, markup: Markup, quotes: Sequence[str]) -> str:
    """Returns a sentence of a catalogue with the marks of a surface in place of its own."""
    return "\n".join(_render_line(line, markup, quotes) for line in sentence.split("\n"))


def _render_line(line: str, markup: Markup, quotes: Sequence[str]) -> str:
    """Returns a line as what its first characters say it is."""
    parts = _LINE.fullmatch(line)
    assert parts is not None, "every line matches"
    shown = _render_text(parts["rest"], markup, quotes)
    for kind, of_surface in (("title", markup.title), ("item", markup.item), ("small", markup.small)):
        if parts[kind]:
            shown = of_surface(shown)
    return shown


def _render_text(text: str, markup: Markup, quotes: Sequence[str]) -> str:
    """Returns a text with what is marked inside it, from left to right."""
    shown: list[str] = []
    end = 0
    for mark in _MARK.finditer(text):
        shown += markup.escape(text[end : mark.start()]), _render_mark(mark, markup, quotes)
        end = mark.end()
    return "".join((*shown, markup.escape(text[end:])))


def _render_mark(mark: re.Match[str], markup: Markup, quotes: Sequence[str]) -> str:
    """Returns what a mark is on a surface, with what is marked inside it."""
    inside = mark[mark.lastgroup or 0]
    match mark.lastgroup:
        case "escaped":
            return markup.escape(inside)
        case "code":
            return markup.code(markup.escape(inside), quotes)
        case "label":
            return markup.label(markup.escape(inside), quotes)
        case "bold":
            return markup.bold(_render_text(inside, markup, quotes))
        case "slanted":
            return markup.slanted(_render_text(inside, markup, quotes))
    return markup.link(_render_text(mark["linked"], markup, quotes), mark["address"])
