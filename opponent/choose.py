"""The computer's turn in any game: a call if it ends the game well, else the best dot and the areas to close."""

from dataclasses import replace

from opponent.automatic import as_automatic, first_dot, is_first_dot
from opponent.calls import ending_call, grounding_dot
from opponent.captures import add_closings
from opponent.choice import HARDEST, Budget, Choice, level_of
from opponent.dots import player as compiled
from opponent.generic import search as plain
from opponent.generic.knowledge import leads, win_shares
from rules.dots import Closing, DotsPosition, Turn
from rules.game import AnyPosition, IllegalMove, parse_point


def choose(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """Returns the whole turn that the player to act should play, in the game's notation.

    The budget is the level's unless one is given. With a budget of nodes equal arguments give equal turns. Raises
    ValueError if the game is over.
    """
    if position.outcome:
        raise ValueError("the game is over")
    if call := ending_call(position):
        lead = position.play(call).score[position.to_act] - position.play(call).score[1 - position.to_act]
        return Choice(str(call), lead, 1.0 if lead > 0 else 0.0, (str(call),))
    if not isinstance(position, DotsPosition):
        return plain.choose(position, budget or level_of(level).plain, seed, level)
    if grounds := grounding_dot(position):
        dot = str(grounds)
        return Choice(dot, position.score[position.to_act] - position.score[1 - position.to_act], 1.0, (dot,))
    if is_first_dot(position):
        dot = str(Turn(first_dot(position)))
        return Choice(dot, 0.0, 1 / len(position.score), (dot,))
    return _closing(position, budget, seed, level)


def _closing(position: DotsPosition, budget: Budget | None, seed: int, level: int) -> Choice:
    """Returns the best dot under automatic closing, with the areas that it closes under the real rules."""
    automatic = as_automatic(position)
    if automatic.outcome:  # every free crossing lies in an area that automatic closing has closed
        win = win_shares(automatic.outcome, len(automatic.score))[position.to_act]
        return _any(position, leads(automatic.score)[position.to_act], win)
    if compiled.serves(automatic.rules):
        choice = compiled.choose(automatic, budget or level_of(level).compiled, seed, level)
    else:
        choice = plain.choose(automatic, budget or level_of(level).plain, seed, level)
    if position.rules.closing is Closing.AUTOMATIC:
        return choice
    for move in (choice.move, *(candidate.move for candidate in choice.candidates)):
        try:
            turn = add_closings(position, Turn(parse_point(move)))
        except IllegalMove:
            continue  # under automatic closing bases differ a little from those of the field
        return replace(choice, move=str(turn))
    return _any(position, choice.value, choice.win)


def _any(position: DotsPosition, value: float, win: float) -> Choice:
    """Returns any dot: there is nothing to search."""
    turn = str(add_closings(position, next(iter(position.moves()))))
    return Choice(turn, value, win, (turn,))
