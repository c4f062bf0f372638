"""A channel on the stand-in with three people and a running bot, and what most tests do there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from bot.app import Bot, run
from bot.client import Kropka
from bot.connection import SETTLE_SECONDS
from bot.features.coach.computer import ComputerSetup
from bot.features.registry import offered_presets
from bot.interactions.context import Services
from bot.parts import NOTHING_OFFERED, Patience, Setup
from bot.request import HANDLERS
from loopback import HANG_SECONDS, TOKEN, Channel, Discord, Interaction, Message, Permission, Person
from opponent.pool import Pool
from play.ids import MatchId, Millis, UserId
from tests.bot.database import NotifyingDatabase
from tests.bot.jobs import job_pool
from tests.bot.phones import Phones
from tests.bot.signposts import Signposts
from tests.clock import StoppedClock
from tests.matches import pass_time
from use_cases import UseCases
from use_cases.worker import Backoff, Timing

T = TypeVar("T")

SEED = 0
"""The seed by which the challenger moves first."""

EAGER = Timing(backoff=Backoff(min_seconds=0.001))
"""The timing of workers that try again at once what has failed: no test waits for it."""

_synced_commands: dict[tuple[bool, bool], list[dict[str, Any]]] = {}
"""The commands as the stand-in has checked them once, by what the operator offers: a sync takes as long as all the rest
of a start."""


def running_handlers() -> list[asyncio.Task[Any]]:
    """Returns the tasks in which the bot handles what people do."""
    return [task for task in asyncio.all_tasks() if task.get_name().startswith(HANDLERS)]


class Room:
    """A channel with the bot, which exists while it runs. `database_clock` is a wrong one; `options` are arguments of
    bot.parts.Setup."""

    def __init__(
        self,
        discord: Discord,
        url: str,
        clock: StoppedClock,
        database_clock: Callable[[], Millis] | None = None,
        settle_seconds: float = SETTLE_SECONDS,
        thinkers: Callable[[], Pool] | None = None,
        thread_seconds: float = HANG_SECONDS,
        **options: Any,
    ) -> None:
        self.discord = discord
        self.signposts = Signposts(discord)
        """They look at all that people are told."""
        self.phones = Phones(discord)
        """They look at all panels that people are shown."""
        self.clock = clock
        self.database_clock = database_clock or clock
        self.bot: Bot
        self.options = options
        self.thinkers = thinkers
        """Makes the workers of the computer, where it plays."""
        self.settle_seconds = settle_seconds
        self.answer_seconds = HANG_SECONDS
        self.thread_seconds = thread_seconds
        self.url = url
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

    @property
    def use_cases(self) -> UseCases:
        return self.bot.use_cases

    async def start(self) -> None:
        """Starts a bot whose commands Discord knows."""
        offered = self.options.get("hosting", NOTHING_OFFERED)
        key = bool(offered.feedback), bool(offered.client_secret)
        self.discord.set_commands(_synced_commands.get(key, ()))
        self._database = await self._running.enter_async_context(
            NotifyingDatabase.open(self.url, now=self.database_clock)
        )
        patience = Patience(self.settle_seconds, self.answer_seconds, self.thread_seconds)
        setup = Setup(
            offered_presets(dot_dash=True),
            **{"job_pool": job_pool, "clock": lambda: self.clock() / 1000, "timing": EAGER, **self.options},
            seeds=lambda: SEED,
            thinking=ComputerSetup(self.thinkers()) if self.thinkers else None,
            patience=patience,
        )
        self.bot, _ = await self._running.enter_async_context(run(nullcontext(self._database), TOKEN, setup))
        await self.discord.until(lambda: self.discord.online)
        if key not in _synced_commands:
            await self.client.tree.sync()
            _synced_commands[key] = list(self.discord.commands)

    async def stop(self) -> None:
        await self._running.aclose()
        await self.discord.until(lambda: not self.discord.online)

    async def kill(self) -> None:
        """Ends the bot in the middle of its handlers."""
        handlers = running_handlers()
        for task in handlers:
            task.cancel()
        await asyncio.wait(handlers)
        await self.stop()

    async def restart(self) -> None:
        """Ends the bot, and starts another that knows only the database."""
        await self.stop()
        await self.start()

    async def pass_time(self, duration: int) -> None:
        """Lets time pass while the bot runs."""
        await pass_time(self.services.store, self.clock, duration)

    def make_moderator(self, person: Person, channel: Channel | None = None) -> None:
        """Lets a person moderate in the channel."""
        self.discord.allow(channel or self.channel, Permission.MANAGE_MESSAGES, person)

    async def change_settings(self, person: Person, **settings: Any) -> None:
        """Changes a person's own settings."""
        async with self.services.store.write() as tx:
            stored = await tx.people.get(UserId(person.id))
            await tx.people.save(replace(stored, **settings))

    async def challenge(self, **options: Any) -> Message:
        """Returns the card of a new challenge by Ola; by default with a live clock, which asks for no confirmation."""
        known = {message.id for message in self.discord.messages(self.channel)}
        options = {"size": "5x5", "start": "empty", "clock": "10m+30s", **options}
        given = {name: value for name, value in options.items() if value is not None}
        await self.ola.command(self.channel, "challenge", **given).answered()
        return next(message for message in self.discord.messages(self.channel) if message.id not in known)

    async def start_match(self, **options: Any) -> Channel:
        """Starts a match of Ola and Максим; returns its thread when the board is posted. It is Ola's turn."""
        card = await self.challenge(opponent=self.maksim, **options)
        await self.maksim.click(card, "Accept").followed()
        thread = await self.wait_for_thread(card)
        await self.wait_for_handlers()  # the player who has accepted is told where the board is
        return thread

    async def wait_for_thread(self, card: Message) -> Channel:
        """Returns the thread of a challenge when the board of its match is posted."""
        thread: Channel = await self.discord.until(
            lambda: next((each for each in self.discord.threads if each.id == card.id and self.boards(each)), None)
        )
        await self.wait_for_outbox()
        return thread

    def boards(self, channel: Channel) -> list[Message]:
        """Returns the boards that the bot has posted in a channel."""
        return [
            message
            for message in self.discord.messages(channel)
            if message.author_id == self.discord.bot.id and message.attachments and not message.reference
        ]

    async def wait_for_board(self, channel: Channel, number: int) -> Message:
        """Returns the board of a version when it is posted, and the only one with buttons."""

        def there() -> Message | None:
            boards = self.boards(channel)
            settled = len(boards) > number and not any("More" in old.labels for old in boards[:number])
            return boards[number] if settled else None

        board: Message = await self.discord.until(there)
        await self.wait_for_outbox()
        return board

    async def press_in_menu(self, person: Person, channel: Channel, label: str) -> Interaction:
        """Presses a button of the panel that *More* opens."""
        panel = (await person.click(self.boards(channel)[-1], "More").answered()).message
        assert panel is not None
        return person.click(panel, label)

    async def wait_for_outbox(self) -> None:
        """Returns when the outbox is empty, which is soon after the last board was posted. Raises TimeoutError."""

        async def empty() -> bool:
            async with self.services.store.read() as reader:
                return not [
                    *await reader.outbox.pending_matches(),
                    *await reader.outbox.pending_matches(away=True),
                ]

        await self.until(empty)

    async def wait_for_handlers(self) -> None:
        """Returns when all that people have done so far is answered. Raises TimeoutError."""
        async with asyncio.timeout(HANG_SECONDS):
            await asyncio.gather(*running_handlers(), return_exceptions=True)

    async def until(self, read: Callable[[], Awaitable[T | None]]) -> T:
        """Returns what `read` finds in the database once that is true; it looks at each commit. Raises TimeoutError."""
        async with asyncio.timeout(HANG_SECONDS):
            while True:
                changed = self._database.changed
                if found := await read():
                    return found
                await changed.wait()

    async def play(self, channel: Channel, *moves: str) -> Message:
        """Lets Ola and Максим move in turn, by command; returns the board after the last move.

        A move made on a web page is played before its board is posted, so this waits for it first."""
        await self.wait_for_outbox()
        made = len(self.boards(channel)) - 1
        for number, move in enumerate(moves, made):
            player = (self.ola, self.maksim)[number % 2]
            await self.move(player, channel, move)
        return await self.wait_for_board(channel, made + len(moves))

    async def move(self, player: Person, channel: Channel, move: str) -> Message:
        """Plays a move by command, and confirms it where the bot asks; returns the board."""
        asked = player.command(channel, "move", point=move)
        answer = (await asked.answered()).message
        assert answer is not None
        confirm = [part["custom_id"] for part in answer.controls if ":play:" in part["custom_id"]]
        return await answering_board(player.click(answer, confirm[0]) if confirm else asked)

    async def cancel_match(self, player: Person, channel: Channel) -> None:
        """Cancels a match for a player, who is asked first."""
        asked = await private_message(player.command(channel, "abort"))
        await player.click(asked, "Yes, cancel game").followed()

    async def version(self, match: int = 1) -> int:
        """Returns the number of events of a match."""
        return (await self.services.use_cases.matches.load(MatchId(match))).version


async def answering_board(interaction: Interaction) -> Message:
    """Returns the board that answers a turn, which everybody sees."""
    answer = (await interaction.answered()).message
    assert answer is not None
    assert not answer.ephemeral, answer.text
    return answer


def written_out(text: str) -> str:
    """Returns a text with each mention of a command, `</games:12>`, as its English name, `/games`."""
    return re.sub(r"</([^:>]+):\d+>", r"`/\1`", text)


async def private_words(interaction: Interaction) -> str:
    """Returns the text of the newest message for the user alone, its mentions of commands written out."""
    return written_out((await private_message(interaction)).text)


async def private_message(interaction: Interaction) -> Message:
    """Returns the newest message for the user alone."""
    await interaction.answered()
    private: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.text]
    )
    return private[-1]


async def private_file(interaction: Interaction) -> tuple[str, bytes]:
    """Returns the name and the contents of the file that the user alone was sent."""
    await interaction.answered()
    messages: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.attachments]
    )
    (attachment,) = messages[-1].attachments
    return attachment.filename, attachment.data
