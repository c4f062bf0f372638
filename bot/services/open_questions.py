"""What commands have asked their users to confirm, where a button's id has no room for it or grants too much."""

from typing import Final, NamedTuple

from play.ids import MINUTE, Millis, UserId
from play.refusal import Reason, Refused

MAX_OPEN: Final = 1000
"""Questions that are kept; the oldest make room."""

MAX_AGE_MILLIS: Final = 15 * MINUTE
"""A question is answered within 15 minutes, as long as Discord lets its message be changed. Rights may end later."""


class Asked(NamedTuple):
    """What a user was asked, and when."""

    user: UserId
    at: Millis
    what: object


class OpenQuestions:
    """Questions by number, in the memory of the process that asked them: after a restart, users repeat the command."""

    def __init__(self) -> None:
        self._open: dict[int, Asked] = {}

    def add(self, number: int, asked: Asked) -> None:
        """Keeps a question until it is answered."""
        self._open[number] = asked
        while len(self._open) > MAX_OPEN:
            del self._open[next(iter(self._open))]

    def take(self, number: int, user: UserId, at: Millis) -> object:
        """Returns what `user` was asked; the question is closed. Raises Refused (`old_button`) for any other one."""
        asked = self._open.get(number)
        if asked is None or asked.user != user or at - asked.at > MAX_AGE_MILLIS:
            raise Refused(Reason.OLD_BUTTON)
        return self._open.pop(number).what
