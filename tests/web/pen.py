"""A browser at a board of a study: it keeps strokes until they are answered, as static/study/keeper.js does."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from loopback import HANG_SECONDS
from tests.web.visit import Board, Visit

Answer = dict[str, Any]

TREE = ("name", "note", "marks", "next_id")


class Pen:
    """A socket at a chapter, and the board as it is there."""

    def __init__(self, visit: Visit, study: str, chapter: int) -> None:
        self.visit = visit
        self.study = study
        self.chapter = chapter
        self.board: Answer = {}
        self.people: Answer = {}
        self.heard: list[Answer] = []
        self.unsent: dict[str, Answer] = {}
        self.answers: dict[str, Answer] = {}
        self._socket: Board | None = None

    @property
    def is_open(self) -> bool:
        return self._socket is not None and not self._socket.socket.closed

    @property
    def turns(self) -> list[Answer]:
        return [self.board["turns"][number] for number in sorted(self.board["turns"])]

    @property
    def tree(self) -> Answer:
        """The board without what differs between languages."""
        return {name: self.board[name] for name in (*TREE, "version", "turns")}

    async def connect(self) -> Pen:
        """Opens the socket, and sends once more what has no answer."""
        self._socket = await self.visit.socket(f"/study/{self.study}/{self.chapter}/live")
        await self.until(**{"is": "board"})
        for stroke in self.unsent.values():
            await self._socket.socket.send_json(stroke)
        return self

    async def cut(self) -> None:
        """Loses the connection with what is under way on it."""
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def begin(self, do: str, **fields: Any) -> str:
        """Sends a stroke, if there is a connection; returns its key."""
        key = str(uuid4())
        self.unsent[key] = {"do": do, "id": key, "seat": None, **fields}
        if self.is_open:
            await self.say(**self.unsent[key])
        return key

    async def draw(self, do: str, **fields: Any) -> Answer:
        """Makes a stroke; returns its answer."""
        key = await self.begin(do, **fields)
        return await self.until(id=key)

    async def lay(self, text: str, turn: int | None = None) -> int:
        answer = await self.draw("lay", text=text, turn=turn)
        return int(answer["turn"])

    async def say(self, **message: Any) -> None:
        assert self._socket is not None, "it is open"
        await self._socket.socket.send_json(message)

    async def until(self, **wanted: Any) -> Answer:
        """Reads up to a message with these fields."""
        assert self._socket is not None, "it is open"
        while True:
            message = await self._socket.read()
            await self._take(message)
            if all(message.get(name) == value for name, value in wanted.items()):
                return message

    async def settle(self) -> None:
        """Reads until nothing that was sent is without an answer."""
        while self.unsent:
            assert self._socket is not None, "it is open"
            await self._take(await self._socket.read())

    async def reach(self, version: int) -> None:
        """Reads up to a version."""
        async with asyncio.timeout(HANG_SECONDS):
            while self.board["version"] < version:
                assert self._socket is not None, "it is open"
                await self._take(await self._socket.read())

    async def closed(self) -> int | None:
        """Reads until the socket is closed; returns the code."""
        assert self._socket is not None, "it is open"
        return await self._socket.closed()

    async def _take(self, message: Answer) -> None:
        kind = message["is"]
        self.heard.append(message)
        if kind == "board":
            self._hold(message["board"])
        elif kind == "people":
            self.people = message
        elif kind == "drawn":
            self._apply(message)
        elif kind == "renewed":
            self._hold((await self.ask("load"))["board"])
        if self.unsent.pop(str(message.get("id")), None) is not None:
            self.answers[message["id"]] = message

    def _hold(self, board: Answer) -> None:
        self.board = {**board, "turns": {turn["id"]: turn for turn in board["turns"]}}

    def _apply(self, stroke: Answer) -> None:
        if stroke["version"] <= self.board["version"]:
            return
        assert stroke["from"] == self.board["version"], "no stroke is left out"
        turns = {**self.board["turns"], **{turn["id"]: turn for turn in stroke["put"]}}
        for number in stroke["gone"]:
            del turns[number]
        told = {name: stroke[name] for name in (*TREE, "version")}
        self.board = {**self.board, **told, "turns": turns}

    async def ask(self, do: str, **fields: Any) -> Answer:
        status, answer = await ask(self.visit, do, study=self.study, chapter=self.chapter, **fields)
        assert status == 200, answer
        return answer


async def ask(visit: Visit, do: str, **fields: Any) -> tuple[int, Answer]:
    """Sends what a page asks for."""
    return await visit.post("/study/do", {"do": do, **fields})


async def begin(visit: Visit, name: str = "Cuts", size: str = "10x10") -> Pen:
    """Begins a study, whose first chapter is empty."""
    status, answer = await ask(visit, "begin", name=name, rules="zagram", size=size)
    assert status == 200, answer
    _, opened = await ask(visit, "open", study=answer["study"])
    return Pen(visit, answer["study"], opened["study"]["chapters"][0]["chapter"])


async def join(visit: Visit, owner: Pen, role: str = "drawer") -> Pen:
    """Lets another browser in by a link."""
    _, shared = await ask(owner.visit, "share", study=owner.study, role=role)
    status, answer = await ask(visit, "join", study=owner.study, link=shared["study"]["link"])
    assert status == 200, answer
    return Pen(visit, owner.study, owner.chapter)
