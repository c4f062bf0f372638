"""The posts of the daily: a card with its first board, which tells the next morning how the day went."""

from __future__ import annotations

import logging
from datetime import date
from typing import Any

import discord

from bot.features.coach.daily import OpenDaily
from bot.features.coach.quiz import exercise_picture
from bot.interactions.context import DailyCard
from bot.interactions.layout import row
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import describe, is_about_rights, is_final, problem_of
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.messages import fit
from bot.services.names import Names
from play.community.daily import DailyPost, Recap
from play.ids import GuildId, MessageId
from presentation.daily import recap_lines, title_text
from presentation.text import escape
from storage import Database
from use_cases.dailies import Dailies
from use_cases.worker import RetryLater
from use_cases.workers.daily_relay import DailyNotPosted

log = logging.getLogger(__name__)


class DailyCards:
    """Makes what a server reads of the daily, in its words and its look."""

    def __init__(self, store: Database, dailies: Dailies, locales: Locales, names: Names, jobs: JobPool) -> None:
        self._store = store
        self._dailies = dailies
        self._locales = locales
        self._names = names
        self._jobs = jobs

    async def card(self, guild: GuildId, day: str) -> DailyCard:
        """Returns the daily of a day with its first board. Raises Refused where that cannot be drawn."""
        words, theme = await self._locales.for_guild(guild), await theme_of(self._store, guild)
        exercise = self._dailies.exercise(day, 0)
        file = await exercise_picture(self._jobs, guild, exercise, f"kropka-daily-{day}", words, theme)
        text = f"{title_text(day, words)}\n{words('daily.about')}"
        return DailyCard(fit(text), file, [OpenDaily.make(words("daily.play"))])

    async def recap_text(self, guild: GuildId, recap: Recap) -> str:
        """Returns how a day went on a server."""
        words = await self._locales.for_guild(guild)
        fastest = "" if recap.fastest is None else escape(await self._names.of(recap.fastest, guild))
        return fit("\n".join([title_text(recap.day, words), *recap_lines(recap, fastest, words)]))


class DailyPosts:
    """Implements use_cases.workers.daily_relay.DailyDisplay."""

    def __init__(self, channels: ChannelMessenger, cards: DailyCards) -> None:
        self._channels = channels
        self._cards = cards

    async def post(self, post: DailyPost) -> MessageId:
        """See use_cases.workers.daily_relay.DailyDisplay."""
        card = await self._cards.card(post.guild, post.day)
        once = f"d{post.guild:x}:{date.fromisoformat(post.day).toordinal():x}"

        def message() -> dict[str, Any]:
            return {"content": card.text, "file": card.file, "view": row(*card.buttons)}

        try:
            return await self._channels.post(post.channel, message, once, guild=post.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def tell_recap(self, post: DailyPost, recap: Recap) -> None:
        """See use_cases.workers.daily_relay.DailyDisplay."""
        assert post.message is not None, "only what was posted is recapped"
        text = await self._cards.recap_text(post.guild, recap)
        try:
            await self._channels.edit(post.channel, post.message, content=text)
        except discord.HTTPException as error:
            if not (is_final(error) or is_about_rights(error)):
                raise RetryLater(describe(error)) from error
            log.info("the daily of %s on server %d has no recap: %s", post.day, post.guild, describe(error))


async def theme_of(store: Database, guild: GuildId) -> str:
    """Returns the look of a server's boards."""
    async with store.read() as reader:
        return (await reader.servers.get(guild)).theme


def _problem(error: discord.HTTPException) -> Exception:
    """Returns why a post was refused, if another try soon would be in vain; else RetryLater."""
    problem = problem_of(error)
    return RetryLater(describe(error)) if problem is None else DailyNotPosted(problem)
