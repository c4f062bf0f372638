"""The share of a player in what draws for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from loopback import Channel
from play.ids import UserId
from play.refusal import Refused
from tests.bot.room import Room
from tests.web.visit import Visit, link_for
from web.live.pictures import ghost
from web.live.sender import Shares

OLA, MAKSIM = UserId(101), UserId(102)


class Gate:
    """Work that ends when it is let through; `begun` are the names of what has begun, `running` how many run."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.begun: list[str] = []
        self.running = self.most = 0

    def work(self, name: str) -> Callable[[], Any]:
        async def run() -> str:
            self.begun.append(name)
            self.running += 1
            self.most = max(self.most, self.running)
            await self.open.wait()
            self.running -= 1
            return name

        return run


async def ask(shares: Shares, user: UserId, work: Callable[[], Any]) -> asyncio.Task[Any]:
    """Asks, and lets all go on that can."""
    task = asyncio.create_task(shares.run(user, work))
    for _ in range(3):
        await asyncio.sleep(0)
    return task


async def test_of_what_a_user_asks_at_once_the_newest_is_done_after_the_first() -> None:
    shares, gate = Shares(), Gate()
    asked = [await ask(shares, OLA, gate.work(name)) for name in "abc"]
    with pytest.raises(Refused, match="overtaken"):
        await asked[1]
    gate.open.set()
    assert [await asked[0], await asked[2]] == ["a", "c"]
    assert (gate.begun, gate.most) == (["a", "c"], 1)


async def test_users_do_not_wait_for_each_other() -> None:
    shares, gate = Shares(), Gate()
    asked = [await ask(shares, user, gate.work(name)) for user, name in ((OLA, "a"), (OLA, "b"), (MAKSIM, "c"))]
    assert gate.begun == ["a", "c"]
    gate.open.set()
    assert await asyncio.gather(*asked) == ["a", "b", "c"]


async def test_one_who_leaves_has_their_share_until_their_work_is_done() -> None:
    shares, gate = Shares(), Gate()
    (await ask(shares, OLA, gate.work("a"))).cancel()
    (await ask(shares, OLA, gate.work("b"))).cancel()
    last = await ask(shares, OLA, gate.work("c"))
    assert gate.begun == ["a"]
    gate.open.set()
    assert await last == "c"
    assert gate.begun == ["a", "c"]


async def test_work_that_fails_fails_for_its_user_alone() -> None:
    shares, gate = Shares(), Gate()

    async def fail() -> None:
        raise LookupError("no such ghost")

    with pytest.raises(LookupError, match="no such ghost"):
        await shares.run(OLA, fail)
    gate.open.set()
    assert await shares.run(OLA, gate.work("a")) == "a"


async def test_when_the_threads_stop_no_one_is_left_waiting() -> None:
    shares, gate = Shares(), Gate()

    async def stop() -> None:
        await gate.open.wait()
        raise asyncio.CancelledError

    asked = [await ask(shares, OLA, work) for work in (stop, gate.work("b"))]
    gate.open.set()
    for each in asked:
        with pytest.raises(asyncio.CancelledError):
            await each


class Counter(ThreadPoolExecutor):
    """Threads that count how many ghosts they have been given at once."""

    def __init__(self) -> None:
        super().__init__(2)
        self.given: list[Future[Any]] = []
        self.most = 0

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        found: Future[Any] = super().submit(work, *args, **kwargs)
        if ghost in getattr(work, "args", ()):
            self.most = max(self.most, 1 + sum(not each.done() for each in self.given))
            self.given.append(found)
        return found


async def test_ten_boards_of_one_player_have_their_ghosts_one_after_another(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    boards = [await browser.live(answer["to"]) for _ in range(10)]
    for board in boards:
        await board.read()
    threads = Counter()
    asyncio.get_running_loop().set_default_executor(threads)
    answers = await asyncio.gather(*(board.attempt("E5") for board in boards))
    assert {answer["is"] for answer in answers} <= {"ghost", "refused"}
    assert sum(answer["is"] == "ghost" for answer in answers) == len(threads.given) > 1
    assert {answer["line"] for answer in answers if answer["is"] == "refused"} <= {
        "A newer request of yours has replaced this one. To see this one after all, try again."
    }
    assert threads.most == 1
