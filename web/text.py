"""Sentences that were written for Discord, as plain text."""

from __future__ import annotations

import re

_MENTIONED_COMMAND = re.compile(r"</([^:>]+):\d+>")
_SUBTEXT = re.compile(r"^(?:-# |- )", re.MULTILINE)
_MARK = re.compile(r"\\([\\*_~`|>\[\]()<#@:\-+.!])|\*{1,2}")
_LINK = re.compile(r"\[([^]]*)\]\(<?[^)>]*>?\)")


def plain_text(sentence: str) -> str:
    """Returns a sentence without marks of Discord: bold, slanted and small print, escapes, links and commands."""
    told = _MENTIONED_COMMAND.sub(r"/\1", _SUBTEXT.sub("", sentence))
    return _MARK.sub(lambda mark: mark[1] or "", _LINK.sub(r"\1", told))
