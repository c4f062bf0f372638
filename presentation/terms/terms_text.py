"""Rules and terms in words, one line a setting, and which of them have changed."""

from __future__ import annotations

from play.challenge.handicap import worth
from play.challenge.pool import pool_of
from play.challenge.terms import Order, Terms
from play.clock.agreement import NO_LIMIT
from play.refusal import Refused
from presentation.terms.option_phrases import RANDOM, phrase
from presentation.words.words import Words
from rules.game import AnyGame
from rules.registry import GAMES

ALWAYS_SHOWN = ("size", "start")
"""The other options go with the rules, and are shown where they differ from them. The board shows its set-up."""

AGREED = ("quiet", "weekends", "vacation")
"""The fields of an agreement on when the clocks stop."""


def describe_terms(terms: Terms, challenger: str, words: Words) -> dict[str, str]:
    """Returns a line for each setting; `challenger` is the escaped name of the player who may move first or last."""
    lines = describe_rules(terms.game, terms.rule_set, words)
    lines["clock"] = words("card.clock", clock=words.control(terms.control))
    lines["order"] = order_line(_turn_order(terms), terms.game.seats, challenger, words)
    agreement = terms.agreement
    for agreed in AGREED:
        if getattr(agreement, agreed):
            lines[agreed] = words(f"agreed.{agreed}")
    if agreement.play_out is not None:
        lines["play_out"] = play_out_line(terms, words)
    if terms.level is not None:
        lines["level"] = words("card.level", level=level_label(terms.level, words))
    lines["rated"] = _rating_line(terms, words)
    if terms.window:
        lines["window"] = words("card.window", least=terms.window.least, most=terms.window.most)
    return lines


def order_line(order: Order, seats: int, challenger: str, words: Words) -> str:
    """Returns who moves first or, of several, last; of two, the last one is the second."""
    key = "second" if order is Order.LAST and seats == 2 else order
    return words(f"card.order.{key}", challenger=challenger)


def level_label(level: int, words: Words) -> str:
    """Returns a level of the computer by its number and name, so that typing either finds it."""
    return f"{level} · {words(f'level.{level}')}"


def describe_rules(game: AnyGame, rule_set: str | None, words: Words) -> dict[str, str]:
    """Returns a line for the rules, which may be those of a named rule set, and for each option that departs."""
    preset = GAMES[game.key].options
    lines = {"rules": words("card.rules", rules=rules_name(game.key, rule_set, words))}
    for option, value in game.options.items():
        if option in ALWAYS_SHOWN or value != preset.get(option, value):
            lines[option] = option_line(option, value, words)
    if game.opening is not None:
        lines["start"] = words("card.opening", number=game.opening.move)
    return lines


def _turn_order(terms: Terms) -> Order:
    """Returns when the challenger moves, also in a game of two that begins with a turn of the second player."""
    begins_with_second = terms.game.opening is not None and terms.game.start(0).to_act != 0
    swapped = {Order.FIRST: Order.LAST, Order.LAST: Order.FIRST}
    return swapped.get(terms.order, terms.order) if begins_with_second else terms.order


def play_out_line(terms: Terms, words: Words) -> str:
    """Returns how long playing out may take."""
    if terms.time_to_play_out == NO_LIMIT:
        return words("card.play_out.none")
    return words("card.play_out", duration=words.duration(terms.time_to_play_out))


def _rating_line(terms: Terms, words: Words) -> str:
    """Returns in which pool the game is rated, or why it is not."""
    if not terms.rated:
        return words("card.unrated")
    try:
        pool = pool_of(terms.game, terms.control, computer=terms.level is not None)
    except Refused as refused:
        details = dict(refused.details)
        if "option" in details:
            details["option"] = words(f"called.{details['option']}")
        return words(f"card.{refused.key}", **details)
    points, name = worth(terms.game), words(f"pool.{pool}")
    return words("card.rated_handicap", points=f"{points:.0f}", pool=name) if points else words("card.rated", pool=name)


def option_line(option: str, value: str, words: Words) -> str:
    """Returns an option by its value and the number in it: `option.start.cross`, or `option.win.captured` with 5."""
    number, name = value.partition(" ")[::2] if value[0].isdigit() else ("", value)
    number = number.replace("x", "×")
    if name:
        return words(f"option.{option}.{name}", value=number)
    return words(f"option.{option}", value=number)


def rules_help(game: AnyGame, words: Words) -> str:
    """Returns what the rules are about, with the size and the start that are in force."""
    options = game.options
    start = options.get("start", "")
    if start in RANDOM:
        start = phrase("start", options, words)
    elif start:
        start = words(f"start.{start}")
    return words(f"preset.{game.key}.help", size=options["size"].replace("x", "×"), start=start)


def compare(now: dict[str, str], before: dict[str, str]) -> list[str]:
    """Returns the lines as a list. A changed one is marked, behind the old one, which is struck through."""
    lines = []
    for setting in dict.fromkeys((*now, *before)):
        new, old = now.get(setting, ""), before.get(setting, "")
        if new == old:
            lines.append(f"- {new}")
        else:
            lines.append("- ✏️ " + " ".join((*([f"~~{old}~~"] if old else ()), *([f"**{new}**"] if new else ()))))
    return lines


def rules_name(preset: str, rule_set: str | None, words: Words) -> str:
    """Returns the name of rules."""
    name = words(f"preset.{preset}.name")
    if rule_set is None:
        return name
    return words("sets.named", name=words.literal(rule_set), rules=name)
