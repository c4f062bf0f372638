"""Those who attack the site, in a process of their own: `python -m benchmarks.attackers ATTACK NETWORKS`.

A line on stdin has the facts that they know (`Facts`). They go on until stdin is closed, and then write how many of
their requests had which status.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TypedDict

import aiohttp

from opponent.worker import lower_priority

REQUESTS_A_SECOND = 120
"""Requests of all attackers together: an attack at the limits of the site, and not one at those of this machine."""

TIMEOUT_SECONDS = 10.0

NICENESS = 10
"""Niceness of their process: real ones don't share the processor of the site."""


class Facts(TypedDict):
    """Facts that attackers know: the site, public pages, an instance of others, cookies of their own sessions."""

    address: str
    pages: list[str]
    instance: str
    cookies: list[str]


class Attackers:
    """Sends the requests of one attack from several networks in turn."""

    def __init__(self, http: aiohttp.ClientSession, facts: Facts, networks: list[str]) -> None:
        self._http = http
        self.facts = facts
        self._networks = itertools.cycle(networks)
        self._numbers = itertools.count()
        self.answers = Counter[str]()

    @property
    def number(self) -> int:
        """A new number each time."""
        return next(self._numbers)

    async def get(self, path: str) -> None:
        headers = {"X-Forwarded-For": next(self._networks)}
        async with self._http.get(f"{self.facts['address']}{path}", headers=headers) as got:
            await got.read()
            self.answers[str(got.status)] += 1

    async def post(self, path: str, body: object, origin: str | None = None) -> None:
        headers = {"X-Forwarded-For": next(self._networks), "Origin": origin or self.facts["address"]}
        sent = body if isinstance(body, str) else json.dumps(body)
        headers["Content-Type"] = "application/json"
        async with self._http.post(f"{self.facts['address']}{path}", data=sent, headers=headers) as got:
            await got.read()
            self.answers[str(got.status)] += 1

    async def open_socket(self, cookie: str, *messages: object) -> None:
        """Opens a board, sends these messages at once, and reads until it is closed or has answered them."""
        headers = {"X-Forwarded-For": next(self._networks), "Origin": self.facts["address"], "Cookie": cookie}
        async with self._http.ws_connect(f"{self.facts['address']}/live/1", headers=headers) as socket:
            for message in messages:
                await socket.send_str(json.dumps(message))
            for _ in range(1 + len(messages)):
                frame = await socket.receive()
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    break
            self.answers[f"closed by {socket.close_code}" if socket.closed else "socket"] += 1


def _page(each: Attackers) -> Awaitable[None]:
    return each.get(each.facts["pages"][0])


def _pages(each: Attackers) -> Awaitable[None]:
    return each.get(each.facts["pages"][each.number % len(each.facts["pages"])])


def _code(each: Attackers, instance: str) -> Awaitable[None]:
    return each.post("/activity/enter", {"code": f"made-up-{each.number}", "instance": instance}, "null")


def _taps(each: Attackers) -> Awaitable[None]:
    number = each.number
    tap = {"do": "try", "id": 7, "version": 0, "steps": [f"{'ABCDEFGH'[number % 8]}{1 + number % 9}"]}
    return each.open_socket(each.facts["cookies"][number % len(each.facts["cookies"])], tap, tap, tap)


ATTACKS: dict[str, Callable[[Attackers], Awaitable[None]]] = {
    "reads a public page again and again": _page,
    "reads all public pages": _pages,
    "makes up addresses of pages": lambda each: each.get(f"/game/{each.number}-AAAAAAAAAAAA"),
    "makes up links": lambda each: each.post("/enter", {"token": f"{each.number}.AAAAAAAA"}),
    "makes up codes and instances": lambda each: _code(each, f"made-up-{each.number}"),
    "makes up codes for an instance of others": lambda each: _code(each, each.facts["instance"]),
    "makes up tokens": lambda each: each.post("/activity/home", {"token": f"made-up-{each.number}"}, "null"),
    "asks for homes without a session": lambda each: each.get("/home.json"),
    "opens sockets without a session": lambda each: each.open_socket(""),
    "opens boards and taps at once": _taps,
    "sends messages that are none": lambda each: each.open_socket(each.facts["cookies"][0], *["none"] * 12),
    "sends bodies that are too long": lambda each: each.post("/enter", "x" * 1_000_000),
    "sends bodies that are too deep": lambda each: each.post("/enter", "[" * 4000),
    "asks for odd addresses": lambda each: each.get(f"/%00/{each.number}/..%2f..%2f?{'x' * 500}"),
}
"""Rows of docs/security.md that need no account of Discord, by what a stranger does."""


def networks(count: int) -> list[str]:
    """Returns the addresses of so many networks, of which the first is also the victim's."""
    return [f"203.{number}.113.9" for number in range(count)]


@asynccontextmanager
async def attacking(attack: str, count: int, facts: Facts) -> AsyncIterator[Counter[str]]:
    """Has attackers from so many networks attack for the block; afterwards its value has their answers by status."""
    program = (sys.executable, "-m", "benchmarks.attackers", attack, str(count))
    process = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(facts).encode() + b"\n")
    assert (await process.stdout.readline()).strip() == b"attacking"
    answers = Counter[str]()
    yield answers
    process.stdin.close()
    answers.update(json.loads(await process.stdout.readline()))
    await process.wait()


async def _attack(name: str, count: int, facts: Facts) -> None:
    lower_priority(NICENESS)
    jar, timeout = aiohttp.DummyCookieJar(), aiohttp.ClientTimeout(TIMEOUT_SECONDS)
    connector = aiohttp.TCPConnector(limit=200)
    async with aiohttp.ClientSession(cookie_jar=jar, connector=connector, timeout=timeout) as http:
        attackers = Attackers(http, facts, networks(count))
        attacking = asyncio.create_task(_send_all(attackers, ATTACKS[name]))
        print("attacking", flush=True)  # noqa: T201 - to the process that measures
        await asyncio.to_thread(sys.stdin.read)
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
    print(json.dumps(attackers.answers), flush=True)  # noqa: T201 - to the process that measures


async def _send_all(attackers: Attackers, send: Callable[[Attackers], Awaitable[None]]) -> None:
    """Sends requests at their pace, whatever becomes of those before."""

    async def attempt() -> None:
        try:
            await send(attackers)
        except (aiohttp.ClientError, TimeoutError) as error:
            attackers.answers[type(error).__name__] += 1

    async with asyncio.TaskGroup() as group:
        async for _ in paced(REQUESTS_A_SECOND):
            group.create_task(attempt())


async def paced(rate: float, numbers: Iterator[int] | None = None) -> AsyncIterator[int]:
    """Yields numbers without end, so many a second; those that are late come at once."""
    begun = time.perf_counter()
    for number in numbers or itertools.count():
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        yield number


def main() -> None:
    asyncio.run(_attack(sys.argv[1], int(sys.argv[2]), json.loads(sys.stdin.readline())))


if __name__ == "__main__":
    main()
