"""The daily puzzle of a server, made once a day and posted."""

from __future__ import annotations

import asyncio

import discord
from cachetools import LRUCache

from bot.features.coach.daily_posts import theme_of
from bot.features.coach.quiz import exercise_picture
from bot.interactions import custom_ids as ids
from bot.interactions.context import Advisor, DailyPuzzle
from bot.interactions.layout import button, row
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.keyed_locks import KeyedLocks
from bot.services.locales import Locales
from bot.services.messages import fit
from bot.services.names import Names
from opponent import review as search
from play.community.exercise import Exercise
from play.community.puzzle import Puzzle, PuzzleId, puzzle_day
from play.community.streak import noon
from play.ids import ChannelId, GuildId, MessageId, Millis
from play.refusal import Reason, Refused
from presentation.markup import Stamp
from presentation.quiz import goal_text
from presentation.text import escape
from presentation.words.words import Words
from use_cases import UseCases
from use_cases.public_pages import Channels
from use_cases.puzzles import Puzzles

SEARCH_SECONDS = 60.0
"""Seconds to look for a puzzle in the matches of a server; then it has none on that day."""

MAX_NAMED = 15
"""Solvers that the message of a puzzle names."""

MAX_IN_VAIN = 10_000
"""Channels of which it is remembered that there was none."""


class PuzzlePoster:
    """Makes the puzzle of a server once, even if several ask at the same time, and posts it."""

    def __init__(
        self,
        directory: GuildDirectory,
        opened: Channels,
        use_cases: UseCases,
        puzzles: Puzzles,
        locales: Locales,
        names: Names,
        jobs: JobPool,
    ) -> None:
        self._directory = directory
        self._opened = opened
        self._store = use_cases.store
        self._matches = use_cases.matches
        self._puzzles = puzzles
        self._locales = locales
        self._names = names
        self._jobs = jobs
        self._locks = KeyedLocks[GuildId]()
        self._in_vain: LRUCache[tuple[GuildId, ChannelId], str] = LRUCache(MAX_IN_VAIN)
        """The day on which no match had a puzzle, by the place to post it."""

    async def daily_puzzle(
        self, guild: GuildId, channel: ChannelId, now: Millis, advisor: Advisor | None
    ) -> DailyPuzzle | None:
        """Returns today's puzzle, made if there was none yet; None where no match has one. Raises Refused."""
        async with self._locks.of(guild):
            puzzle = await self._puzzles.of(guild, now) or await self._make(guild, channel, now, advisor)
        try:
            return None if puzzle is None else await self._show(puzzle)
        except Refused as refused:
            if refused.key is Reason.NO_PUZZLE:
                return None
            raise

    async def post_puzzle(
        self, guild: GuildId, channel: ChannelId, now: Millis, advisor: Advisor | None
    ) -> Puzzle | None:
        """Returns today's puzzle, posted in `channel` if it is nowhere yet; None where no match has one.

        Raises Refused.
        """
        async with self._locks.of(guild):
            puzzle = await self._puzzles.of(guild, now) or await self._make(guild, channel, now, advisor)
            return puzzle if puzzle is None or puzzle.message is not None else await self._post(puzzle, channel)

    async def _make(self, guild: GuildId, channel: ChannelId, now: Millis, advisor: Advisor | None) -> Puzzle | None:
        """Makes a puzzle from a match that the readers of the channel can read; looks once a day for each channel."""
        if advisor is None or self._in_vain.get((guild, channel)) == puzzle_day(now):
            return None
        try:
            async with asyncio.timeout(SEARCH_SECONDS):
                found = await self._search(guild, channel, now, advisor)
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
            match = await self._matches.load(source)
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
        words, theme = await self._locales.for_guild(puzzle.guild), await theme_of(self._store, puzzle.guild)
        exercise = await self._puzzles.exercise(puzzle)
        name = f"kropka-puzzle-{exercise.id}"
        picture = await exercise_picture(self._jobs, puzzle.guild, exercise, name, words, theme)
        text = await puzzle_text(self._puzzles, self._names, puzzle, exercise, words, theme)
        opens = ids.PUZZLE_MOVES.go(puzzle=puzzle.id, code="", place="")
        play = button(opens, words("puzzle.play"), discord.ButtonStyle.primary, "🧩")
        return DailyPuzzle(puzzle, fit(text), picture, [play])


def puzzle_title(puzzle: Puzzle, words: Words) -> str:
    """Returns the day of a puzzle, and where it comes from."""
    key = "puzzle.head" if puzzle.exercise is None else "puzzle.head.exercise"
    return words(key, day=words.moment(noon(puzzle.day), Stamp.DATE))


async def puzzle_text(
    puzzles: Puzzles, names: Names, puzzle: Puzzle, exercise: Exercise, words: Words, theme: str
) -> str:
    """Returns what a server reads above the picture of a puzzle: what is asked, and who has solved it."""
    lines = [puzzle_title(puzzle, words), goal_text(exercise, words, theme)]
    solvers = [attempt.user for attempt in await puzzles.attempts(puzzle.id) if attempt.right and attempt.scored]
    if solvers:
        named = await names.of_all(solvers[:MAX_NAMED], puzzle.guild)
        lines.append(words("puzzle.solved", count=len(solvers), names=escape(", ".join(named))))
    return "\n".join(lines)
