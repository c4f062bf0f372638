"""Forty days of two servers on the stand-in: 300 members, a vote game between the servers and a contest on ten boards
at once, through HTTP and the real client. The bot is a process, or on PostgreSQL two, and is killed ten times.

The test counts for itself what was acknowledged, and looks at every request.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from loopback import HANG_SECONDS, Channel, Interaction, Message, Person
from loopback.events import Event, MessagePosted
from loopback.model import User
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.competitions.contest import Side as Team
from play.competitions.contest import Stage
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from play.match.match import Match
from play.match.points import DRAWN, LOST, WON
from play.votes import ARRIVAL_MILLIS, NewSide, Side, closing, last_closing, turn_of
from rules.registry import make_game
from storage import Database, schema, sqlite
from tests.bot.bots import Bots, take_over
from tests.bot.day_process import SharedClock
from tests.bot.features.competitions.contests.test_contests import HERE, Fair
from tests.bot.room import SEED, Room, private_message
from tests.clock import DAY, HOUR, MINUTE, SECOND
from use_cases import UseCases
from use_cases.votes import VoteGame

DAYS, PERIOD = 40, DAY
MEMBERS = 150
"""Of each server, the managers included."""

TURNOUT, QUORUM, SIGNED_UP, BOARDS = 12, 3, 13, 10

KILLS = dict(zip(range(1, 31, 3), ("posting", "casting", "counting", "moving", "counted") * 2, strict=True))
"""The turns in which the bot is killed, and what it is at."""

AT_CLOSE = {"counting": 0, "counted": 1, "posting": 2}
"""The kills when a vote closes, after so many requests."""

ACKNOWLEDGED = re.compile(r"(?:Your vote|Twój głos): \*\*([^*]+)\*\*")
BUSY = re.compile("[Ss]o many people|zbyt wiele osób")
BOARD = re.compile(r"kropka-(\d+)-(\d+)\.png")

PATIENCE_SECONDS = 5 * HANG_SECONDS
"""Real seconds that the test waits for an answer or a board: a process may start meanwhile, on a busy machine, and a
contest calls twenty players one after the other."""

MAX_REQUESTS = 200
"""Requests a day and server: answers to all that members do, boards, edits of the number of votes, and the contests."""


@dataclass
class Turn:
    """The votes about one turn. `possible` are the moves that each voter may be for: the last acknowledged one, and
    those whose answer a kill has swallowed."""

    possible: dict[UserId, set[str]] = field(default_factory=lambda: defaultdict(set))
    acknowledged: set[UserId] = field(default_factory=set)

    def drop(self, user: UserId) -> None:
        self.possible.pop(user, None)
        self.acknowledged.discard(user)


class World(Fair):
    """Two servers, what their members do, and what each of them was told."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.chance = Random(45)
        self.discord = room.discord
        self.places = self.here, self.there
        self.bots: Bots
        self.store: Database
        self.use_cases: UseCases
        self.members: dict[int, list[Person]] = {}
        self.absent: set[UserId] = set()
        self.away: set[UserId] = set()
        """Those who have left, or are banned: they do nothing more, or are refused."""
        self.waiting: set[Interaction] = set()
        self.turns: dict[int, Turn] = defaultdict(Turn)
        self.told: Counter[str] = Counter()
        self.boards_posted: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        """How often each version of a match was posted in a channel."""
        self.discord.listen(self.note)

    def note(self, event: Event) -> None:
        if isinstance(event, MessagePosted) and event.message.visible_to is None:
            for file in event.message.attachments:
                if found := BOARD.fullmatch(file.filename):
                    self.boards_posted[int(found[1]), event.message.channel_id][int(found[2])] += 1

    def settle_members(self) -> None:
        """Fills both servers with members, who are old enough to vote in a week."""
        world, ids = self.discord.world, self.discord.world.ids
        numbers = range(MEMBERS - len(HERE))
        here = [world.enrol(User(ids.next(), f"hania{number:03}", f"Hania{number:03}")) for number in numbers]
        there = [world.settle(User(ids.next(), f"yurko{number:03}", f"Юрко{number:03}")) for number in numbers]
        self.zagroda = replace(self.zagroda, members=(*self.zagroda.members, *(each.id for each in there)))
        world.change_server(self.zagroda)
        for guild, users in ((self.discord.guild.id, here), (self.zagroda.id, there)):
            self.members[guild] = [Person(self.discord.wire, self.discord.interactions, each.id) for each in users]
        for person in self.members[self.zagroda.id][::2]:
            person.speak("pl")

    def person(self, user: UserId) -> Person:
        return Person(self.discord.wire, self.discord.interactions, user)

    async def invite(self) -> None:
        """Opens the sign-up for the boards: some players block each other, and a few never come. Begins the vote game
        beside them, as a contest of its own would: two servers have only one contest with each other at a time."""
        panel = await self.look(await self.challenge(pairs=BOARDS, signup=1))
        await self.done(self.jadwiga.click(panel, "Przyjmij tutaj"))
        await self.contest(lambda now: now.guest is not None)
        guilds = self.discord.guild.id, self.zagroda.id
        places = [*zip(guilds, self.places, strict=True)]
        sides = [NewSide(GuildId(guild), ChannelId(place.id), quorum=QUORUM) for guild, place in places]
        terms = Terms(make_game("zagram", {"size": "15x15"}), parse_control("2d"), Order.FIRST)
        cards = [await self._post_card(place) for place in self.places]
        home, guest = sides
        by = UserId(self.ola.id)
        game = VoteGame(home.guild, home.channel, home, guest, PERIOD, terms, by, cards[0], cards[1])
        self.match = (await self.room.use_cases.votes.begin(game, self.room.clock(), IdempotencyKey(1))).id
        signed_up = []
        for guild, channel in places:
            message = next(each for each in self.discord.messages(channel) if "team:1:join" in _custom_ids(each))
            people = self.chance.sample(self.members[guild], SIGNED_UP)
            for person in people:
                self.wall.table.add(person.user.name)
                await self.room.change_settings(person, confirm_days=False)
                await person.click(message, "team:1:join").answered()
            self.absent |= {UserId(each.id) for each in self.chance.sample(people, 2)}
            signed_up.append(people)
        await self.room.wait_for_handlers()
        for person, other in zip(*(people[:4] for people in signed_up), strict=True):
            await self.room.use_cases.blocks.block(UserId(person.id), UserId(other.id), self.room.clock())

    # What members do

    async def play(self, person: Person, channel: int, move: str, *, twice: bool = False) -> Message | None:
        """Plays or votes by command, again where the bot is too busy; returns the answer, or None if it was killed
        before it gave one. The command may arrive twice."""
        while True:
            asked = person.command(channel, "move", point=move)
            if twice:
                self.discord.redeliver(asked)
            self.waiting.add(asked)
            await self.discord.until(partial(self._is_over, asked), PATIENCE_SECONDS)
            self.waiting.discard(asked)
            answer = _answer(asked)
            if answer is None or not BUSY.search(answer.text):
                return answer
            self.told["asked to come again"] += 1

    def _is_over(self, asked: Interaction) -> bool:
        if asked in self.waiting:
            assert asked.failure is None, asked.failure
        return asked not in self.waiting or _answer(asked) is not None

    async def vote(self, turn: Turn, person: Person, channel: int, move: str, *, twice: bool = False) -> None:
        """Votes, and notes what the voter was told."""
        user, answer = UserId(person.id), await self.play(person, channel, move, twice=twice)
        if answer is None:
            self.told["nothing"] += 1
            turn.possible[user].add(move.upper())
        elif found := ACKNOWLEDGED.search(answer.text):
            assert (found[1], user in self.away) == (move.upper(), False)
            self.told["acknowledged"] += 1
            turn.possible[user] = {found[1]}
            turn.acknowledged.add(user)
        else:
            self.told["refused"] += 1
            assert user in self.away, answer.text

    async def move_in(self, match: Match) -> None:
        """Moves in a game of a board, unless the player never comes."""
        assert match.to_act is not None
        user, thread = match.players[match.to_act], match.at_home_of(match.to_act).channel
        if user in self.absent | self.away:
            return
        person, move = self.person(user), str(self.chance.choice([*match.position.moves()]))
        channels = self.discord.world.channels
        await self.discord.until(lambda: thread in channels, PATIENCE_SECONDS)  # of a game that has just begun
        if self.discord.channel(thread).archived:
            person.reopen(thread)
        answer = await self.play(person, thread, move)
        now = await self.use_cases.matches.load(match.id)
        has_moved, deadline = now.version > match.version, match.clock.deadline
        assert answer is None or has_moved or now.outcome or (deadline or 0) < self.room.clock(), answer.text
        self.told["moved" if has_moved else "nothing"] += 1

    async def ban(self, turn: Turn, person: Person, channel: Channel, moderator: Person) -> None:
        asked = moderator.command(channel, "moderate ban", member=person)
        question = await private_message(asked)
        await moderator.click(question, question.labels[0]).followed()
        self.away.add(UserId(person.id))
        turn.drop(UserId(person.id))

    def leave(self, person: Person, guild: int) -> None:
        """Lets a member leave; what they have voted so far counts."""
        if guild == self.zagroda.id:
            kept = tuple(each for each in self.zagroda.members if each != person.id)
            self.zagroda = replace(self.zagroda, members=kept)
            self.discord.world.change_server(self.zagroda)
        else:
            person.leave()
        self.away.add(UserId(person.id))

    async def kill(self) -> None:
        """Kills the bot. What it has not answered yet stays without an answer."""
        await self.bots.kill()
        self.waiting.clear()
        self.bots.pass_to(self.room.clock() + MINUTE)  # for boards that were to answer, and the seconds without a bot

    # What is stored

    async def game(self) -> Match:
        """Returns the vote game."""
        return await self.use_cases.matches.load(self.match)

    async def quiet(self) -> None:
        """Returns when nothing waits to be posted."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                async with self.store.read() as reader:
                    waiting = [await reader.outbox.pending_matches(away=away) for away in (False, True)]
                    contests = await reader.contests.to_update(self.room.clock(), 1)
                if not any(waiting) and not contests:
                    return
                await asyncio.sleep(0.01)  # another process posts, which tells nobody

    async def pass_to(self, moment: int) -> None:
        """Lets it be later when all is posted that can be. Discord knows a nonce for minutes, and the test passes a day
        in less time than a busy machine takes to post again what a killed process has posted."""
        await self.quiet()
        await self.bots.pass_between_requests(moment)

    async def wait_for_turn(self, match: Match) -> Match:
        """Returns the vote game when both servers have the board after the present turn."""
        assert match.away is not None
        places = match.channel, match.away.channel
        posted = [self.boards_posted[match.id, each] for each in places]
        await self.discord.until(lambda: all(each[match.version + 1] for each in posted), PATIENCE_SECONDS)
        return await self.game()


def _custom_ids(message: Message) -> list[str]:
    return [str(part.get("custom_id")) for part in message.controls]


def _answer(asked: Interaction) -> Message | None:
    return next((each for each in reversed(asked.messages) if each.text and not each.loading), None)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.mark.process
@pytest.mark.contest
async def test_forty_days_of_two_servers(
    room: Room, url: str, clock: SharedClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(room)
    for moderator, channel in ((world.moderator, world.here), (world.straznik, world.there)):
        room.make_moderator(moderator, channel)
    world.settle_members()
    await room.pass_time(8 * DAY)
    await world.invite()
    monkeypatch.setattr(sqlite, "exclusive", lambda _: nullcontext())  # the test reads while a process writes
    began, daily = clock(), [world.wall.seen.copy()]
    world.bots = Bots(world.discord, url, clock, tmp_path)
    async with take_over(room, world.bots) as world.store:
        world.use_cases = UseCases.over(world.store, seeds=lambda: SEED)
        number = 0
        while clock() < began + DAYS * DAY:
            match = await play_turn(world, number)
            number += 1
            while clock() >= began + len(daily) * DAY:
                daily.append(world.wall.seen.copy())
        await world.quiet()
        assert world.bots.kills == len(KILLS)
        await check_votes(world, match)
        await check_contest(world)
        await check_boards(world)
    requests = [max((after - before).values(), default=0) for before, after in pairwise(daily)]
    assert max(requests) < MAX_REQUESTS, requests
    assert world.wall.violations == []


async def play_turn(world: World, number: int) -> Match:
    """Lets a side vote about a turn while the boards go on; returns the vote game after it."""
    match, moment = await world.game(), KILLS.get(number)
    assert match.to_act is not None
    sides = {side.seat: side for side in await world.use_cases.votes.sides_of(match.id)}
    side, turn = sides[match.to_act], world.turns[turn_of(match)]
    channel = match.at_home_of(side.seat).channel
    plan = plan_votes(world, match, side, few=number % 7 == 5)
    for part, votes in enumerate(plan[:2]):
        await world.pass_to(match.clock.since + (1 + 4 * part) * HOUR)
        acts = [world.vote(turn, person, channel, move, twice=twice) for person, move, twice in votes]
        if part == 1:
            acts += [world.move_in(each) for each in await running_boards(world) if world.chance.random() < 0.9]
        await act(world, acts, kills=(part, moment) in ((0, "casting"), (1, "moving")))
    await mix_up(world, turn, side, number, [person for person, _, _ in plan[0]])
    match = await world.game()
    closes = closing(match, side)
    await world.pass_to(closes - SECOND)
    late = [world.vote(turn, person, channel, plan[0][0][1]) for person, _, _ in plan[2]]
    await act(world, late, kills=False)
    is_short = len(turn.acknowledged) < QUORUM
    await world.pass_to((last_closing(match) if is_short else closes) + ARRIVAL_MILLIS)
    if moment in AT_CLOSE:
        await kill_after(world, AT_CLOSE[moment])
    return await world.wait_for_turn(match)


Plan = list[list[tuple[Person, str, bool]]]


def plan_votes(world: World, match: Match, side: Side, *, few: bool) -> Plan:
    """Returns who votes for which move, and whether their click arrives twice, in three parts of the period: members,
    then some who change their mind with others who may not vote, then those of the last second."""
    chance, members = world.chance, [each for each in world.members[side.guild] if each.id not in world.away]
    likely = chance.sample([str(move) for move in match.position.moves()], 4)
    voters = chance.sample(members, 2 if few else TURNOUT + 3)

    def choose() -> str:
        return chance.choices(likely, [8, 4, 2, 1])[0]

    first = [(person, choose(), chance.random() < 0.2) for person in voters[:TURNOUT]]
    second = [(person, choose(), False) for person, _, _ in first if chance.random() < 0.2]
    barred = [
        each for each in world.members[side.guild] if each.id in world.away and is_member(world, each, side.guild)
    ]
    second += [(person, choose(), False) for person in barred[-1:]]
    return [first, second, [(person, "", False) for person in voters[TURNOUT:]]]


def is_member(world: World, person: Person, guild: int) -> bool:
    server = next(each for each in world.discord.world.guilds if each.id == guild)
    return world.discord.world.is_member(person.id, server)


async def running_boards(world: World) -> list[Match]:
    contest = await world.use_cases.contests.load(world.id)
    matches = [await world.use_cases.matches.load(board.match) for board in contest.boards if board.match]
    return [match for match in matches if match.outcome is None]


async def act(world: World, acts: list[Any], *, kills: bool) -> None:
    """Lets members act at once; with `kills` the bot dies when it has answered some of them."""
    doing = [asyncio.ensure_future(each) for each in acts]
    waiting = {*doing}
    while kills and len(waiting) > 2 * len(doing) // 3:
        _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if kills:
        await world.kill()
    await asyncio.gather(*doing)


async def kill_after(world: World, requests: int) -> None:
    """Kills the bot after its next requests."""
    before = world.wall.seen.total()
    await world.discord.until(lambda: world.wall.seen.total() >= before + requests, PATIENCE_SECONDS)
    await world.kill()


async def mix_up(world: World, turn: Turn, side: Side, number: int, voters: list[Person]) -> None:
    """Bans one who has voted, or lets one leave, now and then; and players of the contest, too."""
    if number % 5 == 3:
        here = side.guild == world.discord.guild.id
        channel, moderator = (world.here, world.moderator) if here else (world.there, world.straznik)
        await world.ban(turn, voters[0], channel, moderator)
    if number % 5 == 1:
        world.leave(voters[-1], side.guild)


async def check_votes(world: World, match: Match) -> None:
    """Compares the votes that are stored with those that were acknowledged, and each turn with both."""
    async with world.store.read() as reader:
        rows = (await reader.connection.execute(select(schema.vote))).all()
    stored: dict[int, dict[UserId, Any]] = defaultdict(dict)
    for row in rows:
        assert row.user not in stored[row.version], "one vote a member and turn"
        stored[row.version][row.user] = row
    assert len(match.moves) == match.version
    for version, event in enumerate(match.events):
        turn, votes = world.turns[version], stored[version]
        assert turn.acknowledged <= votes.keys() <= turn.possible.keys()
        assert all(row.text.upper() in turn.possible[user] for user, row in votes.items())
        counts = Counter(row.text for row in votes.values())
        first = {
            text: tuple(min(getattr(row, name) for row in votes.values() if row.text == text) for name in ("at", "id"))
            for text in counts
        }
        assert event.text == min(counts, key=lambda text: (-counts[text], first[text]))
    assert sum(len(turn.acknowledged) for turn in world.turns.values()) > 400


async def check_contest(world: World) -> None:
    """Compares the contest with its games."""
    contest = await world.use_cases.contests.load(world.id)
    assert (contest.stage, len(contest.boards)) == (Stage.ENDED, BOARDS)
    points = [0.0, 0.0]
    for board in contest.boards:
        assert board.match is not None
        assert board.points is not None
        match = await world.use_cases.matches.load(board.match)
        assert match.outcome is not None
        if match.outcome.winners:
            won = [board.first if seat == 0 else board.first.other for seat in match.outcome.winners]
            assert board.points == (DRAWN if len(won) == 2 else WON if won == [Team.HOME] else LOST)
        points = [sum(each) for each in zip(points, board.points, strict=True)]
    assert contest.score.boards == tuple(points)
    tries = sum(board.tries for board in contest.boards)
    assert tries > 0, "substitutes have played"
    for team, channel in zip(contest.sides, world.places, strict=True):
        posted = world.discord.messages(channel)
        assert len([each for each in posted if each.content.startswith("## 🤝")]) == 1
        players = {*contest.post(team).players}
        assert len([each for each in posted if {*each.mentions} >= players]) == 1, "one result"
        assert len([each for each in world.discord.threads if each.parent_id == channel.id]) == 1 + BOARDS + tries


async def check_boards(world: World) -> None:
    """Compares what was posted with all versions of all games."""
    async with world.store.read() as reader:
        rows = await reader.sql.all(select(schema.match.c.id).where(schema.match.c.id > 0))
        matches = [await reader.matches.get(MatchId(row.id)) for row in rows]
    assert len(matches) > BOARDS
    doubled = 0
    for match in matches:
        assert match is not None
        assert match.away is not None
        moves = {0, *(version for version, event in enumerate(match.events, 1) if event.is_move)}
        for channel in (match.channel, match.away.channel):
            posted = world.boards_posted[match.id, channel]
            doubled += sum(posted.values()) - len(posted)
            assert moves <= posted.keys() <= {*range(match.version + 1)}, "what moves nothing may have no picture"
    assert doubled == 0
