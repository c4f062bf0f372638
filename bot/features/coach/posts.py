"""Puzzles in channels: the daily, which tells the next morning how its day went, and the puzzle of a server."""

import asyncio
import logging
from datetime import date
from typing import Any

import discord
from cachetools import LRUCache

from bot.features.coach.computer import Computer
from bot.features.coach.puzzles import OpenDaily
from bot.features.coach.quiz import exercise_picture
from bot.interactions import custom_ids as ids
from bot.interactions.context import Advisor, DailyCard, DailyPuzzle
from bot.interactions.layout import button, row
from bot.markup import escape
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import describe, is_about_rights, is_final, problem_of
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.messages import fit
from bot.services.names import Names
from opponent import review as search
from play.community.daily import DailyPost, Recap
from play.community.exercise import Exercise
from play.community.puzzle import Puzzle, PuzzleId, puzzle_day
from play.ids import ChannelId, GuildId, MessageId, Millis
from play.refusal import Reason, Refused
from presentation.daily import recap_lines, title_text
from presentation.exercises import goal_text
from presentation.quiz import puzzle_title
from presentation.words.words import Words
from use_cases import UseCases
from use_cases.keyed_locks import KeyedLocks
from use_cases.public_pages import Channels
from use_cases.worker import RetryLater
from use_cases.workers.daily_relay import DailyNotPosted

log = logging.getLogger(__name__)

SEARCH_SECONDS = 60.0
"""Seconds to look for a puzzle in the matches of a server; then it has none on that day."""

MAX_NAMED = 15
"""Solvers that the message of a puzzle names."""

MAX_IN_VAIN = 10_000
"""Channels of which it is remembered that there was none."""


class PuzzlePosts:
    """The implementation of bot.interactions.context.PuzzlePosts, and of use_cases.workers.daily_relay.DailyDisplay.

    The puzzle of a server is made once, even if several ask at the same time.
    """

    def __init__(
        self,
        directory: GuildDirectory,
        channels: ChannelMessenger,
        opened: Channels,
        use_cases: UseCases,
        locales: Locales,
        names: Names,
        jobs: JobPool,
        computer: Computer | None,
    ) -> None:
        self._directory = directory
        self._channels = channels
        self._opened = opened
        self._use_cases = use_cases
        self._store, self._puzzles = use_cases.store, use_cases.puzzles
        self._locales = locales
        self._names = names
        self._jobs = jobs
        self._computer = computer
        self._locks = KeyedLocks[GuildId]()
        self._in_vain: LRUCache[tuple[GuildId, ChannelId], str] = LRUCache(MAX_IN_VAIN)
        """The day on which no match had a puzzle, by the place to post it."""

    async def daily_card(self, guild: GuildId, day: str) -> DailyCard:
        """Returns the daily of a day with its first board. Raises Refused where that cannot be drawn."""
        words, theme = await self._look(guild)
        exercise = self._use_cases.dailies.exercise(day, 0)
        file = await exercise_picture(self._jobs, guild, exercise, f"kropka-daily-{day}", words, theme)
        text = f"{title_text(day, words)}\n{words('daily.about')}"
        return DailyCard(fit(text), file, [OpenDaily.make(words("daily.play"))])

    async def recap_text(self, guild: GuildId, recap: Recap) -> str:
        """Returns how the daily of a day went on a server."""
        words = await self._locales.for_guild(guild)
        fastest = "" if recap.fastest is None else escape(await self._names.of(recap.fastest, guild))
        return fit("\n".join([title_text(recap.day, words), *recap_lines(recap, fastest, words)]))

    async def post(self, post: DailyPost) -> MessageId:
        """See use_cases.workers.daily_relay.DailyDisplay."""
        card = await self.daily_card(post.guild, post.day)
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
        text = await self.recap_text(post.guild, recap)
        try:
            await self._channels.edit(post.channel, post.message, content=text)
        except discord.HTTPException as error:
            if not (is_final(error) or is_about_rights(error)):
                raise RetryLater(describe(error)) from error
            log.info("the daily of %s on server %d has no recap: %s", post.day, post.guild, describe(error))

    async def daily_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> DailyPuzzle | None:
        """Returns today's puzzle: the next one that hosts have made, or one from a match; None where there is none.
        Raises Refused."""
        async with self._locks.of(guild):
            puzzle = await self._today(guild, channel, now)
        try:
            return None if puzzle is None else await self._show(puzzle)
        except Refused as refused:
            if refused.key is Reason.NO_PUZZLE:
                return None
            raise

    async def post_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> Puzzle | None:
        """Returns today's puzzle, posted in `channel` if it is nowhere yet; None where no match has one.

        Raises Refused.
        """
        async with self._locks.of(guild):
            puzzle = await self._today(guild, channel, now)
            return puzzle if puzzle is None or puzzle.message is not None else await self._post(puzzle, channel)

    async def _today(self, guild: GuildId, channel: ChannelId, now: Millis) -> Puzzle | None:
        """Returns today's puzzle: one that hosts have made comes before one from a match."""
        known = await self._puzzles.of(guild, now) or await self._puzzles.take_made(guild, now)
        return known or await self._make(guild, channel, now)

    async def _make(self, guild: GuildId, channel: ChannelId, now: Millis) -> Puzzle | None:
        """Makes a puzzle from a match that the readers of the channel can read; looks once a day for each channel."""
        if self._computer is None or self._in_vain.get((guild, channel)) == puzzle_day(now):
            return None
        try:
            async with asyncio.timeout(SEARCH_SECONDS):
                found = await self._search(guild, channel, now, self._computer.helper(guild))
        except TimeoutError:
            found = None
        except Refused as refused:
            if refused.key is not Reason.COMPUTER_BUSY:
                raise
            return None
        if found is None:
            self._in_vain[guild, channel] = puzzle_day(now)
            return None
        return await self._puzzles.add(found)

    async def _search(self, guild: GuildId, channel: ChannelId, now: Millis, advisor: Advisor) -> Puzzle | None:
        for source in await self._puzzles.sources(guild):
            match = await self._use_cases.matches.load(source)
            if not await self._opened.shows(guild, channel, match.parent or match.channel):
                continue
            moves = [move.text for move in match.moves]
            found = await search.find_puzzle(match.game, match.seed, moves, advisor.help, advisor.look)
            if found:
                place = PuzzleId(0), guild, puzzle_day(now), source, found.number
                return Puzzle(*place, found.answers, found.line, found.captures)
        return None

    async def _post(self, puzzle: Puzzle, channel: ChannelId) -> Puzzle:
        shown = await self._show(puzzle)
        there = await self._directory.messageable(puzzle.guild, channel)
        message = await there.send(
            fit(shown.text), file=shown.file, view=row(*shown.buttons), nonce=f"puzzle:{puzzle.id}"
        )
        return await self._puzzles.mark_posted(puzzle, channel, MessageId(message.id))

    async def _show(self, puzzle: Puzzle) -> DailyPuzzle:
        words, theme = await self._look(puzzle.guild)
        exercise = await self._puzzles.exercise(puzzle)
        name = f"kropka-puzzle-{exercise.id}"
        picture = await exercise_picture(self._jobs, puzzle.guild, exercise, name, words, theme)
        opens = ids.PUZZLE_MOVES.go(puzzle=puzzle.id, code="", place="")
        play = button(opens, words("puzzle.play"), discord.ButtonStyle.primary, "🧩")
        return DailyPuzzle(puzzle, await self._text(puzzle, exercise, words, theme), picture, [play])

    async def _text(self, puzzle: Puzzle, exercise: Exercise, words: Words, theme: str) -> str:
        """Returns what a server reads above the picture of a puzzle: what is asked, and who has solved it."""
        lines = [puzzle_title(puzzle, words), goal_text(exercise, words, theme)]
        attempts = await self._puzzles.attempts(puzzle.id)
        solvers = [attempt.user for attempt in attempts if attempt.right and attempt.scored]
        if solvers:
            named = await self._names.of_all(solvers[:MAX_NAMED], puzzle.guild)
            lines.append(words("puzzle.solved", count=len(solvers), names=escape(", ".join(named))))
        return fit("\n".join(lines))

    async def name_solvers(self, puzzle: Puzzle) -> None:
        """Names in the post of a puzzle who has solved it; a home is written anew by its worker."""
        async with self._store.read() as reader:
            home = await reader.homes.get(puzzle.guild)
        if puzzle.channel is None or puzzle.message is None or (home is not None and home.message == puzzle.message):
            return
        words, theme = await self._look(puzzle.guild)
        text = await self._text(puzzle, await self._puzzles.exercise(puzzle), words, theme)
        try:
            await self._channels.edit(puzzle.channel, puzzle.message, content=text)
        except discord.HTTPException as error:
            log.info("the puzzle %d does not name who has solved it: %s", puzzle.id, error)

    async def _look(self, guild: GuildId) -> tuple[Words, str]:
        """Returns the words and the theme of a server's posts."""
        async with self._store.read() as reader:
            return await self._locales.for_guild(guild), (await reader.servers.get(guild)).theme


def _problem(error: discord.HTTPException) -> Exception:
    """Returns why a post was refused, if another try soon would be in vain; else RetryLater."""
    problem = problem_of(error)
    return RetryLater(describe(error)) if problem is None else DailyNotPosted(problem)
