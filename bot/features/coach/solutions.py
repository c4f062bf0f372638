"""Puzzles and their solutions, in words and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import discord

from bot.interactions.pictures import picture_file
from bot.services.job_pool import JobPool
from opponent.review import play_line
from play.community.puzzle import Task
from presentation import advice as pictures
from presentation.match.seats import colour_name, emblem
from presentation.match.turn_text import turn_text
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.game import AnyGame, AnyPosition
from rules.notation import point_name

MAX_DOTS = 12
"""Captured dots that a sentence names."""


class Posed(Protocol):
    """A position to solve."""

    @property
    def position(self) -> AnyPosition: ...


def to_move(task: Posed, words: Words, theme: str) -> dict[str, str]:
    """Returns who is to move, for a sentence, in the colours of the picture."""
    seat = task.position.to_act
    return {"emblem": emblem(theme, seat), "colour": colour_name(theme, seat, words)}


async def task_picture(jobs: JobPool, user: int, task: Task, words: Words, theme: str) -> discord.File:
    """Returns the position of a task, drawn for `user`. Raises Refused."""
    before = task.position
    png = await jobs.pictures.make(user, draw, before.picture(), None, THEMES.get(theme, PAPER))
    alt = words("puzzle.alt", colour=colour_name(theme, before.to_act, words))
    return picture_file(png, f"kropka-puzzle-{task.id}", alt)


async def solution_picture(jobs: JobPool, user: int, task: Task, answer: int, words: Words, theme: str) -> discord.File:
    """Returns the solution of a task and the answer beside it, drawn for `user`. Raises Refused."""
    chosen = None if task.is_right(answer) else task.answers[answer]
    picture = pictures.better_turn(task.game, task.position, task.solution, chosen)
    png = await jobs.pictures.make(user, pictures.draw_part, picture, theme)
    alt = words("puzzle.solution.alt", better=turn_text(task.game, task.solution[0], words))
    return picture_file(png, f"kropka-puzzle-{task.id}-solution", alt)


def verdict_text(task: Task, answer: int, words: Words) -> str:
    """Returns whether an answer was right, and what the solution captures."""
    better = turn_text(task.game, task.solution[0], words)
    verdict = words("puzzle.right") if task.is_right(answer) else words("puzzle.wrong", better=better)
    return f"{verdict} {solution_text(task, words)}".strip()


def solution_text(task: Task, words: Words) -> str:
    """Returns the sentence that says which dots the solution captures, and after which moves; empty if none."""
    dots = captured_dots(task.game, task.position, task.solution)
    if not dots:
        return ""
    named = ", ".join(dots[:MAX_DOTS]) + ("…" if len(dots) > MAX_DOTS else "")
    if len(task.solution) == 1:
        return words("puzzle.captures", count=len(dots), dots=named)
    line = ", ".join(turn_text(task.game, move, words) for move in task.solution)
    return words("puzzle.captures.after", count=len(dots), dots=named, line=line)


def captured_dots(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> list[str]:
    """Returns the dots that a line captures from its first player's opponents, as players call them."""
    seat = before.to_act
    former = {stone.point for stone in before.picture().stones if stone.captured}
    after = play_line(game, before, line).picture().stones
    points = {stone.point for stone in after if stone.seat != seat and stone.captured} - former
    return [point_name(point) for point in sorted(points, key=lambda point: (point.x, point.y))]
