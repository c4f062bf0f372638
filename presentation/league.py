"""A league in words, and the table of a division as a picture."""

from collections.abc import Mapping
from typing import Final

from play.challenge.terms import Terms
from play.competitions.league import League, movements
from play.competitions.season import SEASON_MILLIS, Division, Season
from play.ids import Millis, UserId
from play.match.length import estimate
from presentation.terms import describe_terms
from presentation.text import plain_name
from presentation.tournaments import RESULTS, SCORES, UNPLAYED, place_text, points_text
from presentation.words.words import Words
from renderer.crosstable import Cell, CrossLine, Result

NamesOf = Mapping[UserId, str]

UP, DOWN = "↑", "↓"
"""Before the place of a player who goes up from a division, and of one who goes down, if the season ended now."""

MAX_NAMES: Final = 30
"""Members who are named before the first season."""


def page_title(season: Season, index: int, words: Words) -> str:
    """Returns which season and division a table is of."""
    return words("league.page", season=season.number, division=index + 1)


def table_lines(season: Season, index: int, names: NamesOf, words: Words) -> list[str]:
    """Returns the table of a division in words, and what its signs mean. `names` are as they are."""
    division, arrows = season.divisions[index], _arrows(season, index)
    lines = [
        words(
            "league.line.left" if row.user in division.gone else "league.line",
            place=words.literal(f"{arrows.get(row.user, '')}{place_text(row)}"),
            name=words.literal(names[row.user]),
            points=points_text(row, words),
            played=_played(division, row.user),
            games=len(division.users) - 1,
        )
        for row in division.table
    ]
    return [*lines, words("league.legend.arrows" if arrows else "league.legend")]


def table_rows(season: Season, index: int, names: NamesOf, words: Words) -> tuple[list[str], list[CrossLine]]:
    """Returns the labels of the columns of a division's crosstable, and a line for each player, the best first."""
    division, arrows = season.divisions[index], _arrows(season, index)
    table = division.table
    users = [row.user for row in table]
    cells = {(game.first, game.second): game for game in division.games}

    def cell(user: UserId, other: UserId) -> Cell:
        if user == other:
            return Cell("", Result.SELF)
        game = cells.get((user, other)) or cells.get((other, user))
        if game is None or game.points is None:
            return Cell(SCORES[Result.OPEN], Result.OPEN)
        result = RESULTS[game.points[0 if game.first == user else 1]]
        return Cell(SCORES[result] + UNPLAYED * game.unplayed, result)

    return [f"{number}" for number in range(1, len(users) + 1)], [
        CrossLine(
            f"{arrows.get(row.user, '')}{place_text(row)}",
            plain_name(names[row.user]),
            words("leaders.numbered", number=number),
            tuple(cell(row.user, other) for other in users),
            words.number(row.points),
            faint=row.user in division.gone,
        )
        for number, row in enumerate(table, start=1)
    ]


def league_lines(league: League, move_time: Millis, words: Words, now: Millis) -> list[str]:
    """Returns the title of a league, the terms of its games and about how long one takes, and its rules; then what
    changes with the next season. `move_time` is how long a move of such games usually takes on the server."""
    terms = map(words.markup.item, _terms_lines(league.terms, words).values())
    rules = words("league.rules"), words("league.moves")
    changed = next_terms_text(league, words, now)
    return [
        words("league.title"),
        *terms,
        length_line(league, move_time, words),
        *rules,
        *([changed] if changed else []),
    ]


def length_line(league: League, move_time: Millis, words: Words) -> str:
    """Returns how long a season lasts, and about how long a game takes in which moves take `move_time`."""
    length, season = estimate(league.terms.game, move_time, longest=Millis(SEASON_MILLIS)), Millis(SEASON_MILLIS)
    return words("league.length", time=words.duration(length), season=words.duration(season))


def next_terms_text(league: League, words: Words, now: Millis) -> str:
    """Returns what is different from the next season on; empty if nothing is."""
    if league.next_terms is None:
        return ""
    present, then = (_terms_lines(terms, words) for terms in (league.terms, league.next_terms))
    gone = [words("league.next.without", line=present[key]) for key in present if key not in then]
    changed = [line for key, line in then.items() if present.get(key) != line]
    return words("league.next", when=words.until(league.begins, now), terms=" · ".join((*changed, *gone)))


def _terms_lines(terms: Terms, words: Words) -> dict[str, str]:
    return {key: line for key, line in describe_terms(terms, "", words).items() if key != "order"}


def leader_lines(season: Season, names: NamesOf, words: Words) -> list[str]:
    """Returns a line for each division, with its best player."""
    points = {row.user: row.points for division in season.divisions for row in division.table}
    return [
        words("league.leader", division=index, name=words.literal(names[user]), points=words.number(points[user]))
        for index, user in enumerate(leaders(season), start=1)
    ]


def leaders(season: Season) -> list[UserId]:
    """Returns the best player of each division, who has not dropped out if anyone has stayed."""
    return [division.ranking[0] for division in season.divisions]


def movement_lines(season: Season, names: NamesOf, words: Words) -> list[str]:
    """Returns who went up and down, a line for each division that has some."""
    lines = []
    for index, movement in enumerate(movements(season), start=1):
        parts = [
            f"{sign} {', '.join(words.literal(names[user]) for user in users)}"
            for sign, users in ((UP, movement.up), (DOWN, movement.down))
            if users
        ]
        if parts:
            lines.append(words("league.told.moves", division=index, moves=" · ".join(parts)))
    return lines


def _arrows(season: Season, index: int) -> dict[UserId, str]:
    """Returns the signs of those who would move from a division; none in the first half of its games, in which they
    would say nothing."""
    division, movement = season.divisions[index], movements(season)[index]
    if 2 * sum(game.points is not None for game in division.games) < len(division.games):
        return {}
    down = (*movement.down, *movement.gone) if index < len(season.divisions) - 1 else ()
    return dict.fromkeys(movement.up, UP) | dict.fromkeys(down, DOWN)


def _played(division: Division, user: UserId) -> int:
    return sum(game.points is not None for game in division.games if user in game.users)
