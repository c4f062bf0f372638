"""Open seats on Discord: the post of a server, and who sits down at it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Attempt, Channel, Message, Permission, Person, Silence
from loopback.errors import Page, cloudflare_page
from play.challenge.terms import USUAL_CONTROL, Terms, Window
from play.community.seats_post import EDIT_PAUSE_MILLIS, MAX_SHOWN
from play.community.seek import Seek, SeekState
from play.ids import ChannelId, GuildId, UserId
from rules.registry import GAMES
from tests.bot.border import Border
from tests.bot.features.test_strangers import called, look, threads
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from use_cases.player_settings import change_player


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    room.discord.allow(border.here, Permission.MANAGE_GUILD, room.ola)
    yield border
    assert border.wall.violations == []


async def settle(border: Border) -> Channel:
    """Has Ola choose a channel for the open seats of her server by the settings; returns the channel."""
    panel = await private_message(border.ola.command(border.here, "settings server"))
    seats = await border.ola.click(panel, "Open seats").followed()
    assert "This server shows none" in seats.text
    chosen = await choose(border.ola, seats, "seats:channel", border.here.id)
    assert "They're shown in" in chosen.text
    await border.until(lambda: posts(border))
    return border.here


def posts(border: Border, channel: Channel | None = None) -> list[Message]:
    found = border.room.discord.messages(channel or border.here)
    return [each for each in found if "## Open seats" in each.text or "Wolne miejsca" in each.text]


async def shows(border: Border, told: str) -> Message:
    """Returns the post once it tells something."""

    def found() -> Message | None:
        border.room.clock.advance(EDIT_PAUSE_MILLIS)
        border.room.bot.workers.seats.wake()
        return next((each for each in posts(border) if told in each.text), None)

    post: Message = await border.room.discord.until(found)
    return post


async def seek(border: Border, person: Person, channel: Channel, label: str = "Game over days") -> Seek:
    await look(border, person, channel, label)
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(person.id))
    return outlook.seek


def sit_id(post: Message) -> str:
    return str(next(part["custom_id"] for part in post.controls if part["custom_id"].endswith(":sit")))


async def crowd(room: Room, count: int) -> None:
    """Begins the searches of so many players, who take nobody of the others."""
    terms = Terms(GAMES["paper"], USUAL_CONTROL, window=Window(2900, 3000))
    for number in range(count):
        await room.use_cases.seeks.look(UserId(7000 + number), None, ChannelId(9), terms, room.clock())


async def state(border: Border, found: Seek) -> SeekState:
    async with border.room.services.store.read() as reader:
        stored = await reader.seeks.get(found.id)
    assert stored is not None
    return stored.state


async def test_an_empty_post_leads_to_a_search_of_ones_own(border: Border) -> None:
    await settle(border)
    [post] = posts(border)
    assert "Nobody is looking" in post.text
    panel = await private_message(border.ola.click(post, "Play anyone"))
    assert "By any rules" in panel.text


async def test_who_sits_down_at_the_post_plays_the_player_of_the_other_server(border: Border) -> None:
    await settle(border)
    await seek(border, border.jadwiga, border.there)
    post = await shows(border, "Jadwiga")
    panel = await private_message(border.ola.click(post, sit_id(post)))
    assert "An opponent is found" in panel.text or "The game begins" in panel.text
    there, here = await threads(border)
    await border.settle()
    assert [len(border.boards(each)) for each in (there, here)] == [1, 1]
    await shows(border, "Nobody is looking")


async def test_a_live_game_is_called_for_and_who_sat_down_has_nothing_to_press(border: Border) -> None:
    await settle(border)
    await seek(border, border.jadwiga, border.there, "Live game")
    post = await shows(border, "Jadwiga")
    panel = await private_message(border.ola.click(post, sit_id(post)))
    assert "as soon as your opponent is there" in panel.text
    call = await called(border, border.there)
    told = await border.room.discord.until(
        lambda: [
            each for each in border.room.discord.messages(border.here) if "your opponent is called" in each.content
        ]
    )
    assert told[-1].labels == []
    await border.jadwiga.click(call, call.controls[0]["custom_id"]).answered()
    assert len(await threads(border)) == 2


async def test_the_post_calls_a_player_by_the_name_that_they_have_chosen(border: Border) -> None:
    await change_player(border.room.services.store, UserId(border.jadwiga.id), {"alias": "Wędrowiec"})
    await settle(border)
    await seek(border, border.jadwiga, border.there)
    post = await shows(border, "Wędrowiec")
    assert "Jadwiga" not in post.text
    assert not [*post.mentions]


async def test_a_seat_that_was_just_taken_says_so_and_shows_what_else_there_is(border: Border) -> None:
    await settle(border)
    found = await seek(border, border.jadwiga, border.there)
    post = await shows(border, "Jadwiga")
    await border.room.use_cases.seeks.leave(found.id, UserId(border.jadwiga.id))
    panel = await private_message(border.ola.click(post, sit_id(post)))
    assert "was taken a moment ago" in panel.text
    assert "Game over days" in panel.labels


async def test_thirty_presses_of_ten_people_seat_exactly_one(border: Border) -> None:
    await settle(border)
    found = await seek(border, border.jadwiga, border.there)
    post = await shows(border, "Jadwiga")
    people = [border.room.discord.invite(f"Guest {number}") for number in range(10)]
    border.wall.table |= {f"Guest {number}" for number in range(10)}  # who sits down plays, and is named there
    for pressed in [person.click(post, sit_id(post)) for _ in range(3) for person in people]:
        await pressed.answered()
    await border.room.wait_for_handlers()
    async with border.room.services.store.read() as reader:
        seated = [each for person in people for each in await reader.seeks.open_of(UserId(person.id))]
        played = [each for person in people for each in await reader.matches.open_of(UserId(person.id))]
    assert len(seated) + len(played) in (1, 2)
    assert len({each.user for each in seated}) <= 1
    assert await state(border, found) in (SeekState.CALLED, SeekState.PLAYED)


async def test_more_seats_than_a_post_holds_are_counted(border: Border, room: Room) -> None:
    await settle(border)
    await crowd(room, MAX_SHOWN + 2)
    post = await shows(border, "…and 2 more")
    assert post.labels.count("Sit down") == MAX_SHOWN


async def test_a_deleted_post_is_posted_anew_when_something_changes(border: Border) -> None:
    await settle(border)
    [post] = posts(border)
    border.room.discord.delete_message(post)
    await seek(border, border.jadwiga, border.there)
    assert (await shows(border, "Jadwiga")).id != post.id


async def test_thirty_players_who_come_at_once_cost_one_edit(border: Border, room: Room) -> None:
    await settle(border)
    edited: list[Attempt] = []

    def note(attempt: Attempt) -> bool:
        edited.append(attempt)
        return False

    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 500, times=None, predicate=note)
    await crowd(room, 30)
    assert edited == []
    await shows(border, "…and")
    assert len(edited) == 1


@pytest.mark.parametrize("failure", [500, 502, cloudflare_page(503), Silence.CLOSED])
async def test_the_post_comes_once_though_discord_fails_first(border: Border, failure: int | Page | Silence) -> None:
    border.room.discord.fault("POST", "/channels/{channel_id}/messages", failure, times=2)
    await settle(border)
    assert len(posts(border)) == 1


async def test_an_answer_that_is_lost_makes_no_second_post(border: Border) -> None:
    border.room.discord.fault("POST", "/channels/{channel_id}/messages", 500, times=1, applied=True)
    await settle(border)
    await seek(border, border.jadwiga, border.there)
    await shows(border, "Jadwiga")
    assert len(posts(border)) == 1


async def test_nobody_sits_down_in_a_server_that_wants_no_strangers(border: Border) -> None:
    await settle(border)
    await seek(border, border.jadwiga, border.there)
    post = await shows(border, "Jadwiga")
    panel = await private_message(border.ola.command(border.here, "settings server"))
    await border.ola.click(panel, "Other servers: on").followed()
    assert "no games with players of other servers" in await private_words(border.ola.click(post, sit_id(post)))


async def test_the_panel_of_a_search_offers_the_wishes_of_others(border: Border) -> None:
    await seek(border, border.jadwiga, border.there)
    panel = await look(border, border.ola, border.here, "Live game")
    assert "**Jadwiga**" in panel.text
    assert "Sit down" in panel.labels
    await border.ola.click(panel, sit_id(panel)).followed()
    assert len(await threads(border)) == 2


async def test_a_server_that_the_bot_leaves_has_no_post_any_more(border: Border, room: Room) -> None:
    await settle(border)
    await room.use_cases.forget_guild(GuildId(room.discord.guild.id))
    assert await room.use_cases.seats_posts.of(GuildId(room.discord.guild.id)) is None
