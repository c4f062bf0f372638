"""The same flow on simcord, a simulation of Discord that others wrote: what ours forgives, theirs may not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import simcord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor
from simcord.components import walk_components

from bot.app import Bot, offered_presets
from bot.request import own_id
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import Match
from rules.game import AnyGame
from rules.registry import configured
from storage import Database
from tests.bot.room import PATIENCE_SECONDS
from tests.clock import StoppedClock


@dataclass(frozen=True, slots=True)
class Scene:
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
        """A match in the channel itself; it is Ola's turn, and there are days for each move."""
        async with self.bot.store.write() as tx:
            match = await tx.matches.add(
                Match.begun(
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
        assert await self.bot.publisher.wait_for_board(match, within=10.0)

    def boards(self) -> list[str]:
        """What the boards in the thread say, each with its picture."""
        return [message.content for message in self.thread.history() if message.attachments]


@asynccontextmanager
async def played(folder: Path) -> AsyncIterator[Scene]:
    """No fixture, since simcord's clock belongs to the task that starts it. The store goes by that clock, too."""
    clock = StoppedClock()
    async with Database.open(f"sqlite+aiosqlite:///{folder}/kropka.db", now=clock) as store:
        bot = Bot(store, offered_presets(dot_dash=False), lambda: 0, answer_seconds=PATIENCE_SECONDS)
        async with simcord.run(bot.client, shard_count=1) as env:
            clock.move(int(env.now().timestamp() * 1000) - clock())
            await bot.client.tree.sync()
            guild = env.create_guild()
            ola, maksim = (guild.add_member(env.create_user(name)) for name in ("Ola", "Максим"))
            telling = [asyncio.create_task(work) for work in (bot.workers.outbox.run(), bot.workers.cards.run())]
            yield Scene(bot, env, guild, guild.create_text_channel("dots"), ola, maksim)
            for task in telling:
                task.cancel()
            await asyncio.gather(*telling, return_exceptions=True)
            await bot.close()


async def test_a_game_goes_from_the_challenge_by_every_way_of_moving_to_a_resignation(tmp_path: Path) -> None:
    async with played(tmp_path) as scene:
        await scene.ola.slash(scene.channel, "challenge", opponent=scene.maksim, size="5x5", clock="10m+30s")
        card = scene.channel.last_message
        assert card is not None
        await scene.maksim.click(card, label="Accept")
        await scene.ola.slash(scene.thread, "move", point="C5")
        assert "played **C5**" in scene.boards()[-1]

        # For simcord a reply to an interaction response does not ping.
        await scene.maksim.send(scene.thread, f"<@{own_id(scene.bot.client)}> a1")
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


async def test_a_move_is_made_with_the_keypad_in_three_taps(tmp_path: Path) -> None:
    async with played(tmp_path) as scene:
        await scene.begin(configured("zagram", {"size": "39x32"}))
        board = scene.channel.last_message
        assert board is not None
        keypad = (await scene.ola.click(board, custom_id="match:1:0:keypad")).response
        assert keypad is not None
        assert keypad.ephemeral
        assert 30 < sum(1 for _ in walk_components(keypad.components)) <= 39
        look = (await scene.ola.click(keypad, label="1")).response
        assert look is not None
        assert look.id == keypad.id
        done = (await scene.ola.click(look, custom_id="match:1:0:play:Q19")).response
        newest = scene.channel.last_message
        assert newest is not None
        assert done is not None
        assert newest.id == done.id
        assert "played **Q19**" in newest.content
