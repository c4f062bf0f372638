"""Measures the frames of a large board while two fingers zoom it on a phone: `python -m docs.frames`.

Chromium traces its compositor: when each frame was drawn, and the processor's time for it, which is the same on a busy
machine.
"""

from __future__ import annotations

import asyncio
import json
import os
from itertools import pairwise
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from docs.stage import Stage, open_browser, open_stage
from docs.taps import open_phone, open_web_board
from play.ids import IdempotencyKey, MatchId

if TYPE_CHECKING:
    from playwright.async_api import Page

SIZE: Final = (39, 32)
DOTS: Final = 300
FRAME: Final = 1000 / 60
"""Milliseconds of a frame."""

REST: Final = 200
"""Milliseconds without a frame in which the fingers are lifted."""

WORK: Final = (
    "ProxyMain::BeginMainFrame",
    "RasterTask",
    "ProxyImpl::ScheduledActionCommit",
    "TileManager::PrepareTiles",
)
"""The work for a frame: the page's scripts, layout and paint, and its tiles."""

CATEGORIES: Final = ("cc", "benchmark", "disabled-by-default-devtools.timeline.frame")
SCALES: Final = (4.0, 0.25, 4.0, 0.25, 4.0, 0.25)
"""How far the fingers go apart or together, one pinch after the other."""


async def fill(stage: Stage) -> None:
    """Begins a game of Ola and Максим with so many dots on it."""
    width, height = SIZE
    await stage.start_match(size=f"{width}x{height}", start="cross", clock="3d")
    matches, chance = stage.room.use_cases.matches, Random(1)  # noqa: S311
    match = await matches.load(MatchId(1))
    while len(match.position.picture().stones) < DOTS:
        move = chance.choice([str(each) for each in match.position.moves()])
        mover = match.players[match.position.to_act]
        match = await matches.move(match.id, mover, move, stage.room.clock(), IdempotencyKey(match.version + 10**6))


async def pinch(page: Page) -> None:
    """Zooms the board in and out again by two fingers."""
    client = await page.context.new_cdp_session(page)
    for scale in SCALES:
        given = {"x": 195, "y": 300, "scaleFactor": scale, "relativeSpeed": 400, "gestureSourceType": "touch"}
        await client.send("Input.synthesizePinchGesture", given)


def frames(trace: dict[str, Any]) -> tuple[list[float], float]:
    """Returns the milliseconds between one frame and the next, and those of the processor for each: of the page's own
    thread and of all that draw tiles."""
    events = trace["traceEvents"]
    drawn = sorted(event["ts"] / 1000 for event in events if event["name"] == "DrawFrame")
    taken = sum(event.get("tdur", 0) / 1000 for event in events if event["name"] in WORK)
    return [after - before for before, after in pairwise(drawn) if after - before < REST], taken / len(drawn)


async def main() -> None:
    """Prints the figures."""
    async with open_browser() as browser, open_stage("en") as stage, open_phone(browser) as phone:
        await fill(stage)
        await open_web_board(stage, phone, 1, SIZE[0])
        await browser.start_tracing(page=phone.page, categories=[*CATEGORIES])
        await pinch(phone.page)
        trace = await browser.stop_tracing()
    between, work = frames(json.loads(trace))
    late = sum(each > 1.5 * FRAME for each in between)
    print(  # noqa: T201
        f"{len(between)} frames, {median(between):.1f} ms from one to the next (median), {late} of them late; "
        f"{work:.1f} ms of the processor for each, of {FRAME:.1f}; load of the machine: {os.getloadavg()[0]:.0f}"
    )


if __name__ == "__main__":
    asyncio.run(main())
