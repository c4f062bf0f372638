"""A decided card is one line: who, about what, what became of it. The player who accepts is led to the game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.markup import spoken
from bot.services.rate_limits import Rate, RateLimits
from loopback import Message
from loopback.permissions import Permission
from play.challenge.challenge import ChallengeState
from play.ids import ChallengeId, MatchId
from tests.bot.panels import links, wait_for_card
from tests.bot.room import Room, private_message
from tests.clock import DAY
from tests.opponent.quick import Inside


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Has the computer play, and posts many cards."""
    return {"thinkers": Inside, "limits": RateLimits(cards=Rate(100, 0.001))}


async def accept(room: Room, card: Message) -> None:
    await room.maksim.click(card, "Accept").followed()


async def decline(room: Room, card: Message) -> None:
    await room.maksim.click(card, "Decline").followed()


async def withdraw(room: Room, card: Message) -> None:
    await room.ola.click(await private_message(room.ola.click(card, "Decline")), "Withdraw").followed()


async def wait(room: Room, card: Message) -> None:
    await room.pass_time(8 * DAY)
    await room.use_cases.challenges.expire()


WAYS: dict[ChallengeState, Callable[[Room, Message], Awaitable[None]]] = {
    ChallengeState.ACCEPTED: accept,
    ChallengeState.DECLINED: decline,
    ChallengeState.WITHDRAWN: withdraw,
    ChallengeState.EXPIRED: wait,
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("state", WAYS)
async def test_a_decided_card_is_one_line_without_buttons_and_mentions(room: Room, state: ChallengeState) -> None:
    card = await room.challenge(opponent=room.maksim, size="9x9")
    assert card.content.count("\n") > 4
    await WAYS[state](room, card)

    def decided() -> Message | None:
        seen = room.discord.message(card)
        return seen if seen and "\n" not in seen.content else None

    line = await room.discord.until(decided)
    key = "card.begun" if state is ChallengeState.ACCEPTED else f"card.state.{state}"
    became = spoken().of()(key, url=f"https://discord.com/channels/{room.discord.guild.id}/{card.id}")
    small = "" if state is ChallengeState.ACCEPTED else "-# "
    assert line.content == f"{small}**Ola** – **Максим** · Zagram, 9×9 · {became}"
    assert (line.labels, line.mentions) == ([], ())


async def test_who_accepts_gets_the_way_to_the_game_and_to_their_move(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="9x9", colour="last")
    told = await private_message(room.maksim.click(card, "Accept"))
    thread = await room.wait_for_thread(card)
    board = room.boards(thread)[0]
    address = f"https://discord.com/channels/{room.discord.guild.id}/{thread.id}/{board.id}"
    assert links(told) == {"Go to the game": address}
    keypad = await room.maksim.click(told, "Your move").followed()
    assert "Where does your dot go?" in keypad.text


async def test_who_accepts_where_the_board_follows_the_card_gets_no_further_message(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    card = await room.challenge(opponent=room.maksim)
    accepted = room.maksim.click(card, "Accept")
    await accepted.followed()
    await room.discord.until(lambda: room.boards(room.channel))
    assert accepted.messages == []
    assert (await wait_for_card(room, card, "Accepted")).content.endswith("Accepted: the game has begun.")


async def test_a_challenge_to_the_computer_is_answered_with_the_way_to_the_game(room: Room) -> None:
    told = await private_message(room.ola.command(room.channel, "challenge", computer=1, size="9x9", colour="first"))
    match = await room.use_cases.matches.load(MatchId(1))
    assert str(match.channel) in links(told)["Go to the game"]
    assert "Your move" in told.labels
    card = room.discord.message(match.channel)
    assert card is not None
    assert card.content.startswith("**Ola** – **Kropka** · Zagram, 9×9, Newcomer · Accepted: [go to the game](")


async def test_the_card_leaves_a_thread_with_its_game(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    await room.ola.command(room.channel, "challenge", computer=1, size="9x9").answered()
    await room.discord.until(lambda: room.boards(room.channel))
    room.bot.workers.cards.wake()
    card = room.discord.messages(room.channel)[0]
    assert (await wait_for_card(room, card, "the game has begun")).content.count("http") == 0


async def test_the_challenger_is_told_that_decline_would_withdraw(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    asked = await private_message(room.ola.click(card, "Decline"))
    assert asked.labels == ["Withdraw"]
    assert (await room.use_cases.challenges.load(ChallengeId(1))).state is ChallengeState.OPEN
    await room.ola.click(asked, "Withdraw").followed()
    assert (await room.use_cases.challenges.load(ChallengeId(1))).state is ChallengeState.WITHDRAWN


async def test_the_answer_to_a_challenge_withdraws_it(room: Room) -> None:
    told = await private_message(room.ola.command(room.channel, "challenge", opponent=room.maksim, size="9x9"))
    assert "withdraw it here" in told.text
    await room.ola.click(told, "Withdraw").followed()
    assert (await room.use_cases.challenges.load(ChallengeId(1))).state is ChallengeState.WITHDRAWN


async def test_of_two_players_one_moves_second_and_of_three_last(room: Room) -> None:
    two = await room.challenge(opponent=room.maksim, colour="last")
    assert "Second move: Ola" in two.content
    three = await room.challenge(players=3, size=None, start=None, colour="last")
    assert "Last to move: Ola" in three.content
