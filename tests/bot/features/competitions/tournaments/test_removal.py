"""A host or a moderator removes a player from a tournament: asked first, without a game decided for anyone."""

from __future__ import annotations

import pytest

from loopback import Message, Permission, Person
from play.competitions.tournament import Stage, Tournament
from play.ids import UserId
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
)
from tests.bot.panels import choose, confirm
from tests.bot.room import Room, private_message, private_words


async def open_panel(room: Room, by: Person) -> Message:
    return await private_message(by.command(room.channel, "tournament remove"))


async def ask_to_remove(room: Room, by: Person, player: Person) -> Message:
    """Returns the question whether the player is to be removed."""
    return await choose(by, await open_panel(room, by), "Choose a player", str(player.id))


async def remove(room: Room, by: Person, player: Person, button: str = "Remove") -> Message:
    """Returns the panel after the player was removed."""
    after: Message = await by.click(await ask_to_remove(room, by, player), button).followed()
    return after


def opponent_of(now: Tournament, user: UserId) -> UserId:
    (pair,) = (each for each in now.current_pairings if user in (each.first, each.second) and each.second)
    other = pair.opponent(user)
    assert other is not None
    return other


async def begin_round_robin(room: Room) -> Tournament:
    return await begin_with(room, invite(room, 4), format="round-robin")


async def test_before_the_beginning_the_removed_player_is_off_the_list_and_may_come_back(room: Room) -> None:
    card = await make_tournament(room)
    for person in (room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    question = await ask_to_remove(room, room.ola, room.maksim)
    assert "Remove **Максим** from the tournament? They can sign up again" in question.text
    assert (await load_tournament(room)).users == (room.maksim.id, room.kasia.id)
    assert "**Максим** is out" in (await room.ola.click(question, "Remove").followed()).text
    await wait_for(room, lambda now: now.users == (room.kasia.id,))
    assert "signed up" in await private_words(room.maksim.click(card, "Sign up"))


async def test_the_removed_player_is_told_in_the_channel(room: Room) -> None:
    await begin_round_robin(room)
    await remove(room, room.ola, room.maksim)
    (said,) = told(room, "its host or a moderator has removed you")
    assert said.mentions == (room.maksim.id,)


async def test_a_running_game_of_the_removed_player_goes_on_and_counts(room: Room) -> None:
    now = await begin_round_robin(room)
    user = UserId(room.maksim.id)
    question = await ask_to_remove(room, room.ola, room.maksim)
    assert "You can't undo this" in question.text
    assert "goes on and counts" in question.text
    await room.ola.click(question, "Remove").followed()
    now = await load_tournament(room)
    assert user in now.gone
    assert all(pair.points is None for pair in now.current_pairings)
    await resign_all(room, now, lambda first, second: opponent_of(now, user) if user in (first, second) else first)
    later = await wait_for(room, is_open(2))
    (row,) = (each for each in later.table if each.user == user)
    assert row.points == 1  # the opponent resigned
    assert all(pair.points is not None for pair in later.current_pairings if user in (pair.first, pair.second))
    shown = room.discord.message(later.message or 0)
    assert shown is not None
    assert any("Максим" in line and line.endswith(", out") for line in shown.content.splitlines())


async def test_a_moderator_ends_the_game_of_the_removed_player(room: Room) -> None:
    host = room.discord.invite("Host")
    room.make_moderator(host)
    now = await begin_round_robin(room)
    user = UserId(room.maksim.id)
    other = opponent_of(now, user)
    after = await remove(room, host, room.maksim, "Remove and end the game")
    assert "the opponent has the point" in after.text
    points = await wait_for(room, lambda later: any(p.points for p in later.current_pairings))
    (row,) = (each for each in points.table if each.user == other)
    assert row.points == 1


async def test_who_plays_against_the_removed_player_does_not_end_the_game(room: Room) -> None:
    now = await begin_round_robin(room)
    rival = opponent_of(now, UserId(room.ola.id))
    (person,) = (each for each in room.discord.people.values() if each.id == rival)
    question = await ask_to_remove(room, room.ola, person)
    assert question.labels == ["Remove", "Back"]
    await room.ola.click(question, "Remove").followed()
    assert all(pair.points is None for pair in (await load_tournament(room)).current_pairings)


async def test_a_game_that_has_not_begun_is_won_by_the_opponent(room: Room) -> None:
    await begin_round_robin(room)
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    await resign_all(room, await load_tournament(room))

    async def paired() -> bool:
        return (await load_tournament(room)).round == 2

    await room.until(paired)
    await remove(room, room.ola, room.kasia)
    now = await load_tournament(room)
    (pair,) = (each for each in now.current_pairings if room.kasia.id in (each.first, each.second))
    assert pair.points is not None
    assert pair.points[0 if pair.first == room.kasia.id else 1] == 0


async def test_a_tournament_whose_players_are_removed_ends(room: Room) -> None:
    await begin_tournament(room, format="round-robin")
    for person in (room.maksim, room.kasia):
        await remove(room, room.ola, person)
    await resign_all(room, await load_tournament(room))
    now = await wait_for(room, lambda later: later.stage is Stage.ENDED)
    assert now.playing == (room.ola.id,)


async def test_only_the_host_and_moderators_remove_players(room: Room) -> None:
    await begin_round_robin(room)
    said = await private_words(room.kasia.command(room.channel, "tournament remove"))
    assert "Only the host" in said
    room.make_moderator(room.kasia)
    question = await ask_to_remove(room, room.kasia, room.maksim)
    room.discord.deny(room.channel, Permission.MANAGE_MESSAGES, room.kasia)
    assert "Only the host" in (await room.kasia.click(question, "Remove").followed()).text
    assert not (await load_tournament(room)).gone


async def test_a_second_click_removes_nobody_else(room: Room) -> None:
    await begin_round_robin(room)
    question = await ask_to_remove(room, room.ola, room.maksim)
    for click in [room.ola.click(question, "Remove") for _ in range(2)]:
        await click.followed()
    assert (await load_tournament(room)).gone == {room.maksim.id}
    assert len(told(room, "has removed you")) == 1


async def test_after_a_restart_the_question_is_answered(room: Room) -> None:
    await begin_round_robin(room)
    question = await ask_to_remove(room, room.ola, room.maksim)
    await room.restart()
    await room.ola.click(question, "Remove").followed()
    assert (await load_tournament(room)).gone == {room.maksim.id}


@pytest.mark.parametrize("left", [False, True])
async def test_a_player_who_has_left_the_server_can_be_removed(room: Room, left: bool) -> None:
    await begin_round_robin(room)
    if left:
        room.maksim.leave()
    await remove(room, room.ola, room.maksim)
    assert (await load_tournament(room)).gone == {room.maksim.id}


async def test_all_players_of_a_large_tournament_are_in_the_menus(room: Room) -> None:
    card = await make_tournament(room)
    people = invite(room, 60)
    for person in people:
        await room.use_cases.tournaments.sign_up((await load_tournament(room)).id, UserId(person.id))
    panel = await open_panel(room, room.ola)
    offered = [option["value"] for control in panel.controls for option in control["options"]]
    assert offered == [str(person.id) for person in people]
    assert card


async def test_a_tournament_that_is_over_has_nobody_to_remove(room: Room) -> None:
    await make_tournament(room)
    await confirm(room.ola, room.ola.command(room.channel, "tournament cancel"), "Cancel tournament")
    assert "is over" in await private_words(room.ola.command(room.channel, "tournament remove"))
