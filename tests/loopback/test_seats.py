"""Seats of the chat page: people who are added by name, and who press a button together."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopback import Discord
from loopback.page_socket import MAX_SEATS
from tests.loopback.bot import Bot, Buttons
from tests.loopback.conftest import Clock, Page, visitor


async def invite(page: Page, name: str) -> str:
    """Adds a person; returns what the page is told is wrong."""
    await page.send("invite", request=1, name=name)
    while True:
        frame = await page.socket.receive_json(timeout=5)
        if frame["t"] in ("done", "failed"):
            return str(frame.get("text", ""))


async def test_a_person_is_added_and_all_pages_hear_of_it(discord: Discord, page: Page) -> None:
    await page.send("invite", request=1, name="  Олена   Коваль ")
    seats = (await page.next("seats"))["seats"]
    assert [seat["global_name"] for seat in seats][-1] == "Олена Коваль"
    assert (await page.next("done"))["seat"] == seats[-1]["id"]
    added = discord.people["Олена Коваль"]
    assert added.say(discord.channels["dots"], "hello").author_id == added.id


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("", "Type a name."),
        (" \n\u200b ", "Type a name."),
        ("x" * 33, "A name has 32 characters at most."),
        ("максим", "Максим is here already. Choose another name."),
    ],
)
async def test_a_name_that_cannot_be_is_explained(discord: Discord, page: Page, name: str, trouble: str) -> None:
    assert await invite(page, name) == trouble
    assert len(discord.people) == 3


async def test_there_is_a_seat_for_sixteen(discord: Discord, page: Page) -> None:
    assert (await page.next("hello"))["max_seats"] == MAX_SEATS
    told = [await invite(page, f"Player {number}") for number in range(4, MAX_SEATS + 2)]
    assert told == [""] * (MAX_SEATS - 3) + ["There are 16 people, and no room for more."]
    assert len(discord.people) == MAX_SEATS


async def test_who_was_added_is_there_after_a_restart(tmp_path: Path, clock: Clock) -> None:
    state = tmp_path / "discord.db"
    async with (
        Discord(now=clock, state=state) as before,
        visitor(before) as session,
        session.ws_connect(f"{before.address}page/ws") as socket,
    ):
        assert await invite(Page(socket), "Łucja") == ""
    async with Discord(now=clock, state=state) as after:
        assert [*after.people] == ["Ola", "Максим", "Kasia Wiśniewska", "Łucja"]


async def test_when_somebody_joined_outlives_the_process(tmp_path: Path, clock: Clock) -> None:
    state = tmp_path / "discord.db"
    async with Discord(now=clock, state=state) as before:
        founded = before.world.joined_at(before.people["Ola"].id, before.guild)
        clock.time += 86_400
        before.invite("Łucja")
        before.people["Ola"].leave()
        before.people["Ola"].rejoin()
        before.people["Ola"].speak("pl")
    async with Discord(now=clock, state=state) as after:
        joined = {name: after.world.joined_at(each.id, after.guild) for name, each in after.people.items()}
        assert joined == {"Ola": clock(), "Łucja": clock(), **dict.fromkeys(("Максим", "Kasia Wiśniewska"), founded)}


async def test_everyone_else_presses_a_button(bot: Bot, discord: Discord, page: Page) -> None:
    kasia = discord.people["Kasia Wiśniewska"]
    kasia.leave()
    discord.invite("Борис")
    channel = discord.channels["dots"]
    sent = await bot.get_partial_messageable(channel.id).send("choose", view=Buttons())
    await page.send("fill", request=7, message=str(sent.id), custom_id="later")
    assert (await page.next("done"))["request"] == 7
    pressed = [each.user.id for each in bot.interactions]
    assert pressed == [discord.people["Максим"].id, discord.people["Борис"].id]


async def test_a_button_that_is_gone_is_pressed_by_nobody(bot: Bot, discord: Discord, page: Page) -> None:
    sent = await bot.get_partial_messageable(discord.channels["dots"].id).send("nothing to press")
    await page.send("fill", request=7, message=str(sent.id), custom_id="later")
    assert (await page.next("done"))["request"] == 7
    assert not bot.interactions
