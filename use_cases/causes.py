"""The cause of a mistake: the kind of exercise that trains it."""

from collections.abc import Sequence
from typing import Final

from opponent.review import captured_dots, play_line
from play.community.exercise import Kind
from play.match.match import Match
from play.people.past_mistake import Finding
from rules.dots import Call, DotsPosition
from rules.game import IllegalMove, Point, Seat

PLIES_SEEN: Final = 4
"""Moves of the game from the mistake on in which its player is punished for it: a later capture has other causes."""

WALL_DOTS: Final = 4
"""Linked dots that are a wall; fewer are dots that could have escaped. As in the set of exercises."""

ENDING_SHARE: Final = 0.15
"""Of the crossings of a board, so many are free in an ending at most."""


def causes_of(match: Match, findings: Sequence[Finding]) -> dict[Kind | None, float]:
    """Returns what the mistakes of a player in a match cost, by kind. Takes up to 0.1 s for each."""
    found: dict[Kind | None, float] = {}
    for each in findings:
        kind = cause_of(match, each)
        found[kind] = found.get(kind, 0.0) + each.lost
    return found


def cause_of(match: Match, finding: Finding) -> Kind | None:
    """Returns the kind of a mistake: a call, a capture that was missed, dots that were lost, or an ending. None for
    another one."""
    if finding.number > len(match.moves):  # taken back meanwhile
        return None
    before = match.before_move(finding.number).position
    if not isinstance(before, DotsPosition):
        return None
    played, better = match.moves[finding.number - 1].text, finding.line[0]
    if any(text in set(Call) for text in (played, better)):
        return Kind.STOP
    if missed := _missed(match, before, finding.line):
        return missed
    lost = _lost(match, before, finding.number)
    if lost:
        return Kind.WALL if _longest_link(lost) >= WALL_DOTS else Kind.ESCAPE
    picture = before.picture()
    free = 1 - len(picture.stones) / (picture.width * picture.height)
    return Kind.ENDING if free <= ENDING_SHARE else None


def _missed(match: Match, before: DotsPosition, line: Sequence[str]) -> Kind | None:
    """Returns the kind of capture that the better line makes: a net, if its first dot does not threaten yet."""
    game = match.game
    if not captured_dots(game, before, line):
        return None
    if captured_dots(game, before, line[:1]):
        return Kind.CAPTURE
    after = play_line(game, before, line[:1])
    if not isinstance(after, DotsPosition) or after.outcome:
        return Kind.CAPTURE
    again = after.with_to_act(before.to_act)
    return Kind.CAPTURE if any(captured_dots(game, again, (own,)) for own in line[2::2]) else Kind.NET


def _lost(match: Match, before: DotsPosition, number: int) -> set[Point]:
    """Returns the dots that the player who moves loses by the next moves of the game."""
    position, seat = before, before.to_act
    for move in match.moves[number - 1 : number - 1 + PLIES_SEEN]:
        try:
            after = position.play(match.game.parse(move.text))
        except IllegalMove:
            break
        if not isinstance(after, DotsPosition):
            break
        position = after
    return _captured(position, seat) - _captured(before, seat)


def _captured(position: DotsPosition, seat: Seat) -> set[Point]:
    return {each.point for each in position.picture().stones if each.captured and each.seat == seat}


def _longest_link(dots: set[Point]) -> int:
    """Returns how many of some dots are linked at most, also diagonally."""
    left, longest = {*dots}, 0
    while left:
        edge, size = [left.pop()], 0
        while edge:
            x, y = edge.pop()
            size += 1
            near = {Point(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            edge += near
        longest = max(longest, size)
    return longest
