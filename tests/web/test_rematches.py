"""A rematch on the page of the game that is over: offered, waiting, accepted, declined, taken back, and out of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from loopback import Channel, Person
from play.ids import ChallengeId, IdempotencyKey, MatchId, UserId
from tests.bot.room import Room
from tests.clock import DAY
from tests.web.visit import Board, Visit, link_for

Visits = Callable[[], Visit]


class Pair(NamedTuple):
    """The open boards of both players of a game that Ola has resigned."""

    ola: Board
    maksim: Board


async def open_board(room: Room, thread: Channel, visit: Visits, person: Person) -> Board:
    return await visit().open(await link_for(room, person, room.boards(thread)[-1]))


@pytest.fixture
async def pair(room: Room, thread: Channel, visit: Visits) -> Pair:
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_outbox()
    return Pair(await open_board(room, thread, visit, room.ola), await open_board(room, thread, visit, room.maksim))


async def do(board: Board, action: str) -> dict[str, Any]:
    """Does an action."""
    return await board.ask("act", version=board.board["version"], action=action)


async def offer_on(board: Board) -> dict[str, Any]:
    """Reads up to a board with the offer of a rematch, and returns that."""
    while not (offers := board.board["view"].get("offers")):
        await board.read()
    offer: dict[str, Any] = offers[0]
    return offer


async def without_offer(board: Board) -> dict[str, Any]:
    """Reads up to a board without the offer of a rematch, and returns its view."""
    while board.board["view"].get("offers"):
        await board.read()
    view: dict[str, Any] = board.board["view"]
    return view


def labels(offer: dict[str, Any]) -> list[str]:
    return [each["label"] for each in offer["actions"]]


def key_of(offer: dict[str, Any], label: str) -> str:
    """Returns the key of the answer with a label."""
    return next(str(each["key"]) for each in offer["actions"] if each["label"] == label)


async def test_who_offers_waits_and_the_other_is_asked(pair: Pair) -> None:
    assert (await do(pair.ola, "rematch"))["is"] == "done"
    waits, asks = await offer_on(pair.ola), await offer_on(pair.maksim)
    assert waits["text"] == "Your rematch is waiting for Максим."
    assert labels(waits) == ["Withdraw"]
    assert asks["text"] == "Ola offers a rematch."
    assert labels(asks) == ["Accept", "Decline"]
    assert "rematch" not in [each["key"] for each in pair.maksim.board["view"]["actions"]]


async def test_the_acceptance_leads_both_to_the_new_game(pair: Pair) -> None:
    await do(pair.ola, "rematch")
    accepted = await do(pair.maksim, key_of(await offer_on(pair.maksim), "Accept"))
    assert (accepted["is"], accepted["match"]) == ("done", 2)
    for board in pair:
        while board.board["view"]["next"] != 2:
            await board.read()
        assert board.board["view"].get("offers", []) == []


async def test_of_two_offers_at_once_the_second_accepts_the_first(pair: Pair) -> None:
    await do(pair.ola, "rematch")
    assert (await do(pair.maksim, "rematch"))["match"] == 2


async def test_a_second_offer_of_the_same_player_changes_nothing(room: Room, pair: Pair) -> None:
    first, second = await do(pair.ola, "rematch"), await do(pair.ola, "rematch")
    assert (first["is"], second["is"]) == ("done", "done")
    assert len([each for each in await room.use_cases.challenges.list_open() if each.rematch_of == 1]) == 1


async def test_a_second_acceptance_leads_to_the_same_game(pair: Pair) -> None:
    await do(pair.ola, "rematch")
    key = key_of(await offer_on(pair.maksim), "Accept")
    assert [(await do(pair.maksim, key))["match"] for _ in range(2)] == [2, 2]


async def test_who_has_offered_learns_of_the_refusal_and_may_offer_again(pair: Pair) -> None:
    await do(pair.ola, "rematch")
    await offer_on(pair.ola)
    assert (await do(pair.maksim, key_of(await offer_on(pair.maksim), "Decline")))["is"] == "done"
    view = await without_offer(pair.ola)
    assert view["notes"] == ["No rematch this time: Максим doesn't want one now."]
    assert view["actions"][0]["key"] == "rematch"
    assert (await without_offer(pair.maksim)).get("notes", []) == []


async def test_an_offer_that_is_taken_back_is_gone_for_the_other(pair: Pair) -> None:
    await do(pair.ola, "rematch")
    await offer_on(pair.maksim)
    await do(pair.ola, key_of(await offer_on(pair.ola), "Withdraw"))
    assert (await without_offer(pair.maksim))["notes"] == ["Ola has taken the rematch back."]
    assert (await without_offer(pair.ola)).get("notes", []) == []


async def test_both_learn_that_nobody_answered_in_time(room: Room, pair: Pair) -> None:
    await do(pair.ola, "rematch")
    await offer_on(pair.maksim)
    await offer_on(pair.ola)
    await room.pass_time(8 * DAY)
    await room.use_cases.challenges.expire()
    for board in pair:
        assert (await without_offer(board))["notes"] == ["The rematch wasn't answered in time."]


async def test_nobody_answers_the_offer_of_another_game(room: Room, pair: Pair) -> None:
    await do(pair.ola, "rematch")
    offered = await offer_on(pair.maksim)
    other = await room.challenge(opponent=room.maksim)
    assert other.labels
    newest = max(each.id for each in await room.use_cases.challenges.list_open())
    assert newest != ChallengeId(int(key_of(offered, "Accept").split(":")[2]))
    assert (await do(pair.maksim, f"rematch:accept:{newest}:0"))["is"] == "refused"
    assert (await do(pair.ola, key_of(offered, "Accept")))["is"] == "refused"  # one's own


async def test_who_watches_is_not_asked(room: Room, thread: Channel, visit: Visits, pair: Pair) -> None:
    await do(pair.ola, "rematch")
    offered = await offer_on(pair.maksim)
    kasia = await open_board(room, thread, visit, room.kasia)
    assert kasia.board["view"].get("offers", []) == []
    assert (await do(kasia, key_of(offered, "Accept")))["is"] == "refused"
    assert (await do(kasia, "rematch"))["is"] == "refused"
