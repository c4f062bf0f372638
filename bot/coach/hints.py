"""`/hint`: what the computer would play, for whoever is to move in a match that counts for no rating."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.coach import teaching
from bot.interactions.answers import privately
from bot.interactions.request import Request
from bot.names import escaped
from bot.turns.playing import person
from opponent.budget import Budget
from opponent.review import telling, won
from play.refused import Refused
from play.turns import acting

if TYPE_CHECKING:
    from bot.client import Interaction

THOUGHT = Budget(nodes=20_000, millis=1500)


async def hinted(interaction: Interaction) -> None:
    """Tells what to play in the match of the channel. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    computer = client.teacher.helper()
    words = await client.audience.alone(interaction)
    match = await client.tables.board(request.here)
    if acting(match, request.user) != match.to_act:
        raise Refused("not_your_turn", user=match.players[match.position.to_act])
    async with client.store.read() as reader:
        challenge = await reader.challenge_of(match.id)
    if challenge is not None and challenge.terms.pool is not None:
        raise Refused("hint_in_rated")
    game, position = match.game, match.position
    choice = await computer.help(position, THOUGHT, match.seed)
    line = telling(game, position, choice)
    told = [words("hint.move", move=escaped(choice.move)), teaching.gains(game, won(game, position, line), line, words)]
    theme = (await person(client, request.user)).theme
    png = await asyncio.to_thread(lambda: teaching.drawn(teaching.better(game, position, line), theme))
    picture = teaching.file(png, f"kropka-{match.id}-hint", words("hint.alt", move=choice.move))
    await privately(interaction, " ".join(filter(None, told)), file=picture)
