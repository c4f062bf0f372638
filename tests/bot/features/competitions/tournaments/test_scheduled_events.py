"""The beginning of a tournament among the server's events on Discord, where its managers want that."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import or_, select

from loopback import Message, Silence
from loopback.errors import MISSING_PERMISSIONS, TOO_MANY_EVENTS, Refusal
from loopback.model import EventStatus, ScheduledEvent
from loopback.permissions import MEMBER, Permission
from play.community.happening import MIN_AHEAD_MILLIS
from play.ids import GuildId
from storage import schema
from tests.bot.features.competitions.tournaments.cup import make_tournament, wait_for
from tests.bot.features.home.test_home import close_to_members
from tests.bot.panels import confirm
from tests.bot.room import Room, private_words
from tests.clock import DAY
from use_cases.workers.happening_sync import HELD_MILLIS, REFUSED_MILLIS

if TYPE_CHECKING:
    pass

EVENTS = "/guilds/{guild_id}/scheduled-events"
EVENT = EVENTS + "/{guild_scheduled_event_id}"


async def switch_events(room: Room) -> Message:
    """Presses the switch in the panel of the server; returns the panel."""
    panel = await room.ola.command(room.channel, "settings server").followed()
    label = next(each for each in panel.labels if each.startswith("Events: "))
    return await room.ola.click(panel, label).followed()


def asked(room: Room) -> list[str]:
    """Returns the methods of the requests about events, in order."""
    return [each.endpoint.split()[0] for each in room.discord.requests if "scheduled-events" in each.endpoint]


async def settle(room: Room) -> None:
    """Waits until the director and the sync of happenings have nothing to do."""
    room.use_cases.events.tournament_changed()
    await wait_for(room, lambda _: True)

    async def is_idle() -> bool:
        room.bot.workers.happenings.wake()
        row = schema.happening.c
        async with room.services.store.read() as reader:
            waiting = select(row.id).where(or_(row.due <= await reader.clock.now(), row.held.is_not(None)))
            return not await reader.sql.all(waiting)

    await room.until(is_idle)


async def only_event(room: Room, fits: Callable[[ScheduledEvent], bool] = lambda _: True) -> ScheduledEvent:
    await settle(room)
    (event,) = room.discord.scheduled_events
    assert fits(event), event
    return event


async def test_by_default_no_request_is_about_events(room: Room) -> None:
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    assert asked(room) == []


async def test_a_tournament_is_among_the_events_of_its_server(room: Room) -> None:
    panel = await switch_events(room)
    assert "**Events** are on" in panel.text
    await make_tournament(room, begins="in 2 days")
    event = await only_event(room)
    assert event.name == "Dots tournament: Autumn Cup"
    assert event.description.startswith("A tournament begins.")
    assert event.location == f"https://discord.com/channels/{room.discord.guild.id}/{room.channel.id}"
    assert (event.begins - room.clock() / 1000, event.ends - event.begins) == (2 * DAY / 1000, DAY / 1000)
    assert asked(room) == ["POST"]


async def test_an_event_is_in_the_language_of_its_server(room: Room) -> None:
    room.discord.make_community("uk")
    await switch_events(room)
    await make_tournament(room, begins="in 2 days", name="Кубок осені: Autumn Cup")
    event = await only_event(room)
    assert event.name == "Турнір із гри «Крапки»: Кубок осені: Autumn Cup"


async def test_a_tournament_without_a_time_is_no_event(room: Room) -> None:
    await switch_events(room)
    await make_tournament(room)
    await settle(room)
    assert asked(room) == []


async def test_an_event_begins_before_its_time_with_its_tournament_and_ends_with_it(room: Room) -> None:
    await switch_events(room)
    card = await make_tournament(room, begins="in 2 days")
    await settle(room)
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    await private_words(room.ola.click(card, "Begin"))
    await settle(room)
    await room.pass_time(MIN_AHEAD_MILLIS)
    await only_event(room, lambda each: each.status is EventStatus.ACTIVE)
    await confirm(room.ola, room.ola.command(room.channel, "tournament cancel"), "Cancel tournament")
    await only_event(room, lambda each: each.status is EventStatus.COMPLETED)


async def test_a_cancelled_tournament_cancels_its_event(room: Room) -> None:
    await switch_events(room)
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    await confirm(room.ola, room.ola.command(room.channel, "tournament cancel"), "Cancel tournament")
    await only_event(room, lambda each: each.status is EventStatus.CANCELLED)


async def test_a_tournament_that_is_put_off_gets_another_event(room: Room) -> None:
    await switch_events(room)
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    await room.pass_time(2 * DAY)  # at that moment Discord begins the event
    await settle(room)
    first, second = room.discord.scheduled_events
    assert (first.status, second.status) == (EventStatus.COMPLETED, EventStatus.SCHEDULED)
    assert second.begins - first.begins == DAY / 1000


async def test_events_that_are_switched_off_are_deleted(room: Room) -> None:
    await switch_events(room)
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    await switch_events(room)
    await settle(room)
    assert room.discord.scheduled_events == []


async def test_an_event_whose_answer_was_lost_is_found_after_a_restart(room: Room) -> None:
    await switch_events(room)
    room.discord.fault("POST", EVENTS, Silence.CLOSED, applied=True)
    await make_tournament(room, begins="in 2 days")

    async def is_tried() -> bool:
        room.bot.workers.happenings.wake()
        async with room.services.store.read() as reader:
            held = select(schema.happening.c.id).where(schema.happening.c.held.is_not(None))
            return bool(await reader.sql.all(held))

    await room.until(is_tried)
    await room.discord.until(lambda: room.discord.scheduled_events)
    await room.restart()
    await room.pass_time(HELD_MILLIS)
    await only_event(room)
    assert asked(room).count("POST") == 1


@pytest.mark.parametrize("refusal", [MISSING_PERMISSIONS, TOO_MANY_EVENTS], ids=["permission", "100 events"])
async def test_a_refused_event_is_made_hours_later(room: Room, refusal: Refusal) -> None:
    await switch_events(room)
    room.discord.fault("POST", EVENTS, refusal)
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    assert asked(room) == ["POST"]
    await room.pass_time(REFUSED_MILLIS)
    await only_event(room)


async def test_an_event_waits_out_a_rate_limit(room: Room) -> None:
    await switch_events(room)
    room.discord.fault("POST", EVENTS, 429)
    await make_tournament(room, begins="in 2 days")
    await only_event(room)


async def test_an_event_that_a_manager_deletes_stays_deleted(room: Room) -> None:
    await switch_events(room)
    await make_tournament(room, begins="in 2 days")
    event = await only_event(room)
    room.discord.world.unschedule(event)
    await room.pass_time(2 * DAY)  # it is put off, since nobody has signed up
    await settle(room)
    assert room.discord.scheduled_events == []


async def test_the_panel_says_which_permission_is_missing(room: Room) -> None:
    room.discord.set_bot_permissions(MEMBER)
    panel = await switch_events(room)
    assert "I'm missing **Create Events**" in panel.text
    room.discord.set_bot_permissions(MEMBER | Permission.CREATE_EVENTS)
    panel = await room.ola.command(room.channel, "settings server").followed()
    assert "Create Events" not in panel.text


async def test_the_switch_is_logged(room: Room) -> None:
    await switch_events(room)
    async with room.services.store.read() as reader:
        assert (await reader.servers.get(GuildId(room.discord.guild.id))).events


async def test_a_tournament_in_a_closed_channel_is_no_event_before_all_members_see_it(room: Room) -> None:
    """All members see the name and the channel of an event."""
    close_to_members(room, room.channel, but=[room.ola])
    await switch_events(room)
    await make_tournament(room, begins="in 2 days")
    await settle(room)
    assert (asked(room), room.discord.scheduled_events) == ([], [])
    room.discord.allow(room.channel, Permission.VIEW_CHANNEL, room.discord.guild)
    await room.pass_time(REFUSED_MILLIS)
    assert (await only_event(room)).name == "Dots tournament: Autumn Cup"
