"""Ten people at one board of a study: how soon a stroke of one is seen by all.

`python -m benchmarks.studies [STROKES]`. The site is a process of its own; each of the ten draws once a second and
points four times a second.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure
from benchmarks.program import report
from tests.web import pen
from tests.web.pen import Pen
from tests.web.processes import free_ports, wait_for_site
from tests.web.visit import Visit

PEOPLE, STROKES = 10, 60
"""People at a board, and strokes that each of them makes."""

STROKE_SECONDS, POINTS = 1.0, 4
"""Seconds between two strokes of one, and how often one points meanwhile."""

COLUMNS = "ABCDEFGHIJKLMNOPQRST"


def figures(strokes: int = STROKES) -> Iterator[Figure]:
    yield from asyncio.run(_measure(strokes))


async def _measure(strokes: int) -> list[Figure]:
    (port,) = free_ports(1)
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'studies.db'}"
        run = sys.executable, "-m", "tests.web.study_process", url, str(port), str(PEOPLE)
        process = await asyncio.create_subprocess_exec(*run, stdout=PIPE)
        assert process.stdout is not None
        links = [(await process.stdout.readline()).decode().strip() for _ in range(PEOPLE)]
        await wait_for_site(port)
        try:
            async with AsyncExitStack() as stack:
                pens = await _gather(stack, port, links)
                return await _draw(pens, strokes)
        finally:
            process.kill()
            await process.wait()


async def _gather(stack: AsyncExitStack, port: int, links: list[str]) -> list[Pen]:
    visits = [await stack.enter_async_context(Visit(f"http://127.0.0.1:{port}/")) for _ in links]
    for visit, link in zip(visits, links, strict=True):
        await visit.enter(link)
    first = await pen.begin(visits[0], size="20x20")
    owner = await first.connect()
    _, shared = await pen.ask(visits[0], "share", study=first.study, role="drawer")
    others = []
    for visit in visits[1:]:
        await pen.ask(visit, "join", study=first.study, link=shared["study"]["link"])
        others.append(await Pen(visit, first.study, first.chapter).connect())
    return [owner, *others]


async def _draw(pens: list[Pen], strokes: int) -> list[Figure]:
    sent = dict[str, float]()
    seen = list[float]()
    done = asyncio.Event()
    expected = strokes * len(pens) * len(pens)

    async def read(one: Pen) -> None:
        while not done.is_set():
            stroke = await one.until(**{"is": "drawn"})
            at = time.monotonic()
            seen.extend(at - sent[turn["note"]] for turn in stroke["put"] if turn["note"] in sent)
            if stroke["note"] in sent:
                seen.append(at - sent[stroke["note"]])
            if len(seen) >= expected:
                done.set()

    async def draw(one: Pen, number: int) -> None:
        random = Random(number)  # noqa: S311
        await asyncio.sleep(random.random() * STROKE_SECONDS)
        for stroke in range(strokes):
            note = f"{number} {stroke}"
            sent[note] = time.monotonic()
            await one.begin("note", turn=None, note=note)
            for _ in range(POINTS):
                await one.say(do="cursor", turn=None, point=f"{random.choice(COLUMNS)}{random.randint(1, 20)}")
                await asyncio.sleep(STROKE_SECONDS / POINTS)

    readers = [asyncio.create_task(read(one)) for one in pens]
    await asyncio.gather(*(draw(one, number) for number, one in enumerate(pens)))
    async with asyncio.timeout(30):
        await done.wait()
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    seen.sort()
    return [
        Figure("a stroke in a study to all of ten, 99 %", 1000 * seen[int(0.99 * len(seen))], "ms", 250),
        Figure("a stroke in a study to all of ten, median", 1000 * seen[len(seen) // 2], "ms"),
        Figure("strokes seen by one of ten", len(seen), ""),
    ]


def main() -> int:
    return report(figures(*map(int, sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())
