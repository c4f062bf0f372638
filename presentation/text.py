"""Text that people have typed, made safe for messages, pictures and pages."""

import re
import unicodedata

MAX_NAME = 32
"""Characters of a name; the least of what platforms allow."""

MAX_ECHO = 100
"""Characters that are repeated of what a player typed: enough to recognise it."""

MAX_MARKS = 3
"""Combining marks on one letter: Hebrew needs three. More run over the lines above and below."""

MESSAGE_ROOM = 1900
"""Characters of lines in one message. The shortest have 2000; marks, or a note on missing lines, are around them."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that show nothing, though Unicode does not call them spaces or controls."""

_JOINERS = frozenset("\u200c\u200d")
"""They belong between two letters of Persian or Hindi, or two parts of an emoji, and nowhere else."""

_EDGES = "".join((" ", *_JOINERS))

_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
"""The marks around text that takes its direction from its own first letter, and gives none to what is beside it.

Source: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates (FSI and PDI)
"""

_ISOLATED = re.compile(f"{_ISOLATE}[^{_ISOLATE}{_END_ISOLATE}]*{_END_ISOLATE}")

_FROM_RIGHT = frozenset(("R", "AL", "AN"))
"""The classes of letters and digits that turn the order of what is beside them."""

MAX_ALT = 1024
"""Characters of the description of a picture; the least of what platforms allow."""


def plain_name(name: str, most: int = MAX_NAME) -> str:
    """Returns a name, or another line of text, as pictures and thread titles can show it; `?` if nothing shows.

    It has no line breaks, half characters or invisible letters, few marks on a letter, and no direction marks but the
    pair of `isolate`, which may make it two characters longer than `most`.
    """
    return isolate(visible_text(name, most) or "?")


def isolate(text: str) -> str:
    """Returns text that leaves the order of its neighbours alone, also if it is written from the right.

    Without this a score line shows the numbers of Hebrew and Arabic names beside the wrong names. What is isolated
    already stays as it is, so lists of names can pass once more.
    """
    if text.isascii():
        return text
    turns = any(unicodedata.bidirectional(letter) in _FROM_RIGHT for letter in _ISOLATED.sub("", text))
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if turns else text


def unisolated(text: str) -> str:
    """Returns text without the marks of `isolate`, for files that are data to other programs."""
    return text.replace(_ISOLATE, "").replace(_END_ISOLATE, "")


def cut_names(names: str, most: int) -> str:
    """Returns a list of names, or as much of its beginning as fits into `most` characters with an ellipsis.

    An isolated name that is cut is closed, or else it would take what follows into itself.
    """
    if len(names) <= most:
        return names
    short = names[: most - 1]
    if short.rfind(_ISOLATE) > short.rfind(_END_ISOLATE):
        short = short[:-1] + _END_ISOLATE
    return f"{short}…"


def visible_text(text: str, most: int = MAX_NAME) -> str:
    """Returns what of a text is visible, in one line of `most` characters; empty if nothing is."""
    if text.isascii() and text.isprintable():  # most names, for which there is nothing to look up
        return " ".join(text.split())[:most].rstrip()
    kept: list[str] = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        if kind == "Zs":
            letter = " "
        elif kind in ("Mn", "Me") and letter not in _BLANK:
            marks += 1
            if marks > MAX_MARKS or not kept or kept[-1] == " ":
                continue
        elif letter in _JOINERS:
            if not kept or kept[-1] == " " or kept[-1] in _JOINERS:
                continue
        elif kind[0] in "CZ" or letter in _BLANK:
            continue
        if kind not in ("Mn", "Me"):
            marks = 0
        kept.append(letter)
    return " ".join("".join(kept).split())[:most].strip(_EDGES)


def shorten(text: str) -> str:
    """Returns what a player typed, short enough to be repeated in an answer."""
    line = visible_text(" ".join(text.split()), MAX_ECHO + 1)
    return isolate(line if len(line) <= MAX_ECHO else f"{line[: MAX_ECHO - 1]}…")


def signed(change: float) -> str:
    """Returns a difference with its sign, a minus that is as wide as the plus: `+12`, `−3.5`."""
    return f"{change:+g}".replace("-", "−")


def nameless(user: int) -> str:
    """Returns the name of a user of whom none is known: the end of their id, which leads nobody of another server to
    them."""
    return f"#{user % 10_000:04}"


def readable_name(user: int, *names: str | None) -> str:
    """Returns the first of the names that is visible, else what `nameless` returns."""
    return next((shown for name in names if (shown := visible_text(name or ""))), nameless(user))
