"""Refusals as sentences: why something is not done, and what to do instead."""

from play.ids import GuildId, Millis, UserId
from play.refusal import Refused
from presentation.people import Names
from presentation.text import shorten
from presentation.words.words import Words
from rules.game import AnyGame, Point, parse_size, point_name

OWN_DETAILS = ("roles", "channels", "permissions", "choices", "moves")
"""Details that the program has made; any other text may be what a player typed."""


USUAL_EXAMPLES = Point(10, 11), Point(11, 12)
"""Crossings that examples name where the board has them: K12 and L13."""


async def explain_refusal(
    refused: Refused, words: Words, names: Names, guild: GuildId | None, game: AnyGame | None = None
) -> str:
    """Returns the sentence of a refusal, with people as `guild` knows them, and examples of moves of `game`."""
    example, other = example_points(game)
    details = {"example": example, "other": other} | short_details(refused)
    if "user" in details:
        details["user"] = words.literal(await names.of(UserId(int(details["user"])), guild))
    if "until" in details:
        details["until"] = words.moment(Millis(1000 * int(details["until"])))
    return words(f"refused.{refused.key}", **details)


def example_points(game: AnyGame | None) -> tuple[str, str]:
    """Returns two crossings that a board has, for examples of moves."""
    one, other = USUAL_EXAMPLES
    size = parse_size(game.options["size"]) if game is not None else None
    if size is not None and (other.x >= size[0] or other.y >= size[1]):
        one = Point(size[0] // 2, size[1] // 2)
        other = Point(max(0, one.x - 1), max(0, one.y - 1))
    return point_name(one), point_name(other)


def short_details(refused: Refused) -> dict[str, str | int]:
    """Returns the details of a refusal; what a player may have typed is shortened."""
    return {
        name: shorten(value) if isinstance(value, str) and name not in OWN_DETAILS else value
        for name, value in refused.details.items()
    }
