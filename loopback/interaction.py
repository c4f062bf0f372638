"""One interaction: what a person asks of the bot, and the bot's responses."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal

from loopback.activities import Instance
from loopback.model import Message, Modal, User

Json = dict[str, Any]
Until = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Waits until a predicate is true, and returns its value."""


class InteractionKind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Discord's types of a first response."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9
    LAUNCH_ACTIVITY = 12


@dataclass(frozen=True, slots=True)
class Outcome:
    """The bot's response as the person gets it; only the fields of its kind are set."""

    kind: Literal["message", "update", "deferred", "modal", "choices", "activity", "failed"]
    message: Message | None = None
    modal: Modal | None = None
    choices: tuple[Json, ...] = ()
    text: str = ""
    activity: Instance | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """One interaction, from its start to the bot's last response.

    Attributes:
        posted: all messages of the world, by id.
        until: waits for a change.
        data: Discord's JSON of what the person chose.
        message: the message whose component the person used, also for a modal.
        installer: the user whose installation of the bot this interaction uses, where the bot is not a member.
        began: when, in seconds.
        callback: how the bot acknowledged it.
        failure: what the client displays when the bot did not acknowledge it.
        original: the id of the first response; for an update, of the message with the component.
        made: the ids of all messages that the bot made with its token, the response first.
        touched: how often the bot has made or changed a message after the acknowledgement.
        follow_ups: the number of messages that the bot has made after the acknowledgement.
    """

    posted: Mapping[int, Message]
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
    activity: Instance | None = None
    original: int | None = None
    made: list[int] = field(default_factory=list)
    touched: int = 0
    follow_ups: int = 0

    @property
    def messages(self) -> list[Message]:
        """Returns the messages that the bot made in response, as they are now."""
        return [self.posted[each] for each in self.made if each in self.posted]

    @property
    def outcome(self) -> Outcome | None:
        """Returns the response as the person gets it; None until there is one."""
        original = self.posted.get(self.original or 0)
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
            case Callback.LAUNCH_ACTIVITY:
                return Outcome("activity", activity=self.activity)
        return None

    async def answered(self) -> Outcome:
        """Waits for the response, or for the failure to respond."""
        outcome = await self.until(lambda: self.outcome)
        assert isinstance(outcome, Outcome)
        return outcome

    async def followed(self) -> Message:
        """Waits until the bot makes or changes a message after the acknowledgement; returns the newest."""
        await self.until(lambda: self.touched)
        newest = self.made[-1] if self.made else self.original
        return self.posted[newest or 0]
