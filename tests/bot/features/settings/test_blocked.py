"""The panel of blocked players: private, bounded, and silent towards the blocked."""

from __future__ import annotations

from loopback import Message
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words


async def open_blocked(room: Room) -> Message:
    shown = await private_message(room.ola.command(room.general, "settings me"))
    panel: Message = await room.ola.click(shown, "Blocked players").followed()
    return panel


async def test_a_blocked_player_is_refused_without_being_told_why(room: Room) -> None:
    card = await room.challenge()
    shown = await choose(room.ola, await open_blocked(room), "blocked:add", room.maksim)
    assert "**1** player is blocked" in shown.text
    answer = await private_words(room.maksim.click(card, "Accept"))
    assert "You can't play Ola right now" in answer
    assert "block" not in answer
    asked = await private_words(room.maksim.command(room.channel, "challenge", opponent=room.ola, size="5x5"))
    assert "You can't play Ola right now" in asked
    assert "You've blocked Максим" in await private_words(
        room.ola.command(room.channel, "challenge", opponent=room.maksim, size="5x5")
    )


async def test_an_unblocked_player_can_play_again(room: Room) -> None:
    shown = await choose(room.ola, await open_blocked(room), "blocked:add", room.maksim)
    await room.restart()
    shown = await choose(room.ola, shown, "blocked:remove0", "Максим")
    assert "**0** players are blocked" in shown.text
    await room.start_match()


async def test_neither_oneself_nor_a_bot_can_be_blocked(room: Room) -> None:
    shown = await choose(room.ola, await open_blocked(room), "blocked:add", room.ola)
    assert "You can't block yourself" in shown.text
    shown = await choose(room.ola, shown, "blocked:add", room.discord.bot)
    assert "Bots can't be blocked" in shown.text


async def test_blocking_twice_blocks_once(room: Room) -> None:
    shown = await open_blocked(room)
    for _ in range(2):
        shown = await choose(room.ola, shown, "blocked:add", room.maksim)
    assert "**1** player is blocked" in shown.text
