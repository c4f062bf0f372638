"""The same flow on simcord, a simulation of Discord that others wrote: what ours forgives, theirs may not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import simcord
from simcord import ChannelHandle, Env, MemberActor

from bot.__main__ import offered
from bot.client import Kropka
from bot.words import Languages
from play.herald import Herald
from play.tables import Tables
from storage import Database


@dataclass(frozen=True, slots=True)
class Scene:
    env: Env
    channel: ChannelHandle
    ola: MemberActor
    maksim: MemberActor

    @property
    def thread(self) -> ChannelHandle:
        (thread,) = self.channel.threads
        return thread

    def boards(self) -> list[str]:
        """What the boards in the thread say, each with its picture."""
        return [message.content for message in self.thread.history() if message.attachments]


@asynccontextmanager
async def played(folder: Path) -> AsyncIterator[Scene]:
    """No fixture, since simcord's clock belongs to the task that starts it."""
    async with Database.open(f"sqlite+aiosqlite:///{folder}/kropka.db") as store:
        tables = Tables(store, seeds=lambda: 0)
        bot = Kropka(tables, store, Languages(), offered(dot_dash=False))
        herald = Herald(store, bot.announcer)
        tables.listeners.append(herald.wake)
        async with simcord.run(bot, shard_count=1) as env:
            await bot.tree.sync()
            guild = env.create_guild()
            ola, maksim = (guild.add_member(env.create_user(name)) for name in ("Ola", "Максим"))
            telling = asyncio.create_task(herald.run())
            yield Scene(env, guild.create_text_channel("dots"), ola, maksim)
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling


async def test_a_game_goes_from_the_challenge_by_every_way_of_moving_to_a_resignation(tmp_path: Path) -> None:
    async with played(tmp_path) as scene:
        await scene.ola.slash(scene.channel, "challenge", opponent=scene.maksim, size="5x5")
        card = scene.channel.last_message
        assert card is not None
        await scene.maksim.click(card, label="Accept")
        await scene.ola.slash(scene.thread, "move", point="C5")
        assert "played **C5**" in scene.boards()[-1]

        board = scene.thread.history()[-1]
        await scene.maksim.send(scene.thread, "a1", reply_to=board)
        await scene.env.settle()
        assert "played **A1**" in scene.boards()[-1]

        form = await scene.ola.click(scene.thread.history()[-1], label="Type a point")
        await scene.ola.submit_modal(form, {"point": "d4"})
        assert "captured 1 dot" in scene.boards()[-1]

        question = await scene.maksim.slash(scene.thread, "resign")
        assert question.ephemeral
        await scene.maksim.click(question.response or question.followups[0], label="Yes, resign")
        await scene.env.settle()
        assert "resigned" in scene.boards()[-1]
        assert len(scene.boards()) == 5
