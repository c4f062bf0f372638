"""The menus of the terms panel: the values of each setting, and what a choice changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.features.challenges.terms_text import AGREED
from bot.i18n.words import Words
from bot.interactions.selects import Choice
from play.challenge.terms import Order, Terms
from play.clock import Speed, parse_control
from play.clock.agreement import NO_AGREEMENT
from rules.game import AnyGame, RuleError
from rules.registry import GAMES

SIZES = ("9x9", "13x13", "15x15", "19x19", "20x20", "25x25", "30x30", "39x32")
STARTS = ("cross", "empty", "double", "four", "random", "random-double")
CLOCKS = (
    "1d",
    "2d",
    "3d",
    "7d",
    "14d",
    "5m+10s",
    "10m+30s",
    "30m+1m",
    "10m+30s max 15m",
    "10m/30s",
    "5s random",
    "none",
)


class Menu(NamedTuple):
    """The choices of a setting, of which one holds, or `several` may; Discord shows `hint` where none is chosen."""

    field: str
    hint: str
    choices: list[Choice]
    several: bool = False


def menus(draft: Terms, presets: Sequence[str], challenger: str, words: Words) -> Iterator[Menu]:
    """Returns the menus of a draft: its own rules and those of `presets` can be chosen.

    `challenger` is the name of the player who may move first or last.
    """
    game, options = draft.game, draft.game.options
    keys = presets if game.key in presets else [game.key, *presets]
    rules = [Choice(key, words("card.rules", rules=words(f"preset.{key}.name")), key == game.key) for key in keys]
    yield Menu("rules", words("terms.rules"), rules)
    sizes = [
        Choice(size, words("option.size", value=size.replace("x", "×")), size == options["size"])
        for size in dict.fromkeys((options["size"], *_possible_values(game, "size", SIZES)))
    ]
    yield Menu("size", words("terms.size"), sizes)
    if len(possible := _possible_values(game, "start", STARTS)) > 1:
        starts = [Choice(start, words(f"option.start.{start}"), start == options["start"]) for start in possible]
        yield Menu("start", words("terms.start"), starts)
    controls = {str(control): control for control in (draft.control, *map(parse_control, CLOCKS))}
    clocks = [
        Choice(text, words("card.clock", clock=words.control(control)), text == str(draft.control))
        for text, control in controls.items()
    ]
    yield Menu("clock", words("terms.clock"), clocks)
    orders = [
        Choice(order.value, words(f"card.order.{order}", challenger=challenger), order is draft.order)
        for order in Order
    ]
    yield Menu("order", words("terms.order"), orders)
    if draft.control.speed is Speed.DAYS:
        agreed = [Choice(each, words(f"agreed.{each}"), getattr(draft.agreement, each)) for each in AGREED]
        yield Menu("agreed", words("terms.agreed"), agreed, several=True)


def apply_choice(draft: Terms, field: str, *values: str) -> Terms:
    """Returns the draft with other values of a setting.

    Raises KeyError, ValueError or TypeError for values that no menu offers, and Refused or RuleError for those that the
    rules refuse.
    """
    return _CHANGES[field](draft, *values)


def _possible_values(game: AnyGame, option: str, values: tuple[str, ...]) -> list[str]:
    """Returns the values that the option may have in this game."""

    def is_possible(value: str) -> bool:
        try:
            game.with_options({option: value})
        except RuleError:
            return False
        return True

    return [value for value in values if is_possible(value)]


def _set_option(option: str) -> Callable[..., Terms]:
    return lambda draft, value: replace(draft, game=draft.game.with_options({option: value}))


_CHANGES: dict[str, Callable[..., Terms]] = {
    "rules": lambda draft, key: replace(draft, game=GAMES[key]),
    "size": _set_option("size"),
    "start": _set_option("start"),
    "clock": lambda draft, text: replace(draft, control=parse_control(text)),
    "order": lambda draft, order: replace(draft, order=Order(order)),
    "rated": lambda draft: replace(draft, rated=not draft.rated),
    "agreed": lambda draft, *agreed: replace(
        draft, agreement=replace(NO_AGREEMENT, **dict.fromkeys(agreed, True), play_out=draft.agreement.play_out)
    ),
}
