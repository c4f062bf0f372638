"""A victim who plays, enters, reads and votes while one attack after the other runs: `python -m benchmarks.victim`.

`--rounds 30` measures for longer, `--attacks TEXT` has only those whose names contain the text. Attacks are those of
docs/security.md and docs/fair-play-lab.md that need nothing but requests, from one network or account and from twenty.
The first network is the victim's own, but for public pages: they have a limit by network, so the victim reads them from
another one. They enter a room that is open: new rooms of a network that makes up more than five instances a second wait
for their turn (docs/decisions/load.md#0239). Just before each attack the idle time is measured. The bot has the limits
of a running one.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from benchmarks import attackers, ballots
from benchmarks.attackers import Facts, attacking, networks, paced
from benchmarks.boards import Site, open_site
from benchmarks.figure import Figure, percentile
from benchmarks.program import report
from benchmarks.sockets import open_sessions
from benchmarks.strangers import publish
from bot.cli.serving import spare_collector
from bot.services.rate_limits import RateLimits
from loopback import Channel, File, Person
from loopback.client import Impossible
from play.ids import UserId
from tests.bot import forging
from tests.bot.room import private_words
from tests.clock import MINUTE
from tests.web.home_visit import AtHome
from tests.web.visit import Board, Visit, link_for
from tools.program import argument_parser, say

ROUNDS, WHOLE_ROUNDS = 8, 30
"""Rounds of the victim before and beside each attack: in `make bench`, and in a whole run."""

SAMPLE = ("makes up codes and instances", "reads all public pages", "floods commands")
"""The attacks of `make bench`, from twenty networks or accounts."""

PAUSE_SECONDS = 0.15
"""Seconds between two deeds of the victim, who enters more slowly than Discord is asked (`EXCHANGES`)."""

CLICKS_A_SECOND = 30
"""Requests of all accounts on Discord together."""

SENDERS = (1, 20)
"""Networks or accounts that attack."""

MAX_RATIO = 1.5
"""How many times the idle 99th percentile the victim's may be beside an attack."""

COPIES, VOTERS, BOMB = 40, 200, File("bomb.sgf", b"(;GM[40]SZ[52]" + b";B[aa]" * 9000 + b")")


class Scene(NamedTuple):
    """A site under attack, with the facts that attackers know, a server's game and accounts of the attackers."""

    site: Site
    facts: Facts
    votes: Channel
    accounts: list[Person]


Click = Callable[[Scene, Person, int], Awaitable[object]]


def _forge(scene: Scene, person: Person, number: int) -> Awaitable[object]:
    return forging.click(scene.site.room, person, scene.site.room.channel, f"play:1:{number}:A1").answered()


async def _say_at_length(scene: Scene, person: Person, number: int) -> None:
    person.say(scene.site.thread, f"{number} " + "a1 " * 600)


CLICKS: dict[str, Click] = {
    "floods commands": lambda scene, person, _: person.command(scene.site.room.general, "games").answered(),
    "floods suggestions": lambda scene, person, number: person.complete(
        scene.site.thread, "move", focused="point", point=f"A{number % 30}"
    ),
    "forges buttons": _forge,
    "fills a channel with challenges": lambda scene, person, _: person.command(
        scene.site.room.general, "challenge"
    ).answered(),
    "writes 2,000 characters": _say_at_length,
    "votes thirty times a second": lambda scene, person, number: person.command(
        scene.votes, "move", point=f"{'ABCDEFGH'[number % 8]}2"
    ).answered(),
    "steps through the server's game": lambda scene, person, _: person.command(scene.votes, "replay").answered(),
    "guesses codes of contests": lambda scene, person, number: person.command(
        scene.site.room.general, "team accept", code=f"AAAA-{number:04}"
    ).answered(),
    "sends records that exhaust": lambda scene, person, _: person.command(
        scene.site.room.general, "import", file=BOMB
    ).answered(),
}
"""Rows of both pages that accounts of Discord try."""


class Victim:
    """Plays on a web board, enters the Activity, reads pages and votes. `failed` counts deeds without success."""

    def __init__(self, scene: Scene, voters: list[Person], boards: dict[UserId, Board], home: AtHome) -> None:
        self._scene = scene
        self._voters = itertools.cycle(voters)
        self._boards = boards
        self._home = home
        self._instance = scene.site.room.kasia.launch(scene.site.thread, "launch").id
        self._deeds = {"plays": self._play, "enters": self._enter, "reads": self._read, "votes": self._vote}
        self.failed = Counter[str]()

    async def live(self, rounds: int) -> list[float]:
        """Returns the seconds that each deed took."""
        taken = list[float]()
        for _ in range(rounds):
            for name, deed in self._deeds.items():
                await asyncio.sleep(PAUSE_SECONDS)
                begun = time.perf_counter()
                try:
                    told = await deed()
                except (AssertionError, OSError, TimeoutError) as error:
                    told = repr(error)
                taken.append(time.perf_counter() - begun)
                if told:
                    self.failed[f"{name}: {told[:70]}"] += 1
        return taken

    async def _play(self) -> str:
        game = self._scene.site.game
        user, turn = await game.choose()
        board = self._boards[user]
        await board.version(game.version - 1)
        answer = await board.play(turn)
        return "" if answer["is"] == "done" else str(answer)

    async def _enter(self) -> str:
        room = self._scene.site.room
        code = room.kasia.authorize(str(room.discord.bot.id), ["identify"])
        body = {"code": code, "instance": self._instance}
        status, answer = await self._home.visit.post("/activity/enter", body)
        return "" if status == 200 else f"{status} {answer}"

    async def _read(self) -> str:
        await self._home.read()
        page = self._scene.facts["pages"][0]
        status = await self._home.visit.status(page, {"X-Forwarded-For": "198.51.100.7"})
        return "" if status == 200 else f"page {status}"

    async def _vote(self) -> str:
        told = await private_words(next(self._voters).command(self._scene.votes, "move", point="C2"))
        return "" if "Your vote" in told else told


def figures(rounds: int = ROUNDS, *only: str, senders: tuple[int, ...] = SENDERS[-1:]) -> Iterator[Figure]:
    for name in (*attackers.ATTACKS, *CLICKS):
        if any(each in name for each in only or SAMPLE):
            yield from asyncio.run(_measure(rounds, name, senders))  # one field has no room for the moves of all


async def _measure(rounds: int, name: str, senders: tuple[int, ...]) -> list[Figure]:
    found = list[Figure]()
    async with _scene() as (scene, victim):
        await victim.live(3)  # warms up
        for count in senders:
            spare_collector()
            victim.failed.clear()
            idle = await victim.live(rounds)
            before = victim.failed.total()
            async with _attack(scene, name, count) as answers:
                beside = await victim.live(rounds)
            found += _compare(f"{name}, {count}", idle, beside, victim.failed.total() - before)
            say(f"     {name}, {count}: {dict(answers)}; victim: {dict(victim.failed)}")
    return found


def _compare(name: str, idle: list[float], beside: list[float], failed: int) -> Iterator[Figure]:
    yield Figure(f"{name}: success", 100 * (1 - failed / len(beside)), "%", 100, least=True)
    yield Figure(f"  99 %, idle {1000 * percentile(idle, 0.99):.0f} ms", 1000 * percentile(beside, 0.99), "ms")
    yield Figure("  to idle", percentile(beside, 0.99) / percentile(idle, 0.99), "times", MAX_RATIO, tail=True)


@asynccontextmanager
async def _attack(scene: Scene, name: str, count: int) -> AsyncIterator[Counter[str]]:
    """Attacks for the block."""
    if name in attackers.ATTACKS:
        async with attacking(name, count, scene.facts) as answers:
            yield answers
        return
    clicking = Counter[str]()
    task = asyncio.create_task(_click(scene, CLICKS[name], scene.accounts[:count], clicking))
    yield clicking
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _click(scene: Scene, click: Click, accounts: list[Person], answers: Counter[str]) -> None:
    """Has accounts click at their pace, whatever becomes of the clicks before."""

    async def attempt(person: Person, number: int) -> None:
        with suppress(Impossible, AssertionError, TimeoutError):
            await click(scene, person, number)
            answers["answered"] += 1

    async with asyncio.TaskGroup() as group:
        async for number in paced(CLICKS_A_SECOND):
            answers["sent"] += 1
            group.create_task(attempt(accounts[number % len(accounts)], number))


@asynccontextmanager
async def _scene() -> AsyncIterator[tuple[Scene, Victim]]:
    """Opens a site with public pages and a server's game; the victim has boards open, and the attackers sessions."""
    own = networks(1)[0]
    async with (
        open_site(clock=time.monotonic, limits=RateLimits()) as site,
        Visit(site.address, network=own) as one,
        Visit(site.address, network=own) as other,
        Visit(site.address, network=own, origin="null") as framed,
    ):
        room = site.room
        voters = ballots.Voters(room.discord, VOTERS, now=room.clock() / 1000)
        await room.pass_time(MINUTE)  # only those vote who were members before the game
        votes = await ballots.begin(room.discord, voters)
        pages = [page.removeprefix(site.address) for page in await publish(site, COPIES)]
        facts = Facts(
            address=site.address,
            pages=pages,
            instance=room.maksim.launch(room.general, "launch").id,
            cookies=await open_sessions(room, 10),
        )
        accounts = [room.discord.invite(f"Attacker {number}") for number in range(max(SENDERS))]
        boards = dict[UserId, Board]()
        for visit, person in ((one, room.ola), (other, room.maksim)):
            boards[UserId(person.id)] = await visit.open(await link_for(room, person, room.boards(site.thread)[-1]))
        home = await AtHome.launch(room, room.maksim, room.general, framed)
        scene = Scene(site, facts, votes, accounts)
        yield scene, Victim(scene, voters.people[:-1], boards, home)


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=WHOLE_ROUNDS)
    parser.add_argument("--attacks", default="", help="only those whose names contain this")
    arguments = parser.parse_args()
    return report(figures(arguments.rounds, arguments.attacks, senders=SENDERS))


if __name__ == "__main__":
    sys.exit(main())
