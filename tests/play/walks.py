"""Matches of every preset, played by a list of turns or by chance: bases, calls, resignations, ends by time."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from play.clock import parse_control
from play.clock.agreement import parse_agreement
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.endings import STOP_WAITING, can_stop_waiting
from play.match.events import Event, EventKind
from play.match.match import Match
from rules.dots import Closing, Dots, DotsPosition, Turn
from rules.game import Seat
from rules.registry import GAMES, make_game
from tests.clock import MINUTE, NOON

if TYPE_CHECKING:
    from rules.dots.turn import Move

PRESETS = sorted(key for key, game in GAMES.items() if isinstance(game, Dots))
CONTROLS = ("3d", "10m+30s", "1h", "45s+0s", "10m/30s", "10m+30s max 15m", "5s random", "none")
AGREEMENTS = ("", "vacation", "quiet weekends play-out=10m")
NAMES = ("Аня", r"B]o\b: x", "Céline", "4")
USERS = UserId(101), UserId(102), UserId(103), UserId(104)


def random_match(key: str, chance: random.Random, size: str = "", control: str = "") -> Match:
    game = GAMES[key].with_options({"size": size or f"{chance.randint(5, 9)}x{chance.randint(5, 9)}"})
    return Match.begin(
        MatchId(5),
        guild=GuildId(7),
        channel=ChannelId(8),
        parent=None,
        game=game,
        seed=chance.getrandbits(63),
        players=USERS[: game.seats],
        control=parse_control(control or chance.choice(CONTROLS)),
        at=NOON,
        agreement=parse_agreement(chance.choice(AGREEMENTS)),
    )


def played(*texts: str, game: str = "zagram", size: str = "7x6", control: str = "1h", start: str = "stones") -> Match:
    """Returns a match in which players play the texts in turn, a minute each. `resign` and `time` are not moves."""
    match = replace(random_match(game, random.Random(1), size, control), seed=5)
    rules = make_game(game, {"size": size, "start": start})
    match = replace(match, game=rules, position=rules.start(5))
    for text in texts:
        assert match.to_act is not None
        kind = EventKind(text) if text in set(EventKind) else EventKind.MOVE
        at = Millis(match.clock.since + MINUTE)
        seat = Seat(1 - match.to_act) if text == "stop-waiting" else match.to_act
        match = match.after(Event(kind, seat, text if kind is EventKind.MOVE else "", at, None))
    return match


def walk(match: Match, chance: random.Random, turns: int) -> Match:
    """Returns the match up to `turns` later. One event in twenty is no move, and one in a hundred ends the match."""
    at = match.clock.since
    for _ in range(turns):
        if match.to_act is None:
            break
        at = Millis(at + chance.choice((-3, 0, 7, 1500, 40_000)))
        odd = chance.random()
        if odd < 0.005:
            event = Event(EventKind.RESIGN, Seat(chance.randrange(match.game.seats)), "", at, None)
        elif odd < 0.01:
            event = Event(EventKind.TIME, match.to_act, "", at, None)
        elif odd < 0.05:
            event = talk(match, chance, at)
        elif odd < 0.055 and can_stop_waiting(match.position):
            event = Event(EventKind.MOVE, Seat(1 - match.to_act), STOP_WAITING, at, None)
        else:
            kind = chance.choice((EventKind.MOVE, EventKind.MOVE, EventKind.RANDOM, EventKind.PLANNED))
            event = Event(kind, match.to_act, str(turn(match, chance)), at, None)
        match = match.after(event)
    return match


def talk(match: Match, chance: random.Random, at: Millis) -> Event:
    """Returns an event other than a move."""
    seat = Seat(chance.randrange(match.game.seats))
    moved = any(move.seat == seat for move in match.moves)
    possible = [
        (EventKind.GIVE, "60000"),
        (EventKind.EXTEND, "5000"),
        (EventKind.AWAY, str(at + 99)),
        (EventKind.OFFER, "draw"),
    ]
    possible += [(EventKind.OFFER, "pause 5000")] + [(EventKind.OFFER, "takeback")] * 3 * moved
    for offer in match.offers:
        if seat not in offer.agreed and not offer.declined:
            possible += [(EventKind.AGREE, offer.kind.value)] * 5 + [(EventKind.DECLINE, offer.kind.value)]
    if 1 <= match.moves_since(seat) <= len(match.clocks_before):
        possible += [(EventKind.TAKEBACK, "")] * 3
    kind, text = chance.choice(possible)
    return Event(kind, seat, text, at, None)


def turn(match: Match, chance: random.Random) -> Move:
    """Returns a dot, with most of what it could close, or a call."""
    position, game = match.position, match.game
    assert isinstance(position, DotsPosition)
    assert isinstance(game, Dots)
    calls = position.calls()
    if calls and chance.random() < 0.02:
        return chance.choice(calls)
    dots = list(position.moves())
    dot = chance.choice(dots).dot
    offers = [offer for offer in position.consequences_of(dot).offers if chance.random() < 0.8][:1]
    if game.closing is Closing.PAINTED:
        return Turn(dot, paints=tuple(offer.point for offer in offers))
    if chance.random() < 0.5:
        return Turn(dot, chains=tuple(offer.chain for offer in offers))
    return Turn(dot, chains=tuple((offer.point,) for offer in offers))
