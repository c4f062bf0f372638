"""A league in words, and the table of a division as a picture."""

from collections.abc import Mapping
from typing import Final

from play.competitions.league import League, movements
from play.competitions.season import Division, Season
from play.ids import UserId
from presentation.terms import describe_terms
from presentation.text import escape, plain_name
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
            place=f"{arrows.get(row.user, '')}{place_text(row)}".replace(".", "\\."),
            name=escape(names[row.user]),
            points=points_text(row, words),
            played=_played(division, row.user),
            games=len(division.users) - 1,
        )
        for row in division.table
    ]
    return [*lines, words("league.legend")]


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


def league_lines(league: League, words: Words) -> list[str]:
    """Returns the title of a league, the terms of its games, and its rules."""
    terms = describe_terms(league.terms, "", words)
    lines = [words("league.title"), *(words.markup.item(line) for key, line in terms.items() if key != "order")]
    return [*lines, words("league.rules"), words("league.moves")]


def leader_lines(season: Season, names: NamesOf, words: Words) -> list[str]:
    """Returns a line for each division, with its best player."""
    points = {row.user: row.points for division in season.divisions for row in division.table}
    return [
        words("league.leader", division=index, name=escape(names[user]), points=words.number(points[user]))
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
            f"{sign} {', '.join(escape(names[user]) for user in users)}"
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
