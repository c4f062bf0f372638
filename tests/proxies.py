"""A forward proxy that asks for a name and a password, and a machine on which nothing else leads out."""

from __future__ import annotations

import asyncio
import base64
from asyncio.selector_events import BaseSelectorEventLoop
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import pytest

NAME, PASSWORD = "kropka", "p@ss/w#rd"

GIVEN = "kropka:p%40ss%2Fw%23rd"
"""Both as an address has them."""

_may_leave: ContextVar[bool] = ContextVar("_may_leave", default=False)


class Proxy:
    """A proxy for CONNECT (`http`) or SOCKS 5 (`socks5`).

    Attributes:
        asked: the hosts and ports that it was asked for.
        refused: how often the name or the password was wrong.
        fails: whether it closes each connection without an answer.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.address = ""
        self.asked: list[tuple[str, int]] = []
        self.refused = 0
        self.fails = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Proxy]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.address = f"{self.kind}://{GIVEN}@127.0.0.1:{self.port}"
        async with server:
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _may_leave.set(True)
        with suppress(OSError, EOFError):
            if not self.fails:
                target = await (self._greet_http if self.kind == "http" else self._greet_socks)(reader, writer)
                if target is not None:
                    self.asked.append(target)
                    await _join(reader, writer, *await asyncio.open_connection(*target))
        writer.close()

    async def _greet_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int] | None:
        first, *fields = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        verb, target, _ = first.split()
        assert verb == "CONNECT"
        secret = base64.b64encode(f"{NAME}:{PASSWORD}".encode()).decode()
        if f"proxy-authorization: basic {secret}".casefold() not in [each.casefold() for each in fields]:
            self.refused += 1
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return None
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        host, _, port = target.rpartition(":")
        return host, int(port)

    async def _greet_socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int] | None:
        _, methods = await reader.readexactly(2)
        assert 2 in await reader.readexactly(methods), "a name and a password are offered"
        writer.write(b"\x05\x02")
        await reader.readexactly(1)
        given = [(await reader.readexactly((await reader.readexactly(1))[0])).decode() for _ in range(2)]
        if given != [NAME, PASSWORD]:
            self.refused += 1
            writer.write(b"\x01\x01")
            return None
        writer.write(b"\x01\x00")
        kind = (await reader.readexactly(4))[3]
        raw = await reader.readexactly(4 if kind == 1 else (await reader.readexactly(1))[0])
        host = ".".join(map(str, raw)) if kind == 1 else raw.decode()
        port = int.from_bytes(await reader.readexactly(2), "big")
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        return host, port


async def _join(*ends: Any) -> None:
    """Carries what comes on either connection to the other one, until both have ended."""
    reader, writer, far_reader, far_writer = ends

    async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                target.write(data)
                await target.drain()
        target.close()

    await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))


@contextmanager
def anywhere() -> Iterator[None]:
    """Lets what runs in the block connect to anything: a browser, which has a way of its own."""
    token = _may_leave.set(True)
    yield
    _may_leave.reset(token)


def close_all_but(monkeypatch: pytest.MonkeyPatch, *ports: int) -> None:
    """Refuses every connection of the bot to another port; proxies and browsers have ways of their own."""
    connect = BaseSelectorEventLoop.sock_connect

    async def refuse(self: BaseSelectorEventLoop, sock: Any, address: Any) -> None:
        if sock.family in (2, 10) and address[1] not in ports and not _may_leave.get():
            raise ConnectionRefusedError("the direct way is closed")
        await connect(self, sock, address)

    monkeypatch.setattr(BaseSelectorEventLoop, "sock_connect", refuse)
