"""Estimates, changes, players added and pairs made by hand, check-in, leavers, and the list of tournaments."""

from __future__ import annotations

import pytest

from loopback import Permission
from play.competitions.rounds import winner_of
from play.competitions.tournament import MAX_REPLAYS, Stage, Tournament
from play.ids import DAY, HOUR, Millis, UserId
from tests.bot.features.competitions.tournaments.cup import (
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
from tests.bot.room import Room, private_message, private_words
from use_cases.match_writer import automatic_key


async def test_the_sign_up_says_how_many_rounds_there_are_and_how_long_they_take(room: Room) -> None:
    card = await make_tournament(room, clock="3d")
    assert "as many rounds as the players need (now: 3)" in card.content
    assert "Time per round: 7 days" in card.content
    assert "about 21 days" in card.content
    assert (await load_tournament(room)).pace == 7 * DAY


async def test_a_tournament_without_a_limit_for_its_rounds_is_asked_for(room: Room) -> None:
    await make_tournament(room, pace="none", rounds=2)
    now = await load_tournament(room)
    assert (now.pace, now.rounds) == (None, 2)


async def test_the_host_changes_name_time_and_rounds_and_the_players_are_told_once(room: Room) -> None:
    card = await make_tournament(room)
    await private_words(room.maksim.click(card, "Sign up"))
    changes = {"name": "Spring Cup", "pace": "2d", "rounds": 4, "begins": "in 2 days"}
    assert "told in the channel" in await private_words(room.ola.command(room.channel, "tournament change", **changes))
    said = await wait_for_message(room, lambda each: "Changed in **Spring Cup**" in each.content)
    assert "name, start, time per round, number of rounds." in said.content
    assert said.mentions == (room.maksim.id,)
    card = await wait_for_message(room, lambda each: each.content.startswith("## 🏁 Spring Cup"))
    assert "4 rounds" in card.content
    assert "Time per round: 2 days" in card.content


async def test_without_options_the_terms_are_changed_also_between_rounds(room: Room) -> None:
    await begin_with(room, invite(room, 4))
    panel = await private_message(room.ola.command(room.channel, "tournament change"))
    assert "Terms of this tournament's games" in panel.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "\u200b\u2060"}, "That name looks empty"),
        ({"pace": "1s"}, "A round takes 10 minutes to 30 days"),
        ({"begins": "in 2 days"}, "already begun"),
    ],
)
async def test_a_change_that_is_not_possible_is_refused(room: Room, changes: dict[str, str], reason: str) -> None:
    await begin_with(room, invite(room, 4))
    assert reason in await private_words(room.ola.command(room.channel, "tournament change", **changes))
    assert "Only the host" in await private_words(room.kasia.command(room.channel, "tournament change", name="X"))


async def test_the_host_adds_a_member_who_is_told_and_can_leave(room: Room) -> None:
    await make_tournament(room)
    asked = room.ola.command(room.channel, "tournament add", player=room.kasia)
    assert "is signed up, and told" in await private_words(asked)
    said = await wait_for_message(room, lambda each: "has signed you up for **Autumn Cup**" in each.content)
    assert said.mentions == (room.kasia.id,)
    assert "You're off the list" in await private_words(room.kasia.click(said, "Withdraw"))
    again = room.kasia.command(room.channel, "tournament add", player=room.maksim)
    assert "Only the host" in await private_words(again)


async def test_a_bot_is_not_added(room: Room) -> None:
    await make_tournament(room)
    asked = room.ola.command(room.channel, "tournament add", player=room.discord.bot)
    assert "You can add members of this server" in await private_words(asked)


async def test_two_who_are_paired_by_hand_meet_in_the_next_round(room: Room) -> None:
    people = invite(room, 4)
    card = await make_tournament(room)
    for person in people:
        await private_words(person.click(card, "Sign up"))
    asked = room.ola.command(room.channel, "tournament pair", player=people[0], opponent=people[3])
    assert "In the next round" in await private_words(asked)
    await wait_for_message(room, lambda each: "Paired by the host for the next round" in each.content)
    await private_words(room.ola.click(card, "Begin"))
    now = await wait_for(room, is_open(1))
    assert {people[0].id, people[3].id} in [{pair.first, pair.second} for pair in now.current_pairings]
    again = room.ola.command(room.channel, "tournament pair", player=people[0], opponent=people[3])
    assert "already met" in await private_words(again)


async def test_a_late_player_signs_up_on_the_post_and_the_table_says_so(room: Room) -> None:
    now = await begin_with(room, invite(room, 4), rounds=4)
    card = await wait_for_message(room, lambda each: "You can still sign up" in each.content)
    late = room.discord.invite("Зоя")
    assert "play from round 2 on. Points for the rounds that you missed: 0.5" in await private_words(
        late.click(card, "Sign up")
    )
    assert "already signed up" in await private_words(late.click(card, "Sign up"))
    await resign_all(room, now)
    now = await wait_for(room, is_open(2))
    assert late.id in {user for pair in now.current_pairings for user in (pair.first, pair.second)}
    await wait_for_message(room, lambda each: "joined in round 2" in each.content)


async def test_who_has_left_the_server_is_not_paired_and_the_round_says_so(room: Room) -> None:
    now = await begin_with(room, invite(room, 4), rounds=4)
    card = await wait_for_message(room, lambda each: "You can still sign up" in each.content)
    late = room.discord.invite("Зоя")
    await private_words(late.click(card, "Sign up"))
    late.leave()
    await resign_all(room, now)
    now = await wait_for(room, is_open(2))
    assert now.gone == {late.id}
    assert told(room, "Left the server, so not paired")
    late.rejoin()
    assert "play from round 3 on" in await private_words(late.click(card, "Sign up"))


async def test_who_has_left_before_the_beginning_is_off_the_list(room: Room) -> None:
    people = invite(room, 4)
    card = await make_tournament(room)
    for person in people:
        await private_words(person.click(card, "Sign up"))
    people[3].leave()
    await private_words(room.ola.click(card, "Begin"))
    assert people[3].id not in (await wait_for(room, is_open(1))).users


async def test_who_does_not_say_that_they_are_there_is_not_paired_and_is_told(room: Room) -> None:
    people = invite(room, 4)
    card = await make_tournament(room, begins="in 3 hours", **{"check-in": True})
    assert "press **I'm here**" in card.content
    for person in people:
        await private_words(person.click(card, "Sign up"))
    await room.pass_time(Millis(2 * HOUR + HOUR // 2))
    room.use_cases.events.tournament_changed()
    soon = await wait_for_message(
        room, lambda each: "only players who do are paired" in each.content and bool(each.labels)
    )
    for person in people[:3]:
        assert "Good that you're here" in await private_words(person.click(soon, "I'm here"))
    await room.pass_time(HOUR)
    room.use_cases.events.tournament_changed()
    now = await wait_for(room, is_open(1))
    assert {*now.users} == {person.id for person in people[:3]}
    said = await wait_for_message(room, lambda each: "Not here at the start" in each.content)
    assert people[3].id in said.mentions
    assert "You can still join" in said.content


async def test_a_time_is_needed_to_ask_who_is_there(room: Room) -> None:
    asked = {"name": "Cup", "format": "swiss", "check-in": True}
    assert "Choose a start" in await private_words(room.ola.command(room.channel, "tournament create", **asked))


async def test_a_tournament_that_too_few_sign_up_for_says_so(room: Room) -> None:
    await make_tournament(room, begins="in 2 hours")
    for hours in (3, 25):
        await room.pass_time(Millis(hours * HOUR))
        room.use_cases.events.tournament_changed()
        await wait_for(room, lambda now: now.postponed)
    await wait_for(room, lambda now: now.stage is Stage.CANCELLED)
    await wait_for_message(room, lambda each: "**Cancelled, since too few signed up.**" in each.content)


async def test_the_list_has_what_goes_on_and_what_has_just_ended(room: Room) -> None:
    asked = room.kasia.command(room.channel, "tournament list")
    assert "No tournament is open for sign-up" in await private_words(asked)
    await make_tournament(room)
    listed = await private_words(room.kasia.command(room.channel, "tournament list"))
    assert "[Autumn Cup](https://discord.com/channels/" in listed
    assert "Open for sign-up. Swiss system, players: 0" in listed


async def test_the_list_has_no_tournament_of_a_channel_that_the_member_does_not_see(room: Room) -> None:
    await make_tournament(room)
    other = room.discord.open_channel("general")
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL)
    assert "No tournament is open for sign-up" in await private_words(room.kasia.command(other, "tournament list"))


async def test_drawn_games_of_a_knock_out_are_called_again_and_the_seeds_decide_in_front_of_all(room: Room) -> None:
    now = await begin_with(room, invite(room, 4), format="knock-out")
    assert "After a third draw the better seed advances" in told(room, "## 🏁 Autumn Cup")[0].content
    for number in range(MAX_REPLAYS + 1):
        pair = now.current_pairings[0]
        assert pair.match is not None
        match = await room.use_cases.matches.load(pair.match)
        await room.use_cases.moderation.close(match.id, UserId(1), None, room.clock(), automatic_key(match))
        room.use_cases.events.tournament_changed()
        if number < MAX_REPLAYS:
            now = await wait_for(room, lambda now, number=number: is_replayed(now, number + 1))  # type: ignore[misc]
            called = told(room, "🔁 Drawn, so play again.")[-1]
            assert {*called.mentions} == {pair.first, pair.second}
    now = await wait_for(room, lambda now: now.current_pairings[0].points is not None)
    winner = winner_of(now.current_pairings[0])
    assert winner == min(pair.first, pair.second or pair.first, key=now.users.index)
    (said,) = told(room, "🏁 A third draw")
    assert {*said.mentions} == {pair.first, pair.second}
    assert "A third draw" in room.discord.messages(match.channel)[-1].content
    await wait_for_message(room, lambda each: "(third draw, better seed)" in each.content)


def is_replayed(now: Tournament, replays: int) -> bool:
    pair = now.current_pairings[0]
    return pair.replays == replays and pair.match is not None
