"""Messages that a channel sees of its tournament: the beginning, rounds, reminders, tables, the winner."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from loopback import Channel
from play.competitions.tournament import REMINDER_MILLIS, Stage, Tournament, TournamentId
from play.ids import UserId
from play.match.points import LOST
from presentation.tournaments import round_phrase
from tests.bot.features.competitions.tournaments.cup import (
    begin_tournament,
    begin_with,
    invite,
    is_open,
    load_tournament,
    make_tournament,
    resign_all,
    told,
    wait_for,
    wait_for_message,
)
from tests.bot.old_edits import TRIES, forbid_old_edits
from tests.bot.panels import confirm
from tests.bot.room import Room, private_words
from tests.clock import DAY, HOUR


async def pass_time(room: Room, duration: int) -> None:
    """Lets time pass, once that of a round runs, and the director look at it."""
    await room.wait_for_outbox()
    room.use_cases.events.tournament_changed()
    await wait_for(room, lambda _: True)
    await room.pass_time(duration)
    room.use_cases.events.tournament_changed()


async def test_a_tournament_with_a_time_reminds_its_players_and_begins_by_itself(room: Room) -> None:
    card = await make_tournament(room, begins="in 2 days")
    assert "The tournament begins <t:" in card.content
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    await pass_time(room, 2 * DAY - REMINDER_MILLIS)
    reminder = await wait_for_message(room, lambda each: each.content.startswith("⏰ **Autumn Cup** begins"))
    assert set(reminder.mentions) == {room.ola.id, room.maksim.id, room.kasia.id}
    await room.restart()
    await pass_time(room, REMINDER_MILLIS)
    await wait_for(room, is_open(1))
    assert len(told(room, "**Autumn Cup** begins")) == 1


async def test_its_host_may_begin_before_its_time(room: Room) -> None:
    now = await begin_tournament(room, begins="in 2 days")
    assert now.stage is Stage.RUNNING


async def test_too_few_players_put_it_off_once_and_then_cancel_it(room: Room) -> None:
    card = await make_tournament(room, begins="in 2 days")
    await private_words(room.maksim.click(card, "Sign up"))
    await pass_time(room, 2 * DAY)
    put_off = await wait_for_message(room, lambda each: "can't begin yet: 1 player has signed up" in each.content)
    assert set(put_off.mentions) == {room.ola.id, room.maksim.id}, "the players and the host"
    await private_words(room.maksim.click(card, "Withdraw"))
    await pass_time(room, DAY)
    await wait_for(room, lambda now: now.stage is Stage.CANCELLED)
    assert len(told(room, "is cancelled: 0 players have signed up, and it takes 3.")) == 1


async def test_a_time_to_begin_that_passes_while_the_bot_is_down_is_made_up_for(room: Room) -> None:
    card = await make_tournament(room, begins="in 2 days")
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    await room.stop()
    room.clock.advance(3 * DAY)
    await room.start()
    await wait_for(room, is_open(1))


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("no such time", "I can't read that time."),
        ("in 5 minutes", "A tournament begins 10 minutes from now"),
        ("yesterday", "A tournament begins 10 minutes from now"),
        ("in 90 days", "A tournament begins 10 minutes from now"),
        ("tomorrow 18:00", "Your time zone isn't set."),
    ],
)
async def test_a_time_that_cannot_be_is_refused(room: Room, typed: str, answer: str) -> None:
    asked = room.ola.command(room.channel, "tournament create", name="Cup", format="swiss", begins=typed)
    assert answer in await private_words(asked)


async def test_a_round_is_told_with_its_games_and_a_ping_for_each_player(room: Room) -> None:
    now = await begin_tournament(room)
    (message,) = told(room, "round 1. The games:")
    assert set(message.mentions) == {room.ola.id, room.maksim.id, room.kasia.id}
    async with room.services.store.read() as reader:
        channels = await reader.tournaments.channels_of(now.id)
    assert all(f"<#{channel}>" in message.content for channel in channels.values())
    assert "has a bye this round" in message.content


async def test_who_has_not_moved_is_warned_once_and_told_why_the_game_is_lost(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin", pace="12h")
    (pair,) = (pair for pair in now.current_pairings if pair.match)
    await pass_time(room, 9 * HOUR)
    warning = await wait_for_message(room, lambda each: "Move before then" in each.content)
    assert warning.mentions == (pair.first,)
    await room.restart()
    await pass_time(room, 3 * HOUR)
    await wait_for(room, is_open(2))
    assert len(told(room, "Move before then")) == 1
    assert pair.match is not None
    match = await room.use_cases.matches.load(pair.match)
    thread = next(each for each in room.discord.threads if each.id == match.channel)
    loser = next(name for name, each in room.discord.people.items() if each.id == pair.first)
    board = await room.discord.until(lambda: has_text(room, thread, "the round is over"))
    assert f"**{loser}** hadn't moved" in board


async def test_a_game_that_nobody_began_tells_its_thread_who_has_the_point(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin", clock="1d")
    (pair,) = (pair for pair in now.current_pairings if pair.match)
    await room.pass_time(2 * DAY)
    await room.use_cases.clocks.flag_overdue()
    room.use_cases.events.tournament_changed()
    later = await wait_for(room, is_open(2))
    assert pair.match is not None
    assert pair.second is not None
    match = await room.use_cases.matches.load(pair.match)
    thread = next(each for each in room.discord.threads if each.id == match.channel)
    names = {each.id: name for name, each in room.discord.people.items()}
    said = await room.discord.until(lambda: has_text(room, thread, "No game was played"))
    assert said == f"🏁 No game was played, so **{names[pair.second]}** gets the point in **Autumn Cup**."
    (entered,) = (each for each in later.pairings if each.match == pair.match)
    assert entered.unplayed
    assert entered.points == LOST
    await room.restart()
    assert len([each for each in room.discord.messages(thread) if "No game was played" in each.text]) == 1


async def test_a_knock_out_calls_its_last_rounds_by_their_names(room: Room) -> None:
    now = await begin_with(room, invite(room, 4), format="knock-out")
    assert told(room, "**Autumn Cup**, semifinal: ")
    assert told(room, "🔔 **Autumn Cup**, semifinal. The games:")
    await resign_all(room, now)
    await wait_for(room, is_open(2))
    assert told(room, "**Autumn Cup**, final: ")
    assert told(room, "🔔 **Autumn Cup**, final. The games:")
    await wait_for_message(room, lambda each: "\n**Final**\n" in each.content)


def has_text(room: Room, channel: Channel, part: str) -> str:
    return next((each.text for each in room.discord.messages(channel) if part in each.text), "")


async def test_the_winner_is_told_once_with_a_ping_and_the_picture(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin")
    for number in (2, 3):
        await resign_all(room, now)
        now = await wait_for(room, is_open(number))
    await resign_all(room, now)
    await wait_for(room, lambda now: now.stage is Stage.ENDED)
    await room.restart()
    await wait_for(room, lambda now: now.stage is Stage.ENDED)
    (message,) = told(room, "🏆 The winner is")
    assert message.mentions == (room.kasia.id,)
    assert len(message.attachments) == 1
    assert "🥇 1. **Kasia Wiśniewska** 3\n🥈 2. **Максим** 2\n🥉 3. **Ola** 1" in message.content


async def play_to_the_end(room: Room, now: Tournament) -> Tournament:
    """Plays on, with a withdrawal in the first round, a no-show in the second one, and a restart after each."""
    withdrawn = room.kasia
    number = 1
    while now.stage is Stage.RUNNING:
        if number == 1:
            asked = withdrawn.command(room.channel, "tournament withdraw")
            assert "You've withdrawn" in await confirm(withdrawn, asked, "Withdraw")
            now = await load_tournament(room)
        if number == 2:
            await pass_time(room, DAY)
        else:
            await resign_all(room, now)
        await room.restart()
        number += 1
        now = await wait_for(room, lambda now, number=number: now.stage is Stage.ENDED or is_open(number)(now))  # type: ignore[misc]
    return now


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "options",
    [
        {"format": "round-robin"},
        {"format": "swiss", "rounds": 3},
        {"format": "knock-out"},
        {"format": "double-elimination"},
    ],
)
async def test_each_format_goes_to_its_end_with_a_withdrawal_a_no_show_and_restarts(
    room: Room, options: dict[str, object]
) -> None:
    now = await begin_with(room, invite(room, 5), pace="1d", **options)
    now = await play_to_the_end(room, now)
    assert all(pair.points for pair in now.pairings)
    for number in range(1, now.round + 1):
        called = round_phrase(now, number, room.services.languages.of())
        assert len(told(room, f", {called}. The games:")) == 1
    assert len(told(room, "🏁 **Autumn Cup** is over.")) == 1
    assert len(told(room, "## 🏁 Autumn Cup")) == 1, "the table grows in one place"


async def test_the_computer_takes_the_free_seat(room: Room) -> None:
    now = await begin_tournament(room, computer=1, rules="zagram")
    (pair,) = (pair for pair in now.current_pairings if pair.second is None)
    assert pair.match is not None
    match = await room.use_cases.matches.load(pair.match)
    assert match.players == (pair.first, room.discord.bot.id)
    (message,) = told(room, "round 1. The games:")
    assert f"- <@{pair.first}> – the computer: <#{match.channel}>" in message.content
    await room.use_cases.matches.resign(match.id, UserId(pair.first), room.clock(), 5)  # type: ignore[arg-type]
    now = await wait_for(room, lambda now: any(each.second is None and each.points for each in now.pairings))
    assert {row.user: row.points for row in now.table}[pair.first] == 0


async def test_a_round_against_the_computer_can_end_in_time(room: Room) -> None:
    await begin_tournament(room, computer=1, pace="12h")
    await pass_time(room, DAY // 2)
    now = await wait_for(room, is_open(2))
    (pair,) = (pair for pair in now.pairings if pair.round == 1 and pair.second is None)
    assert pair.points == (0.0, 1.0), "the player has never moved"


async def test_a_knock_out_has_no_seat_for_the_computer(room: Room) -> None:
    asked = room.ola.command(room.channel, "tournament create", name="Cup", format="knock-out", computer=1)
    assert "A knockout has no seat for the computer" in await private_words(asked)


async def test_a_message_that_is_edited_too_often_is_edited_later(room: Room) -> None:
    card = await make_tournament(room)
    fault = forbid_old_edits(room)
    await private_words(room.maksim.click(card, "Sign up"))
    newer = await wait_for_message(room, lambda each: "Signed up (1): Максим" in each.content)
    assert (newer.id, len(fault.hits)) == (card.id, TRIES)


async def test_thirty_clicks_sign_a_player_up_once(room: Room) -> None:
    card = await make_tournament(room)
    await asyncio.gather(*(room.maksim.click(card, "Sign up").answered() for _ in range(30)))
    assert (await load_tournament(room)).users == (room.maksim.id,)


async def test_a_deleted_player_stays_in_the_table_without_a_name_or_a_ping(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin")
    await room.services.privacy.forget(UserId(room.kasia.id), room.clock())
    now = await wait_for(room, lambda later: later.stage is Stage.ENDED or is_open(later.round)(later))
    while now.stage is Stage.RUNNING:
        await resign_all(room, now, max)
        now = await wait_for(room, lambda later, now=now: later.stage is Stage.ENDED or is_open(now.round + 1)(later))  # type: ignore[misc]
    assert [user for user in now.users if user < 0]
    table = await wait_for_message(room, lambda each: each.content.startswith("## 🏁 Autumn Cup"))
    assert "Kasia" not in table.content
    (message,) = told(room, "🏁 **Autumn Cup** is over.")
    assert "<@-" not in message.content


async def test_players_are_told_when_the_terms_change(room: Room) -> None:
    card = await make_tournament(room)
    await private_words(room.maksim.click(card, "Sign up"))
    change = room.use_cases.tournaments.change
    await change(
        TournamentId(1), UserId(room.ola.id), lambda now: replace(now, terms=now.terms.by_rules(now.terms.game))
    )
    assert told(room, "Changed in") == []
    await change(
        TournamentId(1),
        UserId(room.ola.id),
        lambda now: replace(now, terms=replace(now.terms, rated=not now.terms.rated)),
    )
    message = await wait_for_message(
        room, lambda each: "Changed in **Autumn Cup**: terms of the games." in each.content
    )
    assert message.mentions == (room.maksim.id,)
