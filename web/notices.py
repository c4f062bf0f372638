"""Pages of a few words: the way in, and what is refused, with buttons that lead on."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

HTML = (Path(__file__).parent / "static" / "shared" / "notice.html").read_text(encoding="utf-8")
"""The page, with places for its language, its lead, its line, its buttons and a script."""


class Way(NamedTuple):
    """A button: what it is called, and where it leads."""

    label: str
    url: str


def write_notice(language: str, lead: str, line: str, ways: Iterable[Way], script: str = "") -> str:
    """Returns the page. The `lead` says what the site is; a `script` is HTML."""
    buttons = "".join(f'<a href="{html.escape(way.url)}">{html.escape(way.label)}</a>' for way in ways)
    texts = {"language": language, "lead": lead, "line": line}
    return HTML.format(**{name: html.escape(text) for name, text in texts.items()}, ways=buttons, script=script)
