"""Milestones have words in each language."""

from __future__ import annotations

import pytest

from bot.features.players.milestones import medal, milestone_text
from play.community.milestone import Milestone
from play.ids import Millis
from presentation.words.words import languages


@pytest.mark.parametrize("tag", languages().names)
@pytest.mark.parametrize("milestone", Milestone)
def test_each_milestone_has_a_title_and_a_card(milestone: Milestone, tag: str) -> None:
    words = languages().of(tag)
    assert milestone_text(milestone, words)
    assert medal(milestone, "Ola", Millis(0), words).title
