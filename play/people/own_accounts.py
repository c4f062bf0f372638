"""A person's own accounts, one on each platform: they are joined by a code, which one gives and another takes."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Self

from play.codes import digest_of
from play.ids import MINUTE, Millis, UserId, platform_of
from play.refusal import Reason, Refused

CODE_MILLIS: Final = Millis(10 * MINUTE)
"""How long a code can be used."""

MAX_TRIES: Final = 5
"""Wrong letters after which a code is void. Beside the letters of its name it has 40 bits."""

_NAME: Final = 4


@dataclass(frozen=True, slots=True)
class LinkCode:
    """A code that `user` has asked for. `name` are the letters by which it is found; the others are not stored."""

    user: UserId
    name: str
    digest: str
    until: Millis
    tries: int = 0

    @classmethod
    def of(cls, user: UserId, letters: str, now: Millis) -> Self:
        """Returns what is stored of a new code."""
        return cls(user, name_of(letters), digest_of(letters), Millis(now + CODE_MILLIS))

    def holds(self, now: Millis) -> bool:
        """Returns whether it can be used still."""
        return now < self.until and self.tries < MAX_TRIES

    def fits(self, letters: str) -> bool:
        """Returns whether these are its letters."""
        return self.digest == digest_of(letters)


def name_of(letters: str) -> str:
    """Returns the letters by which a code is found."""
    return letters[:_NAME]


def check_can_join(one: Collection[UserId], other: Collection[UserId]) -> None:
    """Raises Refused (`own_link_code`, `linked_already`, `platform_taken`) unless the accounts of
    two may become those of one person."""
    if set(one) == set(other):
        raise Refused(Reason.OWN_LINK_CODE if len(set(one)) == 1 else Reason.LINKED_ALREADY)
    platforms = [platform_of(user) for user in (*one, *other)]
    if len(set(platforms)) < len(platforms):
        raise Refused(Reason.PLATFORM_TAKEN)
