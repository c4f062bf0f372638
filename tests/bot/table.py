"""Matches of any game that are not stored, and panels as Discord keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.interactions.layout import Part, layout
from loopback import components
from play.clock import parse_control
from play.ids import ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves as turns
from play.match.match import Match
from rules.game import AnyGame
from rules.registry import make_game
from tests.clock import MINUTE, NOON


def a_match(preset: str = "zagram", *moves: str, size: str = "9x9", start: str = "empty", control: str = "3d") -> Match:
    """Returns a match by a preset on an empty board, after `moves`; by default with days for each move."""
    options = {"size": size} if preset.startswith("dot-dash") else {"size": size, "start": start}
    return match_of(make_game(preset, options), *moves, control=control)


def match_of(game: AnyGame, *moves: str, control: str = "3d") -> Match:
    """Returns a match of `game` after `moves`, one a minute."""
    match = Match.begin(
        MatchId(12),
        guild=None,
        channel=ChannelId(1),
        parent=None,
        game=game,
        seed=0,
        players=tuple(UserId(101 + seat) for seat in range(game.seats)),
        control=parse_control(control),
        at=NOON,
    )
    for number, move in enumerate(moves):
        assert match.to_act is not None, f"{move} comes after the end"
        user = match.players[match.to_act]
        match = turns.move(match, user, move, Millis(NOON + (number + 1) * MINUTE), IdempotencyKey(number + 1))
    return match


def panel_components(parts: Sequence[Part]) -> tuple[dict[str, Any], ...]:
    """Returns the components of a panel as the stand-in keeps them. Raises where they break Discord's rules."""
    return components.validate(layout(parts).to_components(), v2=True)  # type: ignore[no-untyped-call]
