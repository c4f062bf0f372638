"""`/games`: who is to move, whether the clock runs, and one tap to the board."""

from __future__ import annotations

import pytest

from tests.bot.panels import links
from tests.bot.room import Room, private_message
from tests.bot.waiting import version_message
from tests.clock import HOUR

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_button_leads_to_the_newest_board(room: Room) -> None:
    thread = await room.start_match()
    board = await room.play(thread, "c3", "c2")
    listed = await private_message(room.ola.command(room.general, "games"))
    assert links(listed) == {"Discord": f"https://discord.com/channels/{room.discord.guild.id}/{thread.id}/{board.id}"}
    assert "▶️ **Максим**, 5×5 · <t:" in listed.text


async def test_of_several_opponents_the_one_who_is_to_move_is_named(room: Room) -> None:
    card = await room.challenge(players=3, size=None, start=None, clock="3d", colour="last")
    for person in (room.maksim, room.kasia):
        await person.click(card, "Join").followed()
    await room.wait_for_thread(card)
    match = await room.use_cases.matches.load(1)  # type: ignore[arg-type]
    first = await room.services.names.of(match.players[0], match.guild)
    second = await room.services.names.of(match.players[1], match.guild)
    listed = await private_message(room.ola.command(room.general, "games"))
    assert f"⏳ {first}, 30×30, with {second} · <t:" in listed.text


async def test_a_pause_is_shown_with_its_end(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "pause", time="2h").answered()
    offer = await version_message(room, thread, 1)
    await room.maksim.click(offer, "Agree to pause (Максим)").answered()
    await version_message(room, thread, 2)
    listed = await private_message(room.maksim.command(room.general, "games"))
    assert f"⏸️ Ola, 5×5 · <t:{(room.clock() + 2 * HOUR) // 1000}:f>" in listed.text


async def test_with_many_challenges_the_games_beyond_the_buttons_have_a_link(room: Room) -> None:
    for _ in range(3):
        await room.start_match()
    for _ in range(10):
        room.clock.advance(60_000)
        await room.challenge()
    listed = await private_message(room.ola.command(room.general, "games"))
    assert len(links(listed)) == 1  # two buttons with the same label
    assert listed.text.count("[Discord](") == 1
    assert listed.labels == ["Withdraw"] * 10
