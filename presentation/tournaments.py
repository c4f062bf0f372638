"""Tournaments in words, and drawn: a bracket of a knock-out, a crosstable of the other formats."""

from collections.abc import Mapping, Sequence

from play.clock import Speed
from play.competitions.rounds import defeats_before, is_final, winner_of
from play.competitions.standings import Standing
from play.competitions.tournament import Format, Pairing, Stage, Tournament
from play.ids import UserId
from presentation.terms import describe_terms, level_label
from presentation.text import plain_name
from presentation.words.words import Words
from renderer.bracket import Section, Side, bracket
from renderer.crosstable import Cell, CrossLine, Result, crosstable
from renderer.theme import Theme

MAX_GRID = 20
"""Players of a round robin up to which the table has a column for each of them; above it has one for each round."""

MAX_ROUNDS = 15
"""Rounds in a table, the newest ones: as many as a Swiss tournament has at most."""

MAX_COLUMNS, MAX_PAIRS = 9, 32
"""Rounds beside each other in the picture of a bracket, and pairs below each other: those of a knock-out of 64."""

RESULTS = {1.0: Result.WON, 0.5: Result.DRAWN, 0.0: Result.LOST}
SCORES = {Result.WON: "1", Result.DRAWN: "½", Result.LOST: "0", Result.OPEN: "·"}
SIGNS = {Result.WON: "+", Result.DRAWN: "=", Result.LOST: "−", Result.OPEN: ""}
"""How a cell begins that names the opponent, as in the tables of chess."""

UNPLAYED = "*"
"""Behind a result that was decided without a game."""

NamesOf = Mapping[UserId, str]

Pairs = list[tuple[Side, Side]]


def draw_tournament(tournament: Tournament, name: str, names: NamesOf, words: Words, theme: Theme) -> bytes:
    """Returns the picture of a tournament that has begun, as a PNG file."""
    over = tournament.stage is Stage.ENDED
    heading = end_label(tournament, words) if over else round_label(tournament, tournament.round, words)
    if tournament.format.eliminates:
        return bracket(name, heading, newest_rounds(bracket_sections(tournament, names, words)), theme)
    return crosstable(
        name, heading, *crosstable_lines(tournament, names, words), theme, unplayed_note(tournament, words)
    )


def crosstable_lines(tournament: Tournament, names: NamesOf, words: Words) -> tuple[list[str], list[CrossLine]]:
    """Returns the labels of the columns, and a line for each player, the best first."""
    if tournament.format is Format.ROUND_ROBIN and len(tournament.users) <= MAX_GRID:
        labels, cells = _cells_by_opponent(tournament, words)
    elif tournament.format is Format.EXHIBITION:
        labels, cells = _cells_against_host(tournament, words)
    else:
        labels, cells = _cells_by_round(tournament, words)
    return labels, [
        CrossLine(
            place_text(row) if tournament.has_results else "",
            plain_name(names[row.user]),
            words("leaders.numbered", number=number),
            tuple(cells[row.user]),
            words.number(row.points),
            faint=row.user not in tournament.playing,
        )
        for number, row in enumerate(tournament.table, start=1)
    ]


def _cells_by_opponent(tournament: Tournament, words: Words) -> tuple[list[str], dict[UserId, list[Cell]]]:
    """Returns a column for each player by their line, and the last one for rounds without an opponent."""
    users = [row.user for row in tournament.table]
    free = len(users) % 2 == 1
    met = {
        (user, pair.opponent(user)): pair
        for pair in tournament.pairings
        for user in (pair.first, pair.second)
        if user is not None
    }
    cells = {
        user: [
            Cell("", Result.SELF) if user == other else _cell(met.get((user, other)), user)
            for other in (*users, *([None] if free else []))
        ]
        for user in users
    }
    labels = [f"{number}" for number in range(1, len(users) + 1)]
    last = words("tournament.computer.label" if tournament.computer else "tournament.free.label")
    return [*labels, *([last] if free else [])], cells


def _cells_against_host(tournament: Tournament, words: Words) -> tuple[list[str], dict[UserId, list[Cell]]]:
    """Returns one column, with each player's result against the host."""
    host, *others = tournament.users
    met = {pair.opponent(host): pair for pair in tournament.pairings}
    cells = {user: [_cell(met.get(user), user)] for user in others}
    return [words("tournament.exhibition.label")], {host: [Cell("", Result.SELF)], **cells}


def _cells_by_round(tournament: Tournament, words: Words) -> tuple[list[str], dict[UserId, list[Cell]]]:
    """Returns a column for each of the newest rounds, with the opponents by their lines, or that there was none."""
    users = [row.user for row in tournament.table]
    numbers = {user: f"{number}" for number, user in enumerate(users, start=1)}
    rounds = range(max(1, tournament.round - MAX_ROUNDS + 1), tournament.round + 1)
    played = {(pair.round, user): pair for pair in tournament.pairings for user in (pair.first, pair.second)}
    cells: dict[UserId, list[Cell]] = {user: [] for user in users}
    for user in users:
        for number in rounds:
            pair = played.get((number, user))
            shown = _cell(pair, user)
            if pair is None and number < tournament.late_entrants.get(user, 1):
                shown = Cell(SCORES[Result.DRAWN] + UNPLAYED, Result.DRAWN)
            elif pair is not None:
                shown = shown._replace(text=_opponent_text(pair, user, shown.result, numbers, words))
            cells[user].append(shown)
    return [f"{number}" for number in rounds], cells


def _opponent_text(pair: Pairing, user: UserId, result: Result, numbers: NamesOf, words: Words) -> str:
    """Returns a result with the number of the opponent's line; a bye, and a game against the computer, by their names:
    digits are players."""
    if pair.is_bye:
        return words("tournament.free.label")
    opponent = pair.opponent(user)
    name = words("tournament.computer.label") if opponent is None else numbers.get(opponent, "•")
    return f"{SIGNS[result]}{name}{UNPLAYED * pair.unplayed}"


def _cell(pair: Pairing | None, user: UserId) -> Cell:
    """Returns a player's result in a pair, by its points; empty if there is no pair yet."""
    if pair is None:
        return Cell("", Result.OPEN)
    result = Result.OPEN if pair.points is None else RESULTS[pair.points[0 if pair.first == user else 1]]
    return Cell(SCORES[result] + UNPLAYED * (pair.unplayed and not pair.is_bye), result)


def unplayed_note(tournament: Tournament, words: Words) -> str:
    """Returns what the mark of results without a game means; nothing where no result in the table has it."""
    unplayed = any(pair.unplayed and not pair.is_bye for pair in tournament.pairings)
    marked = unplayed or any(map(tournament.missed_rounds, tournament.late_entrants))
    return f"{UNPLAYED} {words('tournament.unplayed')}" if marked else ""


def bracket_sections(tournament: Tournament, names: NamesOf, words: Words) -> list[Section]:
    """Returns the pairs of all rounds. Those to come have the players who are through, or no names.

    A double elimination has a section of the pairs without a defeat, the final included, and one of the others.
    """
    rounds = range(1, tournament.round + 1)
    if tournament.format is Format.KNOCK_OUT:
        return [Section(_rounds_ahead(tournament, [_pairs_of(tournament, number) for number in rounds], names, words))]
    above, below = list[tuple[str, Pairs]](), list[tuple[str, Pairs]]()
    for number in rounds:
        lost, final = defeats_before(tournament, number), is_final(tournament, number)
        label = round_label(tournament, number, words)
        parted = [list[Pairing](), list[Pairing]()]
        for pair in _pairs_of(tournament, number):
            parted[bool(lost[pair.first]) and not final].append(pair)
        for rows, pairs in zip((above, below), parted, strict=True):
            rows.append((label if pairs else "", _sides(pairs, names, words)))
    kinds = [(above, "above"), (below, "below")]
    return [
        Section(rows, words(f"tournament.bracket.{kind}"), linked=False)
        for rows, kind in kinds
        if any(pairs for _, pairs in rows)
    ]


def newest_rounds(sections: list[Section]) -> list[Section]:
    """Returns the sections without so many of their first rounds that a picture of them is too large."""
    while (
        sum(max(len(pairs) for _, pairs in each.rounds) for each in sections) > MAX_PAIRS
        or max(len(each.rounds) for each in sections) > MAX_COLUMNS
    ):
        sections = [each._replace(rounds=each.rounds[1:]) if len(each.rounds) > 1 else each for each in sections]
    return sections


def _rounds_ahead(
    tournament: Tournament, played: list[list[Pairing]], names: NamesOf, words: Words
) -> list[tuple[str, Pairs]]:
    """Returns the rounds of a knock-out with those to come, and their names."""
    rounds = [_sides(pairs, names, words) for pairs in played]
    through = [Side() if pair.points is None else _name_side(winner_of(pair), names, words) for pair in played[-1]]
    while len(through) > 1:
        rounds.append(list(zip(through[::2], through[1::2], strict=True)))
        through = [Side()] * (len(through) // 2)
    kinds = [round_kind(tournament.format, len(pairs)) for pairs in rounds]
    labels = [words(f"tournament.round.{kind}", round=number) for number, kind in enumerate(kinds, start=1)]
    return list(zip(labels, rounds, strict=True))


def _pairs_of(tournament: Tournament, number: int) -> list[Pairing]:
    return [pair for pair in tournament.pairings if pair.round == number]


def _sides(pairs: Sequence[Pairing], names: NamesOf, words: Words) -> Pairs:
    return [(_side(pair, pair.first, names, words), _side(pair, pair.second, names, words)) for pair in pairs]


def _side(pair: Pairing, user: UserId | None, names: NamesOf, words: Words) -> Side:
    if user is None:
        return Side(words("tournament.free.label"), lost=True)
    side = _name_side(user, names, words)
    if pair.points is None:
        return side
    own = pair.points[0 if user == pair.first else 1]
    return side._replace(note=SCORES[RESULTS[own]], won=own == 1.0, lost=own < 1.0)


def _name_side(user: UserId, names: NamesOf, words: Words) -> Side:
    seed = list(names).index(user) + 1
    return Side(plain_name(names[user]), words("leaders.numbered", number=seed))


def round_kind(format: Format, pairs: int) -> str:  # noqa: A002 - as the tournament's field
    """Returns what a round with so many pairs is: the last part of the keys of its names."""
    if format is Format.EXHIBITION:
        return "boards"
    known = {1: "final", 2: "semifinals", 4: "quarterfinals"} if format is Format.KNOCK_OUT else {}
    return known.get(pairs, "numbered")


def end_label(tournament: Tournament, words: Words) -> str:
    """Returns after which round a tournament has ended; an exhibition has but one."""
    is_exhibition = tournament.format is Format.EXHIBITION
    return words("web.tournament.ended") if is_exhibition else words("tournament.over", round=tournament.round)


def result_note(pair: Pairing, words: Words) -> str:
    """Returns how a pair was decided, if not by a game that was won, in brackets behind its result."""
    if pair.unplayed:
        return f" ({words('tournament.unplayed')})"
    return f" ({words('tournament.seeded')})" if pair.is_seeded else ""


def round_label(tournament: Tournament, number: int, words: Words) -> str:
    """Returns the name of a round as a heading: "Round 2", "Final"."""
    return words(f"tournament.round.{_kind_of(tournament, number)}", round=number)


def round_phrase(tournament: Tournament, number: int, words: Words) -> str:
    """Returns the name of a round within a line: "round 2", "final"."""
    return words(f"tournament.during.{_kind_of(tournament, number)}", round=number)


def _kind_of(tournament: Tournament, number: int) -> str:
    if tournament.format is Format.DOUBLE_ELIMINATION:
        if not is_final(tournament, number):
            return "numbered"
        return "decider" if is_final(tournament, number - 1) else "final"
    return round_kind(tournament.format, sum(pair.round == number for pair in tournament.pairings))


MAX_NAME = 60
"""Characters of a tournament's name."""


def place_text(row: Standing) -> str:
    """Returns a place as tables write it: `2.`, and `=2.` if players share it."""
    return f"{'=' if row.shared else ''}{row.place}."


def points_text(row: Standing, words: Words) -> str:
    """Returns a player's points, and the tie-breaks that separate them from players of equal points."""
    broken = [words(f"tournament.tie-break.{each}", value=words.number(value)) for each, value in row.broken_by]
    return " · ".join((words.number(row.points), *broken))


def standing_text(tournament: Tournament, row: Standing, words: Words) -> str:
    """Returns a player's points as `points_text` does, and in which round they came in late."""
    entered = tournament.late_entrants.get(row.user)
    late = [words("tournament.entered", round=entered)] if entered else []
    return " · ".join((points_text(row, words), *late))


def terms_lines(tournament: Tournament, words: Words) -> list[str]:
    """Returns the format, the terms of the games, the time of a round, and what becomes of draws where one wins."""
    kind = words(f"tournament.format.{tournament.format}")
    if tournament.format is Format.SWISS:
        number = tournament.planned_rounds
        by_players = words("tournament.swiss.open", format=kind, number=number)
        kind = words("tournament.swiss", format=kind, count=number) if tournament.rounds else by_players
    lines = [kind]
    lines += (
        words.markup.item(line) for key, line in describe_terms(tournament.terms, "", words).items() if key != "order"
    )
    if tournament.format is Format.EXHIBITION:
        lines.append(
            words(
                "tournament.exhibition.live"
                if tournament.terms.control.speed is Speed.LIVE
                else "tournament.exhibition"
            )
        )
    if tournament.pace is not None:
        lines.append(words("tournament.pace", pace=words.duration(tournament.pace)))
    if tournament.format.eliminates:
        lines.append(words("tournament.draws"))
    if tournament.check_in and tournament.stage is Stage.SIGN_UP:
        lines.append(words("tournament.checks_in"))
    if tournament.computer is not None:
        lines.append(words("tournament.fills", level=level_label(tournament.computer, words)))
    return lines
