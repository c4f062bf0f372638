"""The Activity: a code of Discord for a session, and all that is no such code."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from bot.services.rate_limits import EXCHANGES, FAILED_ENTRIES, INSTANCES, NETWORK_LOADS
from loopback import Channel, Discord, Message, Person
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from play.people.settings import ServerSettings
from play.people.web_session import LAUNCH_MILLIS
from tests.bot.room import Room, private_message
from tests.clock import StoppedClock
from tests.web.visit import Visit, link_on, press_launch, with_client_secret


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return with_client_secret(discord)


def code_of(discord: Discord, person: Person) -> str:
    return person.authorize(str(discord.bot.id), ["identify"])


async def test_a_player_plays_in_the_activity_that_board_opens(
    discord: Discord, room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    outcome = await press_launch(room, room.ola, room.boards(thread)[-1])
    assert outcome.kind == "activity"
    assert outcome.activity is not None
    browser = visit()
    body = {"code": code_of(discord, room.ola), "instance": outcome.activity.id}
    status, told = await browser.post("/activity/enter", body)
    assert status == 200, told
    board = await browser.live_by_token(told)
    assert (await board.read())["view"]["you"] == 0
    turn = (await board.attempt("D4"))["turn"]
    assert (await board.play(turn))["is"] == "done"
    assert (await browser.post("/activity/enter", body))[0] == 403  # the code is used up


async def test_one_who_sees_the_channel_watches_there(
    discord: Discord, room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    outcome = await press_launch(room, room.kasia, room.boards(thread)[-1])
    assert outcome.activity is not None
    browser = visit()
    body = {"code": code_of(discord, room.kasia), "instance": outcome.activity.id}
    _, told = await browser.post("/activity/enter", body)
    board = await browser.live_by_token(told)
    assert (await board.read())["view"]["you"] is None


async def test_made_up_codes_and_instances_and_foreign_pages_get_no_session(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    outcome = await press_launch(room, room.ola, room.boards(thread)[-1])
    assert outcome.activity is not None
    here, browser = outcome.activity.id, visit()
    unsure, ended = "Discord didn't confirm your name.", "This Activity has ended."
    attempts: list[tuple[object, int, str]] = [
        ({"code": "made-up", "instance": here}, 403, unsure),
        ({"code": code_of(discord, room.ola), "instance": "made-up"}, 403, ended),
        ({"code": code_of(discord, room.maksim), "instance": here}, 403, ended),  # who has not opened it
        ({"code": code_of(discord, room.ola), "instance": "../../users/1"}, 400, ""),
        ({"code": ["x"], "instance": here}, 400, ""),
        ([], 400, ""),
    ]
    for body, status, line in attempts:
        got, told = await browser.post("/activity/enter", body)
        assert (got, told["line"].startswith(line)) == (status, True), (body, told)
    foreign = visit(origin="https://example.org")
    body = {"code": code_of(discord, room.ola), "instance": here}
    assert (await foreign.post("/activity/enter", body))[0] == 403
    assert browser.cookies == foreign.cookies == []


async def test_the_entry_point_is_told_with_the_commands_and_opens_the_game_of_its_channel(
    discord: Discord, room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    told = [each for each in discord.commands if each["type"] == 4]
    assert [(each["name"], each["handler"], each["name_localizations"]["de"]) for each in told] == [
        ("launch", 2, "starten")
    ]
    instance = room.maksim.launch(thread, "launch")
    _, answer = await visit().post("/activity/enter", {"code": code_of(discord, room.maksim), "instance": instance.id})
    assert answer["match"] == "1"


async def expect_both(room: Room, person: Person, board: Message) -> None:
    """Expects that *Browser* gives a link and the Activity, and that the link is still there once that has opened."""
    panel = await private_message(person.click(board, "Browser"))
    link = link_on(panel)
    assert link.partition("#")[0].endswith("/enter")
    assert (await person.click(panel, "Open in Discord").answered()).kind == "activity"
    left = room.discord.message(panel)
    assert left is not None
    assert link_on(left) == link


async def test_board_gives_the_link_and_the_activity_wherever_it_is(room: Room, thread: Channel) -> None:
    await expect_both(room, room.ola, room.boards(thread)[-1])
    await expect_both(room, room.kasia, room.boards(thread)[-1])  # who watches
    await expect_both(room, room.ola, await private_message(room.ola.command(thread, "board")))
    await room.play(thread, "E5", "E6")
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    await expect_both(room, room.maksim, await room.wait_for_board(thread, 3))


async def test_where_discord_opens_no_activity_the_panel_says_so_beside_the_link(
    discord: Discord, room: Room, thread: Channel
) -> None:
    panel = await private_message(room.ola.click(room.boards(thread)[-1], "Browser"))
    discord.fault("POST", "/interactions/{interaction_id}/{interaction_token}/callback", 400)
    await room.ola.click(panel, "Open in Discord").answered()
    sentence = "Discord doesn't open it here. The link works everywhere."
    await discord.until(lambda: (now := discord.message(panel)) is not None and sentence in now.text)
    told = discord.message(panel)
    assert told is not None
    assert link_on(told).partition("#")[0].endswith("/enter")


async def test_a_frame_of_opaque_origin_plays_without_cookies(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    frame = visit(origin="null")
    status, told = await enter(discord, room, thread, frame)
    assert status == 200, told
    board = await frame.live_by_token(told)
    assert (await board.read())["view"]["you"] == 1
    asked = {"token": told["token"], "for": "sheet", "match": told["match"]}
    assert (await frame.post("/activity/words", asked))[0] == 200
    assert frame.cookies == []


async def test_the_activity_gives_a_link_to_the_same_board_which_works_once(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    _, told = await enter(discord, room, thread, visit())
    assert (await visit().open(told["link"])).board["view"]["you"] == 1
    assert (await visit().enter(told["link"]))[0] == 403


async def test_a_link_to_the_activity_names_an_own_game(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    other = await room.start_match(size="9x9")
    for custom, match in (("1", "1"), ("2", "2"), ("77", "2"), ("x", "2"), (None, "2")):
        instance = room.maksim.launch(other, "launch").id
        body = {"code": code_of(discord, room.maksim), "instance": instance, "custom": custom}
        assert (await visit().post("/activity/enter", body))[1]["match"] == match, custom


async def launched(discord: Discord, room: Room, person: Person, board: Message, browser: Visit) -> dict[str, Any]:
    """Opens the Activity by the button below a board; returns what its page is told."""
    outcome = await press_launch(room, person, board)
    assert outcome.activity is not None
    body = {"code": code_of(discord, person), "instance": outcome.activity.id}
    told: dict[str, Any] = (await browser.post("/activity/enter", body))[1]
    return told


async def test_board_below_each_of_three_games_of_a_channel_opens_that_game(
    discord: Discord, room: Room, visit: Callable[..., Visit]
) -> None:
    async with room.services.store.write() as tx:
        await tx.servers.save(ServerSettings(GuildId(room.discord.guild.id), threads=False))
    boards: list[Message] = []
    for number in range(1, 4):
        card = await room.challenge(opponent=room.maksim, size="9x9")
        await room.maksim.click(card, "Accept").followed()
        await room.wait_for_outbox()
        await room.use_cases.matches.resign(
            MatchId(number), UserId(room.maksim.id), room.clock(), IdempotencyKey(number)
        )
        await room.wait_for_outbox()
        boards.append(room.boards(room.channel)[-1])
    for person, seat in ((room.ola, 0), (room.maksim, 1), (room.kasia, None)):
        for match, board in enumerate(boards, 1):
            told = await launched(discord, room, person, board, browser := visit())
            assert told["match"] == str(match)
            shown = await (await browser.live_by_token(told)).read()
            assert (shown["view"]["match"], shown["view"]["you"]) == (match, seat)


async def test_a_press_counts_for_one_activity_and_not_for_long(
    discord: Discord, room: Room, visit: Callable[..., Visit]
) -> None:
    older, newer = [await room.start_match(size="9x9", start="empty") for _ in range(2)]
    assert (await launched(discord, room, room.ola, room.boards(older)[-1], visit()))["match"] == "1"

    async def reopen() -> str:
        body = {"code": code_of(discord, room.ola), "instance": room.ola.launch(newer, "launch").id}
        return str((await visit().post("/activity/enter", body))[1]["match"])

    assert await reopen() == "2"
    await press_launch(room, room.ola, room.boards(older)[-1])
    await room.pass_time(LAUNCH_MILLIS)
    assert await reopen() == "2"


async def test_the_page_runs_one_script_of_a_nonce_that_is_new_each_time(
    room: Room, visit: Callable[..., Visit]
) -> None:
    nonces = set()
    for _ in range(2):
        headers, (_, page) = await visit().headers("/activity"), await visit().get("/activity")
        (nonce,) = re.findall(r"'nonce-([\w-]+)' blob:;", headers["Content-Security-Policy"])
        nonces |= {nonce, *re.findall(r'nonce="([\w-]+)"', page)}
        assert page.count("<script") == 1
        assert "unsafe" not in headers["Content-Security-Policy"]
    assert len(nonces) == 4


ENTRY_MILLIS, ATTEMPTS = 3000, 8
"""Milliseconds between two entries of a player, and the made-up codes meanwhile: 2.7 a second."""

EXCHANGE, USER = "POST /oauth2/token", "GET /users/@me"

INSTANCE = "GET /applications/{application_id}/activity-instances/{instance_id}"


def made_up(room: Room) -> dict[str, str]:
    """Returns a made-up code for the Activity of another channel, which Kasia has open: a stolen instance."""
    return {"code": "made-up", "instance": room.kasia.launch(room.general, "launch").id}


def count(discord: Discord, endpoint: str) -> int:
    """Returns how often Discord was asked."""
    return sum(request.endpoint == endpoint for request in discord.requests)


async def knock(room: Room, visit: Callable[..., Visit], times: int) -> list[int]:
    """Sends made-up codes, each from a network of its own; returns the statuses."""
    body = made_up(room)
    return [
        (await visit(network=f"9.9.{number >> 8}.{number & 255}").post("/activity/enter", body))[0]
        for number in range(times)
    ]


async def enter(discord: Discord, room: Room, thread: Channel, browser: Visit) -> tuple[int, dict[str, Any]]:
    """Enters as Максим, who opens the Activity."""
    instance = room.maksim.launch(thread, "launch")
    body = {"code": code_of(discord, room.maksim), "instance": instance.id}
    return await browser.post("/activity/enter", body)


async def test_a_flood_of_made_up_codes_does_not_reach_discord(
    discord: Discord, room: Room, visit: Callable[..., Visit]
) -> None:
    tried = EXCHANGES.burst // 2  # the other half is kept from a room of which more than one has failed
    assert await knock(room, visit, 50) == [403] * tried + [429] * (50 - tried)
    assert count(discord, EXCHANGE) == tried


@pytest.mark.sample(3)
@pytest.mark.parametrize(("status", "seconds"), [(429, 90), (401, 60), (403, 60), (500, 5)])
async def test_discord_is_not_asked_again_before_it_may_be(
    discord: Discord,
    room: Room,
    thread: Channel,
    clock: StoppedClock,
    visit: Callable[..., Visit],
    status: int,
    seconds: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    discord.fault("POST", "/oauth2/token", status, retry_after=seconds)
    assert await knock(room, visit, 40) == [429] * 40
    assert count(discord, EXCHANGE) == 1
    clock.advance(1000 * (seconds - 1))
    told = (await visit(accept="pl").post("/activity/enter", made_up(room)))[1]
    assert told == {"line": "Planszy nie da się teraz otworzyć. Spróbuj ponownie za 1 sekundę."}
    assert count(discord, EXCHANGE) == 1
    clock.advance(1000)
    assert (await enter(discord, room, thread, visit()))[0] == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    if status in (401, 403):
        discord.problems.clear()


async def test_a_network_fails_twenty_times_and_closes_no_other(
    discord: Discord, room: Room, thread: Channel, clock: StoppedClock, visit: Callable[..., Visit]
) -> None:
    browser, body, statuses = visit(network="8.8.8.8"), made_up(room), []
    for _ in range(25):
        statuses.append((await browser.post("/activity/enter", body))[0])
        clock.advance(1000)
    assert statuses == [403] * FAILED_ENTRIES.burst + [429] * 5
    assert count(discord, EXCHANGE) == FAILED_ENTRIES.burst
    assert (await enter(discord, room, thread, visit(network="8.8.4.4")))[0] == 200


async def test_players_behind_one_proxy_are_no_failures(
    discord: Discord, room: Room, thread: Channel, clock: StoppedClock, visit: Callable[..., Visit]
) -> None:
    for _ in range(25):
        assert (await enter(discord, room, thread, visit(network="8.8.8.8")))[0] == 200
        clock.advance(1000)


async def test_a_network_that_has_read_all_the_pages_it_may_lets_its_players_in(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    reader = visit(network="8.8.8.8")
    while await reader.status("/server/unknown") != 429:
        pass
    assert (await enter(discord, room, thread, visit(network="8.8.8.8")))[0] == 200


async def test_a_code_that_does_not_name_its_user_costs_one_request(
    discord: Discord, room: Room, visit: Callable[..., Visit]
) -> None:
    code = room.ola.authorize(str(discord.bot.id), ["guilds"])
    before = count(discord, USER)
    assert (await visit().post("/activity/enter", made_up(room) | {"code": code}))[0] == 403
    assert count(discord, EXCHANGE) == 1
    assert count(discord, USER) == before


@pytest.mark.parametrize("entries", [10, pytest.param(50, marks=pytest.mark.contest)])
async def test_a_player_enters_beside_made_up_codes_from_the_same_network(
    discord: Discord, room: Room, thread: Channel, clock: StoppedClock, visit: Callable[..., Visit], entries: int
) -> None:
    stranger, player = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    stolen = made_up(room)
    attacks: dict[str, Callable[[int], str]] = {
        "one instance": lambda _: "made-up",
        "another instance each time": lambda number: f"made-up-{number}",
        "a stolen instance": lambda _: stolen["instance"],
    }
    for name, instance in attacks.items():
        entered, number = 0, 0
        for _ in range(entries):
            for _ in range(ATTEMPTS):
                number += 1
                await stranger.post("/activity/enter", {"code": "made-up", "instance": instance(number)})
                clock.advance(ENTRY_MILLIS // ATTEMPTS)
            entered += (await enter(discord, room, thread, player))[0] == 200
        assert entered == entries, name


async def test_one_who_knows_an_instance_closes_that_one_to_their_own_network_alone(
    discord: Discord, room: Room, thread: Channel, clock: StoppedClock, visit: Callable[..., Visit]
) -> None:
    stranger, body = visit(network="8.8.8.8"), made_up(room)
    for _ in range(FAILED_ENTRIES.burst):
        await stranger.post("/activity/enter", body)
        clock.advance(1000)
    inside = {"code": code_of(discord, room.kasia), "instance": body["instance"]}
    status, told = await visit(network="8.8.8.8").post("/activity/enter", inside)
    assert (status, told["line"].startswith("The board can't be opened right now.")) == (429, True), told
    assert (await enter(discord, room, thread, visit(network="8.8.8.8")))[0] == 200
    assert (await visit(network="8.8.4.4").post("/activity/enter", inside))[0] == 200


async def test_discord_is_asked_about_an_instance_once_a_minute_and_about_a_made_up_one_each_five_seconds(
    discord: Discord, room: Room, clock: StoppedClock, visit: Callable[..., Visit]
) -> None:
    browser, known = visit(), made_up(room)
    for body, asked in ((known, 1), (known | {"instance": "made-up"}, 2)):
        before = count(discord, INSTANCE)
        for _ in range(8):
            await browser.post("/activity/enter", body)
            clock.advance(1000)
        assert count(discord, INSTANCE) - before == asked


async def test_questions_about_made_up_instances_have_a_pace(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    stranger = visit(network="8.8.8.8")
    for number in range(100):
        await stranger.post("/activity/enter", {"code": "made-up", "instance": f"made-up-{number}"})
    assert count(discord, INSTANCE) <= INSTANCES.burst
    assert count(discord, EXCHANGE) == 0


async def test_made_up_tokens_take_nothing_from_the_players_behind_the_same_proxy(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    stranger, player = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    _, told = await enter(discord, room, thread, player)
    asked = {"for": "board", "match": "1"}
    statuses = [
        (await stranger.post("/activity/words", {"token": "made-up", **asked}))[0]
        for _ in range(NETWORK_LOADS.burst + 1)
    ]
    assert statuses == [401] * NETWORK_LOADS.burst + [429]
    assert (await player.post("/activity/words", {"token": told["token"], **asked}))[0] == 200
    assert (await player.post("/activity/home", {"token": told["token"]}))[0] == 200
    assert (await (await player.live_by_token(told)).read())["is"] == "board"
