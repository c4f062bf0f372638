"""People in a room whose Discord refuses things: what they do, are told, and play."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, NamedTuple

from bot.markup import spoken
from bot.services.role_connections import register_figures
from loopback import Channel, Interaction, Message, Person
from loopback.client import Impossible
from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Refused
from play.votes import ARRIVAL_MILLIS, closing
from rules.game import AnyGame
from tests.bot.room import Room
from tests.bot.wall import Wall
from tests.web.visit import Visit

THINKING_SECONDS = 5.0
"""Seconds that people take between what they do."""


class Told(NamedTuple):
    """A text that a person read."""

    person: Person
    text: str


class Run:
    """People in a room, the browser of one of them, what they were told, and the moves that counted."""

    def __init__(self, room: Room, browser: Visit) -> None:
        self.room = room
        self.browser = browser
        self.people = {each.id: each for each in (room.ola, room.maksim, room.kasia, room.discord.invite("Zofia"))}
        self.told: list[Told] = []
        self.acknowledged: dict[MatchId, list[str]] = {}
        self.wall: Wall | None = None
        """The wall between two servers, on a journey that has them."""

    async def prepare(self) -> None:
        """Lets the moves of all count at once, and tells Discord the figures by which servers may give roles."""
        await register_figures(self.room.client, spoken())
        async with self.room.services.store.write() as tx:
            for user in self.people:
                await tx.people.save(PlayerSettings(UserId(user), confirm_days=False))

    async def do(self, interaction: Interaction) -> list[Message]:
        """Gives the bot some seconds; returns what it has answered."""
        await asyncio.sleep(THINKING_SECONDS)
        messages = interaction.messages
        self.told += [Told(self.people[interaction.user.id], each.text) for each in messages]
        return messages

    async def turn(self, person: Person, panel: Message | None, control: str, *values: Any) -> Message | None:
        """Presses something on a panel, if it is there; returns the panel after that, which may be another message."""
        now = self.room.discord.message(panel) if panel is not None else None
        if now is None:
            return None
        with suppress(Impossible):
            pressed = person.click(now, control, values or None)
            made = await self.do(pressed)
            return made[-1] if made else self.room.discord.message(now)
        return now

    async def fill_in(self, person: Person, panel: Message | None, control: str, **given: str) -> Message | None:
        """Presses what opens a form on a panel, and fills that in; returns the panel after that."""
        now = self.room.discord.message(panel) if panel is not None else None
        if now is None:
            return None
        with suppress(Impossible):
            opened = person.click(now, control)
            await self.do(opened)
            if opened.modal is not None:
                made = await self.do(person.submit(opened.modal, given))
                return made[-1] if made else self.room.discord.message(now)
        return now

    async def use_menu(self, person: Person, channel: Channel, name: str, on: Person | Message) -> list[Message]:
        """Uses a command of a context menu, if the person's client offers it there."""
        with suppress(Impossible):
            return await self.do(person.use_menu(channel, name, on))
        return []

    async def command(self, person: Person, channel: Channel, command: str, **options: Any) -> list[Message]:
        """Sends a command, if the person's client offers it there."""
        with suppress(Impossible):
            return await self.do(person.command(channel, command, **options))
        return []

    async def press(self, person: Person, message: Message | None, control: str, *values: Any) -> list[Message]:
        """Presses a button or chooses in a select, if it is there."""
        now = self.room.discord.message(message) if message is not None else None
        if now is None:
            return []
        with suppress(Impossible):
            return await self.do(person.click(now, control, values or None))
        return []

    def newest(self, label: str) -> Message | None:
        """Returns the newest message with a button, wherever it is."""
        world = self.room.discord.world
        found = [each for each in world.messages.values() if label in each.labels and not each.ephemeral]
        return max(found, key=lambda each: each.id, default=None)

    def place(self, match: Match) -> Channel:
        """Returns where people look for a match: in its thread or, without one, where its card is."""
        channels = self.room.discord.world.channels
        return channels.get(match.channel) or channels.get(self.room.channel.id) or self.room.general

    async def matches(self) -> list[Match]:
        """Returns the matches that were begun, the first one first."""
        async with self.room.services.store.read() as reader:
            count = await reader.matches.count_begun()
        return [await self.room.use_cases.matches.load(MatchId(number)) for number in range(1, count + 1)]

    async def move(self, number: MatchId, move: str) -> bool:
        """Plays a move by command, where the match is; returns whether it counts."""
        before = await self.room.use_cases.matches.load(number)
        if (seat := before.to_act) is None or before.players[seat] not in self.people:  # the computer
            return False
        before, person = before.at_home_of(seat), self.people[before.players[seat]]
        answers = await self.command(person, self.place(before), "move", point=move)
        if any(not each.ephemeral or "You played" in each.text for each in answers):
            self.acknowledged.setdefault(number, []).append(move)
        with suppress(Refused):  # that they have not voted
            tally = await self.room.use_cases.votes.tally(number, UserId(person.id))
            self.acknowledged.setdefault(number, []).append(tally.counts[0].text)
            await self._let_count(before)
        return (await self.room.use_cases.matches.load(number)).version > before.version

    async def _let_count(self, before: Match) -> None:
        """Lets the vote about a turn end, if it is the turn of a side; without a quorum it goes on once."""
        for side in await self.room.use_cases.votes.sides_of(before.id) * 2:
            match = await self.room.use_cases.matches.load(before.id)
            if match.outcome is None and match.to_act == side.seat == before.to_act:
                [side] = [each for each in await self.room.use_cases.votes.sides_of(match.id) if each.id == side.id]
                left = closing(match, side) + ARRIVAL_MILLIS - self.room.clock()
                await self.room.pass_time(max(0, left))
                await asyncio.sleep(2 * THINKING_SECONDS)

    async def seat_voters(self, match: Match, *voters: Person) -> None:
        """Lets the first of the voters who is on the server of a side act for it."""
        world = self.room.discord.world
        for side in await self.room.use_cases.votes.sides_of(match.id):
            guild = next(each for each in world.guilds if each.id == side.guild)
            self.people[side.account] = next(each for each in voters if world.is_member(each.id, guild))

    async def resign(self, match: Match, user: int) -> None:
        """Lets a player resign, who is asked first."""
        match = match.for_reader(UserId(user), None)
        for question in await self.command(self.people[user], self.place(match), "resign"):
            await self.press(self.people[user], question, "Yes, resign")


async def begin(run: Run, game: AnyGame | None = None, **options: Any) -> Match | None:
    """Begins a match of Ola with the others; returns it if it has begun."""
    room, known = run.room, len(await run.matches())
    if game is None:
        options = {"size": "5x5", "start": "empty", "opponent": room.maksim, **options}
    else:
        opponent = room.maksim if game.seats == 2 else None
        options = {"rules": game.key, **{key: game.options.get(key) for key in ("size", "start")}, "opponent": opponent}
    given = {name: value for name, value in {"clock": "3d", **options}.items() if value is not None}
    await run.command(room.ola, room.channel, "challenge", **given)
    for person in tuple(run.people.values())[1 : game.seats if game else 2]:
        card = run.newest("Accept") or run.newest("Join")
        await run.press(person, card, card.labels[0] if card else "")
    return (await run.matches())[-1] if len(await run.matches()) > known else None
