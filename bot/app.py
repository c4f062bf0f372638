"""The bot, put together: what runs on what, and in which order it ends."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from bot.client import Kropka
from bot.features.coach.computer import Computer, Thinking
from bot.features.tournaments.tournaments import Scene
from bot.i18n.words import languages
from bot.interactions.responses import ANSWER_SECONDS
from bot.services.drawing_pool import Studio
from bot.services.rate_limits import Limits
from bot.sharding import Fleet
from play.services.ladder import Referee
from play.services.matches import Tables
from play.store import WatchedStore
from play.workers.card_refresher import Clerk
from play.workers.computer_player import Robot
from play.workers.deadline_scheduler import Keeper
from play.workers.heartbeat import Heartbeat
from play.workers.tournament_director import Director
from renderer.theme import PAPER
from renderer.warm import warm
from rules.registry import GAMES, NEEDS_CONSENT

USUAL_SIZES = ((20, 20), (39, 32))
"""The fields that most matches are played on, in crossings."""

FLUSHING = 5.0
"""Seconds that boards get to be posted when the bot is told to stop."""

Work = list[asyncio.Task[None]]
"""Tasks of which none ends by itself."""


@asynccontextmanager
async def working(
    database: AbstractAsyncContextManager[WatchedStore],
    token: str,
    presets: Sequence[str],
    seeds: Callable[[], int] = lambda: secrets.randbits(53),
    *,
    thinking: Thinking | None = None,
    limits: Limits | None = None,
    fleet: Fleet | None = None,
    answer_seconds: float = ANSWER_SECONDS,
) -> AsyncIterator[tuple[Kropka, Work]]:
    """The bot, logged in and at work; on the way out all is closed in order.

    Without `thinking` the computer neither plays nor teaches; without a `fleet` the bot keeps all gateway shards
    itself. A click whose answer takes longer than `answer_seconds` is acknowledged first. Raises discord.LoginFailure,
    InUse and Unavailable; the work raises Gone when the database goes.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database)
        tables = Tables(store, seeds)
        client = Kropka(tables, store, languages(), presets, limits, answer_seconds, fleet.processes if fleet else 1)
        heartbeat, keeper = Heartbeat(tables), Keeper(store, tables, client.meters.lateness.observe)
        herald, clerk = client.herald, Clerk(store, client.cards)
        director = Director(store, tables, Scene(client), client.itself, seeds)
        referee, crier, steward = Referee(store), client.crier, client.steward
        tables.listeners += [herald.wake, keeper.wake, client.meters.happened]
        tables.listeners += [director.wake, referee.wake, steward.wake]
        tables.card_listeners += [clerk.wake, referee.wake]
        tables.news_listeners += [crier.wake, steward.wake]
        client.tournaments.listeners.append(director.wake)
        referee.listeners.append(crier.wake)
        async with client:
            asyncio.get_running_loop().set_default_executor(Studio(client.meters))
            await client.login(token)
            if fleet is not None:
                client.ownership = await stack.enter_async_context(fleet.ownership(client))
            await tables.beat()  # before anything is decided by a time in which nobody was here
            stoppable = (heartbeat, keeper, herald, clerk, director, referee, crier, steward)
            own = [asyncio.create_task(each.run()) for each in stoppable]
            minds = [asyncio.create_task(task) for task in (_computer(client, thinking) if thinking else ())]
            gateway = [asyncio.create_task(client.connect())]
            if client.ownership is not None:
                gateway.append(asyncio.create_task(client.ownership.run(client)))
            watch = asyncio.create_task(store.watch())
            try:
                yield client, [watch, *own, *gateway, *minds]
            finally:
                for task in minds:
                    task.cancel()
                await client.settle()
                for each in stoppable:
                    each.stop()
                await asyncio.wait(own, timeout=FLUSHING)
                await client.close()
                for task in (watch, *own, *gateway):
                    task.cancel()
                await asyncio.gather(watch, *own, *gateway, *minds, return_exceptions=True)


def _computer(client: Kropka, thinking: Thinking) -> list[Coroutine[None, None, None]]:
    """What is run so that the computer plays."""
    computer = client.teacher.computer = Computer(client, thinking.pool)
    robot = Robot(client.store, client.tables, computer, computer.user, pace=thinking.pace)
    client.tables.listeners.append(robot.wake)
    return [thinking.pool.run(), robot.run()]


def offered(*, dot_dash: bool) -> list[str]:
    """The presets that `/challenge` offers: Dot Dash only where the operator wants it."""
    left_out = frozenset() if dot_dash else NEEDS_CONSENT
    return [key for key in GAMES if key not in left_out]


async def failed(work: Work) -> None:
    """Waits until a task fails, and raises what it raised. Meanwhile the first boards are made quick to draw."""
    await asyncio.to_thread(warm, USUAL_SIZES, [PAPER])
    done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
