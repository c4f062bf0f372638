"""The pages of studies, and what they ask for."""

from __future__ import annotations

import asyncio
import html
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson
from aiohttp import web

from play.refusal import Refused
from use_cases.studies import Studies
from web.access.links import UNLISTED
from web.access.visitors import Visitors, network_of
from web.own.guest import Guest
from web.own.pages import OwnBoardPages, read_large
from web.pages.page import Lane
from web.presentation.readers import Readers
from web.studies.acts import BoardDeeds
from web.studies.rooms import StudyRooms

PATH: Final = "/study"

HTML = (Path(__file__).parents[1] / "static" / "study" / "index.html").read_text(encoding="utf-8")
"""The page, with places for its language, its title, what search engines may do, and what it is told."""


class StudyPages:
    """The routes of studies. `lane` bounds what all who read without a session ask for together."""

    def __init__(
        self,
        visitors: Visitors,
        readers: Readers,
        own: OwnBoardPages,
        studies: Studies,
        deeds: BoardDeeds,
        rooms: StudyRooms,
        lane: Lane,
    ) -> None:
        self._visitors = visitors
        self._readers = readers
        self._own = own
        self._studies = studies
        self._deeds = deeds
        self._rooms = rooms
        self._lane = lane

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._show)
        app.router.add_get(f"{PATH}/{{study:{UNLISTED}}}", self._show)
        app.router.add_post(f"{PATH}/do", self._act)
        app.cleanup_ctx.append(self._run)

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        running = asyncio.create_task(self._rooms.run())
        yield
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async def _show(self, request: web.Request) -> web.Response:
        guest = await self._own.guest(request, await self._own.identify(request))
        code = request.match_info.get("study")
        title, robots = await self._describe(guest, code)
        told = {**await self._deeds.tell(guest), "study": code}
        page = HTML.format(
            language=html.escape(guest.language),
            title=html.escape(title),
            robots=robots,
            told=html.escape(orjson.dumps(told).decode()),
        )
        return web.Response(text=page, content_type="text/html", headers={"X-Robots-Tag": robots})

    async def _describe(self, guest: Guest, code: str | None) -> tuple[str, str]:
        """Returns the title of a page, and what search engines may do with it."""
        if code is not None:
            with suppress(Refused):  # one with a link may still come in
                study = (await self._studies.open(code, guest.user)).study
                return study.name, "all" if study.listed else "noindex"
        return self._readers.words(guest.language)("web.study.title"), "noindex"

    async def _act(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        visitor = await self._own.identify(request)
        message = await read_large(request)
        guest = await self._own.guest(request, visitor)
        if visitor is not None:
            return web.json_response(await self._deeds.act(guest, message))
        async with self._lane.turn(network_of(request)):
            return web.json_response(await self._deeds.act(guest, message))
