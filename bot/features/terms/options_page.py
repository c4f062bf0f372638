"""The pages of the terms panel with all other options of the rules: each with its value and what it is about.

A value that does not go with the rest is marked, and says what else it would change. Chosen, it is explained, and one
button changes everything together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from bot.features.terms.terms_menus import USUAL, Menu
from bot.interactions.selects import Choice
from play.challenge.terms import Terms
from play.clock.agreement import parse_play_out, play_out_text
from play.ids import Millis
from presentation.terms.option_phrases import phrase
from presentation.terms.terms_text import option_line, play_out_line
from presentation.words.words import Words
from rules.dots.choices import CHOICES
from rules.fitting import fit
from rules.game import AnyGame, BadOption
from rules.registry import GAMES

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
