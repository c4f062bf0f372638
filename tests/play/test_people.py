"""Quiet hours and time zones as players may write them."""

from __future__ import annotations

import pytest

from play.clock.schedule import Night, parse_night
from play.people.settings import PlayerSettings
from play.refusal import Refused
from tests.matches import ANNA


@pytest.mark.parametrize(
    ("text", "night"),
    [
        ("22:00-07:00", Night(22 * 60, 7 * 60)),
        ("22-7", Night(22 * 60, 7 * 60)),
        (" 22.30 – 6.15 ", Night(22 * 60 + 30, 6 * 60 + 15)),
        ("0-24:00", None),
        ("23-24", Night(23 * 60, 0)),
        ("13:00..14:00", Night(13 * 60, 14 * 60)),
        ("24-8", Night(0, 8 * 60)),
    ],
)
def test_quiet_hours_are_read(text: str, night: Night | None) -> None:
    if night is None:
        with pytest.raises(Refused, match="bad_night"):
            parse_night(text)
    else:
        assert parse_night(text) == night
        assert parse_night(str(night)) == night


@pytest.mark.parametrize("text", ["", "night", "22:00", "22:60-7", "25-7", "7-7", "22:00-07:00-", "-22-7"])
def test_what_are_no_quiet_hours_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_night"):
        parse_night(text)


def test_a_move_is_asked_for_twice_only_where_there_are_days_to_think() -> None:
    assert PlayerSettings(ANNA).confirms(live=False)
    assert not PlayerSettings(ANNA).confirms(live=True)
