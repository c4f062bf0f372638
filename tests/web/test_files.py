"""The files of the pages: they come compressed, once, and nothing else on the disk does."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from web.app import STATIC, serve
from web.files import Files

Ask = aiohttp.ClientSession


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    (tmp_path / "secret.txt").write_text("no page needs this")
    (tmp_path / "own" / "page.js").write_text("const answer = 42;\n" * 100)
    (tmp_path / "own" / "letters.woff2").write_bytes(bytes(range(256)))
    return tmp_path / "own"


@pytest.fixture
async def browser(folder: Path) -> AsyncIterator[Ask]:
    """A browser at a site with the files of the folder, which shows bodies as they were sent."""
    app = web.Application()
    Files(folder).add_routes(app)
    async with (
        serve(app, "127.0.0.1", 0) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}", auto_decompress=False) as session,
    ):
        yield session


async def test_a_text_is_compressed_for_browsers_that_take_it(browser: Ask, folder: Path) -> None:
    plain = (folder / "page.js").read_bytes()
    async with browser.get("/static/page.js", headers={"Accept-Encoding": "gzip"}) as got:
        assert (got.content_type, got.headers["Content-Encoding"]) == ("text/javascript", "gzip")
        packed = await got.read()
    assert (gzip.decompress(packed), len(packed) < len(plain) / 10) == (plain, True)
    async with browser.get("/static/page.js", headers={"Accept-Encoding": "identity"}) as got:
        assert "Content-Encoding" not in got.headers
        assert await got.read() == plain


async def test_what_is_compressed_by_itself_comes_as_it_is(browser: Ask, folder: Path) -> None:
    async with browser.get("/static/letters.woff2", headers={"Accept-Encoding": "gzip"}) as got:
        assert (got.content_type, await got.read()) == ("font/woff2", (folder / "letters.woff2").read_bytes())


async def test_a_browser_that_has_a_file_gets_it_only_when_it_has_changed(browser: Ask, folder: Path) -> None:
    async with browser.get("/static/page.js") as got:
        known = {"If-None-Match": got.headers["ETag"]}
    async with browser.get("/static/page.js", headers=known) as got:
        assert got.status == 304
    (folder / "page.js").write_text("const answer = 43;\n")
    async with browser.get("/static/page.js", headers=known) as got:
        assert got.status == 200
        assert gzip.decompress(await got.read()) == b"const answer = 43;\n"


@pytest.mark.parametrize(
    "name", ["", "../secret.txt", "%2e%2e/secret.txt", "/etc/passwd", "page.js/", "none.js", "%00"]
)
async def test_nothing_else_is_sent(browser: Ask, name: str) -> None:
    async with browser.get(f"/static/{name}") as got:
        assert got.status == 404


async def test_all_files_of_the_pages_have_a_kind_that_browsers_run(browser: Ask) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
    app = web.Application()
    Files(STATIC).add_routes(app)
    async with serve(app, "127.0.0.1", 0) as port:
        for path in STATIC.rglob("*"):
            if path.suffix in kinds:
                async with browser.get(f"http://127.0.0.1:{port}/static/{path.relative_to(STATIC)}") as got:
                    assert got.content_type == kinds[path.suffix], path
