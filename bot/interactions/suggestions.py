"""Options of commands as Discord offers them: the levels of the computer, and typed options of the rules."""

from __future__ import annotations

from functools import partial

from discord.app_commands import Choice

from bot.interactions.selects import MAX_LABEL
from bot.services.translator import composed
from opponent.levels import LEVELS
from presentation.terms.option_phrases import MAX_SUGGESTIONS, complete
from presentation.terms.terms_text import level_label
from presentation.words.words import Words


def level_choices(words: Words) -> list[Choice[int]]:
    """Returns the levels of the computer; Discord finds one by any part of its label."""
    labels = ((each.number, partial(level_label, each.number)) for each in LEVELS)
    return [Choice(name=composed(words, label), value=number) for number, label in labels]


def suggest_options(typed: str, words: Words) -> list[Choice[str]]:
    """Suggests how the last part of typed options may end."""
    texts = [text for text in complete(typed, words) if len(text) <= MAX_LABEL]
    return [Choice(name=text, value=text) for text in texts[:MAX_SUGGESTIONS]]
