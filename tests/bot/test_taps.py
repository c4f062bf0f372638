"""Taps: how many presses lead from one place to another. Each test walks the buttons that a player sees.

A choice in a menu is one tap, as a button is; a command that is typed, and its sending, is none. The way of a goal is
in its list, in the words on the buttons. docs/players.md has the same figures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.services.rate_limits import Rate, RateLimits
from loopback import Message, Person
from play.ids import MatchId
from tests.bot import forging
from tests.bot.panels import links
from tests.bot.room import Room, private_message
from tests.bot.waiting import version_message
from tests.opponent.quick import Inside


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Has the computer play, and posts many cards."""
    return {"thinkers": Inside, "limits": RateLimits(cards=Rate(100, 0.001))}


@dataclass
class Walk:
    """The presses of a person so far."""

    person: Person
    taps: list[str] = field(default_factory=list)

    async def tap(self, message: Message, label: str, *values: Any) -> Message:
        """Presses a button or chooses in a menu; returns what that brings."""
        self.taps.append(label)
        shown: Message = await self.person.click(message, label, values or None).followed()
        return shown

    def follow(self, message: Message, label: str) -> tuple[int, int]:
        """Follows a link button; returns the channel and the message to which it leads."""
        self.taps.append(label)
        channel, place = links(message)[label].split("/")[-2:]
        return int(channel), int(place)


async def test_the_first_own_move_takes_three(room: Room) -> None:
    walk = Walk(room.ola, ["Play the computer"])
    begun = await private_message(forging.click(room, room.ola, room.channel, "newcomer:play"))
    keypad = await walk.tap(begun, "Your move")
    await walk.tap(keypad, next(label for label in keypad.labels if label.isdecimal()))
    assert (await room.use_cases.matches.load(MatchId(1))).moves[0].seat == 0
    assert len(walk.taps) == 3


async def test_a_friend_is_challenged_with_three_and_is_at_the_board_with_two(room: Room) -> None:
    walk = Walk(room.ola, ["Challenge"])
    panel = await private_message(forging.click(room, room.ola, room.channel, "welcome:challenge"))
    panel = await walk.tap(panel, "Who to play (nobody chosen: anyone may accept)", room.maksim)
    await walk.tap(panel, "Post challenge")
    assert len(walk.taps) == 3
    card = room.discord.messages(room.channel)[-1]
    assert card.mentions == (room.maksim.id,)
    friend = Walk(room.maksim, ["Accept"])
    told = await private_message(room.maksim.click(card, "Accept"))
    thread = await room.wait_for_thread(card)
    assert friend.follow(told, "Go to the game") == (thread.id, room.boards(thread)[0].id)
    assert len(friend.taps) == 2


async def test_from_the_list_of_games_to_a_board_takes_one(room: Room) -> None:
    thread = await room.start_match()
    walk = Walk(room.ola)
    listed = await private_message(room.ola.command(room.general, "games"))
    assert walk.follow(listed, "Discord") == (thread.id, room.boards(thread)[-1].id)
    assert len(walk.taps) == 1


@pytest.mark.parametrize("computer", [True, False])
async def test_a_rematch_takes_one(room: Room, computer: bool) -> None:
    against = {"computer": 1, "size": "9x9", "colour": "first"} if computer else {"opponent": room.maksim}
    card = await room.challenge(**{**against, "clock": "3d"})
    if not computer:
        await room.maksim.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    await room.cancel_match(room.ola, thread)
    walk = Walk(room.ola)
    await walk.tap(await version_message(room, thread, 1), "Rematch")
    assert len(walk.taps) == 1
    offered = room.discord.messages(thread)[-1].content
    assert ("begins" in offered) if computer else ("challenges you" in offered)
