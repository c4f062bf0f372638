"""The rules of a ladder in words."""

from __future__ import annotations

from play.competitions.ladder import MAX_IDLE_MILLIS, MAX_STEP, Ladder
from play.ids import DAY
from presentation.terms.terms_text import describe_terms
from presentation.words.words import Words

MAX_PLACES = 30
"""Places that are shown."""


def rules_lines(ladder: Ladder, words: Words) -> list[str]:
    """Returns the terms of the games, and the rules."""
    lines = [words.markup.item(line) for key, line in describe_terms(ladder.terms, "", words).items() if key != "order"]
    lines += [words("ladder.rules", count=MAX_STEP), words("ladder.idle", count=MAX_IDLE_MILLIS // DAY)]
    return [*lines, words("ladder.busy")] if ladder.duels else lines
