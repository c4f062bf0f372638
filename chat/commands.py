"""Commands by their names in all languages, and what else a line may begin with."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from presentation.words.words import Words, languages

HERE: Final = (
    *("help", "play", "challenge", "move", "board", "games", "resign", "draw", "takeback", "pause", "clock"),
    *("stop", "abort", "rematch", "vacation", "continue", "hint", "review", "replay", "export", "import", "puzzle"),
    *("profile", "leaderboard", "settings", "privacy", "accept", "withdraw", "options", "learn", "rules", "about"),
    *("link", "if", "history", "launch"),
)
"""The commands that a chat has, by their names in the catalogues (`name.<command>`)."""

ELSEWHERE: Final = ("tournament", "league", "ladder", "vote", "team", "predict")
"""Those of Discord alone."""

ALIASES: Final = {"start": "help", "daily": "puzzle", "undo": "takeback", "me": "profile", "top": "leaderboard"}
"""What else people of chats type, in Latin letters."""

SHOWN: Final = ("challenge", "play", "games", "board", "puzzle", "profile", "leaderboard", "settings", "help")
"""Those that a client lists."""

_OF_CHATS: Final = frozenset(("challenge", "board", "settings"))
"""Those of `SHOWN` that are described otherwise on Discord, by its channels and servers."""

_COMMAND = re.compile(r"\s*[/!]\s?([^\s@]{1,40})(?:@\w+)?\s*(.*)", re.DOTALL)
_WORD = re.compile(r"\s*([^\s@]{1,40})\s*(.*)", re.DOTALL)


class Command(NamedTuple):
    """A command by its name in the source language, and what was typed behind it."""

    name: str
    rest: str


@cache
def known_names() -> dict[str, str]:
    """Returns the command of each name in any language."""
    known = {**ALIASES}
    for words in languages():
        for name in (*HERE, *ELSEWHERE):
            known.setdefault(words.called(name).casefold(), name)
    return known | {name: name for name in (*HERE, *ELSEWHERE)}


def read_command(text: str, *, bare: bool = False) -> Command | None:
    """Returns the command of a line that begins with a slash or an exclamation mark; in a `bare` one, which is for the
    bot alone, neither is needed."""
    found = _COMMAND.fullmatch(text) or (_WORD.fullmatch(text) if bare else None)
    if found is None:
        return None
    name = known_names().get(found[1].casefold())
    return None if name is None else Command(name, " ".join(found[2].split()))


def describe(name: str, words: Words) -> str:
    """Returns what a command of `SHOWN` does."""
    return words(f"chat.command.{name}") if name in _OF_CHATS else words(f"command.{name}")
