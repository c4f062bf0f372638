"""The open interactions, and Discord's limits of time for them."""

from collections import deque

from loopback.errors import EXPIRED_TOKEN, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, ApiError
from loopback.events import InteractionBegun, InteractionChanged
from loopback.interaction import Interaction, InteractionKind, Json, Until
from loopback.model import Message, User
from loopback.world import World

ACKNOWLEDGE_SECONDS = 3.0  # for the first response
TOKEN_SECONDS = 15 * 60.0  # for which a token is valid


class Interactions:
    """All interactions whose tokens may still be valid."""

    def __init__(self, world: World, until: Until) -> None:
        self._world = world
        self._until = until
        self._by_token: dict[str, Interaction] = {}  # the oldest first
        self._waiting: deque[Interaction] = deque()  # begun in this order

    def begin(
        self, kind: InteractionKind, user: User, channel_id: int, data: Json, message: Message | None = None
    ) -> Interaction:
        """Starts an interaction of a person; the listeners deliver it to the bot."""
        world = self._world
        installer = None
        if world.is_user_install(world.channels[channel_id]):  # a button belongs to the installation of its message
            installer = message.origin.installer if message is not None and message.origin is not None else user.id
        interaction = Interaction(
            world.messages, self._until, world.ids.next(), kind, user, channel_id, data, world.now(), message, installer
        )
        self._by_token[interaction.token] = interaction
        self._waiting.append(interaction)
        self._world.publish(InteractionBegun(interaction))
        return interaction

    def knows(self, token: str) -> bool:
        """Returns whether a recent interaction has this token."""
        return token in self._by_token

    def of_token(self, token: str) -> Interaction | None:
        """Returns the recent interaction of a token."""
        return self._by_token.get(token)

    def for_response(self, interaction_id: int, token: str) -> Interaction:
        """Returns the interaction for a first response; ApiError 10062 if it is unknown or its 3 seconds are over."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise ApiError(UNKNOWN_INTERACTION)
        if interaction.callback is None:
            self._fail_if_overdue(interaction)
            if interaction.failure is not None:
                raise ApiError(UNKNOWN_INTERACTION)
        return interaction

    def for_follow_up(self, token: str) -> Interaction:
        """Returns the acknowledged interaction of a token; ApiError 10015 if there is none, 50027 after 15 minutes."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.callback is None:
            raise ApiError(UNKNOWN_WEBHOOK)
        if self._world.now() - interaction.began > TOKEN_SECONDS:
            raise ApiError(EXPIRED_TOKEN)
        return interaction

    def opener(self, interaction_id: int) -> Interaction | None:
        """Returns the interaction of this id if the bot responded with a modal."""
        return next((each for each in self._by_token.values() if each.id == interaction_id and each.modal), None)

    def expire(self) -> float | None:
        """Fails the overdue interactions; returns the seconds until the next may be overdue."""
        now = self._world.now()
        while self._by_token and now - (oldest := next(iter(self._by_token.values()))).began > 2 * TOKEN_SECONDS:
            del self._by_token[oldest.token]
        while self._waiting:
            first = self._waiting[0]
            self._fail_if_overdue(first)
            if first.callback is None and first.failure is None:
                return max(0.0, first.began + ACKNOWLEDGE_SECONDS - now)
            self._waiting.popleft()
        return None

    def _fail_if_overdue(self, interaction: Interaction) -> None:
        """Fails an interaction that is overdue without a response."""
        late = self._world.now() - interaction.began >= ACKNOWLEDGE_SECONDS
        if late and interaction.callback is None and interaction.failure is None:
            command = interaction.kind in (InteractionKind.COMMAND, InteractionKind.AUTOCOMPLETE)
            interaction.failure = "The application did not respond" if command else "This interaction failed"
            self._world.publish(InteractionChanged(interaction))
