"""A contest of two servers on Discord, from the code to the result: each reads it in its own words, and neither learns
of the other more than names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pytest

from bot.markup import escape
from loopback import Channel, Message, Person
from loopback.model import User
from loopback.permissions import Permission
from play.competitions.contest import CODE_MILLIS, Contest, ContestId, Kind, Side, Stage
from play.ids import GuildId, IdempotencyKey, UserId
from tests.bot import forging
from tests.bot.border import Border
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, MINUTE

T = TypeVar("T")

HERE = ("Ola", "Максим", "Kasia Wiśniewska")
THERE = ("Jadwiga", "Bogdan Nowakowski", "Zofia")


class Fair(Border):
    """Two servers that play a contest: Ola manages the first one, Jadwiga the other."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        world = room.discord.world
        zofia = world.settle(User(world.ids.next(), "zofia", "Zofia"))
        self.zagroda = replace(self.zagroda, members=(*self.zagroda.members, zofia.id))
        world.change_server(self.zagroda)
        room.discord.people["Zofia"] = Person(room.discord.wire, room.discord.interactions, zofia.id)
        for person in self.people(THERE):
            person.speak("pl")
        self.id, self.zofia = ContestId(1), zofia.id
        self.wall.table |= {*HERE, *THERE, "Zagroda", room.discord.guild.name}
        for channel, manager in ((self.here, self.ola), (self.there, self.jadwiga)):
            room.discord.allow(channel, Permission.MANAGE_GUILD, manager)

    def people(self, names: tuple[str, ...]) -> list[Person]:
        return [self.room.discord.people[name] for name in names]

    async def challenge(self, **options: object) -> str:
        """Returns the code of a new challenge, made when accounts are old enough."""
        await self.room.pass_time(8 * DAY)
        asked = {"size": "5x5", "days": 3, "signup": 2, "rated": False, **options}
        told = await private_words(self.ola.command(self.here, "team challenge", **asked))
        found = re.search(r"`([0-9A-Z-]{14})`", told)
        assert found is not None, told
        return found[1]

    async def look(self, code: str) -> Message:
        """Returns the panel in which Jadwiga can accept."""
        return await private_message(self.jadwiga.command(self.there, "team accept", code=code))

    async def accept(self, **options: object) -> Contest:
        """Returns a contest that Jadwiga has accepted."""
        panel = await self.look(await self.challenge(**options))
        await self.done(self.jadwiga.click(panel, "Przyjmij tutaj"))
        return await self.contest(lambda now: now.guest is not None)

    async def sign_up(self) -> None:
        """Signs all three members of each server up."""
        for channel, names in ((self.here, HERE), (self.there, THERE)):
            for person in self.people(names):
                await self.done(person.click(self.message(channel), "team:1:join"))

    async def contest(self, fits: Callable[[Contest], bool] = lambda _: True) -> Contest:
        """Returns the contest when it fits and both servers read it."""

        async def shown() -> Contest | None:
            now = await self.room.use_cases.contests.load(ContestId(1))
            async with self.room.services.store.read() as reader:
                waiting = await reader.contests.to_update(self.room.clock(), 1)
            self.room.use_cases.events.contest_changed()
            return now if fits(now) and not waiting else None

        found: Contest = await self.room.until(shown)
        await self.settle()
        return found

    def message(self, channel: Channel) -> Message:
        """Returns the message of the contest in a channel."""
        return next(each for each in self.room.discord.messages(channel) if each.content.startswith("## 🤝"))

    def now(self, panel: Message) -> str:
        """Returns the text that a panel shows now."""
        current = self.room.discord.message(panel)
        assert current is not None
        return current.text

    def last_with(self, channel: Channel, text: str) -> Message | None:
        """Returns the newest message with a text, but for that which shows the contest."""
        shown = self.message(channel).id
        found = [each for each in self.room.discord.messages(channel) if text in each.content and each.id != shown]
        return found[-1] if found else None

    async def begin_games(self) -> Contest:
        """Returns a contest whose games have begun."""
        await self.accept()
        await self.sign_up()
        await self.room.pass_time(2 * DAY)
        return await self.contest(lambda now: all(board.match for board in now.boards) and bool(now.boards))


@pytest.fixture
async def fair(room: Room) -> Fair:
    return Fair(room)


@pytest.mark.contest
async def test_two_servers_play_a_contest_from_the_code_to_the_result(fair: Fair) -> None:
    contest = await fair.begin_games()
    assert len(contest.boards) == 3
    for board in contest.boards:
        for side, channel in ((Side.HOME, fair.here), (Side.GUEST, fair.there)):
            call = fair.room.discord.message(_known(board.calls[side]))
            assert call is not None
            assert (call.channel_id, [*call.mentions]) == (channel.id, [contest.users_of(board)[side]])
            assert len(fair.boards(call.id)) == 1
    for board in contest.boards:
        loser = contest.users_of(board)[Side.HOME if board.number == 2 else Side.GUEST]
        for _ in range(2):
            match = await fair.room.use_cases.matches.load(_known(board.match))
            seat = match.position.to_act
            mover = fair.room.discord.people[_name(fair, match.players[seat])]
            await fair.move(mover, match.at_home_of(seat).channel, str(next(iter(match.position.moves()))))
        key = IdempotencyKey(10**7 + board.number)
        await fair.room.use_cases.matches.resign(_known(board.match), loser, fair.room.clock(), key)
    contest = await fair.contest(lambda now: now.stage is Stage.ENDED)
    assert contest.score.boards == (2, 1)
    english, polish = fair.message(fair.here), fair.message(fair.there)
    assert f"{escape(fair.room.discord.guild.name)} has won" in english.content
    assert "Wygrywa" in polish.content
    assert all(len(each.attachments) == 1 for each in (english, polish))
    for side, channel in ((Side.HOME, fair.here), (Side.GUEST, fair.there)):
        told = await fair.room.discord.until(partial(fair.last_with, channel, "2:1"))
        assert sorted(told.mentions) == sorted(player.user for _, player in contest.of_side(side))
    assert fair.wall.violations == []
    assert fair.wall.seen["Zagroda"] > 10


async def test_a_manager_of_either_server_begins_a_full_contest(fair: Fair) -> None:
    await fair.accept(pairs=3)
    assert "Rozpocznij teraz" not in fair.message(fair.there).labels
    await fair.sign_up()
    await fair.room.pass_time(MINUTE)
    await fair.room.discord.until(lambda: "Rozpocznij teraz" in fair.message(fair.there).labels)
    panel = fair.message(fair.there)
    assert "Zarządzanie serwerem" in await private_words(fair.straznik.click(panel, "Rozpocznij teraz"))
    question = await private_message(fair.jadwiga.click(panel, "Rozpocznij teraz"))
    await fair.done(fair.jadwiga.click(question, "Rozpocznij teraz"))
    begun = await fair.contest(lambda now: all(board.match for board in now.boards) and bool(now.boards))
    assert begun.stage is Stage.RUNNING


async def test_a_manager_orders_and_removes_players_who_are_told(fair: Fair) -> None:
    await fair.accept()
    order = partial(fair.ola.command, fair.here, "team place")
    await fair.sign_up()
    refused = await private_words(fair.people(HERE)[2].command(fair.here, "team place", player=fair.ola, place=1))
    assert "Manage Server" in refused
    assert "No contest takes players in this channel." in await private_words(
        fair.ola.command(fair.room.general, "team place", player=fair.ola, place=1)
    )
    assert "hasn't signed up" in await private_words(order(player=fair.jadwiga, place=1))
    kasia = fair.people(HERE)[2]
    shown = await private_words(order(player=kasia, place=1))
    assert "1\\. Kasia Wiśniewska\n2\\. " in shown
    placed = await fair.room.discord.until(partial(fair.last_with, fair.here, "has place 1 in the line-up"))
    assert [*placed.mentions] == [kasia.id]
    shown = await private_words(fair.ola.command(fair.here, "team remove", player=kasia))
    assert "Kasia" not in shown
    told = await fair.room.discord.until(partial(fair.last_with, fair.here, "has taken you off the list"))
    assert [*told.mentions] == [kasia.id]
    assert "has taken you off the list" in await private_words(kasia.click(fair.message(fair.here), "team:1:join"))
    await fair.room.pass_time(MINUTE)
    await fair.contest()
    assert "Kasia" not in fair.message(fair.here).content
    assert "1\\. " in fair.message(fair.here).content
    await order(player=kasia, place=1).followed()
    await fair.room.pass_time(2 * DAY)
    await fair.contest(lambda now: now.stage is Stage.RUNNING)
    assert "The sign-up is over." in await private_words(order(player=kasia, place=2))
    assert fair.wall.violations == []


async def test_a_contest_says_about_how_long_it_takes_and_how_its_votes_go(fair: Fair) -> None:
    made = await private_words(fair.ola.command(fair.here, "team challenge", size="9x9", vote="90m", quorum=4))
    assert "Length of the game, if each vote is open to its end: about" in made
    code = re.search(r"`([0-9A-Z-]{14})`", made)
    assert code is not None
    asked = await private_words(fair.jadwiga.command(fair.there, "team accept", code=code[1]))
    assert "Gdy jest mniej niż 4 głosy, przedłuża się raz o tyle samo." in asked
    assert "Jeśli każde głosowanie potrwa do końca, partia potrwa mniej więcej" in asked
    refused = await private_words(fair.ola.command(fair.here, "team challenge", vote="30m"))
    assert "from one hour to three days" in refused


def _name(fair: Fair, user: UserId) -> str:
    return next(name for name in (*HERE, *THERE) if fair.room.discord.people[name].id == user)


def _known(found: T | None) -> T:
    assert found is not None
    return found


async def test_the_offer_says_who_and_what_before_one_accepts(fair: Fair) -> None:
    panel = await fair.look(await fair.challenge(pairs=5))
    text = panel.text
    assert escape(fair.room.discord.guild.name) in text
    assert "5 par" in text
    assert panel.ephemeral
    assert fair.wall.violations == []


@pytest.mark.parametrize("who", ["a member", "a member by a forged button"])
async def test_only_managers_accept(fair: Fair, who: str) -> None:
    code = await fair.challenge()
    if who == "a member":
        answer = await private_words(fair.straznik.command(fair.there, "team accept", code=code))
    else:
        custom_id = f"team:accept:{code.replace('-', '')}"
        answer = await private_words(forging.click(fair.room, fair.straznik, fair.there, custom_id))
    assert "Zarządzanie serwerem" in answer or "przycisk" in answer
    assert (await fair.room.use_cases.contests.load(ContestId(1))).stage is Stage.INVITED


async def test_a_manager_who_lost_the_permission_cannot_press_the_panel_any_more(fair: Fair) -> None:
    fair.room.discord.allow(fair.there, Permission.MANAGE_GUILD, fair.straznik)
    code = await fair.challenge()
    panel = await private_message(fair.straznik.command(fair.there, "team accept", code=code))
    fair.room.discord.deny(fair.there, Permission.MANAGE_GUILD, fair.straznik)
    await fair.done(fair.straznik.click(panel, "Przyjmij tutaj"))
    assert (await fair.room.use_cases.contests.load(ContestId(1))).stage is Stage.INVITED


async def test_a_code_works_once(fair: Fair) -> None:
    code = await fair.challenge()
    panel, second = await fair.look(code), await fair.look(code)
    await fair.done(fair.jadwiga.click(panel, "Przyjmij tutaj"))
    await fair.done(fair.jadwiga.click(second, "Przyjmij tutaj"))
    assert "gra z serwerem" in fair.now(second)
    assert (await fair.contest()).version == 1


async def test_the_own_code_is_refused_in_words(fair: Fair) -> None:
    code = await fair.challenge()
    answer = await private_words(fair.ola.command(fair.here, "team accept", code=code))
    assert "your own server's" in answer


async def test_guesses_are_counted(fair: Fair) -> None:
    answers = [
        await private_words(fair.jadwiga.command(fair.there, "team accept", code=f"{number:012}"))
        for number in range(30)
    ]
    assert sum("nie działa" in each for each in answers) <= 5
    assert "Za dużo kodów" in answers[-1]


async def test_a_declined_challenge_is_told_in_private_to_the_one_who_has_made_it(fair: Fair) -> None:
    panel = await fair.look(await fair.challenge())
    await fair.done(fair.jadwiga.click(panel, "Odrzuć na stałe"))
    await fair.contest(lambda now: now.stage is Stage.CANCELLED)
    assert ["declined" in each.content for each in fair.room.discord.messages(fair.ola.open_dm())] == [True]
    assert fair.room.discord.messages(fair.here) == fair.room.discord.messages(fair.there) == []


async def test_a_code_that_nobody_uses_is_told_in_private_and_by_the_list(fair: Fair) -> None:
    await fair.challenge()
    await fair.room.pass_time(CODE_MILLIS)
    await fair.contest(lambda now: now.stage is Stage.CANCELLED)
    told = fair.room.discord.messages(fair.ola.open_dm())
    assert ["Nobody used the invite code in time." in each.content for each in told] == [True]
    assert fair.room.discord.messages(fair.here) == []
    assert "cancelled" in await private_words(fair.ola.command(fair.here, "team status"))


async def test_a_member_signs_off_before_the_games(fair: Fair) -> None:
    await fair.accept()
    await fair.sign_up()
    await fair.done(fair.room.kasia.click(fair.message(fair.here), "team:1:leave"))
    assert len((await fair.contest()).of_side(Side.HOME)) == 2


async def test_a_withdrawn_contest_says_so_on_both_servers(fair: Fair) -> None:
    await fair.accept()
    panel = await private_message(fair.jadwiga.command(fair.there, "team cancel"))
    await fair.done(fair.jadwiga.click(panel, f"Odwołaj: {fair.room.discord.guild.name}"))
    await fair.contest(lambda now: now.stage is Stage.CANCELLED)
    assert "withdrawn" in fair.message(fair.here).content
    assert "wycofał" in fair.message(fair.there).content
    assert fair.wall.violations == []


async def test_two_processes_tell_a_result_once_though_one_has_a_newer_version(fair: Fair) -> None:
    contest = replace(await fair.accept(), stage=Stage.ENDED)
    display = fair.room.bot.workers.contests._display
    before = len(fair.room.discord.messages(fair.here))
    for version in (contest.version, contest.version + 1):
        await display.tell(replace(contest, version=version), Side.HOME, "ended")
    assert len(fair.room.discord.messages(fair.here)) == before + 1


async def test_status_and_season_tell_a_server_its_own(fair: Fair) -> None:
    await fair.accept()
    status = await private_words(fair.ola.command(fair.here, "team status"))
    assert "Zagroda" in status
    season = await private_message(fair.ola.command(fair.here, "team season"))
    assert "No contest between servers" in season.text
    await fair.done(fair.ola.click(season, "Show our name to all"))
    assert "shows its name" in fair.now(season)
    async with fair.room.services.store.read() as reader:
        assert await reader.contests.listed() == {GuildId(fair.room.discord.guild.id)}


async def test_two_servers_play_one_game_by_vote(fair: Fair) -> None:
    contest = await fair.accept(vote="12h")
    contest = await fair.contest(lambda now: bool(now.boards and now.boards[0].match))
    assert (contest.kind, contest.period) == (Kind.VOTE, DAY // 2)
    assert [len(fair.boards(_known(call))) for call in contest.boards[0].calls] == [1, 1]
    status = await private_words(fair.ola.command(fair.here, "team status"))
    assert status == "- **Kropka try\\-out – Zagroda**: the vote game goes on."
    sides = await fair.room.use_cases.votes.sides_of(_known(contest.boards[0].match))
    assert {side.guild for side in sides} == {fair.room.discord.guild.id, fair.zagroda.id}
    assert fair.wall.violations == []
