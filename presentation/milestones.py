"""Milestones in words."""

from __future__ import annotations

from play.community.milestone import Milestone
from play.ids import Millis
from presentation.words.words import Words
from renderer.milestone import Medal


def milestone_text(milestone: Milestone, words: Words) -> str:
    """Returns what a player has reached, as a title: `100 games finished`."""
    return words(f"milestone.of.{milestone.kind}", count=milestone.number)


def medal(milestone: Milestone, name: str, at: Millis, words: Words) -> Medal:
    """Returns the words of a card: the number, and what it counts."""
    number = words.number(milestone.number)
    title = words(f"milestone.card.{milestone.kind}", count=milestone.number)
    return Medal(number, title, name, words.date(at))
