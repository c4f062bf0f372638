"""The names and descriptions of the commands in every language, for Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from presentation.words.words import Languages, Words

NAMES = (Place.command_name, Place.group_name, Place.parameter_name)


def composed(words: Words, in_words: Callable[[Words], str]) -> app_commands.locale_str:
    """Returns a text for Discord that no catalogue has as a whole; `in_words` makes it in a language."""
    return app_commands.locale_str(in_words(words), in_words=in_words)


class Translator(app_commands.Translator):
    """A translator of descriptions, by their English sentences, and of names, by the key `name.NAME`.

    A text that is more than one sentence brings the function `in_words` that makes it (see `composed`).
    """

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._keys = languages.keys

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Returns the translation; None where Discord shows the English word."""
        words = self._languages.of(locale.value)
        if words is self._languages.of():
            return None
        if (in_words := string.extras.get("in_words")) is not None:
            return str(in_words(words))
        if context.location in NAMES:
            return words(f"name.{string.message}")
        key = self._keys.get(string.message)
        return None if key is None else words(key)
