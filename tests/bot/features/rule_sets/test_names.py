"""A typed name becomes one visible line without mentions and links, or is refused with a reason."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.terms.offered_rules import read_name
from bot.markup import spoken
from play.challenge.terms import MAX_NAME
from play.refusal import Reason, Refused
from presentation.terms import rules_name

TYPED = st.text(st.characters() | st.sampled_from("<>@#&*_`[]()/:. \u200d\u202e\ufe0f🎲й")) | st.from_regex(
    r"\A.{0,9}(<@!?\d{1,20}>|@everyone|https?://\w+\.\w+|www\.\w+|discord\.gg/\w+).{0,9}\Z"
)


@given(TYPED)
def test_a_name_is_a_short_visible_line_or_is_refused(typed: str) -> None:
    try:
        name = read_name(typed)
    except Refused:
        return  # with a reason of its own, see below
    assert 1 <= len(name) <= MAX_NAME
    assert name == name.strip()
    assert read_name(name) == name
    assert not any(unicodedata.category(each) in ("Cc", "Zl", "Zp", "Cs") for each in name)
    assert not any(each in name for each in ("<", ">", "@", "://"))
    shown = rules_name("zagram", name, spoken().of("en"))
    assert not any(mark in shown.replace(f"\\{mark}", "") for mark in "*_`|[")


@pytest.mark.parametrize("name", ["Grandpa's rules", "Дедушкины правила", "🎲", "Дом #1", "Opa & Oma", "1.5 points"])
def test_a_name_of_any_letters_and_emoji_is_kept(name: str) -> None:
    assert read_name(f"  {name} ") == name


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", ["<@123>", "@everyone", "see https://x.y", "WWW.x.y", "discord.gg/abc", "<#5>"])
def test_mentions_and_links_are_no_names(name: str) -> None:
    with pytest.raises(Refused) as refused:
        read_name(name)
    assert refused.value.key == Reason.BAD_RULE_SET_NAME


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["", " ", "\u200b\u200d", "\u202e", "\u3164"])
def test_what_cannot_be_seen_is_no_name(name: str) -> None:
    with pytest.raises(Refused) as refused:
        read_name(name)
    assert refused.value.key == Reason.NO_RULE_SET_NAME
