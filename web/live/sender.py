"""What a message from a browser is about: who has sent it, its match, and the share of each in what draws for all."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from play.ids import MatchId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from web.bodies import Json
from web.presentation.readers import Audience

T = TypeVar("T")


class Sender(NamedTuple):
    """A user at an open board."""

    user: UserId
    match: MatchId
    audience: Audience

    def account_in(self, match: Match) -> UserId:
        """Returns the account for which the user acts: that of the side with which they vote, or their own."""
        seat = self.audience.seat
        return match.players[seat] if self.audience.votes and seat is not None else self.user


Handler = Callable[[Sender, Json], Awaitable[Json]]
"""Answers a message. Raises Refused and RuleError."""


class _Wish(NamedTuple):
    work: Callable[[], Awaitable[Any]]
    answer: asyncio.Future[Any]


class Shares:
    """One piece of work for each user at a time, on however many boards. Of those that wait the newest takes the place
    of the one before, since it is what its player wants to see now."""

    def __init__(self) -> None:
        self._serving: dict[UserId, asyncio.Task[None]] = {}
        self._waiting: dict[UserId, _Wish] = {}

    async def run(self, user: UserId, work: Callable[[], Awaitable[T]]) -> T:
        """Returns the result of `work`. Raises Refused (`overtaken`) if the user asks for more before it has begun.

        Threads cannot be stopped: work that has begun counts until it is done, even if no one waits for it any more.
        """
        wish = _Wish(work, asyncio.get_running_loop().create_future())
        if user in self._serving:
            older, self._waiting[user] = self._waiting.get(user), wish
            if older is not None and not older.answer.done():
                older.answer.set_exception(Refused(Reason.OVERTAKEN))
        else:
            self._serving[user] = asyncio.create_task(self._serve(user, wish))
        result: T = await wish.answer
        return result

    async def _serve(self, user: UserId, wish: _Wish | None) -> None:
        """Does the work of a user until there is none."""
        try:
            while wish is not None:
                if not wish.answer.done():
                    await _fulfil(wish)
                wish = self._waiting.pop(user, None)
        finally:
            del self._serving[user]
            for left in (wish, self._waiting.pop(user, None)):  # where the bot stops
                if left is not None:
                    left.answer.cancel()


async def _fulfil(wish: _Wish) -> None:
    try:
        result = await wish.work()
    except Exception as error:
        if not wish.answer.done():
            wish.answer.set_exception(error)
    else:
        if not wish.answer.done():
            wish.answer.set_result(result)
