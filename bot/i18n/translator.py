"""The names and descriptions of the commands in every language, for Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

if TYPE_CHECKING:
    from bot.i18n.words import Languages

NAMES = (Place.command_name, Place.group_name, Place.parameter_name)


class Translator(app_commands.Translator):
    """A translator of descriptions, by their English sentences, and of names, by the key `name.NAME`."""

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
        if context.location in NAMES:
            return words(f"name.{string.message}")
        key = self._keys.get(string.message)
        return None if key is None else words(key)
