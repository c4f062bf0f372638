"""Predictions in words."""

from __future__ import annotations

from bot.interactions.layout import MAX_OPTION
from play.community.prediction import PICKS
from presentation.predictions import option_text
from presentation.words.words import languages


def test_the_options_of_a_menu_differ_where_discord_cuts_them() -> None:
    """A role or a server has a name of a hundred letters at most."""
    names = "A" * 100, "B" * 100
    for words in languages():
        labels = [option_text(pick, names, words)[:MAX_OPTION] for pick in PICKS]
        assert len({*labels}) == len(PICKS), labels
