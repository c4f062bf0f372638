"""The private answer to a press that begins a game: the way to its board, and to a player's first move."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.match.board_link import LINK_SECONDS
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button, link_button
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from play.match.match import Match
from presentation.addresses import game_link


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
