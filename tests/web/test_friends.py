"""Challenges to friends by name, and further games with them, from the home page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord, Person
from play.ids import ChallengeId, UserId
from rules.registry import make_game
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.clock import StoppedClock
from tests.web.finished import store_game
from tests.web.games_at_home import begin_games
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_private_games import close_to_members
from tests.web.test_rights import silence
from tests.web.visit import Visit

Visits = Callable[..., Visit]

GAME = make_game("zagram", {"size": "9x9", "start": "empty"})


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a computer and a site, where Ola and Максим have played."""
    async with room_with_activity(discord, url, clock, run_options) as room:
        await skip_confirmations(room)
        await store_game(room, room.channel, GAME, ("E5", "E6"))
        yield room


@pytest.fixture
async def ola(room: Room, visit: Visits) -> AtHome:
    """Ola's home in a browser."""
    return await AtHome.enter(room, room.ola, visit())


async def draft(home: AtHome) -> dict[str, Any]:
    return await home.must("draft", code=None, field="", values=[])


async def challenge(home: AtHome, person: Person, **fields: Any) -> tuple[int, dict[str, Any]]:
    """Challenges a person by name in the first channel."""
    told = await draft(home)
    message = {"code": told["code"], "channel": told["venues"][0]["channel"], "opponent": str(person.id), **fields}
    return await home.do("offer", **message)


async def play_computer(room: Room) -> None:
    """Begins a game of Ola's against the computer."""
    await room.ola.command(room.channel, "challenge", computer=1).answered()


async def test_those_with_whom_one_has_played_come_first_and_the_bot_and_blocked_ones_not_at_all(
    room: Room, ola: AtHome
) -> None:
    await begin_games(room, room.kasia, room.ola, 1)
    await play_computer(room)
    people = (await draft(ola))["people"]
    assert [each["name"] for each in people] == ["Kasia Wiśniewska", "Максим"]
    assert people[0] == {
        "user": str(room.kasia.id),
        "name": "Kasia Wiśniewska",
        "guilds": [str(room.discord.guild.id)],
    }
    await room.use_cases.blocks.block(UserId(room.kasia.id), UserId(room.ola.id), room.clock())
    assert [each["name"] for each in (await draft(ola))["people"]] == ["Максим"]


async def test_a_friend_is_challenged_once_and_accepts_at_home(room: Room, ola: AtHome, visit: Visits) -> None:
    told = await draft(ola)
    message = {"code": told["code"], "channel": told["venues"][0]["channel"], "opponent": str(room.maksim.id)}
    first = await ola.must("offer", **message, id="a-key-of-the-page")
    assert await ola.must("offer", **message, id="a-key-of-the-page") == first
    stored = await room.use_cases.challenges.load(ChallengeId(1))
    assert (stored.challenger, stored.opponent) == (room.ola.id, room.maksim.id)
    (offered,) = (await ola.read())["offered"]
    assert (offered["title"], offered["decline"]) == ("Waiting for Максим", "Withdraw")
    maksim = await AtHome.enter(room, room.maksim, visit())
    (asked,) = (await maksim.read())["asked"]
    answer = await maksim.must("accept", challenge=asked["challenge"], changes=asked["changes"])
    assert [each["match"] for each in (await ola.read())["games"]] == [answer["match"]]


async def test_nobody_is_challenged_by_name_who_is_unknown_there_or_does_not_see_the_channel(
    room: Room, ola: AtHome
) -> None:
    refused = "They can't see that channel in Discord, or aren't"
    stranger = room.discord.invite("Zofia")
    for person in (room.kasia, stranger):
        status, answer = await challenge(ola, person)
        assert (status, answer["line"][: len(refused)]) == (403, refused)
    for made_up in (str(room.discord.bot.id), "77"):
        assert (await challenge(ola, room.maksim, opponent=made_up))[0] == 403
    assert (await challenge(ola, room.maksim, opponent="Максим"))[0] == 400
    assert (await challenge(ola, room.ola))[0] == 403
    room.maksim.leave()
    room.clock.advance(61_000)
    assert (await challenge(ola, room.maksim))[1]["line"].startswith(refused)
    assert await room.use_cases.challenges.list_open(challenger=UserId(room.ola.id)) == []


async def test_who_has_left_the_server_is_not_offered(room: Room, ola: AtHome) -> None:
    room.maksim.leave()
    room.bot.services.names.forget(UserId(room.maksim.id))
    assert (await draft(ola))["people"] == []


async def test_a_finished_game_is_offered_again_in_place_and_once(room: Room, ola: AtHome) -> None:
    (line,) = (await ola.read())["finished"]
    assert line["rematch"] == "Rematch"
    told = {"match": line["match"], "id": "a-key-of-the-page"}
    first, again = await ola.must("rematch", **told), await ola.must("rematch", **told)
    assert first == again == {"line": "The rematch is offered. When it's accepted, the game is here."}
    lobby = await ola.read()
    assert [each["title"] for each in lobby["offered"]] == ["Waiting for Максим"]
    assert lobby["finished"][0]["rematch"] is None
    assert await ola.must("rematch", match=line["match"]) == first  # of another page
    assert len(await room.use_cases.challenges.list_open()) == 1


async def test_of_two_who_offer_a_game_again_the_second_accepts(room: Room, ola: AtHome, visit: Visits) -> None:
    await ola.must("rematch", match=1)
    maksim = await AtHome.enter(room, room.maksim, visit())
    begun = await maksim.must("rematch", match=1)
    assert [each["match"] for each in (await ola.read())["games"]] == [begun["match"]]


async def test_no_game_of_others_or_that_goes_on_is_offered_again(room: Room, ola: AtHome, visit: Visits) -> None:
    (goes_on,) = await begin_games(room, room.ola, room.maksim, 1)
    assert (await ola.do("rematch", match=goes_on))[0] == 403
    assert (await ola.do("rematch", match=99))[0] == 404
    kasia = await AtHome.enter(room, room.kasia, visit())
    assert (await kasia.do("rematch", match=1))[0] in (403, 404)
    assert await room.use_cases.challenges.list_open() == []


async def test_nothing_is_offered_again_where_one_may_not_write(room: Room, visit: Visits) -> None:
    maksim = await AtHome.enter(room, room.maksim, visit())
    await silence(room, room.maksim)
    assert (await maksim.do("rematch", match=1))[0] == 403
    room.discord.time_out(room.maksim, 0)
    close_to_members(room, room.channel)
    room.clock.advance(61_000)
    assert (await maksim.do("rematch", match=1))[0] == 403
    assert await room.use_cases.challenges.list_open() == []
