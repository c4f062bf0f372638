"""Posts, edits and removes home posts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.features.home.post import HomePost, role_mentions
from bot.interactions.context import Coach, DailyPuzzle
from bot.interactions.layout import Part, files, layout
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, describe
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.post_problems import problem_of
from bot.services.text_limits import fit
from play.challenge.challenge import Challenge
from play.community.home import Home, HomeContent
from play.community.streak import day_before
from play.ids import ChannelId, MessageId, Millis
from play.refusal import Refused
from use_cases.dailies import Dailies
from use_cases.worker import RetryLater
from use_cases.workers.home_refresher import EditsCapped, HomeLost, HomeNotPosted

log = logging.getLogger(__name__)


class HomePublisher:
    """Implements use_cases.workers.home_refresher.HomeDisplay."""

    def __init__(
        self,
        client: discord.Client,
        channels: ChannelMessenger,
        locales: Locales,
        names: Names,
        coach: Coach,
        dailies: Dailies,
    ) -> None:
        self._client = client
        self._channels = channels
        self._locales = locales
        self._post = HomePost(names)
        self._coach = coach
        self._dailies = dailies

    async def post(self, home: Home, content: HomeContent, now: Millis) -> MessageId:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        puzzle, message = await self._message(home, content, now)
        try:
            once = f"h{home.guild:x}:{home.posts:x}"
            posted = await self._channels.post(home.channel, lambda: message, once, guild=home.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error
        await self._note_puzzle(puzzle, home, posted)
        await self._note_daily(home, posted, now)
        return posted

    async def edit(self, home: Home, content: HomeContent, now: Millis) -> None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        assert home.message is not None, "what is edited was posted"
        puzzle, message = await self._message(home, content, now)
        try:
            await self._channels.edit(home.channel, home.message, view=message["view"], attachments=message["files"])
        except discord.HTTPException as error:
            if error.code == ErrorCode.UNKNOWN_MESSAGE:
                raise HomeLost from error
            if error.code == ErrorCode.TOO_MANY_OLD_EDITS:
                raise EditsCapped from error
            raise _problem(error) from error
        await self._note_puzzle(puzzle, home, home.message)
        await self._note_daily(home, home.message, now)

    async def ping(self, home: Home, challenges: Sequence[Challenge]) -> MessageId | None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        assert home.role is not None, "only a role is pinged"
        text = await self._post.ping_text(home, [*challenges], await self._locales.for_guild(home.guild))
        message = {"content": fit(text), "allowed_mentions": role_mentions(home.role)}
        try:
            roles = await self._client.http.get_roles(home.guild)
            if str(home.role) not in [role["id"] for role in roles]:
                return None
            once = f"hp:{challenges[0].id:x}"
            return await self._channels.post(home.channel, lambda: message, once, guild=home.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        try:
            await self._channels.delete(channel, message)
        except discord.NotFound:
            pass
        except discord.HTTPException as error:
            log.info("the former home %d stays, without its buttons: %s", message, error)
            with suppress(discord.HTTPException):
                await self._channels.edit(channel, message, view=layout(["-# …"]), attachments=[])

    async def _message(
        self, home: Home, content: HomeContent, now: Millis
    ) -> tuple[DailyPuzzle | None, dict[str, Any]]:
        words, puzzle = await self._locales.for_guild(home.guild), None
        try:
            if content.has_puzzle:
                puzzle = await self._coach.daily_puzzle(home.guild, home.channel, now)
        except Refused as refused:
            log.info("the home of server %d has no puzzle: %s", home.guild, refused)
        parts = await self._post.parts(home, content, await self._daily(home, content.day), puzzle, words, now)
        return puzzle, {"view": layout(parts), "files": files(parts)}

    async def _daily(self, home: Home, day: str) -> Sequence[Part]:
        """Returns today's daily, with the recap of yesterday; nothing where it has a channel of its own."""
        if (await self._dailies.place(home.guild)).channel is not None:
            return ()
        try:
            card = await self._coach.daily_card(home.guild, day)
        except Refused as refused:
            log.info("the home of server %d has no daily: %s", home.guild, refused)
            return ()
        recap = await self._dailies.recap(home.guild, day_before(day))
        told = [await self._coach.recap_text(home.guild, recap)] if recap.solvers else []
        return [card.text, card.file, card.buttons, *told]

    async def _note_daily(self, home: Home, message: MessageId, now: Millis) -> None:
        """Notes that the home shows today's daily, if it does: it tells of the day itself on the next one."""
        if (await self._dailies.place(home.guild)).channel is not None:
            return
        post = await self._dailies.announce(home.guild, home.channel, now)
        if post.message != message:
            await self._dailies.mark_posted(post, message)
            await self._dailies.mark_recapped(post)

    async def _note_puzzle(self, puzzle: DailyPuzzle | None, home: Home, message: MessageId) -> None:
        """Notes where the puzzle is, so that `/puzzle` links to it."""
        if puzzle is not None and puzzle.puzzle.message != message:
            await self._coach.mark_posted(puzzle.puzzle, home.channel, message)


def _problem(error: discord.HTTPException) -> Exception:
    """Returns why a message was refused, if another try soon would be in vain; else RetryLater."""
    problem = problem_of(error)
    return RetryLater(describe(error)) if problem is None else HomeNotPosted(problem)
