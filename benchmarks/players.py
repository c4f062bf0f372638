"""People who play on and on, and what they see: when a click was acknowledged, when the board stood, what failed."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, deque
from dataclasses import dataclass, field

from loopback import Discord, Interaction, Message
from loopback.events import Event, InteractionChanged, MessageEdited, MessagePosted
from loopback.person import Person
from rules.notation import point_name
from rules.point import Point

KEPT = 5
"""Boards of a match that the stand-in keeps: all of them would fill the memory."""

BOARD = re.compile(r"kropka-([0-9]+)-([0-9]+)\.png")
"""The file of a board, which names match and version, whichever way it was posted."""


@dataclass(eq=False)
class Click:
    """A move on its way, the match's `version` after it; `began` is a second of a clock that only runs forward."""

    text: str
    version: int
    began: float
    acknowledged: bool = False
    told: str | None = None
    answer: Message | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class Game:
    """A match of two people, as far as they know: `made` moves count, and of those in `told` they have read it, each
    at its time."""

    players: tuple[Person, Person]
    moves: list[str]
    by_reply: bool = False
    made: int = 0
    told: dict[int, float] = field(default_factory=dict)
    posts: Counter[str] = field(default_factory=Counter)  # by match and version
    boards: deque[Message] = field(default_factory=deque)
    stands: asyncio.Event = field(default_factory=asyncio.Event)


def pattern(width: int, height: int) -> list[str]:
    """Turns that go on for long and capture nothing: each player fills rows of his own, from the middle out."""
    middle, across = height // 2, sorted(range(width), key=lambda x: abs(x - width // 2))
    rows = sorted(range(height), key=lambda y: (abs(y - middle), y))
    own = [[y for y in rows if y % 4 == (middle + shift) % 4] for shift in (0, 2)]
    red, blue = ([point_name(Point(x, y)) for y in each for x in across] for each in own)
    return [move for pair in zip(red, blue, strict=False) for move in pair]


class Crowd:
    """Everybody who plays: by `/move`, whose answer is the board, or where `replies` says so, every other game by
    replies, to which the board is posted. Its figures are seconds from a click to the acknowledgement and to the board.
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
        discord.listen(self._hear)

    def forget(self) -> None:
        """Begins to measure anew."""
        self.acknowledged.clear()
        self.boards.clear()
        self.failed.clear()

    async def seat(self, tables: int, size: str) -> list[Game]:
        """So many matches, each of two people of its own, ten begun at a time."""
        ten = asyncio.Semaphore(10)

        async def begun(number: int) -> Game:
            async with ten:
                return await self.begin(number, size)

        return list(await asyncio.gather(*map(begun, range(tables))))

    def at(self, channel: int) -> Game | None:
        """The match that is played in a channel."""
        return self._games.get(channel)

    async def begin(self, number: int, size: str, clock: str = "30m+1m") -> Game:
        """A match of two new people. Raises TimeoutError if it does not begin within a minute."""
        channel = self._discord.open_channel(f"table-{number}")
        players = self._discord.invite(f"Anna {number}"), self._discord.invite(f"Boris {number}")
        await (
            players[0]
            .command(channel, "challenge", opponent=players[1], size=size, start="empty", clock=clock, colour="first")
            .answered()
        )
        cards = self._discord.messages(channel)
        if not cards:
            raise TimeoutError("no card was posted")
        card = cards[-1]
        width, height = map(int, size.split("x"))
        by_reply = self._replies and number % 2 == 1
        game = self._games[card.id] = Game(players, pattern(width, height), by_reply)  # the thread has the card's id
        players[1].click(card, "Accept")
        await asyncio.wait_for(game.stands.wait(), 60)
        return game

    async def end(self, game: Game) -> None:
        """One of the two gives up, and both forget the match. Raises TimeoutError if its last board does not come
        within a minute."""
        channel = game.boards[-1].channel_id
        asked = (await game.players[0].command(channel, "resign").answered()).message
        assert asked is not None, "he is asked whether he means it"
        game.stands.clear()
        game.players[0].click(asked, "Yes, resign")
        await asyncio.wait_for(game.stands.wait(), 60)
        del self._games[channel]
        for board in game.boards:
            self._discord.forget(board)

    async def move(self, game: Game, within: float = 30.0) -> bool:
        """The next move of a game, up to its board; whether it came that far."""
        number, player = game.made, game.players[game.made % 2]
        click = Click(game.moves[number], number + 1, time.perf_counter())
        game.stands.clear()
        self._clicking[player.id] = click
        if game.by_reply:
            asked = player.say(game.boards[-1].channel_id, click.text, reply_to=game.boards[-1]).id
        else:
            asked = player.command(game.boards[-1].channel_id, "move", point=click.text).id
        self._clicks[asked] = click
        try:
            async with asyncio.timeout(within):
                await click.answered.wait()
                if not (click.told or "").startswith(f"You played **{click.text}**"):
                    if (click.told or "").startswith("It is the turn of"):
                        game.made = number + 1  # the try before did count, and nobody could say so
                    self.failed[str(click.told)[:70]] += 1
                    return False
                game.made = number + 1
                game.told[number] = time.perf_counter()
                await game.stands.wait()
        except TimeoutError:
            self.failed["no answer" if click.told is None else "no board"] += 1
            return False
        finally:
            del self._clicks[asked], self._clicking[player.id]
            if click.answer is not None:
                self._discord.forget(click.answer)
        return True

    def _hear(self, event: Event) -> None:
        match event:
            case InteractionChanged(interaction):
                self._changed(interaction)
            case MessagePosted(message) if message.visible_to is None and message.attachments:
                self._posted(message)
            case MessagePosted(message) | MessageEdited(message) if message.visible_to in self._clicking:
                self._told(message)

    def _changed(self, interaction: Interaction) -> None:
        click = self._clicks.get(interaction.id)
        if click is None:
            return
        if interaction.failure is not None:
            click.told = interaction.failure
            click.answered.set()
        elif interaction.callback is not None and not click.acknowledged:
            click.acknowledged = True
            self.acknowledged.append(time.perf_counter() - click.began)

    def _told(self, message: Message) -> None:
        if message.content and not message.loading:
            click = self._clicking[message.visible_to or 0]
            click.told, click.answer = message.content, message
            click.answered.set()

    def _posted(self, message: Message) -> None:
        game, board = self._games.get(message.channel_id), BOARD.fullmatch(message.attachments[0].filename)
        if game is None or board is None:
            return
        version = int(board[2])
        game.made = max(game.made, version)  # a move whose answer was lost counts
        game.posts[f"{board[1]}:{version}"] += 1
        game.boards.append(message)
        if len(game.boards) > KEPT:
            self._discord.forget(game.boards.popleft())
        click = next((self._clicking[each.id] for each in game.players if each.id in self._clicking), None)
        if click is not None:
            self.boards.append(time.perf_counter() - click.began)
            if version == click.version and click.told is None:  # the board is the answer, or it came before the line
                click.told = f"You played **{click.text}**"
                click.answered.set()
        game.stands.set()
