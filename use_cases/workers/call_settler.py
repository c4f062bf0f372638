"""The settler of calls: says in each message that has called a player what came of it."""

import logging
from typing import Final

from play.ids import DAY, MessageId, Millis
from storage import Database
from use_cases.worker import Timing, Undeliverable, Unsendable, Worker
from use_cases.workers.matchmaker import SeekDisplay

log = logging.getLogger(__name__)

SETTLE_MILLIS: Final = DAY
"""For so long a message is tried that the chat does not take; then it stays as it is, and its button tells the rest."""


class CallSettler(Worker[MessageId]):
    """Shows what came of calls. A key is the message of one."""

    def __init__(self, store: Database, display: SeekDisplay, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._display = display

    async def pending(self, limit: int) -> list[MessageId]:
        async with self._store.read() as reader:
            return await reader.seeks.answered_calls(limit)

    async def process(self, key: MessageId) -> None:
        async with self._store.read() as reader:
            call, now = await reader.seeks.call(key), await reader.clock.now()
        if call is None or call.at is None:
            return
        if now <= Millis(call.at + SETTLE_MILLIS):
            try:
                await self._display.settle(call)
            except (Undeliverable, Unsendable) as error:
                log.info("the call of search %d stays as it is: %s", call.seek, error)
        async with self._store.write() as tx:
            await tx.seeks.remove_call(key)
