"""Sentences that were written for Discord, as plain text."""

from __future__ import annotations

import pytest

from bot.services.names import escape
from web.text import plain_text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("**Ola** played *E5*.", "Ola played E5."),
        ("-# small\n- first\n- second", "small\nfirst\nsecond"),
        ("Use </settings me:12>, then [the board](<https://a.example/b>).", "Use /settings me, then the board."),
        ("E5-F6 costs 2 - 1.", "E5-F6 costs 2 - 1."),
    ],
)
def test_marks_are_taken_away(written: str, told: str) -> None:
    assert plain_text(written) == told


@pytest.mark.parametrize("name", ["**Bo**", "a_b", "[x](y)", "\\o/", "-# tiny", "</games:1>", "Ола"])
def test_a_name_stays_as_it_is(name: str) -> None:
    assert plain_text(f"**{escape(name)}** won") == f"{name} won"
