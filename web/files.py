"""The files of the pages: scripts, styles, pictures and the typeface, compressed where that is worth it."""

import asyncio
from mimetypes import guess_type
from pathlib import Path

from aiohttp import hdrs, web

from web.pages.page import Content, send


class Files:
    """The files of a folder. Each is read when it is first asked for, and again once it has changed: scripts have no
    build step. What else there is on the disk can't be named."""

    def __init__(self, folder: Path) -> None:
        self._paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self._kept: dict[str, tuple[int, Content]] = {}
        """Files by their names, with the times of their last change in nanoseconds."""

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/static/{name:.*}", self._send)

    async def _send(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self._paths:
            raise web.HTTPNotFound
        return send(request, await asyncio.to_thread(self._load, name), {hdrs.VARY: hdrs.ACCEPT_ENCODING})

    def _load(self, name: str) -> Content:
        path = self._paths[name]
        changed, (known, content) = path.stat().st_mtime_ns, self._kept.get(name, (0, None))
        if content is None or changed != known:
            content = Content.of(path.read_bytes(), guess_type(path)[0] or "application/octet-stream")
            self._kept[name] = changed, content
        return content
