"""*Hint* and `/hint`: the computer's move, for the player whose turn it is in an unrated match."""

from bot.features.match.button import MatchButton
from bot.features.match.turn.keypad import hint_buttons
from bot.interactions import custom_ids as ids
from bot.interactions.commands import declare
from bot.interactions.context import Context
from bot.interactions.layout import picture_file
from opponent.captures import corrected
from opponent.choice import HELP, Choice
from play.match.match import Match
from play.match.moves import acting_seat
from play.refusal import Reason, Refused
from presentation.advice import Explained, draw_part, explain_choice, purpose_text
from presentation.match.phrases import turn_text
from rules.game import AnyGame, AnyPosition, Seat
from use_cases.match_writer import MatchRef
from use_cases.matches import is_rated


class Hint(MatchButton, id=ids.HINT):
    """Shows a hint for the position as it is now."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_hint(ctx, self.match)


async def hint(ctx: Context) -> None:
    await show_hint(ctx, ctx.here)


async def show_hint(ctx: Context, ref: MatchRef) -> None:
    """Shows a good move in a match. The interaction is acknowledged. Raises Refused."""
    computer = ctx.services.coach.advisor(ctx.user)
    words = await ctx.words()
    with ctx.services.jobs.one_at_a_time(ctx.user):
        match = await ctx.load_match(ref)
        if acting_seat(match, ctx.user) != match.to_act:
            raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
        async with ctx.services.store.read() as reader:
            if await is_rated(reader, match.id):
                raise Refused(Reason.HINT_IN_RATED)
        game, position = match.game, match.position
        found = await computer.help(position, HELP, match.seed)
        choice = await corrected(position, found, computer.look)
        theme = (await ctx.settings()).theme
        explained, png = await ctx.services.jobs.pictures.make(ctx.user, _draw, game, position, choice, theme)
        move = turn_text(game, choice.move, words)
        text = f"{words('hint.move', move=move)} {purpose_text(game, explained.purpose, explained.line, words)}"
        picture = picture_file(png, f"kropka-{match.id}-hint", words("hint.alt", move=move))
        play = hint_buttons(match, choice.move, words)
        await ctx.show([picture, text, *([play] if play else [])])


def _draw(game: AnyGame, position: AnyPosition, choice: Choice, theme: str) -> tuple[Explained, bytes]:
    """Returns a choice with its purpose, and a picture of that."""
    explained = explain_choice(game, position, choice)
    return explained, draw_part(explained.picture, theme)


COMMANDS = declare(hint)
BUTTONS: tuple[type[MatchButton], ...] = (Hint,)
