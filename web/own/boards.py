"""Boards of one's own as a whole: begun, imported, listed, renamed, deleted, and set up anew."""

from __future__ import annotations

import asyncio
import base64
import binascii
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from play.boards.diagram import begin_at
from play.boards.own_board import MAX_BOARDS, MAX_NAME, SEED, Origin, OwnBoard, set_up
from play.boards.sgf import HEADING, MAX_BOARD_BYTES, of_moves
from play.ids import MatchId, OwnBoardId
from play.match.match import Match
from play.records.record import MAX_RECORD_BYTES
from play.refusal import Reason, Refused
from presentation.own_boards import import_board
from presentation.records import PRESETS
from presentation.words.words import Words
from rules.dots import Dots
from rules.game import RuleError, Seat
from rules.registry import DEFAULT, make_game
from storage.own_boards import ListedBoard
from use_cases.public_pages import PublicGames
from use_cases.web_sessions import WebSessions
from web import bodies
from web.access.links import LinkSigner
from web.bodies import Json
from web.own.guest import Guest
from web.own.shelf import Shelf
from web.presentation.lobby import small_board
from web.presentation.own_boards import read_board, read_dots

MAX_SIZE, MAX_VALUE, MAX_FILE_NAME, MAX_TAG = 8, 40, 255, 16
"""Characters of a size, of the key of rules, of the name of a file, and of the tag of a game's page."""

MAX_DRAWN_TURNS: Final = 6000
"""Turns that are played for the pictures of a list, some 0.3 s in threads. Boards after these have no picture."""

NEARLY_FULL: Final = 5
"""Boards that fit still when their player is told."""

NEW_SIZE: Final = "20x20"
"""The size of a player's first board."""


@dataclass(frozen=True, slots=True)
class Boards:
    """What is done with whole boards. All deeds raise Refused."""

    shelf: Shelf
    sessions: WebSessions
    public: PublicGames
    signer: LinkSigner

    async def new(self, guest: Guest, message: Json) -> Json:
        """Returns an empty board."""
        return await self._begin(guest, empty_board(message))

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
        name, rules = bodies.name(message, "name", MAX_FILE_NAME), message.get("rules")
        if rules is not None and rules not in PRESETS:
            raise Refused(Reason.BAD_MESSAGE)
        found = await self.shelf.jobs.pages.make(guest.asker, import_board, data, name, rules)
        board = found.board if found.board.name else replace(found.board, name=name.rpartition(".")[0][:MAX_NAME])
        words = self.shelf.words(guest.language)
        origin = Origin.PUZZLE if message.get("origin") == Origin.PUZZLE else Origin.IMPORTED
        told = await self._begin(guest, replace(board, origin=origin))
        left_out = [words("import.left_out", count=found.left_out)] if found.left_out else []
        lines = " ".join([*left_out, *([told["line"]] if "line" in told else [])])
        return told | ({"line": lines} if lines else {})

    async def of_game(self, guest: Guest, message: Json) -> Json:
        """Returns the player's board of a finished game that they see, or that has a page; the first time with its
        moves."""
        number, boards = MatchId(bodies.number(message, "match")), self.shelf.use_cases.own_boards
        if guest.user is not None and (there := await boards.of_match(number, guest.user)) is not None:
            return await self.shelf.tell(guest, there)
        match = await self._finished(guest, number, message)
        if not isinstance(match.game, Dots):
            raise Refused(Reason.NO_RECORD)
        words = self.shelf.words(guest.language)
        board = of_moves(words("web.game.number", number=number)[:MAX_NAME], match.game, match.moves)
        return await self._begin(guest, replace(board, origin=Origin.GAME, match=number))

    async def list(self, guest: Guest, _: Json) -> Json:
        """Returns the boards that a player keeps, and how many more fit."""
        found = await self.shelf.use_cases.own_boards.line_up(guest.player, MAX_DRAWN_TURNS)
        words, boards = self.shelf.words(guest.language), list[Json]()
        for listed, board in found:
            small = None if board is None else await asyncio.to_thread(self._draw_small, board)
            boards.append(_listed(listed, words) | {"small": small})
        return {"boards": boards, "line": _room_line(MAX_BOARDS - len(found), words)}

    async def keep(self, guest: Guest, message: Json) -> Json:
        """Keeps the board of a browser, also beside the player's own one of the same game. Raises Refused
        (`no_session`) for a visitor."""
        owner, boards = guest._replace(user=guest.player), self.shelf.use_cases.own_boards
        board = await asyncio.to_thread(read_board, message.get("board"))
        if board.match is not None and await boards.of_match(board.match, guest.player) is not None:
            board = replace(board, match=None)
        return await self._begin(owner, board)

    async def rename(self, guest: Guest, message: Json) -> Json:
        """Gives a board another name."""
        name = bodies.name(message, "name", 4 * MAX_NAME)
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
            return replace(_free(board), game=game, turns=(), removed=(), marks=())

        return await self.shelf.change_and_tell(guest, message, change, bodies.number(message, "version"))

    async def begin_here(self, guest: Guest, message: Json) -> Json:
        """Makes a position on a board its set-up, without turns."""
        turn = bodies.optional_number(message, "turn")

        def change(board: OwnBoard) -> OwnBoard:
            return replace(_free(board), game=begin_at(board.game, board.steps(turn)), turns=(), removed=())

        return await self.shelf.change_and_tell(guest, message, change, bodies.number(message, "version"))

    async def _begin(self, guest: Guest, board: OwnBoard) -> Json:
        """Returns a new board. A player whose shelf is nearly full reads how many more fit."""
        told = await self.shelf.begin(guest, board)
        if guest.user is None:
            return told
        left = MAX_BOARDS - len(await self.shelf.use_cases.own_boards.list(guest.user))
        return told | ({"line": _room_line(left, self.shelf.words(guest.language))} if left <= NEARLY_FULL else {})

    async def _finished(self, guest: Guest, number: MatchId, message: Json) -> Match:
        """Returns a finished game that has a page, whose `tag` a message has, or that the player sees. Raises
        Refused."""
        if message.get("tag") is not None:
            if not self.signer.knows(number, bodies.text(message, "tag", MAX_TAG)):
                raise Refused(Reason.NO_PAGE)
            return await self.public.load(await self.public.find(number))
        match = (await self.sessions.enter(guest.player, number)).match
        if match.outcome is None:
            raise Refused(Reason.MATCH_GOES_ON)
        return match

    def _draw_small(self, board: OwnBoard) -> Json | None:
        """Returns the picture of a board; None for one whose turns a browser has made up, and the rules refuse."""
        with suppress(Refused):
            return small_board(self.shelf.position(board.game, board.main_line).picture())
        return None


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


def _free(board: OwnBoard) -> OwnBoard:
    """Returns a board that is that of no game any more."""
    return replace(board, origin=Origin.EMPTY, match=None)


def _listed(board: ListedBoard, words: Words) -> Json:
    origin = words(f"web.shelf.from.{board.origin}", number=board.match or 0)
    rules = words(f"preset.{board.rules}.name")
    about = f"{rules}, {board.size.replace('x', '×')} · {origin}"
    return {"board": board.id, "name": board.name, "about": about, "changed": board.changed}


def _room_line(left: int, words: Words) -> str:
    """Returns how many boards a player keeps, and what to do where hardly any more fit."""
    line = words("web.shelf.room", kept=MAX_BOARDS - left, most=MAX_BOARDS)
    return f"{line} {words('web.shelf.room.little')}" if left <= NEARLY_FULL else line


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
    most = MAX_BOARD_BYTES if HEADING.encode() in data else MAX_RECORD_BYTES
    if len(data) > most:
        raise Refused(Reason.IMPORT_TOO_LONG, most=most // 1024)
    return data
