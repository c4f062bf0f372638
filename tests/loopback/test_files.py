"""The headers of files and of the page."""

import io
import re
from pathlib import Path

import aiohttp
import discord as library
import pytest
import yarl

from loopback import Channel, Discord, File, Person, site
from tests.loopback.bot import Bot, board, png
from tests.loopback.conftest import raw

PAGE = Path(site.__file__).parent / "page"


class TestFiles:
    """Files that people and the bot upload."""

    @pytest.fixture
    async def uploaded(self, bot: Bot, discord: Discord, dots: Channel) -> dict[str, str]:
        """Returns the addresses of some files by their names."""
        script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        others = {"page.html": b"<script>alert(1)</script>", "mark.svg": script, "game.sgf": b"(;GM[40])"}
        files = [board(), *(library.File(io.BytesIO(data), name) for name, data in others.items())]
        sent = await bot.get_partial_messageable(dots.id).send("files", files=files)
        return {each.filename: each.url for each in sent.attachments}

    async def test_a_file_needs_the_signature_in_its_address(
        self, uploaded: dict[str, str], owner: aiohttp.ClientSession
    ) -> None:
        address = yarl.URL(uploaded["board.png"])
        for forged in (address.with_query(None), address.with_query(hm="0" * 64), address.with_query(hm="ÿ")):
            async with owner.get(forged) as answer:
                assert answer.status == 404

    async def test_a_signature_is_for_one_file(self, uploaded: dict[str, str], owner: aiohttp.ClientSession) -> None:
        other = yarl.URL(uploaded["board.png"]).with_query(yarl.URL(uploaded["game.sgf"]).query)
        async with owner.get(other) as answer:
            assert answer.status == 404

    async def test_a_file_that_a_person_gave_needs_it_too(
        self, bot: Bot, discord: Discord, ola: Person, dots: Channel, owner: aiohttp.ClientSession
    ) -> None:
        await ola.command(dots, "read", file=File("secret.txt", b"words")).answered()
        address = yarl.URL(bot.interactions[-1].data["resolved"]["attachments"].popitem()[1]["url"])  # type: ignore[index, typeddict-item]
        async with owner.get(address) as answer:
            assert (answer.status, await answer.read()) == (200, b"words")
        async with owner.get(address.with_query(None)) as answer:
            assert answer.status == 404

    @pytest.mark.parametrize("name", ["page.html", "mark.svg", "game.sgf"])
    async def test_what_is_no_picture_is_a_download(
        self, uploaded: dict[str, str], stranger: aiohttp.ClientSession, name: str
    ) -> None:
        async with stranger.get(uploaded[name]) as answer:
            assert answer.headers["Content-Disposition"].startswith("attachment")

    async def test_a_picture_is_shown(self, uploaded: dict[str, str], stranger: aiohttp.ClientSession) -> None:
        async with stranger.get(uploaded["board.png"]) as answer:
            assert (answer.status, answer.content_type) == (200, "image/png")
            assert "Content-Disposition" not in answer.headers
            assert await answer.read() == png(40, 30)

    @pytest.mark.parametrize("name", ["page.html", "mark.svg", "game.sgf", "board.png"])
    async def test_no_file_can_run_anything(
        self, uploaded: dict[str, str], stranger: aiohttp.ClientSession, name: str
    ) -> None:
        async with stranger.get(uploaded[name]) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert {"default-src 'none'", "sandbox"} <= {part.strip() for part in policy.split(";")}
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert answer.headers["Cache-Control"] == "no-store"

    @pytest.mark.parametrize(
        "path",
        [
            "/page/../site.py",
            "/page/%2e%2e/site.py",
            "/page/..%2fsite.py",
            "/page/..%2F..%2Fpyproject.toml",
            "/page//etc/passwd",
            "/page/%2Fetc%2Fpasswd",
            "/page/..\\site.py",
            "/page/page.js%00",
            "/page/",
            "/cdn/attachments/../../page/page.js",
        ],
    )
    async def test_no_path_leads_out_of_the_page(self, discord: Discord, path: str) -> None:
        host = yarl.URL(discord.address).authority
        answer = await raw(discord, f"GET {path} HTTP/1.1\nHost: {host}\nConnection: close\n\n")
        assert re.match(r"HTTP/1\.[01] 4\d\d", answer)

    async def test_a_name_with_a_path_in_it_stays_one_name(
        self, bot: Bot, discord: Discord, dots: Channel, stranger: aiohttp.ClientSession
    ) -> None:
        sent = await bot.get_partial_messageable(dots.id).send("file", file=board("a?b#c%2f.png"))
        async with stranger.get(sent.attachments[0].url) as answer:
            assert answer.status == 200


class TestPage:
    """The page's policies."""

    @pytest.mark.parametrize("path", ["", "?key=wrong"])
    async def test_nothing_inline_and_nothing_foreign_runs(
        self, discord: Discord, owner: aiohttp.ClientSession, stranger: aiohttp.ClientSession, path: str
    ) -> None:
        for client in (owner, stranger):
            async with client.get(discord.address + path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in policy
                assert "*" not in policy

    @pytest.mark.parametrize("path", ["", "page/page.js", "gateway", "api/v10/users/@me", "nowhere"])
    async def test_every_answer_keeps_to_itself(
        self, discord: Discord, stranger: aiohttp.ClientSession, path: str
    ) -> None:
        async with stranger.get(discord.address + path) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        discord.problems.clear()

    @pytest.mark.parametrize("file", sorted(PAGE.glob("*.html")), ids=lambda file: file.name)
    def test_the_markup_has_nothing_inline(self, file: Path) -> None:
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", file.read_text("utf-8"))

    @pytest.mark.parametrize("file", sorted(PAGE.glob("*.js")), ids=lambda file: file.name)
    def test_no_script_makes_markup_out_of_text(self, file: Path) -> None:
        sinks = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|\beval\(|new Function|setHTML"
        assert not re.search(sinks, file.read_text("utf-8"))
