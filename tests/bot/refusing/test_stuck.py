"""Boards while the edge lets nothing through, and a board at which Discord fails each time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from bot.features.match.delivery.stuck_messages import STUCK_SECONDS
from bot.services.breaker import PAUSES
from loopback import Attempt, Message
from loopback.errors import NETWORK_ERROR, Page, Refusal, cloudflare_page
from play.ids import IdempotencyKey, UserId
from play.match.match import Match
from tests.bot.refusing.draws import BLOCK_SECONDS
from tests.bot.refusing.people import Run, begin
from tests.bot.refusing.run import running
from tests.virtual_time import run_virtually
from use_cases.worker import MAX_PLAY_BACKOFF_SECONDS

MESSAGES = "/channels/{channel_id}/messages"

SOON_SECONDS = BLOCK_SECONDS + 3 * PAUSES.min_seconds
"""Seconds after which a block is over, and the pause after it."""


def play_virtually(play: Callable[[Run, Match], Awaitable[None]]) -> None:
    """Runs `play` with a game of Ola and Максим over three days, whose first board is there."""

    async def work() -> None:
        async with running() as run:
            match = await begin(run)
            assert match is not None
            await play(run, match)
            assert run.room.discord.problems == []

    run_virtually(work())


async def move(run: Run, match: Match, point: str) -> None:
    """Plays a move whose board is posted, since no click is answered by it."""
    now = await run.room.use_cases.matches.load(match.id)
    assert now.to_act is not None
    key = IdempotencyKey(100 * match.id + now.version)
    await run.room.use_cases.matches.move(match.id, match.players[now.to_act], point, run.room.clock(), key)


def boards(run: Run, match: Match, words: str) -> list[Message]:
    """Returns the messages in the place of a match that say something."""
    return [each for each in run.room.discord.messages(run.place(match)) if words in each.content]


@pytest.mark.parametrize("answer", [NETWORK_ERROR, cloudflare_page(403)])
def test_a_board_comes_where_it_belongs_after_the_edge_has_let_nothing_through(
    answer: Refusal | Page, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def play(run: Run, match: Match) -> None:
        block = run.room.discord.fault("*", "*", answer, times=None)
        await move(run, match, "c3")
        await asyncio.sleep(BLOCK_SECONDS)
        block.end()
        assert len(block.hits) <= 2
        await asyncio.sleep(SOON_SECONDS)
        (board,) = boards(run, match, "played **C3**")
        assert board.attachments
        assert board.channel_id == match.channel
        (game,) = await run.room.use_cases.matches.list_open(match.players[0])
        assert not game.lost

    play_virtually(play)
    assert all(len(line) < 300 for line in caplog.messages)


@pytest.mark.contest
def test_a_block_of_an_hour_costs_few_requests_however_many_games_wait() -> None:
    async def play(run: Run, match: Match) -> None:
        for _ in range(4):
            await begin(run)
        matches = await run.matches()
        assert len(matches) == 5
        block = run.room.discord.fault("*", "*", cloudflare_page(429), times=None)
        for each in matches:
            await move(run, each, "c3")
        await asyncio.sleep(3600)
        assert len(block.hits) <= 20
        block.end()
        await asyncio.sleep(PAUSES.max_seconds + MAX_PLAY_BACKOFF_SECONDS)
        assert all(boards(run, each, "played **C3**") for each in matches)

    play_virtually(play)


def test_clicks_are_answered_while_all_else_pauses() -> None:
    async def play(run: Run, match: Match) -> None:
        run.room.bot.breaker.note_refusal("403", retry_after=300.0)
        assert await run.move(match.id, "c3")
        assert boards(run, match, "played **C3**")

    play_virtually(play)


def board_of(number: int, *, pictured: bool = False) -> Callable[[Attempt], bool]:
    """Returns the condition of a fault: a board of a version in a channel, by its nonce, `pictured` or in any form."""

    def is_board(attempt: Attempt) -> bool:
        nonce = str(attempt.body.get("nonce", ""))
        fails = nonce.startswith(f"1:{number}:") and not nonce.startswith(f"1:{number}:d")
        return fails and bool(attempt.body.get("attachments") or not pictured)

    return is_board


async def pass_minutes(run: Run, match: Match) -> None:
    """Lets Kasia read her games now and then, for longer than a message is tried as it is, and some tries more."""
    for _ in range(10):
        await run.command(run.room.kasia, run.room.channel, "games")
        await asyncio.sleep((STUCK_SECONDS + 5 * (MAX_PLAY_BACKOFF_SECONDS + 25)) / 10)


@pytest.mark.contest
@pytest.mark.parametrize("answer", [500, cloudflare_page(403)])
def test_a_board_whose_picture_fails_each_time_comes_without_it(answer: int | Page) -> None:
    async def play(run: Run, match: Match) -> None:
        run.room.discord.fault("POST", MESSAGES, answer, times=None, predicate=board_of(1, pictured=True))
        await move(run, match, "c3")
        await pass_minutes(run, match)
        (board,) = boards(run, match, "played **C3**")
        assert not board.attachments
        assert "Discord didn't take the picture" in board.content

    play_virtually(play)


@pytest.mark.contest
@pytest.mark.smoke
def test_a_board_that_fails_each_time_holds_up_no_later_one() -> None:
    async def play(run: Run, match: Match) -> None:
        run.room.discord.fault("POST", MESSAGES, 500, times=None, predicate=board_of(1))
        await move(run, match, "c3")
        await move(run, match, "c2")
        await pass_minutes(run, match)
        (board,) = boards(run, match, "played **C2**")
        assert board.attachments

    play_virtually(play)


@pytest.mark.contest
def test_a_board_that_fails_each_time_reaches_the_players_and_loses_no_channel() -> None:
    async def play(run: Run, match: Match) -> None:
        run.room.discord.fault("POST", MESSAGES, 500, times=None, predicate=board_of(1))
        await move(run, match, "c3")
        await pass_minutes(run, match)
        for user in match.players:
            told = run.room.discord.messages(run.people[user].open_dm())
            assert any("played **C3**" in each.content and each.attachments for each in told)
            assert not any("I can no longer post" in each.content for each in told)
        (game,) = await run.room.use_cases.matches.list_open(UserId(match.players[0]))
        assert not game.lost
        await move(run, match, "c2")
        await asyncio.sleep(1)
        assert boards(run, match, "played **C2**")

    play_virtually(play)


@pytest.mark.contest
def test_in_an_outage_a_board_waits_for_its_whole_form() -> None:
    async def play(run: Run, match: Match) -> None:
        outage = run.room.discord.fault("*", "*", 500, times=None)
        await move(run, match, "c3")
        await move(run, match, "c2")
        await asyncio.sleep(1800)
        outage.end()
        await asyncio.sleep(MAX_PLAY_BACKOFF_SECONDS + 25)
        assert [bool(each.attachments) for each in boards(run, match, "played **C")] == [True, True]

    play_virtually(play)
