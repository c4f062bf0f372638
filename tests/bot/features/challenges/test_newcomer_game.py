"""The game that one press begins: against the weakest level, on a small board, for each player who presses."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.services.rate_limits import Rate, RateLimits
from loopback import Channel, Interaction, Person
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from tests.bot import forging
from tests.bot.panels import links
from tests.bot.room import Room, private_message, private_words
from tests.opponent.quick import Inside


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Has the computer play, and posts many cards."""
    return {"thinkers": Inside, "limits": RateLimits(cards=Rate(100, 0.001))}


def press(room: Room, person: Person, channel: Channel | None = None) -> Interaction:
    return forging.click(room, person, channel or room.channel, "newcomer:play")


async def open_games(room: Room, person: Person) -> int:
    return len(await room.use_cases.matches.list_open(UserId(person.id)))


async def test_one_press_begins_a_game_in_a_thread_in_which_the_player_moves_first(room: Room) -> None:
    told = await private_message(press(room, room.ola))
    assert "Your game has begun" in told.text
    assert told.labels == ["Your move"]
    match = await room.use_cases.matches.load(MatchId(1))
    assert match.players == (room.ola.id, room.discord.bot.id)
    assert (match.game.options["size"], match.to_act, match.parent) == ("9x9", 0, room.channel.id)
    card = room.discord.message(match.channel)
    assert card is not None
    assert "Zagram, 9×9, Newcomer" in card.content
    thread = await room.wait_for_thread(card)
    assert links(told)["Go to the game"].endswith(f"/{thread.id}/{room.boards(thread)[0].id}")
    assert room.boards(thread)[0].mentions == (room.ola.id,)


async def test_the_panel_below_the_card_says_what_was_played_and_answered_and_goes_on(room: Room) -> None:
    told = await private_message(press(room, room.ola))
    match = await room.use_cases.matches.load(MatchId(1))
    assert told.id > match.channel, "it is below the card, whose id is that of the thread"
    keypad = await room.ola.click(told, "Your move").followed()
    assert keypad.id == told.id
    for _ in range(2):
        played = next(label for label in keypad.labels if label.isdigit())
        keypad = await room.ola.click(keypad, played).followed()
        line, answer = keypad.text.split("\n")
        assert line.startswith("You played **")
        assert " **Kropka** played **" in answer
        assert keypad.attachments
        assert "Your move" not in keypad.labels


async def test_each_player_who_presses_gets_a_game_of_their_own(room: Room) -> None:
    for person in (room.ola, room.maksim):
        assert "Your game has begun" in await private_words(press(room, person))
        assert await open_games(room, person) == 1


async def test_thirty_presses_at_once_begin_one_game_and_link_to_it(room: Room) -> None:
    presses = [press(room, room.ola) for _ in range(30)]
    told = await asyncio.gather(*map(private_words, presses))
    assert await open_games(room, room.ola) == 1
    assert sum("Your game has begun" in each for each in told) == 1
    has_one = [each for each in told if "You already have a game against me" in each]
    assert has_one
    assert sum("Too many clicks. Try again in 1 second." in each for each in told) == 29 - len(has_one)


async def test_after_the_game_another_press_begins_the_next(room: Room) -> None:
    await private_words(press(room, room.ola))
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    assert "Your game has begun" in await private_words(press(room, room.ola))
    assert (await room.use_cases.matches.load(MatchId(2))).outcome is None


async def test_a_game_is_played_in_a_direct_message(room: Room) -> None:
    dm = room.ola.open_dm()
    assert "Your game has begun" in await private_words(press(room, room.ola, dm))
    await room.discord.until(lambda: room.boards(dm))
    assert (await room.use_cases.matches.load(MatchId(1))).channel == dm.id


async def test_where_another_game_occupies_the_channel_the_player_is_told_and_the_card_is_closed(room: Room) -> None:
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(GuildId(room.discord.guild.id)), threads=False))
    await room.maksim.click(await room.challenge(opponent=room.maksim), "Accept").followed()
    await room.wait_for_board(room.channel, 0)
    assert "There's already a game in this channel" in await private_words(press(room, room.ola))
    card = room.discord.messages(room.channel)[-1]
    await room.discord.until(lambda: "Declined" in getattr(room.discord.message(card.id), "content", ""))
    assert await open_games(room, room.ola) == 1


async def test_without_the_computer_an_old_button_says_so(room: Room) -> None:
    room.thinkers = None
    await room.restart()
    assert "has no computer player" in await private_words(press(room, room.ola))


async def test_the_button_works_after_a_restart(room: Room) -> None:
    await room.restart()
    assert "Your game has begun" in await private_words(press(room, room.ola))


async def test_a_player_with_too_many_games_against_the_computer_hears_it_in_place_of_a_dead_card(room: Room) -> None:
    for size in ("10", "11", "12", "13", "14"):
        await room.challenge(computer=1, size=size, clock="3d")
    assert "the limit. Finish one first" in await private_words(press(room, room.ola))
    assert await open_games(room, room.ola) == 5
