"""A recorded game that somebody brings along: looked at move by move, taken along again as a film or as SGF.

The record lies in the message itself, so nothing of it is stored, and the buttons outlive the bot.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from re import Match as Found
from typing import TYPE_CHECKING, Any, Final, Self

import discord

from bot.community.brought import LIKELY, Brought, judged, read
from bot.interactions.answers import acknowledge_quietly, privately
from bot.interactions.buttons import Item, row
from bot.interactions.gate import Gated
from bot.interactions.request import Request
from bot.names import escaped, plain
from bot.turns.playing import person
from play import sgf
from play.record import MOST_BYTES, BadRecord
from play.refused import Refused
from renderer.theme import PAPER, THEMES
from rules.registry import DEFAULT

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words
    from renderer.theme import Theme

LEAP: Final = 10
"""Moves that the quick buttons go on or back."""

FILE: Final = "game.sgf"

STEPS: Final = (("⏮", None), ("⏪", -LEAP), ("◀", -1), ("▶", 1), ("⏩", LEAP), ("⏭", None))
"""The buttons, with the moves that they go on or back; the outer ones go to an end."""


class Step(
    Gated, discord.ui.DynamicItem[Item], template=r"import:(?P<rules>[a-z0-9-]{1,30}):(?P<place>[0-5]):(?P<to>\d{1,5})"
):
    """Shows the position after another move."""

    def __init__(self, rules: str, place: int, to: int, *, off: bool = False) -> None:
        button: Item = discord.ui.Button(label=STEPS[place][0], custom_id=f"import:{rules}:{place}:{to}", disabled=off)
        super().__init__(button)
        self.rules, self.to = rules, to

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], int(match["place"]), int(match["to"]))

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await _turned(interaction, self.rules, self.to)


class Film(Gated, discord.ui.DynamicItem[Item], template=r"import:(?P<rules>[a-z0-9-]{1,30}):film"):
    """Shows the whole record as a film."""

    def __init__(self, rules: str, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"import:{rules}:film"))
        self.rules = rules

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], item.label)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await _filmed(interaction, self.rules)


async def brought(interaction: Interaction, file: discord.Attachment, rules: str | None) -> None:
    """Shows the game in a file to whoever brings it. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    client.gate.imports(Request.of(interaction))
    data = await _fetched(file)
    try:
        game = await asyncio.to_thread(read, data, file.filename, rules or DEFAULT)
        game, unmade = await asyncio.to_thread(judged, game, () if rules else LIKELY)
        page = await _page(interaction, game, game.moves)
        written = await asyncio.to_thread(sgf.write, game.record)
    except BadRecord as error:
        raise _refused(error) from error
    words = await client.audience.alone(interaction)
    lines = [game.title(words)]
    if game.record.result.strip():
        lines.append(words("import.result", result=escaped(plain(game.record.result))))
    if unmade:
        lines.append(words("import.unmade", count=unmade))
    files, view = [page, discord.File(BytesIO(written), FILE)], _buttons(game, game.moves, words)
    await privately(interaction, "\n".join(lines), files=files, view=view)


async def _turned(interaction: Interaction, rules: str, to: int) -> None:
    stored, game = await _kept(interaction, rules)
    number = min(to, game.moves)
    words = await interaction.client.audience.alone(interaction)
    page, view = await _page(interaction, game, number), _buttons(game, number, words)
    await interaction.edit_original_response(attachments=[page, stored], view=view)


async def _filmed(interaction: Interaction, rules: str) -> None:
    words = await interaction.client.audience.alone(interaction)
    _, game = await _kept(interaction, rules)
    film = await asyncio.to_thread(game.film, words, await _theme(interaction))
    file = discord.File(BytesIO(film), "game.gif", description=words("replay.alt", count=game.moves))
    await privately(interaction, game.title(words), file=file)


async def _kept(interaction: Interaction, rules: str) -> tuple[discord.Attachment, Brought]:
    """The record in the message on which somebody pressed. Raises Refused."""
    assert interaction.message is not None, "a button hangs on a message"
    stored = next((each for each in interaction.message.attachments if each.filename == FILE), None)
    if stored is None:
        raise Refused("old_button")
    data = await _fetched(stored)
    return stored, await asyncio.to_thread(read, data, FILE, rules)


async def _fetched(file: discord.Attachment) -> bytes:
    """What is in a file, unless it is too long for a record: then it is not even fetched. Raises Refused."""
    if file.size > MOST_BYTES:
        raise _refused(BadRecord("too_long", most=MOST_BYTES))
    return await file.read()


async def _page(interaction: Interaction, game: Brought, number: int) -> discord.File:
    words = await interaction.client.audience.alone(interaction)
    png = await asyncio.to_thread(game.drawn, number, words, await _theme(interaction))
    alt = words("import.alt", number=number, moves=game.moves)
    return discord.File(BytesIO(png), f"board-{number}.png", description=alt)


async def _theme(interaction: Interaction) -> Theme:
    return THEMES.get((await person(interaction.client, Request.of(interaction).user)).theme, PAPER)


def _buttons(game: Brought, number: int, words: Words) -> discord.ui.View:
    last = game.moves
    ends = {0: 0, len(STEPS) - 1: last}
    targets = [ends.get(place, min(max(number + (by or 0), 0), last)) for place, (_, by) in enumerate(STEPS)]
    steps = [Step(game.rules, place, to, off=to == number) for place, to in enumerate(targets)]
    return row(*steps, *([Film(game.rules, words("import.film"))] if last else []))


def _refused(error: BadRecord) -> Refused:
    """What is said to whoever brings a record that cannot be shown."""
    match error.key:
        case "too_long":
            return Refused("import_too_long", most=MOST_BYTES // 1024)
        case "too_many" | "too_slow":
            return Refused("import_too_much")
        case "no_dots":
            return Refused("import_no_dots")
        case "no_size":
            return Refused("import_no_size", largest=int(error.details["largest"]))
    if "number" in error.details:
        return Refused("import_bad_move", number=int(error.details["number"]), dot=str(error.details["dot"]))
    if "dot" in error.details:
        return Refused("import_bad_dot", dot=str(error.details["dot"]))
    return Refused("import_unreadable")


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Step, Film)
