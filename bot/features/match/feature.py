"""The commands, components and forms of a game in its channel."""

from __future__ import annotations

from bot.features.match import action_commands, commands, moderation_commands
from bot.features.match.actions import after_game, clocks, conditional_moves, endings, offers, rematch, vacations
from bot.features.match.board import more_panel, open_games, web_button
from bot.features.match.turn import hint_button, keypad, point_form, typed_moves
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: (
        *commands.commands(words),
        *action_commands.commands(words),
        *moderation_commands.commands(words),
    ),
    components=(
        point_form.TypePoint,
        *keypad.BUTTONS,
        *hint_button.BUTTONS,
        *more_panel.BUTTONS,
        *offers.BUTTONS,
        *endings.BUTTONS,
        *clocks.BUTTONS,
        *conditional_moves.BUTTONS,
        *vacations.BUTTONS,
        *rematch.BUTTONS,
        *after_game.BUTTONS,
        *open_games.BUTTONS,
        *web_button.BUTTONS,
    ),
    forms=(*typed_moves.FORMS, *conditional_moves.FORMS),
)
ACTIVITY = Feature(commands=lambda words, _presets: web_button.commands(words))
