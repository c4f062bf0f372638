"""Arenas in words: what they are at, and their standing."""

from collections.abc import Mapping
from typing import NamedTuple

from play.competitions.arena import Arena, Line, Stage, standing
from play.ids import Millis, UserId
from presentation.leaderboards import MEDALS
from presentation.strangers import wanted_terms
from presentation.words.words import Words

TOP = 10
"""Lines of a standing in a message."""

FLAME = "🔥"
"""Beside players whose next game counts double."""


class Row(NamedTuple):
    """A line of the standing as texts; `faint` for a player who is paused."""

    place: str
    name: str
    points: str
    note: str
    faint: bool


def title_text(arena: Arena, words: Words) -> str:
    """Returns what an arena is called: with its rules, its board and its clock."""
    return words("arena.title", rules=wanted_terms(arena.terms, words))


def stage_text(arena: Arena, now: Millis, words: Words) -> str:
    """Returns what an arena is at."""
    at = {Stage.GATHERING: arena.starts, Stage.RUNNING: arena.ends}.get(arena.stage)
    return words(f"arena.stage.{arena.stage}", when="" if at is None else words.until(at, now))


def short_text(arena: Arena, now: Millis, words: Words) -> str:
    """Returns an arena in three lines, beside a button."""
    head = words.markup.bold(f"🏟️ {title_text(arena, words)}")
    return "\n".join((head, stage_text(arena, now, words), words("arena.players", count=len(arena.fighters))))


def rules_texts(arena: Arena, words: Words) -> list[str]:
    """Returns how an arena counts, and whether its games are rated."""
    return [words("arena.rules"), words("arena.rated.yes" if arena.terms.rated else "arena.rated.no")]


def row_of(line: Line, arena: Arena, name: str, words: Words) -> Row:
    """Returns a line of the standing as texts."""
    paused = line.user not in arena.present and arena.stage.is_open
    note = words("leaders.games", count=line.games) + (f", {words('arena.paused')}" if paused else "")
    return Row(str(line.place), name, f"{line.points}{f' {FLAME}' if line.streak else ''}", note, paused)


def rows_of(arena: Arena, names: Mapping[UserId, str], words: Words, limit: int | None = None) -> list[Row]:
    """Returns the standing as texts, up to a `limit` of lines."""
    return [row_of(line, arena, names[line.user], words) for line in standing(arena)[:limit]]


def arena_text(arena: Arena, names: Mapping[UserId, str], now: Millis, words: Words) -> str:
    """Returns an arena with its standing, for a message."""
    rows = rows_of(arena, names, words, TOP) if arena.stage in (Stage.RUNNING, Stage.ENDED) else []
    lines = [
        words(
            "leaders.line",
            place=MEDALS[int(row.place) - 1] if int(row.place) <= len(MEDALS) else words.literal(f"{row.place}."),
            name=words.literal(row.name),
            value=row.points,
            note=row.note,
        )
        for row in rows
    ]
    small = words.markup.small(" ".join(rules_texts(arena, words)))
    return "\n".join((short_text(arena, now, words), *lines, *([small] if arena.stage.is_open else [])))
