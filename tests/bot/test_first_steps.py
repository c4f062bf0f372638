"""How many steps lead from an empty server to the first of each thing, by its command and by the cards of
*What should happen here?*: counted by what people send to the bot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.features.competitions.contests.commands import USUAL_SIGN_UP_DAYS
from loopback import Channel, Message
from loopback.events import Event, InteractionBegun
from loopback.interaction import InteractionKind
from loopback.permissions import Permission
from play.competitions.contest import Stage
from play.ids import GuildId
from play.people.membership import MIN_ACCOUNT_AGE
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.features.competitions.tournaments.cup import is_open, wait_for, wait_for_message
from tests.bot.features.home.test_home import posted as posted_home
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, MINUTE
from tests.opponent.quick import Inside

PAGE = Path(__file__).parents[2] / "docs" / "server-admins.md"
CODE = re.compile(r"`([0-9A-Z-]{14})`")
ROW = re.compile(r"\| (.+?) \| \d+ \| (\d+) \| (\d+) \| (\d+|–) \|")


def documented(goal: str, *, cards: bool) -> tuple[int, int]:
    """Returns how many steps of managers and of members the page of admins says."""
    by_command, by_cards, members = next(found[1:] for found in ROW.findall(PAGE.read_text()) if found[0] == goal)
    return int(by_cards if cards else by_command), int(members.replace("–", "0"))


class Beginner:
    """Ola, who manages an empty server, and a count of all that she and others do: commands, presses, choices and
    forms, but no suggestions while typing."""

    def __init__(self, room: Room, channel: Channel) -> None:
        self.room, self.channel, self.ola = room, channel, room.ola
        self._acts: Counter[str] = Counter()
        self._who = "managers"
        room.discord.listen(self._note)

    def _note(self, event: Event) -> None:
        if isinstance(event, InteractionBegun) and event.interaction.kind is not InteractionKind.AUTOCOMPLETE:
            self._acts[self._who] += 1

    @property
    def steps(self) -> tuple[int, int]:
        """Those of managers and of members."""
        return self._acts["managers"], self._acts["members"]

    @contextmanager
    def members(self) -> Iterator[None]:
        """Counts what is done inside as steps of members, also where a manager is one of them."""
        self._who = "members"
        yield
        self._who = "managers"

    async def settings(self, button: str) -> Message:
        panel = await self.ola.command(self.channel, "settings server").followed()
        return await self.ola.click(panel, button).followed()

    async def preview(self, what: str) -> Message:
        """Opens the preview of a card."""
        return await self.ola.click(await self.settings("What should happen here?"), f"begin:{what}").followed()


@pytest.fixture
async def manager(room: Room) -> Beginner:
    room.discord.invite("Zoe")
    await room.pass_time(MIN_ACCOUNT_AGE)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES, room.ola)
    return Beginner(room, room.channel)


ways = pytest.mark.parametrize("cards", [False, True], ids=["by its command", "by the cards"])


@pytest.mark.sample(2)
@ways
async def test_steps_to_a_tournament(manager: Beginner, cards: bool) -> None:
    room, ola = manager.room, manager.ola
    if cards:
        opened = await ola.click(await manager.preview("tournament"), "Name and create").answered()
        assert opened.modal is not None
        await ola.submit(opened.modal, {"name": "Autumn Cup", "format": "swiss"}).followed()
    else:
        await private_words(ola.command(room.channel, "tournament create", name="Autumn Cup", format="swiss"))
    card = await wait_for_message(room, lambda message: "Autumn Cup" in message.content)
    with manager.members():
        for person in (room.maksim, room.kasia, room.discord.people["Zoe"]):
            await private_words(person.click(card, "Sign up"))
    await private_words(ola.click(card, "Begin"))
    await wait_for(room, is_open(1))
    assert manager.steps == documented("a tournament that is played", cards=cards)


@ways
async def test_steps_to_a_league(manager: Beginner, cards: bool) -> None:
    room, ola = manager.room, manager.ola
    asked = await (manager.preview("league") if cards else private_message(ola.command(room.channel, "league open")))
    await ola.click(asked, "Open the league").followed()
    post = await wait_for_message(room, lambda message: "Nobody has joined yet" in message.content)
    with manager.members():
        for person in (room.maksim, room.kasia, room.discord.people["Zoe"]):
            await private_words(person.click(post, "Join"))
    begins = (await room.use_cases.leagues.load(GuildId(room.discord.guild.id))).begins
    assert 3 * DAY <= begins - room.clock() <= 10 * DAY
    await room.pass_time(begins - room.clock())
    room.use_cases.events.league_changed()
    await wait_for_message(room, lambda message: "has begun with 3 players" in message.content)
    assert manager.steps == documented("a season of the league", cards=cards)


@ways
async def test_steps_to_a_game_by_votes(manager: Beginner, cards: bool) -> None:
    room, ola = manager.room, manager.ola
    room.thinkers = Inside
    await room.restart()
    asked = await (
        manager.preview("vote") if cards else private_message(ola.command(room.channel, "vote begin", computer=1))
    )
    await ola.click(asked, "Begin the game").followed()
    thread = await room.discord.until(lambda: next(iter(room.discord.threads), None))
    await room.discord.until(lambda: any("votes on move 1" in each.content for each in room.discord.messages(thread)))
    assert manager.steps == documented("a game by votes", cards=cards)


@pytest.mark.sample(2)
@ways
async def test_steps_to_a_contest(room: Room, cards: bool) -> None:
    fair = Fair(room)
    await room.pass_time(MIN_ACCOUNT_AGE)
    manager = Beginner(room, fair.here)
    if cards:
        made = room.ola.click(await manager.preview("contest"), "Make the code")
        await made.followed()
        told = next(each.text for each in made.messages if CODE.search(each.text))
    else:
        told = await private_words(room.ola.command(fair.here, "team challenge", pairs=3))
    (code,) = CODE.findall(told)
    await fair.done(fair.jadwiga.click(await fair.look(code), "Przyjmij tutaj"))
    await fair.contest(lambda now: now.guest is not None)
    with manager.members():
        await fair.sign_up()
    if cards:  # which leaves room for more pairs
        await room.pass_time(USUAL_SIGN_UP_DAYS * DAY)
    else:
        await room.pass_time(MINUTE)
        await fair.contest()
        question = await private_message(room.ola.click(fair.message(fair.here), "Begin now"))
        await fair.done(room.ola.click(question, "Begin now"))
    await fair.contest(lambda now: now.stage is Stage.RUNNING)
    assert manager.steps == documented("a contest with another server", cards=cards)


@ways
async def test_steps_to_a_home_post(manager: Beginner, cards: bool) -> None:
    if cards:
        shown = await manager.settings("What should happen here?")
        panel = await manager.ola.click(shown, "home:open").followed()
    else:
        panel = await manager.settings("Home post")
    await choose(manager.ola, panel, "home:channel", manager.room.general.id)
    await posted_home(manager.room)
    assert manager.steps == documented("the home post", cards=cards)
