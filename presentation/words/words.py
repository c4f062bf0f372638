"""The words of every language: keys in the code, sentences in the gettext catalogues of locale/."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from babel import Locale
from babel.core import get_global
from babel.dates import format_date, format_skeleton, format_time, format_timedelta
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit

from play.clock import Blitz, Fischer, PerMove, Reserve, TimeControl
from play.ids import DAY, HOUR, MINUTE, SECOND, ChannelId, Millis, UserId
from presentation.markup import NOTHING, PLAIN, Markup, Stamp

CATALOGUES = Path(__file__).parent / "locale"
SOURCE = "en"
"""The language to which every other falls back."""

_Unit = Literal["day", "hour", "minute", "second"]

_UNITS: dict[_Unit, int] = {"day": DAY, "hour": HOUR, "minute": MINUTE, "second": SECOND}

POSTING_MILLIS = 15 * SECOND
"""How long it may take from the beginning of a turn until it is told."""

MAX_DAYS_WITH_HOURS = 6
"""Days beside which the hours are told of how far away a moment is."""


class _Nothing(NullTranslations):
    """The fallback of the source language: a key without a sentence is a bug."""

    def gettext(self, message: str) -> str:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(msgid1)


class _Details(dict[str, Any]):
    """What fills a sentence in: its details, and the commands and options that it names itself."""

    def __init__(self, details: Mapping[str, Any], words: Words) -> None:
        super().__init__(details)
        self._words = words

    def __missing__(self, field: str) -> str:
        match field[:1], field[1:]:
            case "/", command:
                return self._words.command(command)
            case "#", option:
                return self._words.called(option)
        if field == "platform" and self._words.platform:
            return self._words.platform
        raise KeyError(field)


class Words:
    """The sentences of one language in the `markup` of a surface, and its numbers and durations.

    A sentence names a command as `{/settings me}`, an option of one as `{#computer}`, and as `{platform}` that of the
    surface, also without marks.
    """

    def __init__(
        self,
        locale: Locale,
        translations: NullTranslations,
        markup: Markup = PLAIN,
        platform: str = "",
    ) -> None:
        self.locale = locale
        self.markup = markup
        self.platform = markup.platform or platform
        self._translations = translations
        self.number(0), self.duration(Millis(0))  # Babel reads 45 ms of tables at the first use: now, at the start

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles as its language, so that a worker process finds the same words."""
        return _words, (self.tag, self.markup, self.platform)

    @cached_property
    def plain(self) -> Words:
        """These words without marks."""
        return self if self.is_plain else self.speaking(PLAIN)

    @property
    def is_plain(self) -> bool:
        """Whether sentences have no marks."""
        return self.markup is PLAIN

    @property
    def tag(self) -> str:
        """The name of the language's catalogue."""
        return str(self.locale)

    @property
    def regional_tag(self) -> str:
        """The language with its usual region, as `uk_UA`; source: https://ogp.me (og:locale)."""
        language, *_, region = get_global("likely_subtags")[self.tag].split("_")
        return f"{language}_{region}"

    def __call__(self, key: str, /, **details: str | int) -> str:
        """Returns the sentence of `key` with its details filled in; `count` chooses among plural forms."""
        return self._fill(key, self._quotes, details)

    def emphasise(self, key: str, /, **details: str | int) -> str:
        """Returns a sentence as a call does, whose bold words are no labels: without marks they have no quotes."""
        return self._fill(key, ("", ""), details)

    def _fill(self, key: str, quotes: Sequence[str], details: Mapping[str, str | int]) -> str:
        count = details.get("count")
        if isinstance(count, int):
            sentence = self._translations.ngettext(key, key, count)
        else:
            sentence = self._translations.gettext(key)
        return self.markup.template(sentence, quotes).format_map(_Details(details, self))

    def template(self, key: str) -> str:
        """Returns the sentence of `key` with its placeholders but that of the platform, for a script."""
        sentence = self.markup.template(self._translations.gettext(key), self._quotes)
        return sentence.replace("{platform}", self.platform)

    @cached_property
    def _quotes(self) -> str:
        """The quotes of the language, the opening and the closing one."""
        return self._translations.gettext("quotes")

    def speaking(self, markup: Markup, platform: str = "") -> Words:
        """Returns these words in the marks of a surface; one of no platform says the `platform`, or that of these."""
        return Words(self.locale, self._translations, markup, platform or self.platform)

    def command(self, name: str) -> str:
        """Returns a command, by a mention or by its name in the language."""
        root, *rest = name.split()
        localised = " ".join([self.called(root), *(self.called(part, root) for part in rest)])
        return self.markup.command(name, localised)

    def called(self, name: str, group: str = "") -> str:
        """Returns the name of a command or an option: that of a subcommand in its `group`, where it has its own."""
        try:
            return self(f"name.{group}.{name}")
        except KeyError:
            return self(f"name.{name}")

    def literal(self, text: str) -> str:
        """Returns text that a person typed, as a name, so that nothing in it is a mark."""
        return self.markup.literal(text)

    def code(self, text: str) -> str:
        """Returns what people type letter by letter."""
        return self.markup.code(text, self._quotes)

    def mention(self, user: UserId, name: str) -> str:
        """Returns a mention of a user, or their name where the surface has no mentions."""
        return self.markup.mention(user, name)

    def channel(self, channel: ChannelId | None) -> str:
        """Returns a link to a channel or thread; a dash if there is none."""
        return self.markup.channel(channel) if channel else NOTHING

    def moment(self, at: Millis, stamp: Stamp = Stamp.MOMENT) -> str:
        """Returns what `stamp` shows of a moment: in the reader's own time where the surface knows that, or by UTC."""
        return self.markup.moment(at, stamp, lambda: self._written(at, stamp))

    def until(self, at: Millis, now: Millis) -> str:
        """Returns how far away a moment is; on surfaces that can't count, as it is `now`: `in 2 days, 5 hours`."""
        return self.markup.moment(at, Stamp.UNTIL, lambda: self._distance(Millis(at - now)))

    def appointment(self, at: Millis, now: Millis) -> dict[str, str]:
        """Returns a moment in full and how far away it is, for a sentence with `at` and `when`."""
        return {"at": self.moment(at, Stamp.FULL), "when": self.until(at, now)}

    def _distance(self, span: Millis) -> str:
        """Returns how far ahead `span` is, or how long ago, in its largest unit and, but for seconds, the one below.

        What has begun a moment ago is told whole: a turn of 3 days, when its board is posted.
        """
        told, rest = list[list[str]](), max(abs(span), SECOND)
        if rest >= HOUR - POSTING_MILLIS:
            rest += POSTING_MILLIS
        for unit, size in _UNITS.items():
            count, rest = divmod(rest, size)
            if told and (not count or unit == "second"):
                break
            if count:
                told.append(self._directed(unit, -count if span < 0 else count))
            if len(told) == 2 or (unit == "day" and count > MAX_DAYS_WITH_HOURS):
                break
        largest, *below = told
        return _joined(largest, *below) if below else " ".join(largest)

    def _directed(self, unit: _Unit, count: int) -> list[str]:
        """Returns a count of a unit ahead or ago, word by word."""
        span = timedelta(milliseconds=count * _UNITS[unit])
        return format_timedelta(span, unit, threshold=inf, add_direction=True, locale=self.locale).split(" ")

    def _written(self, at: Millis, stamp: Stamp) -> str:
        if stamp is Stamp.DATE:
            return self.date(at)
        time = f"{self.time(at, ZoneInfo('UTC'))} UTC"
        return time if stamp is Stamp.TIME else f"{self.date(at)}, {time}"

    def number(self, value: float) -> str:
        return _decimal(value, self.locale)

    def percent(self, part: float) -> str:
        """Returns a part of one in whole percent as the language writes it: `25%`, `25 %`."""
        return format_percent(part, locale=self.locale)

    def time(self, moment: Millis, zone: ZoneInfo) -> str:
        """Returns the time of day at `moment` in a time zone, in the notation of the language."""
        return format_time(datetime.fromtimestamp(moment / 1000, zone), "short", tzinfo=zone, locale=self.locale)

    def time_of_day(self, minutes: int) -> str:
        """Returns a time of day by its minutes after midnight, in the notation of the language, as `time` does."""
        return format_time(time(*divmod(minutes, 60)), "short", locale=self.locale)

    def date(self, moment: Millis) -> str:
        """Returns the day of `moment` by UTC, its month in letters."""
        return format_date(datetime.fromtimestamp(moment / 1000, UTC), "long", locale=self.locale)

    def month(self, month: str) -> str:
        """Returns a month such as 2026-11 in letters, with its year."""
        return format_skeleton("yMMMM", datetime.fromisoformat(f"{month}-01"), locale=self.locale)

    def duration(self, span: Millis) -> str:
        """Returns `span` in the largest unit that measures it evenly: `3 days`, `36 hours`."""
        unit = next(unit for unit, size in _UNITS.items() if span % size == 0)
        return format_unit(span // _UNITS[unit], f"duration-{unit}", locale=self.locale)

    def left(self, time: Millis) -> str:
        """Returns a time left as a clock shows it: `9:30`, `1:05:30`, and from a day on `2 days, 3 hr`."""
        hours, rest = divmod(time // 1000, 3600)
        if hours < 24:
            minutes, seconds = divmod(rest, 60)
            return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
        days, hours = divmod(hours, 24)
        units = [("day", days)] + ([("hour", hours)] if hours else [])
        shown = [format_unit(count, f"duration-{unit}", "short", locale=self.locale) for unit, count in units]
        return format_list(shown, "unit-short", locale=self.locale)

    def control(self, control: TimeControl) -> str:
        """Returns a time control in words."""
        match control:
            case PerMove(allowance):
                return self("clock.per_move", allowance=self.duration(allowance))
            case Fischer(initial, increment, None):
                return self("clock.fischer", initial=self.duration(initial), increment=self.duration(increment))
            case Fischer(initial, increment, cap) if cap:
                times = {"initial": self.duration(initial), "increment": self.duration(increment)}
                return self("clock.capped", cap=self.duration(cap), **times)
            case Reserve(reserve, free):
                return self("clock.reserve", reserve=self.duration(reserve), free=self.duration(free))
            case Blitz(allowance):
                return self("clock.blitz", allowance=self.duration(allowance))
            case _:
                return self("clock.none")


class Languages:
    """The words of all languages by their tags, without marks until they are told to speak those of a surface."""

    def __init__(self, words: Mapping[str, Words], keys: Mapping[str, str], all_keys: Sequence[str]) -> None:
        self._words = words
        self.all_keys = all_keys
        self.keys = keys
        """The key of each sentence of the source language; of a sentence that several have, any of them."""

    @classmethod
    def read(cls, folder: Path = CATALOGUES, tags: Collection[str] | None = None) -> Languages:
        """Returns the languages of a folder of catalogues, or of those the ones with these `tags` and the source."""
        catalogue = _read(folder / SOURCE)
        source = _compiled(catalogue)
        source.add_fallback(_Nothing())
        words = {SOURCE: Words(Locale(SOURCE), source)}
        for path in sorted(folder.iterdir()):
            if path.name not in words and (tags is None or path.name in tags):
                translations = _compiled(_read(path))
                translations.add_fallback(source)
                words[path.name] = Words(Locale.parse(path.name), translations)
        keys = {str(each.string): str(each.id) for each in catalogue if isinstance(each.string, str)}
        return cls(words, keys, [str(each.id) for each in catalogue if isinstance(each.id, str) and each.id])

    def speaking(self, markup: Markup, platform: str = "") -> Languages:
        """Returns these languages as `Words.speaking` returns each."""
        spoken = {tag: words.speaking(markup, platform) for tag, words in self._words.items()}
        return Languages(spoken, self.keys, self.all_keys)

    def __iter__(self) -> Iterator[Words]:
        return iter(self._words.values())

    @property
    def names(self) -> dict[str, str]:
        """The name of every language in itself."""
        return {tag: (words.locale.get_display_name() or tag).capitalize() for tag, words in self._words.items()}

    def of(self, tag: str | None = None) -> Words:
        """Returns the words of a language, its region or none behind it (`en-GB`, `ru`), or those of the source."""
        return self._words.get((tag or SOURCE).split("-")[0], self._words[SOURCE])


@cache
def languages() -> Languages:
    """Returns all languages, read once: it takes up to half a second."""
    return Languages.read()


@cache
def _words(tag: str, markup: Markup, platform: str) -> Words:
    """Returns the words of a language for a process that may need no other."""
    return _unmarked(tag).speaking(markup, platform)


@cache
def _unmarked(tag: str) -> Words:
    return Languages.read(tags=[tag]).of(tag)


def _joined(larger: list[str], smaller: list[str]) -> str:
    """Returns two spans with the word for their direction once: `in 2 days` and `in 5 hours` as `in 2 days, 5 hours`.

    It is before the numbers of both, or behind what is counted.
    """
    start = next(place for place, word in enumerate(smaller) if word.isdigit())
    end = len(larger) - 1 if larger[-1] == smaller[-1] else len(larger)
    return f"{' '.join(larger[:end])}, {' '.join(smaller[start:])}"


@lru_cache(maxsize=1024)
def _decimal(value: float, locale: Locale) -> str:
    """Returns a number in the notation of a language; cached, since Babel takes 20 µs."""
    return format_decimal(value, locale=locale)


def _read(folder: Path) -> Catalog:
    with (folder / "LC_MESSAGES" / "kropka.po").open("rb") as file:
        return read_po(file, locale=folder.name, abort_invalid=True)


def _compiled(catalogue: Catalog) -> GNUTranslations:
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
