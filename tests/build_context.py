"""The files of the repository that a build of the image gets: those that .dockerignore lets through."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Rule(NamedTuple):
    """A line of .dockerignore: whether it takes files out or, after a `!`, lets them in again."""

    pattern: re.Pattern[str]
    takes_out: bool

    @classmethod
    def read(cls, line: str) -> Rule:
        """Reads a line. `*` and `?` stay in one folder, `**` does not; a folder stands for all that is in it."""
        text = re.escape(line.removeprefix("!")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
        text = text.replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
        return cls(re.compile(f"{text}(?:/.*)?"), not line.startswith("!"))


@cache
def rules() -> tuple[Rule, ...]:
    """Returns the rules of .dockerignore, in their order."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    return tuple(Rule.read(line) for line in lines if line and not line.startswith("#"))


def is_sent(path: str) -> bool:
    """Returns whether a build gets a file: the last rule that fits decides.

    Source: https://docs.docker.com/build/concepts/context/#dockerignore-files
    """
    fitting = [rule for rule in rules() if rule.pattern.fullmatch(path)]
    return not fitting or not fitting[-1].takes_out
