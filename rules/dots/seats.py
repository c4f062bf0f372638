"""A rule set of Dots for another number of players."""

from __future__ import annotations

from dataclasses import replace

from rules.dots.game import Dots
from rules.dots.options import Closing, Ending, Links, Reuse, Scoring, Setup


def with_seats(game: Dots, seats: int) -> Dots:
    """Returns the rules for `seats` players. For three and four, what needs two is dropped: crosses, STOP, landing,
    territory and drawn chains. Raises BadOption (`bad_seats`, `preset_needs_two`)."""
    if seats == game.seats:
        return game
    if seats <= 2:
        return replace(game, seats=seats)
    drawn = game.closing is Closing.DRAWN
    return replace(
        game,
        seats=seats,
        setup=game.setup if game.setup is Setup.STONES else Setup.EMPTY,
        crosses=1,
        stones=game.stones if game.setup is Setup.STONES else (),
        closing=Closing.AUTOMATIC if drawn else game.closing,
        links=Links.NEAR,
        reuse=Reuse.ONE,
        scoring=Scoring.DOTS if game.scoring is Scoring.TERRITORY else game.scoring,
        ending=Ending.FULL,
        landing=False,
        handicap=0,
        komi=0.0,
    )
