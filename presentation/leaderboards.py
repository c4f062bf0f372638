"""Leaderboards and season tables: their lines, titles and notes in words, and seasons by name."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from play.ids import DAY, SECOND, Millis
from play.ratings.leaderboard import (
    DRAW_POINTS,
    QUALIFYING_GAMES,
    STRANGER_SERVERS,
    STRANGERS,
    WIN_POINTS,
    Leader,
    LeaderboardPage,
    Scorer,
    Season,
    World,
    needs_strangers,
)
from presentation.markup import Stamp
from presentation.match.phrases import range_text, rating_text
from presentation.words.words import Words
from renderer.table import Line

MEDALS = ("🥇", "🥈", "🥉")
"""Beside the first three places."""

OWN = "➤"
"""Before the reader's own line."""

INACTIVE_MILLIS: Final = 60 * DAY
"""Players who have not played for 60 days are faint."""


def write_notes(
    page: LeaderboardPage,
    lines: Sequence[Leader | Scorer],
    now: Millis,
    words: Words,
) -> list[str]:
    """Returns the small print below the lines: how points are counted, and how players without a place get one."""
    if not lines:
        return [words("leaders.none")]
    if page.season is not None:
        tense = "now" if page.season.ends > now else "past"
        points = {"win": words.number(WIN_POINTS), "draw": words.number(DRAW_POINTS)}
        when = words.moment(Millis(page.season.ends - SECOND), Stamp.DATE)
        return [words.markup.small(words(f"leaders.points.{tense}", **points, when=when))]
    if any(isinstance(line, Leader) and line.provisional for line in lines):
        notes = [words("leaders.provisional", count=round(QUALIFYING_GAMES))]
        if page.everywhere and needs_strangers(page.pool):
            notes.append(words("leaders.strangers", opponents=STRANGERS, servers=STRANGER_SERVERS))
        return [words.markup.small(note) for note in notes]
    return []


def write_lack(page: LeaderboardPage, games: float, world: World, words: Words) -> str:
    """Returns what a player without a place lacks for one, by their whole `games` and those against strangers."""
    lines = [words("leaders.missing", count=ceil(QUALIFYING_GAMES - games))] if games < QUALIFYING_GAMES else []
    if page.everywhere and needs_strangers(page.pool) and not world.qualifies:
        needed = {"opponents": STRANGERS, "servers": STRANGER_SERVERS}
        lines.append(
            words("leaders.missing_strangers", own_opponents=world.strangers, own_servers=world.servers, **needed)
        )
    return "\n".join(lines)


def write_line(each: Leader | Scorer, name: str, number: int, now: Millis, words: Words) -> Line:
    """Returns a line as texts.

    `number` counts the lines of all pages from 1. A picture shows it in place of a name that the font lacks: unlike a
    place, no two lines share it.
    """
    place, note = each.place or 0, words("leaders.games", count=each.games)
    fallback = words("leaders.numbered", number=number)
    if isinstance(each, Scorer):
        if each.place is None and each.wins:
            note = f"{note}, {words('leaders.won', wins=each.wins)}"
        return Line(place, name, fallback, words.number(int(each.points + 0.5)), note, faint=each.place is None)
    rating = each.rating.at_time(now)
    faint = each.provisional or (rating.at is not None and now - rating.at > INACTIVE_MILLIS)
    value = range_text(rating) if each.provisional else rating_text(rating)
    return Line(place, name, fallback, value, note, faint)


def describe_line(line: Line, words: Words) -> str:
    """Returns a line of a table in words; small for a player without a place, or who has not played for long."""
    numbered = words.literal(f"{line.place}.") if line.place else "·"
    medal = MEDALS[line.place - 1] if 0 < line.place <= len(MEDALS) else numbered
    text = words("leaders.line", place=medal, name=words.literal(line.name), value=line.value, note=line.note)
    text = f"{OWN} {text}" if line.own else text
    return words.markup.small(text) if line.faint else text


def write_title(page: LeaderboardPage, words: Words) -> str:
    """Returns what a leaderboard is called."""
    pool = words(f"pool.{page.pool}")
    if page.season is None:
        return words("leaders.title", pool=pool)
    return words("leaders.season", pool=pool, year=str(page.season.year), quarter=page.season.quarter)


def name_season(season: Season, now: Season, words: Words) -> str:
    """Returns what a season is called while the season `now` lasts."""
    tense = "now" if season == now else "past"
    return words(f"leaders.choice.{tense}", year=str(season.year), quarter=season.quarter)
