"""Requests that no browser sends, made by chance: each is answered, and none of them is a failure of the site."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr

from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from loopback import HANG_SECONDS, TOKEN, Channel, Discord
from play.ids import GuildId, MatchId, UserId
from tests.bot.room import Room
from tests.web.visit import Visit, signed_link
from web.access.links import LinkSigner, Paths
from web.app import serve

GENERATED, SHARE = 5_000, 20
"""Requests of the long test, and of how many the quick one sends one."""

FREE = Rate(10**9, 1e-6)

METHODS = (*("GET",) * 12, *("POST",) * 6, "HEAD", "PUT", "OPTIONS", "DELETE", "TRACE", "get", "G\x01T")
ODD = (
    *("", "x", "-1", "0", "9" * 18, "9" * 19, "a" * 300),
    *("%00", "%ff", "%C4%85", "..", "%2e%2e%2f", "<script>", "'--", "%"),
)

VALUES: dict[str, tuple[str, ...]] = {
    "Accept": ("text/html", "*/*", "", "text/html;q=nan", "\x80"),
    "Accept-Encoding": ("gzip", "br;q=1e999", "identity;q=0", "deflate, gzip;q=x", ","),
    "Accept-Language": ("pl", "de-AT,en;q=0.5", "*" * 500, ",;,;", "\u202e", "xx-" * 99),
    "Origin": ("https://evil.example", "null", "", "http://[", "x" * 3000),
    "Cookie": (
        *(f"kropka-{'0' * 12}=x", f"__Host-kropka-{'0' * 12}=\xff", "kropka-="),
        *("=;=;", '"', "a=b" * 500, "$Version=1"),
    ),
    "Content-Type": (
        *("application/json", "application/json; charset=nonsense", "multipart/form-data"),
        *('a/b; charset="', ";;="),
    ),
    "Content-Encoding": ("gzip", "deflate", "br", "zstd", "nonsense", ""),
    "Content-Length": ("5", "0", "-1", "99999999999999999999", "1,1", "x"),
    "Transfer-Encoding": ("chunked", "gzip, chunked", "x"),
    "Expect": ("100-continue", "nonsense"),
    "If-None-Match": ("*", '"x"', "W/", ",,,", '"' * 99),
    "If-Modified-Since": ("Wed, 25 Nov 2026 21:00:00 GMT", "yesterday", "Wed, 99 Nov 0000 99:99:99 GMT"),
    "Range": ("bytes=0-5", "bytes=5-1", "bytes=-", "bytes=9999999999-", "x=1"),
    "If-Range": ('"x"', "yesterday"),
    "Upgrade": ("websocket", "h2c", ""),
    "Connection": ("Upgrade", "keep-alive", "close, x"),
    "Sec-WebSocket-Version": ("13", "8", "x"),
    "Sec-WebSocket-Key": ("dGhlIHNhbXBsZSBub25jZQ==", "x", ""),
    "Sec-WebSocket-Extensions": ("permessage-deflate", "permessage-deflate; server_max_window_bits=99", ";"),
    "X-Forwarded-For": ("8.8.8.8", "::1", "x", ",,", "1" * 2000),
    "Host": ("a", "", "a:b:c", "\x80"),
}
"""Values of headers as browsers send them, or nearly."""

BODIES = (
    *(b"", b"{", b"[]", b"5", b'{"token":5}', b'{"token":"x.y"}', b'{"code":"x","instance":"y"}', b"\xff\xfe"),
    *(b"[" * 5000, b'{"a":' * 3000, b"5\r\n{}\r\n0\r\n\r\n", b"5\r\n{", b"zz\r\n", b"\x1f\x8b\x08\x00", b"x" * 20_000),
)


def a_request(chance: random.Random, paths: list[str], headers: dict[str, str]) -> tuple[bytes, bool]:
    """Returns a request, most often one of `paths` with the `headers` of a player's browser, and whether it breaks
    off."""
    method, path = chance.choice(METHODS), chance.choice(paths)
    if chance.random() < 0.4:
        begin, _, _ = path.rpartition("/")
        path = f"{begin}/{chance.choice(ODD)}"
    if chance.random() < 0.3:
        path += f"?{chance.choice(('as', 'for', 'match', 'page', 'season', 'frame_id'))}={chance.choice(ODD)}"
    sent = {name: value for name, value in headers.items() if chance.random() < 0.8}
    for name in chance.sample([*VALUES], chance.choice((0, 0, 0, 1, 2, 4))):
        sent[name] = chance.choice(VALUES[name])
    body = chance.choice(BODIES) if method == "POST" or chance.random() < 0.1 else b""
    if body and "Transfer-Encoding" not in sent and chance.random() < 0.9:
        sent.setdefault("Content-Length", str(len(body)))
    breaks_off = "Transfer-Encoding" in sent or sent.get("Content-Length", str(len(body))) != str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode() + body, breaks_off


async def send(port: int, request: bytes, *, breaks_off: bool) -> int:
    """Returns the status of the answer to a request, which is all that the connection brings; 0 without an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if breaks_off:
            writer.write_eof()
        async with asyncio.timeout(HANG_SECONDS):
            line = await reader.readline()
    except ConnectionError:
        return 0
    finally:
        writer.close()
    return int(line.split()[1]) if line else 0


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    names = ("person", "server", "typing", "visits", "loads", "network_loads", "failed_entries")
    return {"hosting": hosting, "limits": RateLimits(**dict.fromkeys(names, FREE))}


@pytest.fixture
async def paths(discord: Discord, room: Room, thread: Channel) -> list[str]:
    """Paths of all routes: those of a game, of its server, and files."""
    signer, guild = LinkSigner.of(TOKEN), GuildId(discord.world.guild.id)
    places, game = Paths(signer), Paths(signer).game(MatchId(1))
    assert room.bot.website is not None
    plain = [
        route.resource.canonical
        for route in room.bot.website.app.router.routes()
        if route.resource and "{" not in route.resource.canonical
    ]
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(guild), pages=True))
    return [
        *plain,
        *("/board/1", "/live/1", "/words.json?for=board", "/words.json?for=enter&match=1"),
        *("/static/board/page.js", "/static/shared/mark.svg"),
        *(game, f"{game}/board.png", f"{game}/moves.json", f"{game}/game.sgf"),
        *(places.leaderboard(guild), places.ladder(guild), places.league(guild), places.tournaments(guild)),
        places.player(guild, UserId(room.ola.id)),
    ]


@pytest.mark.parametrize("number", [GENERATED // SHARE, pytest.param(GENERATED, marks=pytest.mark.contest)])
async def test_generated_requests_are_answered_without_an_error(
    room: Room,
    thread: Channel,
    paths: list[str],
    visit: Callable[[], Visit],
    caplog: pytest.LogCaptureFixture,
    number: int,
) -> None:
    chance, browser, seen = random.Random(38), visit(), Counter[int]()
    token = (await signed_link(room, room.ola)).partition("#")[2]
    assert (await browser.post("/enter", {"token": token}))[0] == 200
    await room.ola.command(thread, "resign").answered()
    own = {
        "Host": "kropka.example",
        "Origin": browser.origin,
        "Cookie": "; ".join(f"{cookie.key}={cookie.value}" for cookie in browser.cookies),
        "Content-Type": "application/json",
    }
    assert room.bot.website is not None
    async with serve(room.bot.website.app, "127.0.0.1", 0, idle_seconds=0.1) as port:
        for _ in range(number):
            request, breaks_off = a_request(chance, paths, own)
            seen[await send(port, request, breaks_off=breaks_off)] += 1
    assert {200, 400, 403, 404, 405} <= seen.keys(), seen
    assert [status for status in seen if status >= 500] == [], seen
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
