"""Two servers of fifty people on the stand-in, and what their members do: some move soon, some late, some never."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from itertools import count
from random import Random
from typing import Any

from sqlalchemy import select

from loopback import Channel, Message, Person
from loopback.events import Event, MessagePosted
from loopback.model import User
from play.community.puzzle import puzzle_day
from play.ids import GuildId, IdempotencyKey, MatchId, Millis, UserId, is_person
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Refused
from play.votes import Choice
from storage import schema
from tests.bot.features.competitions.contests.test_contests import HERE, THERE, Fair
from tests.bot.room import Room, private_words
from tests.clock import DAY, HOUR
from use_cases.worker import Worker

TICK = 6 * HOUR
MEMBERS = 50
"""Of each server."""

VOTERS = MEMBERS // 2
"""The members who vote, the first ones; the others predict."""

BOARD = re.compile(r"kropka-\d+-\d+\.png")


class Manner(Enum):
    """How soon a member moves: the chance at each look at the board, which is every six hours."""

    KEEN = 0.9
    LATE = 0.25
    ABSENT = 0.0


class Village(Fair):
    """Two servers and what their members do. Attributes:

    members: those of each server, its manager first.
    away: those who have left, and on which day.
    missing: who was mentioned on a server after the day on which they left, and how.
    pings: how often each user was pinged on each day, but for boards on which it is their turn.
    posts: what the bot has posted for all, as it was at first.
    silent: whether nobody votes now.
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.guild = GuildId(room.discord.guild.id)
        self.chance = Random(56)
        self.keys: Iterator[int] = count(10**9)
        self.members: dict[int, list[Person]] = {}
        self.manners: dict[UserId, Manner] = {}
        self.away: dict[int, int] = {}
        self.missing: set[tuple[int, str]] = set()
        self.pings: dict[int, Counter[int]] = defaultdict(Counter)
        self.posts: list[Message] = []
        self.silent = False
        room.discord.listen(self._note)

    def _note(self, event: Event) -> None:
        if not isinstance(event, MessagePosted) or event.message.author_id != self.room.discord.bot.id:
            return
        posted = event.message
        if posted.visible_to is not None:
            return
        self.posts.append(posted)
        if not any(BOARD.fullmatch(file.filename) for file in posted.attachments):
            self.pings[self.day].update({*posted.mentions})
            if self.room.discord.channel(posted.channel_id).in_guild:
                gone = {user for user in posted.mentions if self.away.get(user, self.day) < self.day}
                self.missing |= {(user, posted.text) for user in gone}

    @property
    def day(self) -> int:
        return self.room.clock() // DAY

    def said(self, part: str) -> list[Message]:
        """Returns what was posted for all with this part."""
        return [each for each in self.posts if part in each.text]

    def settle_members(self) -> None:
        """Fills both servers."""
        world, ids = self.room.discord.world, self.room.discord.world.ids
        numbers = range(MEMBERS - len(HERE))
        here = [world.enrol(User(ids.next(), f"hania{number:02}", f"Hania{number:02}")) for number in numbers]
        there = [world.settle(User(ids.next(), f"yurko{number:02}", f"Юрко{number:02}")) for number in numbers]
        self.zagroda = replace(self.zagroda, members=(*self.zagroda.members, *(each.id for each in there)))
        world.change_server(self.zagroda)
        for guild, users, names in ((self.guild, here, HERE), (self.zagroda.id, there, THERE)):
            found = [Person(self.room.discord.wire, self.room.discord.interactions, each.id) for each in users]
            self.members[guild] = [*self.people(names), *found]
            for person in found:
                self.manners[UserId(person.id)] = self.chance.choices([*Manner], (0.7, 0.2, 0.1))[0]

    def name(self, user: int) -> str:
        return self.room.discord.world.users[user].name

    def person(self, user: int) -> Person:
        return next(each for people in self.members.values() for each in people if each.id == user)

    def players(self, guild: int, number: int, *also: Person) -> list[Person]:
        """Returns so many members by chance, with those who are to be among them; no manager and no player who has a
        part of their own."""
        others = [each for each in self.members[guild][len(HERE) :] if each not in also]
        return [*also, *self.chance.sample(others, number - len(also))]

    def leave(self, person: Person) -> None:
        person.leave()
        self.away[person.id] = self.day

    async def press(self, people: list[Person], message: Message, button: str) -> None:
        for person in people:
            self.wall.table.add(person.user.name)
            await self.room.change_settings(person, confirm_days=False)
            await private_words(person.click(message, button))

    async def posted(self, channel: Channel, part: str) -> Message:
        """Returns the newest message of a channel with this part, when there is one."""
        found: Message = await self.room.discord.until(
            lambda: next((each for each in reversed(self.room.discord.messages(channel)) if part in each.text), None)
        )
        return found

    async def open_matches(self) -> list[Match]:
        async with self.room.services.store.read() as reader:
            rows = await reader.sql.all(select(schema.match.c.id).where(schema.match.c.ended.is_(None)))
        return [await self.room.use_cases.matches.load(MatchId(row.id)) for row in rows]

    # A quarter of a day

    async def pass_day(self) -> None:
        """Lets everybody look at their games four times, and some solve the puzzles of the day."""
        for _ in range(DAY // TICK):
            await self._live()
            for user in self.away:  # names are kept for an hour of the machine's clock
                self.room.services.names.forget(UserId(user))
            await self.room.pass_time(TICK)
            await self.rest()

    async def _live(self) -> None:
        for match in await self.open_matches():
            if match.to_act is None:
                continue
            user = match.players[match.to_act]
            if not is_person(user):
                await self._vote(match)
            elif user not in self.away and self.chance.random() < self.manners.get(user, Manner.KEEN).value:
                await self._move_or_resign(match, user)

    async def _move_or_resign(self, match: Match, user: UserId) -> None:
        """Moves, or gives up after some moves, as many games of friends end."""
        key, now = IdempotencyKey(next(self.keys)), self.room.clock()
        with suppress(Refused):
            if len(match.moves) > 12 and self.chance.random() < 0.2:
                await self.room.use_cases.matches.resign(match.id, user, now, key)
            else:
                move = str(self.chance.choice([*match.position.moves()]))
                await self.room.use_cases.matches.move(match.id, user, move, now, key)

    async def _vote(self, match: Match) -> None:
        """Lets some members vote for one of two moves."""
        assert match.to_act is not None
        guild = match.at_home_of(match.to_act).guild
        assert guild is not None
        moves = [str(move) for move in match.position.moves()][:2]
        for person in () if self.silent else self.chance.sample(self.members[guild][:VOTERS], 5):
            voter = Member(UserId(person.id), guild, joined=Millis(0))
            with suppress(Refused):
                key = IdempotencyKey(next(self.keys))
                await self.room.use_cases.votes.cast(
                    match.id, voter, Choice.MOVE, self.chance.choice(moves), self.room.clock(), key
                )

    async def solve_daily(self, people: list[Person]) -> None:
        """Lets members of the first server solve the puzzles of the day."""
        day, dailies = puzzle_day(self.room.clock()), self.room.use_cases.dailies
        for person in people:
            user = UserId(person.id)
            state = await dailies.open(user, self.guild, self.room.clock())
            while state.solving is not None:
                move = state.solving.node.line[0]
                state = await dailies.play(day, user, state.run.tries, move, self.room.clock())

    async def rest(self) -> None:
        """Returns when nothing is left to do now."""
        workers = self.room.bot.workers
        doing: list[Worker[Any]] = [
            workers.outbox, workers.tournaments, workers.contests, workers.leagues, workers.votes, workers.standings,
            workers.ladders, workers.news, workers.predictions, workers.threads, workers.dailies,
        ]  # fmt: skip

        async def idle() -> bool:
            for each in workers.all:
                each.wake()
            return not any([await each.pending(1) for each in doing])

        await self.room.wait_for_handlers()
        await self.room.until(idle)
        await self.settle()
