"""The direct messages with the bot of a person who shares no server with it, and has installed it for themselves.

No source says whether Discord takes the bot's own messages there. So each test is run in both cases.
"""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from tests.bot.room import Room, private_words
from tests.bot.waiting import skip_confirmations
from tests.opponent.quick import Inside

MESSAGES = "/channels/{channel_id}/messages"


@pytest.fixture(params=["open", "closed"])
async def direct(room: Room, request: pytest.FixtureRequest) -> Channel:
    """Kasia's direct messages with the bot, which are open or closed to its own messages."""
    await skip_confirmations(room)
    room.kasia.install()
    room.kasia.leave()
    room.thinkers = Inside
    await room.restart()
    if request.param == "closed":
        room.discord.fault("POST", MESSAGES, 403, code=50278, times=None)
    return room.kasia.open_dm()


async def board_after(room: Room, channel: Channel, moves: int) -> Message:
    """Returns the board that shows so many moves, once it is there."""

    def there() -> Message | None:
        boards = [each for each in room.discord.messages(channel) if f":{moves}:more" in str(each.components)]
        return boards[-1] if boards else None

    board: Message = await room.discord.until(there)
    return board


async def test_nobody_else_is_challenged_there(room: Room, direct: Channel) -> None:
    for options in ({}, {"players": 3}, {"options": "panel"}):
        said = await private_words(room.kasia.command(direct, "challenge", size="5x5", **options))
        assert "Only the two of us are here" in said
    assert room.discord.messages(direct) == []


async def test_the_computer_is_played_there(room: Room, direct: Channel) -> None:
    room.kasia.command(direct, "challenge", size="5x5", start="empty", computer=1, colour="first")
    await board_after(room, direct, 0)
    room.kasia.command(direct, "move", point="c3")
    board = await board_after(room, direct, 2)
    assert "C3" in board.content
    await room.restart()
    room.kasia.click(board, "More")
    room.kasia.command(direct, "move", point="a1")
    assert "A1" in (await board_after(room, direct, 4)).content


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", ["games", "help", "rules", "learn", "history", "profile", "about", "settings me"])
async def test_what_is_a_players_own_is_answered_there(room: Room, direct: Channel, name: str) -> None:
    assert "wrong" not in await private_words(room.kasia.command(direct, name))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", ["board", "clock", "continue", "resign"])
async def test_what_needs_a_game_says_so_there(room: Room, direct: Channel, name: str) -> None:
    said = await private_words(room.kasia.command(direct, name))
    assert "game" in said
    assert "wrong" not in said
