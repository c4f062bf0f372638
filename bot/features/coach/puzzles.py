"""`/puzzle`: the daily puzzle of a server, answered by buttons."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from re import Match as Found
from typing import Any, Self

import discord

from bot.features.coach import pictures
from bot.features.match.board.emblems import colour_name, emblem
from bot.features.match.board.turn_text import turn_text
from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import MAX_LABEL, Item, row
from bot.interactions.context import Advisor, Context
from bot.interactions.pictures import picture_file
from bot.request import link
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.names import Names, escape
from bot.services.text_limits import fit
from opponent import puzzle as search
from opponent.review import replay_positions
from play.community.puzzle import Puzzle, PuzzleId, puzzle_day
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.services.matches import Matches
from play.services.puzzles import Puzzles
from play.store import Store
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.game import AnyPosition

MAX_NAMED = 15
"""Solvers that the message of a puzzle names."""


class PuzzleAnswer(GatedItem, discord.ui.DynamicItem[Item], template=r"puzzle:(?P<puzzle>\d{1,15}):(?P<answer>\d)"):
    """A button with one of the moves to choose from: `puzzle:12:0`."""

    def __init__(self, puzzle: PuzzleId, answer: int, label: str | None) -> None:
        label = label and label[:MAX_LABEL]
        super().__init__(discord.ui.Button(label=label, custom_id=f"puzzle:{puzzle}:{answer}"))
        self.puzzle = puzzle
        self.answer = answer

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(PuzzleId(int(match["puzzle"])), int(match["answer"]), item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _answer(ctx, self.puzzle, self.answer)


BUTTONS: tuple[type[PuzzleAnswer], ...] = (PuzzleAnswer,)


class PuzzlePoster:
    """Makes and posts the puzzle of a server once, even if several players ask at the same time."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        matches: Matches,
        puzzles: Puzzles,
        locales: Locales,
        names: Names,
        jobs: JobPool,
    ) -> None:
        self._client = client
        self._store = store
        self._matches = matches
        self._puzzles = puzzles
        self._locales = locales
        self._names = names
        self._jobs = jobs
        self._locks: defaultdict[GuildId, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def post_puzzle(
        self, guild: GuildId, channel: ChannelId, asker: UserId, now: Millis, advisor: Callable[[], Advisor]
    ) -> Puzzle:
        """Returns today's puzzle; makes it for `asker` and posts it in `channel` if there was none yet.

        Raises Refused.
        """
        async with self._locks[guild]:
            puzzle = await self._puzzles.of(guild, now) or await self._make(guild, now, advisor())
            return puzzle if puzzle.message is not None else await self._post(puzzle, channel, asker)

    async def _make(self, guild: GuildId, now: Millis, advisor: Advisor) -> Puzzle:
        for source in await self._puzzles.sources(guild):
            match = await self._matches.load(source)
            found = await search.find_puzzle(match.game, match.seed, [move.text for move in match.moves], advisor.help)
            if found:
                day, answers, line = puzzle_day(now), found.answers, found.line
                return await self._puzzles.add(
                    Puzzle(PuzzleId(0), guild, day, source, found.number, answers, line, found.captures)
                )
        raise Refused(Reason.NO_PUZZLE_TODAY)

    async def _post(self, puzzle: Puzzle, channel: ChannelId, asker: UserId) -> Puzzle:
        _, before = await _position(self._matches, puzzle)
        words = await self._locales.for_guild(puzzle.guild)
        theme = await _theme_of(self._store, puzzle.guild)
        png = await self._jobs.pictures.make(asker, draw, before.picture(), None, THEMES.get(theme, PAPER))
        alt = words("puzzle.alt", colour=colour_name(theme, before.to_act, words))
        message = await self._client.get_partial_messageable(channel).send(
            fit(await _text(self._puzzles, self._names, puzzle, before, words, theme)),
            file=picture_file(png, f"kropka-puzzle-{puzzle.id}", alt),
            view=row(*(PuzzleAnswer(puzzle.id, number, move) for number, move in enumerate(puzzle.answers))),
            nonce=f"puzzle:{puzzle.id}",
        )
        return await self._puzzles.mark_posted(puzzle, channel, MessageId(message.id))


async def show_puzzle(ctx: Context) -> None:
    """Links to today's puzzle, and lists the best solvers. The interaction is acknowledged. Raises Refused."""
    if ctx.guild is None:
        raise Refused(Reason.PUZZLE_IN_DM)
    permissions.require_bot_installed(ctx)
    words = await ctx.words()
    with ctx.services.jobs.one_at_a_time(ctx.user):
        puzzle = await ctx.services.coach.post_puzzle(ctx.guild, ctx.channel, ctx.user, ctx.at)
    lines = [words("puzzle.here", url=link(puzzle.guild, puzzle.channel or ctx.channel, puzzle.message))]
    table = await ctx.services.coach.puzzles.table(ctx.guild)
    if table:
        names = await ctx.services.names.of_all([solver.user for solver in table], ctx.guild)
        lines.append(words("puzzle.table"))
        lines += [
            words("puzzle.solver", place=place, name=escape(name), solved=solver.solved, tried=solver.tried)
            for place, (solver, name) in enumerate(zip(table, names, strict=True), start=1)
        ]
    await ctx.reply("\n".join(lines))


async def _answer(ctx: Context, id: PuzzleId, answer: int) -> None:  # noqa: A002 - the field's name
    words = await ctx.words()
    puzzle = await ctx.services.coach.puzzles.get(id)
    if puzzle.guild != permissions.installed_guild(ctx):
        raise Refused(Reason.NO_PUZZLE)  # its message names its solvers
    attempt = await ctx.services.coach.puzzles.answer(id, ctx.user, answer, ctx.at)
    match, before = await _position(ctx.services.matches, puzzle)
    theme = (await ctx.settings()).theme
    chosen = puzzle.answers[answer]
    picture = pictures.better_turn(match.game, before, puzzle.solution, None if attempt.right else chosen)
    png = await ctx.services.jobs.pictures.make(ctx.user, pictures.draw_part, picture, theme)
    solution = turn_text(match.game, puzzle.solution[0], words)
    verdict = words("puzzle.right") if attempt.right else words("puzzle.wrong", better=solution)
    answer_text = f"{verdict} {pictures.gain_text(match.game, puzzle.captures, puzzle.solution, words)}"
    alt = words("puzzle.solution.alt", better=solution)
    if attempt.right:
        here = await ctx.services.locales.for_guild(puzzle.guild)
        public = await _theme_of(ctx.services.store, puzzle.guild)
        await ctx.interaction.edit_original_response(
            content=fit(await _text(ctx.services.coach.puzzles, ctx.services.names, puzzle, before, here, public))
        )
    await ctx.reply(answer_text, file=picture_file(png, f"kropka-puzzle-{puzzle.id}-solution", alt))


async def _theme_of(store: Store, guild: GuildId) -> str:
    """Returns the look of a server's boards."""
    async with store.read() as reader:
        return (await reader.servers.get(guild)).theme


async def _text(puzzles: Puzzles, names: Names, puzzle: Puzzle, before: AnyPosition, words: Words, theme: str) -> str:
    """Returns the text of a puzzle's message, with its solvers, in the colours of its picture."""
    lines = [
        words("puzzle.head", day=f"<t:{_noon(puzzle.day)}:D>"),
        words("puzzle.task", emblem=emblem(theme, before.to_act), colour=colour_name(theme, before.to_act, words)),
    ]
    solvers = [attempt.user for attempt in await puzzles.attempts(puzzle.id) if attempt.right]
    if solvers:
        named = await names.of_all(solvers[:MAX_NAMED], puzzle.guild)
        lines.append(words("puzzle.solved", count=len(solvers), names=escape(", ".join(named))))
    return "\n".join(lines)


def _noon(day: str) -> int:
    """Returns noon of that day in seconds, which Discord writes in each reader's way."""
    return int(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC).timestamp())


async def _position(matches: Matches, puzzle: Puzzle) -> tuple[Match, AnyPosition]:
    """Returns the match that a puzzle comes from, and its position."""
    match = await matches.load(puzzle.match)
    moves = [move.text for move in match.moves[: puzzle.number - 1]]
    return match, replay_positions(match.game, match.seed, moves)[-1]
