"""Interactions: what a person asked of the bot, and what came of it within Discord's times."""

import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal

from loopback.errors import EXPIRED_TOKEN, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, ApiError
from loopback.events import InteractionBegun, InteractionChanged
from loopback.model import Message, Modal, User
from loopback.world import World

Json = dict[str, Any]
Until = Callable[[Callable[[], Any]], Awaitable[Any]]

ACKNOWLEDGE_WITHIN = 3.0  # seconds
TOKEN_LASTS = 15 * 60.0  # seconds
MOST_FOLLOW_UPS = 5  # where the bot is not by itself


class InteractionKind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Discord's types of a first answer."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a person got for an interaction; only what belongs to the kind is set."""

    kind: Literal["message", "update", "deferred", "modal", "choices", "failed"]
    message: Message | None = None
    modal: Modal | None = None
    choices: tuple[Json, ...] = ()
    text: str = ""


@dataclass(eq=False, slots=True)
class Interaction:
    """One interaction, from its beginning to what came of it.

    Attributes:
        data: Discord's JSON of what was chosen.
        message: the message whose component was used, also behind a modal.
        installer: who has brought the bot along to where this is, if it is not there by itself.
        began: when, in seconds.
        callback: how the bot acknowledged it.
        failure: what the client says when the bot did not.
        original: the id of the first response, or of the message with the component that was answered by an update.
        made: the ids of all messages that the bot made with its token, first the response.
        touched: how often the bot has made or changed a message after the acknowledgement.
        follow_ups: how many messages it has made then.
    """

    world: World
    until: Until
    id: int
    kind: InteractionKind
    user: User
    channel_id: int
    data: Json
    began: float
    message: Message | None = None
    installer: int | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    callback: Callback | None = None
    failure: str | None = None
    modal: Modal | None = None
    choices: tuple[Json, ...] = ()
    original: int | None = None
    made: list[int] = field(default_factory=list)
    touched: int = 0
    follow_ups: int = 0

    @property
    def messages(self) -> list[Message]:
        """The messages that the bot made in answer, as they are now."""
        return [self.world.messages[each] for each in self.made if each in self.world.messages]

    @property
    def outcome(self) -> Outcome | None:
        """What has come of it, None while that is open."""
        original = self.world.messages.get(self.original or 0)
        if self.failure is not None:
            return Outcome("failed", text=self.failure)
        match self.callback:
            case Callback.MESSAGE:
                return Outcome("message", original)
            case Callback.DEFERRED_MESSAGE if original is None or not original.loading:
                return Outcome("message", original)
            case Callback.UPDATE:
                return Outcome("update", original)
            case Callback.DEFERRED_UPDATE:
                return Outcome("deferred", original)
            case Callback.MODAL:
                return Outcome("modal", modal=self.modal)
            case Callback.CHOICES:
                return Outcome("choices", choices=self.choices)
        return None

    async def answered(self) -> Outcome:
        """Waits for what comes of it."""
        outcome = await self.until(lambda: self.outcome)
        assert isinstance(outcome, Outcome)
        return outcome

    async def followed(self) -> Message:
        """Waits for a message made or changed with the token after the acknowledgement, and gives the newest."""
        await self.until(lambda: self.touched)
        newest = self.made[-1] if self.made else self.original
        return self.world.messages[newest or 0]


class Interactions:
    """All interactions whose tokens may still be good."""

    def __init__(self, world: World, until: Until) -> None:
        self._world = world
        self._until = until
        self._by_token: dict[str, Interaction] = {}  # the oldest first
        self._waiting: deque[Interaction] = deque()  # begun in this order

    def begin(
        self, kind: InteractionKind, user: User, channel_id: int, data: Json, message: Message | None = None
    ) -> Interaction:
        """A person uses something; the listeners take it to the bot."""
        world = self._world
        installer = None
        if world.is_borrowed(world.channels[channel_id]):  # a message's buttons come from whom the message comes from
            installer = message.origin.installer if message is not None and message.origin is not None else user.id
        interaction = Interaction(
            world, self._until, world.ids.next(), kind, user, channel_id, data, world.now(), message, installer
        )
        self._by_token[interaction.token] = interaction
        self._waiting.append(interaction)
        self._world.tell(InteractionBegun(interaction))
        return interaction

    def knows(self, token: str) -> bool:
        """Returns whether there was an interaction with this token lately."""
        return token in self._by_token

    def to_acknowledge(self, interaction_id: int, token: str) -> Interaction:
        """The interaction for a first answer; ApiError 10062 if it is unknown or its 3 seconds have passed."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise ApiError(UNKNOWN_INTERACTION)
        if interaction.callback is None:
            self._expire(interaction)
            if interaction.failure is not None:
                raise ApiError(UNKNOWN_INTERACTION)
        return interaction

    def to_follow(self, token: str) -> Interaction:
        """The acknowledged interaction of a token; ApiError 10015 if there is none, 50027 after 15 minutes."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.callback is None:
            raise ApiError(UNKNOWN_WEBHOOK)
        if self._world.now() - interaction.began > TOKEN_LASTS:
            raise ApiError(EXPIRED_TOKEN)
        return interaction

    def opener(self, interaction_id: int) -> Interaction | None:
        """The interaction of this id if it was answered with a modal."""
        return next((each for each in self._by_token.values() if each.id == interaction_id and each.modal), None)

    def expire(self) -> float | None:
        """Lets fail what was not acknowledged in time; gives the seconds until the next may fail."""
        now = self._world.now()
        while self._by_token and now - (oldest := next(iter(self._by_token.values()))).began > 2 * TOKEN_LASTS:
            del self._by_token[oldest.token]
        while self._waiting:
            first = self._waiting[0]
            self._expire(first)
            if first.callback is None and first.failure is None:
                return max(0.0, first.began + ACKNOWLEDGE_WITHIN - now)
            self._waiting.popleft()
        return None

    def _expire(self, interaction: Interaction) -> None:
        """Tells the person that nothing came, if it is too late for that."""
        late = self._world.now() - interaction.began >= ACKNOWLEDGE_WITHIN
        if late and interaction.callback is None and interaction.failure is None:
            command = interaction.kind in (InteractionKind.COMMAND, InteractionKind.AUTOCOMPLETE)
            interaction.failure = "The application did not respond" if command else "This interaction failed"
            self._world.tell(InteractionChanged(interaction))
