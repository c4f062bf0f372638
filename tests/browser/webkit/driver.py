"""WebKit on this machine, which is Safari's engine, and the message if there is none."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import aiohttp

from loopback import HANG_SECONDS

DRIVER: Final = "WebKitWebDriver"
DISPLAY: Final = "Xvfb"
MISSING: Final = "WebKit tests did not run: no WebKit; install it with `apt-get install webkit2gtk-driver xvfb`"

SCREEN: Final = "1400x1000x24"

POLL_SECONDS: Final = 0.05

NARROW_BARS: Final = "button, entry { min-width: 0; padding: 0; }"
"""A style of the browser's own bars, which would not let its window become as narrow as a phone."""


def is_installed() -> bool:
    """Returns whether the driver and the display are on PATH."""
    return all(map(shutil.which, (DRIVER, DISPLAY)))


class WebKit:
    """A window of WebKit's own small browser, steered by WebDriver: https://www.w3.org/TR/webdriver2/"""

    def __init__(self, http: aiohttp.ClientSession, session: str) -> None:
        self._http = http
        self._session = session

    @classmethod
    @asynccontextmanager
    async def running(cls, folder: Path) -> AsyncIterator[Self]:
        """Starts a display, the driver on it and a window, and stops them in the end; `folder` takes their settings."""
        async with _display() as display, _driver(display, folder) as address, aiohttp.ClientSession(address) as http:
            session = (await _ask(http, "POST", "/session", {"capabilities": {}}))["sessionId"]
            try:
                yield cls(http, f"/session/{session}")
            finally:
                await _ask(http, "DELETE", f"/session/{session}")

    # What is done

    async def open(self, address: str) -> None:
        """Opens a page; returns when it is loaded."""
        await self._ask("POST", "/url", {"url": address})

    async def resize(self, width: int, height: int) -> None:
        """Gives the page a size in CSS pixels; the window has its bars around it."""
        inner_width, inner_height = await self.run("return [innerWidth, innerHeight]")
        outer = await self._ask("GET", "/window/rect")
        size = {"width": outer["width"] + width - inner_width, "height": outer["height"] + height - inner_height}
        await self._ask("POST", "/window/rect", size)
        await self.wait_for(f"innerWidth === {width} && innerHeight === {height}")

    async def enter_frame(self, selector: str) -> None:
        """Has scripts run in a frame of the page, whatever its origin, until another page is opened."""
        await self._ask("POST", "/frame", {"id": await self.wait_for(f"document.querySelector('{selector}')")})

    async def drag(self, *path: tuple[float, float]) -> None:
        """Moves the mouse from place to place of the window, in CSS pixels, with its button pressed."""
        first, *others = map(_move, path)
        await self._point(first, {"type": "pointerDown", "button": 0}, *others, {"type": "pointerUp", "button": 0})

    async def move(self, x: float, y: float) -> None:
        """Moves the mouse to a place of the window, in CSS pixels."""
        await self._point(_move((x, y)))

    async def _point(self, *actions: dict[str, Any]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        await self._ask("POST", "/actions", {"actions": [mouse]})

    async def leave(self) -> None:
        """Forgets who has signed in, and shows nothing."""
        await self._ask("DELETE", "/cookie")
        await self.open("about:blank")

    # What is seen

    async def run(self, script: str) -> Any:
        """Returns what the body of a function returns in the page, or in the frame that was entered."""
        return await self._ask("POST", "/execute/sync", {"script": script, "args": []})

    async def wait_for(self, expression: str) -> Any:
        """Returns the value of an expression of a script as soon as it is truthy."""
        async with asyncio.timeout(HANG_SECONDS):
            while not (value := await self.run(f"return {expression}")):  # noqa: ASYNC110 - in another process
                await asyncio.sleep(POLL_SECONDS)
        return value

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return await _ask(self._http, method, self._session + path, body)


def _move(place: tuple[float, float]) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(place[0]), "y": round(place[1])}


@asynccontextmanager
async def _display() -> AsyncIterator[str]:
    """Starts a display without a screen; yields its name."""
    ready, told = os.pipe()
    command = (DISPLAY, "-displayfd", str(told), "-screen", "0", SCREEN, "-nolisten", "tcp")
    process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL, pass_fds=[told])
    os.close(told)
    with open(ready) as numbers:  # noqa: ASYNC230 - a pipe
        number = await asyncio.to_thread(numbers.readline)
    assert number, f"{DISPLAY} has ended"
    try:
        yield f":{number.strip()}"
    finally:
        await _stop(process)


@asynccontextmanager
async def _driver(display: str, folder: Path) -> AsyncIterator[str]:
    """Starts the driver; yields its address."""
    style = folder / "gtk-3.0" / "gtk.css"
    style.parent.mkdir()
    style.write_text(NARROW_BARS)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(folder)}
    process = await asyncio.create_subprocess_exec(DRIVER, f"--port={port}", env=environment, stderr=DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        await _wait_for(address)
        yield address
    finally:
        await _stop(process)


async def _wait_for(address: str) -> None:
    async with asyncio.timeout(HANG_SECONDS), aiohttp.ClientSession(address) as http:
        while True:
            try:
                await _ask(http, "GET", "/status")
                return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(POLL_SECONDS)


async def _stop(process: Process) -> None:
    process.terminate()
    await process.wait()


async def _ask(http: aiohttp.ClientSession, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Returns what the driver answers to a command. Raises AssertionError with what it says against it."""
    timeout = aiohttp.ClientTimeout(HANG_SECONDS)
    async with http.request(method, path, json=body, timeout=timeout) as answer:
        told = await answer.json(content_type=None)
    assert answer.status == 200, told
    return told["value"]
