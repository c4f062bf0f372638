"""One journey on a bot of its own, in virtual time, with a request that fails; and what must hold after it."""

from __future__ import annotations

import asyncio
import atexit
import gc
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from math import inf
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

import pytest
import yarl

from bot.cli.tryout import mount_site
from bot.interactions.deferral import ANSWER_SECONDS
from loopback import Attempt, Channel, Message, Person, Silence
from loopback.components import walk
from loopback.ids import made_at
from play.ids import MatchId, UserId, side_of
from play.match.listed import OpenMatch
from play.match.match import Match
from storage import migrate
from tests.bot.conftest import stand_in
from tests.bot.refusing.draws import BLOCK_SECONDS, Draw
from tests.bot.refusing.journeys import JOURNEYS
from tests.bot.refusing.people import Run
from tests.bot.room import Room
from tests.clock import HOUR
from tests.databases import LoopThread
from tests.memory import memory_folder
from tests.opponent.quick import Inside
from tests.virtual_time import VirtualClock, VirtualLoop, run_virtually
from tests.web.visit import Visit, with_client_secret
from use_cases.worker import MAX_BACKOFF_SECONDS, MAX_PLAY_BACKOFF_SECONDS, POLL_SECONDS, Timing

HOUR_SECONDS = 3600.0

QUIET_SECONDS = 700.0
"""Seconds without a try after which there will be none: longer than the longest pause of a worker."""

RECOVERY_SECONDS = MAX_PLAY_BACKOFF_SECONDS + 1
"""Seconds after which boards are there again: the outbox tries once a minute."""

HANGING_SECONDS = 300.0
"""Seconds after which aiohttp gives up a request on which nothing happens."""

MOST_REFUSED = 70
"""Tries an hour of what Discord refuses, in all forms: one a minute, and the first quick ones."""

MOST_FAILED = 400
"""Tries an hour of what may work again: one a minute and the first quick ones, which discord.py repeats five times."""

AWARE_MILLIS = 22 * HOUR
"""The time after which all know that it's their turn: a day, less what games need that have no more than one."""


class Result(NamedTuple):
    """The end of a journey: how many requests failed, and what was wrong."""

    hits: int
    violations: list[str]


def requests_of(journey: str) -> list[str]:
    """Returns the endpoints of the requests that a journey makes while none is refused, in their order."""
    return run_virtually(_rehearse(journey))


def try_draw(draw: Draw) -> Result:
    """Plays a journey with the failure of a draw."""
    result = run_virtually(_try(draw))
    gc.collect()  # what tasks leave behind is logged now, and not in the next run
    return result


async def _rehearse(journey: str) -> list[str]:
    async with running() as run:
        begun = len(run.room.discord.requests)
        await JOURNEYS[journey](run)
        made = list(run.room.discord.requests)[begun:]
    return [each.endpoint for each in made if "/gateway" not in each.endpoint]


async def _try(draw: Draw) -> Result:
    violations: list[str] = []
    tries = _Tries(draw.first)
    async with running() as run:
        with _logged() as records:
            method, _, template = draw.endpoint.partition(" ")
            times, predicate = None if draw.lasts else 1, cast("Callable[[Attempt], bool]", tries)
            if draw.shuts_out:
                method, template, predicate = "*", "*", _Block(draw.endpoint, draw.first)
            fault = run.room.discord.fault(
                method, template, draw.response, times=times, predicate=predicate, retry_after=draw.wait_seconds
            )
            await JOURNEYS[draw.journey](run)
            if draw.lasts and not draw.shuts_out:
                await tries.let_pass_an_hour()
                violations += tries.too_many(MOST_REFUSED if draw.is_final else MOST_FAILED)
            slowness = HANGING_SECONDS if draw.response is Silence.HANGING else draw.wait_seconds
            recovery = RECOVERY_SECONDS + slowness
            if draw.silences or not draw.is_final:
                fault.end()
                await asyncio.sleep(recovery)
            violations += [each async for each in _closed_ways(run)]
            fault.end()
            await asyncio.sleep(recovery)
            violations += [each async for each in _lost(run)]
            violations += [each async for each in _hanging(run)]
            violations += [each async for each in list_dead_pages(run)]
            violations += [each async for each in list_unaware(run)]
        violations += run.room.discord.problems
        run.room.discord.problems.clear()
        violations += _repeated(run)
        violations += _untrue(run, draw)
        violations += _loud(records, draw, len(fault.hits))
    if not fault.hits:
        violations.append("the draw has hit nothing")
    return Result(len(fault.hits), violations)


@asynccontextmanager
async def running() -> AsyncIterator[Run]:
    """Runs a bot whose time is that of the loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    clock = VirtualClock(loop)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(dir=memory_folder()) as folder:
        file = copyfile(_migrated(), Path(folder) / "kropka.db")
        async with stand_in(clock, patch, limits=True) as discord, Visit(discord.address) as browser:
            url, timing = f"sqlite+aiosqlite:///{file}", Timing(clock=loop.time)
            discord.enable_activity()
            room = Room(discord, url, clock, timing=timing, **with_client_secret(discord))
            room.thinkers, room.answer_seconds = Inside, ANSWER_SECONDS
            await room.start()
            async with mount_site(discord, room.bot.website):
                run = Run(room, browser)
                await run.prepare()
                yield run
            await room.stop()


@cache
def _migrated() -> Path:
    """Returns an empty database, to copy."""
    folder = TemporaryDirectory(dir=memory_folder())
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "kropka.db"
    with LoopThread() as thread:
        thread.run(migrate(f"sqlite+aiosqlite:///{file}"))
    return file


class _Tries:
    """The condition of a fault: it lets the `first` requests pass, and notes when it has stopped each further one."""

    def __init__(self, first: int) -> None:
        self._left = first
        self._times: dict[str, list[float]] = {}

    def __call__(self, attempt: Attempt) -> bool:
        if self._left:
            self._left -= 1
            return False
        own = {name: value for name, value in attempt.path.items() if "token" not in name}
        self._times.setdefault(str(own), []).append(asyncio.get_running_loop().time())
        return True

    async def let_pass_an_hour(self) -> None:
        """Lets an hour pass, or as much of it as is needed to see that nothing is tried any more."""
        loop = asyncio.get_running_loop()
        end = loop.time() + HOUR_SECONDS
        while self._times and (rest := min(end, self._last + QUIET_SECONDS) - loop.time()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(rest)

    @property
    def _last(self) -> float:
        return max(max(each) for each in self._times.values())

    def too_many(self, most: int) -> Iterator[str]:
        """Lists the channels, messages and people for which something was tried more often in any hour."""
        for path, times in self._times.items():
            busiest = max(sum(0 <= each - begin < HOUR_SECONDS for each in times) for begin in times)
            if busiest > most:
                yield f"tried {busiest} times an hour: {path}"


class _Block:
    """The condition of a fault of all requests: for some seconds from request number `first` to an endpoint on."""

    def __init__(self, endpoint: str, first: int) -> None:
        self._endpoint = endpoint
        self._left = first
        self._ends = inf

    def __call__(self, attempt: Attempt) -> bool:
        now = asyncio.get_running_loop().time()
        if self._ends == inf:
            if attempt.endpoint != self._endpoint:
                return False
            self._left -= 1
            if self._left >= 0:
                return False
            self._ends = now + BLOCK_SECONDS
        return now < self._ends


class _Kept(logging.Handler):
    """A handler that keeps all records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def _logged() -> Iterator[list[logging.LogRecord]]:
    """Yields what the program logs meanwhile."""
    handler, root = _Kept(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield handler.records
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def _closed_ways(run: Run) -> AsyncIterator[str]:
    """Lists what does not lead the players of an open match to its board."""
    room = run.room
    for match in await run.matches():
        if match.outcome is not None:
            continue
        players = [user for user in match.players if user in run.people]  # besides the computer
        for user in players:
            person, match = run.people[user], match.for_reader(user, None)
            if (await _entry(run, user, match)).lost and match.channel not in room.discord.world.channels:
                await run.command(person, _lobby(room, person), "continue")
                match = (await room.use_cases.matches.load(match.id)).for_reader(user, None)
            place = room.discord.world.channels.get(match.channel)
            if place is None:
                yield f"match {match.id} is in a channel that does not exist"
                break
            is_side = side_of(user) is not None
            games = await run.command(person, _lobby(room, person), "vote games" if is_side else "games")
            ways = [str((each.text, [part.get("url") for part in walk(each.components)])) for each in games]
            if not any(str(match.channel) in way for way in ways):
                yield f"/games does not list match {match.id}: {[each.text for each in games]}"
            boards = await run.command(person, place, "board")
            if not any(each.controls or each.attachments for each in boards):
                yield f"/board shows no board: {[each.text for each in boards]}"
            if is_side:
                continue
            asked = await run.command(person, place, "abort")
            if not any("Yes" in str(each.labels) or "can't be cancelled" in each.text for each in asked):
                yield f"/abort asks nothing: {[each.text for each in asked]}"
        else:
            is_theirs = match.to_act is not None and match.players[match.to_act] in players
            if is_theirs and not await run.move(match.id, str(next(iter(match.position.moves())))):
                yield f"/move does not count in match {match.id}: {run.told[-1:]}"


async def _entry(run: Run, user: UserId, match: Match) -> OpenMatch:
    found = await run.room.use_cases.matches.list_open(user)
    return next(each for each in found if each.id == match.id)


def _lobby(room: Room, person: Person) -> Channel:
    """Returns the channel where the cards are, or where people go when it was deleted; on another server any."""
    lobby = room.discord.world.channels.get(room.channel.id) or room.general
    return lobby if person.can_see(lobby) else next(each for each in person.channels if each.in_guild)


async def _lost(run: Run) -> AsyncIterator[str]:
    """Lists moves that counted and are not in the record, and boards that still wait."""
    for number, moves in run.acknowledged.items():
        match = await run.room.use_cases.matches.load(MatchId(number))
        missing = Counter(moves) - Counter(each.text for each in match.events)
        if missing:
            yield f"match {number} has lost {sorted(missing)}"
    async with run.room.services.store.read() as reader:
        for waiting in await reader.outbox.pending_matches():  # a notice may: direct messages pause for ten minutes
            if await reader.outbox.next_entry(waiting) is not None:
                yield f"a board of match {waiting} waits for ever"
        for waiting in await reader.outbox.pending_matches(away=True):
            yield f"a board of match {waiting} waits for ever in its second place"


async def _hanging(run: Run) -> AsyncIterator[str]:
    """Lists contests, leagues and votes that wait for what has been possible again for long enough."""
    await asyncio.sleep(MAX_BACKOFF_SECONDS + POLL_SECONDS)
    async with run.room.services.store.read() as reader:
        now = await reader.clock.now()
        for kind, waiting in (
            ("contest", await reader.contests.to_update(now, 9)),
            ("league", await reader.leagues.to_update(now, 9)),
            ("vote", await reader.votes.to_look_at(now, 9)),
        ):
            if waiting:
                yield f"{kind} {waiting} waits for ever"


async def list_unaware(run: Run) -> AsyncIterator[str]:
    """Lists who has not heard within a day that it's their turn, in a place that they see."""
    await run.room.pass_time(AWARE_MILLIS)
    await asyncio.sleep(MAX_PLAY_BACKOFF_SECONDS + 2 * POLL_SECONDS)
    for match in await run.matches():
        seat = match.to_act
        if seat is None or match.players[seat] not in run.people:  # the computer
            continue
        person = run.people[match.players[seat]]
        told = [each for each in run.room.discord.world.messages.values() if _tells(run, match, person, each)]
        if not told:
            yield f"a day later {person.user.name} does not know that it is their turn in match {match.id}"


def _tells(run: Run, match: Match, person: Person, message: Message) -> bool:
    """Returns whether a message of the bot tells a person that it is their turn: the board of that turn, or what came
    since it began to them alone or with a mention of them."""
    world = run.room.discord.world
    channel = world.channels[message.channel_id]
    if message.author_id != world.bot.id or message.visible_to is not None or not person.can_see(channel):
        return False
    if f"match:{match.id}:{match.version}:" in str(message.controls):
        return True
    began = match.events[-1].at if match.events else match.started
    is_newer = max(made_at(message.id), message.edited or 0.0) * 1000 >= began
    return is_newer and (channel.is_dm or person.id in message.mentions)


async def list_dead_pages(run: Run) -> AsyncIterator[str]:
    """Lists addresses of the site that people were given, and that lead them nowhere."""
    for address, name in run.room.signposts.pages(run.room.discord.address):
        async with Visit(run.room.discord.address) as browser:
            path = str(yarl.URL(address).relative().with_fragment(None))
            if (status := await browser.status(path)) not in (200, 401):
                yield f"{path} answers {status}"
            if not yarl.URL(address).fragment:
                continue
            status, told = await browser.enter(address)
            if status == 200 and (status := await browser.status(told["to"])) != 200:
                yield f"the link of {name} leads to {status}"
            elif status != 200 and not told.get("ways"):
                yield f"the link of {name} is refused without a way on: {told}"


def _is_board(message: Message) -> bool:
    """Returns whether a message shows a board, also one that newer ones have replaced, which has no buttons."""
    return "match:" in str(message.controls) or any(each.filename.startswith("kropka-") for each in message.attachments)


def _repeated(run: Run) -> Iterator[str]:
    """Lists what the bot has posted twice in a channel of a server, besides boards: two games may begin alike."""
    world, bot = run.room.discord.world, run.room.discord.bot.id
    for channel in world.channels.values():
        posted = [
            each.text
            for each in world.messages.in_channel(channel.id)
            if channel.in_guild and each.author_id == bot and not each.ephemeral and not _is_board(each)
        ]
        yield from (f"posted {times} times: {text}" for text, times in Counter(posted).items() if text and times > 1)


def _untrue(run: Run, draw: Draw) -> Iterator[str]:
    """Lists what people read that is not so."""
    yield from run.wall.violations if run.wall else ()
    yield from run.room.signposts.violations
    world = run.room.discord.world
    posted = [each for each in world.messages.values() if not each.ephemeral]
    texts = {*(each.text for each in run.told), *(each.text for each in posted)}
    for text in texts:
        for sentence, is_true in (
            ("Something went wrong", False),
            ("Discord is having trouble", not draw.is_final),
            ("Discord refused my answer", draw.is_final),
            ("Discord doesn't let me do that here", draw.is_about_rights),
            ("I can't send you direct messages", draw.closes_dms),
            ("The channel of your league is gone", draw.is_about_a_place),
            ("a server has no channel for it any more", draw.is_about_a_place),
            ("The tournament is posted below", any("Cup" in each.text for each in posted)),
        ):
            if sentence in text and not is_true:
                yield f"untrue: {text}"


def _loud(records: list[logging.LogRecord], draw: Draw, hits: int) -> Iterator[str]:
    """Lists what the log says too loudly, or not at all, of a refusal."""
    if not draw.is_final:
        return
    for record in records:
        if record.levelno >= logging.ERROR or record.exc_info:
            yield f"log: {record.getMessage()} {record.exc_info and record.exc_info[1]!r}"
    code = getattr(draw.response, "code", 0)
    if code and hits and not any(str(code) in each.getMessage() for each in records):
        yield "the log does not name the code"
