"""The analysis sheet, used as a player uses it, and a stand-in for its messages."""

from __future__ import annotations

import json
from typing import Any

from playwright.async_api import Locator, Page, WebSocketRoute

from play.ids import MatchId, UserId
from play.match.match import Match
from play.match.sheet import Sheet, branch_to, position_after, position_at, try_turn
from play.refusal import Refused
from rules.game import AnyPosition, RuleError
from tests.bot.room import Room
from tests.browser.web_board import WebBoard
from web.live.pictures import picture_json

MATCH = MatchId(1)


class Sheets:
    """The sheet of one player in the first match of a room, kept by the domain's rules.

    It answers what the site does not, and passes on the rest.
    """

    def __init__(self, room: Room, user: int) -> None:
        self._room = room
        self._user = UserId(user)
        self._sheet = Sheet(MATCH, self._user)
        self._erased = self._sheet
        self._version = 0
        self._planned: set[int] = set()
        self.sockets: list[WebSocketRoute] = []
        self.played: list[str] = []

    async def join(self, page: Page) -> None:
        """Relays the messages between a page and the site."""
        await page.route_web_socket("**/live/**", self._relay)

    def _relay(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self.sockets.append(socket)

        async def to_site(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["do"] in ("play", "act"):
                self.played.append(message["do"])
            answer = await self._answer(message)
            if answer is None:
                server.send(frame)
            else:
                socket.send(json.dumps({"id": message["id"], **answer}))

        def to_page(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["is"] == "board":
                message["view"]["sheet"] = True
            socket.send(json.dumps(message))

        socket.on_message(to_site)
        server.on_message(to_page)

    async def _answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        handler = getattr(self, f"_do_{message['do']}", None)
        if handler is None:
            return None
        match = await self._room.services.matches.load(MATCH)
        self._version += 1
        try:
            answer: dict[str, Any] = await handler(match, message)
        except Refused as refused:
            return {"is": "refused", "line": refused.key}
        return answer

    def _position(self, match: Match, message: dict[str, Any]) -> AnyPosition:
        if message["turn"] is None:
            return position_after(match, message["after"])
        return position_at(self._sheet, match, message["turn"])

    async def _do_sheet(self, match: Match, _: dict[str, Any]) -> dict[str, Any]:
        moves = [{"text": move.text, "seat": move.seat} for move in match.moves]
        turns = []
        for turn in self._sheet.turns:
            depth = len(self._sheet.path(turn.id)) + turn.after - 1
            fields = {"id": turn.id, "parent": turn.parent, "after": turn.after, "text": turn.text, "note": turn.note}
            turns.append({**fields, "seat": depth % 2, "planned": turn.id in self._planned})
        return {"is": "sheet", "version": self._version, "moves": moves, "turns": turns, "computer": False}

    async def _do_scene(self, match: Match, message: dict[str, Any]) -> dict[str, Any]:
        position = self._position(match, message)
        return {"is": "scene", "picture": picture_json(position.picture()), "enter": "dot", "line": ""}

    async def _do_sketch(self, match: Match, message: dict[str, Any]) -> dict[str, Any]:
        turn = match.game.parse(message["steps"][-1])
        try:
            picture = self._position(match, message).play(turn).picture()
        except RuleError as error:
            return {"is": "refused", "line": str(error)}
        return {"is": "ghost", "picture": picture_json(picture), "line": "", "turn": str(turn), "choices": []}

    async def _do_lay(self, match: Match, message: dict[str, Any]) -> dict[str, Any]:
        self._sheet, turn = try_turn(
            self._sheet, match, message["text"], after=message["after"], parent=message["turn"]
        )
        return {"is": "done", "turn": turn.id}

    async def _do_note(self, _: Match, message: dict[str, Any]) -> dict[str, Any]:
        self._sheet = self._sheet.annotate(message["turn"], message["note"])
        return {"is": "done"}

    async def _do_erase(self, _: Match, message: dict[str, Any]) -> dict[str, Any]:
        self._erased, self._sheet = self._sheet, self._sheet.remove(message["turn"])
        return {"is": "done"}

    async def _do_restore(self, _: Match, __: dict[str, Any]) -> dict[str, Any]:
        self._sheet = self._erased
        return {"is": "done"}

    async def _do_plan(self, match: Match, message: dict[str, Any]) -> dict[str, Any]:
        branch = branch_to(self._sheet, match, self._user, message["turn"])
        assert branch.own is None or message["version"] == match.version
        await self._room.services.actions.set_plan(MATCH, self._user, branch.line)
        self._planned = {message["turn"]}
        return {"is": "done", "line": "It is planned."}


class WebSheet(WebBoard):
    """An open sheet."""

    field = "#sheet-field"

    @classmethod
    async def try_out(cls, page: Page, columns: int, *, narrow: bool) -> WebSheet:
        """Presses *Try* on the open board."""
        await page.get_by_role("button", name="Try", exact=True).click()
        await page.locator("#sheet-field svg .grid line").first.wait_for(state="attached")
        return cls(page, columns, narrow=narrow)

    def move(self, text: str) -> Locator:
        """Returns a move in the tree."""
        return self.page.get_by_role("navigation").locator(".move").filter(has_text=text)

    @property
    def here(self) -> Locator:
        """The move whose position is shown."""
        return self.page.locator('#sheet nav [aria-current="true"]')

    @property
    def note(self) -> Locator:
        return self.page.get_by_role("textbox", name="Note")
