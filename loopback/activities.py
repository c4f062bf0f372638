"""Activities: where people have the application's page open in a frame, and what they have granted it by OAuth2.

Sources: https://discord.com/developers/docs/activities/overview and https://discord.com/developers/docs/topics/oauth2
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CODE_SECONDS = 60.0
TOKEN_SECONDS = 7 * 24 * 3600
MAX_GRANTS = 1000  # that are kept of each kind, the newest
SCOPES = frozenset(
    {
        *("identify", "guilds", "guilds.members.read", "rpc.activities.write", "applications.commands"),
        "role_connections.write",
    }
)


@dataclass(slots=True)
class Instance:
    """One Activity, which all who open it in its channel share."""

    channel_id: int
    id: str = field(default_factory=lambda: f"i-{secrets.randbelow(10**18)}-gc")
    launch_id: str = field(default_factory=lambda: str(secrets.randbelow(10**18)))
    users: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Grant:
    """The permission that a person has given the application; a code is bound to the address that it was sent to."""

    user: int
    scopes: tuple[str, ...]
    until: float
    redirect: str | None = None


class Activities:
    """The running Activities, and the codes and tokens of OAuth2. `secret` is the application's client secret; people
    allow no scope that is `declined`. `figures` are those by which servers may give roles, and `connections` what the
    application has told of people."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.secret = secrets.token_urlsafe(24)
        self.declined: set[str] = set()
        self.figures: list[dict[str, Any]] = []
        self.connections: dict[int, dict[str, Any]] = {}
        self._now = now
        self._instances: dict[int, Instance] = {}  # by channel
        self._codes: dict[str, Grant] = {}
        self._tokens: dict[str, Grant] = {}
        self._refresh: dict[str, Grant] = {}

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

    def authorize(self, user: int, scopes: tuple[str, ...], redirect: str | None = None) -> str:
        """Returns the code of a new grant, good for one exchange with the same `redirect`."""
        return _keep(self._codes, Grant(user, scopes, self._now() + CODE_SECONDS, redirect))

    def exchange(self, code: str, redirect: str | None = None) -> tuple[str, Grant] | None:
        """Uses up a code; returns the token of its grant, or None for a code that is not good."""
        grant = self._codes.pop(code, None)
        if grant is None or grant.until <= self._now() or grant.redirect != redirect:
            return None
        return self.grant(grant.user, grant.scopes)

    def renew(self, refresh: str) -> tuple[str, Grant] | None:
        """Uses up a refresh token, so that another takes its place; returns a new token, or None."""
        grant = self._refresh.pop(refresh, None)
        return None if grant is None else self.grant(grant.user, grant.scopes)

    def refresh(self, grant: Grant) -> str:
        """Returns a refresh token of a grant."""
        return _keep(self._refresh, grant)

    def revoke(self, token: str) -> None:
        """Ends the grant of a token, with all tokens of its user."""
        grant = self._refresh.get(token) or self._tokens.get(token)
        if grant is not None:
            self.revoke_all(grant.user)

    def revoke_all(self, user: int) -> None:
        """Ends all that a person has granted, as they do under Authorized Apps; Discord forgets their figures."""
        for grants in (self._tokens, self._refresh):
            for each in [token for token, grant in grants.items() if grant.user == user]:
                del grants[each]
        self.connections.pop(user, None)

    def grant(self, user: int, scopes: tuple[str, ...]) -> tuple[str, Grant]:
        """Returns a new access token and its grant."""
        token = Grant(user, scopes, self._now() + TOKEN_SECONDS)
        return _keep(self._tokens, token), token

    def may_link(self, user: int) -> bool:
        """Returns whether a person has granted that the application tells Discord their figures."""
        return any(grant.user == user and "role_connections.write" in grant.scopes for grant in self._tokens.values())

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
