"""Seats, turns and ratings of a match in a few words: the colours of dots, what a dot closes, what a stone does."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from play.ids import UserId
from play.match.match import Match
from play.ratings.glicko import Rating
from play.ratings.settlement import MAX_FULL_GAMES, MIN_MOVES, WEAK_LEVEL_GAP, RatingChange
from presentation.text import signed
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES, Ink, Shape
from rules.dash import Choice, DashPosition, Move, Opening
from rules.dots import Call, Turn
from rules.game import AnyGame, Point, Seat, point_name

DISCS = {
    "red": "🔴",
    "crimson": "🔴",
    "orange": "🟠",
    "yellow": "🟡",
    "green": "🟢",
    "blue": "🔵",
    "violet": "🟣",
    "pink": "🟣",
    "brown": "🟤",
}
"""The emoji nearest to each colour of a dot."""

SQUARES = {"blue": "🟦"}
"""Those of the colours that square dots have."""

MAX_NAMED_DOTS = 12
"""Dots of a drawn chain that a sentence names; the picture shows them all."""


def emblem(theme: str, seat: int) -> str:
    """Returns the sign of a seat."""
    return sign(_ink(theme, seat))


def sign(ink: Ink) -> str:
    """Returns the emoji of the dots in an ink."""
    return SQUARES[ink.name] if ink.shape is Shape.SQUARE else DISCS[ink.name]


def colour_name(theme: str, seat: int, words: Words) -> str:
    """Returns the colour of a seat's dots in words."""
    return words(f"colour.{_ink(theme, seat).name}")


def _ink(theme: str, seat: int) -> Ink:
    return THEMES.get(theme, PAPER).inks[seat]


def turn_text(game: AnyGame, notation: str, words: Words, emphasise: Callable[[str], str] = str) -> str:
    """Returns a turn in words, its dot as `emphasise` marks it; in its notation if that names nothing else."""
    turn = game.parse(notation)
    if isinstance(turn, Call):
        return emphasise(words("button.land" if turn is Call.LAND else "button.stop"))
    if not isinstance(turn, Turn):
        return emphasise(name_dash_turn(notation, words))
    text = emphasise(point_name(turn.dot))
    closed = [*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)]
    if closed:
        text = words("turn.closing", turn=text, points=", ".join(map(point_name, closed)))
    for chain in turn.chains:
        if len(chain) > 1:
            text = words("turn.drawing", turn=text, chain=chain_text(chain))
    return text


def chain_text(chain: tuple[Point, ...]) -> str:
    """Returns the dots of a chain, the last ones of a long one."""
    named = "–".join(map(point_name, chain[-MAX_NAMED_DOTS:]))
    return f"…–{named}" if len(chain) > MAX_NAMED_DOTS else named


def describe_turn(match: Match, name: str, words: Words) -> str:
    """Returns what the player `name` did by the last turn of a match; empty in other games."""
    if not isinstance(match.position, DashPosition) or match.last_move is None:
        return ""

    def emphasised(*points: object) -> str:
        return " ".join(words.markup.bold(str(point)) for point in points)

    turn = match.position.rules.parse(match.last_move.text)
    if isinstance(turn, Opening):
        pair, single = map(point_name, sorted(turn.pair)), point_name(turn.single)
        return words("dash.set_up", name=name, pair=emphasised(*pair), single=emphasised(single))
    if isinstance(turn, Choice):
        return words(f"dash.took.{turn.name.lower()}", name=name)
    assert isinstance(turn, Move), "there are three kinds of turns"
    start, end = map(point_name, (turn.start, turn.end))
    said = words("dash.dashed", name=name, start=emphasised(start), end=emphasised(end))
    fives = ", ".join(map(str, sorted(turn.fives)))
    return f"{said}, {words('dash.counts', fives=fives)}" if fives else said


def name_dash_turn(turn: str, words: Words) -> str:
    """Returns a turn as a sentence names it: in its notation, but for the sides."""
    if turn in set(Choice):
        return words(f"dash.side.{Choice(turn).name.lower()}")
    return turn.removeprefix("set ")


def describe_reserves(match: Match, name: Callable[[Seat], str], words: Words) -> str:
    """Returns how many stones each player has left, once the stones have owners; empty in other games."""
    position = match.position
    if not isinstance(position, DashPosition) or not position.has_sides:
        return ""
    reserves = " · ".join(f"{name(Seat(seat))} {count}" for seat, count in enumerate(position.reserves))
    return words("dash.reserves", reserves=reserves)


def rating_text(rating: Rating) -> str:
    """Returns a rating in whole points, with a question mark while it is provisional."""
    return f"{round(rating.value)}{'?' if rating.provisional else ''}"


def range_text(rating: Rating) -> str:
    """Returns a rating with its deviation, both in whole points."""
    return f"{round(rating.value)} ± {round(rating.deviation)}"


def change_text(before: float, after: float) -> str:
    """Returns the change of a rating in whole points: the difference of what players read before and after it."""
    return signed(round(after) - round(before))


def change_line(change: RatingChange, name: str, words: Words) -> str:
    """Returns how a match changed a player's rating."""
    return words(
        "rating.changed",
        name=name,
        pool=words(f"pool.{change.pool}"),
        before=rating_text(change.before),
        after=rating_text(change.after),
        change=change_text(change.before.value, change.after.value),
    )


def weight_lines(changes: Sequence[RatingChange], names: Mapping[UserId, str], words: Words) -> Iterator[str]:
    """Yields the reasons why the match counts for less than a whole game for its players, as far as they are told, each
    reason once.

    How much less it counts is not told: a number would show a reason that is not.
    """
    limits = {"full": MAX_FULL_GAMES, "moves": MIN_MOVES, "points": round(WEAK_LEVEL_GAP)}
    for reason in dict.fromkeys(reason for change in changes for reason in change.weight.reasons):
        first, *others = (names[change.user] for change in changes if reason in change.weight.reasons)
        told = [words(f"weight.{reason}", name=first, **limits), *(words("weight.too", name=each) for each in others)]
        yield words.markup.small(" ".join(told))
