"""Pictures: the view of one, and what is left of private ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import yarl
from playwright.async_api import expect

from loopback import Channel, Discord, Message, Person
from loopback.attachments import new_attachment
from loopback.model import MessageFlag
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.window import Window
from tests.loopback.bot import png


@in_both_sizes
async def test_a_picture_is_made_larger_by_buttons_and_keys(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.messages.get_by_role("img"))
    await expect(window.zoom).to_have_text("100\u00a0%")
    whole = await window.width_of_picture()
    for press, percent in (("Zoom in", 150), ("Zoom in", 225), ("Zoom out", 150)):
        await window.press(window.dialog.get_by_role("button", name=press))
        await expect(window.zoom).to_have_text(f"{percent}\u00a0%")
        assert abs(await window.width_of_picture() / whole - percent / 100) < 0.01
    for key, percent in (("+", 225), ("-", 150), ("0", 100)):
        await window.keys(key)
        await expect(window.zoom).to_have_text(f"{percent}\u00a0%")
    await window.press(window.dialog.get_by_role("img"))
    await expect(window.zoom).not_to_have_text("100\u00a0%")
    await window.press(window.dialog.get_by_role("button", name="Show the whole image"))
    await expect(window.zoom).to_have_text("100\u00a0%")
    await window.keys("Escape")
    await expect(window.dialog).to_have_count(0)


async def test_a_wheel_keeps_the_point_under_the_mouse(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.messages.get_by_role("img"))
    picture = window.dialog.get_by_role("img")
    before = await picture.bounding_box()
    assert before is not None
    point = before["x"] + before["width"] * 0.4, before["y"] + before["height"] * 0.4
    await window.page.mouse.move(*point)
    await window.page.mouse.wheel(0, -1000)
    await expect(window.zoom).to_have_text("400\u00a0%")
    after = await picture.bounding_box()
    assert after is not None
    assert abs(after["x"] + after["width"] * 0.4 - point[0]) < 2
    assert abs(after["y"] + after["height"] * 0.4 - point[1]) < 2
    await window.page.mouse.down()
    await window.page.mouse.move(point[0] + 30, point[1] + 20)
    await window.page.mouse.up()
    moved = await picture.bounding_box()
    assert moved is not None
    assert abs(moved["x"] - after["x"] - 30) < 2
    await expect(window.zoom).to_have_text("400\u00a0%")


@on_a_phone
async def test_two_fingers_make_a_picture_larger(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.messages.get_by_role("img"))
    await expect(window.zoom).to_have_text("100\u00a0%")
    await window.pinch(195, 300, start=60, end=180)
    await expect(window.zoom).to_have_text("300\u00a0%")
    await expect(window.dialog).to_be_visible()


def private_picture(discord: Discord, channel: Channel, person: Person) -> Message:
    """Returns a new message with a picture for one person alone."""
    picture = new_attachment(discord.world.ids.next(), "private.png", png(40, 30), "a board")
    message = Message(discord.world.ids.next(), channel.id, discord.bot.id, attachments=(picture,))
    return replace(message, flags=MessageFlag.EPHEMERAL, visible_to=person.id)


async def test_a_private_picture_that_was_replaced_at_once_can_be_loaded(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await expect(window.page.get_by_role("heading", name="#dots")).to_be_visible()
    for number in range(5):
        first = discord.world.post(private_picture(discord, discord.channels["dots"], discord.people["Ola"]))
        later = private_picture(discord, discord.channels["dots"], discord.people["Ola"])
        discord.world.edit(replace(later, id=first.id))
        await expect(window.panel.get_by_role("img")).to_be_visible()
        await expect(window.messages).to_have_count(number + 1)


async def test_a_private_picture_that_is_gone_is_not_asked_for(tmp_path: Path, window: Window) -> None:
    state = tmp_path / "state.db"
    async with Discord(state=state) as discord:
        port = yarl.URL(discord.address).port or 0
        general, ola = discord.channels["general"], discord.people["Ola"]
        ola.say(general, "for all")
        discord.world.post(private_picture(discord, general, ola))
        await window.open(discord, channel=general)
        await expect(window.panel.get_by_role("img")).to_be_visible()
        await window.go_to("dots")
        await expect(window.messages).to_have_count(0)
        await window.forget_pictures()
    lost = window.page.get_by_text("The server of the try-out is away. Reconnecting…")
    await expect(lost).to_be_visible()
    async with Discord(state=state, port=port):
        await expect(lost).to_be_hidden()
        await window.go_to("general")
        await expect(window.messages).to_contain_text(["for all"])
        await expect(window.panel).to_have_count(0)
        await window.page.close()
    assert [each for each in window.complaints if "404" in each] == []
    window.complaints.clear()
