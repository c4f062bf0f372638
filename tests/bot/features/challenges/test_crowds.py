"""No user floods a channel with challenges or another user with pings, and no delivery counts twice."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.rate_limits import Rate, RateLimits
from loopback import Message
from loopback.permissions import Permission
from tests.bot.room import Room, private_words

TERMS = {"size": "5x5", "start": "empty", "clock": "10m+30s"}


MANY = Rate(1000, 0.001)


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Allows all clicks: their rate limit is not what is tested here."""
    return {"limits": RateLimits(MANY, MANY, cards=MANY)}


def cards(room: Room) -> list[Message]:
    """Returns the messages of the bot that can be accepted."""
    return [message for message in room.discord.messages(room.channel) if "Accept" in message.labels]


async def test_thirty_challenges_of_one_person_are_not_thirty_cards(room: Room) -> None:
    told = [await private_words(room.ola.command(room.channel, "challenge", **TERMS)) for _ in range(30)]
    assert len(cards(room)) <= 10
    assert "to make room" in told[-1]


async def test_thirty_challenges_to_one_person_are_not_thirty_pings(room: Room) -> None:
    for _ in range(30):
        await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim, **TERMS))
    assert sum(room.maksim.id in message.mentions for message in room.discord.messages(room.channel)) <= 3


async def test_challenges_that_are_withdrawn_and_made_again_ping_nobody_on_and_on(room: Room) -> None:
    for _ in range(8):
        known = len(cards(room))
        await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim, **TERMS))
        if len(cards(room)) > known:
            await room.ola.click(cards(room)[-1], "Decline").followed()
    assert sum(room.maksim.id in message.mentions for message in room.discord.messages(room.channel)) <= 3


async def test_many_people_at_once_do_not_take_a_channels_messages_from_its_boards(room: Room) -> None:
    room.options["limits"] = RateLimits(MANY, MANY)
    await room.restart()
    people = [room.discord.invite(f"Player {number}") for number in range(30)]
    told = [await private_words(person.command(room.channel, "challenge", **TERMS)) for person in people]
    assert len(cards(room)) <= 5
    assert "Try again in" in told[-1]


@pytest.mark.parametrize("opponent", [True, False], ids=["to one person", "to anybody"])
async def test_a_command_that_is_delivered_twice_makes_one_card(room: Room, opponent: bool) -> None:
    asked = room.ola.command(room.channel, "challenge", opponent=room.maksim if opponent else None, **TERMS)
    room.discord.redeliver(asked)
    await private_words(asked)
    await private_words(room.kasia.command(room.channel, "games"))
    await room.use_cases.challenges.expire()
    assert len(cards(room)) == 1


async def test_an_acceptance_that_is_delivered_twice_begins_one_game(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    click = room.maksim.click(card, "Accept")
    room.discord.redeliver(click)
    await room.wait_for_thread(card)
    await private_words(room.kasia.command(room.channel, "games"))
    assert len(room.discord.threads) == 1


async def test_a_tournament_that_is_asked_for_twice_by_one_delivery_is_one(room: Room) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    asked = room.ola.command(room.channel, "tournament create", name="Autumn Cup", format="swiss")
    room.discord.redeliver(asked)
    await private_words(asked)
    await room.discord.until(lambda: [each for each in room.discord.messages(room.channel) if "Sign up" in each.labels])
    told = [message.text for message in asked.messages]
    assert len([each for each in room.discord.messages(room.channel) if "Sign up" in each.labels]) == 1
    assert not any("already" in each for each in told), told
