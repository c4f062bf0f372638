"""The relay of the daily: posts it once a day where a server wants that, and lets the former post tell how it went."""

import logging
from typing import Protocol

from play.community.daily import DailyPlace, DailyPost, Recap, post_time
from play.community.puzzle import puzzle_day
from play.ids import GuildId, MessageId, Millis
from play.posts import PostProblem
from storage import Database
from use_cases.dailies import Dailies
from use_cases.post_keeper import PostKeeper
from use_cases.worker import Timing, Worker

log = logging.getLogger(__name__)

SWEPT_ROWS = 2000
"""Rows of each table that one look deletes at most: none of its locks lasts long."""


class DailyNotPosted(Exception):
    """The chat does not take the post where it belongs."""

    def __init__(self, trouble: PostProblem) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class DailyDisplay(Protocol):
    """Dailies in the chat; bot/ implements it. Posting the same twice makes one message."""

    async def post(self, post: DailyPost) -> MessageId:
        """Posts the daily of a day. Raises DailyNotPosted; anything else is tried again."""

    async def tell_recap(self, post: DailyPost, recap: Recap) -> None:
        """Lets the message of a post tell how its day went, if it is still there."""


class DailyRelay(Worker[GuildId]):
    """Posts the daily of each server when it is due. All that it does is stored first: a try after a kill goes on."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        dailies: Dailies,
        display: DailyDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing, concurrent=True)  # one hour is that of many servers
        self._store = store
        self._posts = posts
        self._dailies = dailies
        self._display = display
        self._swept = ""

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            due = await reader.dailies.due(now, limit)
        await self._sweep(now)
        return due

    async def _sweep(self, now: Millis) -> None:
        """Deletes what is long past, a part at each look until a day's is done."""
        if self._swept != puzzle_day(now) and not await self._dailies.sweep(now, SWEPT_ROWS):
            self._swept = puzzle_day(now)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            place, now = await reader.dailies.place(key), await reader.clock.now()
        if place is None or place.channel is None or place.due is None or place.due > now:
            return  # another process was faster, or a manager
        day = puzzle_day(now)
        if now < (due := post_time(day, place.hour, place.zone)):
            await self._note(place.due_at(due))
            return
        post = await self._dailies.announce(key, place.channel, now)
        if post.message is None:
            try:
                await self._dailies.mark_posted(post, await self._display.post(post))
            except DailyNotPosted as problem:
                await self._fail(place, problem.trouble, now)
                return
        await self._tell_recap(key, now)
        await self._note(place.posted(day), heals=True)

    async def _tell_recap(self, guild: GuildId, now: Millis) -> None:
        last = await self._dailies.last_post(guild, now)
        if last is None or last.recapped:
            return
        if last.message is not None:
            await self._display.tell_recap(last, await self._dailies.recap(guild, last.day))
        await self._dailies.mark_recapped(last)

    async def _fail(self, place: DailyPlace, trouble: PostProblem, now: Millis) -> None:
        is_over = await self._posts.fails(place.post, trouble, now)
        await self._note(place.ends() if is_over else place.fails(now))

    async def _note(self, place: DailyPlace, *, heals: bool = False) -> None:
        async with self._store.write() as tx:
            await tx.dailies.note_due(place)
            if heals:
                await tx.kept_posts.heal(place.post.key)
