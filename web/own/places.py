"""Places on boards of one's own: positions, turns, notes, marks, and what leaves a board."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import Final

from play.boards.own_board import OwnBoard, as_match
from play.ids import UserId
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from presentation.own_boards import draw_board
from presentation.own_boards import write_board as write_sgf
from rules.dots import DotsPosition
from rules.game import Seat
from web import bodies
from web.bodies import Json
from web.live.pictures import ghost, picture_json
from web.own.guest import Guest, Place
from web.own.shelf import Shelf
from web.presentation.narrator import name_lines
from web.presentation.own_boards import colours, read_mark_texts

MAX_NOTE: Final = 1000
"""Characters of a note on the way; a board takes fewer, and says how many."""


@dataclass(frozen=True, slots=True)
class Places:
    """What is done at a place on a board. All deeds raise Refused."""

    shelf: Shelf

    async def show_scene(self, guest: Guest, message: Json) -> Json:
        """Returns a position, and what can be entered there."""
        place = await self.shelf.find_place(guest, message)
        words, position = self.shelf.words(guest.language), place.position
        names = colours(place.board.game, guest.theme, words)
        score = ", ".join(f"{name} {words.number(points)}" for name, points in zip(names, position.score, strict=True))
        line, turn = words("alt.score", score=score), words("web.shelf.turn", colour=names[position.to_act])
        picture = await asyncio.to_thread(lambda: picture_json(position.picture()))
        return {
            "is": "scene",
            "picture": picture,
            "coordinates": name_lines(position.picture()),
            "to_act": position.to_act,
            "names": names,
            "enter": None if position.outcome else "dot",
            "line": line if position.outcome else f"{line} {turn}",
        }

    async def sketch(self, guest: Guest, message: Json) -> Json:
        """Returns what a turn would do that is being entered."""
        steps, place = bodies.steps(message), await self.shelf.find_place(guest, message)
        if place.position.outcome:
            raise Refused(Reason.MATCH_OVER)
        position = _turned(place, bodies.optional_number(message, "seat"))
        words = self.shelf.words(guest.language)

        def draw() -> Json:
            return ghost(as_match(place.board.game, position, place.steps), steps, words)

        async def work() -> Json:
            return await asyncio.to_thread(draw)

        return {"is": "ghost", **await self.shelf.shares.run(UserId(guest.asker), work)}

    async def lay(self, guest: Guest, message: Json) -> Json:
        """Puts a turn on a board."""
        text, parent = bodies.typed(message, "text", bodies.MAX_TURN), bodies.optional_number(message, "turn")
        chosen, laid = bodies.optional_number(message, "seat"), list[TriedTurn]()

        def change(board: OwnBoard) -> OwnBoard:
            before = self.shelf.position(board.game, board.steps(parent))
            changed, turn = board.lay(text, parent, before, None if chosen is None else Seat(chosen))
            laid.append(turn)
            return changed

        board = await self.shelf.change(guest, message, change)
        turn = board.turn(laid[-1].id)  # one that was laid before, and is erased since, is not there
        return await self.shelf.tell(guest, board) | {"turn": turn.id}

    async def annotate(self, guest: Guest, message: Json) -> Json:
        """Writes a note at a turn, or at the set-up."""
        note, turn = bodies.prose(message, "note", MAX_NOTE), bodies.optional_number(message, "turn")
        return await self.shelf.change_and_tell(guest, message, lambda board: board.annotate_place(turn, note))

    async def mark(self, guest: Guest, message: Json) -> Json:
        """Puts marks at a turn, or at the set-up, in the place of those that are there."""
        marks, turn = read_mark_texts(message), bodies.optional_number(message, "turn")
        return await self.shelf.change_and_tell(guest, message, lambda board: board.mark_place(turn, marks))

    async def erase(self, guest: Guest, message: Json) -> Json:
        """Removes a turn and all that follow it."""
        turn = bodies.number(message, "turn")
        return await self.shelf.change_and_tell(guest, message, lambda board: board.remove(turn))

    async def restore(self, guest: Guest, message: Json) -> Json:
        """Brings back the turn that was removed last."""
        turn = bodies.number(message, "turn")
        return await self.shelf.change_and_tell(guest, message, lambda board: board.restore(turn))

    async def send_record(self, guest: Guest, message: Json) -> Json:
        """Returns a board in SGF."""
        board = await self.shelf.load(guest, message)
        data = await self.shelf.jobs.pages.make(guest.asker, write_sgf, board)
        return {"sgf": data.decode("utf-8", "replace")}

    async def send_picture(self, guest: Guest, message: Json) -> Json:
        """Returns a position as PNG."""
        place = await self.shelf.find_place(guest, message)
        png = await self.shelf.jobs.pages.make(guest.asker, draw_board, place.board.game, place.steps, guest.theme)
        return {"png": base64.b64encode(png).decode()}


def _turned(place: Place, seat: int | None) -> DotsPosition:
    """Returns the position of a place, where a seat may be to act out of turn."""
    if seat is None or seat == place.position.to_act:
        return place.position
    if seat >= place.board.game.seats:
        raise Refused(Reason.BAD_MESSAGE)
    return place.position.with_to_act(Seat(seat))
