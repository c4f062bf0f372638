"""`/hint`: what the computer would play, for whoever is to move in a match that counts for no rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.coach import pictures
from bot.interactions.context import Context
from bot.services.names import escape
from opponent.budget import Budget
from opponent.review import telling, won
from play.match.moves import acting
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from opponent.choice import Choice
    from rules.game import AnyGame, AnyPosition

THOUGHT = Budget(nodes=20_000, millis=1500)


async def show_hint(ctx: Context) -> None:
    """Tells what to play in the match of the channel. The interaction is acknowledged. Raises Refused."""
    computer = ctx.services.coach.advisor()
    words = await ctx.words()
    with ctx.services.jobs.one_at_a_time(ctx.user):
        match = await ctx.services.matches.load(ctx.here)
        if acting(match, ctx.user) != match.to_act:
            raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
        async with ctx.services.store.read() as reader:
            challenge = await reader.challenges.of_match(match.id)
        if challenge is not None and challenge.terms.pool is not None:
            raise Refused(Reason.HINT_IN_RATED)
        game, position = match.game, match.position
        choice = await computer.help(position, THOUGHT, match.seed)
        theme = (await ctx.settings()).theme
        line, points, png = await ctx.services.jobs.pictures.make(ctx.user, _told, game, position, choice, theme)
        told = [words("hint.move", move=escape(choice.move)), pictures.gains(game, points, line, words)]
        picture = pictures.picture_file(png, f"kropka-{match.id}-hint", words("hint.alt", move=choice.move))
        await ctx.reply(" ".join(filter(None, told)), file=picture)


def _told(game: AnyGame, position: AnyPosition, choice: Choice, theme: str) -> tuple[tuple[str, ...], float, bytes]:
    """What is expected from a choice on, what that wins, and a picture of it."""
    line = telling(game, position, choice)
    return line, won(game, position, line), pictures.draw_part(pictures.better_turn(game, position, line), theme)
