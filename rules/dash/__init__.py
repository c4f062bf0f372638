"""Dot Dash, a game by Phil Leduc (2012): dash across the field, leave a row of stones behind, hold more fives.

The author allows the rules to be copied. Programmers of the game are asked to write to the author for permission. So
the rules are told here in our own words, and the author's name appears wherever the game is shown. On a public bot its
operator must switch it on.
"""

from rules.dash.board import Five
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
