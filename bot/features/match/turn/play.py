"""Plays a whole turn for the player who asks: its board is the answer, or else a private line that links to it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bot.request import Request, link
from play.clock import Speed
from play.services.match_writer import Late

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words
    from bot.interactions.responses import Deferral
    from play.ids import UserId
    from play.match.match import Match
    from play.people.person import Person

LINK_WITHIN = 3.0
"""Seconds that the private line waits for the new board, so that it can link to it."""


async def play_turn(
    interaction: Interaction, match: Match, turn: str, deferral: Deferral, version: int | None = None
) -> str | None:
    """Plays `turn` in `match`. With `version` it counts only if nothing has happened since.

    Returns None if the new board was the answer to the interaction. Otherwise the interaction is acknowledged, the
    board is posted, and the line that is returned, for the player alone, links to it. Raises Refused.
    """
    client, request = interaction.client, Request.of(interaction)
    move = partial(client.matches.move, match.id, request.user, turn, request.at, request.source, version=version)
    after: Match | None = None
    async with client.herald.reserve(match.id, client.answer_seconds) as held:
        if held is not None and client.announcer.can_answer(interaction, match):
            with suppress(Late):
                after = await move(delivers=True)
                if await client.announcer.answer(interaction, deferral, after, held):
                    await client.doors.open(interaction)
                    return None
    await deferral.acknowledge()
    after = after or await move()
    words = await client.audience.alone(interaction)
    played = next(event for event in after.events if event.source == request.source)
    return await linked(client, after, words("move.done", move=played.text), words)


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
