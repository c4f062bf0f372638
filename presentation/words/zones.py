"""Time zones as players write them: a city or a country in any of the languages, UTC+3, CET or Moscow Time."""

import re
import zoneinfo
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from babel.core import get_global

from play.ids import Millis
from play.refusal import Reason, Refused
from presentation.words.cities import City, cities_like, cities_named, fold, people_of_zones

MAX_CHOICES = 20
"""Zones among which a player chooses at most: menus show 25 options."""

CLEAR_LEAD = 10
"""How many times the people of any other place a place has, if a name that both have is taken to mean it."""

_OFFSET = re.compile(r"(?:(utc|gmt|msk|z) ?)?([+-]) ?(\d{1,2})(?:[:.]?([0-5]\d))?", re.ASCII)
_MOSCOW_MINUTES = 180
"""Minutes by which Moscow is ahead of UTC; Russians also write МСК+2."""

_LATIN = str.maketrans("мскетуцг−–", "mcketucg--") | {ord("с"): "s"}
"""The letters of МСК and the like in Latin, and the minus sign and the dash as typed."""

_SHORT_NAMES = {"usa": "US", "сша": "US", "uk": "GB", "uae": "AE"}
"""Countries as players call them, which the lists of languages do not."""

_HOURS = range(-12, 15)
"""Whole hours for which the database has a zone without a place."""


WEEKS = 52
"""Weeks of a year in which zones are compared."""

Behaviour = tuple[tuple[str, timedelta | None], ...]
"""The abbreviation and the offset of a zone's time, week by week."""


class Guess(NamedTuple):
    """A time zone that a player may mean, the place that they named, and the thousands of people there."""

    zone: ZoneInfo
    place: str
    thousands: int = 0


class Found(NamedTuple):
    """The likeliest zone first. If they are not `certain`, the player has to choose."""

    guesses: list[Guess]
    certain: bool


def find_zones(text: str, locale: Locale, now: Millis) -> Found:
    """Returns the time zones that a text may mean, to a reader of a language. Raises Refused (`bad_zone`).

    It takes milliseconds, and a fifth of a second at the first call.
    """
    written = text.strip()
    if name := _names().get(written.casefold().replace(" ", "_")):
        return Found([_guess(name, locale)], certain=True)
    year = datetime.fromtimestamp(now / 1000, UTC).year
    name = fold(written)
    if not name:
        raise Refused(Reason.BAD_ZONE)
    zones = _with_offset(written, now, year) or _with_abbreviation(written, year)
    if zones:
        return _decided(_one_of_each(zones, locale, year))
    if country := _countries(str(locale)).get(name):
        guesses = _one_of_each(_zones_of(country), locale, year)[:MAX_CHOICES]
        return Found(guesses, certain=len(guesses) == 1)
    if cities := cities_named(name):
        return _decided(_in_cities(cities, locale))
    zones = _cities(str(locale)).get(name) or _with_long_name(name, locale)
    if zones:
        return _decided(_one_of_each(zones, locale, year))
    if cities := cities_like(name):
        return Found(_in_cities(cities, locale)[:MAX_CHOICES], certain=False)
    raise Refused(Reason.BAD_ZONE)


@lru_cache(maxsize=1024)
def zone_name(zone: ZoneInfo, locale: Locale) -> str:
    """Returns what a time zone is called in a language: by a city, or by its offset."""
    if found := re.fullmatch(r"Etc/GMT([+-])(\d+)", zone.key):
        return f"UTC{'−' if found[1] == '+' else '+'}{found[2]}"
    for key in (zone.key, *_older_names().get(zone.key, ())):
        if city := locale.time_zones.get(key, {}).get("city"):
            return str(city)
    return zone.key.rpartition("/")[2].replace("_", " ")


def _with_offset(text: str, now: Millis, year: int) -> list[str]:
    """Returns the zones that are an offset from UTC, or from Moscow, ahead."""
    found = _OFFSET.fullmatch(text.casefold().translate(_LATIN))
    if found is None:
        return []
    minutes = (-1 if found[2] == "-" else 1) * (int(found[3]) * 60 + int(found[4] or 0))
    minutes += _MOSCOW_MINUTES if found[1] == "msk" else 0
    hours, rest = divmod(minutes, 60)
    if not rest:
        return [f"Etc/GMT{-hours:+}" if hours else "UTC"] if hours in _HOURS else []
    moment = datetime.fromtimestamp(now / 1000, UTC)
    ahead = timedelta(minutes=minutes)
    zones = [zone for zone in people_of_zones() if ahead in _offsets(moment.astimezone(ZoneInfo(zone)))]
    steady = [zone for zone in zones if len(set(_behaviour(zone, year))) == 1]
    return steady or zones


def _offsets(moment: datetime) -> tuple[timedelta | None, timedelta]:
    """Returns how far a zone is ahead at a moment, and in winter: players name it by either."""
    ahead, summer = moment.utcoffset(), moment.dst()
    return ahead, (ahead or timedelta()) - (summer or timedelta())


def _with_abbreviation(text: str, year: int) -> list[str]:
    """Returns the zones whose time has an abbreviation in the database, in summer or in winter: CET, МСК."""
    short = text.casefold().translate(_LATIN).upper()
    return [zone for zone in people_of_zones() if short in {abbreviation for abbreviation, _ in _behaviour(zone, year)}]


def _with_long_name(name: str, locale: Locale) -> list[str]:
    """Returns the zones whose time has a name in a language: MEZ, Mitteleuropäische Zeit."""
    kinds = _kinds_of_time(str(locale)).get(name, ())
    return [zone for zone in people_of_zones() if get_global("meta_zones").get(_known_to_babel(zone)) in kinds]


def _in_cities(cities: Iterable[City], locale: Locale) -> list[Guess]:
    """Returns the zones of cities, each by its largest one."""
    largest: dict[str, City] = {}
    for city in sorted(cities, key=lambda city: -city.thousands):
        largest.setdefault(city.zone, city)
    return [
        Guess(ZoneInfo(city.zone), f"{city.name}, {locale.territories.get(city.country, city.country)}", city.thousands)
        for city in largest.values()
    ]


def _one_of_each(zones: Iterable[str], locale: Locale, year: int) -> list[Guess]:
    """Returns one of all zones that keep the same time all year: one at home for the language, or the largest."""
    home = get_global("likely_subtags").get(locale.language, "").rpartition("_")[2]
    people = people_of_zones()
    groups: dict[Behaviour, list[Guess]] = defaultdict(list)
    for zone in zones:
        groups[_behaviour(zone, year)].append(_guess(zone, locale))

    def rank(guess: Guess) -> tuple[bool, int]:
        return guess.zone.key in people and home in people[guess.zone.key].countries, guess.thousands

    chosen = [
        max(group, key=rank)._replace(thousands=sum(each.thousands for each in group)) for group in groups.values()
    ]
    return sorted(chosen, key=lambda guess: -guess.thousands)


def _decided(guesses: list[Guess]) -> Found:
    """Returns the first guess alone if it has a clear lead."""
    first, *others = guesses
    if all(first.thousands >= CLEAR_LEAD * each.thousands for each in others):
        return Found([first], certain=True)
    return Found(guesses[:MAX_CHOICES], certain=False)


def _guess(zone: str, locale: Locale) -> Guess:
    people = people_of_zones().get(zone)
    return Guess(ZoneInfo(zone), zone_name(ZoneInfo(zone), locale), people.thousands if people else 0)


@cache
def _behaviour(zone: str, year: int) -> Behaviour:
    """Returns the times that a zone keeps in the weeks of a year: Cairo's clocks change weeks after Kyiv's."""
    noon = datetime(year, 1, 1, 12, tzinfo=ZoneInfo(zone))
    weeks = (noon + timedelta(weeks=week) for week in range(WEEKS))
    return tuple((moment.tzname() or "", moment.utcoffset()) for moment in weeks)


@cache
def _names() -> dict[str, str]:
    """Returns the zones with a place, and UTC, by their names in the database in lower case. Its abbreviations are
    left out: EST there is a time without a summer, and hardly what a player means."""
    return {name.casefold(): name for name in sorted(zoneinfo.available_timezones()) if "/" in name} | dict.fromkeys(
        ("utc", "gmt", "z"), "UTC"
    )


@cache
def _cities(language: str) -> dict[str, list[str]]:
    """Returns the zones by the folded names of their cities, in the database and in a language."""
    locale, found = Locale.parse(language), defaultdict[str, list[str]](list)
    for zone in _names().values():
        if not zone.startswith(("Etc/", "US/", "SystemV/")):
            for name in {fold(zone.rpartition("/")[2]), fold(zone_name(ZoneInfo(zone), locale))}:
                found[name].append(zone)
    return found


@cache
def _countries(language: str) -> dict[str, str]:
    """Returns the codes of countries that have zones, by their folded names in a language and in English."""
    names = [item for tag in ("en", language) for item in Locale.parse(tag).territories.items()]
    found = {fold(name): code for code, name in names if code.isalpha()} | _SHORT_NAMES
    return {name: code for name, code in found.items() if _zones_of(code)}


@cache
def _zones_of(country: str) -> list[str]:
    return [zone for zone, people in people_of_zones().items() if country in people.countries]


@cache
def _kinds_of_time(language: str) -> dict[str, set[str]]:
    """Returns CLDR's kinds of time by their folded names in a language and in English."""
    found: dict[str, set[str]] = defaultdict(set)
    for locale in (Locale.parse("en"), Locale.parse(language)):
        for kind, lengths in locale.meta_zones.items():
            for names in lengths.values():
                for name in names.values():
                    found[fold(str(name))].add(kind)
    return found


@cache
def _older_names() -> dict[str, list[str]]:
    """Returns the older names of zones, under which the data of languages may have them."""
    found: dict[str, list[str]] = defaultdict(list)
    for old, new in get_global("zone_aliases").items():
        found[new].append(old)
    return found


def _known_to_babel(zone: str) -> str:
    known = get_global("meta_zones")
    return next((each for each in (zone, *_older_names().get(zone, ())) if each in known), zone)
