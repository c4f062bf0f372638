"""Time zones as players of every language write them."""

from __future__ import annotations

import zoneinfo
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

from play.ids import Millis
from play.refusal import Refused
from presentation.words.words import CATALOGUES
from presentation.words.zones import Found, find_zones, zone_name
from tests.calls import count_calls

WINTER = Millis(1_768_478_400_000)  # 15 January 2026, noon
SUMMER = Millis(1_784_116_800_000)  # 15 July 2026, noon
LANGUAGES = {path.name for path in CATALOGUES.iterdir()}


def find(text: str, language: str = "en", now: Millis = WINTER) -> Found:
    return find_zones(text, Locale.parse(language), now)


def keys(found: Found) -> list[str]:
    return [guess.zone.key for guess in found.guesses]


@pytest.mark.parametrize(
    ("text", "language", "key"),
    [
        ("Europe/Warsaw", "en", "Europe/Warsaw"),
        (" europe/warsaw ", "ru", "Europe/Warsaw"),
        ("Kraków", "pl", "Europe/Warsaw"),
        ("KRAKOW", "en", "Europe/Warsaw"),
        ("Краков", "ru", "Europe/Warsaw"),
        ("Москва", "ru", "Europe/Moscow"),
        ("moskwa", "pl", "Europe/Moscow"),
        ("Львів", "uk", "Europe/Kyiv"),
        ("Львов", "ru", "Europe/Kyiv"),
        ("kiev", "en", "Europe/Kyiv"),
        ("Köln", "de", "Europe/Berlin"),
        ("koln", "de", "Europe/Berlin"),
        ("ústí nad labem", "cs", "Europe/Prague"),
        ("Łódź", "pl", "Europe/Warsaw"),
        ("lodz", "cs", "Europe/Warsaw"),
        ("new york", "en", "America/New_York"),
        ("Нью-Йорк", "uk", "America/New_York"),
        ("Port-au-Prince", "en", "America/Port-au-Prince"),
        ("London", "en", "Europe/London"),  # and not London in Ontario
        ("Lord Howe", "en", "Australia/Lord_Howe"),  # too small for the list of cities
        ("Poland", "en", "Europe/Warsaw"),
        ("Польша", "ru", "Europe/Warsaw"),
        ("Deutschland", "de", "Europe/Berlin"),
        ("UTC", "en", "UTC"),
        ("gmt", "en", "UTC"),
        ("UTC+3", "en", "Etc/GMT-3"),
        ("utc +03:00", "ru", "Etc/GMT-3"),
        ("+3", "ru", "Etc/GMT-3"),
        ("GMT-5", "en", "Etc/GMT+5"),
        ("UTC−5", "en", "Etc/GMT+5"),
        ("UTC+0", "en", "UTC"),
        ("UTC+5:30", "en", "Asia/Kolkata"),
        ("+0545", "en", "Asia/Kathmandu"),
        ("МСК", "ru", "Europe/Moscow"),
        ("msk", "pl", "Europe/Moscow"),
        ("МСК+2", "ru", "Etc/GMT-5"),
        ("EST", "en", "America/New_York"),
        ("Eastern Time", "en", "America/New_York"),
        ("Moskauer Zeit", "de", "Europe/Moscow"),
    ],
)
def test_a_time_zone_is_understood(text: str, language: str, key: str) -> None:
    found = find(text, language)
    assert (keys(found), found.certain) == ([key], True)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Birmingham", "en", ["Europe/London", "America/Chicago"]),
        ("Portland", "en", ["America/Los_Angeles", "America/New_York"]),
        ("CST", "en", ["Asia/Shanghai", "America/Mexico_City", "America/Chicago", "America/Havana"]),
        ("CET", "pl", ["Europe/Warsaw", "Africa/Algiers"]),
        ("EET", "en", ["Europe/Kyiv", "Africa/Cairo", "Africa/Tripoli"]),
        ("MEZ", "de", ["Europe/Berlin", "Africa/Algiers"]),
        ("SEČ", "cs", ["Europe/Prague", "Africa/Algiers"]),
    ],
)
def test_what_may_mean_several_zones_is_asked_back(text: str, language: str, expected: list[str]) -> None:
    found = find(text, language)
    assert (keys(found), found.certain) == (expected, False)


@pytest.mark.parametrize(("text", "language"), [("Russia", "en"), ("США", "ru"), ("USA", "cs"), ("Rosja", "pl")])
def test_a_country_of_many_zones_offers_each_time_once_and_no_more_than_a_menu_holds(text: str, language: str) -> None:
    found = find(text, language)
    assert not found.certain
    assert 5 < len(found.guesses) <= 20
    assert len(set(keys(found))) == len(found.guesses)


def test_a_misspelt_city_is_never_taken_as_certain() -> None:
    found = find("Новосибирс", "ru")
    assert (keys(found), found.certain) == (["Asia/Novosibirsk"], False)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("text", ["EET", "EEST", "eest"])
def test_a_time_of_kyiv_and_of_cairo_is_asked_back_since_their_clocks_change_weeks_apart(
    text: str, language: str
) -> None:
    found = find(text, language)
    assert keys(found)[:2] == ["Europe/Kyiv", "Africa/Cairo"]
    assert not found.certain


@pytest.mark.parametrize("now", [WINTER, SUMMER], ids=["winter", "summer"])
@pytest.mark.parametrize("text", ["-03:30", "-3:30", "UTC−3:30"])
def test_a_half_hour_of_winter_is_a_zone_all_year(text: str, now: Millis) -> None:
    found = find(text, now=now)
    assert (keys(found), found.certain) == (["America/St_Johns"], True)


def test_a_half_hour_that_only_summer_time_has_is_found_in_summer() -> None:
    assert keys(find("UTC-2:30", now=SUMMER)) == ["America/St_Johns"]
    with pytest.raises(Refused):
        find("UTC-2:30", now=WINTER)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "-", "3", "UTC+15", "UTC-13", "UTC+2:30", "UTC+3:99", "+99", "../etc/passwd", "|", "\t",
     "Europe", "x" * 60, "👍", "**@everyone**"],
)  # fmt: skip
def test_what_is_no_time_zone_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_zone"):
        find(text)


@pytest.mark.contest
@pytest.mark.parametrize("language", [pytest.param("ru", marks=pytest.mark.smoke), *sorted(LANGUAGES - {"ru"})])
def test_each_zone_is_found_by_the_name_that_a_language_shows_for_it(language: str) -> None:
    locale = Locale.parse(language)
    lost = []
    for key in zoneinfo.available_timezones():
        if key.partition("/")[0] in {"Africa", "America", "Asia", "Australia", "Europe", "Pacific"}:
            name = zone_name(ZoneInfo(key), locale)
            try:
                find_zones(name, locale, WINTER)
            except Refused:
                lost.append((key, name))
    assert lost == []


def test_a_zone_is_called_by_its_city_in_the_language_or_by_its_offset() -> None:
    called = [zone_name(ZoneInfo("Europe/Kyiv"), Locale.parse(each)) for each in ("en", "ru", "pl", "uk", "de", "cs")]
    assert called == ["Kyiv", "Киев", "Kijów", "Київ", "Kiew", "Kyjev"]
    assert [zone_name(ZoneInfo(f"Etc/GMT{each}"), Locale("en")) for each in ("-3", "+5")] == ["UTC+3", "UTC−5"]


def calls_for(text: str) -> int:
    """Returns how many calls of functions it takes to find nothing for a text."""
    with count_calls() as calls, pytest.raises(Refused):
        find(text)
    return calls.number


@pytest.mark.parametrize("text", ["aaaa" * 15, "a" * 60, "san " * 15, "🎈" * 60, "|" * 60])
def test_looking_takes_no_longer_for_the_worst_text(text: str) -> None:
    calls_for("Nowhere")  # which reads the lists
    assert calls_for(text) < 5 * calls_for("Nowhere")
