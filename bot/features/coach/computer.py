"""The computer as a player: it thinks for play/workers/computer_player.py, helps players and takes challenges."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import discord

from bot.interactions.context import Context
from bot.request import own_id
from bot.services.channels import ChannelMessenger
from opponent.budget import Budget
from opponent.calls import accepts_draw, accepts_end, resigns
from opponent.choice import Choice
from opponent.levels import HARDEST, level_of
from opponent.pool import Busy, Pool, Unanswered
from play.ids import ChannelId, MessageId, Millis
from play.match.events import EventKind, OfferKind
from play.refusal import Reason, Refused
from play.services.challenges import Challenges
from play.store import Store
from play.workers.computer_player import Action
from rules.dots import DotsPosition

if TYPE_CHECKING:
    from bot.settings import Settings
    from play.challenge.challenge import Challenge
    from play.match.match import Match
    from rules.game import AnyPosition
    from rules.point import Seat

log = logging.getLogger(__name__)

DEFAULT_LEVEL = 4
"""The level of whoever challenges the computer without naming one."""

HURRY, SHARE, LEAST = 30_000, 20, 20
"""With less than so many milliseconds on its clock the computer takes one part in so many for a move; at least so many
milliseconds."""

JUDGEMENT = Budget(nodes=2000, millis=500)
"""What it looks at before it takes an offer, whatever its level."""


_WITH_THREADS = (discord.ChannelType.text.value, discord.ChannelType.news.value)


class Thinking(NamedTuple):
    """The computer's processes, and the time that it takes for a move at least."""

    pool: Pool
    pace: Millis = Millis(0)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """As the operator wants it; None where he wants no computer."""
        return cls(Pool(settings.thinkers), Millis(round(settings.pace * 1000))) if settings.thinkers else None


class EnginePool(Protocol):
    """`opponent.pool.Pool`, or what takes its place."""

    async def choose(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ...) -> Choice:
        """See `opponent.choose.choose`; may raise Busy and Unanswered."""


class Computer:
    """Implements play.workers.computer_player.Engine; plays as the bot's own `user`."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        challenges: Challenges,
        channels: ChannelMessenger,
        thinker: EnginePool,
    ) -> None:
        self._client = client
        self._store = store
        self._challenges = challenges
        self._channels = channels
        self._thinker = thinker
        self.user = own_id(client)

    async def choose_action(self, match: Match, level: int | None) -> Action:
        """See play.workers.computer_player.Engine."""
        number = level or DEFAULT_LEVEL
        choice = await self._thinker.choose(
            match.position, await self._hurried_budget(match, number), _seed(match), number
        )
        if resigns(match.position, choice):
            return Action(EventKind.RESIGN)
        return Action(EventKind.MOVE, choice.move)

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        """See play.workers.computer_player.Engine. Grants a pause, and another try in an unrated game."""
        if kind is OfferKind.PAUSE:
            return True
        if kind is OfferKind.TAKEBACK:
            async with self._store.read() as reader:
                challenge = await reader.challenges.of_match(match.id)
            return challenge is None or challenge.terms.pool is None
        position = match.position
        if match.game.seats > 2:
            return False
        choice = await self._thinker.choose(position, JUDGEMENT, _seed(match), HARDEST)
        if position.to_act != seat:
            choice = replace(choice, value=-choice.value, win=1 - choice.win)
        if kind is OfferKind.END and isinstance(position, DotsPosition):
            return accepts_end(position, seat, choice)
        return accepts_draw(position, seat, choice)

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        """A choice for a person. Raises Refused (`computer_busy`)."""
        try:
            return await self._thinker.choose(position, budget, seed, level)
        except (Busy, Unanswered) as error:
            raise Refused(Reason.COMPUTER_BUSY) from error

    async def accept_challenge(self, challenge: Challenge, card: MessageId) -> None:
        """Takes a challenge that is made to it, as soon as its card stands. If it cannot, the card stays open."""
        if challenge.opponent != self.user or challenge.proposer == self.user:
            return
        async with self._store.read() as reader:
            now = await reader.clock.now()
        thread = ChannelId(card) if await self._opens_threads(challenge) else None
        try:
            await self._challenges.accept(challenge.id, self.user, now, changes=challenge.changes, thread=thread)
        except Refused as refused:
            log.warning("the computer cannot take challenge %d: %s", challenge.id, refused.key)

    async def _opens_threads(self, challenge: Challenge) -> bool:
        """Whether the match is to have a thread; one that Discord then forbids is given up by the announcer."""
        if challenge.guild is None or self._channels.is_user_install(challenge.channel):
            return False
        async with self._store.read() as reader:
            wanted = (await reader.servers.get(challenge.guild)).threads
        return wanted and (await self._client.http.get_channel(challenge.channel))["type"] in _WITH_THREADS

    async def _hurried_budget(self, match: Match, level: int) -> Budget | None:
        """The budget for a move when there is little time; otherwise that of the level."""
        if match.clock.deadline is None:
            return None
        async with self._store.read() as reader:
            left = match.clock.deadline - await reader.clock.now()
        if left >= HURRY:
            return None
        return Budget(level_of(level).compiled.nodes, max(LEAST, left // SHARE))


def invited_level(ctx: Context, opponent: discord.User | None, level: int | None) -> int | None:
    """The level at which a challenge asks the computer to play; None if it asks somebody else. Raises Refused."""
    itself = opponent is not None and opponent.id == ctx.interaction.application_id
    if level is None and not itself:
        if opponent is not None and opponent.bot:
            raise Refused(Reason.OPPONENT_IS_BOT)
        return None
    if opponent is not None and not itself:
        raise Refused(Reason.COMPUTER_OR_OPPONENT)
    ctx.services.coach.advisor()
    return level or DEFAULT_LEVEL


def _seed(match: Match) -> int:
    """The same for the same moment of the same match, so that a thought that was lost comes again."""
    return (match.seed * 1_000_003 + match.version) % 2**63
