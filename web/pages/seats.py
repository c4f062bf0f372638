"""The open seats of the world for visitors, on the front page: who looks for an opponent, and the way to sit down."""

from typing import Final

from aiohttp import web

from presentation.people import Names
from presentation.strangers import seat_text
from web.pages.page import PublicPages
from web.world import World

PATH: Final = "/seats.json"

MAX_SHOWN: Final = 5
"""Seats that a visitor is shown."""


class SeatsPart:
    """The route. Players have the names that they have chosen for strangers, and nothing of their places."""

    def __init__(self, pages: PublicPages, world: World, names: Names) -> None:
        self._pages = pages
        self._world = world
        self._names = names

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._send)

    async def _send(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        words = self._pages.readers.words(await self._pages.language(request, None))
        shown = (await self._world.seats())[:MAX_SHOWN]
        names = await self._names.of_all([seat.seek.user for seat in shown], None)
        lines = [seat_text(seat, name, words) for seat, name in zip(shown, names, strict=True)]
        seats = [{"seat": seat.seek.id, "line": line} for seat, line in zip(shown, lines, strict=True)]
        return web.json_response({"seats": seats, "sit": words("seat.button.sit")})
