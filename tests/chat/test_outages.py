"""An outage of a platform, as its players see it."""

from __future__ import annotations

from play.ids import DAY, HOUR, Millis
from tests.chat.world import World
from tests.matches import pass_time


async def test_a_board_shows_the_later_deadline_once_its_platform_is_back(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    assert "3 days" in world.board().text
    began = world.clock()
    await pass_time(world.store, world.clock, HOUR)
    await world.use_cases.outages.note(world.parts.kind, began)
    before = world.board()
    await world.parts.conversation.come_back(world.clock())
    after = world.board()
    assert before.key == after.key
    assert ("3 days" in after.text, "2 days" in after.text) == (True, False)


async def test_a_deadline_without_an_outage_comes_nearer(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await pass_time(world.store, world.clock, Millis(DAY + HOUR))
    (board, *_) = await world.say(ola, "/board", reply_to=world.board())
    assert "1 day, 23 hours" in board.text
