"""Telegram's marks: the HTML of its messages.

Mentions and links to messages name our ids, since whose they are at Telegram is stored: the adapter puts that in when
it sends. Source: https://core.telegram.org/bots/api#html-style
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from play.ids import UserId, is_person
from presentation.markup import Markup

USER, PLACE = "kropka-user:", "kropka-place:"
"""What the address of a mention and of a message begins with until it is sent."""


class TelegramMarkup(Markup):
    """The HTML of messages."""

    platform = "Telegram"

    def escape(self, text: str) -> str:
        return escape(text, quote=False)

    def bold(self, text: str) -> str:
        return f"<b>{text}</b>"

    def slanted(self, text: str) -> str:
        return f"<i>{text}</i>"

    def label(self, text: str, quotes: Sequence[str]) -> str:
        return self.bold(text)

    def code(self, text: str, quotes: Sequence[str]) -> str:
        return f"<code>{text}</code>"

    def changed(self, old: str, new: str) -> str:
        return " ".join(filter(None, (old and f"<s>{old}</s>", new and self.bold(new))))

    def link(self, text: str, address: str) -> str:
        return f'<a href="{address}">{text}</a>'

    def title(self, line: str) -> str:
        return self.bold(line)

    def small(self, line: str) -> str:
        return self.slanted(line)

    def item(self, line: str) -> str:
        return f"• {line}"

    def player(self, name: str, emblem: str) -> str:
        return f"{emblem} {self.bold(self.literal(name))}"

    def mention(self, user: UserId, name: str) -> str:
        shown = self.literal(name)
        return f'<a href="{USER}{user}">{shown}</a>' if is_person(user) else self.bold(shown)

    def command(self, name: str, localised: str) -> str:
        return f"/{self.escape(localised.partition(' ')[0])}"


TELEGRAM = TelegramMarkup("TELEGRAM")
