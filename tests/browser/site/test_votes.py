"""A vote on the web board: it is said, and the tally is on the board until there is another version."""

from __future__ import annotations

from playwright.async_api import expect

from tests.bot.room import Room
from tests.bot.vote_games import begin_votes, count_votes, vote
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_looks import box_of, overlap
from tests.browser.web_board import open_board
from tests.browser.window import Window


@in_both_sizes
async def test_a_vote_shows_the_tally_until_the_count(room: Room, window: Window) -> None:
    await begin_votes(room)
    await vote(room.ola, room.channel, "k12")
    board = await open_board(room, room.channel, window, room.kasia, side=20)
    numbers = window.page.locator("#field .number")
    await expect(board.status).to_contain_text("Vote on your side's move: voting closes")
    await expect(numbers).to_have_count(0)
    await board.tap("M9")
    await expect(board.ghosts).to_have_count(1)
    await board.glance()
    await board.tap("M9")
    await expect(board.said).to_contain_text("Your vote: M9.")
    await expect(numbers).to_have_text(["50", "50"])
    await count_votes(room)
    await expect(numbers).to_have_count(0)
    await expect(board.stones).to_have_count(5)


@in_both_sizes
async def test_who_watches_reads_the_last_votes_beside_the_board(room: Room, window: Window) -> None:
    await begin_votes(room)
    for person, point in ((room.ola, "k12"), (room.kasia, "b2")):
        await vote(person, room.channel, point)
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    board = await open_board(room, room.channel, window, room.discord.invite("Zoe"), side=20)
    if board.narrow:
        await board.button("More").click()
    await board.button("Votes").click()
    await expect(window.page.locator("#field .number")).to_have_text(["50", "50"])
    question, field = window.page.locator("#question"), window.page.locator("#field")
    await expect(question).to_contain_text("1 vote of 2 was for K12.")
    assert not overlap(await box_of(question), await box_of(field))
