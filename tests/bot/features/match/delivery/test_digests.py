"""The morning digest as a direct message, and the pings that it takes the place of."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from loopback import Message, Person
from play.ids import MatchId, Millis, UserId
from play.people.past_mistake import Finding
from tests.bot.features.challenges.test_cards import rename
from tests.bot.features.settings.test_settings import load_settings, open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, written_out
from tests.clock import DAY, HOUR, MINUTE
from tests.matches import a_match, add_match
from use_cases.player_settings import change_player

WARSAW = ZoneInfo("Europe/Warsaw")
DMS = "/users/@me/channels"


async def switch_on(room: Room, person: Person, **settings: Any) -> None:
    changes = {"digest": 8, "zone": WARSAW, **settings}
    await change_player(room.services.store, UserId(person.id), changes)


async def pass_to_morning(room: Room) -> None:
    """Lets time pass until shortly after 8:00 in Warsaw."""
    now = datetime.fromtimestamp(room.clock() / 1000, WARSAW)
    minutes = (8 * 60 + 1 - now.hour * 60 - now.minute) % (24 * 60)
    await room.pass_time(minutes * MINUTE)
    await room.bot.workers.digests.poll()


def digests(room: Room, person: Person) -> list[Message]:
    return [message for message in room.discord.messages(person.open_dm()) if "this morning" in message.text]


async def test_a_digest_tells_all_that_waits(room: Room) -> None:
    await switch_on(room, room.ola)
    await room.pass_time(MINUTE)
    thread = await room.start_match(clock="5d")
    board = await room.wait_for_board(thread, 0)
    other = await room.start_match(clock="3d", size="6x6")
    await room.maksim.command(room.channel, "challenge", opponent=room.ola, clock="3d").answered()
    ended = await room.start_match(clock="5d")
    asked = (await room.maksim.command(ended, "resign").answered()).message
    assert asked is not None
    await room.maksim.click(asked, "Yes, resign").followed()
    await pass_to_morning(room)
    (digest,) = digests(room, room.ola)
    text = written_out(digest.text)
    assert "It's your turn in 2 games:" in text
    assert text.index(f"/{other.id}/") < text.index(f"/{thread.id}/{board.id})"), "the most urgent first"
    assert "1 challenge waits for your answer:" in text
    assert "1 game has ended:" in text
    assert "You won against Максим" in text
    assert "`/settings me`" in text


async def test_fifty_games_fit_and_the_rest_is_counted(room: Room) -> None:
    for number in range(50):
        users = (UserId(room.ola.id), UserId(room.maksim.id))
        match = a_match(900_000_000_000_000_000 + number, users, "9d", room.clock())
        await add_match(room.services.store, replace(match, parent=None))
    rename(room, room.maksim, "**[Ма_к](x)** @everyone")
    await switch_on(room, room.ola)
    await pass_to_morning(room)
    (digest,) = digests(room, room.ola)
    assert "It's your turn in 50 games:" in digest.text
    assert "**[" not in digest.text
    assert digest.mentions == ()
    assert "and 40 more." in digest.text
    assert len(digest.text) <= 4000


async def test_a_player_with_a_digest_is_not_pinged_in_games_over_days(room: Room) -> None:
    await switch_on(room, room.ola)
    thread = await room.start_match(clock="5d")
    board = await room.wait_for_board(thread, 0)
    assert board.mentions == ()
    assert f"<@{room.ola.id}>" in board.content
    answer = await room.play(thread, "C3")
    assert answer.mentions == (room.maksim.id,)


async def test_a_live_game_pings_also_with_a_digest(room: Room) -> None:
    await switch_on(room, room.ola)
    board = await room.wait_for_board(await room.start_match(), 0)
    assert board.mentions == (room.ola.id,)


async def test_an_offer_pings_also_with_a_digest(room: Room) -> None:
    await switch_on(room, room.maksim)
    thread = await room.start_match(clock="5d")
    await room.play(thread, "C3", "D3")
    await room.ola.command(thread, "draw").answered()
    await room.wait_for_outbox()
    assert room.discord.messages(thread)[-1].mentions == (room.maksim.id,)


async def test_a_reminder_comes_also_with_a_digest(room: Room) -> None:
    await switch_on(room, room.ola)
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    await room.wait_for_outbox()
    assert room.discord.messages(thread)[-1].mentions == (room.ola.id,)


async def test_closed_direct_messages_bring_the_pings_back_and_the_panel_says_why(room: Room) -> None:
    await switch_on(room, room.ola)
    room.ola.close_dms()
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await pass_to_morning(room)
    assert (await load_settings(room, room.ola)).digest is None
    await room.play(thread, "C3")
    assert (await room.play(thread, "D3")).mentions == (room.ola.id,)
    shown = await open_settings(room, room.ola)
    assert "I can't send you direct messages" in shown.text
    shown = await choose(room.ola, shown, "me:pings", "7")
    assert "I can't send you direct messages" not in shown.text


def openings(room: Room) -> int:
    return sum(each.endpoint == f"POST {DMS}" for each in room.discord.requests)


@pytest.mark.parametrize("code", [40003, 20026, 40062])
async def test_while_discord_opens_no_direct_messages_a_digest_waits_and_nobody_else_is_tried(
    room: Room, code: int
) -> None:
    for person in (room.ola, room.maksim):
        await switch_on(room, person)
    await room.start_match(clock="5d")
    room.discord.fault("POST", DMS, 403, code=code)
    await pass_to_morning(room)
    assert openings(room) == 1
    assert (await load_settings(room, room.ola)).digest == 8
    assert "I can't send you" not in (await open_settings(room, room.ola)).text
    await room.pass_time(11 * MINUTE)
    room.bot.workers.digests.wake()
    await room.discord.until(lambda: digests(room, room.ola))


async def test_direct_messages_are_opened_when_a_player_asks_for_them_and_not_again(room: Room) -> None:
    await choose(room.ola, await open_settings(room, room.ola), "me:pings", "8")
    assert openings(room) == 1
    await change_player(room.services.store, UserId(room.ola.id), {"zone": WARSAW})
    await room.start_match(clock="5d")
    await room.restart()
    await pass_to_morning(room)
    assert digests(room, room.ola)
    assert openings(room) == 1


async def test_the_panel_saves_the_hour_and_asks_for_the_zone(room: Room) -> None:
    shown = await choose(room.ola, await open_settings(room, room.ola), "me:pings", "8")
    assert "at 8:00\u202fAM UTC" in shown.text
    assert "enter your time zone" in shown.text
    await change_player(room.services.store, UserId(room.ola.id), {"zone": WARSAW})
    shown = await open_settings(room, room.ola)
    assert "at 8:00\u202fAM (" in shown.text
    shown = await choose(room.ola, shown, "me:pings", "each")
    assert (await load_settings(room, room.ola)).digest is None


async def test_the_panel_saves_several_steps_of_reminders(room: Room) -> None:
    shown = await choose(room.ola, await open_settings(room, room.ola), "me:steps", "2", "16")
    held = [option["label"] for part in shown.controls for option in part.get("options", ()) if option.get("default")]
    assert {"Remind me when 24 hours are left", "Remind me when 1 hour is left"} <= set(held)
    await choose(room.ola, shown, "me:steps")
    assert (await load_settings(room, room.ola)).steps == 1


async def test_a_step_is_told_with_the_time_that_is_left(room: Room) -> None:
    await choose(room.ola, await open_settings(room, room.ola), "me:steps", "2", "16")
    thread = await room.start_match(clock="2d")
    await room.wait_for_board(thread, 0)
    for hours in (24, 23):
        await room.pass_time(hours * HOUR)
        await room.use_cases.clocks.remind()
        await room.wait_for_outbox()
    told = [message.content for message in room.discord.messages(thread) if "your time against" in message.content]
    assert len(told) == 2
    assert all(f"<t:{Millis(room.clock() + HOUR) // 1000}:R>" in each for each in told)


async def test_a_quiet_game_pings_its_player_no_more_until_they_want_it_again(room: Room) -> None:
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    shown = await (await room.press_in_menu(room.ola, thread, "Quiet")).followed()
    assert "no longer pings you" in shown.text
    assert "Pings again" in shown.labels
    listed = (await room.ola.command(room.general, "games").answered()).message
    assert listed is not None
    assert "🔕 quiet" in listed.text
    assert (await room.play(thread, "C3", "D3")).mentions == ()
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    await room.wait_for_outbox()
    assert not any("is gone" in each.content for each in room.discord.messages(thread))
    for _ in range(3):
        await (await room.press_in_menu(room.ola, thread, "Pings again")).followed()
        await (await room.press_in_menu(room.ola, thread, "Quiet")).followed()
    await (await room.press_in_menu(room.ola, thread, "Pings again")).followed()
    assert (await room.play(thread, "C4", "D4")).mentions == (room.ola.id,)


async def test_a_quiet_game_is_quiet_for_one_player_alone(room: Room) -> None:
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await (await room.press_in_menu(room.ola, thread, "Quiet")).followed()
    assert (await room.play(thread, "C3")).mentions == (room.maksim.id,)


async def test_a_stranger_makes_no_game_quiet(room: Room) -> None:
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    pressed = await room.kasia.click(room.boards(thread)[-1], "More").answered()
    assert pressed.message is not None
    assert "Quiet" not in str(pressed.message.labels)


async def test_a_digest_says_how_many_mistakes_are_back_and_on_mondays_what_has_got_better(room: Room) -> None:
    ola, mistakes = UserId(room.ola.id), room.use_cases.past_mistakes
    await switch_on(room, room.ola)
    await room.start_match(clock="14d")
    match = await room.use_cases.matches.load(MatchId(1))
    found = Finding(1, ("A1",), ("A1",), 3.0, 3.0)
    await mistakes.note_review(match, {ola: [found]}, ola)
    await pass_to_morning(room)  # of Monday 16 June, a day after the review
    (digest,) = digests(room, room.ola)
    assert "**1 mistake to practise:** play the better move with" in written_out(digest.text)
    assert "📈" not in digest.text
    await mistakes.answer(ola, match.id, found.number, room.clock(), right=True)
    for _ in range(7):
        await room.pass_time(MINUTE)
        await pass_to_morning(room)
    monday = digests(room, room.ola)[-1]
    assert "📈 Last week you found the better move for 1 old mistake." in monday.text


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("count", "polish", "english"),
    [
        (0, "", ""),
        (1, "**Do powtórki: 1 błąd.**", "**1 mistake to practise:**"),
        (2, "**Do powtórki: 2 błędy.**", "**2 mistakes to practise:**"),
        (5, "**Do powtórki: 5 błędów.**", "**5 mistakes to practise:**"),
    ],
)
async def test_mistakes_that_are_back_have_their_plural_form(room: Room, count: int, polish: str, english: str) -> None:
    await room.start_match(clock="14d")
    await switch_on(room, room.ola, language="pl")
    await switch_on(room, room.maksim, language="en")
    await note_mistakes(room, count, room.ola, room.maksim)
    await pass_to_morning(room)
    for person, expected in ((room.ola, polish), (room.maksim, english)):
        said = "".join(message.text for message in room.discord.messages(person.open_dm()))
        assert expected in said
        assert ("to practise" in said or "Do powtórki" in said) is bool(count)


async def note_mistakes(room: Room, count: int, *people: Person) -> None:
    """Stores so many mistakes of the first match for each of these people."""
    match = await room.use_cases.matches.load(MatchId(1))
    for person in people:
        findings = [Finding(number, ("A1",), ("A1",), 3.0, 3.0) for number in range(1, count + 1)]
        await room.use_cases.past_mistakes.note_review(match, {UserId(person.id): findings}, UserId(person.id))
