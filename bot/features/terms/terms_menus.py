"""The menus of the terms panel: the values of each setting, and pages with all other options of the rules.

A value that does not go with the rest is marked, and says what else it would change. Chosen, it is explained, and one
button changes everything together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from bot.features.terms.offered_rules import MAX_CHOICES
from bot.interactions.layout import Choice
from opponent.choice import LEVELS
from play.challenge.terms import Order, Terms
from play.clock import Speed, parse_control
from play.clock.agreement import NO_AGREEMENT, parse_play_out, play_out_text
from play.ids import Millis
from play.refusal import Reason, Refused
from presentation.offered_rules import CLOCKS, OWN, SIZES, OfferedRules, offered_preset
from presentation.terms import AGREED, level_label, option_line, order_line, phrase, play_out_line
from presentation.typed import typed_time
from presentation.words.words import Words
from rules.dots.options import CHOICES
from rules.fitting import fit
from rules.game import AnyGame, BadOption, RuleError
from rules.registry import GAMES

STARTS = ("cross", "empty", "double", "four", "random", "random-double")
USUAL = "usual"
"""The value of `play_out` for the time that goes with the clock."""

_LEVELS = {str(each.number): each.number for each in LEVELS}

FIRST_PAGE: Final = "terms"
ON_FIRST_PAGE: Final = ("size", "start", "crosses")
"""The options that have their menus on the first page."""

PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "bases": ("closing", "chain", "links", "reuse", "extra-move"),
    "end": ("scoring", "ending", "play_out", "landing", "win", "seats"),
    "fair": ("handicap", "komi"),
}
"""The options of each further page. One that is listed on no page comes last on the last one."""

WINS: Final = (
    *("none", "3 captured", "5 captured", "10 captured", "15 captured", "20 captured", "30 captured"),
    *("3 ahead", "5 ahead", "10 ahead", "15 ahead", "20 ahead", "30 ahead"),
)
PLAY_OUTS: Final = ("none", "2m", "4m", "10m", "30m", "1h", "12h", "1d", "3d", "7d")
OTHER: Final = "other"
"""The value that opens a form for another number."""

LOCK: Final = "🔒 "


class Menu(NamedTuple):
    """The choices of a setting, of which one holds, or `several` may; Discord shows `hint` where none is chosen."""

    field: str
    hint: str
    choices: list[Choice]
    several: bool = False


def menus(
    draft: Terms, offered: Sequence[OfferedRules], challenger: str, words: Words, *, ordered: bool
) -> Iterator[Menu]:
    """Returns the menus of a draft's first page: its own rules and those `offered` can be chosen.

    `challenger` is the name of the player who may move first or last, if the terms are `ordered`.
    """
    game, options = draft.game, draft.game.options
    yield from _rules(game, offered, words)
    sizes = [
        Choice(size, words("option.size", value=size.replace("x", "×")), size == options["size"])
        for size in dict.fromkeys((options["size"], *_possible_values(game, "size", SIZES)))
    ]
    yield Menu("size", words("terms.size"), sizes)
    for option, values in (("start", STARTS), ("crosses", CHOICES["crosses"])):
        if option in options and len(possible := _possible_values(game, option, values)) > 1:
            note, now = words(f"explain.{option}"), options[option]
            choices = [
                Choice(value, option_line(option, value, words), value == now, note if value == now else "")
                for value in possible
            ]
            yield Menu(option, words(f"called.{option}"), choices)
    controls = {str(control): control for control in (draft.control, *map(parse_control, CLOCKS))}
    clocks = [
        Choice(text, words("card.clock", clock=words.control(control)), text == str(draft.control))
        for text, control in controls.items()
    ]
    yield Menu("clock", words("terms.clock"), clocks)
    if draft.level is not None:
        levels = [
            Choice(key, words("card.level", level=level_label(level, words)), level == draft.level)
            for key, level in _LEVELS.items()
        ]
        yield Menu("level", words("terms.level"), levels)
    if ordered:
        orders = [
            Choice(order.value, order_line(order, game.seats, challenger, words), order is draft.order)
            for order in Order
        ]
        yield Menu("order", words("terms.order"), orders)
    if draft.control.speed is Speed.DAYS:
        agreed = [Choice(each, words(f"agreed.{each}"), getattr(draft.agreement, each)) for each in AGREED]
        yield Menu("agreed", words("terms.agreed"), agreed, several=True)


def apply_choice(draft: Terms, offered: Sequence[OfferedRules], field: str, *values: str) -> Terms:
    """Returns the draft with other values of a setting.

    Raises KeyError, ValueError or TypeError for values that no menu offers, and Refused or RuleError for those that the
    rules refuse.
    """
    if field in ("rules", "own"):
        (key,) = values
        if key.startswith(OWN) and all(each.key != key for each in offered):
            raise Refused(Reason.NO_RULE_SET)
        return {each.key: each for each in offered}[key].put_into(draft)
    if field in _CHANGES:
        return _CHANGES[field](draft, *values)
    (value,) = values
    return replace(draft, game=_set_option(draft.game, field, value))


def _rules(game: AnyGame, offered: Sequence[OfferedRules], words: Words) -> Iterator[Menu]:
    """Yields the menu of rules, the draft's own among them. Own rule sets that do not fit in get a menu of theirs."""
    if not any(each.is_of(game) for each in offered):
        offered = [offered_preset(game, words), *offered]
    fitting = [each for each in offered if each.is_of(game)]
    now = min(fitting, key=lambda each: (each.rule_set is None, each.game != game))  # the size may be another one
    own = [each for each in offered if each.rule_set is not None] if len(offered) > MAX_CHOICES else []
    for field, hint, part in (
        ("own", words("sets.menu"), own),
        ("rules", words("terms.rules"), [each for each in offered if each not in own]),
    ):
        choices = [Choice(each.key, words("card.rules", rules=each.name), each is now, each.about) for each in part]
        if choices:
            yield Menu(field, hint, choices)


def _possible_values(game: AnyGame, option: str, values: Sequence[str]) -> list[str]:
    """Returns the values that the option may have in this game."""

    def is_possible(value: str) -> bool:
        try:
            _set_option(game, option, value)
        except RuleError:
            return False
        return True

    return [value for value in values if is_possible(value)]


def _set_option(game: AnyGame, option: str, value: str) -> AnyGame:
    """Returns the game with another value of an option. A start that does not allow as many crosses has one.

    Raises BadOption.
    """
    try:
        return game.with_options({option: value})
    except BadOption as error:
        if option == "start" and error.key in ("crosses_need_random", "no_room_for_crosses"):
            return game.with_options({option: value, "crosses": "1"})
        raise


def _play_out(draft: Terms, text: str) -> Terms:
    play_out = None if text == USUAL else parse_play_out(typed_time(text))
    return replace(draft, agreement=replace(draft.agreement, play_out=play_out))


def _agree(draft: Terms, *agreed: str) -> Terms:
    switches = dict.fromkeys(agreed, True)
    return replace(draft, agreement=replace(NO_AGREEMENT, **switches, play_out=draft.agreement.play_out))


_CHANGES: dict[str, Callable[..., Terms]] = {
    "clock": lambda draft, text: replace(draft, control=parse_control(typed_time(text))),
    "level": lambda draft, text: replace(draft, level=_LEVELS[text]),
    "order": lambda draft, order: replace(draft, order=Order(order)),
    "rated": lambda draft: replace(draft, rated=not draft.rated),
    "agreed": _agree,
    "play_out": _play_out,
}


class Conflict(NamedTuple):
    """A choice that does not go with the rest of a draft: its setting, why, and the draft in which it does go."""

    field: str
    reason: BadOption
    fitted: Terms | None


def page_of(field: str) -> str:
    """Returns the page on which a setting has its menu."""
    if field in ON_FIRST_PAGE or field not in ("win", "play_out", *CHOICES):
        return FIRST_PAGE
    return next((page for page, options in PAGES.items() if field in options), "end")


def pages(game: AnyGame) -> list[str]:
    """Returns the pages with options of the game."""
    return [page for page in PAGES if _options(game, page)]


def option_menus(draft: Terms, page: str, words: Words, *, seats: int | None) -> Iterator[tuple[str, Menu]]:
    """Yields the settings of a page: what each is about, and its menu, which shows what holds. Settings that depart
    from the rules are marked. `seats` is a number of players that cannot change."""
    preset = GAMES[draft.game.key].options
    for option in _options(draft.game, page):
        if option == "seats" and seats is not None:
            continue
        if option == "play_out":
            departs, choices = draft.agreement.play_out is not None, list(_play_outs(draft, words))
        else:
            departs = draft.game.options[option] != preset[option]
            choices = list(_choices(draft.game, option, words, seats))
        called = words(f"called.{option}")
        text = f"{'✏️ ' if departs else ''}**{called[:1].upper()}{called[1:]}**\n-# {words(f'explain.{option}')}"
        yield text, Menu(option, called, choices)


def find_conflict(draft: Terms, wanted: Mapping[str, str], reason: BadOption, seats: int | None = None) -> Conflict:
    """Returns why the wanted options do not go with a draft, and the draft in which they do. It belongs beside the
    option, if there is only one."""
    field = next(iter(wanted)) if len(wanted) == 1 else ""
    with suppress(BadOption):
        return Conflict(field, reason, replace(draft, game=_fit(draft.game, wanted, seats)))
    return Conflict(field, reason, None)


def changes_of(game: AnyGame, fitted: AnyGame, words: Words, *, beside: str = "") -> str:
    """Returns in a few words what is different in a fitted game, the option `beside` excepted."""
    changed = [option for option, value in fitted.options.items() if value != game.options.get(option)]
    return ", ".join(phrase(option, fitted.options, words) for option in changed if option != beside)


def _options(game: AnyGame, page: str) -> list[str]:
    """Returns the settings of a page that this game has."""
    options = [option for option in (*game.options, "play_out") if page_of(option) == page]
    listed = [option for option in PAGES[page] if option in options]
    if game.options.get("ending") != "play-out":
        options, listed = ([each for each in part if each != "play_out"] for part in (options, listed))
    return [*listed, *(option for option in options if option not in listed)]


def _choices(game: AnyGame, option: str, words: Words, seats: int | None) -> Iterator[Choice]:
    now = game.options[option]
    numbers = option == "win"
    for value in dict.fromkeys((now, *WINS)) if numbers else CHOICES[option]:
        line, note = option_line(option, value, words), ""
        try:
            fitted = _fit(game, {option: value}, seats)
        except BadOption as error:
            line, note = f"{LOCK}{line}", words(f"refused.{error.key}", **error.details)
        else:
            if also := changes_of(game, fitted, words, beside=option):
                line, note = f"{LOCK}{line}", words("terms.also", changes=also)
        yield Choice(value, line, value == now, note)
    if numbers:
        yield Choice(OTHER, words("terms.other"), False)


def _play_outs(draft: Terms, words: Words) -> Iterator[Choice]:
    def line(time: Millis | None) -> str:
        return play_out_line(replace(draft, agreement=replace(draft.agreement, play_out=time)), words)

    now = draft.agreement.play_out
    yield Choice(USUAL, words("terms.usual", usual=line(None)), now is None)
    known = map(parse_play_out, PLAY_OUTS)
    for time in sorted({*known, *([] if now is None else [now])}):
        yield Choice(play_out_text(time), line(time), time == now)
    yield Choice(OTHER, words("terms.other"), False)


def _fit(game: AnyGame, wanted: Mapping[str, str], seats: int | None) -> AnyGame:
    """Returns the game with the options and what else they change; the number of players stays where it is fixed."""
    return fit(game, {**wanted, **({} if seats is None else {"seats": game.options["seats"]})})
