"""Boards of one's own as a whole: begun, imported, listed, renamed, deleted, and set up anew."""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass, replace
from typing import Final

from play.boards.diagram import begin_at
from play.boards.own_board import MAX_NAME, SEED, OwnBoard, set_up
from play.boards.sgf import of_moves
from play.ids import MatchId, OwnBoardId
from play.records.record import MAX_RECORD_BYTES
from play.refusal import Reason, Refused
from presentation.own_boards import import_board
from presentation.records import PRESETS
from rules.dots import Dots
from rules.game import RuleError, Seat
from rules.registry import DEFAULT, make_game
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.own.guest import Guest
from web.own.shelf import Shelf
from web.presentation.own_boards import read_board, read_dots

MAX_SIZE, MAX_VALUE, MAX_FILE_NAME = 8, 40, 100
"""Characters of a size, of the key of rules, and of the name of a file."""

NEW_SIZE: Final = "20x20"
"""The size of a player's first board."""


@dataclass(frozen=True, slots=True)
class Boards:
    """What is done with whole boards. All deeds raise Refused."""

    shelf: Shelf
    sessions: WebSessions

    async def new(self, guest: Guest, message: Json) -> Json:
        """Returns an empty board."""
        return await self.shelf.begin(guest, empty_board(message))

    async def load(self, guest: Guest, message: Json) -> Json:
        """Returns a board."""
        return await self.shelf.tell(guest, await self.shelf.load(guest, message))

    async def load_last(self, guest: Guest, message: Json) -> Json:
        """Returns the board that a player has changed last, or their first one."""
        found = await self.shelf.use_cases.own_boards.list(guest.player)
        if found:
            return await self.load(guest, {"board": found[0].id})
        return await self.new(guest, {"rules": DEFAULT, "size": NEW_SIZE})

    async def import_file(self, guest: Guest, message: Json) -> Json:
        """Returns the board in a file, or in a text that was pasted."""
        data = _file(message)
        name, rules = bodies.text(message, "name", MAX_FILE_NAME), message.get("rules")
        if rules is not None and rules not in PRESETS:
            raise Refused(Reason.BAD_MESSAGE)
        found = await self.shelf.jobs.pages.make(guest.asker, import_board, data, name, rules)
        board = found.board if found.board.name else replace(found.board, name=name.rpartition(".")[0][:MAX_NAME])
        words = self.shelf.words(guest.language)
        told = await self.shelf.begin(guest, board)
        return told | ({"line": words("import.left_out", count=found.left_out)} if found.left_out else {})

    async def of_game(self, guest: Guest, message: Json) -> Json:
        """Returns a board with the moves of a finished game that the player sees."""
        number = MatchId(bodies.number(message, "match"))
        place = await self.sessions.enter(guest.player, number)
        match = place.match
        if match.outcome is None:
            raise Refused(Reason.MATCH_GOES_ON)
        if not isinstance(match.game, Dots):
            raise Refused(Reason.NO_RECORD)
        words = self.shelf.words(guest.language)
        return await self.shelf.begin(
            guest, of_moves(words("web.game.number", number=number)[:MAX_NAME], match.game, match.moves)
        )

    async def list(self, guest: Guest, _: Json) -> Json:
        """Returns the boards that a player keeps."""
        words = self.shelf.words(guest.language)
        found = await self.shelf.use_cases.own_boards.list(guest.player)
        boards = [
            {
                "board": each.id,
                "name": each.name,
                "about": f"{words(f'preset.{each.rules}.name')}, {each.size.replace('x', '×')}",
            }
            for each in found
        ]
        return {"boards": boards}

    async def keep(self, guest: Guest, message: Json) -> Json:
        """Keeps the board of a browser. Raises Refused (`no_session`) for a visitor."""
        owner = guest._replace(user=guest.player)
        return await self.shelf.begin(owner, await asyncio.to_thread(read_board, message.get("board")))

    async def rename(self, guest: Guest, message: Json) -> Json:
        """Gives a board another name."""
        name = bodies.text(message, "name", 4 * MAX_NAME)
        return await self.shelf.change_and_tell(guest, message, lambda board: board.rename(name))

    async def delete(self, guest: Guest, message: Json) -> Json:
        """Deletes a board."""
        number = bodies.number(message, "board")
        await self.shelf.use_cases.own_boards.delete(OwnBoardId(number), guest.player)
        return await self.list(guest, message)

    async def put(self, guest: Guest, message: Json) -> Json:
        """Puts a board back to what it was, for one version alone: what was undone or done again."""
        former = await asyncio.to_thread(read_board, message.get("to"))

        def change(board: OwnBoard) -> OwnBoard:
            return replace(former, id=board.id, user=board.user, version=board.version)

        return await self.shelf.change_and_tell(guest, message, change, bodies.number(message, "version"))

    async def set_up(self, guest: Guest, message: Json) -> Json:
        """Gives a board another set-up, without turns."""
        rules, size = bodies.text(message, "rules", MAX_VALUE), bodies.text(message, "size", MAX_SIZE)
        stones, areas = read_dots(message, "stones"), read_dots(message, "areas")
        begins = Seat(bodies.number(message, "begins"))
        game = await asyncio.to_thread(set_up, rules, size, stones, areas, begins)

        def change(board: OwnBoard) -> OwnBoard:
            return replace(board, game=game, turns=(), removed=(), marks=())

        return await self.shelf.change_and_tell(guest, message, change, bodies.number(message, "version"))

    async def begin_here(self, guest: Guest, message: Json) -> Json:
        """Makes a position on a board its set-up, without turns."""
        turn = bodies.optional_number(message, "turn")

        def change(board: OwnBoard) -> OwnBoard:
            return replace(board, game=begin_at(board.game, board.steps(turn)), turns=(), removed=())

        return await self.shelf.change_and_tell(guest, message, change, bodies.number(message, "version"))


def empty_board(message: Json) -> OwnBoard:
    """Returns a board without dots, of the rules and the size of a message. Raises Refused."""
    rules, size = bodies.text(message, "rules", MAX_VALUE), bodies.text(message, "size", MAX_SIZE)
    try:
        game = make_game(rules, {"size": size}).resolve_chance(SEED)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    if not isinstance(game, Dots):
        raise Refused(Reason.NO_RECORD)
    return OwnBoard(game)


def _file(message: Json) -> bytes:
    """Returns the bytes of a file, in base64, or of a text. Raises Refused."""
    text, file = message.get("text"), message.get("file")
    if isinstance(text, str):
        data = text.encode("utf-8", "replace")
    elif isinstance(file, str):
        try:
            data = base64.b64decode(file, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refused(Reason.BAD_MESSAGE) from error
    else:
        raise Refused(Reason.BAD_MESSAGE)
    if len(data) > MAX_RECORD_BYTES:
        raise Refused(Reason.IMPORT_TOO_LONG, most=MAX_RECORD_BYTES // 1024)
    return data
