"""A person's own accounts, one on each platform: they are joined by a code, which one gives and another takes."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Self

from play.codes import Code, digest_of, name_of
from play.ids import MINUTE, Millis, UserId, platform_of
from play.refusal import Reason, Refused

CODE_MILLIS: Final = Millis(10 * MINUTE)
"""How long a code can be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCode(Code):
    """A code that `user` has asked for."""

    user: UserId

    @classmethod
    def of(cls, user: UserId, letters: str, now: Millis) -> Self:
        """Returns what is stored of a new code."""
        return cls(name_of(letters), digest_of(letters), Millis(now + CODE_MILLIS), user=user)


def check_can_join(one: Collection[UserId], other: Collection[UserId]) -> None:
    """Raises Refused (`own_link_code`, `linked_already`, `platform_taken`) unless the accounts of
    two may become those of one person."""
    if set(one) == set(other):
        raise Refused(Reason.OWN_LINK_CODE if len(set(one)) == 1 else Reason.LINKED_ALREADY)
    platforms = [platform_of(user) for user in (*one, *other)]
    if len(set(platforms)) < len(platforms):
        raise Refused(Reason.PLATFORM_TAKEN)
