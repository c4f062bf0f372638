"""The refusing run: games go on when any one request of a journey is refused, once or for ever, with any code.

A seed draws which of the requests that tell players something is refused, and how often; the codes come in turn.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from bot.connection import HANDLERS
from loopback import Interaction, Person, Silence
from loopback.errors import REFUSALS, Refusal
from play.ids import IdempotencyKey, MatchId
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, HOUR

CODES = (160006, 160007, 200000, 200001, 240000, 400001, 50024, 50035, 50083, 160005, 20009, 30033, 40333, 50278, 40003)
FAILURES: dict[str, Refusal | Silence] = {
    **{str(code): REFUSALS[code] for code in CODES},
    "unknown": Refusal(400, 77777, "a refusal that nobody knows"),
    "403": Refusal(403, 0, "403: Forbidden"),
    "404": Refusal(404, 0, "404: Not Found"),
    "503": Refusal(503, 0, "503: Service Unavailable"),
    "closed": Silence.CLOSED,
}
UNTRUE = ("Something went wrong", "Nothing is lost, so try again")
SPINS = 400
"""Rounds of the event loop that an answer gets where no event says that there will be none."""

DRAWS = 40
"""Draws for each journey in the contest; the smoke test has the first."""

POST, EDIT = "POST /channels/{channel_id}/messages", "PATCH /channels/{channel_id}/messages/{message_id}"
CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
THREAD = "POST /channels/{channel_id}/messages/{message_id}/threads"
REQUESTS = (POST, EDIT, CALLBACK, THREAD)
"""The requests that tell players something."""


class Run:
    """A journey in a room: its people do what they can, whatever Discord refuses."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.answers: list[str] = []
        self.untrue: list[str] = []

    async def settle(self) -> None:
        """Lets the bot do what it has begun."""
        for _ in range(SPINS):
            await asyncio.sleep(0)
        while handlers := [each for each in asyncio.all_tasks() if each.get_name().startswith(HANDLERS)]:
            await asyncio.wait(handlers)

    async def do(self, interaction: Interaction) -> None:
        """Waits until the bot has done with an interaction, answered or not; notes what the player reads."""
        path = f"/{interaction.id}/"
        await self.room.discord.until(lambda: any(path in each.path for each in self.room.discord.requests))
        await self.settle()
        self.answers += [each.text for each in interaction.messages]

    async def press(self, person: Person, message: Any, label: str) -> None:
        """Presses a button, if it is there."""
        if message is not None and label in message.labels:
            await self.do(person.click(message, label))

    async def version(self) -> int:
        with suppress(Exception):
            return await self.room.version()
        return -1

    async def move(self, number: int) -> None:
        """Plays the first legal move of match 1 by command, where the match is."""
        match = await self.room.services.matches.load(MatchId(1))
        if match.to_act is None:
            return
        people = {each.id: each for each in (self.room.ola, self.room.maksim, self.room.kasia)}
        before, said = match.version, len(self.answers)
        places = {each.id: each for each in (*self.room.discord.threads, self.room.channel, self.room.general)}
        place = places.get(match.channel, self.room.channel)
        person = people[match.players[match.to_act]]
        await self.do(person.command(place, "move", point=str(next(iter(match.position.moves())))))
        told = " ".join(self.answers[said:])
        if await self.version() > before and any(each in told for each in UNTRUE):
            self.untrue.append(told)


Journey = Callable[[Run], Awaitable[None]]


async def begin(run: Run, **options: Any) -> None:
    room = run.room
    known = {message.id for message in room.discord.messages(room.channel)}
    options = {"size": "5x5", "start": "empty", "clock": "3d", "opponent": room.maksim, **options}
    await run.do(room.ola.command(room.channel, "challenge", **options))
    card = next((each for each in room.discord.messages(room.channel) if each.id not in known), None)
    await run.press(room.maksim, card, "Accept")


def game(rules: str) -> Journey:
    async def journey(run: Run) -> None:
        await begin(run, rules=rules)
        if await run.version() < 0:
            return
        await run.move(0)
        await run.move(1)

    return journey


async def tournament(run: Run) -> None:
    room = run.room
    options = {"name": "Cup", "format": "swiss", "size": "5x5", "clock": "1d", "rated": False}
    await run.do(room.ola.command(room.channel, "tournament create", **options))
    card = next((each for each in room.discord.messages(room.channel) if "Sign up" in each.labels), None)
    for person in (room.ola, room.maksim, room.kasia):
        await run.press(person, card, "Sign up")
    await run.press(room.ola, card, "Begin")
    await run.settle()


async def ladder(run: Run) -> None:
    room = run.room
    room.make_moderator(room.ola)
    await run.do(room.ola.command(room.channel, "ladder create"))
    for person in (room.ola, room.maksim, room.kasia):
        await run.do(person.command(room.channel, "ladder join"))
    await run.do(room.kasia.command(room.channel, "ladder challenge", opponent=room.ola))


async def reminder(run: Run) -> None:
    await begin(run, clock="5d")
    await run.room.pass_time(4 * DAY + HOUR)
    await run.room.bot.use_cases.clocks.remind()
    await run.settle()


async def puzzle(run: Run) -> None:
    await run.do(run.room.kasia.command(run.room.channel, "puzzle"))


async def result(run: Run) -> None:
    """Resigns after two moves, and asks for another game."""
    await begin(run)
    if await run.version() < 0:
        return
    await run.move(0)
    await run.move(1)
    if await run.version() >= 2:
        room = run.room
        await room.services.matches.resign(MatchId(1), room.ola.id, room.clock(), IdempotencyKey(77))  # type: ignore[arg-type]
        await run.settle()
        ended = [each for each in room.discord.messages(room.channel) if "Rematch" in each.labels]
        threads = [each for thread in room.discord.threads for each in room.discord.messages(thread)]
        ended += [each for each in threads if "Rematch" in each.labels]
        await run.press(room.ola, next(iter(ended), None), "Rematch")


JOURNEYS: dict[str, Journey] = {
    "result and rematch": result,
    "tournament": tournament,
    "ladder": ladder,
    "reminder": reminder,
    "puzzle": puzzle,
    **{f"game {rules}": game(rules) for rules in ("zagram", "paper")},
}


async def violations(
    room: Room, journey: Journey, endpoint: str, name: str, times: int | None, caplog: pytest.LogCaptureFixture
) -> list[str]:
    """Returns what is wrong with a journey whose requests to an endpoint fail."""
    caplog.clear()
    caplog.set_level(logging.INFO)
    failure, run = FAILURES[name], Run(room)
    method, _, template = endpoint.partition(" ")
    fault = room.discord.fault(method, template, failure, times=times)
    await journey(run)
    await run.settle()
    before = await run.version()
    wrong = [f"untrue: {each}" for each in run.untrue]
    if isinstance(failure, Refusal) and failure.status < 500:
        lines = [each for each in caplog.records if each.levelno >= logging.ERROR or each.exc_info]
        wrong += [f"log: {each.getMessage()} {each.exc_info and each.exc_info[1]!r}" for each in lines]
        wrong += [f"told: {each}" for each in run.answers if any(part in each for part in UNTRUE)]
        if failure.code and fault.hits and not any(str(failure.code) in each.getMessage() for each in caplog.records):
            wrong.append("the log does not name the code")
    fault.end()
    await room.wait_for_outbox()
    if before >= 0:
        if await run.version() < before:
            wrong.append("a move is lost")
        if (await room.services.matches.load(MatchId(1))).outcome is None:
            await run.move(9)
            if await run.version() != before + 1:
                wrong.append("the game does not go on")
    return wrong


@pytest.mark.parametrize("number", [0, *[pytest.param(each, marks=pytest.mark.contest) for each in range(1, DRAWS)]])
@pytest.mark.parametrize("journey", JOURNEYS)
async def test_a_refused_request_leaves_no_game_hanging(
    room: Room, journey: str, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    await skip_confirmations(room)
    chosen = random.Random(f"{journey} {number}")
    endpoint = chosen.choice(REQUESTS)
    name = list(FAILURES)[number % len(FAILURES)]
    times = chosen.choice((1, None))
    wrong = await violations(room, JOURNEYS[journey], endpoint, name, times, caplog)
    assert wrong == [], (endpoint, name, times)
