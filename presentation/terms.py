"""Rules and terms in words: options as players type them (`extra move, 10 ahead`), a line for each setting, those of a
ladder."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from play.challenge.pool import pool_of, worth
from play.challenge.terms import Order, Terms
from play.clock.agreement import NO_LIMIT
from play.competitions.ladder import MAX_IDLE_MILLIS, MAX_STEP, Ladder
from play.ids import DAY
from play.refusal import Reason, Refused
from presentation.markup import Markup
from presentation.words.words import Words
from rules.dots.options import CHOICES
from rules.game import AnyGame, Opening
from rules.registry import GAMES

MAX_TYPED = 100
"""Characters of typed options: as many as a suggestion may have."""

MAX_SUGGESTIONS = 25

RANDOM: Final = ("random", "random-double")
_USUAL_DOTS: Final = (5, 10, 15)
_WIN: Final = ("captured", "ahead")
_NUMBER = re.compile(r"\d{1,3}")

Changes = dict[str, str]

ALWAYS_SHOWN = ("size", "start")
"""The other options go with the rules, and are shown where they differ from them. The board shows its set-up."""

AGREED = ("quiet", "weekends", "vacation")
"""The fields of an agreement on when the clocks stop."""

MAX_PLACES = 30
"""Places that are shown."""


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
    return ", ".join(words.code(text) for text, _ in _phrases(words, None))


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
        lines["start"] = opening_line(game.opening, words)
    return lines


def opening_line(opening: Opening, words: Words) -> str:
    """Returns at which position a game begins."""
    return words("card.opening", number=opening.move) if opening.move else words("card.set_up")


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


def compare(now: dict[str, str], before: dict[str, str], markup: Markup) -> list[str]:
    """Returns the lines as a list. A changed one is marked, behind the old one, which is struck through."""
    lines = []
    for setting in dict.fromkeys((*now, *before)):
        new, old = now.get(setting, ""), before.get(setting, "")
        if new == old:
            lines.append(markup.item(new))
        else:
            lines.append(markup.item(f"✏️ {markup.changed(old, new)}"))
    return lines


def rules_name(preset: str, rule_set: str | None, words: Words) -> str:
    """Returns the name of rules."""
    name = words(f"preset.{preset}.name")
    if rule_set is None:
        return name
    return words("sets.named", name=words.literal(rule_set), rules=name)


def rules_lines(ladder: Ladder, words: Words) -> list[str]:
    """Returns the terms of the games, and the rules."""
    lines = [words.markup.item(line) for key, line in describe_terms(ladder.terms, "", words).items() if key != "order"]
    lines += [words("ladder.rules", count=MAX_STEP), words("ladder.idle", count=MAX_IDLE_MILLIS // DAY)]
    return [*lines, words("ladder.busy")] if ladder.duels else lines
