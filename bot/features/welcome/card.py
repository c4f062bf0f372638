"""The card of first contact: what the game is, in a picture and two sentences, and three ways to begin."""

from __future__ import annotations

from functools import cache
from typing import Any

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.layout import Control, Part, files, layout
from bot.interactions.pictures import picture_file
from presentation.words.words import Words
from renderer.board import draw
from rules.registry import DEFAULT, make_game

MOVES = ("F6", "C4", "E7", "G5", "D4", "F3", "C5")
"""A short game from the cross: the first player captures a dot, and with the last move another one."""


def welcome_card(
    words: Words, *, has_computer: bool, in_private: bool = False, is_greeting: bool = False
) -> dict[str, Any]:
    """Returns the card, as a message takes it once.

    A direct message offers no challenge: there is no opponent in it. The greeting of a new server tells of home posts.
    """
    picture = picture_file(draw_welcome(), "kropka-welcome", words("welcome.picture"))
    buttons: list[Control] = []
    if has_computer:
        buttons.append(button(ids.NEWCOMER(), words("welcome.play"), discord.ButtonStyle.primary))
    buttons.append(button(ids.PATH(chapter=0), words("welcome.learn")))
    if not in_private:
        buttons.append(button(ids.CHALLENGE_SOMEONE(), words("welcome.challenge")))
    parts: list[Part] = [picture, words("welcome.text"), buttons]
    if is_greeting:
        parts.append(f"-# {words('welcome.home')}")
    return {"view": layout(parts), "files": files(parts)}


@cache
def draw_welcome() -> bytes:
    """Draws the board after the short game, once: it is the same for all. Takes 30 ms."""
    game = make_game(DEFAULT, {"size": "9x9"})
    position = game.start(0)
    for move in MOVES:
        position = position.play(game.parse(move))
    return draw(position.picture(), None)
