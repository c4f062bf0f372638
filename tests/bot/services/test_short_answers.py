"""Short answers share connections, and come whatever becomes of these."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from bot.services.short_answers import ShortAnswers
from bot.telemetry.metrics import Metrics

INTERACTION = {"id": "7", "token": "secret"}
DONE = "204 No Content"
SILENCE = "no answer"


class Desk:
    """A Discord that answers each request with the next of its `statuses`, or not at all (`SILENCE`), and closes the
    connection if `closes`.

    Attributes:
        protocol: what it speaks.
        connections: how many there were.
        requests: their first lines and their bodies.
    """

    def __init__(self) -> None:
        self.statuses: list[str] = []
        self.protocol = "HTTP/1.1"
        self.closes = False
        self.hung_up = asyncio.Event()
        self.connections = 0
        self.requests: list[tuple[str, Any]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *fields = head.decode().splitlines()
                length = next(int(field.split(":")[1]) for field in fields if field.startswith("Content-Length"))
                self.requests.append((first, json.loads(await reader.readexactly(length))))
                status = self.statuses.pop(0) if self.statuses else DONE
                if status == SILENCE:
                    continue
                writer.write(f"{self.protocol} {status}\r\nContent-Length: 0\r\n\r\n".encode())
                if self.closes:
                    break
        except asyncio.IncompleteReadError:  # the bot has closed it
            pass
        finally:
            self.hung_up.set()
            writer.close()


@pytest.fixture
async def desk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    desk = Desk()
    server = await asyncio.start_server(desk.serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://{host}:{port}/api/v10")
    async with server:
        yield desk


async def tell(desk: Desk, *sentences: str) -> Metrics:
    """Tells sentences one after the other, and returns what was counted."""
    metrics = Metrics()
    answers = ShortAnswers("a bot", metrics)
    for sentence in sentences:
        answers.tell(INTERACTION, sentence)
        await answers.settle()
    await answers.close()
    return metrics


def count(metrics: Metrics, status: str) -> bool:
    """Returns whether one request with that status was counted."""
    labels = f'method="POST",route="/interactions/{{id}}/{{token}}/callback",status="{status}"'
    return f"kropka_discord_requests_total{{{labels}}} 1.0" in metrics.text().decode()


async def test_an_answer_is_a_private_message(desk: Desk) -> None:
    await tell(desk, "Not played.")
    ((first, body),) = desk.requests
    assert first == "POST /api/v10/interactions/7/secret/callback HTTP/1.1"
    assert (body["type"], body["data"]["content"], body["data"]["flags"]) == (4, "Not played.", 64)


async def test_answers_share_a_connection(desk: Desk) -> None:
    await tell(desk, "One.", "Two.")
    assert (desk.connections, len(desk.requests)) == (1, 2)


async def test_an_answer_comes_though_the_connection_was_closed(desk: Desk) -> None:
    desk.closes = True
    await tell(desk, "One.", "Two.")
    assert (desk.connections, [body["data"]["content"] for _, body in desk.requests]) == (2, ["One.", "Two."])


async def test_a_connection_is_not_used_again_after_a_refusal(desk: Desk) -> None:
    desk.statuses = ["404 Not Found"]
    metrics = await tell(desk, "One.", "Two.")
    assert desk.connections == 2
    assert count(metrics, "404")
    assert count(metrics, "204")


async def test_a_connection_is_closed_where_discord_does_not_answer_in_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.short_answers.TIMEOUT_SECONDS", 0.05)
    desk.statuses = [SILENCE]
    assert count(await tell(desk, "One."), "TimeoutError")
    await desk.hung_up.wait()


async def test_answers_that_discord_counts_as_invalid_are_counted(desk: Desk) -> None:
    desk.statuses = ["429 Too Many Requests"]
    assert b'kropka_invalid_requests{status="429"} 1.0' in (await tell(desk, "One.")).text()


async def test_where_discord_is_not_reached_that_is_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:9/api/v10")
    assert count(await tell(desk, "One."), "ConnectionRefusedError")


@pytest.mark.parametrize(("protocol", "counted"), [("SSH-2.0", "ConnectionError"), ("x" * 2**17, "LimitOverrunError")])
async def test_what_is_no_response_is_counted_by_a_name_of_ours(desk: Desk, protocol: str, counted: str) -> None:
    desk.protocol = protocol
    assert count(await tell(desk, "One."), counted)
