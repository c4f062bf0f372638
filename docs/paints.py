"""Measures what pages weigh and how soon they are painted on a phone with a slow network: `python -m docs.paints`.

Chromium keeps no file between two visits, and is held to a quarter of the processor and to the network of a phone, as
Lighthouse does it (github.com/GoogleChrome/lighthouse, docs/throttling.md: slow 4G). The first paint is that of any
text or picture; a page is *there* when it shows what its reader came for.
"""

from __future__ import annotations

import asyncio
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from docs.screens import DIAGRAM, LINES, SECTIONS, settle
from docs.stage import Stage, open_browser, open_stage
from docs.taps import open_phone
from tests.browser.home_page import home_link
from tests.browser.site.test_study_states import BEGIN
from tests.clock import MINUTE

if TYPE_CHECKING:
    from playwright.async_api import Page

SLOW_4G: Final = {"offline": False, "latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 96_000}
"""Milliseconds of a way there and back, and bytes a second."""

SLOWER: Final = 4
"""How many times slower the processor is."""

VISITS: Final = 3
"""Of which the median counts."""

SEEN: Final = """() => {
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return [files.reduce((sum, each) => sum + each.transferSize, 0), paint.startTime];
}"""
"""Returns the bytes that came, and the milliseconds until the first paint."""


class Seen(NamedTuple):
    """The bytes of a visit, and the milliseconds until its first paint and until the page was there."""

    size: float
    painted: float
    there: float


async def addresses(stage: Stage, page: Page) -> dict[str, tuple[str, str]]:
    """Signs Ola in; returns the path of each page, and what is to be seen there."""
    await page.goto(await home_link(stage.room, stage.room.ola))
    await page.locator(SECTIONS).first.wait_for()
    study = await page.evaluate(BEGIN, [None, [[0, "C4"], [1, "D4"], [0, "E5"]]])
    return {
        "front page": ("front", "main"),
        "home": ("home", SECTIONS),
        "board": ("board/2", LINES),
        "finished game": ("board/1", LINES),
        "board of one's own": (f"analysis#diagram={quote(DIAGRAM)}", "#sheet-field .stones > *"),
        "studies": ("study", ".studies"),
        "study": (f"study/{study}", "#sheet-field svg .grid line"),
        "figures": ("figures", "main h1"),
        "openings": ("openings", "main h1"),
        "year": ("figures/year", "main img"),
    }


async def visit(page: Page, address: str, wanted: str) -> Seen:
    """Opens a page anew, and waits for what is to be seen there. Raises ValueError where there is none."""
    await page.goto("about:blank")
    answer = await page.goto(address, wait_until="commit")
    if answer is None or not answer.ok:
        raise ValueError(f"no page at {address}")
    await page.locator(wanted).first.wait_for(state="attached")
    there = await page.evaluate("performance.now()")
    await page.wait_for_load_state("networkidle")
    size, painted = await page.evaluate(SEEN)
    return Seen(size, painted, there)


async def main() -> None:
    """Prints a line for each page, as a table."""
    print("| page | kB | first paint | there |\n|---|---:|---:|---:|")  # noqa: T201
    async with open_browser() as browser, open_stage("en") as stage, open_phone(browser) as phone:
        await settle(stage)
        page, site = phone.page, stage.discord.address
        shown = await addresses(stage, page)
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Network.enable")
        await devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        await devtools.send("Network.emulateNetworkConditions", SLOW_4G)
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        for name, (path, wanted) in shown.items():
            visits = []
            for _ in range(VISITS):
                await stage.room.pass_time(MINUTE)  # visits are counted by the minute
                visits.append(await visit(page, site + path, wanted))
            size, painted, there = map(median, zip(*visits, strict=True))
            print(f"| {name} | {size / 1000:.0f} | {painted / 1000:.1f} s | {there / 1000:.1f} s |", flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
