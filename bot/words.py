"""The sentences of every language: keys in the code, words in the gettext catalogues of locale/."""

from __future__ import annotations

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.units import format_unit

from play.clock import Fischer, TimeControl
from play.ids import Millis

CATALOGUES = Path(__file__).parent / "locale"
SOURCE = "en"
"""The language that every other one falls back to."""

_UNITS = {"day": 86_400_000, "hour": 3_600_000, "minute": 60_000, "second": 1000}


class _Nothing(NullTranslations):
    """Behind the source language: a key without a sentence is a mistake of ours."""

    def gettext(self, message: str) -> str:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(msgid1)


class Words:
    """The sentences of one language, and its numbers and durations."""

    def __init__(self, locale: Locale, translations: NullTranslations) -> None:
        self.locale = locale
        self._translations = translations
        self.number(0), self.duration(Millis(0))  # Babel reads 45 ms of tables at the first use: now, at the start

    def __call__(self, key: str, /, **details: str | int) -> str:
        """The sentence of `key` with its details filled in; `count` chooses among plural forms."""
        count = details.get("count")
        if isinstance(count, int):
            sentence = self._translations.ngettext(key, key, count)
        else:
            sentence = self._translations.gettext(key)
        return sentence.format(**details)

    def number(self, value: float) -> str:
        return format_decimal(value, locale=self.locale)

    def duration(self, span: Millis) -> str:
        """`span` in the largest unit that measures it evenly: `3 days`, `36 hours`."""
        unit = next(unit for unit, size in _UNITS.items() if span % size == 0)
        return format_unit(span // _UNITS[unit], f"duration-{unit}", locale=self.locale)

    def control(self, control: TimeControl) -> str:
        """A time control as a person would say it."""
        if isinstance(control, Fischer):
            return self(
                "clock.fischer", initial=self.duration(control.initial), increment=self.duration(control.increment)
            )
        return self("clock.per_move", allowance=self.duration(control.allowance))


class Languages:
    """Every catalogue that there is, by Discord's names of languages."""

    def __init__(self) -> None:
        nothing = _Nothing()
        source = _catalogue(SOURCE)
        source.add_fallback(nothing)
        self._words = {SOURCE: Words(Locale(SOURCE), source)}
        for path in sorted(CATALOGUES.iterdir()):
            if path.name not in self._words:
                translations = _catalogue(path.name)
                translations.add_fallback(source)
                self._words[path.name] = Words(Locale.parse(path.name), translations)

    def of(self, tag: str | None = None) -> Words:
        """The words of a Discord locale (`en-GB`, `ru`), or those of the source language."""
        return self._words.get((tag or SOURCE).split("-")[0], self._words[SOURCE])


def _catalogue(language: str) -> GNUTranslations:
    with (CATALOGUES / language / "LC_MESSAGES" / "kropka.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
