"""A turn by buttons: the keypad, then a look at what the turn would do, then the button that plays it.

All that a button knows is in its custom id: `match:12:34:go:K12+1@K13` says what is begun of the turn
(see `steps`) and the middle of what is shown. A button of an earlier version shows the game as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import discord

from bot.features.match.board.crops import Shown
from bot.features.match.button import MATCH, MatchButton
from bot.features.match.turn.keypad_grid import pad_rows
from bot.features.match.turn.play import play_turn
from bot.features.match.turn.steps import Step, step_at
from bot.interactions.buttons import MAX_LABEL
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, rows
from bot.services.names import escape
from play.ids import MatchId
from play.refusal import Reason, Refused
from rules.game import RuleError
from rules.notation import parse_point, point_name
from rules.point import Point

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from bot.interactions.deferral import Deferral
    from play.match.match import Match
    from rules.point import Seat

NEARBY = 4
"""Crossings from the last dot within which the place for the next is looked for while a board is drawn: in recorded
games the next dot is as often in the part that is then shown as where the whole field is looked at (72 %)."""


class Turning(MatchButton, template=r"(?!)"):
    """A button of a turn that is being put together; what is refused leads back to its beginning."""

    async def renewed(self, ctx: Context, notice: str) -> None:
        await guide(ctx, self.match, "", notice=notice)


class Go(Turning, template=rf"{MATCH}:go:(?P<argument>[^:@]{{0,60}}@[A-Z]{{1,2}}[0-9]{{1,2}})"):
    """Goes on with a turn, or back: `K12+1@K13` is what is begun then, and where one looks."""

    action = "go"

    @classmethod
    def on(cls, match: Match, label: str, begun: str, middle: Point, style: discord.ButtonStyle | None = None) -> Go:
        button = cls(match.id, match.version, label[:MAX_LABEL], f"{begun}@{point_name(middle)}")
        button.item.style = style or cls.style
        return button

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        begun, _, middle = self.argument.partition("@")
        await guide(ctx, self.match, begun, middle=middle, version=self.version)


class Keypad(Turning, template=rf"{MATCH}:keypad"):
    """*Play near K12*: the keypad where the next dot will probably go."""

    action = "keypad"
    style = discord.ButtonStyle.primary

    @classmethod
    def to(cls, match: Match, words: Words) -> Keypad:
        return cls(match.id, match.version, words("button.keypad_open"))

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and step_at(match) is not None

    @classmethod
    def near(cls, match: Match, place: Point, words: Words) -> Keypad:
        return cls(match.id, match.version, words("keypad.near", point=point_name(place)))

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await guide(ctx, self.match, "", version=self.version)


async def guide(
    ctx: Context,
    table: MatchId,
    begun: str,
    *,
    middle: str = "",
    version: int | None = None,
    notice: str = "",
) -> None:
    """Shows the next step of a turn, or why there is none, below a `notice`. The interaction is acknowledged.

    Raises Refused for a stranger, and when the match is over.
    """
    user = ctx.user
    words, theme = await ctx.words(), (await ctx.settings()).theme
    match = await ctx.services.matches.load(table)
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if version is not None and version != match.version:
        begun, middle, notice = "", "", words("keypad.stale")
    if seat != match.to_act:
        name = await ctx.services.names.of(match.players[match.position.to_act], match.guild)
        notice = "\n".join(filter(None, (notice, words("refused.not_your_turn", user=escape(name)))))
        parts = await asyncio.to_thread(waiting, match, words, theme, notice)
    else:
        try:
            parts = await asyncio.to_thread(panel, match, words, theme, begun, middle, notice)
        except RuleError as error:
            raise Refused.by_rules(error) from error
    await ctx.show(parts)


def waiting(match: Match, words: Words, theme: str, notice: str) -> list[Part]:
    """What is shown while somebody else is to move: the part with the last dot, to be looked at again."""
    picture = match.position.picture()
    shown = Shown.of(picture, {}, picture.last[-1] if picture.last else None, theme)
    again = Keypad(match.id, match.version, words("button.look_again"))
    return [notice, shown.file(words, f"kropka-{match.id}-{match.version}-part", {}), [again]]


def panel(match: Match, words: Words, theme: str, begun: str = "", middle: str = "", notice: str = "") -> list[Part]:
    """What is shown for a step: its text, a crop of the board, and the buttons. Takes 10 to 40 ms.

    Raises RuleError for what cannot be begun.
    """
    step = step_at(match, begun)
    if step is None:
        raise Refused(Reason.ONLY_TYPED)
    shown = Shown.of(step.picture, step.chances, _middle(step, middle), theme)
    if not step.points:
        return [*_look(match, step, shown, words, notice)]
    head = "\n".join(filter(None, (notice, step.asks.told(words))))
    return [head, *pad_rows(match, step, shown, words, partial(Go.on, match))]


def place(match: Match) -> Point | None:
    """Where the keypad opens; None for a game that can only be typed, and one in which nothing can be pointed at."""
    step = step_at(match, reach=NEARBY)
    if step is None or not step.points:
        return None
    return Shown.of(step.picture, step.chances, None, "").middle


def _middle(step: Step, name: str) -> Point | None:
    if name:
        return parse_point(name)
    return None if step.begun == "" and step.points else step.place


def _look(match: Match, step: Step, shown: Shown, words: Words, notice: str) -> Iterator[Part]:
    """The turn as it would be, what it does, and what can be added to it."""
    sentences = [f"- {said.told(words)}" for said in step.news]
    head = words("keypad.look", turn=step.asks.details.get("turn", "")) if step.whole else step.asks.told(words)
    yield "\n".join(filter(None, (notice, head, *sentences)))
    yield shown.file(words, f"kropka-{match.id}-{match.version}-look", {})
    first: list[Control] = []
    if step.whole:
        first.append(Play.of(match, step, words))
    if step.back is not None:
        label = words("button.another") if step.back == "" else words("button.back")
        first.append(Go.on(match, label, step.back, shown.middle))
    if first:
        yield first
    options = step.offered
    if options:
        if step.whole:
            yield words("keypad.options")
        chosen = discord.ButtonStyle.success
        buttons = [
            Go.on(
                match,
                ("✓ " if option.chosen else "") + option.said.told(words),
                option.begun,
                shown.middle,
                chosen if option.chosen else None,
            )
            for option in options
        ]
        yield from rows(buttons, PHONE_ROW)


class Play(Turning, template=rf"{MATCH}:play:(?P<argument>.{{1,60}})"):
    """Plays the whole turn that it carries."""

    action = "play"
    style = discord.ButtonStyle.success

    @classmethod
    def of(cls, match: Match, step: Step, words: Words) -> Play:
        return cls(match.id, match.version, step.asks.told(words)[:MAX_LABEL], step.begun)

    async def pressed(self, ctx: Context) -> None:
        async with ctx.deferring(ctx.open_panel) as deferral:
            await self._play(ctx, deferral)
        await _delete_keypad(ctx)

    async def _play(self, ctx: Context, deferral: Deferral) -> None:
        match = await ctx.services.matches.load(self.match)
        match.seat_of(ctx.user)
        if match.outcome or match.version != self.version:
            await deferral.acknowledge()
            await guide(ctx, self.match, "", version=self.version)
            return
        try:
            step = step_at(match, self.argument)
            turn = step.whole if step else self.argument
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if turn is None:
            raise Refused(Reason.OLD_BUTTON)
        line = await play_turn(ctx, match, turn, deferral, self.version)
        if line is not None:
            await ctx.show([line])
        elif ctx.is_panel:
            assert ctx.interaction.message is not None, "it has the panel"
            await ctx.services.channels.delete_panel(ctx.interaction.message.id)


async def _delete_keypad(ctx: Context) -> None:
    """Removes the look that everybody sees, an answer to a reply, when its turn is played or can be no more."""
    message = ctx.interaction.message
    if message is not None and message.flags.components_v2 and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


BUTTONS: tuple[type[MatchButton], ...] = (Keypad, Go, Play)
