"""Times to begin, as hosts of six languages type them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.features.competitions.tournaments.commands import read_begin
from bot.markup import spoken
from play.ids import Millis
from play.refusal import Refused
from presentation.words.words import CATALOGUES, Words
from tests.clock import HOUR, MINUTE

WARSAW = ZoneInfo("Europe/Warsaw")


def at(text: str, zone: ZoneInfo = WARSAW) -> Millis:
    return Millis(int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000))


NOW = at("2026-11-22 12:00")


def words(language: str) -> Words:
    return spoken().of(language)


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [
        ("en", "in 2 days", "2026-11-24 12:00"),
        ("en", "tomorrow 18:00", "2026-11-23 18:00"),
        ("en", "2026-11-25 18:00", "2026-11-25 18:00"),
        ("en", "Friday 7pm", "2026-11-27 19:00"),
        ("ru", "завтра в 18:00", "2026-11-23 18:00"),
        ("ru", "через 2 дня", "2026-11-24 12:00"),
        ("pl", "jutro o 18:00", "2026-11-23 18:00"),
        ("pl", "tomorrow 18:00", "2026-11-23 18:00"),
        ("uk", "завтра о 18:00", "2026-11-23 18:00"),
        ("de", "morgen 18:00", "2026-11-23 18:00"),
        ("cs", "zítra v 18:00", "2026-11-23 18:00"),
    ],
)
def test_a_time_is_read_in_the_hosts_language_and_zone(language: str, typed: str, meant: str) -> None:
    assert read_begin(typed, WARSAW, NOW, words(language)) == at(meant)


def test_a_time_after_the_clocks_change_is_that_of_the_wall() -> None:
    before = at("2026-10-24 12:00")
    assert read_begin("tomorrow 18:00", WARSAW, before, words("en")) == at("2026-10-25 18:00")


@pytest.mark.parametrize("before", ["2027-03-27 18:00", "2026-10-24 18:00"], ids=["spring", "autumn"])
@pytest.mark.parametrize(
    ("language", "typed", "hours"),
    [
        ("en", "in 24 hours", 24),
        ("en", "in 1 day 3 hours", 27),
        ("en", "in 24 hours UTC", 24),
        ("pl", "za 24 godziny", 24),
        ("ru", "через 24 часа", 24),
        ("uk", "через 24 години", 24),
        ("de", "in 24 Stunden", 24),
        ("cs", "za 24 hodin", 24),
    ],
)
def test_hours_are_counted_in_time_while_the_clocks_change(language: str, typed: str, hours: int, before: str) -> None:
    now = at(before)
    assert read_begin(typed, WARSAW, now, words(language)) == now + hours * HOUR


@pytest.mark.parametrize("before", ["2027-03-28 01:45", "2026-10-25 01:45"], ids=["spring", "autumn"])
def test_minutes_are_counted_in_time_while_the_clocks_change(before: str) -> None:
    now = at(before)
    assert read_begin("in 90 minutes", WARSAW, now, words("en")) == now + 90 * MINUTE


@pytest.mark.parametrize("later", [0, HOUR], ids=["first", "second"])
def test_minutes_typed_in_the_doubled_hour_are_counted_from_then(later: int) -> None:
    now = Millis(at("2026-10-25 02:30") + later)
    assert read_begin("in 90 minutes", WARSAW, now, words("en")) == now + 90 * MINUTE


@pytest.mark.parametrize("before", ["2027-03-27 18:00", "2026-10-24 18:00"], ids=["spring", "autumn"])
@pytest.mark.parametrize("typed", ["in 1 day", "tomorrow", "tomorrow 18:00"])
def test_days_keep_the_time_of_day_while_the_clocks_change(typed: str, before: str) -> None:
    day = datetime.fromisoformat(before) + timedelta(days=1)
    assert read_begin(typed, WARSAW, at(before), words("en")) == at(day.isoformat())


def test_a_host_without_a_zone_types_how_long_it_is() -> None:
    assert read_begin("in 3 hours", None, NOW, words("en")) == NOW + 3 * 3_600_000


@pytest.mark.parametrize(
    ("typed", "zone", "key"),
    [
        ("no time at all", WARSAW, "bad_begins"),
        ("9" * 40, WARSAW, "bad_begins"),
        ("tomorrow 25:00", WARSAW, "bad_begins"),
        ("tomorrow 24:00", WARSAW, "bad_begins"),
        ("tomorrow 18:60", WARSAW, "bad_begins"),
        ("tomorrow 18:00-19:00", WARSAW, "bad_begins"),
        ("tomorrow at 25", WARSAW, "bad_begins"),
        ("in 3 days at 18", WARSAW, "bad_begins"),
        ("tomorrow 18:00", None, "begins_needs_zone"),
        ("in 9 minutes", WARSAW, "begins_when"),
        ("yesterday", WARSAW, "begins_when"),
        ("in 61 days", WARSAW, "begins_when"),
        ("9999-12-31 23:59", ZoneInfo("America/Los_Angeles"), "bad_begins"),
    ],
)
def test_a_time_that_cannot_be_is_refused(typed: str, zone: ZoneInfo | None, key: str) -> None:
    with pytest.raises(Refused) as refused:
        read_begin(typed, zone, NOW, words("en"))
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("ru", "завтра в 25:00"),
        ("pl", "jutro 25:00"),
        ("uk", "завтра 25:00"),
        ("de", "morgen 25 Uhr"),
        ("cs", "zítra 25:00"),
    ],
)
def test_an_hour_that_no_day_has_is_refused_in_each_language(language: str, typed: str) -> None:
    with pytest.raises(Refused, match="bad_begins"):
        read_begin(typed, WARSAW, NOW, words(language))


@pytest.mark.parametrize(
    ("language", "typed", "days"),
    [
        ("en", "in 1 day", 1),
        ("en", "in 1 week", 7),
        ("ru", "через 1 день", 1),
        ("ru", "через 1 неделю", 7),
        ("pl", "za 1 dzień", 1),
        ("uk", "через 1 тиждень", 7),
        ("de", "in 1 Tag", 1),
        ("cs", "za 1 týden", 7),
    ],
)
def test_a_number_of_days_is_none_of_the_clock(language: str, typed: str, days: int) -> None:
    assert read_begin(typed, WARSAW, NOW, words(language)) == NOW + days * 24 * HOUR


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
@pytest.mark.parametrize("zone", [WARSAW, None])
def test_the_examples_of_a_refusal_can_be_typed(language: str, zone: ZoneInfo | None) -> None:
    own = words(language)
    with pytest.raises(Refused, match="bad_begins") as refused:
        read_begin("no time at all", zone, NOW, own)
    examples = re.findall(r"`([^`]+)`", own("refused.bad_begins", **refused.value.details))
    assert len(examples) == 3
    assert all(read_begin(example, WARSAW, NOW, own) for example in examples)
