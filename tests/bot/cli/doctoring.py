"""Examinations by `kropka doctor`, and programs that answer in place of its web board."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
from aiohttp import web

from bot.cli.doctor import run_checks
from bot.cli.findings import Mark
from bot.settings import Settings
from loopback import TOKEN, Discord

ANSWER_SECONDS = 5.0
"""Seconds that each request of an examination gets."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Report(NamedTuple):
    """The answers of an examination, and their marks, by the part that they are about."""

    sentences: dict[str, list[str]]
    marks: dict[str, set[Mark]]

    def of(self, part: str) -> tuple[Mark, str]:
        """Returns the mark and the sentences of a part, all of which have the same mark."""
        (mark,) = self.marks[part]
        return mark, "\n".join(self.sentences[part])


class Patient:
    """A bot that is examined: its settings, beside which there are none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._monkeypatch = monkeypatch
        monkeypatch.chdir(folder)
        for name in Settings.model_fields:
            monkeypatch.delenv(f"KROPKA_{name.upper()}", raising=False)
        monkeypatch.delenv("DATABASE_URL", raising=False)
        self.set(token=TOKEN)

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self._monkeypatch.setenv(f"KROPKA_{name.upper()}", str(value))

    def set_activity(self, discord: Discord, address: str | None = None) -> None:
        """Sets an Activity with the right client secret, by default at the address of the stand-in."""
        self.set(web_url=(address or discord.address).rstrip("/"), client_secret=discord.client_secret)

    async def examine(self, answer_seconds: float = ANSWER_SECONDS, **options: Any) -> Report:
        report = Report({}, {})
        async for check, answers in run_checks(Settings.read(), answer_seconds=answer_seconds, **options):
            assert answers, f"{check.question} has an answer"
            report.sentences[check.part] = [answer.sentence for answer in answers]
            report.marks[check.part] = {answer.mark for answer in answers}
        return report


@asynccontextmanager
async def serving(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Runs a program that answers every request, and yields its address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        yield f"{'https' if tls else 'http'}://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def answer(status: int, text: str = "", headers: Mapping[str, str] | None = None) -> Handler:
    """Returns a handler with one answer for all."""

    async def handle(_: web.Request) -> web.Response:
        return web.Response(status=status, text=text, headers=headers)

    return handle


class Proxy:
    """A reverse proxy that passes no WebSockets on, and adds headers."""

    def __init__(self) -> None:
        self.target = ""
        self.added: dict[str, str] = {}

    async def handle(self, request: web.Request) -> web.Response:
        origin = {name: value for name, value in request.headers.items() if name == "Origin"}
        async with (
            aiohttp.ClientSession(auto_decompress=False) as http,
            http.get(f"{self.target}{request.path}", headers=origin, allow_redirects=False) as got,
        ):
            kept = {name: value for name, value in got.headers.items() if name not in ("Content-Length", "Date")}
            return web.Response(status=got.status, body=await got.read(), headers={**kept, **self.added})
