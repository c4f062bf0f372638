"""The settings that players and servers have in common: language and theme."""

from __future__ import annotations

from collections.abc import Mapping

from bot.interactions.fields import SelectField
from renderer.theme import THEMES

AS_DISCORD = "-"
"""The choice of no language: that of Discord is used."""


def language_field(panel: str, languages: Mapping[str, str]) -> SelectField:
    """Returns the field of `languages`, which are names by tag, in the panel with keys of that name."""
    return SelectField(
        "language",
        lambda words: words(f"{panel}.language"),
        (AS_DISCORD, *languages),
        lambda tag, words: (
            words(f"{panel}.language.discord")
            if tag == AS_DISCORD
            else words(f"{panel}.language.is", language=languages[tag])
        ),
        lambda settings: (settings.language or AS_DISCORD,),
        lambda tag: {"language": None if tag == AS_DISCORD else tag},
    )


def theme_field(panel: str) -> SelectField:
    """Returns the field of the themes of boards, in the panel with keys of that name."""
    return SelectField(
        "theme",
        lambda words: words(f"{panel}.theme"),
        (*THEMES,),
        lambda theme, words: words(f"{panel}.theme.is", theme=words(f"theme.{theme}")),
        lambda settings: (settings.theme,),
        lambda theme: {"theme": theme},
    )
