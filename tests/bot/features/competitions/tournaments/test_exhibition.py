"""A simultaneous exhibition on Discord: Ola plays all who sign up."""

from __future__ import annotations

import pytest

from loopback import Person
from play.competitions.tournament import Stage, Tournament
from play.ids import IdempotencyKey
from tests.bot.features.competitions.tournaments.cup import (
    invite,
    is_open,
    load_tournament,
    make_tournament,
    told,
    wait_for,
)
from tests.bot.panels import confirm
from tests.bot.room import Room, private_words


async def begin(room: Room, people: list[Person]) -> Tournament:
    """Begins an exhibition; returns it when all games have their boards."""
    card = await make_tournament(room, format="exhibition", clock="10m+30s")
    assert "the host's clock has the time of all boards together" in card.content
    for person in people:
        await private_words(person.click(card, "Sign up"))
    assert "has begun" in await private_words(room.ola.click(card, "Begin"))
    await wait_for(room, is_open(1))
    await room.wait_for_outbox()
    room.use_cases.events.tournament_changed()
    return await wait_for(room, is_open(1))


@pytest.fixture
def others(room: Room) -> list[Person]:
    return invite(room, 4)[1:]


async def test_the_host_plays_everyone_and_the_result_is_told(room: Room, others: list[Person]) -> None:
    now = await begin(room, others)
    (said,) = told(room, "🔔 **Autumn Cup**, all boards.")
    assert set(said.mentions) == {room.ola.id, *(person.id for person in others)}
    for number, pair in enumerate(now.pairings):
        assert pair.match is not None
        loser = room.ola.id if number == 0 else pair.opponent(now.users[0])
        await room.use_cases.matches.resign(pair.match, loser, room.clock(), IdempotencyKey(10**6 + number))  # type: ignore[arg-type]
    await wait_for(room, lambda tournament: tournament.stage is Stage.ENDED)
    beaten = now.pairings[0].opponent(now.users[0])
    (end,) = told(room, "🏁 **Autumn Cup** is over.")
    assert f"Result of <@{room.ola.id}>: 2 : 1." in end.content
    assert f"Won against the host: <@{beaten}>." in end.content
    assert len(end.attachments) == 1


async def test_the_host_cannot_sign_up(room: Room) -> None:
    card = await make_tournament(room, format="exhibition", clock="1d")
    assert "You've already signed up." in await private_words(room.ola.click(card, "Sign up"))


async def test_a_short_time_for_each_move_is_refused(room: Room) -> None:
    asked = room.ola.command(room.channel, "tournament create", name="Cup", format="exhibition", clock="1m")
    assert "isn't enough for a host" in await private_words(asked)


async def test_no_computer_takes_a_seat(room: Room) -> None:
    asked = room.ola.command(room.channel, "tournament create", name="Cup", format="exhibition", computer=3)
    assert "no seat is free for the computer" in await private_words(asked)


async def test_a_host_who_withdraws_is_told_of_all_games_and_loses_them(room: Room, others: list[Person]) -> None:
    now = await begin(room, others)
    asked = room.ola.command(room.channel, "tournament withdraw")
    await asked.answered()
    text = asked.messages[-1].text
    async with room.services.store.read() as reader:
        channels = await reader.tournaments.channels_of(now.id)
    assert all(f"<#{channel}>" in text for channel in channels.values())
    again = room.ola.command(room.channel, "tournament withdraw")
    await confirm(room.ola, again, "Withdraw")
    await wait_for(room, lambda tournament: tournament.stage is Stage.ENDED)
    table = {row.user: row.points for row in (await load_tournament(room)).table}
    assert table.pop(now.users[0]) == 0
    assert {*table.values()} == {1.0}
