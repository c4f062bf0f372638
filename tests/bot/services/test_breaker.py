"""The pause of the whole process after answers of the edge: it grows, is bounded, and ends with one of Discord's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from bot.edge import HeldBack
from bot.services.breaker import PATIENCE_SECONDS, PAUSES, TRIAL_SECONDS, Breaker
from tests.virtual_time import run_virtually


def virtually(work: Callable[[Breaker], Coroutine[Any, Any, None]]) -> None:
    """Runs `work` with a breaker whose time is that of a loop of its own."""

    async def run() -> None:
        await work(Breaker(asyncio.get_running_loop().time))

    run_virtually(run())


def now() -> float:
    return asyncio.get_running_loop().time()


def test_pauses_double_up_to_ten_minutes_while_the_edge_answers() -> None:
    async def work(breaker: Breaker) -> None:
        pauses = []
        for _ in range(11):
            breaker.note_refusal("403")
            pauses.append(breaker.seconds)
            await asyncio.sleep(breaker.seconds)
        assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]

    virtually(work)


def test_what_was_sent_before_a_pause_prolongs_nothing() -> None:
    async def work(breaker: Breaker) -> None:
        for _ in range(40):
            breaker.note_refusal("403")
        assert breaker.seconds == PAUSES.min_seconds

    virtually(work)


def test_a_pause_lasts_as_long_as_the_edge_asks_for_within_its_bound() -> None:
    async def work(breaker: Breaker) -> None:
        breaker.note_refusal("429", retry_after=90.0)
        assert breaker.seconds == 90
        await asyncio.sleep(90)
        breaker.note_refusal("429", retry_after=1e9)
        assert breaker.seconds == PAUSES.max_seconds

    virtually(work)


def test_an_answer_of_discord_during_a_pause_ends_it_not() -> None:
    async def work(breaker: Breaker) -> None:
        breaker.note_refusal("403")
        breaker.note_answer()
        assert breaker.seconds == PAUSES.min_seconds

    virtually(work)


def test_after_a_pause_one_request_tries_and_the_others_go_with_discords_answer() -> None:
    async def work(breaker: Breaker) -> None:
        sent: list[float] = []

        async def send() -> None:
            await breaker.wait_turn()
            sent.append(now())

        breaker.note_refusal("403")
        requests = [asyncio.create_task(send()) for _ in range(50)]
        await asyncio.sleep(PAUSES.min_seconds + 0.5)
        assert sent == pytest.approx([2.0])
        breaker.note_answer()
        await asyncio.gather(*requests)
        assert sent == pytest.approx([2.0] + [2.5] * 49)
        breaker.note_refusal("403")
        assert breaker.seconds == PAUSES.min_seconds

    virtually(work)


def test_a_trial_that_the_edge_answers_begins_a_longer_pause() -> None:
    async def work(breaker: Breaker) -> None:
        breaker.note_refusal("403")
        await breaker.wait_turn()
        breaker.note_refusal("403")
        assert breaker.seconds == 2 * PAUSES.min_seconds

    virtually(work)


def test_a_trial_without_an_answer_lets_the_next_one_try() -> None:
    async def work(breaker: Breaker) -> None:
        breaker.note_refusal("403")
        await breaker.wait_turn()
        await breaker.wait_turn()
        assert now() == pytest.approx(PAUSES.min_seconds + TRIAL_SECONDS)

    virtually(work)


def test_a_request_that_would_wait_for_long_fails_at_once_and_is_not_sent() -> None:
    async def work(breaker: Breaker) -> None:
        breaker.note_refusal("429", retry_after=PATIENCE_SECONDS + 1)
        with pytest.raises(HeldBack) as held:
            await breaker.wait_turn()
        assert (now(), held.value.seconds) == (0, PATIENCE_SECONDS + 1)

    virtually(work)
