"""Options in a few words, as players type them: `extra move, 10 ahead`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from play.refusal import Reason, Refused
from presentation.words.words import Words
from rules.dots.choices import CHOICES
from rules.game import AnyGame
from rules.registry import GAMES

MAX_TYPED = 100
"""Characters of typed options; Discord's limit for a suggestion."""

MAX_SUGGESTIONS = 25

RANDOM: Final = ("random", "random-double")
_USUAL_DOTS: Final = (5, 10, 15)
_WIN: Final = ("captured", "ahead")
_NUMBER = re.compile(r"\d{1,3}")

Changes = dict[str, str]


def phrase(option: str, options: Mapping[str, str], words: Words) -> str:
    """Returns the value that `options` have of an option in a few words."""
    value = options[option]
    if option in ("start", "crosses") and options["start"] in RANDOM:
        return words(f"counted.{options['start']}", count=int(options["crosses"]))
    if option == "komi":
        return words("short.komi", value=value)
    if option in ("crosses", "seats", "handicap"):
        return words(f"counted.{option}", count=int(value))
    number, name = value.partition(" ")[::2] if value[0].isdigit() else ("", value)
    return words(f"short.{option}.{name}", value=number)


def departures(game: AnyGame, words: Words) -> str:
    """Returns in a few words what departs from the preset of a game; empty if nothing does."""
    preset, options = GAMES[game.key].options, game.options
    changed = [option for option, value in options.items() if option in preset and value != preset[option]]
    phrases = (
        options[option].replace("x", "×") if option == "size" else phrase(option, options, words) for option in changed
    )
    return ", ".join(dict.fromkeys(phrases))


def read_options(typed: str, *languages: Words) -> Changes:
    """Returns the options that a text names, several separated by commas, in one of the languages.

    Raises Refused (`bad_part`) with the `part` that names none.
    """
    changes: Changes = {}
    for part in filter(None, map(str.strip, re.split(r"[,;]", typed))):
        changes |= _read_part(part, languages)
    return changes


def complete(typed: str, words: Words) -> list[str]:
    """Returns how the last part of a typed text may end, behind the parts that are there."""
    head, comma, last = typed.rpartition(",")
    before, plain = f"{head.strip()}{comma} " if comma else "", _plain(last)
    found = [text for text, _ in _phrases(words, _number(plain)) if plain in _plain(text)]
    found.sort(key=lambda text: not _plain(text).startswith(plain))
    return [f"{before}{text}" for text in found]


def all_phrases(words: Words) -> str:
    """Returns all that can be typed, for the refusal of what cannot."""
    return ", ".join(f"`{text}`" for text, _ in _phrases(words, None))


def _read_part(part: str, languages: tuple[Words, ...]) -> Changes:
    plain = _plain(part)
    if len(part) <= MAX_TYPED:
        known = {
            **{f"{option} {value}": {option: value} for option, value in _named()},
            **{
                _plain(text): changes
                for words in reversed(languages)
                for text, changes in _phrases(words, _number(plain))
            },
        }
        if plain in known:
            return known[plain]
        for matches in (
            [text for text in known if text.startswith(plain)],
            [text for text in known if all(word in text for word in plain.split())],
        ):
            meant = {tuple(known[text].items()) for text in matches}
            if plain and len(meant) == 1:
                return dict(*meant)
    raise Refused(Reason.BAD_PART, part=part, choices=all_phrases(languages[0]))


def _phrases(words: Words, number: int | None) -> Iterator[tuple[str, Changes]]:
    """Yields each phrase with what it changes. A typed `number` may be that of an instant win."""
    for option, values in CHOICES.items():
        for value in values:
            if option == "start" and value in RANDOM:
                for count in CHOICES["crosses"]:
                    if number is not None or count == "1":
                        changes = {"start": value, "crosses": count}
                        yield phrase("start", changes, words), changes
            elif option != "crosses":
                yield phrase(option, {option: value, "start": value}, words), {option: value}
    for dots in _USUAL_DOTS if number is None else (number,):
        for name in _WIN:
            yield words(f"short.win.{name}", value=str(dots)), {"win": f"{dots} {name}"}
    yield words("short.win.none", value=""), {"win": "none"}


def _named() -> Iterator[tuple[str, str]]:
    """Yields each option with each value as the rules spell them, which is understood in every language."""
    for option, values in CHOICES.items():
        yield from ((option, value) for value in values)


def _number(plain: str) -> int | None:
    found = _NUMBER.search(plain)
    return int(found[0]) if found and int(found[0]) else None


def _plain(text: str) -> str:
    """Returns a text as it is compared: in lower case, with single spaces."""
    return " ".join(text.casefold().replace("ё", "е").split())
