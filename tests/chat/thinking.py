"""The computer as it helps and plays in tests of chats: in this process, with few playouts."""

from __future__ import annotations

import asyncio
from typing import Self

from opponent import review
from opponent.captures import Oversight, oversight
from opponent.choice import HARDEST, Budget, Choice
from opponent.choose import choose
from opponent.review import Review
from play.ids import UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from rules.game import AnyPosition, Seat
from tests.chat.world import World
from use_cases.workers.computer_player import Action, ComputerPlayer

FEW = Budget(nodes=60)


class Thinking:
    """Implements chat.services.Coach, and use_cases.workers.computer_player.Engine. `levels` are those it played at."""

    has_computer = True

    def __init__(self) -> None:
        self.levels: list[int | None] = []

    def advisor(self, asker: int) -> Self:
        return self

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return await asyncio.to_thread(choose, position, FEW, seed, level)

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        return await asyncio.to_thread(oversight, position, move)

    async def review(self, match: Match, user: UserId) -> Review:
        moves = [move.text for move in match.moves]
        return await review.review(match.game, match.seed, moves, self.help, self.look)

    async def choose_action(self, match: Match, level: int | None) -> Action:
        self.levels.append(level)
        choice = await self.help(match.position, FEW, 1, level or HARDEST)
        return Action(EventKind.MOVE, choice.move)

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        return True


async def let_play(world: World, thinking: Thinking) -> None:
    """Lets the computer play what waits for it, as the bot's account, and has it posted."""
    own, cases = world.parts.platform.own_id, world.use_cases
    assert own is not None, "it is logged in"
    player = ComputerPlayer(world.store, cases.matches, cases.actions, thinking, own)
    for match in await player.pending(50):
        await player.process(match)
    await world.settle()
