"""The review of a finished game in words: its turning points, and what is said to a player without a big mistake."""

from collections.abc import Sequence

from opponent.purpose import Aim, Purpose, purpose_of
from opponent.review import MIN_LOSS, Mistake, Review
from play.match.match import Match
from presentation.advice import captures_text, dots_text, gain_text, plural
from presentation.match.phrases import turn_text
from presentation.words.words import Words
from rules.game import AnyGame, AnyPosition, Seat


def head_text(found: Review, words: Words, *, curve: bool) -> str:
    """Returns how many turning points a game has, and what the `curve` below it is, if there is one."""
    count = len(found.mistakes)
    if not count:
        return words("review.none")
    head = words("review.head", count=count) if curve else words("review.many", count=count)
    return f"{head} {words('review.order')}" if count > 1 else head


def own_verdict(match: Match, found: Review, seat: Seat, words: Words) -> str:
    """Returns what a player without a big mistake is told about their game. Nobody loses one by playing well, and
    who has won may owe it to the clock or to a resignation."""
    outcome = match.outcome
    if outcome is None or not outcome.winners or any(each.seat == seat for each in found.worst):
        return ""
    slipped = round(found.expected[0][seat] - found.expected[-1][seat])
    if slipped >= MIN_LOSS:
        return words("review.gradual", count=slipped)
    return words("review.flawless") if seat in outcome.winners else ""


def purposes_of(game: AnyGame, positions: Sequence[AnyPosition], found: Review) -> list[Purpose]:
    """Returns what the better turns of the turning points are good for; `positions` are all of the game."""
    return [purpose_of(game, positions[each.number - 1], each.line) for each in found.mistakes]


def mistake_text(match: Match, mistake: Mistake, purpose: Purpose, name: str, words: Words) -> str:
    """Returns what a turning point was, and the dots that the better turn captures at once or saves, else its points.

    `name` is that of its player."""
    lost = round(mistake.lost, 1)
    what: dict[str, str | int] = {
        "number": mistake.number,
        "name": name,
        "played": turn_text(match.game, mistake.played, words),
        "better": turn_text(match.game, mistake.better, words),
    }
    dots = dots_text(purpose.dots)
    if purpose.aim is Aim.CAPTURES and len(mistake.there) > 1:
        return words("review.missed.long", count=len(mistake.there), dots=dots, **what)
    if purpose.aim is Aim.CAPTURES:
        return words("review.missed", dots=dots, **what)
    if purpose.aim is Aim.SAVES:
        return words("review.saved", dots=dots, **what)
    sentence = words("review.slip", count=plural(lost), points=words.number(lost), **what)
    if match.game.score_unit == "dots":
        gain = captures_text(match.game, mistake.dots, mistake.line, words)
    else:
        gain = gain_text(match.game, mistake.captures, mistake.line, words)
    return f"{sentence} {gain}".strip()
