"""The use cases of posts of open seats: a server chooses a channel for its own, and ends it."""

from play.community.news import channel_value, setting_changed
from play.community.seats_post import SeatsPost
from play.ids import ChannelId, GuildId, UserId
from play.posts import PostTrouble
from storage import Database
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import retry_on_conflict, undone_by


class SeatsPosts:
    """What managers of a server do with its post."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def of(self, guild: GuildId) -> SeatsPost | None:
        """Returns the post of a server."""
        async with self._store.read() as reader:
            return await reader.seats_posts.get(guild)

    async def trouble(self, post: SeatsPost) -> PostTrouble | None:
        """Returns what keeps the bot from posting; None if nothing does."""
        async with self._store.read() as reader:
            return await reader.kept_posts.trouble(post.post.key)

    @logged
    async def settle(self, guild: GuildId, channel: ChannelId, by: UserId) -> None:
        """Puts the post into a channel, where it is posted at once. Of its troubles `by` is told."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                before = await tx.seats_posts.get(guild)
                is_moved = before is None or before.channel != channel
                if before is not None and not is_moved and await tx.kept_posts.trouble(before.post.key) is None:
                    return
                await tx.seats_posts.move(guild, channel)
                await tx.kept_posts.place(SeatsPost(guild, channel).post.key, by)
                if is_moved:
                    former = None if before is None else before.channel
                    entry = setting_changed(by, "seats", channel_value(former), channel_value(channel))
                    await log_entry(tx, guild, entry)

        await retry_on_conflict(attempt)
        self._events.seeks_changed()
        self._events.news_added()

    @logged
    @undone_by("settle")
    async def stop(self, guild: GuildId, by: UserId | None = None) -> None:
        """Ends the post, `by` a manager or with the bot's stay; its message stays, as it was last."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                post = await tx.seats_posts.get(guild)
                if post is None:
                    return
                await tx.seats_posts.move(guild, None)
                if by is not None:
                    await log_entry(
                        tx, guild, setting_changed(by, "seats", channel_value(post.channel), channel_value(None))
                    )

        await retry_on_conflict(attempt)
        self._events.news_added()
