"""`/puzzle`: the daily puzzle of a server, answered by buttons."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import UTC, datetime
from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.coach import pictures
from bot.features.match.board.emblems import EMBLEMS
from bot.features.match.turn.play import person
from bot.interactions import permissions
from bot.interactions.admission import Gated
from bot.interactions.buttons import LONGEST_LABEL, Item, row
from bot.interactions.responses import acknowledge_quietly, privately
from bot.request import Request, link
from bot.services.names import escaped
from bot.services.text_limits import fitted
from opponent.puzzle import puzzle as made_from
from opponent.review import replayed
from play.community.puzzle import Puzzle, PuzzleId, day_of
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from renderer.board import draw
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words
    from play.match.match import Match
    from rules.game import AnyPosition

NAMED = 15
"""Solvers that are named under a puzzle."""


class Answer(Gated, discord.ui.DynamicItem[Item], template=r"puzzle:(?P<puzzle>\d{1,15}):(?P<answer>\d)"):
    """A move to choose: `puzzle:12:0`."""

    def __init__(self, puzzle: PuzzleId, answer: int, label: str | None) -> None:
        label = label and label[:LONGEST_LABEL]
        super().__init__(discord.ui.Button(label=label, custom_id=f"puzzle:{puzzle}:{answer}"))
        self.puzzle = puzzle
        self.answer = answer

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(PuzzleId(int(match["puzzle"])), int(match["answer"]), item.label)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await _answered(interaction, self.puzzle, self.answer)


BUTTONS: tuple[type[Answer], ...] = (Answer,)


class Puzzlers:
    """Looks for the puzzle of a server once, however many ask for it."""

    def __init__(self, client: Kropka) -> None:
        self._client = client
        self._looking: defaultdict[GuildId, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def posted(self, guild: GuildId, channel: ChannelId, asker: UserId, now: Millis) -> Puzzle:
        """Today's puzzle; if there was none yet, it is found for `asker` and posted in `channel`. Raises Refused."""
        client = self._client
        async with self._looking[guild]:
            puzzle = await client.teacher.puzzles.of(guild, now) or await self._found(guild, now)
            if puzzle.message is None:
                _, before = await _position(client, puzzle)
                words = await client.audience.server(guild)
                async with client.store.read() as reader:
                    theme = (await reader.server(guild)).theme
                png = await client.lane.pictures.make(asker, draw, before.picture(), None, THEMES.get(theme, PAPER))
                alt = words("puzzle.alt", colour=words(f"colour.{before.to_act}"))
                message = await client.get_partial_messageable(channel).send(
                    fitted(await _told(client, puzzle, before, words)),
                    file=pictures.file(png, f"kropka-puzzle-{puzzle.id}", alt),
                    view=row(*(Answer(puzzle.id, number, move) for number, move in enumerate(puzzle.answers))),
                    nonce=f"puzzle:{puzzle.id}",
                )
                puzzle = await client.teacher.puzzles.posted(puzzle, channel, MessageId(message.id))
        return puzzle

    async def _found(self, guild: GuildId, now: Millis) -> Puzzle:
        client, computer = self._client, self._client.teacher.helper()
        for source in await client.teacher.puzzles.sources(guild):
            match = await client.matches.load(source)
            found = await made_from(match.game, match.seed, [move.text for move in match.moves], computer.help)
            if found:
                new = Puzzle(
                    PuzzleId(0), guild, day_of(now), source, found.number, found.answers, found.line, found.captures
                )
                return await client.teacher.puzzles.add(new)
        raise Refused(Reason.NO_PUZZLE_TODAY)


async def puzzled(interaction: Interaction) -> None:
    """Shows the way to today's puzzle, and who has solved most. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    if request.guild is None:
        raise Refused(Reason.PUZZLE_IN_DM)
    permissions.home(interaction)
    words = await client.audience.alone(interaction)
    with client.lane.alone(request.user):
        puzzle = await client.teacher.puzzlers.posted(request.guild, request.channel, request.user, request.at)
    lines = [words("puzzle.here", url=link(puzzle.guild, puzzle.channel or request.channel, puzzle.message))]
    table = await client.teacher.puzzles.table(request.guild)
    if table:
        names = await client.names.of_all([solver.user for solver in table], request.guild)
        lines.append(words("puzzle.table"))
        lines += [
            words("puzzle.solver", place=place, name=escaped(name), solved=solver.solved, tried=solver.tried)
            for place, (solver, name) in enumerate(zip(table, names, strict=True), start=1)
        ]
    await privately(interaction, "\n".join(lines))


async def _answered(interaction: Interaction, id: PuzzleId, answer: int) -> None:  # noqa: A002 - the field's name
    client, request = interaction.client, Request.of(interaction)
    words = await client.audience.alone(interaction)
    puzzle = await client.teacher.puzzles.get(id)
    if puzzle.guild != permissions.installed_guild(interaction):
        raise Refused(Reason.NO_PUZZLE)  # its message names those who have solved it
    attempt = await client.teacher.puzzles.answer(id, request.user, answer, request.at)
    match, before = await _position(client, puzzle)
    theme = (await person(client, request.user)).theme
    chosen = puzzle.answers[answer]
    picture = pictures.better(match.game, before, puzzle.solution, None if attempt.right else chosen)
    png = await client.lane.pictures.make(request.user, pictures.drawn, picture, theme)
    verdict = words("puzzle.right") if attempt.right else words("puzzle.wrong", better=puzzle.solution[0])
    told = f"{verdict} {pictures.gains(match.game, puzzle.captures, puzzle.solution, words)}"
    alt = words("puzzle.solution.alt", better=puzzle.solution[0])
    if attempt.right:
        here = await client.audience.server(puzzle.guild)
        await interaction.edit_original_response(content=fitted(await _told(client, puzzle, before, here)))
    await privately(interaction, told, file=pictures.file(png, f"kropka-puzzle-{puzzle.id}-solution", alt))


async def _told(client: Kropka, puzzle: Puzzle, before: AnyPosition, words: Words) -> str:
    """The text of a puzzle's message, with those who have solved it."""
    lines = [
        words("puzzle.head", day=f"<t:{_noon(puzzle.day)}:D>"),
        words("puzzle.task", emblem=EMBLEMS[before.to_act], colour=words(f"colour.{before.to_act}")),
    ]
    solvers = [attempt.user for attempt in await client.teacher.puzzles.attempts(puzzle.id) if attempt.right]
    if solvers:
        names = await client.names.of_all(solvers[:NAMED], puzzle.guild)
        lines.append(words("puzzle.solved", count=len(solvers), names=escaped(", ".join(names))))
    return "\n".join(lines)


def _noon(day: str) -> int:
    """A moment of that day in seconds, for Discord to write as its readers do."""
    return int(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC).timestamp())


async def _position(client: Kropka, puzzle: Puzzle) -> tuple[Match, AnyPosition]:
    """The match that a puzzle comes from, and its position."""
    match = await client.matches.load(puzzle.match)
    moves = [move.text for move in match.moves[: puzzle.number - 1]]
    return match, replayed(match.game, match.seed, moves)[-1]
