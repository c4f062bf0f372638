"""The computer: it plays for use_cases/workers/computer_player.py, helps players and accepts challenges."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import NamedTuple, Protocol, Self

import discord

from bot.request import own_id
from bot.services.channels import ChannelMessenger
from bot.services.guild_directory import WITH_THREADS
from bot.settings import Settings
from opponent.calls import accepts_draw, accepts_end, resigns
from opponent.captures import Oversight
from opponent.choice import DEFAULT_LEVEL, HARDEST, Budget, Choice, level_of
from opponent.pool import AlreadyAsked, Busy, EngineFailed, Pool
from play.challenge.challenge import Challenge
from play.ids import ChannelId, MessageId, Millis, UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.dots import DotsPosition
from rules.game import AnyPosition, Seat
from storage import Database
from use_cases.challenges import Challenges
from use_cases.matches import is_rated
from use_cases.worker import RetryLater
from use_cases.workers.computer_player import Action
from use_cases.workers.game_reviewer import Rest

HURRY_MILLIS = 30_000
"""Milliseconds on the computer's clock below which it hurries."""

HURRY_DIVISOR = 20
"""In a hurry, a move takes this part of the time that is left."""

MIN_MOVE_MILLIS = 20
"""Milliseconds that a move may take at least, even in a hurry."""

REST_SECONDS = 1.0
"""Before each search of a review that nobody waits for. Those take 0.3 s, so they have a quarter of one core at most,
at the lowest priority."""

OFFER_BUDGET = Budget(nodes=2000, millis=500, fresh=True)
"""The search before the answer to an offer, the same at every level."""


class ComputerSetup(NamedTuple):
    """The computer's processes, and the least milliseconds that it takes for a move."""

    pool: Pool
    pace: Millis = Millis(0)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Returns the computer of the operator's settings; None where they want none."""
        if not settings.thinkers:
            return None
        return cls(Pool(settings.thinkers, settings.threads), Millis(round(settings.pace * 1000)))


class EnginePool(Protocol):
    """`opponent.pool.Pool`, or a replacement in tests."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ..., asker: int | None = ...
    ) -> Choice:
        """Returns the choice of `opponent.choose.choose`, for a game or for an `asker`. Raises Busy, AlreadyAsked and
        EngineFailed."""

    async def look(self, position: AnyPosition, move: str, asker: int) -> Oversight | None:
        """Returns what `opponent.captures.oversight` does. Raises Busy, AlreadyAsked and EngineFailed."""

    @property
    def is_helping(self) -> bool:
        """Whether there are requests for help that are not done."""


class Helper(NamedTuple):
    """The computer as it helps an `asker`, a user or a server: each has one request at a time."""

    pool: EnginePool
    asker: int

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        """Returns a choice. Raises Refused (`computer_busy`, `lane_yours`)."""
        with _refusals():
            return await self.pool.choose(position, budget, seed, level, self.asker)

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns the captures that a move overlooks. Raises Refused (`computer_busy`, `lane_yours`)."""
        with _refusals():
            return await self.pool.look(position, move, self.asker)


class LeisureHelper(NamedTuple):
    """The computer as it helps nobody in particular: behind all who ask, and with a rest after each search."""

    helper: Helper
    rest: Rest

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        """Returns a choice. Raises Refused (`computer_busy`), and RetryLater if it is to give up."""
        await self._wait(REST_SECONDS)
        return await self.helper.help(position, budget, seed, level)

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns the captures that a move overlooks. Raises as `help` does."""
        await self._wait(0)
        return await self.helper.look(position, move)

    async def _wait(self, seconds: float) -> None:
        """Rests, and then until no user waits for help."""
        while await self.rest(seconds):
            if not self.helper.pool.is_helping:
                return
            seconds = REST_SECONDS
        raise RetryLater("the bot is about to stop")


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except (Busy, EngineFailed) as error:
        raise Refused(Reason.COMPUTER_BUSY) from error
    except AlreadyAsked as error:
        raise Refused(Reason.LANE_YOURS) from error


class Computer:
    """The implementation of use_cases.workers.computer_player.Engine; it plays as the bot's own account."""

    def __init__(
        self,
        client: discord.Client,
        store: Database,
        challenges: Challenges,
        channels: ChannelMessenger,
        pool: EnginePool,
    ) -> None:
        self._client = client
        self._store = store
        self._challenges = challenges
        self._channels = channels
        self._pool = pool

    @property
    def user(self) -> UserId:
        """Returns the account, once the client is logged in."""
        return own_id(self._client)

    async def choose_action(self, match: Match, level: int | None) -> Action:
        """Returns the next move at the level, or a resignation."""
        number = level or DEFAULT_LEVEL
        budget = await self._hurried_budget(match, number)
        choice = await self._pool.choose(match.position, budget, _seed(match), number)
        if resigns(match.position, choice):
            return Action(EventKind.RESIGN)
        return Action(EventKind.MOVE, choice.move)

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        """Returns whether the computer agrees: always to a pause, and to a take-back in an unrated game.

        With two players, its search decides about a draw and about an end.
        """
        if kind is OfferKind.PAUSE:
            return True
        if kind is OfferKind.TAKEBACK:
            async with self._store.read() as reader:
                return not await is_rated(reader, match.id)
        position = match.position
        if match.game.seats > 2:
            return False
        choice = await self._pool.choose(position, OFFER_BUDGET, _seed(match), HARDEST)
        if position.to_act != seat:
            choice = replace(choice, value=-choice.value, win=1 - choice.win)
        if kind is OfferKind.END and isinstance(position, DotsPosition):
            return accepts_end(position, seat, choice)
        return accepts_draw(position, seat, choice)

    def helper(self, asker: int) -> Helper:
        """Returns the computer as it helps a user or a server, by its id."""
        return Helper(self._pool, asker)

    def leisure_helper(self, rest: Rest) -> LeisureHelper:
        """Returns the computer as it helps behind all others."""
        return LeisureHelper(self.helper(self.user), rest)

    async def accept_challenge(self, challenge: Challenge, card: MessageId) -> None:
        """Accepts a challenge to the computer once its card is posted.

        Raises Refused if the player has no room for the game; the card says that the challenge is declined.
        """
        if challenge.opponent != self.user or challenge.proposer == self.user:
            return
        async with self._store.read() as reader:
            now = await reader.clock.now()
        thread = ChannelId(card) if await self._wants_thread(challenge) else None
        try:
            await self._challenges.accept(challenge.id, self.user, now, changes=challenge.changes, thread=thread)
        except Refused:
            with suppress(Refused):  # it was withdrawn meanwhile
                await self._challenges.decline(challenge.id, self.user, now)
            raise

    async def _wants_thread(self, challenge: Challenge) -> bool:
        """Returns whether the match gets a thread; the publisher goes without where Discord then forbids one."""
        if challenge.guild is None or self._channels.is_user_install(challenge.channel):
            return False
        async with self._store.read() as reader:
            wanted = (await reader.servers.get(challenge.guild)).threads
        kind = (await self._client.http.get_channel(challenge.channel))["type"]
        return wanted and discord.ChannelType(kind) in WITH_THREADS

    async def _hurried_budget(self, match: Match, level: int) -> Budget | None:
        """Returns the budget for a move when time is short; None for that of the level. A short time goes before the
        level's minimum of playouts, and a busy machine has four times as much: a fifth of what is left."""
        if match.clock.deadline is None:
            return None
        async with self._store.read() as reader:
            left = match.clock.deadline - await reader.clock.now()
        if left >= HURRY_MILLIS:
            return None
        budget = level_of(level).compiled
        return Budget(budget.nodes, max(MIN_MOVE_MILLIS, left // HURRY_DIVISOR), fresh=not budget.goes_on)


def _seed(match: Match) -> int:
    """Returns the same seed for the same version of a match, so that a lost search repeats."""
    return (match.seed * 1_000_003 + match.version) % 2**63
