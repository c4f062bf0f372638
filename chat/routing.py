"""Routes what is published to the platform of its place, so that one process runs several side by side.

A platform that does not run in this process, though something of it is stored, is away: what is for it waits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from chat.port import ChatPlatform, Place
from play.challenge.challenge import Challenge
from play.community.daily import DailyPost, Recap
from play.community.seek import Seek, SeekCall
from play.competitions.arena import Arena, Follower
from play.ids import ChannelId, GuildId, MessageId, Millis, Platform, UserId, platform_of
from play.match.events import Notice
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from play.people.membership import Membership
from play.people.settings import PlayerSettings
from play.posts import KeptPost, PostProblem
from use_cases.channel_rights import Members, Rights
from use_cases.competitions.arena_posts import ArenaDisplay
from use_cases.own_accounts import AccountNotices
from use_cases.post_keeper import KeeperNotices
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.daily_relay import DailyDisplay
from use_cases.workers.digest_relay import DigestPublisher, Morning, Rejected
from use_cases.workers.matchmaker import Posted, SeekDisplay
from use_cases.workers.news_relay import Cards
from use_cases.workers.outbox_relay import MatchPublisher, MatchThreads

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Router(Generic[T]):
    """What serves each platform that runs here."""

    by_platform: dict[Platform, T]

    def of(self, id_: int) -> T:
        """Returns what serves the platform of a place or person. Raises RetryLater if that does not run here."""
        platform = platform_of(id_)
        if platform not in self.by_platform:
            raise RetryLater(f"{platform.name} does not run in this process")
        return self.by_platform[platform]


class RoutedPublisher(Router[MatchPublisher]):
    """Posts boards on the platform of their place, and tells players on their own."""

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        return await self.of(match.channel).announce(match, announcement)

    async def find_answer(self, match: Match) -> MessageId | None:
        return await self.of(match.channel).find_answer(match)

    async def notify(self, match: Match, notice: Notice) -> None:
        await self.of(notice.user).notify(match, notice)


class RoutedCards(Router[Cards]):
    """Redraws cards on the platform of their place."""

    async def redraw(self, challenge: Challenge) -> None:
        await self.of(challenge.channel).redraw(challenge)


class RoutedDigests(Router[DigestPublisher]):
    """Sends digests on the platform of their reader."""

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        try:
            publisher = self.of(settings.id)
        except RetryLater as away:
            raise Rejected(str(away)) from away
        await publisher.send(settings, morning, once)


class RoutedDailies(Router[DailyDisplay]):
    """Posts dailies on the platform of their place."""

    async def post(self, post: DailyPost) -> MessageId:
        return await self.of(post.channel).post(post)

    async def tell_recap(self, post: DailyPost, recap: Recap) -> None:
        await self.of(post.channel).tell_recap(post, recap)


class RoutedCalls(Router[SeekDisplay]):
    """Calls those who look for a stranger on the platform where they began."""

    async def call(self, seek: Seek, opponent: UserId) -> Sequence[Posted]:
        return await self.of(seek.channel).call(seek, opponent)

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        return await self.of(seek.channel).open_place(seek, opponent)

    async def settle(self, call: SeekCall) -> None:
        await self.of(call.channel).settle(call)


class RoutedArenas(Router[ArenaDisplay]):
    """Shows arenas on the platform of the channel that follows them."""

    async def show(self, follower: Follower, arena: Arena, now: Millis) -> MessageId:
        return await self.of(follower.channel).show(follower, arena, now)


class RoutedKeepers(Router[KeeperNotices]):
    """Tells keepers on the platform of the place that takes nothing any more."""

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        await self.of(post.guild).tell(post, problem)

    async def tell_ended(self, post: KeptPost) -> None:
        await self.of(post.guild).tell_ended(post)


class RoutedThreads(Router[MatchThreads]):
    """Opens the threads of matches on the platforms whose threads close by themselves: others need nothing."""

    async def keep_open(self, match: Match) -> bool:
        platform = platform_of(match.channel)
        return await self.by_platform[platform].keep_open(match) if platform in self.by_platform else True


class RoutedAccountNotices(Router[AccountNotices]):
    """Tells people on their platform what became of their accounts, if it runs here."""

    async def tell_joined(self, user: UserId, other: UserId) -> None:
        if (notices := self.by_platform.get(platform_of(user))) is not None:
            await notices.tell_joined(user, other)

    async def tell_parted(self, user: UserId, other: UserId) -> None:
        if (notices := self.by_platform.get(platform_of(user))) is not None:
            await notices.tell_parted(user, other)


class RoutedMembers(Router[Members]):
    """Asks the platform of a group for its members."""

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        return await self.of(guild).rights(guild, channel, user)

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        return await self.of(guild).membership(guild, user)

    async def is_there(self, channel: ChannelId) -> bool:
        return await self.of(channel).is_there(channel)

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        return await self.of(guild).left(guild, users)

    async def is_private_thread(self, channel: ChannelId) -> bool:
        return await self.of(channel).is_private_thread(channel)


class ChatMembers:
    """Implements use_cases.channel_rights.Members over a platform: who is in a place sees it and writes there."""

    def __init__(self, platform: ChatPlatform) -> None:
        self._platform = platform

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        """See use_cases.channel_rights.Members. None while the platform does not tell."""
        try:
            is_here = await self._platform.is_member(user, channel)
        except (RetryLater, Undeliverable):
            return None
        return Rights(sees=is_here, writes=is_here)

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        """See use_cases.channel_rights.Members. None while the platform does not tell."""
        channel = ChannelId(guild)
        try:
            if not await self._platform.is_member(user, channel):
                return None
            return Membership(hosts=await self._platform.may_manage(user, Place(channel, guild)))
        except (RetryLater, Undeliverable):
            return None

    async def is_there(self, channel: ChannelId) -> bool:
        return True

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        gone = set()
        for user in users:
            found = await self.rights(guild, ChannelId(guild), user)
            if found is not None and not found.sees:
                gone.add(user)
        return frozenset(gone)

    async def is_private_thread(self, channel: ChannelId) -> bool:
        return False
