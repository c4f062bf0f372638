"""What a ladder game changes, and what declining it costs, as its card says it."""

from __future__ import annotations

from bot.services.names import Names
from play.challenge.challenge import Challenge
from play.competitions.ladder import Ladder, has_to_answer
from play.ids import UserId
from presentation.text import escape
from presentation.words.words import Words


async def stake_lines(ladder: Ladder, challenge: Challenge, names: Names, words: Words) -> list[str]:
    """Returns what a win changes on the ladder, and what declining or no answer costs until when."""
    opponent = challenge.opponent
    assert opponent is not None, "a duel has two players"
    challenger, defender = map(escape, await names.of_all((challenge.challenger, opponent), challenge.guild))
    place, own = ladder.place(opponent), ladder.place(challenge.challenger)
    return [
        words(
            "card.stake.swap" if own == place + 1 else "card.stake.take",
            place=place,
            challenger=challenger,
            defender=defender,
        ),
        _cost_line(challenge, opponent, place, words),
    ]


def _cost_line(challenge: Challenge, opponent: UserId, place: int, words: Words) -> str:
    if has_to_answer(challenge.terms):
        when = f"{words.moment(challenge.expires)} ({words.until(challenge.expires)})"
        return words("card.stake.days", defender=f"<@{opponent}>", when=when, place=place)
    return words("card.stake.live", when=words.until(challenge.expires))
