"""A move that was typed, by a command or a form: looked at first if the person likes that, then played."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.endings import ask_first, parse_call
from bot.features.match.board.crops import crop
from bot.features.match.button import MATCH
from bot.features.match.turn.keypad import Go, panel
from bot.features.match.turn.play import play_turn, wants_confirmation
from bot.features.match.turn.point_form import TypePoint
from bot.features.match.turn.steps import MAX_CODE, encode
from bot.interactions import errors
from bot.interactions.buttons import row
from bot.interactions.context import Context, Services
from bot.interactions.modals import Form, text_value
from bot.request import Request
from bot.services.names import quote
from play.ids import MatchId
from play.match import moves
from play.refusal import Reason, Refused
from play.services.match_writer import MatchRef, load_match
from rules.game import BadNotation, RuleError
from rules.notation import parse_point, point_name
from rules.point import Point

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from bot.interactions.deferral import Deferral
    from play.match.match import Match


async def _submit(ctx: Context, found: re.Match[str]) -> None:
    """*Type a point* was filled in."""
    await play_typed(ctx, MatchId(int(found["match"])), text_value(ctx, "point"), int(found["version"]))


async def play_typed(ctx: Context, table: MatchRef, text: str, version: int | None = None) -> None:
    """Takes a move as it was typed. With `version` (a form's), it counts only if nothing has happened since."""
    async with ctx.deferring() as deferral:
        try:
            await _play_or_show(ctx, table, text, deferral, version)
        except Refused as refused:
            await deferral.acknowledge()
            await _show_refused(ctx, table, text, refused, version)


async def _play_or_show(
    ctx: Context, table: MatchRef, text: str, deferral: Deferral, version: int | None = None
) -> None:
    """Plays what was typed, or shows it first to a player who wants that. Raises Refused."""
    async with ctx.services.store.read() as reader:
        settings, match = await reader.people.get(ctx.user), await load_match(reader, table)
    if call := parse_call(match, text):
        if version not in (None, match.version):
            raise Refused(Reason.STALE)
        await deferral.acknowledge()
        await ask_first(ctx, match, call)
        return
    code = (
        await encode_for_confirmation(ctx.services, match, text, ctx.request, version)
        if wants_confirmation(settings, match)
        else None
    )
    if code is None:
        line = await play_turn(ctx, match, text, deferral, version)
        if line is not None:
            await ctx.reply(line)
    else:
        await deferral.acknowledge()
        words = await ctx.services.locales.for_settings(settings, ctx.guild)
        await ctx.show(await asyncio.to_thread(panel, match, words, settings.theme, code))


async def encode_for_confirmation(
    services: Services, match: Match, text: str, request: Request, version: int | None
) -> str | None:
    """The code of a turn for a button that plays it; None for one that no button can carry: what takes so long to type
    is meant. Raises Refused for a turn that cannot be played."""
    if version is not None and version != match.version:
        raise Refused(Reason.STALE)
    moves.move(match, request.user, text, request.at, request.key)
    return await asyncio.to_thread(encode, match, text, MAX_CODE)


async def _show_refused(ctx: Context, table: MatchRef, text: str, refused: Refused, version: int | None) -> None:
    """Says why, keeps what was typed, and shows the place and what to do instead."""
    words = await ctx.words()
    sentence = await errors.explain(
        ctx.services, words, ctx.request, refused, table if isinstance(table, int) else None
    )
    line = f"{words('move.typed', typed=quote(text))} {sentence}"
    if not isinstance(refused.__cause__, RuleError):
        await ctx.reply(line)
        return
    match = await ctx.services.matches.load(table)
    theme = (await ctx.settings()).theme
    middle = mentioned_point(match, text)
    file = await asyncio.to_thread(crop_around, match, words, theme, middle)
    again = TypePoint(match.id, version if version is not None else match.version, words("button.again"))
    near = Go.on(match, words("keypad.near", point=point_name(middle)), "", middle)
    await ctx.reply(line, file=file, view=row(again, near))


def mentioned_point(match: Match, text: str) -> Point:
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


def crop_around(match: Match, words: Words, theme: str, middle: Point) -> discord.File:
    """The board round a crossing, which stands out. Takes 5 to 30 ms."""
    picture = replace(match.position.picture(), last=(middle,))
    return crop(picture, middle, words, f"kropka-{match.id}-{match.version}-part", theme)


FORMS = (Form(re.compile(rf"{MATCH}:point"), _submit),)
