"""Seats: people are added by name, by keyboard and by finger, and everyone else joins at one press."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from loopback import Discord
from loopback.page_socket import MAX_SEATS
from loopback.permissions import Permission
from tests.bot.features.competitions.tournaments.cup import load_tournament, make_tournament, wait_for
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window


def seat(window: Window, name: str) -> Locator:
    return window.page.get_by_role("group", name="Play as").get_by_role("button", name=name).filter(visible=True)


async def open_seats(window: Window) -> None:
    if window.narrow:
        await window.press(window.page.get_by_role("button", name="Switch seats"))


async def press_add(window: Window) -> Locator:
    """Opens the form; returns its field."""
    await window.press(window.page.get_by_role("button", name="Add a person").filter(visible=True))
    field = window.page.get_by_label("Name of the new person").filter(visible=True)
    await expect(field).to_be_focused()
    return field


@in_both_sizes
async def test_a_person_is_added_by_name_and_taken(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await open_seats(window)
    field = await press_add(window)
    await field.fill("Олена Коваль")
    await window.press(window.page.get_by_role("button", name="Add", exact=True).filter(visible=True))
    await window.press(seat(window, "Олена Коваль"))
    await expect(window.page).to_have_title(re.compile(" · Олена Коваль · "))


@in_both_sizes
async def test_enter_adds_the_offered_names_until_all_seats_are_taken(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await open_seats(window)
    await press_add(window)
    seats = window.page.get_by_role("group", name="Play as").get_by_role("button").filter(visible=True)
    for number in range(4, MAX_SEATS + 1):
        await window.keys("Enter")
        await expect(seats).to_have_count(number)
    full = window.page.get_by_role("button", name="All 16 seats are taken").filter(visible=True)
    await expect(full).to_be_disabled()
    assert len({name.casefold() for name in discord.people}) == MAX_SEATS
    await seat(window, [*discord.people][-1]).scroll_into_view_if_needed()


async def test_a_name_that_is_taken_is_said_where_it_was_typed_and_escape_leaves(
    discord: Discord, window: Window
) -> None:
    await window.open(discord)
    field = await press_add(window)
    await field.fill("ola")
    await window.keys("Enter")
    await expect(window.page.get_by_role("alert").filter(has_text="Ola is here already")).to_be_visible()
    await expect(field).to_be_focused()
    await window.keys("Escape")
    await expect(window.page.get_by_role("button", name="Add a person").filter(visible=True)).to_be_focused()
    assert len(discord.people) == 3


@in_both_sizes
async def test_everyone_else_signs_up_for_a_tournament_at_one_press(room: Room, window: Window) -> None:
    for name in ("Олена", "Felix"):
        room.discord.invite(name)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    card = await make_tournament(room)
    await window.open(room.discord, seat=room.ola, channel=room.channel)
    fill = window.messages.get_by_role("button", name="Fill the seats")
    await window.press(fill)
    await wait_for(room, lambda now: len(now.users) == 4)
    assert room.ola.id not in (await load_tournament(room)).users
    await window.press(window.button("Sign up"))
    await wait_for(room, lambda now: len(now.users) == 5)
    await expect(window.messages.filter(has_text="Signed up (5)")).to_be_visible()
    await window.expect_fit()
    assert card
