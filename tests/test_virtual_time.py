"""A loop whose time passes at once, but not while something works."""

from __future__ import annotations

import asyncio
import threading
import time

from tests.clock import HOUR, NOON
from tests.virtual_time import VirtualClock, VirtualLoop, run_virtually


def test_an_hour_passes_at_once_and_timers_fire_in_their_order() -> None:
    fired: list[int] = []

    async def work() -> tuple[int, float]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        clock = VirtualClock(loop)
        for seconds in (20, 10):
            loop.call_later(seconds, fired.append, seconds)
        await asyncio.sleep(3600)
        return clock(), loop.time()

    assert run_virtually(work()) == (NOON + HOUR, 3600)
    assert fired == [10, 20]


def test_a_thread_at_work_holds_the_time() -> None:
    async def work() -> float:
        async with asyncio.timeout(1):
            await asyncio.to_thread(time.sleep, 0.02)
        return asyncio.get_running_loop().time()

    assert run_virtually(work()) == 0


def test_work_beside_the_loop_holds_the_time_however_busy_the_machine() -> None:
    async def work() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        done = asyncio.Event()
        thread = threading.Timer(0.5, loop.call_soon_threadsafe, [done.set])
        with loop.working():
            thread.start()
            async with asyncio.timeout(1):
                await done.wait()
        return loop.time()

    assert run_virtually(work()) == 0


def test_a_message_between_sockets_of_the_process_arrives_before_time_passes() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    async def work() -> tuple[bytes, float]:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"hello\n")
            answer = await asyncio.wait_for(reader.readline(), 5)
            writer.close()
        return answer, asyncio.get_running_loop().time()

    assert run_virtually(work()) == (b"hello\n", 0)
