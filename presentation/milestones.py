"""Milestones in words."""

from __future__ import annotations

from play.community.milestone import Milestone
from play.ids import Millis
from presentation.words.words import Words
from renderer.milestone import Medal


def milestone_text(milestone: Milestone, words: Words) -> str:
    """Returns what a player has reached, as a title: `100 games finished`."""
    return _say("of", milestone, words)


def medal(milestone: Milestone, name: str, at: Millis, words: Words) -> Medal:
    """Returns the words of a card: the number, and what it counts."""
    number = words.number(milestone.number)
    return Medal(number, _say("card", milestone, words), name, words.date(at))


def _say(where: str, milestone: Milestone, words: Words) -> str:
    key = f"milestone.{where}.{milestone.kind}"
    return words(key, count=milestone.number) if milestone.is_count else words(key)
