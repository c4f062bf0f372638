"""Attacks on a board of one's own in a browser, by hostile and by impatient readers."""

from __future__ import annotations

import json
from typing import Any

from playwright.async_api import Page, expect

from rules.game import Point, point_name
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_analysis_states import tool
from tests.browser.window import Window

EVIL = "javascript:alert(1) <img src=x onerror=alert(2)> [a](javascript:alert(3))"


def letters(point: Point) -> str:
    return chr(97 + point.x) + chr(97 + point.y)


def wide_board(branches: int) -> dict[str, Any]:
    """Returns a board with so many branches after its first move, as a browser keeps it."""
    points = [point_name(Point(x, y)) for x in range(38) for y in range(38)][: branches + 1]
    turns: list[dict[str, Any]] = [
        {"id": n, "parent": 1 if n > 1 else None, "seat": int(n > 1), "text": point, "note": "", "marks": []}
        for n, point in enumerate(points, start=1)
    ]
    board = {"name": "x", "rules": "zagram", "options": {"size": "39x39"}, "note": "", "marks": [], "turns": turns}
    return {**board, "next_id": len(turns) + 1, "removed": []}


def deep_record(depth: int) -> str:
    """Returns a record in which each branch has a branch."""
    points = [Point(x, y) for x in range(0, 38, 2) for y in range(0, 38, 2)]
    pairs = [*zip(points[::2], points[1::2], strict=False)][:depth]
    opened = "".join(f"(;{'BW'[n % 2]}[{letters(a)}])(;{'BW'[n % 2]}[{letters(b)}]" for n, (a, b) in enumerate(pairs))
    return f"(;GM[40]SZ[38]{opened}{')' * len(pairs)})"


async def open_record(room: Room, page: Page, record: str) -> None:
    await page.goto(f"{room.discord.address}analysis")
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()
    await tool(page, "open")
    await page.locator("#record-text").fill(record)
    await page.locator("#asked .form button").click()
    await expect(page.locator("#asked")).to_have_count(0)


@in_both_sizes
async def test_a_thousand_branches_are_shown_and_walked(room: Room, window: Window) -> None:
    page = window.page
    await page.goto(f"{room.discord.address}analysis")
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()
    await page.evaluate("text => { sessionStorage['kropka-own-board'] = text; }", json.dumps(wide_board(1000)))
    await page.reload()
    await expect(page.locator("#sheet nav .branch")).to_have_count(999)
    await page.locator("#sheet-walk button").nth(2).click()
    await expect(page.locator("#sheet nav [aria-current]")).to_contain_text("A1")


@in_both_sizes
async def test_branches_of_branches_stay_inside_the_page(room: Room, window: Window) -> None:
    page = window.page
    await open_record(room, page, deep_record(100))
    await page.locator("#sheet-walk button").nth(2).click()
    await expect(page.locator("#sheet nav .branch").first).to_be_visible()
    assert await page.locator("#sheet aside").evaluate("each => each.scrollWidth <= each.clientWidth + 1")


async def test_a_note_and_a_name_are_text_alone(room: Room, window: Window) -> None:
    page = window.page
    await open_record(
        room, page, f"(;GM[40]SZ[10]GN[{EVIL.replace(']', chr(92) + ']')}];B[ee]C[javascript:x <b>y</b>])"
    )
    await expect(page.locator("#sheet nav q")).to_have_text("javascript:x <b>y</b>")
    assert await page.locator("#sheet :is(b, img, a)").count() == 0


async def test_forty_quick_presses_are_done_in_their_order(room: Room, window: Window) -> None:
    page = window.page
    await page.goto(f"{room.discord.address}analysis")
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()
    box = await page.locator("#sheet-field").bounding_box()
    assert box is not None
    step = box["width"] / 24
    await page.locator('#own-tools [data-focus="marks"]').click()
    for number in range(12):
        await page.mouse.click(box["x"] + (3 + number) * step, box["y"] + box["height"] / 4)
    await expect(page.locator("#sheet-field .marks .circle")).to_have_count(12)
    for _ in range(20):
        await page.locator('#own-tools [data-focus="undo"]').dispatch_event("click")
    await expect(page.locator("#sheet-field .marks .circle")).to_have_count(0)
    for _ in range(20):
        await page.locator('#own-tools [data-focus="redo"]').dispatch_event("click")
    await expect(page.locator("#sheet-field .marks .circle")).to_have_count(12)
