"""Games that begin at a place on a board of one's own: against the computer, a friend, or anyone in a channel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from opponent.choice import EASIEST, HARDEST
from play.boards.own_board import SEED, first_position, play_step
from play.challenge.terms import Continuation, Order
from play.ids import UserId
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.dots import Call, Dots
from rules.game import RuleError, Seat
from rules.opening import play_on
from rules.registry import make_game
from web import bodies
from web.access.links import FRIEND
from web.bodies import Json
from web.offers import Offers, read_code
from web.own.guest import Guest, Place
from web.own.shelf import Shelf
from web.ports import Challenging

PAGE: Final = "own"
"""The page whose keys these deeds have."""


@dataclass(frozen=True, slots=True)
class Beginnings:
    """What begins at a place. The site is at `site`. All deeds raise Refused."""

    shelf: Shelf
    challenging: Callable[[UserId], Challenging]
    offers: Offers
    site: str

    async def play(self, guest: Guest, message: Json) -> Json:
        """Begins a game against the computer; the player has a seat there."""
        user, level, seat = guest.player, bodies.number(message, "level"), Seat(bodies.number(message, "seat"))
        if not EASIEST <= level <= HARDEST:
            raise Refused(Reason.BAD_MESSAGE)
        game = await self._open(guest, message)
        if seat >= game.seats:
            raise Refused(Reason.BAD_MESSAGE)
        now, key = await self.offers.sessions.now(), bodies.deed_key(user, PAGE, bodies.key(message))
        return {"match": await self.challenging(user).play_on(user, guest.here, game, level, seat, now, key)}

    async def draft(self, guest: Guest, message: Json) -> Json:
        """Changes the terms of a challenge. The first answer has the words that its fields need."""
        user, beginning = guest.player, await self._beginning(guest, message)
        told = await self.offers.draft(user, guest.here, message, beginning)
        is_first = read_code(message) is None
        return told | ({"words": self.shelf.readers.page_words(guest.language, "home")} if is_first else {})

    async def offer(self, guest: Guest, message: Json) -> Json:
        """Posts a challenge to a friend, or to anyone in a channel."""
        beginning = await self._beginning(guest, message)
        return await self.offers.offer(guest.player, PAGE, message, beginning)

    async def invite(self, guest: Guest, message: Json) -> Json:
        """Offers a friend elsewhere a game by a code, and returns its link. Who has which colour is drawn."""
        user, game = guest.player, await self._open(guest, message)
        code = await self.challenging(user).invite(user, guest.here, read_code(message), Continuation(game))
        return {"code": code, "link": f"{self.site}{FRIEND}/{code}"}

    async def _beginning(self, guest: Guest, message: Json) -> Continuation:
        game, seat = await self._open(guest, message), bodies.optional_number(message, "seat")
        if seat is None or game.seats > 2:
            return Continuation(game)
        return Continuation(game, Order.LAST if seat else Order.FIRST)

    async def _open(self, guest: Guest, message: Json) -> Dots:
        place = await self.shelf.find_place(guest, message)
        return await asyncio.to_thread(_begin, place)


def require_turns(game: Dots, steps: Sequence[TriedTurn]) -> None:
    """Raises Refused (`play_on_out_of_turn`) at the first turn of a seat that was not to act."""
    position = first_position(game)
    for number, step in enumerate(steps, start=1):
        if step.seat != position.to_act and step.text != Call.STOP_WAITING:
            raise Refused(Reason.PLAY_ON_OUT_OF_TURN, number=number)
        position = play_step(game, position, step)


def _begin(place: Place) -> Dots:
    """Returns the game that begins at a place. Raises Refused."""
    if place.position.outcome:
        raise Refused(Reason.PLAY_ON_OVER)
    if place.board.game.former:
        raise Refused(Reason.PLAY_ON_FORMER)
    require_turns(place.board.game, place.steps)
    try:
        game = play_on(place.board.game, SEED, [step.text for step in place.steps])
        make_game(game.key, game.options)  # as a challenge stores it
    except RuleError as error:
        raise Refused.by_rules(error) from error
    assert isinstance(game, Dots), "it has the rules of the board"
    return game
