"""The challenge card: every setting of the offered match in words, and what became of the offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.names import escaped
from play.challenge import Challenge, ChallengeState, Terms
from rules.registry import GAMES

if TYPE_CHECKING:
    from bot.names import Names
    from bot.words import Words

TITLE_LONGEST = 100
"""Discord's limit for the name of a thread."""


ALWAYS_SHOWN = ("size", "start")
"""The other options go with the rules, and are shown where they differ from them. A set-up the board shows."""


def settings(terms: Terms, words: Words) -> list[str]:
    """The terms, one line a setting."""
    game, preset = terms.game, GAMES[terms.game.key]
    lines = [words("card.rules", rules=words(f"preset.{game.key}.name"))]
    for option, value in game.options.items():
        if option in ALWAYS_SHOWN or value != preset.options.get(option, value):
            lines.append(_setting(option, value, words))
    lines.append(words("card.clock", clock=words.control(terms.control)))
    return lines


def _setting(option: str, value: str, words: Words) -> str:
    """An option by its value and the number in it: `option.start.cross`, or `option.win.captured` with 5."""
    number, name = value.partition(" ")[::2] if value[0].isdigit() else ("", value)
    number = number.replace("x", "×")
    if name:
        return words(f"option.{option}.{name}", value=number)
    return words(f"option.{option}", value=number)


async def card(challenge: Challenge, names: Names, words: Words) -> str:
    """The text of a challenge's message, whatever its state."""
    challenger = escaped(await names.of(challenge.challenger, challenge.guild))
    if challenge.opponent is None:
        head = words("card.open", challenger=challenger)
    elif challenge.state is ChallengeState.OPEN:
        head = words("card.personal", challenger=challenger, opponent=f"<@{challenge.opponent}>")
    else:
        opponent = escaped(await names.of(challenge.opponent, challenge.guild))
        head = words("card.personal", challenger=challenger, opponent=f"**{opponent}**")
    lines = [head, *(f"- {line}" for line in settings(challenge.terms, words))]
    if challenge.state is ChallengeState.OPEN:
        lines.append(f"-# {words(f'preset.{challenge.terms.game.key}.help')}")
        lines.append(words("card.expires", when=f"<t:{challenge.expires // 1000}:R>"))
    else:
        lines.append(words(f"card.state.{challenge.state}"))
    return "\n".join(lines)


def pinged(challenge: Challenge) -> discord.AllowedMentions:
    """Nobody but the person who is asked."""
    users = [discord.Object(challenge.opponent)] if challenge.opponent else []
    return discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)
