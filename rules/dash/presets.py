"""The ways in which Dot Dash is offered, once an operator has switched it on."""

from __future__ import annotations

from rules.dash.game import Dash, Variant

PRESETS = (
    Dash("dot-dash"),
    Dash("dot-dash-frozen", variant=Variant.FROZEN),
    Dash("dot-dash-sacrifice", variant=Variant.SACRIFICE),
)
