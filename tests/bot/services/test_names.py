"""Names are shown as they are, and nothing in them formats, mentions or hides anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.markup import escape
from bot.services.names import NAME_SECONDS, Names
from play.ids import GuildId, UserId
from presentation.text import cut_names, isolate, nameless, plain_name, readable_name, shorten, unisolated, visible_text
from tests.bot.room import Room


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Kasia Wiśniewska", "Kasia Wiśniewska"),
        ("Максим", "Максим"),
        ("**bold**", r"\*\*bold\*\*"),
        ("@everyone", r"\@everyone"),
        ("<@123>", r"\<\@123\>"),
        ("[free](http://x.y)", r"\[free\]\(http\://x\.y\)"),
        ("`code` ||spoiler||", r"\`code\` \|\|spoiler\|\|"),
        ("# head", r"\# head"),
    ],
)
def test_nothing_in_a_name_is_a_mark(name: str, shown: str) -> None:
    assert escape(name) == shown


def test_a_name_cannot_turn_or_break_the_line() -> None:
    assert plain_name("ab\u202ecd\nef\u2066") == "abcdef"


@pytest.mark.parametrize("name", ["שלום", "العربية", "Ola שלום", "١٢٣", "א1"])
def test_a_name_from_the_right_turns_nothing_beside_it(name: str) -> None:
    assert plain_name(name) == escape(name) == shorten(name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["Ola", "Максим", "Αλέξης", "田中", "Kasia 🎲"])
def test_a_name_from_the_left_needs_no_marks(name: str) -> None:
    assert isolate(name) == name


def test_a_list_of_isolated_names_stays_as_it_is() -> None:
    names = ", ".join(map(plain_name, ("שלום", "Ola", "العربية")))
    assert escape(names) == names
    assert unisolated(names) == "שלום, Ola, العربية"


@given(st.lists(st.sampled_from(["שלום", "Ola", "العربية", "Максим"]), min_size=1), st.integers(2, 40))
def test_names_that_are_cut_take_nothing_after_them_into_themselves(names: list[str], most: int) -> None:
    shown = cut_names(" – ".join(map(plain_name, names)), most)
    assert len(shown) <= most
    assert shown.count("\u2068") <= shown.count("\u2069")


def test_a_name_of_nothing_is_still_something() -> None:
    assert plain_name("\u200f\n ") == "?"


async def test_a_name_is_asked_for_once_an_hour(room: Room) -> None:
    time = [0.0]
    names = Names(
        room.client, room.services.locales, room.services.store, room.use_cases.absences.note, lambda: time[0]
    )
    user, guild = UserId(room.kasia.id), GuildId(room.discord.guild.id)

    async def count_requests() -> int:
        before = len(room.discord.requests)
        assert await names.of(user, guild) == "Kasia Wiśniewska"
        return len(room.discord.requests) - before

    assert [await count_requests(), await count_requests()] == [1, 0]
    time[0] = NAME_SECONDS
    assert await count_requests() == 1


async def test_a_person_of_a_dm_has_a_name(room: Room) -> None:
    assert (
        await Names(room.client, room.services.locales, room.services.store, room.use_cases.absences.note).of(
            UserId(room.kasia.id), None
        )
        == "Kasia Wiśniewska"
    )


async def test_an_account_that_is_gone_has_a_number(room: Room) -> None:
    assert (
        await Names(room.client, room.services.locales, room.services.store, room.use_cases.absences.note).of(
            UserId(5), GuildId(room.discord.guild.id)
        )
        == "#0005"
    )


async def test_the_cache_is_bounded(room: Room) -> None:
    names = Names(room.client, room.services.locales, room.services.store, room.use_cases.absences.note, size=1)
    for person in (room.ola, room.kasia, room.ola):
        await names.of(UserId(person.id), None)
    before = len(room.discord.requests)
    await names.of(UserId(room.ola.id), None)
    assert len(room.discord.requests) == before
    await names.of(UserId(room.kasia.id), None)
    assert len(room.discord.requests) == before + 1


ZALGO = "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034da"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("O\u200bl\u2060a\ufeff", "Ola"),
        ("Ola\u00ad", "Ola"),
        ("\u3164Ola\uffa0\u115f", "Ola"),
        ("\ud83dOla\udc00", "Ola"),
        ("Ola\u2028x\u2029y\x00z\x85", "Olaxyz"),
        ("\U000e0041Ola\U000e007f", "Ola"),
        ("  Ola \u00a0 \u3000 K ", "Ola K"),
        ("\u0301\u0301Ola", "Ola"),
        (ZALGO, "Z\u0351\u036b\u0343a"),
        ("Nguy\u1ec5n", "Nguy\u1ec5n"),
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u2068\u0639\u0644\u06cc\u200c\u0631\u0636\u0627\u2069"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("\u200d\u200dOla\u200d\u200d", "Ola"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("x" * 5000, "x" * 32),
    ],
)
def test_a_name_shows_all_that_it_is(name: str, shown: str) -> None:
    assert plain_name(name) == shown


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u3164\u3164", "\u2800", "\u0301", "\ud800", "\u202e\u2066", "\n"]
)
def test_instead_of_an_invisible_name_a_readable_one_is_shown(name: str) -> None:
    assert visible_text(name) == ""
    assert readable_name(5, name, None, "ola.k") == "ola.k"
    assert readable_name(5, name) == "#0005"


@given(st.text())
def test_any_name_is_one_visible_line_of_bounded_length(name: str) -> None:
    shown = plain_name(name)
    assert 1 <= len(unisolated(shown)) <= 32
    assert shown == plain_name(shown)
    assert "".join(shown.split()).encode()
    assert len(shown.splitlines()) == 1


async def test_a_user_whose_name_is_invisible_is_called_by_their_account(room: Room) -> None:
    ghost = room.discord.invite("\u3164\u200b")
    card = await room.challenge(opponent=ghost)
    user = ghost.user
    assert await room.services.names.of(UserId(ghost.id), GuildId(room.discord.guild.id)) in (
        user.name,
        nameless(ghost.id),
    )
    assert f"<@{ghost.id}>" in card.content
