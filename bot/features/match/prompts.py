"""Private answers of a game: in the panel whose button a player pressed, or in a new one, with the way to its board."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.context import Context, Services
from bot.interactions.layout import Control, Part, button, link_button
from play.match.match import Match
from presentation.addresses import game_link, link
from presentation.words.words import Words

LINK_SECONDS = 3.0
"""Seconds that the line waits for the board that it links to."""


async def with_board_link(services: Services, match: Match, line: str, words: Words) -> str:
    """Returns the line, with a link to the board of this version if that is posted in time."""
    board = await services.boards.publisher.wait_for_board(match, within=LINK_SECONDS)
    if board is None:
        return line
    return f"{line} {words('board.newest', url=link(match.guild, match.channel, board))}"


async def begun_game(ctx: Context, match: Match, notice: str = "", more: Sequence[Control] = ()) -> list[Part]:
    """Returns what the player is told, above a `notice`, and before `more` buttons the keypad, if it is the player's
    turn, and one that leads to the first board."""
    board = await ctx.services.boards.publisher.wait_for_board(match, LINK_SECONDS)
    words, now = await ctx.words(), await ctx.load_match(match.id)  # the computer may have moved meanwhile
    controls: list[Control] = [link_button(words("button.go"), game_link(now, board))]
    if now.to_act is not None and now.players[now.to_act] == ctx.user:
        keypad = ids.KEYPAD(match=now.id, version=now.version)
        controls.insert(0, button(keypad, words("button.your_move"), discord.ButtonStyle.primary))
    return ["\n".join(filter(None, (words("challenge.begun"), notice))), [*controls, *more]]


async def show_line(ctx: Context, line: str, match: Match | None = None) -> None:
    """Tells the player in private, in place of the question that they answered. The interaction is acknowledged.

    With a `match`, links to the board of that version.
    """
    if match is not None:
        here = match.for_reader(ctx.user, ctx.guild)
        line = await with_board_link(ctx.services, here, line, await ctx.words())
    message = ctx.interaction.message
    if ctx.is_panel:
        await ctx.show([line])
    elif _is_click(ctx) and message is not None and message.reference is not None:
        # In a direct message the question is a reply. The next board shows the result.
        await ctx.interaction.delete_original_response()
    else:
        await ctx.reply(line)


async def delete_prompt(ctx: Context) -> None:
    """Deletes the bot's answer to a player's message, once it has led to the panel or the turn that it was for."""
    message = ctx.interaction.message
    if message is not None and message.reference is not None and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


def _is_click(ctx: Context) -> bool:
    return ctx.interaction.type is discord.InteractionType.component
