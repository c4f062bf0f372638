"""The settings that players and servers have in common: language and theme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.interactions.custom_id import CustomId
from bot.interactions.selects import Choice, Select, select
from play.refusal import Reason, Refused
from presentation.words.words import Words
from renderer.theme import THEMES

AS_DISCORD = "-"
"""The choice of no language: that of Discord is used."""


def language_select(form: CustomId, current: str | None, languages: Mapping[str, str], words: Words) -> Select:
    """Returns the select of `languages`, which are names by tag, in the panel that `form` is of."""
    panel = form.subject
    choices = [
        Choice(AS_DISCORD, words(f"{panel}.language.discord"), current is None),
        *(Choice(tag, words(f"{panel}.language.is", language=name), tag == current) for tag, name in languages.items()),
    ]
    return select(form(field="language"), words(f"{panel}.language"), choices)


def theme_select(form: CustomId, current: str, words: Words) -> Select:
    """Returns the select of the themes of boards, in the panel that `form` is of."""
    panel = form.subject
    choices = [
        Choice(theme, words(f"{panel}.theme.is", theme=words(f"theme.{theme}")), theme == current) for theme in THEMES
    ]
    return select(form(field="theme"), words(f"{panel}.theme"), choices)


def read_choice(field: str, values: list[str], languages: Iterable[str]) -> dict[str, str | None]:
    """Returns the change that a choice of the field `language` or `theme` makes.

    Raises Refused (`old_button`) if it is no longer offered.
    """
    known = set(THEMES) if field == "theme" else {AS_DISCORD, *languages}
    if len(values) != 1 or values[0] not in known:
        raise Refused(Reason.OLD_BUTTON)
    return {field: None if values[0] == AS_DISCORD else values[0]}
