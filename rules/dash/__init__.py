"""Dot Dash, a game by Phil Leduc (2012): dash across the field, leave a row of stones behind, hold more fives.

The author lets the rules be copied and asks those who program the game to write to him for permission. So they stand
here in our own words, his name belongs beside the game wherever it is shown, and on a public bot its operator must
switch it on.
"""

from rules.dash.fives import Five
from rules.dash.game import PRESETS, Dash
from rules.dash.position import DashPosition
from rules.dash.rules import DashRules, Variant
from rules.dash.turn import Choice, Move, Opening, Phase, Turn

__all__ = [
    "PRESETS",
    "Choice",
    "Dash",
    "DashPosition",
    "DashRules",
    "Five",
    "Move",
    "Opening",
    "Phase",
    "Turn",
    "Variant",
]
