"""A private line that links to the board on which a player's action shows."""

from __future__ import annotations

from bot.interactions.context import Services
from play.match.match import Match
from presentation.addresses import link
from presentation.words.words import Words

LINK_SECONDS = 3.0
"""Seconds that the line waits for the board that it links to."""


async def with_board_link(services: Services, match: Match, line: str, words: Words) -> str:
    """Returns the line, with a link to the board of this version if that is posted in time."""
    board = await services.boards.publisher.wait_for_board(match, within=LINK_SECONDS)
    if board is None:
        return line
    return f"{line} {words('board.newest', url=link(match.guild, match.channel, board))}"
