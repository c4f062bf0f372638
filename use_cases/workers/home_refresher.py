"""The refresher of homes: posts each server's home anew once a day, and edits it when something has changed."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from play.challenge.challenge import Challenge
from play.community.home import CAPPED_MILLIS, PING_MILLIS, Home, HomeContent, places_of
from play.ids import ChannelId, GuildId, MessageId, Millis
from play.posts import PostProblem
from play.refusal import Refused
from storage import Database
from storage.errors import Stale
from use_cases.homes import load_home_content
from use_cases.post_keeper import PostKeeper
from use_cases.public_pages import Channels
from use_cases.worker import RetryLater, Timing, Worker

log = logging.getLogger(__name__)


class HomeNotPosted(Exception):
    """The chat does not take the post where it belongs."""

    def __init__(self, trouble: PostProblem) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class HomeLost(Exception):
    """The message is gone: a member has deleted it."""


class EditsCapped(Exception):
    """The chat takes no more edits of old messages in this channel for some seconds (30046)."""


class HomeDisplay(Protocol):
    """Homes in the chat; bot/ implements it. Posting the same twice makes one message. All methods raise HomeNotPosted;
    anything else is tried again."""

    async def post(self, home: Home, content: HomeContent, now: Millis) -> MessageId:
        """Posts the home."""

    async def edit(self, home: Home, content: HomeContent, now: Millis) -> None:
        """Edits the home's message. Raises HomeLost and EditsCapped."""

    async def ping(self, home: Home, challenges: Sequence[Challenge]) -> MessageId | None:
        """Tells the home's role of challenges, in a message of its own; None if the role is gone."""

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        """Deletes a message; where that cannot be done, it takes its buttons off. Never raises HomeNotPosted."""


class HomeRefresher(Worker[GuildId]):
    """Keeps homes up to date.

    Changes are gathered in memory between two polls, and then make the homes of their servers due. So a server costs
    nothing while nothing happens in it, and thirty moves in a second cost one edit.
    """

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        display: HomeDisplay,
        channels: Channels,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing, concurrent=True)  # a new puzzle may take a minute, and mornings come together
        self._store = store
        self._posts = posts
        self._display = display
        self._channels = channels
        self._changed: set[GuildId] = set()

    def note_change(self, guild: GuildId | None) -> None:
        """Notes that the home of a server may be outdated; the next poll sees to it."""
        if guild is not None:
            self._changed.add(guild)

    async def pending(self, limit: int) -> list[GuildId]:
        changed, self._changed = self._changed, set()
        if changed:
            try:
                async with self._store.write() as tx:
                    await tx.homes.mark_changed(changed, await tx.clock.now())
            except Exception:
                self._changed |= changed
                raise
        async with self._store.read() as reader:
            return await reader.homes.due(await reader.clock.now(), limit)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            home, now = await reader.homes.get(key), await reader.clock.now()
        if home is None or home.due > now:
            return  # another process was faster
        try:
            content = await load_home_content(self._store, self._channels, home, now)
        except Refused as refused:
            raise RetryLater(str(refused)) from refused
        try:
            await self._keep(home, content, now)
        except Stale:
            log.info("home of server %d has changed meanwhile", key)
            self.wake()

    async def _keep(self, home: Home, content: HomeContent, now: Millis) -> None:
        """Brings the home up to date, and saves each step: what is posted is not posted again after a failure."""
        try:
            begins_day = home.begins_day(now)
            shown = await self._show(home, content, now)
            async with self._store.write() as tx:
                home = await tx.homes.save(shown)
                await tx.kept_posts.heal(home.post.key)
                if home.posted == now and begins_day:
                    await tx.homes.keep_places(home.guild, places_of(content.leaders))
            home = await self._tidy(home)
            if (told := await self._tell(home, content, now)) != home:
                await self._save(told)
        except HomeNotPosted as problem:
            await self._note_trouble(home, problem.trouble, now)

    async def _show(self, home: Home, content: HomeContent, now: Millis) -> Home:
        """Returns the home as it is posted now. Its due time is that of the next look, if nothing happens before."""
        if home.post_due <= now:
            return await self._post(home, content, now)
        if content.fingerprint == home.fingerprint:
            return replace(home, due=home.next_due(now))
        if now < home.edit_due:
            return replace(home, due=min(home.edit_due, home.next_due(now)))
        try:
            await self._display.edit(home, content, now)
        except HomeLost:
            return await self._post(replace(home, message=None), content, now)
        except EditsCapped:
            return replace(home, due=Millis(min(now + CAPPED_MILLIS, home.post_due)))
        edited = replace(home, edited=now, fingerprint=content.fingerprint)
        return replace(edited, due=edited.next_due(now))

    async def _post(self, home: Home, content: HomeContent, now: Millis) -> Home:
        message = await self._display.post(home, content, now)
        former = (home.message, home.channel) if home.message else (home.former, home.former_channel)
        posted = replace(
            home,
            message=message,
            former=former[0],
            former_channel=former[1],
            posts=home.posts + 1,
            posted=now,
            edited=now,
            fingerprint=content.fingerprint,
        )
        return replace(posted, due=posted.next_due(now))

    async def _tell(self, home: Home, content: HomeContent, now: Millis) -> Home:
        """Pings the role for challenges that it was not told of, and deletes an earlier ping after an hour."""
        is_over = home.pinged is None or now - home.pinged >= PING_MILLIS
        fresh = [challenge for challenge in content.challenges if challenge.id > home.announced]
        if home.ping is not None and is_over:
            await self._display.remove(home.channel, home.ping)
            home = replace(home, ping=None)
        if home.role is None or not fresh:
            return home
        if not is_over:
            assert home.pinged is not None
            return replace(home, due=min(home.due, Millis(home.pinged + PING_MILLIS)))
        told = await self._display.ping(home, fresh)
        if told is None:
            return replace(home, role=None)
        told_home = replace(home, ping=told, pinged=now, announced=max(challenge.id for challenge in fresh))
        return replace(told_home, due=min(home.due, Millis(now + PING_MILLIS)))

    async def _tidy(self, home: Home) -> Home:
        """Deletes the former message, once the new one is saved: after a crash in between, the next look does."""
        if home.former is None or home.former_channel is None:
            return home
        await self._display.remove(home.former_channel, home.former)
        return await self._save(replace(home, former=None, former_channel=None))

    async def _save(self, home: Home) -> Home:
        async with self._store.write() as tx:
            return await tx.homes.save(home)

    async def _note_trouble(self, home: Home, trouble: PostProblem, now: Millis) -> None:
        """Notes why the home cannot be posted; the settings show it."""
        is_over = await self._posts.fails(home.post, trouble, now)
        async with self._store.write() as tx:
            if is_over:
                await tx.homes.remove(home.guild)
            else:
                await tx.homes.save(home.fails(now))
