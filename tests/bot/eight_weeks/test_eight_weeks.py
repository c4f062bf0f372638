"""Eight weeks of two servers of fifty, with everything on: home post, tournament, league, ladder, vote game, and a
contest between the two. Members move soon, late or never, and some leave.

The bot and its posts are those of Discord, through HTTP; members move in their games by the use cases. The test counts
for itself who was pinged, and what the tables should say.
"""

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

import pytest
from sqlalchemy import select

from loopback import Channel, Message, Person
from loopback.events import Event, MessagePosted
from loopback.model import User
from loopback.permissions import Permission
from play.competitions.contest import Stage as ContestStage
from play.competitions.tournament import Stage, TournamentId
from play.ids import GuildId, IdempotencyKey, MatchId, Millis, UserId, is_person
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Refused
from play.votes import Choice, has_side
from storage import schema
from tests.bot.features.competitions.contests.test_contests import HERE, THERE, Fair
from tests.bot.features.home.test_home import settle
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, HOUR
from use_cases.worker import Worker

WEEKS, TICK = 8, 6 * HOUR
MEMBERS = 50
"""Of each server."""

MAX_PINGS = 8
"""How often a member is pinged at most on the busiest day, but for boards on which it is their turn: those come as
often as they and their opponents move."""

BOARD = re.compile(r"kropka-\d+-\d+\.png")


class Manner(Enum):
    """How soon a member moves: the chance at each look at the board, which is every six hours."""

    KEEN = 0.9
    LATE = 0.25
    ABSENT = 0.0


class Village(Fair):
    """Two servers and what their members do."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.chance = Random(56)
        self.keys: Iterator[int] = count(10**9)
        self.members: dict[int, list[Person]] = {}
        self.manners: dict[UserId, Manner] = {}
        self.away: dict[int, int] = {}
        """Those who have left, and on which day."""
        self.pings: dict[int, Counter[int]] = defaultdict(Counter)
        """How often each user was pinged on each day, but for boards on which it is their turn."""
        room.discord.listen(self._note)

    def _note(self, event: Event) -> None:
        if not isinstance(event, MessagePosted) or event.message.author_id != self.room.discord.bot.id:
            return
        posted = event.message
        if posted.visible_to is None and not any(BOARD.fullmatch(file.filename) for file in posted.attachments):
            self.pings[self.day].update({*posted.mentions})

    @property
    def day(self) -> int:
        return self.room.clock() // DAY

    def leave(self, person: Person) -> None:
        person.leave()
        self.away[person.id] = self.day

    def settle_members(self) -> None:
        """Fills both servers."""
        world, ids = self.room.discord.world, self.room.discord.world.ids
        numbers = range(MEMBERS - len(HERE))
        here = [world.enrol(User(ids.next(), f"hania{number:02}", f"Hania{number:02}")) for number in numbers]
        there = [world.settle(User(ids.next(), f"yurko{number:02}", f"Юрко{number:02}")) for number in numbers]
        self.zagroda = replace(self.zagroda, members=(*self.zagroda.members, *(each.id for each in there)))
        world.change_server(self.zagroda)
        for guild, users, names in (
            (self.room.discord.guild.id, here, HERE),
            (self.zagroda.id, there, THERE),
        ):
            found = [Person(self.room.discord.wire, self.room.discord.interactions, each.id) for each in users]
            self.members[guild] = [*self.people(names), *found]
            for person in found:
                chances = (0.7, 0.2, 0.1)
                self.manners[UserId(person.id)] = self.chance.choices([*Manner], chances)[0]

    def manner(self, user: UserId) -> Manner:
        return self.manners.get(user, Manner.KEEN)

    def sample(self, guild: int, number: int) -> list[Person]:
        return self.chance.sample(self.members[guild], number)

    async def press(self, people: list[Person], message: Message, button: str) -> None:
        for person in people:
            self.wall.table.add(person.user.name)
            await self.room.change_settings(person, confirm_days=False)
            await private_words(person.click(message, button))

    async def open_matches(self) -> list[Match]:
        async with self.room.services.store.read() as reader:
            rows = await reader.sql.all(select(schema.match.c.id).where(schema.match.c.ended.is_(None)))
        return [await self.room.use_cases.matches.load(MatchId(row.id)) for row in rows]

    async def live(self) -> None:
        """Lets everybody look at their games once."""
        for match in await self.open_matches():
            if match.to_act is None:
                continue
            user = match.players[match.to_act]
            if not is_person(user):
                await self.vote(match)
            elif user not in self.away and self.chance.random() < self.manner(user).value:
                await self.move_or_resign(match, user)

    async def move_or_resign(self, match: Match, user: UserId) -> None:
        """Moves, or gives up after some moves, as many games of friends end."""
        key, now = IdempotencyKey(next(self.keys)), self.room.clock()
        with suppress(Refused):
            if len(match.moves) > 12 and self.chance.random() < 0.2:
                await self.room.use_cases.matches.resign(match.id, user, now, key)
            else:
                move = str(self.chance.choice([*match.position.moves()]))
                await self.room.use_cases.matches.move(match.id, user, move, now, key)

    async def vote(self, match: Match) -> None:
        """Lets some members vote for one of two moves."""
        assert match.to_act is not None
        guild = match.at_home_of(match.to_act).guild
        assert guild is not None
        moves = [str(move) for move in match.position.moves()][:2]
        for person in self.sample(guild, 5):
            voter = Member(UserId(person.id), guild, joined=Millis(0))
            with suppress(Refused):
                key = IdempotencyKey(next(self.keys))
                await self.room.use_cases.votes.cast(
                    match.id, voter, Choice.MOVE, self.chance.choice(moves), self.room.clock(), key
                )

    async def rest(self) -> None:
        """Returns when nothing is left to do now."""
        workers = self.room.bot.workers
        doing: list[Worker[Any]] = [
            workers.outbox, workers.tournaments, workers.contests, workers.leagues, workers.votes, workers.standings,
            workers.ladders, workers.news, workers.predictions, workers.threads,
        ]  # fmt: skip

        async def idle() -> bool:
            for each in workers.all:
                each.wake()
            return not any([await each.pending(1) for each in doing])

        await self.room.wait_for_handlers()
        await self.room.until(idle)
        await self.settle()

    async def pass_ticks(self, number: int) -> None:
        for _ in range(number):
            await self.live()
            await self.room.pass_time(TICK)
            await self.rest()

    # What managers set up

    async def posted(self, channel: Channel, part: str) -> Message:
        """Returns the newest message of a channel with this part, when there is one."""
        found: Message = await self.room.discord.until(
            lambda: next((each for each in reversed(self.room.discord.messages(channel)) if part in each.content), None)
        )
        return found

    async def set_up(self) -> None:
        """Opens everything: the contest between both, the rest on the first server."""
        here, there = self.room.discord.guild.id, self.zagroda.id
        self.room.discord.allow(self.room.channel, Permission.MANAGE_GUILD, self.ola)
        await settle(self.room)
        lounge = {name: self.room.discord.open_channel(name) for name in ("cup", "league", "ladder", "votes")}
        self.lounge = lounge
        for channel in lounge.values():
            self.room.discord.allow(channel, Permission.MANAGE_GUILD, self.ola)
        options = {"name": "Autumn Cup", "format": "swiss", "size": "10x10", "clock": "1d", "rated": True}
        await private_words(self.ola.command(lounge["cup"], "tournament create", **options))
        await self.press(self.sample(here, 12), await self.posted(lounge["cup"], "Autumn Cup"), "Sign up")
        await private_words(self.ola.click(await self.posted(lounge["cup"], "Autumn Cup"), "Begin"))
        asked = await private_message(self.ola.command(lounge["league"], "league open", size="5x5"))
        await self.ola.click(asked, "Open the league").followed()
        await self.press(self.sample(here, 14), await self.posted(lounge["league"], "League"), "Join")
        await private_words(self.ola.command(lounge["ladder"], "ladder create"))
        for person in self.sample(here, 8):
            await private_words(person.command(lounge["ladder"], "ladder join"))
        given = {"opponent": self.room.maksim, "quorum": 2, "size": "5x5"}
        asked = await private_message(self.ola.command(lounge["votes"], "vote begin", **given))
        await self.ola.click(asked, "Ask them").followed()
        await self.room.maksim.click(self.room.discord.messages(lounge["votes"])[-1], "Accept").answered()
        given = {"size": "10x10", "pairs": 6, "days": 3, "signup": 2, "rated": True}
        told = await private_words(self.ola.command(self.here, "team challenge", **given))
        panel = await self.look(told.split("`")[1])
        await self.done(self.jadwiga.click(panel, "Przyjmij tutaj"))
        for guild, channel in ((here, self.here), (there, self.there)):
            await self.press(self.sample(guild, 8), await self.posted(channel, "## 🤝"), "team:1:join")


@pytest.mark.contest
async def test_eight_weeks_of_two_servers(room: Room) -> None:
    village = Village(room)
    village.settle_members()
    await room.pass_time(8 * DAY)
    await village.set_up()
    began = village.day
    guild = GuildId(room.discord.guild.id)
    first = await room.use_cases.leagues.load(guild)
    leaving = [each for each in village.members[guild] if each.id in {member.user for member in first.members}][-2:]
    while village.day < began + 7 * WEEKS:
        await village.pass_ticks(4)
        if village.day == began + 16:
            for person in leaving:
                village.leave(person)
    await check_ends(village)
    await check_tables(village, guild)
    check_pings(village)
    assert village.wall.violations == []


async def check_ends(village: Village) -> None:
    """Everything has ended that has an end."""
    use_cases = village.room.use_cases
    assert (await use_cases.tournaments.load(TournamentId(1))).stage is Stage.ENDED
    assert (await use_cases.contests.load(village.id)).stage is ContestStage.ENDED
    assert not [match for match in await village.open_matches() if has_side(match)]
    season = (await use_cases.leagues.load(GuildId(village.room.discord.guild.id))).season
    assert season is not None
    assert season.number == 2


async def check_tables(village: Village, guild: GuildId) -> None:
    """Each server's leaderboards are of its members; who has left plays in no new season."""
    async with village.room.services.store.read() as reader:
        rows = await reader.sql.all(select(schema.change.c.guild, schema.change.c.user))
    assert rows
    for row in rows:
        assert row.guild in village.members
        assert row.user in {each.id for each in village.members[row.guild]}
    assert {row.guild for row in rows} == village.members.keys()
    season = (await village.room.use_cases.leagues.load(guild)).season
    assert season is not None
    playing = {user for game in season.games for user in (game.first, game.second)}
    assert not playing & village.away.keys()


def check_pings(village: Village) -> None:
    """Nobody is pinged too often, and who has left no more once the games have ended that ran then."""
    most = {day: max(pings.values()) for day, pings in village.pings.items() if pings}
    assert max(most.values()) <= MAX_PINGS, most
    for user, day in village.away.items():
        assert not [each for each, pings in village.pings.items() if each > day + 7 and pings[user]]
