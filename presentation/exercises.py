"""Exercises as they are told: the goal, replies, refutations and the puzzle rating."""

from opponent.review import captured_dots
from play.community.exercise import Exercise, Kind
from play.community.exercise_tree import Line
from play.community.puzzle import Figure
from play.community.solving import Right, Solved, Solving, Wrong
from presentation.advice import captures_text
from presentation.match.phrases import change_text, colour_name, emblem, turn_text
from presentation.words.words import Words
from rules.dots import Call
from rules.game import AnyGame

COUNTED = frozenset({Kind.ENDING, Kind.STOP})
"""Kinds whose goal is said by the score at the end, so that the present one is told, too."""


def goal_text(exercise: Exercise, words: Words, theme: str) -> str:
    """Returns who is to move, and what is to be done."""
    seat = exercise.position.to_act
    own, other = emblem(theme, seat), emblem(theme, 1 - seat)
    who = {"emblem": own, "colour": colour_name(theme, seat, words), "own": own, "other": other}
    key, points = exercise.goal
    goal = words.emphasise(key, **who) if points is None else words.emphasise(key, count=points, **who)
    if exercise.kind not in COUNTED:
        return goal
    score = exercise.position.score
    lead = words("exercise.score", own=own, other=other, mine=int(score[seat]), theirs=int(score[1 - seat]))
    return f"{goal} {lead}"


def kind_name(kind: Kind, words: Words) -> str:
    """Returns what exercises of a kind are called."""
    return words(f"kind.{kind}")


def figure_text(kind: Kind, figure: Figure, words: Words) -> str:
    """Returns how a user does with exercises of a kind."""
    name = kind_name(kind, words)
    if not figure.tried:
        return words("kinds.untried", kind=name)
    return words("kinds.figure", kind=name, solved=figure.solved, tried=figure.tried)


def reply_text(right: Right, words: Words, theme: str) -> str:
    """Returns the reply to a right move."""
    after = right.next
    reply = turn_text(after.exercise.game, right.reply, words)
    return words("quiz.right", emblem=emblem(theme, 1 - after.position.to_act), reply=reply)


def solved_text(key: str, solved: Solved, judged: Solving, words: Words) -> str:
    """Returns the sentence `key` about a solution, and what that captures."""
    game, line = judged.exercise.game, solved.line
    return f"{words(key)} {captures_text(game, captured_dots(game, judged.position, line), line, words)}".strip()


def refutation_text(wrong: Wrong, judged: Solving, words: Words, theme: str) -> str:
    """Returns what a wrong move is told with."""
    if wrong.line[0] == Call.STOP:
        return words("lesson.stopped", count=lost_by_stop(judged))
    key = "quiz.wrong" if len(wrong.line) > 1 else "quiz.wrong.quiet"
    move = turn_text(judged.exercise.game, wrong.line[0], words)
    return words(key, move=move, emblem=emblem(theme, 1 - judged.position.to_act))


def lost_by_stop(judged: Solving) -> int:
    """Returns how many dots a STOP costs the solver at once."""
    before, rival = judged.position, 1 - judged.position.to_act
    stopped = before.play(judged.exercise.game.parse(Call.STOP))
    return int(stopped.score[rival] - before.score[rival])


def line_text(game: AnyGame, line: Line, words: Words) -> str:
    """Returns what the picture of a line shows."""
    if line[0] == Call.STOP:
        return words("quiz.line.alt.stop")
    return words("quiz.line.alt", line=", ".join(turn_text(game, each, words) for each in line))


def rating_text(before: float, after: float, words: Words) -> str:
    """Returns the sentence that says how a puzzle rating has changed."""
    return words("puzzle.rating", before=round(before), after=round(after), change=change_text(before, after))
