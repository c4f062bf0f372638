"""Puzzles and their solutions, in words and as pictures."""

from __future__ import annotations

from typing import Protocol

import discord

from bot.interactions.pictures import picture_file
from bot.services.job_pool import JobPool
from opponent.review import captured_dots
from play.community.puzzle import Task
from presentation import advice as pictures
from presentation.match.seats import colour_name, emblem
from presentation.match.turn_text import turn_text
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.game import AnyPosition


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
    wrong = None if task.is_right(answer) else task.answers[answer]
    png = await jobs.pictures.make(user, pictures.draw_solution, task.game, task.position, task.solution, wrong, theme)
    alt = words("puzzle.solution.alt", better=turn_text(task.game, task.solution[0], words))
    return picture_file(png, f"kropka-puzzle-{task.id}-solution", alt)


def verdict_text(task: Task, answer: int, words: Words) -> str:
    """Returns whether an answer was right, and what the solution captures."""
    verdict = words("puzzle.right")
    if not task.is_right(answer):
        wrong, better = (turn_text(task.game, move, words) for move in (task.answers[answer], task.solution[0]))
        verdict = words("puzzle.wrong", wrong=wrong, better=better)
    dots = captured_dots(task.game, task.position, task.solution)
    return f"{verdict} {pictures.captures_text(task.game, dots, task.solution, words)}".strip()
