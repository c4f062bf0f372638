"""A move that was typed, by a command or a form: looked at first if the person likes that, then played."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.endings import ask_first, spoken
from bot.features.match.board.crops import crop
from bot.features.match.turn.keypad import Go, panel
from bot.features.match.turn.play import confirms, person, play_turn
from bot.features.match.turn.steps import ROOM, coded
from bot.interactions import errors
from bot.interactions.buttons import MATCH, TypePoint, row
from bot.interactions.modals import Form, typed
from bot.interactions.panels import show
from bot.interactions.responses import deferring, privately
from bot.request import Request
from bot.services.names import quoted
from play.ids import MatchId
from play.match import moves
from play.refusal import Reason, Refused
from play.services.match_writer import load_match
from rules.game import BadNotation, Point, RuleError
from rules.notation import parse_point, point_name

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words
    from bot.interactions.responses import Deferral
    from play.match.match import Match
    from play.services.match_writer import MatchRef


async def _filled(interaction: Interaction, found: re.Match[str]) -> None:
    """*Type a point* was filled in."""
    await entered(interaction, MatchId(int(found["match"])), typed(interaction, "point"), int(found["version"]))


async def entered(interaction: Interaction, table: MatchRef, text: str, version: int | None = None) -> None:
    """Takes a move as it was typed. With `version` (a form's), it counts only if nothing has happened since."""
    async with deferring(interaction) as deferral:
        try:
            await _taken(interaction, table, text, deferral, version)
        except Refused as refused:
            await deferral.acknowledge()
            await _refused(interaction, table, text, refused, version)


async def _taken(
    interaction: Interaction, table: MatchRef, text: str, deferral: Deferral, version: int | None = None
) -> None:
    """Plays what was typed, or shows it first to a player who wants that. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    async with client.store.read() as reader:
        settings, match = await reader.person(request.user), await load_match(reader, table)
    if call := spoken(match, text):
        if version not in (None, match.version):
            raise Refused(Reason.STALE)
        await deferral.acknowledge()
        await ask_first(interaction, match, call)
        return
    code = await looked_at(client, match, text, request, version) if confirms(settings, match) else None
    if code is None:
        line = await play_turn(interaction, match, text, deferral, version)
        if line is not None:
            await privately(interaction, line)
    else:
        await deferral.acknowledge()
        words = await client.audience.known(settings, request.guild)
        await show(interaction, await asyncio.to_thread(panel, match, words, settings.theme, code))


async def looked_at(client: Kropka, match: Match, text: str, request: Request, version: int | None) -> str | None:
    """The code of a turn for a button that plays it; None for one that no button can carry: what takes so long to type
    is meant. Raises Refused for a turn that cannot be played."""
    if version is not None and version != match.version:
        raise Refused(Reason.STALE)
    moves.move(match, request.user, text, request.at, request.source)
    return await asyncio.to_thread(coded, match, text, ROOM)


async def _refused(interaction: Interaction, table: MatchRef, text: str, refused: Refused, version: int | None) -> None:
    """Says why, keeps what was typed, and shows the place and what to do instead."""
    client, request = interaction.client, Request.of(interaction)
    words = await client.audience.alone(interaction)
    sentence = await errors.explained(client, words, request, refused, table if isinstance(table, int) else None)
    line = f"{words('move.typed', typed=quoted(text))} {sentence}"
    if not isinstance(refused.__cause__, RuleError):
        await privately(interaction, line)
        return
    match = await client.matches.load(table)
    theme = (await person(client, request.user)).theme
    middle = place(match, text)
    file = await asyncio.to_thread(part, match, words, theme, middle)
    again = TypePoint(match.id, version if version is not None else match.version, words("button.again"))
    near = Go.on(match, words("keypad.near", point=point_name(middle)), "", middle)
    await privately(interaction, line, file=file, view=row(again, near))


def place(match: Match, text: str) -> Point:
    """The crossing that a text names first, if it lies on the field; else that of the last move, or the middle."""
    picture = match.position.picture()
    try:
        point = parse_point(re.split(r"\s|-(?=\D)", text.strip(), maxsplit=1)[0])
    except BadNotation:
        pass
    else:
        if point.x < picture.width and point.y < picture.height:
            return point
    return picture.last[-1] if picture.last else Point(picture.width // 2, picture.height // 2)


def part(match: Match, words: Words, theme: str, middle: Point) -> discord.File:
    """The board round a crossing, which stands out. Takes 5 to 30 ms."""
    picture = replace(match.position.picture(), last=(middle,))
    return crop(picture, middle, words, f"kropka-{match.id}-{match.version}-part", theme)


FORMS = (Form(re.compile(rf"{MATCH}:point"), _filled),)
