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
from play.services.use_cases import UseCases
from play.store.store import WatchedStore
from play.workers.card_refresher import CardRefresher
from play.workers.computer_player import ComputerPlayer
from play.workers.deadline_scheduler import DeadlineScheduler
from play.workers.heartbeat import Heartbeat
from play.workers.ladder_referee import LadderReferee
from play.workers.tournament_director import TournamentDirector
from play.workers.worker import MIN_BACKOFF_SECONDS, Backoff, Timing
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
    min_backoff_seconds: float = MIN_BACKOFF_SECONDS,
) -> AsyncIterator[tuple[Kropka, Work]]:
    """The bot, logged in and at work; on the way out all is closed in order.

    Without `thinking` the computer neither plays nor teaches; without a `fleet` the bot keeps all gateway shards
    itself. A click whose answer takes longer than `answer_seconds` is acknowledged first. Background work that fails is
    tried again after `min_backoff_seconds`, and then ever more seldom. Raises discord.LoginFailure, InUse and
    Unavailable; the work raises Gone when the database goes.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database)
        use_cases = UseCases.over(store, seeds)
        timing = Timing(backoff=Backoff(min_backoff_seconds))
        processes = fleet.processes if fleet else 1
        client = Kropka(use_cases, store, languages(), presets, limits, answer_seconds, processes, min_backoff_seconds)
        events = use_cases.events
        heartbeat = Heartbeat(use_cases.clocks)
        late = client.meters.lateness.observe
        keeper = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges, late)
        herald, clerk = client.herald, CardRefresher(store, client.cards, timing)
        scene = Scene(client)
        director = TournamentDirector(store, use_cases.moderation, events, scene, client.itself, seeds, timing)
        referee, crier, steward = LadderReferee(store, events, timing), client.crier, client.steward
        events.match_changed.subscribe(herald.note_match, keeper.note_match, client.meters.happened)
        events.match_ended.subscribe(director.wake, referee.wake, steward.wake)
        events.challenges_changed.subscribe(clerk.wake, referee.wake)
        events.news_added.subscribe(crier.wake, steward.wake)
        events.tournament_changed.subscribe(director.wake)
        async with client:
            asyncio.get_running_loop().set_default_executor(Studio(client.meters))
            await client.login(token)
            if fleet is not None:
                client.ownership = await stack.enter_async_context(fleet.ownership(client))
            await use_cases.clocks.record_heartbeat()  # before anything is decided by a time in which nobody was here
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
    robot = ComputerPlayer(client.store, client.matches, client.actions, computer, computer.user, pace=thinking.pace)
    client.events.match_changed.subscribe(robot.note_match)
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
