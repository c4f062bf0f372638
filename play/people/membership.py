"""Who counts in what a server plays: one rule for its votes, contests and league.

Members and accounts have to be there before a thing begins, so that neither is brought in to decide it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from play.ids import DAY, GuildId, Millis, RoleId, UserId, creation_time
from play.refusal import Reason, Refused

MIN_ACCOUNT_AGE = Millis(7 * DAY)
"""Accounts cost nothing, so those that were made within the week before a thing take no part in it. Where a platform
doesn't tell when one was made, it counts from when we first saw it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A user as their platform describes them: a member of `guild` with these `roles` since `joined`. It may tell
    nothing of that, as outside of a server."""

    user: UserId
    guild: GuildId | None
    roles: frozenset[RoleId] = frozenset()
    joined: Millis | None = None


class Membership(NamedTuple):
    """A member in a server: their roles, whether they `host` what it plays, and why they may only read, if so."""

    roles: frozenset[RoleId] = frozenset()
    hosts: bool = False
    held_back: Reason | None = None


def check_member(member: Member, since: Millis) -> None:
    """Raises Refused if a member came too late to count in what began `since` then: `joined_too_late`,
    `account_too_new`."""
    if member.joined is None or member.joined >= since:
        raise Refused(Reason.JOINED_TOO_LATE)
    if is_young(member.user, since):
        raise Refused(Reason.ACCOUNT_TOO_NEW, count=MIN_ACCOUNT_AGE // DAY)


def is_young(user: UserId, at: Millis) -> bool:
    """Returns whether an account was made within the week before a moment."""
    return at - creation_time(user) < MIN_ACCOUNT_AGE
