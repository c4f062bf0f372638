"""The presets of Dots, each a named value (docs/rules.md, The presets)."""

from __future__ import annotations

from rules.dots.game import Dots
from rules.dots.options import Closing, Ending, Links, Measure, Scoring, Setup, Win

WIDTH, HEIGHT = 39, 32
"""The squared page of a copybook, in crossings."""

PRESETS = (
    Dots("zagram", WIDTH, HEIGHT, Setup.CROSS),
    Dots("zagram-territory", WIDTH, HEIGHT, Setup.CROSS, closing=Closing.DRAWN),
    Dots("zagram-no-territory", WIDTH, HEIGHT, Setup.CROSS, ending=Ending.PLAY_OUT),
    Dots("sport", WIDTH, HEIGHT, Setup.CROSS, measure=Measure.LENGTH, landing=True),
    Dots(
        "sport-territory",
        WIDTH,
        HEIGHT,
        Setup.CROSS,
        closing=Closing.PAINTED,
        scoring=Scoring.TERRITORY,
        landing=True,
    ),
    Dots("sport-blitz", WIDTH, HEIGHT, Setup.CROSS, measure=Measure.LENGTH, landing=True),
    Dots("classic", WIDTH, HEIGHT, Setup.CROSS, ending=Ending.PLAY_OUT),
    Dots("paper", WIDTH, HEIGHT, Setup.EMPTY, closing=Closing.DRAWN, ending=Ending.GROUND),
    Dots("two-squares", WIDTH, HEIGHT, Setup.EMPTY, closing=Closing.DRAWN, links=Links.FAR),
    Dots("quick", 15, 15, Setup.CROSS, win=Win(5)),
    Dots("three", 30, 30, Setup.EMPTY, seats=3),
    Dots("four", 30, 30, Setup.EMPTY, seats=4),
)
