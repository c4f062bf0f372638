"""`/review`: first the mistakes of a player, one after the other, who looks for the better move; then the whole match.

All that a button knows is in its custom id: `match:12:34:better:11.02:F3` has the number of the move, the answers that
were tried by their places, and this answer. `?` gives up, and without an answer the question is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar

import discord

from bot.features.coach.reviews import review_of, show_summary
from bot.features.match.actions.after_game import LookBack
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Part, rows
from bot.interactions.pictures import picture_file
from opponent.purpose import Purpose, purpose_of
from opponent.review import Mistake, name_of, replay_positions
from play.match.match import Match
from play.refusal import Refused
from presentation import advice as pictures
from presentation.advice import purpose_text
from presentation.match.seats import emblem
from presentation.match.turn_text import turn_text
from presentation.words.words import Words
from rules.dots import Turn
from rules.game import AnyGame
from rules.picture import Number

T = TypeVar("T")

GIVE_UP = "?"
"""The answer of a player who wants to be shown the better move."""


class FindBetter(MatchButton, id=ids.FIND_BETTER):
    """Answers the question about a mistake, or asks the next one; number 0 leads to the whole game."""

    number: int
    tried: str
    answer: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        match = await ctx.load_match(self.match)
        seat = match.seat_of(ctx.user)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            found = await review_of(ctx, match)
            own = found.to_find(seat)
            numbers = [mistake.number for mistake in own]
            if self.number in numbers:
                await Exercise(ctx, match, own, numbers.index(self.number)).show(self.tried, self.answer)
            else:
                await show_summary(ctx, match, found)

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        await errors.reply_error(ctx, refused, self.match)  # the panel stays as it is


class Exercise(NamedTuple):
    """The question about one of a player's own mistakes, by its place among them."""

    ctx: Context
    match: Match
    own: tuple[Mistake, ...]
    place: int

    @property
    def mistake(self) -> Mistake:
        return self.own[self.place]

    async def show(self, tried: str = "", answer: str = "") -> None:
        """Shows the question, or the better move once it is found or given up. The interaction is acknowledged."""
        better = name_of(self.match.game, self.mistake.better)
        words, theme = await self.ctx.words(), (await self.ctx.settings()).theme
        if answer in (better, GIVE_UP):
            await self.ctx.show(await self._solution(words, theme, found=answer == better))
            return
        wrong = {*tried, *(str(place) for place, each in enumerate(self.mistake.answers) if each == answer)}
        await self.ctx.show(await self._question(words, theme, "".join(sorted(wrong)), answer))

    async def _question(self, words: Words, theme: str, tried: str, answer: str) -> list[Part]:
        mistake, answers = self.mistake, self.mistake.answers
        png = await self._draw(_draw_question, answers, theme)
        alt = words("better.alt", number=mistake.number, moves=", ".join(answers))
        lines = [
            *([words("better.wrong", move=self._name(answer, words))] if answer in answers else []),
            words("better.head", place=self.place + 1, total=len(self.own), number=mistake.number),
            words(
                "better.ask",
                emblem=emblem(theme, mistake.seat),
                played=turn_text(self.match.game, mistake.played, words),
                count=pictures.plural(lost := round(mistake.lost, 1)),
                points=words.number(lost),
            ),
        ]
        buttons = [
            self._button(f"{number + 1} · {self._name(each, words)}", tried, each, disabled=str(number) in tried)
            for number, each in enumerate(answers)
        ]
        ways = [self._button(words("better.show"), tried, GIVE_UP), self._summary(words)]
        picture = picture_file(png, f"kropka-{self.match.id}-{mistake.number}-before", alt)
        return [picture, "\n".join(lines), *rows(buttons, PHONE_ROW if len(buttons) <= PHONE_ROW else 2), ways]

    async def _solution(self, words: Words, theme: str, *, found: bool) -> list[Part]:
        match, mistake = self.match, self.mistake
        purpose, png = await self._draw(draw_solution, mistake.line, mistake.played, theme)
        better = turn_text(match.game, mistake.better, words)
        played = turn_text(match.game, mistake.played, words)
        alt = words("review.alt", number=mistake.number, played=played, better=better)
        said = words("better.right" if found else "better.shown", better=better, played=played)
        text = f"{said} {purpose_text(match.game, purpose, mistake.line, words)}"
        ways = [self._summary(words)]
        if self.place + 1 < len(self.own):
            number, style = self.own[self.place + 1].number, discord.ButtonStyle.primary
            ways.insert(0, FindBetter.at(match, words("better.next"), style, number=number, tried=""))
        return [picture_file(png, f"kropka-{match.id}-{mistake.number}", alt), text, ways]

    async def _draw(self, draw: Callable[..., T], *subject: object) -> T:
        """Returns what is drawn of the position before the mistake."""
        moves = tuple(move.text for move in self.match.moves[: self.mistake.number - 1])
        match = self.match
        return await self.ctx.services.jobs.pictures.make(self.ctx.user, draw, match.game, match.seed, moves, *subject)

    def _name(self, answer: str, words: Words) -> str:
        return turn_text(self.match.game, answer, words)

    def _button(self, label: str, tried: str, answer: str, *, disabled: bool = False) -> FindBetter:
        button = FindBetter.at(self.match, label, number=self.mistake.number, tried=tried, answer=answer)
        button.item.disabled = disabled
        return button

    def _summary(self, words: Words) -> FindBetter:
        return FindBetter.at(self.match, words("better.summary"), number=0, tried="")


async def show_review(ctx: Context, match: Match) -> None:
    """Shows a player their first mistake in a match, and anybody else what decided it.

    The interaction is acknowledged. Raises Refused.
    """
    with ctx.services.jobs.one_at_a_time(ctx.user):
        found = await review_of(ctx, match)
        own = found.to_find(match.seat_of(ctx.user)) if ctx.user in match.players else ()
        if own:
            await Exercise(ctx, match, own, 0).show()
        else:
            await show_summary(ctx, match, found)


class ReviewButton(LookBack, id=ids.REVIEW):
    """Shows the turning points of the game."""

    async def show(self, ctx: Context, match: Match) -> None:
        await show_review(ctx, match)


def _draw_question(game: AnyGame, seed: int, moves: tuple[str, ...], answers: tuple[str, ...], theme: str) -> bytes:
    """Draws the position after `moves`, with the numbers of the dots to choose from."""
    picture = replay_positions(game, seed, moves)[-1].picture()
    numbers = tuple(
        Number(turn.dot, number)
        for number, turn in enumerate(map(game.parse, answers), start=1)
        if isinstance(turn, Turn)
    )
    return pictures.draw_part(replace(picture, numbers=numbers), theme)


def draw_solution(
    game: AnyGame, seed: int, moves: tuple[str, ...], line: tuple[str, ...], played: str, theme: str
) -> tuple[Purpose, bytes]:
    """Returns what the better `line` after `moves` is good for, and draws it beside the move that was played."""
    before = replay_positions(game, seed, moves)[-1]
    return purpose_of(game, before, line), pictures.draw_solution(game, before, line, played, theme)


BUTTONS: tuple[type[MatchButton], ...] = (FindBetter, ReviewButton)
