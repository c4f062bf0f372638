"""Two servers on the stand-in, each with a channel and people of its own, and games between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from loopback import Channel, Interaction, Message, Person
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, UserId
from play.match.match import AwayPlace, Match
from rules.game import Seat
from rules.registry import make_game
from tests.bot.room import SEED, Room
from tests.bot.wall import Wall
from use_cases.challenges import build_match

AWAY = Seat(1)


class Border:
    """The first server, in English, and Zagroda, in Polish. Ola plays at home here, Jadwiga there.

    Attributes:
        wall: what comes through from one server to the other.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        discord = room.discord
        self.zagroda = discord.add_server("Zagroda", "Jadwiga", "Bogdan Nowakowski", locale="pl")
        self.here = discord.open_channel("matches")
        self.there = discord.open_channel("rozgrywki", guild=self.zagroda)
        self.ola, self.jadwiga = room.ola, discord.people["Jadwiga"]
        self.moderator, self.straznik = room.kasia, discord.people["Bogdan Nowakowski"]
        words = [(discord.guild, "matches"), (self.zagroda, "rozgrywki")]
        self.wall = Wall(discord, table={"Ola", "Jadwiga"}, words=words)

    async def begin(
        self,
        *,
        control: str = "3d",
        agreement: TimeAgreement = NO_AGREEMENT,
        threads: bool = False,
        size: str = "5x5",
        start: str = "empty",
        predictable: bool = False,
        strangers: bool = False,
        settles: bool = True,
    ) -> Match:
        """Begins a game of Ola against Jadwiga; returns it, once both have its board if it `settles`."""
        game = make_game("zagram", {"size": size, "start": start})
        terms = Terms(game, parse_control(control), order=Order.FIRST, agreement=agreement)
        ola, jadwiga = UserId(self.ola.id), UserId(self.jadwiga.id)
        cards = [await self._post_card(each) for each in (self.here, self.there)] if threads else [None, None]
        here, there = ChannelId(self.here.id), ChannelId(self.there.id)
        challenge = Challenge(
            ChallengeId(0), GuildId(self.room.discord.guild.id), here, ola, jadwiga, terms,
            made=self.room.clock(), state=ChallengeState.ACCEPTED, joined=(jadwiga,),
        )  # fmt: skip
        away = AwayPlace(GuildId(self.zagroda.id), cards[1] or there, there if threads else None, AWAY)
        async with self.room.services.store.write() as tx:
            begun = await build_match(tx, challenge, SEED, self.room.clock(), cards[0], away)
            match = await tx.matches.add(replace(begun, predictable=predictable, strangers=strangers))
            await tx.challenges.add(replace(challenge, match=match.id))
        self.room.bot.use_cases.actions._writer.publish(match)
        if settles:
            await self.settle()
        return match

    async def _post_card(self, channel: Channel) -> ChannelId:
        """Posts what the thread of a game hangs on."""
        posted = await self.room.services.channels.post(
            ChannelId(channel.id), lambda: {"content": "⚔️"}, f"card:{channel.id:x}"[:25], guild=None
        )
        return ChannelId(posted)

    async def settle(self) -> None:
        """Returns when nothing waits to be posted in either place, and nobody to be answered."""
        await self.room.wait_for_handlers()
        await self.room.wait_for_outbox()

    def boards(self, channel: Channel | int) -> list[Message]:
        """Returns the boards of a channel."""
        return self.room.boards(self.room.discord.channel(channel))

    def newest(self, channel: Channel | int) -> Message:
        """Returns the newest board of a channel, which has buttons; a version that moves nothing has no picture."""
        found = self.room.discord.messages(self.room.discord.channel(channel))
        return [each for each in found if any(part["custom_id"].startswith("match:") for part in each.controls)][-1]

    async def stored(self, match: Match) -> Match:
        """Returns a match as it is now."""
        return await self.room.use_cases.matches.load(MatchId(match.id))

    async def done(self, interaction: Interaction) -> Interaction:
        """Returns an interaction when it is answered, and both servers have what came of it."""
        await interaction.answered()
        await self.settle()
        return interaction

    async def move(self, person: Person, channel: Channel | int, point: str) -> Interaction:
        """Plays a move by command, and confirms it if need be."""
        asked = person.command(channel, "move", point=point)
        answer = (await asked.answered()).message
        confirm = [part["custom_id"] for part in answer.controls if ":play:" in part["custom_id"]] if answer else []
        if answer is not None and confirm:
            asked = person.click(answer, confirm[0])
        return await self.done(asked)

    async def until(self, read: Callable[[], object]) -> None:
        """Returns when something is so."""
        await self.room.discord.until(read)
