"""The computer's turn in any game: a call if it ends the game well, else a dot by the search that fits it best, and
what can be closed with that."""

from __future__ import annotations

from dataclasses import replace

from opponent.automatic import in_the_middle, is_first_dot, twin
from opponent.budget import Budget
from opponent.calls import called
from opponent.choice import Choice
from opponent.closings import closed
from opponent.dots import player as compiled
from opponent.generic import player as plain
from opponent.generic.knowledge import leads, parts
from opponent.levels import HARDEST, level_of
from rules.dots import Closing, DotsPosition, Turn
from rules.game import AnyPosition, IllegalMove
from rules.notation import parse_point


def choose(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """The whole turn that the player to act should play, in the game's notation.

    The budget is the level's unless one is given. The same for the same arguments where that is one of nodes. Raises
    ValueError where the game is over.
    """
    if position.outcome:
        raise ValueError("the game is over")
    if call := called(position):
        lead = position.play(call).score[position.to_act] - position.play(call).score[1 - position.to_act]
        return Choice(str(call), lead, 1.0 if lead > 0 else 0.0, (str(call),))
    if not isinstance(position, DotsPosition):
        return plain.choose(position, budget or level_of(level).plain, seed, level)
    if is_first_dot(position):
        dot = str(Turn(in_the_middle(position)))
        return Choice(dot, 0.0, 1 / len(position.score), (dot,))
    return _closing(position, budget, seed, level)


def _closing(position: DotsPosition, budget: Budget | None, seed: int, level: int) -> Choice:
    """The best dot that is found where all closes by itself, with what it closes on the field as it is."""
    thought = twin(position)
    if thought.outcome:  # all that is free lies where the twin has closed
        win = parts(thought.outcome, len(thought.score))[position.to_act]
        return _any(position, leads(thought.score)[position.to_act], win)
    if compiled.serves(thought.rules):
        choice = compiled.choose(thought, budget or level_of(level).compiled, seed, level)
    else:
        choice = plain.choose(thought, budget or level_of(level).plain, seed, level)
    if position.rules.closing is Closing.AUTOMATIC:
        return choice
    for move in (choice.move, *(candidate.move for candidate in choice.candidates)):
        try:
            turn = closed(position, Turn(parse_point(move)))
        except IllegalMove:
            continue  # the twin's bases are not quite those of the field
        return replace(choice, move=str(turn))
    return _any(position, choice.value, choice.win)


def _any(position: DotsPosition, value: float, win: float) -> Choice:
    """Any dot, where no thought helps."""
    turn = str(closed(position, next(iter(position.moves()))))
    return Choice(turn, value, win, (turn,))
