"""A year in dots in words: the card of a player, and that of a server."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from typing import Final

from play.community.year import OwnYear, ServerYear
from play.ids import HOUR, MINUTE, Millis, UserId
from play.records.openings import Opening
from presentation.words.words import Words
from renderer.year import Diagram, Fact, YearCard

MAX_TEXT: Final = 1000
"""Characters of a picture's description, as chats take it."""


def own_year_card(year: OwnYear, name: str, words: Words, friend: str | None = None) -> YearCard:
    """Returns the card of a player's year. A `friend` is named on what its player alone sees."""
    return YearCard(
        name,
        words("year.title", year=year.year),
        words.number(year.tally.games),
        words("year.games", count=year.tally.games),
        [*_own_facts(year, words, friend)],
        None if year.opening is None else _diagram(year.opening),
        words("year.opening", games=words.number(year.openings)) if year.opening else "",
    )


def _own_facts(year: OwnYear, words: Words, friend: str | None) -> Iterator[Fact]:
    tally = year.tally
    if tally.games:
        results = words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)
        yield Fact(words("year.results"), results, wide=True)
    for key, games in year.rules:
        yield Fact(words(f"preset.{key}.name"), f"{words.number(games)} {words('year.games', count=games)}")
    if year.longest:
        yield Fact(words("year.longest"), words.number(year.longest))
    if year.capture:
        yield Fact(words("year.capture"), words("year.dots", count=year.capture))
    if year.best is not None:
        yield Fact(words("year.best"), f"{year.best:.0f}")
    if year.live:
        yield Fact(words("year.live"), _span(year.live, words))
    if year.puzzles:
        yield Fact(words("year.puzzles"), words.number(year.puzzles))
    if year.friend is not None and friend is not None:
        yield Fact(words("year.friend"), words.number(year.friend[1]), wide=True, names=(friend,))


def _span(live: int, words: Words) -> str:
    """Returns how long a player has played: in hours, and below one in minutes."""
    if live >= HOUR:
        return words("year.hours", count=round(live / HOUR))
    return words.duration(Millis(max(1, live // MINUTE) * MINUTE))


def _diagram(opening: Opening) -> Diagram:
    """Returns the part of the board around the dots of an opening."""
    across, up = [dot.x for dot in opening.dots], [dot.y for dot in opening.dots]
    left, bottom = min(across) - 1, min(up) - 1
    box = left, bottom, max(across) + 1 - left, max(up) + 1 - bottom
    return Diagram(box, tuple((dot.x, dot.y, int(dot.seat)) for dot in opening.dots))


def server_year_card(year: ServerYear, name: str, words: Words, names: Mapping[UserId, str]) -> YearCard:
    """Returns the card of a server's year, with the `names` of those whom it may name."""
    return YearCard(
        name,
        words("year.title", year=year.year),
        words.number(year.games),
        words("year.games", count=year.games),
        [*_server_facts(year, words, names)],
    )


def _server_facts(year: ServerYear, words: Words, names: Mapping[UserId, str]) -> Iterator[Fact]:
    if year.players:
        yield Fact(words("year.players"), words.number(year.players))
    if year.busiest is not None:
        day, games = year.busiest
        noon = Millis(int(datetime.combine(day, time(12), UTC).timestamp()) * 1000)
        yield Fact(words("year.busiest"), f"{words.date(noon)} · {words.number(games)}")
    if year.capture is not None:
        user, dots = year.capture
        yield Fact(words("year.capture"), words("year.dots", count=dots), wide=True, names=(names[user],))
    for each in year.champions:
        label = words("year.champion", tournament=words.literal(each.tournament))
        yield Fact(label, "", wide=True, names=(names[each.user],))
    for pair in year.pairs:
        both = names[pair.one], names[pair.other]
        yield Fact(words("year.pair"), words.number(pair.games), wide=True, names=both)


def named_in(year: ServerYear) -> list[UserId]:
    """Returns those whom the card of a server names."""
    pairs = (user for pair in year.pairs for user in (pair.one, pair.other))
    capture = () if year.capture is None else (year.capture[0],)
    return [*dict.fromkeys((*capture, *(each.user for each in year.champions), *pairs))]


def describe_year(card: YearCard, words: Words) -> str:
    """Returns the card as a text, for those who do not see it."""
    facts = (f"{fact.label}: {fact.told}" for fact in card.facts)
    told = ". ".join((f"{card.name}: {card.title}", f"{card.number} {card.unit}", *facts))
    return words("year.alt", told=told)[:MAX_TEXT]
