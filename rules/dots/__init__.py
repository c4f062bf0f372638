"""Dots (Kropki, Точки): surround the other's dots with a closed chain of your own."""

from rules.dots.game import Dots, Setup
from rules.dots.position import DotsPosition
from rules.dots.turn import Turn

__all__ = ["Dots", "DotsPosition", "Setup", "Turn"]
