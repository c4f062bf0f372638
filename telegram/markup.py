"""Telegram's marks: the HTML of its messages.

Mentions and links to messages name our ids, since whose they are at Telegram is stored: the adapter puts that in when
it sends. Source: https://core.telegram.org/bots/api#html-style
"""

from __future__ import annotations

from html import escape

from chat.html import HtmlMarkup
from play.ids import UserId, is_person

USER, PLACE = "kropka-user:", "kropka-place:"
"""What the address of a mention and of a message begins with until it is sent."""


class TelegramMarkup(HtmlMarkup):
    """The HTML of messages."""

    platform = "Telegram"

    def escape(self, text: str) -> str:
        return escape(text, quote=False)

    def small(self, line: str) -> str:
        return self.slanted(line)

    def mention(self, user: UserId, name: str) -> str:
        shown = self.literal(name)
        return f'<a href="{USER}{user}">{shown}</a>' if is_person(user) else self.bold(shown)

    def command(self, name: str, localised: str) -> str:
        """Returns a command by its English name, which can be tapped: Telegram takes Latin letters alone."""
        return f"/{name.partition(' ')[0]}"


TELEGRAM = TelegramMarkup("TELEGRAM")
