"""The computer's actions beside placing dots: it stops, lands, resigns, accepts a draw, and grounds itself before
the end."""

from collections.abc import Callable

from opponent.captures import add_closings, capturing_turns
from opponent.choice import Choice
from rules.dots import Call, DotsPosition, Ending, Turn
from rules.game import AnyPosition, Point, Seat, steps_between

HOPELESS, FAR_BEHIND, LATE = 0.03, -8.0, 0.4
"""It resigns with at most this share of the win, if it is so many points behind. This share of the field must be out of
play."""

NEAR_END = 0.7
"""The share of the field that is out of play when the computer accepts a draw on a level score."""

CONTENT, HAPPY = 0.55, 0.45
"""Shares of the win. With equal scores it accepts a draw if it expects no more than the first share. If it is behind
and expects no more than the second, it accepts one from LATE on."""

FAR = 3
"""More dots than are looked ahead."""


def ending_call(position: AnyPosition) -> Call | None:
    """Returns the turn without a dot that ends the game as it should end, if there is one."""
    if not isinstance(position, DotsPosition):
        return None
    calls, seat = position.calls(), position.to_act
    if not calls:
        return None
    if position.stopped is not None:  # alone on the field: only further captures could change the result
        stopped = position.play(Call.STOP)
        return Call.STOP if _lead(_filled(position, seat), seat) <= _lead(stopped, seat) else None
    return winning_call(position)


def winning_call(position: DotsPosition) -> Call | None:
    """Returns the turn without a dot by which the player to act wins for sure, if there is one. If the opponent may
    play on, they do their best."""
    calls, seat = position.calls(), position.to_act
    if not position.field.scores[seat] and _progress(position) < LATE:
        return None  # points in advance alone would end the game before it begins
    if Call.LAND in calls:
        return Call.LAND
    if Call.STOP not in calls:
        return None
    stopped = position.play(Call.STOP)
    if stopped.outcome:
        return Call.STOP if stopped.outcome.winners == (seat,) else None
    if _lead(stopped, seat) <= 0:
        return None
    return Call.STOP if _lead(_filled(stopped, stopped.to_act), seat) > 0 else None


def resigns(position: AnyPosition, choice: Choice) -> bool:
    """Returns whether to resign: far behind, late, and without a chance. The score counts as at an agreed end: the
    search counts captured dots, where territory may win.

    Among more than two players none resigns, since that would end the game for the others.
    """
    if not isinstance(position, DotsPosition) or len(position.score) > 2:
        return False
    expected = choice.win <= HOPELESS and choice.value <= FAR_BEHIND
    return expected and _progress(position) >= LATE and _agreed_lead(position, position.to_act) <= 0


def accepts_draw(position: AnyPosition, seat: Seat, choice: Choice) -> bool:
    """Returns whether `seat` accepts a draw; `choice` holds its expectation.

    Never early and never while it leads: a draw with a strong level would be worth more than most wins. Games other
    than Dots have no end that is known to be near, and no level score.
    """
    if not isinstance(position, DotsPosition):
        return False
    lead, progress = _agreed_lead(position, seat), _progress(position)
    if lead < 0 and choice.win <= HAPPY:
        return progress >= LATE
    return lead <= 0 and choice.win <= CONTENT and progress >= NEAR_END


def accepts_end(position: DotsPosition, seat: Seat, choice: Choice) -> bool:
    """Returns whether `seat` agrees to end the game now, by the score of an agreed end.

    It agrees if it wins, if it accepts a draw, or if its position is hopeless.
    """
    outcome = position.agreed_end().outcome
    if seat not in outcome.winners:
        return choice.win <= HOPELESS
    return len(outcome.winners) == 1 or accepts_draw(position, seat, choice)


def _filled(position: DotsPosition, seat: Seat) -> DotsPosition:
    """Returns the position after `seat`, alone on the field, has filled every crossing where its dot is not captured
    at once. The pass over the field repeats, since filled crossings may allow the capture of a dot in a house."""
    placed = True
    while placed:
        placed = False
        for turn in tuple(position.moves()):
            after = position.play(turn)
            gain = _lead(after, seat) - _lead(position, seat)
            if gain >= 0:
                position, placed = after, True
            if gain > 0:
                break  # other crossings are free now
    return position


def _lead(position: DotsPosition, seat: Seat) -> float:
    return position.score[seat] - position.score[1 - seat]


def _agreed_lead(position: DotsPosition, seat: Seat) -> float:
    """Returns the lead if both ended the game now: with territory and pools, where they count."""
    scores = position.agreed_end().scores
    return scores[seat] - scores[1 - seat]


def _progress(position: DotsPosition) -> float:
    """Returns the share of the field that is out of play."""
    return 1 - position.free / (position.rules.width * position.rules.height)


def grounding_dot(position: DotsPosition) -> Turn | None:
    """Returns a dot after which the player to act can end the game as its winner with the next turn, else with the one
    after, if there is such a dot."""
    rules, seat = position.rules, position.to_act
    ends = rules.landing or rules.ending is not Ending.FULL
    if not ends or rules.seats > 2 or position.stopped is not None or position.score[seat] <= position.score[1 - seat]:
        return None
    for wins in (_wins_at_once, _wins_in_two):
        for dot in _links(position, 1 if wins is _wins_at_once else 2):
            if wins(position, dot):
                return _turn(position, dot)
    return None


def _wins_at_once(position: DotsPosition, dot: Point) -> bool:
    """Returns whether the game can be ended after a dot and each capture in reply to it.

    All other replies leave score and links as they are. If the ending is played out, the captures are a part of it.
    """
    seat, after = position.to_act, position.play(_turn(position, dot))
    if after.outcome:
        return after.outcome.winners == (seat,)
    if winning_call(after.with_to_act(seat)) is None:
        return False
    if after.to_act == seat or after.rules.ending is Ending.PLAY_OUT:
        return True
    return all(_can_end(after.play(reply), seat) for reply in capturing_turns(after))


def _wins_in_two(position: DotsPosition, dot: Point) -> bool:
    """Returns whether there is a second such dot after each reply to the first: a capture, or a dot in the way."""
    seat, after = position.to_act, position.play(_turn(position, dot))
    if after.outcome or after.to_act == seat:
        return False
    passed = after.with_to_act(seat)
    seconds = [second for second in _links(passed, 1) if _wins_at_once(passed, second)]
    if len(seconds) < 2:
        return False
    near = [turn for turn in after.moves() if any(steps_between(turn.dot, second) <= 1 for second in seconds)]
    return all(_goes_on(after.play(reply), seat, seconds) for reply in (*near, *capturing_turns(after)))


def _goes_on(position: DotsPosition, seat: Seat, dots: list[Point]) -> bool:
    """Returns whether the player of `seat` can end the game as its winner, or with one more of these dots."""
    if position.outcome or position.to_act != seat:
        return _can_end(position, seat)
    if winning_call(position):
        return True
    free = {turn.dot for turn in position.moves()}
    return any(_wins_at_once(position, dot) for dot in dots if dot in free)


def _can_end(position: DotsPosition, seat: Seat) -> bool:
    if position.outcome:
        return position.outcome.winners == (seat,)
    return position.to_act == seat and winning_call(position) is not None


def _turn(position: DotsPosition, dot: Point) -> Turn:
    return add_closings(position, Turn(dot))


def _links(position: DotsPosition, dots: int) -> list[Point]:
    """Returns the free crossings on the ways by which so many dots would link a group with the edge."""
    field, player = position.field, position.to_act + 1
    grid, opponent = field.grid, 3 - player
    houses = 1 << player if position.rules.ending is Ending.PLAY_OUT else 0

    def cost(cell: int) -> int:
        if player in (field.alive[cell], field.owner[cell]) or (
            field.enclosed[cell] & houses and field.alive[cell] != opponent
        ):
            return 0
        return 1 if field.is_free(cell) else FAR

    crossings = set(grid.crossings)
    from_edge = _distances([cell for cell in crossings if cell in grid.outside], grid.steps[::2], crossings, cost)
    afloat = [cell for cell in crossings if not cost(cell) and from_edge.get(cell, FAR) > 0]
    from_groups = _distances(afloat, grid.steps[::2], crossings, cost)
    return [
        grid.point(cell)
        for cell in sorted(crossings)
        if field.is_free(cell) and from_edge.get(cell, FAR) + from_groups.get(cell, FAR) <= dots + 1
    ]


def _distances(
    starts: list[int], steps: tuple[int, ...], crossings: set[int], cost: Callable[[int], int]
) -> dict[int, int]:
    """Returns how many dots it takes to come to each crossing, that of the crossing included; FAR ones are left out."""
    found: dict[int, int] = {}
    rings = [[cell for cell in starts if cost(cell) == distance] for distance in range(FAR)]
    for distance, ring in enumerate(rings):
        for cell in ring:
            if cell in found:
                continue
            found[cell] = distance
            for step in steps:
                beside = cell + step
                if beside in crossings and beside not in found and (reach := distance + cost(beside)) < FAR:
                    rings[reach].append(beside)
    return found
