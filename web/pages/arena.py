"""The page of the arena of all servers: what it is at, its standing, and how it counts. Its script asks again."""

import asyncio
from collections.abc import Mapping
from functools import partial

from aiohttp import web

from play.competitions.arena import Arena
from play.ids import Millis, UserId
from presentation.arenas import rows_of, rules_texts, stage_text, title_text
from presentation.people import Names
from presentation.words.words import Words
from web.access.links import ARENA
from web.pages.page import Content, PublicPages, answer
from web.world import World


class ArenaPage:
    """The route of the page. Players have the names that they have chosen for strangers."""

    def __init__(self, pages: PublicPages, world: World, names: Names) -> None:
        self._pages = pages
        self._world = world
        self._names = names

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(ARENA, self._show)

    async def _show(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        language, (arena, now) = await self._pages.language(request, None), await self._world.arena()
        users = () if arena is None else arena.users
        names = dict(zip(users, await self._names.of_all(users, None), strict=True))
        return answer(request, await asyncio.to_thread(partial(self._write, language, arena, names, now)))

    def _write(self, language: str, arena: Arena | None, names: Mapping[UserId, str], now: Millis) -> Content:
        words = self._pages.readers.words(language)
        told = _told(arena, names, now, words)
        description = words("arena.rules")
        return self._pages.write(ARENA, "arena.html", language, "", description=description, picture=None, **told)


def _told(arena: Arena | None, names: Mapping[UserId, str], now: Millis, words: Words) -> dict[str, object]:
    """Returns what the page says of an arena, or without one of arenas."""
    if arena is None:
        return {
            "title": words("arena.panel.title"),
            "lines": [words("arena.next")],
            "rows": [],
            "rules": [],
            "is_open": False,
        }
    players = words("arena.players", count=len(arena.fighters))
    return {
        "title": title_text(arena, words),
        "lines": [stage_text(arena, now, words), players] + ([] if arena.stage.is_open else [words("arena.next")]),
        "rows": rows_of(arena, names, words),
        "rules": rules_texts(arena, words),
        "is_open": arena.stage.is_open,
    }
