"""A process that is frozen while it posts, for longer than Discord remembers what has been posted. Another one goes on
meanwhile; the first one wakes, and tells nothing that was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loopback import Attempt, Channel, Message
from loopback.permissions import Permission
from loopback.state import NONCE_SECONDS
from play.competitions.contest import Contest, Side, Stage
from play.competitions.league import first_season
from play.ids import IdempotencyKey, MatchId
from play.votes import ARRIVAL_MILLIS, last_closing
from storage import Database
from tests.bot.bots import Bots, take_over
from tests.bot.day_process import SharedClock
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.room import SEED, Room, private_message, private_words
from tests.clock import DAY, MINUTE
from use_cases import UseCases

pytestmark = pytest.mark.process

MESSAGES = "/channels/{channel_id}/messages"
FORGOTTEN = 2 * int(NONCE_SECONDS) * 1000
TOO_OLD = "too old to be told"


@dataclass
class Freezer:
    """Freezes the first process when Discord has a request of it, before it learns what has come of that. Until then
    it is alone."""

    bots: Bots
    is_wanted: Callable[[Attempt], bool]
    done: bool = False

    def __call__(self, attempt: Attempt) -> bool:
        if not self.done and self.is_wanted(attempt):
            self.done = True
            self.bots.freeze(self.bots.running[0])
        return False


@dataclass
class Pair:
    """Two processes."""

    bots: Bots
    store: Database
    use_cases: UseCases = field(init=False)

    def __post_init__(self) -> None:
        self.use_cases = UseCases.over(self.store, seeds=lambda: SEED)

    def freeze_at(self, method: str, template: str, is_wanted: Callable[[Attempt], bool] = lambda _: True) -> Freezer:
        """Lets the first process work alone until it has made such a request."""
        self.bots.freeze(self.bots.running[1])
        freezer = Freezer(self.bots, is_wanted)
        self.bots.discord.fault(method, template, 500, times=None, predicate=freezer)
        return freezer

    async def leave_to_other(self, freezer: Freezer, is_done: Callable[[], object]) -> None:
        """Lets the second process do what the first one was at."""
        await self.bots.discord.until(lambda: freezer.done)
        self.bots.wake(self.bots.running[1])
        self.bots.pass_to(self.bots.clock() + MINUTE)
        await self.bots.discord.until(is_done)

    async def wake_first(self, is_doubled: Callable[[], object]) -> None:
        """Wakes the first process when Discord has forgotten all nonces; returns when that has read again, or has
        doubled something."""
        self.bots.pass_to(self.bots.clock() + FORGOTTEN)
        assert TOO_OLD not in self.bots.log
        self.bots.wake(self.bots.running[0])
        await self.bots.discord.until(lambda: is_doubled() or TOO_OLD in self.bots.log)


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


@pytest.fixture
def bots(room: Room, url: str, clock: SharedClock, tmp_path: Path) -> Bots:
    return Bots(room.discord, url, clock, tmp_path)


def posted(room: Room, channel: Channel, part: str) -> list[Message]:
    return [each for each in room.discord.messages(channel) if part in each.text]


def boards_in_threads(room: Room) -> list[int]:
    """Returns how many boards each thread of a game has."""
    return [len(room.boards(thread)) for thread in room.discord.threads]


async def test_the_first_board_of_a_game_is_posted_once(room: Room, bots: Bots) -> None:
    fair = Fair(room)
    await fair.accept()
    await fair.sign_up()
    async with take_over(room, bots) as store:
        pair = Pair(bots, store)
        freezer = pair.freeze_at("POST", f"{MESSAGES}/{{message_id}}/threads")
        bots.pass_to(bots.clock() + 2 * DAY)
        await pair.leave_to_other(freezer, lambda: boards_in_threads(room) == [1] * 6)
        await pair.wake_first(lambda: max(boards_in_threads(room)) > 1)
        assert boards_in_threads(room) == [1] * 6


async def resign_all(use_cases: UseCases, contest: Contest, bots: Bots) -> None:
    """Brings all games of a contest under way and to an end; the home server loses them."""
    for board in contest.boards:
        assert board.match is not None
        for key in range(2):
            match = await use_cases.matches.load(board.match)
            user, move = match.players[match.position.to_act], str(next(iter(match.position.moves())))
            await use_cases.matches.move(
                match.id, user, move, bots.clock(), IdempotencyKey(10**7 + 10 * board.number + key)
            )
        loser = contest.users_of(board)[Side.HOME]
        await use_cases.matches.resign(board.match, loser, bots.clock(), IdempotencyKey(10**7 + 10 * board.number + 9))


async def test_the_result_of_a_contest_is_told_once(room: Room, bots: Bots) -> None:
    fair = Fair(room)
    contest = await fair.begin_games()

    def results() -> list[int]:
        told = [(fair.here, contest.home.manager), (fair.there, fair.jadwiga.id)]
        return [len([each for each in room.discord.messages(at) if user in each.mentions]) for at, user in told]

    calls = results()
    async with take_over(room, bots) as store:
        pair = Pair(bots, store)
        table = fair.message(fair.here)
        freezer = pair.freeze_at(
            "PATCH", f"{MESSAGES}/{{message_id}}", lambda attempt: attempt.path["message_id"] == str(table.id)
        )
        await resign_all(pair.use_cases, contest, bots)
        bots.pass_to(bots.clock() + MINUTE)
        told = [each + 1 for each in calls]
        await pair.leave_to_other(freezer, lambda: results() == told)
        await pair.wake_first(lambda: results() != told)
        assert results() == told
        assert (await pair.use_cases.contests.load(contest.id)).stage is Stage.ENDED
        assert "has won" in fair.now(table)


async def test_a_round_of_a_league_is_called_once(room: Room, bots: Bots) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    await room.pass_time(8 * DAY)
    question = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    await room.ola.click(question, "Open the league").followed()
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.command(room.channel, "league join"))
    await room.wait_for_handlers()
    begins = first_season(room.clock())
    async with take_over(room, bots) as store:
        pair = Pair(bots, store)
        freezer = pair.freeze_at("POST", MESSAGES)
        bots.pass_to(begins)
        await pair.leave_to_other(freezer, lambda: boards_in_threads(room) == [1])
        before = [each.id for each in room.discord.messages(room.channel)]
        await pair.wake_first(lambda: [each.id for each in room.discord.messages(room.channel)] != before)
        assert [each.id for each in room.discord.messages(room.channel)] == before
        assert boards_in_threads(room) == [1]


async def test_a_vote_that_was_acknowledged_is_counted_and_its_turn_is_played_once(room: Room, bots: Bots) -> None:
    fair = Fair(room)
    await room.pass_time(8 * DAY)
    await fair.accept(vote="1h")
    match = await room.use_cases.matches.load(MatchId(1))
    assert match.away is not None
    side = next(each for each in await room.use_cases.votes.sides_of(match.id) if each.seat == match.to_act)
    is_here = side.guild == room.discord.guild.id
    places = [room.discord.channel(match.channel), room.discord.channel(match.away.channel)]
    voter, place = (room.ola, places[0]) if is_here else (fair.jadwiga, places[1])

    def boards() -> list[int]:
        return [len(room.boards(each)) for each in places]

    async with take_over(room, bots) as store:
        pair = Pair(bots, store)
        freezer = pair.freeze_at("*", "/webhooks/*")
        asked = voter.command(place, "move", point="A1")
        await room.discord.until(lambda: freezer.done)
        assert "**A1**" in await private_words(asked)
        await pair.leave_to_other(freezer, lambda: boards() == [1, 1])
        bots.pass_to(last_closing(match) + ARRIVAL_MILLIS)
        await room.discord.until(lambda: boards() == [2, 2])
        bots.wake(bots.running[0])
        assert await private_words(voter.command(place, "vote games"))
        after = await pair.use_cases.matches.load(match.id)
        assert [event.text for event in after.events] == ["A1"]
        assert boards() == [2, 2]
