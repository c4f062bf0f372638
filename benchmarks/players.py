"""Players who move without end, and their measurements: acknowledgements, boards and failures."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, deque
from dataclasses import dataclass, field

from bot.cli.serving import spare_collector
from loopback import Discord, Interaction, Message
from loopback.events import Event, InteractionChanged, MessageEdited, MessagePosted
from loopback.person import Person
from rules.game import Point, point_name

MAX_BOARDS = 5
"""The boards of a match that the stand-in keeps; all of them would fill the memory."""

TURNED_AWAY = "⚠️ Your move wasn't played"
"""How the sentence begins that a player gets whose move was turned away."""

BOARD = re.compile(r"kropka-([0-9]+)-([0-9]+)\.png")
"""The file name of a board, with match and version."""


@dataclass(eq=False)
class Click:
    """A move in flight, with the match's `version` after it; `began` is a time of a monotonic clock.

    `told` is the answer, after so many `seconds`; `played` whether the board of the move arrived.
    """

    text: str
    version: int
    began: float
    acknowledged: bool = False
    told: str | None = None
    seconds: float = 0.0
    played: bool = False
    response: Message | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_turned_away(self) -> bool:
        return (self.told or "").startswith(TURNED_AWAY)


@dataclass(eq=False)
class Game:
    """A match of two players, as they see it: `made` moves count; `told` has the times when they read of moves."""

    players: tuple[Person, Person]
    moves: list[str]
    by_reply: bool = False
    made: int = 0
    told: dict[int, float] = field(default_factory=dict)
    posts: Counter[str] = field(default_factory=Counter)  # by match and version
    boards: deque[Message] = field(default_factory=deque)
    board_posted: asyncio.Event = field(default_factory=asyncio.Event)


def pattern(width: int, height: int) -> list[str]:
    """Returns many turns without a capture: each player fills rows of their own, from the middle out."""
    middle, across = height // 2, sorted(range(width), key=lambda x: abs(x - width // 2))
    rows = sorted(range(height), key=lambda y: (abs(y - middle), y))
    own = [[y for y in rows if y % 4 == (middle + shift) % 4] for shift in (0, 2)]
    red, blue = ([point_name(Point(x, y)) for y in each for x in across] for each in own)
    return [move for pair in zip(red, blue, strict=False) for move in pair]


class Crowd:
    """All players. They move by `/move`, whose response is the board; with `replies` every other game is played by
    replies, after which the bot posts the board. The figures are seconds from a click to acknowledgement and board.
    """

    def __init__(self, discord: Discord, *, replies: bool = False) -> None:
        self._discord = discord
        self._replies = replies
        self._games: dict[int, Game] = {}  # by channel
        self._clicks: dict[int, Click] = {}  # by interaction
        self._clicking: dict[int, Click] = {}  # by person
        self.acknowledged: list[float] = []
        self.boards: list[float] = []
        self.failed: Counter[str] = Counter()
        discord.listen(self._on_event)

    def clear(self) -> None:
        """Clears the measurements, and has the collector spare what is there.

        The stand-in and the players share an event loop. A full pass over them would be the slowest acknowledgement.
        """
        self.acknowledged.clear()
        self.boards.clear()
        self.failed.clear()
        spare_collector()

    async def begin_all(self, matches: int, size: str, clock: str = "30m+1m") -> list[Game]:
        """Begins matches of two new players each, ten at a time."""
        ten = asyncio.Semaphore(10)

        async def begin(number: int) -> Game:
            async with ten:
                return await self.begin(number, size, clock)

        return list(await asyncio.gather(*map(begin, range(matches))))

    def game_in(self, channel: int) -> Game | None:
        """Returns the match in a channel."""
        return self._games.get(channel)

    async def begin(self, number: int, size: str, clock: str = "30m+1m") -> Game:
        """Begins a match of two new players; raises TimeoutError if it does not begin within a minute."""
        channel = self._discord.open_channel(f"table-{number}")
        players = self._discord.invite(f"Anna {number}"), self._discord.invite(f"Boris {number}")
        await (
            players[0]
            .command(channel, "challenge", opponent=players[1], size=size, start="empty", clock=clock, colour="first")
            .answered()
        )
        async with asyncio.timeout(60):  # a slow bot has only acknowledged the command yet
            while not (cards := self._discord.messages(channel)):  # noqa: ASYNC110 - another process posts it
                await asyncio.sleep(0.05)
        card = cards[-1]
        width, height = map(int, size.split("x"))
        by_reply = self._replies and number % 2 == 1
        game = self._games[card.id] = Game(players, pattern(width, height), by_reply)  # the thread has the card's id
        players[1].click(card, "Accept")
        await asyncio.wait_for(game.board_posted.wait(), 60)
        return game

    async def end(self, game: Game) -> None:
        """Makes a player resign, and drops the match; raises TimeoutError without a last board within a minute."""
        channel = game.boards[-1].channel_id
        question = (await game.players[0].command(channel, "resign").answered()).message
        assert question is not None, "the bot asks for a confirmation"
        game.board_posted.clear()
        game.players[0].click(question, "Yes, resign")
        await asyncio.wait_for(game.board_posted.wait(), 60)
        del self._games[channel]
        for board in game.boards:
            self._discord.discard_message(board)

    async def move(self, game: Game, within: float = 30.0) -> bool:
        """Makes the next move of a game and waits for its board; returns whether it arrived."""
        return (await self.offer(game, within)).played

    async def offer(self, game: Game, within: float = 30.0) -> Click:
        """Makes the next move of a game, waits for its board or for what is told instead, and returns what happened."""
        number, player = game.made, game.players[game.made % 2]
        click = Click(game.moves[number], number + 1, time.perf_counter())
        game.board_posted.clear()
        self._clicking[player.id] = click
        if game.by_reply:
            click_id = player.say(game.boards[-1].channel_id, click.text, reply_to=game.boards[-1]).id
        else:
            click_id = player.command(game.boards[-1].channel_id, "move", point=click.text).id
        self._clicks[click_id] = click
        try:
            async with asyncio.timeout(within):
                await click.answered.wait()
                click.seconds = time.perf_counter() - click.began
                if click.is_turned_away:
                    return click
                if not (click.told or "").startswith(f"You played **{click.text}**"):
                    if (click.told or "").startswith("It is the turn of"):
                        game.made = number + 1  # the previous try did count, but its response was lost
                    self.failed[str(click.told)[:70]] += 1
                    return click
                game.made = number + 1
                game.told[number] = time.perf_counter()
                await game.board_posted.wait()
                click.played, click.seconds = True, time.perf_counter() - click.began
        except TimeoutError:
            self.failed["no response" if click.told is None else "no board"] += 1
        finally:
            del self._clicks[click_id], self._clicking[player.id]
            if click.response is not None:
                self._discord.discard_message(click.response)
        return click

    def _on_event(self, event: Event) -> None:
        match event:
            case InteractionChanged(interaction):
                self._note_acknowledgement(interaction)
            case MessagePosted(message) if message.visible_to is None and message.attachments:
                self._note_board(message)
            case MessagePosted(message) | MessageEdited(message) if message.visible_to in self._clicking:
                self._note_response(message)

    def _note_acknowledgement(self, interaction: Interaction) -> None:
        click = self._clicks.get(interaction.id)
        if click is None:
            return
        if interaction.failure is not None:
            click.told = interaction.failure
            click.answered.set()
        elif interaction.callback is not None and not click.acknowledged:
            click.acknowledged = True
            self.acknowledged.append(time.perf_counter() - click.began)

    def _note_response(self, message: Message) -> None:
        if message.content and not message.loading:
            click = self._clicking[message.visible_to or 0]
            click.told, click.response = message.content, message
            click.answered.set()

    def _note_board(self, message: Message) -> None:
        game, board = self._games.get(message.channel_id), BOARD.fullmatch(message.attachments[0].filename)
        if game is None or board is None:
            return
        version = int(board[2])
        game.made = max(game.made, version)  # a move whose response was lost counts
        game.posts[f"{board[1]}:{version}"] += 1
        game.boards.append(message)
        if len(game.boards) > MAX_BOARDS:
            self._discord.discard_message(game.boards.popleft())
        click = next((self._clicking[each.id] for each in game.players if each.id in self._clicking), None)
        if click is not None:
            self.boards.append(time.perf_counter() - click.began)
            if version == click.version and click.told is None:  # the board is the response, or came before it
                click.told = f"You played **{click.text}**"
                click.answered.set()
        game.board_posted.set()
