"""The HTML that chats take: a few tags, and neither lists nor headings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import ClassVar

from presentation.markup import Markup


class HtmlMarkup(Markup):
    """Marks by tags. A platform names those that differ, and says how it mentions people and names commands."""

    bold_tag: ClassVar[str] = "b"
    slanted_tag: ClassVar[str] = "i"
    struck_tag: ClassVar[str] = "s"

    def bold(self, text: str) -> str:
        return _in(self.bold_tag, text)

    def slanted(self, text: str) -> str:
        return _in(self.slanted_tag, text)

    def label(self, text: str, quotes: Sequence[str]) -> str:
        return self.bold(text)

    def code(self, text: str, quotes: Sequence[str]) -> str:
        return _in("code", text)

    def changed(self, old: str, new: str) -> str:
        return " ".join(filter(None, (old and _in(self.struck_tag, old), new and self.bold(new))))

    def link(self, text: str, address: str) -> str:
        return f'<a href="{escape(address)}">{text}</a>'

    def title(self, line: str) -> str:
        return self.bold(line)

    def item(self, line: str) -> str:
        return f"• {line}"

    def player(self, name: str, emblem: str) -> str:
        return f"{emblem} {self.bold(self.literal(name))}"


def _in(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>"
