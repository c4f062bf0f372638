"""Brings boards and notices to a chat platform: implements the port of the outbox relay."""

from __future__ import annotations

import logging
from dataclasses import replace

from chat.boards import board_message
from chat.messages import Message
from chat.notices import Notices
from chat.pings import pinged_seats
from chat.port import Once
from chat.services import Services
from play.ids import MessageId
from play.match.events import Notice
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from presentation.match.match_view import MatchView
from presentation.match.narration import Narration
from rules.game import Seat
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)


class ChatPublisher:
    """Implements use_cases.workers.outbox_relay.MatchPublisher over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform
        self._notices = Notices(services)

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        """See use_cases.workers.outbox_relay.MatchPublisher."""
        services = self._services
        words = await services.locales.for_match(match)
        async with services.store.read() as reader:
            now = await reader.clock.now()
        shown = match if match.events else match.begin_clock(now)  # the first turn begins with its board
        view, message = await board_message(services, shown, words, before=announcement.before)
        seats = await pinged_seats(services.store, view, last=announcement.last)
        message = replace(message, pinged=tuple(match.players[seat] for seat in seats))
        if self._platform.promises.once is Once.EDIT and announcement.previous is not None:
            return await self._renew(match, announcement.previous, message, view, seats)
        posted = await self._post(match, message)
        if announcement.previous is not None and announcement.previous != posted:
            await self._fold(match, announcement.previous)
        return posted

    async def find_answer(self, match: Match) -> MessageId | None:
        """Returns None: no answer to a press brings a board here."""
        return None

    async def notify(self, match: Match, notice: Notice) -> None:
        """See use_cases.workers.outbox_relay.MatchPublisher."""
        await self._notices.deliver(match, notice)

    async def _post(self, match: Match, message: Message) -> MessageId:
        return await self._platform.post(match.channel, message, f"b{match.id:x}.{match.version:x}.{match.channel:x}")

    async def _renew(
        self, match: Match, board: MessageId, message: Message, view: MatchView, seats: list[Seat]
    ) -> MessageId:
        """Shows the version in the one message of the game, and calls who is to act by a short reply to it, since an
        edit calls nobody. A message that is gone, or too old to be edited, is replaced."""
        try:
            await self._platform.edit(match.channel, board, message)
        except (Undeliverable, Unsendable) as gone:
            log.info("match %d gets another board: %s", match.id, gone)
            return await self._post(match, message)
        if seats:
            call = Message(_call(view), pinged=message.pinged)
            once = f"p{match.id:x}.{match.version:x}.{match.channel:x}"
            await self._platform.post(match.channel, call, once, reply_to=board)
        return board

    async def _fold(self, match: Match, board: MessageId) -> None:
        """Takes the buttons off an older board; they answer that they are out of date if that fails."""
        try:
            await self._platform.fold(match.channel, board)
        except (RetryLater, Undeliverable, Unsendable) as error:
            log.info("match %d keeps the buttons of an older board: %s", match.id, error)


def _call(view: MatchView) -> str:
    """Returns the line that calls the players of a version, or that tells them how the game has ended."""
    told = Narration(view.match, view.words, view.gains, view.now, view.theme, view.names, vote=view.vote)
    return told.result if view.match.outcome else f"{told.story}\n{told.lines[0]}"
