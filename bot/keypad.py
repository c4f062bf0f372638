"""The keypad: a crop of the board with numbers on its crossings, and a button for each; then a look at the turn.

All that a button knows is in its custom id: `match:12:34:go:K12+1@K13` says what is begun of the turn (`bot.steps`)
and the middle of what is shown. A button of an earlier version shows the game as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.buttons import LONGEST_LABEL, MATCH, MatchButton
from bot.crops import Shown, crossings
from bot.names import escaped
from bot.panel import Control, Part, open_panel, rows, show
from bot.playing import person, played
from bot.steps import Option, Said, Step, begin
from play.ids import MatchId, UserId
from play.refused import Refused
from rules.game import Point, RuleError
from rules.notation import parse_point, point_name

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words
    from play.match import Match
    from rules.game import Seat

PAN = 3
"""Crossings by which an arrow moves the part that one chooses in."""

ARROWS = (("⬅️", -1, 0), ("⬆️", 0, 1), ("⬇️", 0, -1), ("➡️", 1, 0))

MOST_OPTIONS, WIDEST_OPTIONS = 20, 3
"""Options that a panel shows, and how many stand in a row: a telephone shows no more of so many words."""

ROOM = 60
"""Characters of a custom id for what is begun of a turn."""

NOTHING = " " * (ROOM + 1)
"""Longer than any code that fits."""


class Go(MatchButton, template=rf"{MATCH}:go:(?P<argument>[^:@]{{0,60}}@[A-Z]{{1,2}}[0-9]{{1,2}})"):
    """Goes on with a turn, or back: `K12+1@K13` is what is begun then, and where one looks."""

    action = "go"

    @classmethod
    def on(cls, match: Match, label: str, begun: str, middle: Point, style: discord.ButtonStyle | None = None) -> Go:
        button = cls(match.id, match.version, label[:LONGEST_LABEL], f"{begun}@{point_name(middle)}")
        button.item.style = style or cls.style
        return button

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        begun, _, middle = self.argument.partition("@")
        await guide(interaction, self.match, begun, middle=middle, version=self.version)


class Keypad(MatchButton, template=rf"{MATCH}:keypad"):
    """*Play near K12*: the keypad where the next dot will probably go."""

    action = "keypad"
    style = discord.ButtonStyle.primary

    @classmethod
    def to(cls, match: Match, words: Words) -> Keypad:
        return cls(match.id, match.version, words("button.keypad_open"))

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and begin(match) is not None

    @classmethod
    def near(cls, match: Match, place: Point, words: Words) -> Keypad:
        return cls(match.id, match.version, words("keypad.near", point=point_name(place)))

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await guide(interaction, self.match, "", version=self.version)


class Taken(discord.ui.Button[discord.ui.LayoutView]):
    """A crossing of the keypad where nothing can be chosen: it keeps the others in their places."""

    def __init__(self, number: int, sign: str) -> None:
        emoji, label = (sign, None) if sign else (None, "·")
        super().__init__(label=label, emoji=emoji, disabled=True, custom_id=f"taken:{number}")


async def guide(
    interaction: Interaction, table: MatchId, begun: str, *, middle: str = "", version: int | None = None
) -> None:
    """Shows the next step of a turn, or why there is none. The interaction is acknowledged. Raises Refused for a
    stranger."""
    client, user = interaction.client, UserId(interaction.user.id)
    words, theme = await client.audience.alone(interaction), (await person(client, user)).theme
    match = await client.tables.board(table)
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused("match_over")
    notice = ""
    if version is not None and version != match.version:
        begun, middle, notice = "", "", words("keypad.stale")
    if seat != match.to_act:
        name = await client.names.of(match.players[match.position.to_act], match.guild)
        notice = "\n".join(filter(None, (notice, words("refused.not_your_turn", user=escaped(name)))))
        parts = await asyncio.to_thread(waiting, match, words, theme, notice)
    else:
        try:
            parts = await asyncio.to_thread(panel, match, words, theme, begun, middle, notice)
        except RuleError as error:
            raise Refused.by_rules(error) from error
    await show(interaction, parts)


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
    step = begin(match, begun)
    if step is None:
        raise Refused("only_typed")
    shown = Shown.of(step.picture, step.chances, _middle(step, middle), theme)
    return (
        [*_numbers(match, step, shown, words, notice)] if step.points else [*_look(match, step, shown, words, notice)]
    )


def place(match: Match) -> Point | None:
    """Where the keypad opens; None for a game that can only be typed, and one in which nothing can be pointed at."""
    step = begin(match)
    if step is None or not step.points:
        return None
    return Shown.of(step.picture, step.chances, None, "").middle


def _middle(step: Step, name: str) -> Point | None:
    if name:
        return parse_point(name)
    return None if step.begun == "" and step.points else step.place


def _numbers(match: Match, step: Step, shown: Shown, words: Words, notice: str) -> Iterator[Part]:
    """The keypad: 25 numbers in their places, and arrows, or what else can be done."""
    points = crossings(shown.zone)
    numbers = {
        point: number for number, point in enumerate(points, start=1) if len(step.points.get(point, NOTHING)) <= ROOM
    }
    yield "\n".join(filter(None, (notice, _said(step.asks, words))))
    yield shown.file(words, f"kropka-{match.id}-{match.version}-keypad", numbers)
    signs = shown.signs()
    pads: list[Control] = []
    for number, point in enumerate(points, start=1):
        if point in numbers:
            pads.append(Go.on(match, str(number), step.points[point], shown.middle))
        else:
            pads.append(Taken(number, signs.get(point, "")))
    yield from rows(pads)
    corners = {f"corner{number}": point_name(points[number - 1]) for number in (1, 5, 21, 25)}
    hint = words("keypad.numbers", **corners) if numbers else words("keypad.full")
    yield f"-# {hint}" if _all_shown(step, shown) else f"-# {hint} {words('keypad.arrows')}"
    if more := [*_more(match, step, shown, words)]:
        yield more[:5]


def _more(match: Match, step: Step, shown: Shown, words: Words) -> Iterator[Control]:
    """The row below the numbers."""
    for option in _fitting(step):
        yield Go.on(match, _said(option.said, words), option.begun, shown.middle, discord.ButtonStyle.success)
    if not _all_shown(step, shown):
        for arrow, dx, dy in ARROWS:
            there = shown.moved(dx * PAN, dy * PAN)
            button = Go.on(match, arrow, step.begun, there)
            # At the edge the button leads nowhere, and two to the same place would share their custom id.
            yield button if there != shown.middle else Taken(100 + ord(arrow[0]), arrow)
        if step.back is None:
            yield from _next_front(match, step, shown, words)
    if step.back is not None:
        yield Go.on(match, words("button.back"), step.back, shown.middle)


def _all_shown(step: Step, shown: Shown) -> bool:
    return all(shown.zone.holds(point) for point in step.points)


def _next_front(match: Match, step: Step, shown: Shown, words: Words) -> Iterator[Control]:
    """Where else something is going on: the fronts in turn, beginning with the likeliest."""
    fronts = shown.fronts
    here = next((number for number, front in enumerate(fronts) if shown.zone.holds(front)), -1)
    there = fronts[(here + 1) % len(fronts)] if fronts else shown.middle
    arrows = {shown.moved(dx * PAN, dy * PAN) for _, dx, dy in ARROWS}
    if there not in {shown.middle, *arrows}:  # custom ids are unique in a message
        yield Go.on(match, words("keypad.front", point=point_name(there)), step.begun, there)


def _look(match: Match, step: Step, shown: Shown, words: Words, notice: str) -> Iterator[Part]:
    """The turn as it would be, what it does, and what can be added to it."""
    sentences = [f"- {_said(said, words)}" for said in step.news]
    head = words("keypad.look", turn=step.asks.details.get("turn", "")) if step.whole else _said(step.asks, words)
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
    options = _fitting(step)
    if options:
        if step.whole:
            yield words("keypad.options")
        chosen = discord.ButtonStyle.success
        buttons = [
            Go.on(
                match,
                ("✓ " if option.chosen else "") + _said(option.said, words),
                option.begun,
                shown.middle,
                chosen if option.chosen else None,
            )
            for option in options
        ]
        yield from rows(buttons, WIDEST_OPTIONS)


class Play(MatchButton, template=rf"{MATCH}:play:(?P<argument>.{{1,60}})"):
    """Plays the whole turn that it carries."""

    action = "play"
    style = discord.ButtonStyle.success

    @classmethod
    def of(cls, match: Match, step: Step, words: Words) -> Play:
        return cls(match.id, match.version, _said(step.asks, words)[:LONGEST_LABEL], step.begun)

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        match = await interaction.client.tables.board(self.match)
        match.seat_of(UserId(interaction.user.id))
        if match.outcome or match.version != self.version:
            await guide(interaction, self.match, "", version=self.version)
            return
        try:
            step = begin(match, self.argument)
            turn = step.whole if step else self.argument
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if turn is None:
            raise Refused("old_button")
        await show(interaction, [await played(interaction, self.match, turn, self.version)])
        await _taken_away(interaction)


def _fitting(step: Step) -> list[Option]:
    """The options that there is room for, on the panel and in a custom id."""
    return [option for option in step.options if len(option.begun) <= ROOM][:MOST_OPTIONS]


async def _taken_away(interaction: Interaction) -> None:
    """Removes the look that everybody sees, an answer to a reply, when its turn is played."""
    message = interaction.message
    if message is not None and message.flags.components_v2 and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


def _said(said: Said, words: Words) -> str:
    return words(f"step.{said.key}", **said.details)


BUTTONS: tuple[type[MatchButton], ...] = (Keypad, Go, Play)
