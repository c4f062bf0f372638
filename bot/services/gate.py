"""The gate that every request passes before anything is done for it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.request import Request
from bot.services.intake import Intake
from bot.services.rate_limits import RateLimits
from play.ids import ChannelId, GuildId, UserId
from play.refusal import Reason, Refused


class Gate:
    """Open until the bot is told to stop; `clock` is in seconds."""

    def __init__(self, limits: RateLimits, intake: Intake, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._intake = intake
        self._clock = clock
        self._closing = False

    def close(self) -> None:
        """Refuses every request from now on: players shall come back in a moment."""
        self._closing = True
        self._intake.clear()

    def admit(self, request: Request) -> None:
        """Counts a request. Raises Refused (`closing`, `too_fast`, `server_too_fast`)."""
        self.admit_user(request.user, request.guild)

    def admit_user(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a request of a user, also one from a browser. Raises Refused, as `admit` does."""
        self._limits.count_request(user, guild, self._open_now())

    def admit_look(self, user: UserId) -> None:
        """Counts a look of a user at a turn in a browser. Raises Refused (`closing`, `too_fast`, `crowded`)."""
        if not self._limits.allows_suggestion(user, self._open_now()):
            raise Refused(Reason.TOO_FAST, count=1)
        if self._intake.is_crowded:
            raise Refused(Reason.CROWDED)

    @asynccontextmanager
    async def place(self, user: UserId, *, plays: bool) -> AsyncIterator[None]:
        """Holds a place for a deed of a user in a browser, which is timed when it has one: so its wait is lost time.

        Raises Refused (`crowded_move` for one that `plays` a move, `crowded`) where there is none in time.
        """
        async with self._intake.place(user, Reason.CROWDED_MOVE if plays else Reason.CROWDED) as waited:
            self._intake.lost.note_wait(user, waited)
            yield

    def admit_visit(self, network: int) -> None:
        """Counts a request from a network for a public page. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_visit(network, self._open_now())

    def admit_load(self, user: UserId) -> None:
        """Counts what a user opens in a browser. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_load(user, self._open_now())

    def admit_network(self, network: int) -> None:
        """Counts what one without a session asks for. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_network_load(network, self._open_now())

    def admit_entry(self, network: int, room: str) -> None:
        """Counts an attempt to enter a room. Raises Refused (`closing`, `entrance_busy`)."""
        self._limits.count_entry(network, room, self._open_now())

    def give_back_entry(self, network: int, room: str) -> None:
        """Takes the last attempt from a network back: it has not failed."""
        self._limits.give_back_entry(network, room)

    def count_import(self, request: Request) -> None:
        """Counts an imported record. Raises Refused (`too_many_imports`)."""
        self._limits.count_import(request.user, self._clock())

    def count_card(self, channel: ChannelId) -> None:
        """Counts a card, or the news of one, that is posted in a channel. Raises Refused (`too_many_cards`)."""
        self._limits.count_card(channel, self._clock())

    def count_code(self, request: Request) -> None:
        """Counts an invite code that a manager tries. Raises Refused (`too_many_codes`)."""
        self._limits.count_code(request.user, request.guild or 0, self._clock())

    def count_feedback(self, request: Request) -> None:
        """Counts feedback. Raises Refused (`too_much_feedback`)."""
        self._limits.count_feedback(request.user, self._clock())

    def allows_suggestion(self, request: Request) -> bool:
        """Returns whether a player who types gets suggestions."""
        return not self._closing and self._limits.allows_suggestion(request.user, self._clock())

    def _open_now(self) -> float:
        """Returns the time. Raises Refused (`closing`) once the gate is closed."""
        if self._closing:
            raise Refused(Reason.CLOSING)
        return self._clock()
