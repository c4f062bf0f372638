"""Terms in words, one line a setting, and what has changed in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from play.challenge.pool import pool_of
from play.challenge.terms import Terms
from play.refusal import Refused
from rules.registry import GAMES

if TYPE_CHECKING:
    from bot.i18n.words import Words

ALWAYS_SHOWN = ("size", "start")
"""The other options go with the rules, and are shown where they differ from them. A set-up the board shows."""


def settings(terms: Terms, challenger: str, words: Words) -> dict[str, str]:
    """The terms, one line a setting; `challenger` is the escaped name of who would move first or last."""
    game, preset = terms.game, GAMES[terms.game.key]
    lines = {"rules": words("card.rules", rules=words(f"preset.{game.key}.name"))}
    for option, value in game.options.items():
        if option in ALWAYS_SHOWN or value != preset.options.get(option, value):
            lines[option] = _setting(option, value, words)
    lines["clock"] = words("card.clock", clock=words.control(terms.control))
    lines["order"] = words(f"card.order.{terms.order}", challenger=challenger)
    agreement = terms.agreement
    for agreed in ("quiet", "weekends", "vacation"):
        if getattr(agreement, agreed):
            lines[agreed] = words(f"agreed.{agreed}")
    if agreement.play_out is not None:
        lines["play_out"] = words("card.play_out", duration=words.duration(agreement.play_out))
    if terms.level is not None:
        lines["level"] = words("card.level", level=words(f"level.{terms.level}"))
    lines["rated"] = rated(terms, words)
    if terms.window:
        lines["window"] = words("card.window", least=terms.window.least, most=terms.window.most)
    return lines


def rated(terms: Terms, words: Words) -> str:
    """Whether and where the match counts, and if it cannot, why."""
    if not terms.rated:
        return words("card.unrated")
    try:
        pool = pool_of(terms.game, terms.control, computer=terms.level is not None)
    except Refused as refused:
        return words(f"card.{refused.key}", **refused.details)
    return words("card.rated", pool=words(f"pool.{pool}"))


def _setting(option: str, value: str, words: Words) -> str:
    """An option by its value and the number in it: `option.start.cross`, or `option.win.captured` with 5."""
    number, name = value.partition(" ")[::2] if value[0].isdigit() else ("", value)
    number = number.replace("x", "×")
    if name:
        return words(f"option.{option}.{name}", value=number)
    return words(f"option.{option}", value=number)


def compare(now: dict[str, str], before: dict[str, str]) -> list[str]:
    """The settings as a list in which what has changed is marked, with what it was."""
    lines = []
    for setting in dict.fromkeys((*now, *before)):
        new, old = now.get(setting, ""), before.get(setting, "")
        if new == old:
            lines.append(f"- {new}")
        else:
            lines.append("- ✏️ " + " ".join((*([f"~~{old}~~"] if old else ()), *([f"**{new}**"] if new else ()))))
    return lines
