"""The tally of a vote: the likely dots with their shares, drawn on the board and in words."""

from dataclasses import replace

from play.match.events import OfferKind
from play.match.match import Match
from play.votes import Choice, Count, Tally, Vote, at_vote, total_votes
from presentation.match.crops import Drawing, draw_zone, zone_around
from presentation.match.phrases import turn_text
from presentation.words.words import Words
from rules.dots import Turn
from rules.game import AnyGame, Number, Picture, Point, Zone

MAX_NAMED = 5
"""Choices that the words name; the others are one share."""

MAX_DRAWN = 12
"""Dots with shares on the board, the likeliest first: more would hide it."""

MAX_SIDE = 11
"""Crossings a side of a board that is shown whole, or of the part with the likely dots: with more, the shares are too
small to read on a phone."""


def choice_text(game: AnyGame, choice: Choice, turn: str, words: Words) -> str:
    """Returns what one may vote for in words: a turn, or the end of the game."""
    return turn_text(game, turn, words) if choice is Choice.MOVE else words(f"vote.choice.{choice}")


def ask_for_draw_text(match: Match, words: Words) -> str:
    """Returns the question whether to vote for a draw: to agree to one, or to offer it."""
    offer = match.offer(OfferKind.DRAW)
    agrees = offer is not None and not offer.declined and match.to_act not in offer.agreed
    return f"{words('vote.ask.agree' if agrees else 'vote.ask.draw')}\n{words('vote.two_thirds')}"


def tally_text(match: Match, tally: Tally, words: Words) -> str:
    """Returns how many votes there are and what they are for, the likeliest first; the same for a screen reader."""
    lines = [words("vote.count", count=tally.total)]
    lines += [words.markup.item(_share_text(match, tally, count, words)) for count in tally.counts[:MAX_NAMED]]
    if others := tally.counts[MAX_NAMED:]:
        rest = total_votes(others)
        percent = words.percent(tally.percent(rest) / 100)
        lines.append(words.markup.item(words("vote.others", percent=percent, count=rest)))
    return "\n".join(lines)


def turn_votes_text(match: Match, tally: Tally, number: int, words: Words) -> str:
    """Returns what the votes were for by which a move, from 1, was played."""
    move = match.moves[number - 1]
    agreed = total_votes(each for each in tally.counts if each.choice is Choice.MOVE and each.text == move.text)
    played = turn_text(match.game, move.text, words)
    decided = words("vote.decided", count=agreed, total=tally.total, move=played)
    others = [count for count in tally.counts if count.text != move.text][: MAX_NAMED - 1]
    return "\n".join((decided, *(words.markup.item(_share_text(match, tally, count, words)) for count in others)))


def draw_tally(match: Match, tally: Tally, own: Vote | None, words: Words, theme: str) -> Drawing:
    """Draws the board with the shares in percent on the likely dots, the `own` vote of the reader marked; of a large
    board the part with them. Takes 5 to 60 ms."""
    picture = tally_picture(match, tally, own)
    drawn = draw_zone(picture, tally_zone(picture), words, theme)
    return drawn._replace(alt=f"{tally_text(match, tally, words.plain)}\n{drawn.alt}")


def tally_picture(match: Match, tally: Tally, own: Vote | None = None) -> Picture:
    """Returns the board as it was voted about, with the shares as numbers, one for all turns with the same dot, and a
    mark for the `own` vote."""
    votes: dict[Point, int] = {}
    for count in tally.likely:
        if (dot := _dot_of(match.game, count.text)) is not None:
            votes[dot] = votes.get(dot, 0) + count.votes
    likely = sorted(votes, key=lambda dot: -votes[dot])[:MAX_DRAWN]
    numbers = tuple(Number(dot, max(1, tally.percent(votes[dot]))) for dot in likely)
    marked = own and own.choice is Choice.MOVE and _dot_of(match.game, own.text)
    board = at_vote(match, tally.version).position.picture()
    return replace(board, numbers=numbers, choices=frozenset([marked] if marked in likely else []))


def tally_zone(picture: Picture) -> Zone:
    """Returns the part of a board that a phone can read: all of it, or that around the likeliest dots."""
    whole = Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))
    if max(picture.width, picture.height) <= MAX_SIDE:
        return whole
    middle = Point(picture.width // 2, picture.height // 2)
    dots = [number.point for number in picture.numbers] or [*picture.last] or [middle]
    zone = zone_around(dots[:1], picture, 1)
    for count in range(2, len(dots) + 1):
        wider = zone_around(dots[:count], picture, 1)
        if max(wider.high.x - wider.low.x, wider.high.y - wider.low.y) >= MAX_SIDE:
            break
        zone = wider
    return zone


def _share_text(match: Match, tally: Tally, count: Count, words: Words) -> str:
    move = choice_text(match.game, count.choice, count.text, words)
    percent = words.percent(tally.percent(count.votes) / 100)
    return words("vote.share", move=move, percent=percent, count=count.votes)


def _dot_of(game: AnyGame, text: str) -> Point | None:
    """Returns the crossing of a turn that places a dot."""
    turn = game.parse(text)
    return turn.dot if isinstance(turn, Turn) else None
