"""Activities: where people have the application's page open in a frame, and what they have granted it by OAuth2.

Sources: https://discord.com/developers/docs/activities/overview and https://discord.com/developers/docs/topics/oauth2
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

CODE_SECONDS = 60.0
TOKEN_SECONDS = 7 * 24 * 3600
MAX_GRANTS = 1000  # that are kept of each kind, the newest
SCOPES = frozenset({"identify", "guilds", "guilds.members.read", "rpc.activities.write", "applications.commands"})


@dataclass(slots=True)
class Instance:
    """One Activity, which all who open it in its channel share."""

    channel_id: int
    id: str = field(default_factory=lambda: f"i-{secrets.randbelow(10**18)}-gc")
    launch_id: str = field(default_factory=lambda: str(secrets.randbelow(10**18)))
    users: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Grant:
    """The permission that a person has given the application."""

    user: int
    scopes: tuple[str, ...]
    until: float


class Activities:
    """The running Activities, and the codes and tokens of OAuth2. `secret` is the application's client secret; people
    allow no scope that is `declined`."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.secret = secrets.token_urlsafe(24)
        self.declined: set[str] = set()
        self._now = now
        self._instances: dict[int, Instance] = {}  # by channel
        self._codes: dict[str, Grant] = {}
        self._tokens: dict[str, Grant] = {}

    def launch(self, user: int, channel: int) -> Instance:
        """Brings a person into the Activity of a channel, and out of any other: a person has one at a time."""
        self.leave(user)
        instance = self._instances.setdefault(channel, Instance(channel))
        instance.users.append(user)
        return instance

    def leave(self, user: int) -> None:
        """Closes the Activity of a person. It ends with the last of its people."""
        for channel, instance in tuple(self._instances.items()):
            if user in instance.users:
                instance.users.remove(user)
            if not instance.users:
                del self._instances[channel]

    def instance(self, instance_id: str) -> Instance | None:
        """Returns the running Activity of this id."""
        return next((each for each in self._instances.values() if each.id == instance_id), None)

    def joined(self, user: int) -> Instance | None:
        """Returns the Activity that a person has open."""
        return next((each for each in self._instances.values() if user in each.users), None)

    def authorize(self, user: int, scopes: tuple[str, ...]) -> str:
        """Returns the code of a new grant, good for one exchange."""
        return _keep(self._codes, Grant(user, scopes, self._now() + CODE_SECONDS))

    def exchange(self, code: str) -> tuple[str, Grant] | None:
        """Uses up a code; returns the token of its grant, or None for a code that is not good."""
        grant = self._codes.pop(code, None)
        if grant is None or grant.until <= self._now():
            return None
        return self.grant(grant.user, grant.scopes)

    def grant(self, user: int, scopes: tuple[str, ...]) -> tuple[str, Grant]:
        """Returns a new access token and its grant."""
        token = Grant(user, scopes, self._now() + TOKEN_SECONDS)
        return _keep(self._tokens, token), token

    def granted(self, token: str) -> Grant | None:
        """Returns the grant of an access token."""
        grant = self._tokens.get(token)
        return None if grant is None or grant.until <= self._now() else grant


def _keep(grants: dict[str, Grant], grant: Grant) -> str:
    while len(grants) >= MAX_GRANTS:
        del grants[next(iter(grants))]
    key = secrets.token_urlsafe(24)
    grants[key] = grant
    return key
