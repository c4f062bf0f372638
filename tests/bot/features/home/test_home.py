"""The home post on the stand-in: it is chosen in the settings, and challenges are accepted at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopback import Channel, Message, Permission, Person
from play.community.home import CAPPED_MILLIS, Home
from play.competitions.tournament import Stage
from play.ids import ChannelId, GuildId, RoleId, UserId
from play.posts import PostProblem
from rules.registry import make_game
from tests.bot import forging
from tests.bot.features.competitions.tournaments.cup import (
    begin_tournament,
    is_open,
    make_tournament,
    resign_all,
    wait_for,
)
from tests.bot.old_edits import forbid_old_edits
from tests.bot.panels import choose, links
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, HOUR, MINUTE, SECOND
from tests.web.finished import store_game

ELSEWHERE = GuildId(4242)
ALL_BUT_MENTIONS = Permission(
    sum(each for each in Permission if each not in (Permission.MENTION_EVERYONE, Permission.ADMINISTRATOR))
)


def guild(room: Room) -> GuildId:
    return GuildId(room.discord.guild.id)


async def open_panel(room: Room) -> Message:
    """Opens the panel for Ola, who owns the server."""
    panel = await room.ola.command(room.channel, "settings server").followed()
    return await room.ola.click(panel, "Home post").followed()


async def settle(room: Room) -> Message:
    """Gives the server its home in #general; returns its message."""
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)
    return await posted(room)


async def home(room: Room) -> Home:
    found = await room.use_cases.homes.of(guild(room))
    assert found is not None
    return found


async def posted(room: Room) -> Message:
    """Returns the only home post in #general, once it is there."""
    message: Message = await room.discord.until(lambda: next(iter(posts(room)), None))

    async def saved() -> bool:
        found = await room.use_cases.homes.of(guild(room))
        return found is not None and found.message is not None

    await room.until(saved)
    return message


def posts(room: Room) -> list[Message]:
    own = room.discord.bot.id
    return [each for each in room.discord.messages(room.general) if each.author_id == own and "What's on" in text(each)]


def text(message: Message) -> str:
    return str(message.components)


async def refresh(room: Room) -> None:
    """Lets the worker look, as a poll does, once the changes of the last minutes may show."""
    await room.bot.workers.homes.pending(50)
    await room.pass_time(10 * MINUTE)
    await room.bot.workers.homes.process(guild(room))


async def test_an_empty_server_is_told_what_to_do_next(room: Room) -> None:
    message = await settle(room)
    assert "Nobody is playing yet" in text(message)
    opened = await room.kasia.click(message, "Play").followed()
    assert "terms:n0" in text(opened)


async def test_an_open_challenge_is_accepted_at_the_home_while_its_card_is_elsewhere(room: Room) -> None:
    await settle(room)
    card = await room.challenge()
    await refresh(room)
    message = await posted(room)
    assert "1 open challenge" in text(message)
    accepted = room.maksim.click(message, "Accept")
    assert "discord.com/channels" in links(await private_message(accepted))["Go to the game"]
    thread = await room.wait_for_thread(card)
    assert thread.id == card.id
    await refresh(room)
    assert "1 game in progress" in text(await posted(room))
    assert "open challenge" not in text(await posted(room))


async def challenge_in_private_thread(room: Room) -> int:
    """Lets Ola offer an open challenge in a private thread of #dots; returns its number."""
    thread = room.ola.open_thread(room.channel, "Secret", private=True)
    room.discord.world.join(thread, [room.discord.bot.id])
    await room.ola.command(thread, "challenge", size="5x5", start="empty", clock="3d").answered()
    return 1


async def accept_at_home(room: Room, person: Person, challenge: int) -> str:
    """Presses a button that the home may have had, and returns what the person reads."""
    button = f"home:{challenge}:0:accept"
    return await private_words(forging.click(room, person, room.general, button))


async def test_a_challenge_of_a_private_thread_is_not_accepted_by_one_who_is_not_in_it(room: Room) -> None:
    number = await challenge_in_private_thread(room)
    assert "no longer exists" in await accept_at_home(room, room.kasia, number)
    async with room.services.store.read() as reader:
        assert await reader.matches.count_begun() == 0


async def test_a_challenge_of_a_private_thread_is_accepted_by_one_who_is_in_it(room: Room) -> None:
    number = await challenge_in_private_thread(room)
    room.discord.add_to_thread(room.discord.threads[-1], room.kasia)
    assert "begun" in await accept_at_home(room, room.kasia, number)


async def test_the_home_says_for_a_week_who_won_a_tournament(room: Room) -> None:
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await settle(room)
    now = await begin_tournament(room, format="round-robin")
    for number in (2, 3):
        await resign_all(room, now)
        now = await wait_for(room, is_open(number))
    await resign_all(room, now)
    await wait_for(room, lambda now: now.stage is Stage.ENDED)
    await refresh(room)
    assert "🏆 [Autumn Cup](" in text(await posted(room))
    assert "): **Kasia Wiśniewska**" in text(await posted(room))
    await room.pass_time(8 * DAY)
    await refresh(room)
    assert "Autumn Cup" not in text(await posted(room))


CAPTURE = ["D5", "E5", "E6", "F5", "F6", "G5", "G6", "A1", "H5", "B1", "G4", "C1", "F4", "A9", "E4"]
"""Moves of which the last captures three dots."""

SECRET = ("game in progress", "open challenge", "Autumn Cup", "Capture of the week")
"""Words that a home says of a channel."""


def close_to_members(room: Room, channel: Channel, *, but: Sequence[Person] = ()) -> None:
    """Takes a channel from @everyone, and gives it to the bot and to some."""
    room.discord.world.overwrite(channel, room.discord.guild.id, allow=Permission(0), deny=Permission.VIEW_CHANNEL)
    room.discord.allow(channel, Permission.VIEW_CHANNEL)
    for person in but:
        room.discord.allow(channel, Permission.VIEW_CHANNEL, person)


async def fill(room: Room) -> None:
    """Puts a running game, a large capture, an open challenge and a tournament into #dots."""
    room.make_moderator(room.ola)
    await store_game(room, room.channel, make_game("zagram", {"size": "9x9", "start": "empty"}), CAPTURE)
    await room.start_match(clock="3d")
    await make_tournament(room)
    await room.challenge(clock="3d")
    await refresh(room)


async def shown_in(room: Room, channel: Channel) -> list[str]:
    """Returns what a home in a channel says of #dots."""
    await fill(room)
    await choose(room.ola, await open_panel(room), "home:channel", channel.id)
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(channel) if "What's on" in text(each)), None)
    )
    return [words for words in SECRET if words in text(message)]


async def test_the_home_shows_what_goes_on_in_a_channel_that_all_its_readers_see(room: Room) -> None:
    assert await shown_in(room, room.general) == [*SECRET]


async def test_the_home_names_nothing_of_a_channel_that_its_readers_do_not_see(room: Room) -> None:
    close_to_members(room, room.channel, but=[room.ola, room.maksim])
    assert await shown_in(room, room.general) == []


async def test_a_home_in_a_closed_channel_shows_what_is_in_it(room: Room) -> None:
    close_to_members(room, room.channel, but=[room.ola, room.maksim])
    assert await shown_in(room, room.channel) == [*SECRET]


@pytest.mark.parametrize(("seen_by_kasia", "shown"), [(False, [*SECRET]), (True, [])], ids=["same", "fewer"])
async def test_a_home_in_a_closed_channel_shows_others_with_the_same_readers(
    room: Room, seen_by_kasia: bool, shown: list[str]
) -> None:
    close_to_members(room, room.channel, but=[room.ola, room.maksim])
    close_to_members(room, room.general, but=[room.ola, room.maksim, *([room.kasia] if seen_by_kasia else [])])
    assert await shown_in(room, room.general) == shown


async def test_a_challenge_in_a_closed_channel_pings_nobody_at_the_home(room: Room) -> None:
    role = room.discord.make_role("players")
    await settle(room)
    await choose(room.ola, await open_panel(room), "home:role", role.id)
    close_to_members(room, room.channel, but=[room.ola, room.maksim])
    await ask_for_an_opponent(room)
    assert await pings(room) == []


async def test_ones_own_challenge_is_refused_at_the_home_as_at_its_card(room: Room) -> None:
    await settle(room)
    await room.challenge()
    await refresh(room)
    assert "your own" in await private_words(room.ola.click(await posted(room), "Accept"))


async def test_names_with_markdown_are_escaped_at_the_home(room: Room) -> None:
    await settle(room)
    await room.maksim.command(room.channel, "challenge", size="5x5").answered()
    await refresh(room)
    assert "**Максим**" in text(await posted(room))


async def test_each_morning_one_message_takes_the_place_of_the_last(room: Room) -> None:
    first = await settle(room)
    await room.pass_time(DAY)
    await room.restart()
    await room.discord.until(lambda: [each.id for each in posts(room)] not in ([], [first.id]))
    await room.discord.until(lambda: len(posts(room)) == 1)


async def test_a_member_who_may_not_manage_the_server_cannot_give_it_a_home(room: Room) -> None:
    panel = await open_panel(room)
    await choose(room.ola, panel, "home:channel", room.general.id)
    refused: Any = room.kasia.command(room.channel, "settings server")
    assert "Manage Server" in await private_words(refused)


async def test_the_settings_tell_of_a_channel_that_is_gone(room: Room) -> None:
    other = await room.use_cases.homes.settle(guild(room), ChannelId(999), None, UserId(1))
    assert other.channel == 999
    await room.pass_time(2 * HOUR)
    await room.bot.workers.homes.process(guild(room))
    assert (await home(room)).trouble is not None
    panel = await open_panel(room)
    assert "⚠️" in text(panel)


async def test_stop_ends_the_home(room: Room) -> None:
    await settle(room)
    await room.ola.click(await open_panel(room), "Stop").followed()
    assert await room.use_cases.homes.of(guild(room)) is None


async def test_a_home_that_is_stopped_and_begun_again_at_once_has_a_new_message(room: Room) -> None:
    first = await settle(room)
    await room.ola.click(await open_panel(room), "Stop").followed()
    room.clock.advance(5 * SECOND)
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)
    await room.discord.until(lambda: len(posts(room)) == 2)
    assert (await home(room)).message != first.id


@pytest.mark.sample(4)
@pytest.mark.parametrize("where", ["where one runs nothing", "in a direct message"])
@pytest.mark.parametrize("control", ["open", "post", "stop", "channel", "role"])
async def test_the_home_is_changed_only_by_managers_of_its_server(room: Room, where: str, control: str) -> None:
    await settle(room)
    before = await home(room)
    room.make_moderator(room.maksim)
    here: Channel = room.channel if "nothing" in where else room.maksim.open_dm()
    role = room.discord.make_role("players").id
    chosen = {
        "channel": (forging.CHANNEL_SELECT, {str(room.channel.id): room.discord.wire.channel(room.channel, 1)}),
        "role": (forging.ROLE_SELECT, {str(role): room.discord.wire.guild(room.discord.guild)["roles"][0]}),
    }
    kind, values = chosen.get(control, (forging.BUTTON, {}))
    data: Any = {"values": [*values], "resolved": {f"{control}s": values}} if values else {}
    said = await private_words(forging.click(room, room.maksim, here, f"home:{control}", kind, **data))
    assert ("Manage Server" if "nothing" in where else "only on a server") in said
    assert await home(room) == before


async def test_a_manager_of_one_server_leaves_the_home_of_another_alone(room: Room) -> None:
    elsewhere = await room.use_cases.homes.settle(ELSEWHERE, ChannelId(999), None, UserId(1))
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.kasia)
    await forging.click(room, room.kasia, room.channel, "home:stop").followed()
    assert await room.use_cases.homes.of(ELSEWHERE) == elsewhere


async def test_a_channel_of_another_server_gets_no_home(room: Room) -> None:
    elsewhere = room.ola.open_dm()
    assert "no longer works" in await choose_by_force(room, elsewhere)
    assert await room.use_cases.homes.of(guild(room)) is None


async def test_a_thread_gets_no_home(room: Room) -> None:
    thread = await room.start_match()
    assert "no longer works" in await choose_by_force(room, thread)
    assert await room.use_cases.homes.of(guild(room)) is None


async def choose_by_force(room: Room, channel: Channel) -> str:
    """Chooses a channel that the menu does not offer; returns the answer."""
    known = {str(channel.id): room.discord.wire.channel(channel, room.ola.id)}
    data: Any = {"values": [*known], "resolved": {"channels": known}}
    kind = forging.CHANNEL_SELECT
    return await private_words(forging.click(room, room.ola, room.channel, "home:channel", kind, **data))


async def pings(room: Room) -> list[Message]:
    """Returns the messages that have pinged a role in #general."""
    return [each for each in room.discord.messages(room.general) if each.mention_roles]


async def ask_for_an_opponent(room: Room) -> None:
    """Makes an open challenge, whose card is posted, and lets the worker look."""
    await room.challenge()
    await refresh(room)


async def test_exactly_the_chosen_role_is_pinged_and_once_an_hour(room: Room) -> None:
    role = room.discord.make_role("players")
    room.discord.make_role("others")
    await settle(room)
    await choose(room.ola, await open_panel(room), "home:role", role.id)
    await ask_for_an_opponent(room)
    (ping,) = await pings(room)
    assert (ping.mention_roles, ping.mentions, ping.mention_everyone) == ((role.id,), (), False)
    assert "1 open challenge" in ping.text
    await room.maksim.command(room.channel, "challenge", size="5x5", clock="3d").answered()
    await refresh(room)
    assert await pings(room) == [ping]
    for _ in range(6):
        await refresh(room)
    (later,) = await pings(room)
    assert later.id != ping.id


async def test_a_deleted_role_is_neither_pinged_nor_remembered(room: Room) -> None:
    role = room.discord.make_role("players")
    await settle(room)
    await choose(room.ola, await open_panel(room), "home:role", role.id)
    room.discord.delete_role(role)
    before = len(room.discord.messages(room.general))
    await ask_for_an_opponent(room)
    assert len(room.discord.messages(room.general)) == before
    assert (await home(room)).role is None


async def test_the_panel_says_that_a_role_cannot_be_pinged(room: Room) -> None:
    role = room.discord.make_role("players")
    await settle(room)
    room.discord.set_bot_permissions(ALL_BUT_MENTIONS)
    panel = await choose(room.ola, await open_panel(room), "home:role", role.id)
    assert "I can't ping" in text(panel)
    await room.use_cases.homes.set_role(guild(room), UserId(1), RoleId(role.id))
    assert "I can't ping" in text(await open_panel(room))


async def test_the_removal_of_the_bot_ends_the_home(room: Room) -> None:
    await settle(room)
    room.discord.remove_bot()

    async def ended() -> bool:
        return await room.use_cases.homes.of(guild(room)) is None

    await room.until(ended)


async def test_a_former_message_that_cannot_be_deleted_loses_its_buttons(room: Room) -> None:
    first = await settle(room)
    await room.pass_time(DAY)
    room.discord.fault("DELETE", "/channels/{channel_id}/messages/{message_id}", 403, code=50013)
    await room.bot.workers.homes.process(guild(room))
    former = room.discord.message(first)
    assert former is not None
    assert not former.controls
    assert "What's on" not in text(former)
    assert (await home(room)).former is None


async def test_a_channel_that_takes_no_messages_of_this_kind_is_named_in_the_settings(room: Room) -> None:
    room.discord.fault("POST", "/channels/{channel_id}/messages", 400, code=50008)
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)

    async def trouble() -> PostProblem | None:
        return (await home(room)).trouble

    assert await room.until(trouble) is PostProblem.KIND
    assert "Choose a text channel" in text(await open_panel(room))


async def test_a_message_that_is_edited_too_often_is_edited_ten_seconds_later(room: Room) -> None:
    message = await settle(room)
    await room.challenge()
    forbid_old_edits(room)
    await refresh(room)
    assert "open challenge" not in text(await posted(room))
    await room.pass_time(CAPPED_MILLIS)
    await room.bot.workers.homes.process(guild(room))
    assert (await posted(room)).id == message.id
    assert "1 open challenge" in text(await posted(room))


async def test_the_home_lets_members_join_what_goes_on(room: Room) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    await room.pass_time(8 * DAY)
    await settle(room)
    asked = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    await room.ola.click(asked, "Open the league").followed()
    await private_words(room.ola.command(room.channel, "ladder create"))
    await refresh(room)
    shown = await posted(room)
    assert "🏟️ League" in text(shown)
    assert "🪜 Ladder" in text(shown)
    assert "place 1" in await private_words(room.kasia.click(shown, "ladder:join"))
    assert "in the league" in await private_words(room.kasia.click(shown, "league:join"))
