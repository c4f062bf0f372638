"""Looks cities up in cities.txt.gz (see gather.py), by names in Latin and Cyrillic letters."""

import gzip
import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parent / "cities.txt.gz"

MAX_NEAR = 5
"""Names that are offered for one that nothing has."""

MIN_LETTERS = 4
"""Letters that a misspelt name has to begin with as it is written."""

_OWN_LETTERS = str.maketrans("łøđðıґ", "loddiг") | {ord("þ"): "th", ord("æ"): "ae", ord("œ"): "oe"}
"""Letters that Unicode does not take apart."""


class City(NamedTuple):
    """A city of 50,000 people or more; `country` is its code."""

    name: str
    country: str
    zone: str
    thousands: int


def fold(text: str) -> str:
    """Returns a name without case, diacritics and punctuation."""
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(_OWN_LETTERS)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.findall(r"[^\W_]+", plain))


def cities_named(name: str) -> list[City]:
    """Returns the cities that have a folded name, the largest first."""
    return [_city_at(start) for start in _occurrences(f"|{name}|")]


def cities_like(name: str) -> list[City]:
    """Returns the cities whose names are nearest to one that is misspelt behind its first letters."""
    if len(name) < MIN_LETTERS:
        return []
    text = _text()
    near: dict[str, int] = {}
    for start in _occurrences(f"|{name[:MIN_LETTERS]}"):
        near.setdefault(text[start + 1 : text.index("|", start + 1)], start)
    return [_city_at(near[each]) for each in get_close_matches(name, near, MAX_NEAR, cutoff=0.75)]


class ZonePeople(NamedTuple):
    """How many thousands live in the cities of a time zone, and the countries that these are in."""

    thousands: int
    countries: frozenset[str]


@cache
def people_of_zones() -> dict[str, ZonePeople]:
    """Returns who lives in the cities of each time zone that has any."""
    zones: dict[str, ZonePeople] = {}
    for line in _text().splitlines():
        _, country, zone, thousands, _ = line.split("\t")
        others = zones.get(zone, ZonePeople(0, frozenset()))
        zones[zone] = ZonePeople(others.thousands + int(thousands), others.countries | {country})
    return zones


@cache
def _text() -> str:
    """Returns the file, which takes 3 MB. Searching it takes a millisecond; a table of all names would take 30 MB."""
    return gzip.decompress(FILE.read_bytes()).decode()


def _occurrences(part: str) -> Iterator[int]:
    text = _text()
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def _city_at(place: int) -> City:
    """Returns the city of the line in which a place is."""
    text = _text()
    name, country, zone, thousands, _ = text[text.rfind("\n", 0, place) + 1 : place].split("\t")
    return City(name, country, zone, int(thousands))
