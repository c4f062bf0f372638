"""The presets of Dots, each a named value (docs/rules-reference.md, Rule sets), also for another number of players."""

from collections.abc import Mapping
from dataclasses import replace

from rules.dots.game import Dots
from rules.dots.options import Closing, Ending, Links, Measure, Reuse, Scoring, Setup, Win

WIDTH, HEIGHT = 39, 32
"""The squared page of a copybook, in crossings."""

PRESETS = (
    Dots("zagram", WIDTH, HEIGHT, Setup.CROSS),
    Dots("zagram-territory", WIDTH, HEIGHT, Setup.CROSS, closing=Closing.DRAWN),
    Dots("szkrab", WIDTH, HEIGHT, Setup.CROSS, closing=Closing.DRAWN, reuse=Reuse.NONE),
    Dots("zagram-no-territory", WIDTH, HEIGHT, Setup.CROSS, ending=Ending.PLAY_OUT),
    Dots("sport", WIDTH, HEIGHT, Setup.CROSS, measure=Measure.LENGTH, landing=True),
    Dots(
        "sport-territory",
        WIDTH,
        HEIGHT,
        Setup.CROSS,
        closing=Closing.PAINTED,
        measure=Measure.LENGTH,
        scoring=Scoring.TERRITORY,
    ),
    Dots("sport-blitz", WIDTH, HEIGHT, Setup.CROSS, measure=Measure.LENGTH, landing=True),
    Dots("classic", WIDTH, HEIGHT, Setup.CROSS, ending=Ending.PLAY_OUT),
    Dots("paper", WIDTH, HEIGHT, Setup.EMPTY, closing=Closing.DRAWN, reuse=Reuse.ANY, ending=Ending.GROUND),
    Dots(
        "german-count",
        WIDTH,
        HEIGHT,
        Setup.EMPTY,
        closing=Closing.DRAWN,
        reuse=Reuse.ANY,
        scoring=Scoring.EVERYTHING,
        ending=Ending.GROUND,
    ),
    Dots("two-squares", WIDTH, HEIGHT, Setup.EMPTY, closing=Closing.DRAWN, links=Links.FAR, reuse=Reuse.ANY),
    Dots("quick", 15, 15, Setup.CROSS, win=Win(5)),
    Dots("three", 30, 30, Setup.EMPTY, seats=3),
    Dots("four", 30, 30, Setup.EMPTY, seats=4),
)

STOP_PRESETS = tuple(game.key for game in PRESETS if game.ending is not Ending.FULL)
"""The keys of those in which a player may end the game by STOP."""

OLD_CHOICES = frozenset({"size", "seats", "start", "crosses", "stones"})
"""The options that players could choose at that time. All others went with the preset."""


def _as_before(game: Dots) -> Dots:
    """Returns the preset as it was before there was the option `reuse`."""
    if game.key == "sport-territory":
        game = replace(game, measure=Measure.AREA, landing=True, former=True)
    return replace(game, reuse=Reuse.ONE, former=True)


FORMER_PRESETS: Mapping[str, Dots] = {game.key: _as_before(game) for game in PRESETS}
"""The presets of contests that were stored before there was the option `reuse` (decision 0046)."""


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
        areas=(),
        closing=Closing.AUTOMATIC if drawn else game.closing,
        links=Links.NEAR,
        reuse=Reuse.ONE,
        scoring=Scoring.DOTS if game.scoring is Scoring.TERRITORY else game.scoring,
        ending=Ending.FULL,
        landing=False,
        handicap=0,
        komi=0.0,
    )
