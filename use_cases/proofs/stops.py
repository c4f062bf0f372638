"""A STOP that wins, now or after one dot."""

from __future__ import annotations

from collections import Counter

from play.community.exercise import Kind
from play.community.exercise_tree import Line, Node, Step
from rules.dots import Call, DotsPosition
from rules.dots.scoring import losses
from rules.game import Seat
from use_cases.proofs.board import MAX_FIRST, NotUnique, OutOfReach, Proof, Refusal, Uncertain


def prove_stop(position: DotsPosition) -> Proof:
    """Returns the exercise of a STOP that wins, now or after one dot. Raises Refusal for a position that is none."""
    solver = position.to_act
    lead_now = round(_lead(position, solver))
    if lead_now < 1:
        raise OutOfReach("there is no lead to stop with")
    now = _stop_wins(position)
    if now and not _spoil(position.with_to_act(Seat(1 - solver)), []):
        raise Refusal("nothing threatens the STOP")
    spoils: dict[str, str] = {}
    right: list[str] = []
    for turn in position.moves():
        after = position.play(turn)
        usual = [move for move, _ in Counter(spoils.values()).most_common()]
        if spoil := _spoil(after, usual):
            spoils[str(turn)] = spoil
            continue
        right.append(str(turn))
        if len(right) + now > MAX_FIRST:
            raise NotUnique((*right, *([str(Call.STOP)] if now else [])))
    if not now and not right:
        raise OutOfReach("no STOP wins")
    if not spoils:
        raise Refusal("no move is wrong")
    usual = [move for move, _ in Counter(spoils.values()).most_common()]
    steps = {str(Call.STOP): Step(())} if now else {}
    steps |= {move: Step((_answer(position, move, usual), str(Call.STOP))) for move in right}
    refutations: dict[str, Line] = {move: (spoil,) for move, spoil in spoils.items()}
    if not now:
        refutations[str(Call.STOP)] = (str(Call.STOP),)
    others = {move: line for move, line in refutations.items() if line != (usual[0],)}
    return Proof(Kind.STOP, lead_now, Node(steps, (usual[0],), others))


def _spoil(position: DotsPosition, usual: list[str]) -> str:
    """Returns a dot of the player to move after which a STOP of the other no longer wins; empty if there is none.
    Raises Uncertain."""
    replies = {str(turn): turn for turn in position.moves()}
    certain = True
    for reply in sorted(replies, key=lambda move: usual.index(move) if move in usual else len(usual)):
        after = position.play(replies[reply])
        if after.outcome:
            raise Refusal("the game is nearly over")
        try:
            if not _stop_wins(after):
                return reply
        except Uncertain:
            certain = False
    if not certain:
        raise Uncertain
    return ""


def _answer(position: DotsPosition, move: str, usual: list[str]) -> str:
    """Returns an answer to a right dot: one that spoils the STOP after most others, or else any."""
    answers = [str(turn) for turn in position.play(position.rules.parse(move)).moves()]
    return next((answer for answer in usual if answer in answers), answers[0])


def _stop_wins(position: DotsPosition) -> bool:
    """Returns whether a STOP of the player to move wins, whatever the opponent does alone on the field. Raises
    Uncertain."""
    solver = position.to_act
    stopped = position.play(Call.STOP)
    lead_then = _lead(stopped, solver)
    if lead_then <= 0:
        return False
    if any(lead_then <= loss for loss in losses(stopped.field.copy(), solver + 1)):
        raise Uncertain
    return True


def _lead(position: DotsPosition, seat: int) -> float:
    return position.score[seat] - position.score[1 - seat]
