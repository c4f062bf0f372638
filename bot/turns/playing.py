"""A whole turn is played for whoever asks, and he is told in private what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.request import Request, link
from play.clock import Speed

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.words import Words
    from play.deciding import Table
    from play.ids import UserId
    from play.match import Match
    from play.people import Person

LINK_WITHIN = 3.0
"""Seconds that the private line waits for the new board, so that it can link to it."""


async def played(interaction: Interaction, table: Table, turn: str, words: Words, version: int | None = None) -> str:
    """Plays `turn` and returns the line that tells so. With `version` it counts only if nothing has happened since.

    Raises Refused.
    """
    client, request = interaction.client, Request.of(interaction)
    match = await client.tables.move(table, request.user, turn, request.at, request.source, version=version)
    return await done(client, match, request, words)


async def done(client: Kropka, match: Match, request: Request, words: Words) -> str:
    """What was played by this request, with a link to the new board if it stands soon."""
    move = next(event for event in match.events if event.source == request.source)
    return await linked(client, match, words("move.done", move=move.text), words)


async def linked(client: Kropka, match: Match, line: str, words: Words) -> str:
    """The line, with a link to the board of this version of the match if it stands soon."""
    board = await client.announcer.posted(match, within=LINK_WITHIN)
    if board is None:
        return line
    return f"{line} {words('board.newest', url=link(match.guild, match.channel, board))}"


async def person(client: Kropka, user: UserId) -> Person:
    """The personal settings of somebody."""
    async with client.store.read() as reader:
        return await reader.person(user)


def confirms(person: Person, match: Match) -> bool:
    """Whether a person wants to look at a move of his before it counts."""
    return person.confirms(live=match.clock.control.speed is Speed.LIVE)
