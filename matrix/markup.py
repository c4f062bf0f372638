"""Matrix's marks: the HTML that clients show, and the same as plain text for those that show none.

Source: https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape as escape_html
from html import unescape
from typing import Final
from urllib.parse import quote

from chat.html import HtmlMarkup
from play.ids import ChannelId, Millis, UserId, is_person
from presentation.markup import Stamp
from presentation.words.words import Languages, languages

_REFERENCE: Final = re.compile(r'<a href="kropka:(user|place)/(\d{1,19})">(.*?)</a>')
"""A mention, until the adapter knows what its platform calls the user or place."""

_FIXED: Final = re.compile(r"(<pre>.*?</pre>)", re.DOTALL)
_LINK: Final = re.compile(r'<a href="([^"]*)">(.*?)</a>')
_TAG: Final = re.compile(r"</?[a-z][^>]*>")


class MatrixMarkup(HtmlMarkup):
    """HTML with line breaks as they are; `formatted` makes tags of those."""

    platform = "Matrix"
    bold_tag, slanted_tag, struck_tag = "strong", "em", "del"

    def __init__(self) -> None:
        super().__init__("MATRIX")

    def escape(self, text: str) -> str:
        return escape_html(text)

    def small(self, line: str) -> str:
        return self.slanted(line)  # clients set the lines of <sub> far apart

    def mention(self, user: UserId, name: str) -> str:
        shown = self.literal(name)
        return f'<a href="kropka:user/{user}">{shown}</a>' if is_person(user) else self.bold(shown)

    def channel(self, channel: ChannelId) -> str:
        return f'<a href="kropka:place/{channel}">#</a>'

    def moment(self, at: Millis, stamp: Stamp, written: Callable[[], str]) -> str:
        return self.escape(written())

    def command(self, name: str, localised: str) -> str:
        """Returns a command as it is typed: clients keep lines with a slash to themselves."""
        return f"<code>!{self.escape(localised)}</code>"


MATRIX = MatrixMarkup()


@cache
def spoken() -> Languages:
    """Returns all languages as Matrix shows them, read once."""
    return languages().speaking(MATRIX)


def references(html: str) -> set[int]:
    """Returns the users and places that a text mentions."""
    return {int(found[2]) for found in _REFERENCE.finditer(html)}


def resolve(html: str, natives: Mapping[int, str]) -> str:
    """Returns a text whose mentions lead to what Matrix calls them; one that it doesn't know is its name alone."""

    def replaced(found: re.Match[str]) -> str:
        native = natives.get(int(found[2]))
        return f'<a href="{address_of(native)}">{found[3]}</a>' if native else found[3]

    return _REFERENCE.sub(replaced, html)


def address_of(*natives: str) -> str:
    """Returns the address of a user or room, and of an event in it, which every client opens."""
    return "https://matrix.to/#/" + "/".join(quote(native, safe="@!#$:") for native in natives)


def formatted(html: str) -> str:
    """Returns a text as the HTML of a message; lines of one width keep their breaks."""
    parts = _FIXED.split(html)
    return "".join(part if place % 2 else part.replace("\n", "<br>") for place, part in enumerate(parts))


def plain(html: str) -> str:
    """Returns a text without marks; links that lead out of Matrix have their addresses behind them."""

    def written(found: re.Match[str]) -> str:
        address, text = found[1], found[2]
        return text if address.startswith("https://matrix.to/") or address == text else f"{text} ({address})"

    return unescape(_TAG.sub("", _LINK.sub(written, html)))
