"""Notices to one player: their time runs short, or their match has lost its channel."""

from __future__ import annotations

import logging
from dataclasses import replace

import discord

from bot.features.match.board.message import BoardMessage, BoardRenderer
from bot.features.match.delivery.open_threads import OpenThreads
from bot.services.channels import ChannelMessenger
from bot.services.direct_messages import DirectMessages
from bot.services.discord_errors import REFUSING_DM, describe, is_final, send_plainest
from bot.services.locales import Locales
from bot.services.mentions import mentions_of
from bot.services.names import Names
from bot.services.web_links import WebLinks
from play.clock.reminder_step import ReminderStep
from play.ids import GuildId, UserId
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.people.settings import PlayerSettings, Reminders
from presentation.addresses import link
from presentation.text import escape
from storage import Database
from use_cases.worker import RetryLater, Undeliverable

log = logging.getLogger(__name__)


class Notices:
    """Sends notices by direct message, or in the channel of the match."""

    def __init__(
        self,
        store: Database,
        locales: Locales,
        names: Names,
        channels: ChannelMessenger,
        direct: DirectMessages,
        boards: BoardRenderer,
        opened: OpenThreads,
        links: WebLinks | None,
    ) -> None:
        self._store = store
        self._locales = locales
        self._names = names
        self._channels = channels
        self._direct = direct
        self._boards = boards
        self._opened = opened
        self._links = links

    async def deliver(self, match: Match, notice: Notice) -> None:
        """Delivers a notice, which of a match that is over is about notes. Raises Undeliverable if another try would
        fail, too."""
        if notice.kind is NoticeKind.NOTES:
            await self._report_notes(match, notice)
        elif not match.outcome:
            await (self._report_lost_channel if notice.kind is NoticeKind.LOST else self._remind)(match, notice)

    async def _remind(self, match: Match, notice: Notice) -> None:
        await self._opened.prepare_link(match)
        user, steps = notice.user, notice.steps
        once = nonce(match, notice.version, user, "r") + (f".{steps:x}" if steps not in (0, ReminderStep.MOST) else "")
        is_most = not steps or ReminderStep.MOST in steps
        async with self._store.read() as reader:
            person = await reader.people.get(user)
        if person.reminders is Reminders.DM:
            try:
                await self._remind_directly(match, user, is_most, once)
            except discord.HTTPException as error:
                if error.code in REFUSING_DM:
                    await self._move_reminders(match, person, once, is_most)
                    return
                if not is_final(error):
                    raise
            except RetryLater as paused:  # the clock does not wait
                log.warning("match %d, reminder in the channel: %s", match.id, paused)
            else:
                return
        try:
            await self._post(match, user, await self._reminder(match, user, match.guild, is_most), once)
        except Undeliverable:
            try:
                await self._remind_directly(match, user, is_most, once)
            except discord.HTTPException as error:
                raise _problem(error) from error

    async def _remind_directly(self, match: Match, user: UserId, is_most: bool, once: str) -> None:
        """Reminds by a direct message, in which the board's buttons work, too."""
        content = await self._reminder(match, user, None, is_most)
        board = await self._boards.render(match, await self._locales.for_user(user, match.guild), reader=user)

        async def send(form: BoardMessage) -> None:
            await self._direct.send(user, content=content, nonce=once, view=form.buttons, **form.pictures)

        await send_plainest(send, board.forms())

    async def _move_reminders(self, match: Match, person: PlayerSettings, once: str, is_most: bool) -> None:
        """Reminds in the channel, now and from now on, a player who accepts no direct messages."""
        words = await self._locales.for_match(match)
        content = await self._reminder(match, person.id, match.guild, is_most)
        await self._post(match, person.id, f"{content}\n-# {words('reminder.closed')}", once)
        async with self._store.write() as tx:
            await tx.people.save(replace(person, reminders=Reminders.CHANNEL))

    async def _reminder(self, match: Match, user: UserId, guild: GuildId | None, is_most: bool) -> str:
        """Returns the text for the match's channel on a server, or (without `guild`) for the player alone."""
        words = await (self._locales.for_match(match) if guild else self._locales.for_user(user, match.guild))
        deadline = match.clock.deadline
        assert deadline is not None, "a reminder has a deadline"
        async with self._store.read() as reader:
            board = next((entry.board for entry in await reader.matches.open_of(user) if entry.id == match.id), None)
        line = words(
            "reminder" if is_most else "reminder.step",
            player=f"<@{user}>",
            opponent=await self._opponents(match, user),
            when=words.until(deadline),
            url=link(match.guild, match.channel, board),
        )
        return f"{line} · {words('reminder.web', url=self._links.board(match.id))}" if self._links else line

    async def _post(self, match: Match, user: UserId, content: str, once: str) -> None:
        message = {"content": content, "allowed_mentions": mentions_of([user])}
        try:
            await self._channels.post(match.channel, lambda: message, once, guild=match.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def _report_lost_channel(self, match: Match, notice: Notice) -> None:
        words = await self._locales.for_user(notice.user, match.guild)
        deadline = match.clock.deadline
        clock, when = ("untimed", "") if deadline is None else ("timed", words.until(deadline))
        is_borrowed = match.guild is None or self._channels.is_user_install(match.channel)
        content = words(
            "lost.borrowed" if is_borrowed else f"lost.{clock}",
            opponent=await self._opponents(match, notice.user),
            when=when,
        )
        await self._send_if_possible(notice.user, content, nonce(match, notice.version, notice.user, "l"))

    async def _report_notes(self, match: Match, notice: Notice) -> None:
        words = await self._locales.for_user(notice.user, match.guild)
        content = words("notes.taken_off", opponent=await self._opponents(match, notice.user))
        await self._send_if_possible(notice.user, content, nonce(match, notice.version, notice.user, "n"))

    async def _send_if_possible(self, user: UserId, content: str, once: str) -> None:
        """Sends a direct message. Raises Undeliverable if the user accepts none."""
        try:
            await self._direct.send(user, content=content, nonce=once)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def _opponents(self, match: Match, user: UserId) -> str:
        others = [player for player in match.players if player != user]
        return escape(", ".join(await self._names.of_all(others, match.guild)))


def _problem(error: discord.HTTPException) -> Exception:
    """Returns Undeliverable for a refusal that is final, else RetryLater."""
    return (Undeliverable if is_final(error) else RetryLater)(describe(error))


def nonce(match: Match, version: int, user: UserId, kind: str) -> str:
    """Returns the nonce of a message to one player. Discord takes each only once, in whatever channel."""
    return f"{match.id}:{version}:{kind}{match.seat_of(user)}"
