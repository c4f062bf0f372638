"""Searches for a stranger on the home page: begun, called to and left there, as by `/play`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from loopback import Discord, Permission
from play.clock import Speed
from play.community.seek import CALL_MILLIS, LIFETIME, SeekState
from play.ids import GuildId, MatchId, UserId
from tests.bot.border import Border
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.visit import Visit

LIVE: dict[str, Any] = {"speed": "live", "weekly": False, "flexible": True}

Visits = Callable[..., Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


@pytest.fixture
async def ola(border: Border, visit: Visits) -> AtHome:
    return await AtHome.enter(border.room, border.ola, visit())


@pytest.fixture
async def jadwiga(border: Border, visit: Visits) -> AtHome:
    return await AtHome.enter(border.room, border.jadwiga, visit())


async def meet(border: Border, *pages: AtHome) -> list[int]:
    """Has those at the pages look for a live game until they are called; returns their searches."""
    found = [(await each.must("look", **LIVE))["seeks"][0]["seek"] for each in pages]
    border.room.bot.workers.matchmaker.wake()

    async def called() -> bool:
        async with border.room.services.store.read() as reader:
            seeks = [await reader.seeks.get(each) for each in found]
        return all(each is not None and each.call is not None for each in seeks)

    await border.room.until(called)
    return found


async def test_a_page_offers_the_three_searches(ola: AtHome) -> None:
    told = (await ola.read())["searches"]
    assert [each["label"] for each in told["ways"]] == ["Live game", "Game over days", "A game a week"]
    assert told["own"] == "Only my rules"


async def test_a_search_says_who_else_looks_and_can_be_left(ola: AtHome, jadwiga: AtHome) -> None:
    await jadwiga.must("look", **{**LIVE, "speed": "days"})
    [search] = (await ola.must("look", **LIVE))["seeks"]
    assert search["lines"] == [
        "A live game: Zagram 20×20, 10 minutes in total, plus 10 seconds per move",
        "Nobody else is looking yet. I call you as soon as an opponent is there.",
    ]
    assert (search["ends"], search["ready"], search["leave"]) == (None, None, "Stop looking")
    told = await ola.must("leave", seek=search["seek"])
    assert told["seeks"] == []
    assert len(told["ways"]) == 3


async def test_two_who_look_at_their_pages_are_called_there_and_led_to_the_board(
    border: Border, ola: AtHome, jadwiga: AtHome
) -> None:
    own, other = await meet(border, ola, jadwiga)
    [search] = (await ola.must("seeks", of=own))["seeks"]
    assert (search["ready"], search["leave"]) == ("I'm here", None)
    assert 0 < search["ends"] <= CALL_MILLIS
    [ready] = (await ola.must("ready", seek=own))["seeks"]
    assert ready["ready"] is None
    await jadwiga.must("ready", seek=other)

    async def begun() -> int | None:
        return (await ola.must("seeks", of=own)).get("match")

    match = MatchId(await border.room.until(begun))
    assert (await jadwiga.must("seeks", of=other))["match"] == match
    assert [(await each.visit.get(f"/board/{match}"))[0] for each in (ola, jadwiga)] == [200, 200]
    await border.settle()


async def test_in_the_activity_the_search_is_that_of_its_channel(border: Border, visit: Visits) -> None:
    frame = await AtHome.launch(border.room, border.ola, border.here, visit())
    await frame.must("look", **LIVE)
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert (outlook.seek.guild, outlook.seek.channel) == (border.room.discord.guild.id, border.here.id)


async def test_where_no_thread_can_be_opened_the_search_is_in_direct_messages(border: Border, visit: Visits) -> None:
    frame = await AtHome.launch(border.room, border.ola, border.here, visit())
    border.room.discord.deny(border.here, Permission.CREATE_PUBLIC_THREADS)
    await frame.must("look", **LIVE)
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert outlook.seek.guild is None


async def test_a_server_that_wants_no_strangers_is_left_out(border: Border, visit: Visits) -> None:
    frame = await AtHome.launch(border.room, border.ola, border.here, visit())
    async with border.room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(border.room.discord.guild.id))
        await tx.servers.save(replace(server, strangers=False))
    await frame.must("look", **LIVE)
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert outlook.seek.guild is None


async def test_who_was_called_and_not_there_reads_so(
    border: Border, ola: AtHome, jadwiga: AtHome, clock: StoppedClock
) -> None:
    own, _ = await meet(border, ola, jadwiga)
    clock.advance(CALL_MILLIS)
    border.room.bot.workers.matchmaker.wake()

    async def line() -> str | None:
        return (await ola.must("seeks", of=own)).get("line")

    assert await border.room.until(line) == "You weren't there, so I've stopped looking."


async def test_a_search_that_nobody_answered_says_so(border: Border, ola: AtHome, clock: StoppedClock) -> None:
    [search] = (await ola.must("look", **LIVE))["seeks"]
    clock.advance(LIFETIME[Speed.LIVE])
    border.room.bot.workers.matchmaker.wake()

    async def line() -> str | None:
        return (await ola.must("seeks", of=search["seek"])).get("line")

    assert str(await border.room.until(line)).startswith("Nobody has come")


async def test_a_search_of_someone_else_is_nobody_s(ola: AtHome, jadwiga: AtHome) -> None:
    [search] = (await ola.must("look", **LIVE))["seeks"]
    number = search["seek"]
    for what, fields in (("seeks", {"of": number}), ("leave", {"seek": number}), ("ready", {"seek": number})):
        status, answer = await jadwiga.do(what, **fields)
        assert (status, answer["line"][:19]) == (403, "This search is over"), what


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "made_up",
    [{"speed": "live", "weekly": True}, {"speed": "blitz"}, {"speed": 4}, {"flexible": "yes"}, {"weekly": None}],
)
async def test_a_made_up_search_is_refused(ola: AtHome, made_up: dict[str, Any]) -> None:
    assert (await ola.do("look", **{**LIVE, **made_up}))[0] == 400


async def test_a_search_begun_twice_is_one(border: Border, ola: AtHome) -> None:
    for _ in range(3):
        told = await ola.must("look", **LIVE)
    assert len(told["seeks"]) == 1
    assert told["seeks"][0]["lines"][1].startswith("Nobody else")
    async with border.room.services.store.read() as reader:
        [stored] = await reader.seeks.open_of(UserId(border.ola.id))
    assert stored.state is SeekState.WAITING


async def test_the_wishes_of_others_are_listed_and_taken(border: Border, ola: AtHome, jadwiga: AtHome) -> None:
    await jadwiga.must("look", **{**LIVE, "speed": "days"})
    [seat] = (await ola.must("seeks", of=None))["seats"]
    assert (seat["line"][:7], seat["sit"]) == ("Jadwiga", "Sit down")
    [search] = (await ola.must("sit", seat=seat["seat"]))["seeks"]
    assert (search["leave"], search["live"]) == (None, False)
    border.room.bot.workers.matchmaker.wake()

    async def begun() -> int | None:
        return (await ola.must("seeks", of=search["seek"])).get("match")

    assert await border.room.until(begun)
    await border.settle()


async def test_a_seat_that_was_just_taken_is_said_with_what_else_there_is(ola: AtHome, jadwiga: AtHome) -> None:
    [search] = (await jadwiga.must("look", **LIVE))["seeks"]
    await jadwiga.must("leave", seek=search["seek"])
    told = await ola.must("sit", seat=search["seek"])
    assert told["line"].startswith("This seat was taken a moment ago")
    assert len(told["ways"]) == 3


async def test_an_own_search_is_no_open_seat_and_cannot_be_taken(ola: AtHome) -> None:
    told = await ola.must("look", **LIVE)
    assert told["seats"] == []
    status, answer = await ola.do("sit", seat=told["seeks"][0]["seek"])
    assert (status, answer["line"][:22]) == (403, "This is your own seat.")


async def test_who_looks_for_a_live_game_is_offered_the_computer_and_the_daily_meanwhile(ola: AtHome) -> None:
    [search] = (await ola.must("look", **LIVE))["seeks"]
    assert search["meanwhile"] == {
        "daily": "Daily puzzles",
        "computer": "Computer meanwhile",
        "line": "The game against the computer ends without a trace as soon as your opponent is there.",
    }


async def test_a_search_over_days_offers_nothing_meanwhile(ola: AtHome) -> None:
    [search] = (await ola.must("look", **{**LIVE, "speed": "days"}))["seeks"]
    assert search["meanwhile"] is None


async def test_the_computer_leaves_when_the_opponent_is_there(border: Border, ola: AtHome, jadwiga: AtHome) -> None:
    [search] = (await ola.must("look", **LIVE))["seeks"]
    practice = MatchId((await ola.must("meanwhile", seek=search["seek"]))["match"])
    other = (await jadwiga.must("look", **LIVE))["seeks"][0]["seek"]
    border.room.bot.workers.matchmaker.wake()

    async def called() -> bool:
        return bool((await ola.must("seeks", of=search["seek"]))["seeks"][0]["ready"])

    await border.room.until(called)
    await ola.must("ready", seek=search["seek"])
    await jadwiga.must("ready", seek=other)

    async def begun() -> int | None:
        return (await ola.must("seeks", of=search["seek"])).get("match")

    assert await border.room.until(begun) != practice
    outcome = (await border.room.use_cases.matches.load(practice)).outcome
    assert outcome is not None
    assert outcome.reason == "called_off"
    await border.settle()


async def test_a_game_that_was_there_already_is_not_called_off(border: Border, ola: AtHome) -> None:
    [search] = (await ola.must("look", **LIVE))["seeks"]
    own = (await ola.must("computer", level=None))["match"]
    assert (await ola.must("meanwhile", seek=search["seek"]))["match"] == own
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert outlook.seek.meanwhile is None


async def test_nobody_plays_meanwhile_for_a_search_of_someone_else(ola: AtHome, jadwiga: AtHome) -> None:
    [search] = (await jadwiga.must("look", **LIVE))["seeks"]
    assert (await ola.do("meanwhile", seek=search["seek"]))[0] == 403
