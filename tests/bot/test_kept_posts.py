"""One answer to a channel that is closed to the bot, or gone, for all that a server keeps in channels."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from loopback import Channel, Message, Permission
from play.challenge.terms import USUAL_CONTROL, Terms
from play.community.seats_post import EDIT_PAUSE_MILLIS
from play.competitions.arena import Arena, ArenaId, arena_of
from play.competitions.contest import SHOW_MILLIS, ContestId
from play.competitions.tournament import TournamentId
from play.ids import DAY, ChannelId, GuildId, Millis, UserId
from play.people.membership import MIN_ACCOUNT_AGE, Member
from play.posts import MAX_GONE_MILLIS, PostKey, PostKind
from rules.registry import GAMES
from tests.bot import forging
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.features.competitions.league.test_league import open_league
from tests.bot.features.competitions.tournaments.cup import make_tournament
from tests.bot.room import Room, private_message, private_words
from tests.clock import HOUR, MINUTE

Step = Callable[[Room], Awaitable[object]]


class Kept(NamedTuple):
    """A kind: what its keeper Ola reads it called, how she has it, and what then gives the bot something to post."""

    kind: PostKind
    title: str
    make: Step
    stir: Step

    def key(self, room: Room) -> PostKey:
        numbered = self.kind in (PostKind.TOURNAMENT, PostKind.CONTEST)
        return PostKey(self.kind, 1 if numbered else room.discord.guild.id)


def guild_of(room: Room) -> GuildId:
    return GuildId(room.discord.guild.id)


async def stir_tournament(room: Room) -> None:
    await room.use_cases.tournaments.sign_up(TournamentId(1), UserId(room.kasia.id))


async def make_league(room: Room) -> None:
    await open_league(room, joined=False)


async def stir_league(room: Room) -> None:
    await room.use_cases.leagues.join(guild_of(room), UserId(room.kasia.id), room.clock())
    await room.pass_time(HOUR)


async def make_contest(room: Room) -> Channel:
    fair = Fair(room)
    await fair.accept()
    return fair.here


async def stir_contest(room: Room) -> None:
    await room.use_cases.contests.sign_up(
        ContestId(1), Member(UserId(room.kasia.id), guild_of(room), joined=Millis(0)), room.clock()
    )
    await room.pass_time(SHOW_MILLIS)


async def make_ladder(room: Room) -> None:
    room.make_moderator(room.ola)
    await private_words(room.ola.command(room.channel, "ladder create"))


async def stir_ladder(room: Room) -> None:
    await room.use_cases.ladders.join(guild_of(room), UserId(room.kasia.id), room.clock())


async def make_home(room: Room) -> None:
    await room.use_cases.homes.settle(guild_of(room), ChannelId(room.channel.id), None, UserId(room.ola.id))


async def make_daily(room: Room) -> None:
    channel, at, by = ChannelId(room.channel.id), room.clock(), UserId(room.ola.id)
    await room.use_cases.dailies.change_place(guild_of(room), lambda place: place.moved(channel, at), by)


async def make_seats(room: Room) -> None:
    await room.use_cases.seats_posts.settle(guild_of(room), ChannelId(room.channel.id), UserId(room.ola.id))


async def stir_seats(room: Room) -> None:
    terms = Terms(GAMES["paper"], USUAL_CONTROL)
    await room.use_cases.seeks.look(UserId(room.kasia.id), None, ChannelId(9), terms, room.clock())
    await room.pass_time(EDIT_PAUSE_MILLIS)


async def make_arena(room: Room) -> None:
    await room.use_cases.arenas.follow(guild_of(room), ChannelId(room.channel.id), UserId(room.ola.id))
    await stir_arena(room)


async def stir_arena(room: Room) -> None:
    async with room.services.store.write() as tx:
        now = await tx.clock.now()
        newest = await tx.arenas.newest()
        await tx.arenas.add(Arena(ArenaId(arena_of(now) + 1) if newest is None else ArenaId(newest.id + 1)))
        await tx.arenas.outdate(now)
    room.use_cases.events.arena_changed()
    await room.pass_time(MINUTE)


async def pass_day(room: Room) -> None:
    await room.pass_time(DAY + HOUR)


KINDS = (
    Kept(PostKind.TOURNAMENT, "Tournament **Autumn Cup**", make_tournament, stir_tournament),
    Kept(PostKind.LEAGUE, "**League**", make_league, stir_league),
    Kept(PostKind.CONTEST, "**Contest with another server**", make_contest, stir_contest),
    Kept(PostKind.LADDER, "**Ladder**", make_ladder, stir_ladder),
    Kept(PostKind.HOME, "**Home post**", make_home, pass_day),
    Kept(PostKind.DAILY, "**Kropka Daily**", make_daily, pass_day),
    Kept(PostKind.SEATS, "**Open seats**", make_seats, stir_seats),
    Kept(PostKind.ARENA, "**Arena**", make_arena, stir_arena),
)
each_kind = pytest.mark.parametrize("kept", KINDS, ids=lambda kept: str(kept.kind))


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    await room.pass_time(MIN_ACCOUNT_AGE)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)


async def shown(room: Room, kept: Kept) -> Channel:
    """Has something of a kind, and returns its channel once it is shown there."""
    made = await kept.make(room)
    channel = made if isinstance(made, Channel) else room.channel
    await room.discord.until(lambda: bool(room.discord.messages(channel)))
    return channel


def look_again(room: Room) -> None:
    """Has all workers look, as they do by themselves after a while."""
    for worker in room.bot.workers.all:
        worker.wake()


async def warned(room: Room, kept: Kept, channel: Channel | None = None) -> Message:
    """Returns what the keeper is told in private, or in a `channel`."""
    there = channel or room.ola.open_dm()

    def found() -> Message | None:
        look_again(room)
        return next((each for each in room.discord.messages(there) if kept.title in each.content), None)

    message: Message = await room.discord.until(found)
    return message


async def healed(room: Room, kept: Kept) -> None:
    """Waits until the bot has posted."""

    async def whole() -> bool:
        look_again(room)
        async with room.services.store.read() as reader:
            return await reader.kept_posts.trouble(kept.key(room)) is None

    await room.until(whole)


@pytest.mark.sample(6)
@each_kind
async def test_the_keeper_of_a_closed_channel_is_told_once_and_it_goes_on_by_itself(room: Room, kept: Kept) -> None:
    channel = await shown(room, kept)
    room.discord.deny(channel, Permission.VIEW_CHANNEL)
    await kept.stir(room)
    told = await warned(room, kept)
    assert f"I can't post in <#{channel.id}> any more" in told.content
    assert "**View Channel**" in told.content
    assert told.labels == ["Choose another channel"]
    room.discord.allow(channel, Permission.VIEW_CHANNEL)
    await room.pass_time(HOUR)
    await healed(room, kept)
    assert [each for each in room.discord.messages(room.ola.open_dm()) if kept.title in each.content] == [told]


@pytest.mark.sample(6)
@each_kind
async def test_a_keeper_who_reads_no_direct_messages_is_told_in_the_log(room: Room, kept: Kept) -> None:
    channel = await shown(room, kept)
    async with room.services.store.write() as tx:
        server = await tx.servers.get(guild_of(room))
        await tx.servers.save(replace(server, log_channel=ChannelId(room.general.id)))
    room.ola.close_dms()
    room.discord.deny(channel, Permission.VIEW_CHANNEL)
    await kept.stir(room)
    assert (await warned(room, kept, room.general)).labels == ["Choose another channel"]


@pytest.mark.sample(6)
@each_kind
async def test_it_goes_on_in_the_channel_that_its_keeper_chooses(room: Room, kept: Kept) -> None:
    channel = await shown(room, kept)
    room.discord.delete_channel(channel)
    await room.wait_for_handlers()
    await kept.stir(room)
    told = await warned(room, kept)
    assert "Its channel is gone" in told.content
    panel = await private_message(room.ola.click(told, "Choose another channel"))
    assert "Where should it go on?" in panel.text
    chosen = room.ola.click(panel, "Choose another channel", [f"#{room.general.name}"])
    await chosen.answered()
    await healed(room, kept)
    await room.discord.until(lambda: bool(room.discord.messages(room.general)))
    assert (await room.use_cases.places.find(kept.key(room))).channel == room.general.id


@pytest.mark.sample(6)
@each_kind
async def test_what_has_no_channel_for_a_month_ends(room: Room, kept: Kept) -> None:
    channel = await shown(room, kept)
    room.discord.delete_channel(channel)
    await room.wait_for_handlers()
    await kept.stir(room)
    await warned(room, kept)
    await room.pass_time(MAX_GONE_MILLIS + HOUR)

    def ended() -> bool:
        look_again(room)
        told = [each.content for each in room.discord.messages(room.ola.open_dm()) if kept.title in each.content]
        return "This has ended: it had no channel for a month" in told[-1]

    await room.discord.until(ended)


async def test_strangers_choose_no_channel(room: Room) -> None:
    kept = KINDS[0]
    channel = await shown(room, kept)
    room.discord.delete_channel(channel)
    await kept.stir(room)
    told = await warned(room, kept)
    stolen = forging.click(room, room.kasia, room.general, told.controls[0]["custom_id"])
    assert "Only members with the **Manage Server** permission" in await private_words(stolen)
    assert (await room.use_cases.places.find(kept.key(room))).channel == channel.id
