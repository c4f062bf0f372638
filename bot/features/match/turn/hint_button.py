"""*Play it* under a hint."""

from __future__ import annotations

from bot.features.match.actions.endings import Land, Stop, parse_call
from bot.features.match.button import MatchButton
from bot.features.match.turn.keypad import PlayButton
from bot.interactions import custom_ids as ids
from play.match.match import Match
from play.turns import MAX_CODE, encode
from presentation.words.words import Words


class PlayHint(PlayButton, id=ids.PLAY_HINT):
    """Plays a hinted turn. To press it is to confirm it: the hint has shown the turn and its effect."""


def hint_buttons(match: Match, turn: str, words: Words) -> list[MatchButton]:
    """Returns the button that plays a hinted turn; none for a turn that is too long for a button."""
    if call := parse_call(match, turn):
        return [(Stop if call == "stop" else Land).to(match, words)]
    code = encode(match, turn, MAX_CODE)
    return [PlayHint.at(match, words("hint.play"), code=code)] if code else []


BUTTONS: tuple[type[MatchButton], ...] = (PlayHint,)
