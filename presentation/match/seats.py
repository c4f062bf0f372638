"""The seats of a match: the colours of their dots, as signs and in words."""

from __future__ import annotations

from presentation.words.words import Words
from renderer.theme import PAPER, THEMES, Ink, Shape

DISCS = {
    "red": "🔴",
    "crimson": "🔴",
    "orange": "🟠",
    "yellow": "🟡",
    "green": "🟢",
    "blue": "🔵",
    "violet": "🟣",
    "pink": "🟣",
    "brown": "🟤",
}
"""The emoji nearest to each colour of a dot."""

SQUARES = {"blue": "🟦"}
"""Those of the colours that square dots have."""


def emblem(theme: str, seat: int) -> str:
    """Returns the sign of a seat."""
    return sign(_ink(theme, seat))


def sign(ink: Ink) -> str:
    """Returns the emoji of the dots in an ink."""
    return SQUARES[ink.name] if ink.shape is Shape.SQUARE else DISCS[ink.name]


def colour_name(theme: str, seat: int, words: Words) -> str:
    """Returns the colour of a seat's dots in words."""
    return words(f"colour.{_ink(theme, seat).name}")


def _ink(theme: str, seat: int) -> Ink:
    return THEMES.get(theme, PAPER).inks[seat]
