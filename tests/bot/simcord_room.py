"""A channel with the bot on simcord, a simulation of Discord by others: it may be stricter than ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import simcord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from bot.app import Bot
from bot.features.registry import offered_presets
from bot.services.rate_limits import Rate
from loopback import HANG_SECONDS
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import Match
from rules.game import AnyGame
from storage import Database
from tests.bot.jobs import job_pool
from tests.clock import StoppedClock

UNLIMITED = Rate(1_000, 0.001)
"""Requests at once: while the bot waits for its turn, simcord's time may stand still."""


@dataclass(frozen=True, slots=True)
class SimcordRoom:
    """A channel with two players and a running bot."""

    bot: Bot
    env: Env
    guild: GuildHandle
    channel: ChannelHandle
    ola: MemberActor
    maksim: MemberActor

    @property
    def thread(self) -> ChannelHandle:
        (thread,) = self.channel.threads
        return thread

    async def begin(self, game: AnyGame) -> None:
        """Starts a match in the channel itself, with days for each move. It is Ola's turn."""
        async with self.bot.store.write() as tx:
            match = await tx.matches.add(
                Match.begin(
                    MatchId(0),
                    guild=GuildId(self.guild.id),
                    channel=ChannelId(self.channel.id),
                    parent=None,
                    game=game,
                    seed=0,
                    players=(UserId(self.ola.id), UserId(self.maksim.id)),
                    control=parse_control("3d"),
                    at=await tx.clock.now(),
                )
            )
        self.bot.use_cases.events.match_changed(match)
        assert await self.bot.publisher.wait_for_board(match, within=HANG_SECONDS)

    def boards(self) -> list[str]:
        """Returns the texts of the boards in the thread."""
        return [message.content for message in self.thread.history() if message.attachments]


@asynccontextmanager
async def simcord_room(folder: Path) -> AsyncIterator[SimcordRoom]:
    """Runs the bot for the block; the store goes by simcord's clock.

    It is no fixture, since that clock belongs to the task that starts it.
    """
    clock = StoppedClock()
    async with Database.open(f"sqlite+aiosqlite:///{folder}/kropka.db", now=clock) as store:
        presets = offered_presets(dot_dash=False)
        with patch("bot.app.POSTS", UNLIMITED):
            bot = Bot(store, presets, lambda: 0, job_pool=job_pool, answer_seconds=HANG_SECONDS)
        async with simcord.run(bot.client, shard_count=1) as env:
            clock.advance(int(env.now().timestamp() * 1000) - clock())
            await bot.client.tree.sync()
            guild = env.create_guild()
            ola, maksim = (guild.add_member(env.create_user(name)) for name in ("Ola", "Максим"))
            workers = [asyncio.create_task(work) for work in (bot.workers.outbox.run(), bot.workers.cards.run())]
            yield SimcordRoom(bot, env, guild, guild.create_text_channel("dots"), ola, maksim)
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await bot.close()


def panel_of(result: Any) -> Any:
    """Returns the message that answers an interaction."""
    return result.response or result.followups[-1]
