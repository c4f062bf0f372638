"""A channel on the stand-in with people in it and the bot at work, and what the tests do there over and over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from bot.app import Bot, offered_presets, run
from bot.client import Kropka
from bot.connection import HANDLERS
from bot.features.coach.computer import Thinking
from bot.interactions.context import Services
from loopback import TOKEN, Channel, Discord, Interaction, Message, Permission, Person
from opponent.pool import Pool
from play.ids import MatchId, UserId
from storage import Database
from tests.clock import StoppedClock
from tests.matches import at_work

SEED = 0
"""With it the challenger moves first."""

PATIENCE_SECONDS = 60.0
"""How long an answer may take before its click is acknowledged: so long that a busy machine decides nothing."""

MIN_BACKOFF_SECONDS = 0.001
"""The first pause before a worker tries again what has failed: no test waits for it."""


class Room:
    """`bot` is the bot while it runs."""

    def __init__(self, discord: Discord, url: str, clock: StoppedClock) -> None:
        self.discord = discord
        self.clock = clock
        self.bot: Bot
        self.thinkers: Callable[[], Pool] | None = None
        """Makes what thinks for the computer, where it plays."""
        self.answer_seconds = PATIENCE_SECONDS
        self._url = url
        self._running = AsyncExitStack()
        self.general = discord.channels["general"]
        self.channel = discord.channels["dots"]
        self.ola, self.maksim, self.kasia = (discord.people[name] for name in ("Ola", "Максим", "Kasia Wiśniewska"))

    @property
    def client(self) -> Kropka:
        return self.bot.client

    @property
    def services(self) -> Services:
        return self.bot.services

    async def start(self) -> None:
        database = Database.open(self._url, now=self.clock)
        thinking = Thinking(self.thinkers()) if self.thinkers else None
        self.bot, _ = await self._running.enter_async_context(
            run(
                database,
                TOKEN,
                offered_presets(dot_dash=True),
                seeds=lambda: SEED,
                thinking=thinking,
                answer_seconds=self.answer_seconds,
                min_backoff_seconds=MIN_BACKOFF_SECONDS,
            )
        )
        await self.discord.until(lambda: self.discord.online)

    async def stop(self) -> None:
        await self._running.aclose()
        await self.discord.until(lambda: not self.discord.online)

    async def kill(self) -> None:
        """The bot ends in the middle of things: its handlers are cut off where they are."""
        handlers = [task for task in asyncio.all_tasks() if task.get_name().startswith(HANDLERS)]
        for task in handlers:
            task.cancel()
        await asyncio.wait(handlers)
        await self.stop()

    async def restart(self) -> None:
        """Another process takes over: nothing but the database is left."""
        await self.stop()
        await self.start()

    async def passes(self, duration: int) -> None:
        """So much time passes while the bot is at work."""
        await at_work(self.services.store, self.clock, duration)

    def make_moderator(self, person: Person, channel: Channel | None = None) -> None:
        """Lets a person moderate in the channel."""
        self.discord.allow(channel or self.channel, Permission.MANAGE_MESSAGES, person)

    async def change_settings(self, person: Person, **settings: Any) -> None:
        """Changes a person's own settings."""
        async with self.services.store.write() as tx:
            stored = await tx.people.get(UserId(person.id))
            await tx.people.save(replace(stored, **settings))

    async def challenge(self, **options: Any) -> Message:
        """The card of Ola's challenge; the clock is a live one, by which moves count at once."""
        known = {message.id for message in self.discord.messages(self.channel)}
        options = {"size": "5x5", "start": "empty", "clock": "10m+30s", **options}
        given = {name: value for name, value in options.items() if value is not None}
        await self.ola.command(self.channel, "challenge", **given).answered()
        return next(message for message in self.discord.messages(self.channel) if message.id not in known)

    async def match(self, **options: Any) -> Channel:
        """Where Ola and Максим now play; it is Ola's turn, and the board stands."""
        card = await self.challenge(opponent=self.maksim, **options)
        await self.maksim.click(card, "Accept").followed()
        return await self.thread_of(card)

    async def thread_of(self, card: Message) -> Channel:
        thread: Channel = await self.discord.until(
            lambda: next((each for each in self.discord.threads if each.id == card.id and self.boards(each)), None)
        )
        await self.noted()
        return thread

    def boards(self, channel: Channel) -> list[Message]:
        return [
            message
            for message in self.discord.messages(channel)
            if message.author_id == self.discord.bot.id and message.attachments and not message.reference
        ]

    async def board(self, channel: Channel, number: int) -> Message:
        """The board of a version, once it stands and is the only one with buttons."""

        def there() -> Message | None:
            boards = self.boards(channel)
            settled = len(boards) > number and not any("More" in old.labels for old in boards[:number])
            return boards[number] if settled else None

        board: Message = await self.discord.until(there)
        await self.noted()
        return board

    async def more(self, person: Person, channel: Channel, label: str) -> Interaction:
        """What comes of a button that *More* offers."""
        panel = (await person.click(self.boards(channel)[-1], "More").answered()).message
        assert panel is not None
        return person.click(panel, label)

    async def noted(self) -> None:
        """Returns when the bot has noted which boards stand, which it does soon after it has posted them."""
        untold = True
        while untold:
            async with self.services.store.read() as reader:
                untold = bool(await reader.outbox.pending_matches())

    async def play(self, channel: Channel, *moves: str) -> Message:
        """Ola and Максим move in turn, by command, and play what they are shown; the board after the last move."""
        made = len(self.boards(channel)) - 1
        for number, move in enumerate(moves, made):
            player = (self.ola, self.maksim)[number % 2]
            await self.move(player, channel, move)
        return await self.board(channel, made + len(moves))

    async def move(self, player: Person, channel: Channel, move: str) -> Message:
        """The board that answers a player's command, or the button that plays what they are shown first."""
        asked = player.command(channel, "move", point=move)
        answer = (await asked.answered()).message
        assert answer is not None
        looked_at = [part["custom_id"] for part in answer.controls if ":play:" in part["custom_id"]]
        return await answering_board(player.click(answer, looked_at[0]) if looked_at else asked)

    async def version(self, match: int = 1) -> int:
        return (await self.services.matches.load(MatchId(match))).version


async def answering_board(interaction: Interaction) -> Message:
    """The board that answers a turn, which everybody sees."""
    answer = (await interaction.answered()).message
    assert answer is not None
    assert not answer.ephemeral, answer.text
    return answer


async def private_words(interaction: Interaction) -> str:
    """What the person alone was told."""
    return (await private_message(interaction)).text


async def private_message(interaction: Interaction) -> Message:
    """The newest message for the person alone."""
    await interaction.answered()
    told: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.text]
    )
    return told[-1]
