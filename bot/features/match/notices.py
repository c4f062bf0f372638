"""What one player is told: that his time runs short, or that his match has lost its channel."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord

from bot.interactions.errors import is_final
from bot.request import link
from bot.services.channels import ChannelMessenger
from bot.services.locales import Locales
from bot.services.names import Names, escape
from bot.services.text_limits import fit
from play.match.events import Notice, NoticeKind
from play.people.settings import Reminders
from play.store import Store
from play.workers.outbox_relay import Undeliverable

if TYPE_CHECKING:
    from play.ids import GuildId, UserId
    from play.match.match import Match

log = logging.getLogger(__name__)

DM_REFUSED = 50007


class Notices:
    """Delivers them; see play.workers.outbox_relay.MatchPublisher."""

    def __init__(
        self, client: discord.Client, store: Store, locales: Locales, names: Names, channels: ChannelMessenger
    ) -> None:
        self._client = client
        self._store = store
        self._locales = locales
        self._names = names
        self._channels = channels

    async def deliver(self, match: Match, notice: Notice) -> None:
        """Raises Undeliverable for what no other try would bring there."""
        if match.outcome:
            return
        await (self._lost if notice.kind is NoticeKind.LOST else self._remind)(match, notice)

    async def write(self, user: UserId, content: str, once: str, **extras: Any) -> None:
        """Writes to a person directly. Raises discord.HTTPException."""
        channel = await self._client.create_dm(discord.Object(user))
        await channel.send(fit(content), nonce=once, **extras)

    async def _remind(self, match: Match, notice: Notice) -> None:
        async with self._store.read() as reader:
            person = await reader.people.get(notice.user)
        once = nonce(match, notice.version, notice.user, "r")
        closed = False
        if person.reminders is Reminders.DM:
            try:
                await self.write(notice.user, await self._reminder(match, notice.user, None), once)
                return
            except discord.HTTPException as error:
                if error.code != DM_REFUSED:
                    raise
                closed = True
        content = await self._reminder(match, notice.user, match.guild)
        if closed:
            words = await self._locales.for_guild(match.guild)
            content += f"\n-# {words('reminder.closed')}"
        try:
            await self._in_channel(match, notice.user, content, once)
        except Undeliverable:
            if closed:
                raise
            await self._alone(notice.user, await self._reminder(match, notice.user, None), once)
        if closed:
            async with self._store.write() as tx:
                await tx.people.save(replace(person, reminders=Reminders.CHANNEL))

    async def _reminder(self, match: Match, user: UserId, guild: GuildId | None) -> str:
        """For the match's channel, or (without `guild`) for the person alone."""
        locales, names = self._locales, self._names
        words = await (locales.for_guild(guild) if guild else locales.for_user(user, match.guild))
        others = [player for player in match.players if player != user]
        opponent = escape(", ".join(await names.of_all(others, match.guild)))
        deadline = match.clock.deadline
        assert deadline is not None, "a reminder has a deadline"
        async with self._store.read() as reader:
            board = next((entry.board for entry in await reader.matches.open_of(user) if entry.id == match.id), None)
        return words(
            "reminder",
            player=f"<@{user}>",
            opponent=opponent,
            when=f"<t:{deadline // 1000}:R>",
            url=link(match.guild, match.channel, board),
        )

    async def _in_channel(self, match: Match, user: UserId, content: str, once: str) -> None:
        mentions = discord.AllowedMentions(
            users=[discord.Object(user)], everyone=False, roles=False, replied_user=False
        )
        try:
            await self._channels.post(match.channel, lambda: {"content": content, "allowed_mentions": mentions}, once)
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(str(error)) from error
            raise

    async def _lost(self, match: Match, notice: Notice) -> None:
        words = await self._locales.for_user(notice.user, match.guild)
        others = [player for player in match.players if player != notice.user]
        opponent = escape(", ".join(await self._names.of_all(others, match.guild)))
        deadline = match.clock.deadline
        clock, when = ("untimed", "") if deadline is None else ("timed", f"<t:{deadline // 1000}:R>")
        is_borrowed = match.guild is None or self._channels.is_user_install(match.channel)
        content = words("lost.borrowed" if is_borrowed else f"lost.{clock}", opponent=opponent, when=when)
        await self._alone(notice.user, content, nonce(match, notice.version, notice.user, "l"))

    async def _alone(self, user: UserId, content: str, once: str) -> None:
        """Writes to a person directly, if that is possible at all."""
        try:
            await self.write(user, content, once)
        except discord.HTTPException as error:
            if is_final(error) or error.code == DM_REFUSED:
                raise Undeliverable(str(error)) from error
            raise


def nonce(match: Match, version: int, user: UserId, kind: str) -> str:
    """Discord posts a nonce once, whatever the channel, so each person has his own."""
    return f"{match.id}:{version}:{kind}{match.seat_of(user)}"
