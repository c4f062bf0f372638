"""`/hint`: what the computer would play, for whoever is to move in a match that counts for no rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.coach import pictures
from bot.features.match.turn.play import person
from bot.interactions.responses import privately
from bot.request import Request
from bot.services.names import escaped
from opponent.budget import Budget
from opponent.review import telling, won
from play.match.moves import acting
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from opponent.choice import Choice
    from rules.game import AnyGame, AnyPosition

THOUGHT = Budget(nodes=20_000, millis=1500)


async def hinted(interaction: Interaction) -> None:
    """Tells what to play in the match of the channel. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    computer = client.teacher.helper()
    words = await client.audience.alone(interaction)
    with client.lane.alone(request.user):
        match = await client.matches.load(request.here)
        if acting(match, request.user) != match.to_act:
            raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
        async with client.store.read() as reader:
            challenge = await reader.challenge_of(match.id)
        if challenge is not None and challenge.terms.pool is not None:
            raise Refused(Reason.HINT_IN_RATED)
        game, position = match.game, match.position
        choice = await computer.help(position, THOUGHT, match.seed)
        theme = (await person(client, request.user)).theme
        line, points, png = await client.lane.pictures.make(request.user, _told, game, position, choice, theme)
        told = [words("hint.move", move=escaped(choice.move)), pictures.gains(game, points, line, words)]
        picture = pictures.file(png, f"kropka-{match.id}-hint", words("hint.alt", move=choice.move))
        await privately(interaction, " ".join(filter(None, told)), file=picture)


def _told(game: AnyGame, position: AnyPosition, choice: Choice, theme: str) -> tuple[tuple[str, ...], float, bytes]:
    """What is expected from a choice on, what that wins, and a picture of it."""
    line = telling(game, position, choice)
    return line, won(game, position, line), pictures.drawn(pictures.better(game, position, line), theme)
