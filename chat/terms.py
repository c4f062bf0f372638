"""Terms of a challenge as people type them: `zagram 20x20, 3d, rated`, in any of the languages and any order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from chat.request import Request
from opponent.choice import DEFAULT_LEVEL, LEVELS
from play.challenge.terms import Order, Owner, Terms, parse_window, with_name
from play.clock import TimeControl, parse_control
from play.refusal import Reason, Refused
from presentation.offered_rules import OfferedRules, find_rules, list_rules, require_offered, usual_terms
from presentation.terms import all_phrases, read_options
from presentation.typed import meanings, typed_time
from rules.game import BadOption, RuleError, parse_size
from rules.registry import make_game, with_seats

MAX_TYPED = 200
"""Characters of typed terms."""

MAX_SPAN = 7
"""Words that one setting has at most: the longest name of rules, and a clock with its units apart."""

WORDS: Final = ("rated", "unrated", "computer", "first", "last", "anyone")
"""Words of their own that terms may have; `typed.<word>` lists them in each language."""

_SIZE = re.compile(r"\d{1,2}\s*[x×х*]\s*\d{1,2}|\d{1,2}", re.IGNORECASE)
_SEATS = re.compile(r"([34])\s*\D*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Terms that were typed, and whether they name the computer."""

    terms: Terms
    computer: bool = False


async def default_terms(request: Request) -> Terms:
    """Returns the terms of the person's settings, else those of the group's, else the first ones."""
    return usual_terms(await request.settings(), await request.group())


async def offered_rules(request: Request) -> list[OfferedRules]:
    """Returns the rules that can be chosen here."""
    owners = [Owner(request.user), *([Owner(guild=request.guild)] if request.guild else [])]
    own = await request.use_cases.rule_sets.of(*owners)
    return list_rules(request.services.presets, await request.group(), own, await request.words())


async def name_rules(request: Request, terms: Terms) -> Terms:
    """Returns terms with the name that their rules have for the person."""
    owners = [Owner(request.user), *([Owner(guild=request.guild)] if request.guild else [])]
    return with_name(terms, await request.use_cases.rule_sets.of(*owners), await default_terms(request))


async def read_terms(request: Request, typed: str, base: Terms | None = None) -> Wanted:
    """Returns the terms that a text names, over the person's defaults or the `base`.

    Raises Refused (`bad_part` with the part that names nothing, `no_dot_dash`) and BadOption.
    """
    reader = _Reader(request, await offered_rules(request), base or await default_terms(request))
    if len(typed) > MAX_TYPED:
        raise Refused(Reason.BAD_PART, part=typed, choices=all_phrases(await request.words()))
    for part in filter(None, map(str.strip, re.split(r"[,;\n]", typed))):
        await reader.read(part.split())
    terms = reader.wanted()
    require_offered(await request.group(), terms.game)
    return Wanted(terms, computer=terms.level is not None)


class _Reader:
    """Reads settings from the left, each as the longest row of words that names one."""

    def __init__(self, request: Request, offered: Sequence[OfferedRules], base: Terms) -> None:
        self._request = request
        self._offered = offered
        self._terms = base
        self._control: TimeControl | None = None
        self._options: dict[str, str] = {}
        self._seats: int | None = None
        self._readers: tuple[Callable[[str], bool], ...] = (
            *(self._rules, self._size, self._seat_count, self._word, self._clock, self._window, self._level),
            self._option,
        )

    async def read(self, words: Sequence[str]) -> None:
        """Reads all settings of a part. Raises Refused (`bad_part`)."""
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + MAX_SPAN), start, -1):
                text = " ".join(words[start:end])
                if any(read(text) for read in self._readers):
                    start = end
                    break
            else:
                spoken = await self._request.words()
                raise Refused(Reason.BAD_PART, part=words[start], choices=all_phrases(spoken))

    def wanted(self) -> Terms:
        """Returns the terms that were read. Raises BadOption."""
        terms = self._terms
        seats = self._seats
        if seats is not None and terms.game.seats != seats:
            made_for = [each for each in self._offered if each.game.seats == seats and each.rule_set is None]
            terms = made_for[0].put_into(terms) if made_for else replace(terms, game=with_seats(terms.game, seats))
        if self._control is not None:
            terms = replace(terms, control=self._control)
        return replace(terms, game=terms.game.with_options(self._options)) if self._options else terms

    def _rules(self, text: str) -> bool:
        try:
            found = find_rules(text, self._offered, self._request.services.presets, self._request.services.languages)
        except Refused as refused:
            if refused.key is Reason.NO_DOT_DASH:
                raise
            return False
        self._terms = found.put_into(self._terms)
        return True

    def _size(self, text: str) -> bool:
        if not _SIZE.fullmatch(text):
            return False
        try:
            game = make_game(self._terms.game.key, {"size": text.lower().replace("х", "x").replace("×", "x")})
        except RuleError:
            return False
        self._options["size"] = game.options["size"]
        return parse_size(self._options["size"]) is not None

    def _clock(self, text: str) -> bool:
        try:
            self._control = parse_control(typed_time(text))
        except Refused:
            return False
        return True

    def _window(self, text: str) -> bool:
        try:
            self._terms = replace(self._terms, window=parse_window(text))
        except Refused:
            return False
        return True

    def _word(self, text: str) -> bool:
        meaning = meanings({word: word for word in WORDS}).get(text.casefold())
        match meaning:
            case "rated" | "unrated":
                self._terms = replace(self._terms, rated=meaning == "rated")
            case "computer":
                self._terms = replace(self._terms, level=self._terms.level or DEFAULT_LEVEL, rated=False)
            case "first" | "last":
                self._terms = replace(self._terms, order=Order(meaning))
            case "anyone":
                pass
            case _:
                return False
        return True

    def _level(self, text: str) -> bool:
        """Reads *computer 3*, or the name of a level."""
        word, _, number = text.rpartition(" ")
        known = meanings({"computer": "computer"})
        if word.casefold() in known and number.isdigit() and int(number) in {level.number for level in LEVELS}:
            self._terms = replace(self._terms, level=int(number), rated=False)
            return True
        for level in LEVELS:
            if text.casefold() in _level_names(self._request, level.number):
                self._terms = replace(self._terms, level=level.number, rated=False)
                return True
        return False

    def _seat_count(self, text: str) -> bool:
        found = _SEATS.fullmatch(text)
        if found is None or text.isdigit():
            return False
        known = {f"{count} {word}" for count in "34" for word in meanings({"players": ""})}
        if text.casefold() not in known:
            return False
        self._seats = int(found[1])
        return True

    def _option(self, text: str) -> bool:
        if text.isdigit():
            return False
        for words in self._request.services.languages:
            try:
                self._options |= read_options(text, words.plain, self._request.services.languages.of().plain)
            except (Refused, BadOption):
                continue
            return True
        return False


def _level_names(request: Request, number: int) -> Iterator[str]:
    for words in request.services.languages:
        yield words.plain(f"level.{number}").casefold()
