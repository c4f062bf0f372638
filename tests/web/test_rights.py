"""Rights that end with their reason: watching, and what a click on the web may do in a channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import yarl

from loopback import Channel, Permission, Person
from play.ids import ChannelId, MatchId, UserId
from rules.registry import GAMES
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message
from tests.clock import MINUTE
from tests.web.finished import store_game
from tests.web.visit import DEEDS, Board, Visit, link_for
from use_cases.channel_rights import UNTOLD_MILLIS
from web.access.links import LinkSigner
from web.live.socket import posts

Visits = Callable[..., Visit]
Change = Callable[[Room, Channel], Awaitable[None]]

WATCH_OVER = "You can't watch this game any longer. If you still see it in Discord, press “Browser” under it."
BANNED = "The moderators of this server have banned you from games here. Ask them about it."
CANNOT_POST = "You can't write in this game's channel on Discord right now, so nothing is posted for you."


async def leave_server(room: Room, _: Channel) -> None:
    room.kasia.leave()


async def close_channel(room: Room, _: Channel) -> None:
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)


async def ban(room: Room, _: Channel) -> None:
    room.make_moderator(room.maksim)
    await confirm(room.maksim, room.maksim.command(room.channel, "moderate ban", member=room.kasia), "Ban from games")


async def block(room: Room, _: Channel) -> None:
    services = room.services
    await services.use_cases.blocks.block(UserId(room.ola.id), UserId(room.kasia.id), room.clock())


async def move_elsewhere(room: Room, thread: Channel) -> None:
    async with room.services.store.write() as tx:
        await tx.matches.move_out_of_thread(MatchId(1), ChannelId(room.general.id))


ENDS: dict[str, tuple[Change, str]] = {
    "left the server": (leave_server, WATCH_OVER),
    "channel closed": (close_channel, WATCH_OVER),
    "banned": (ban, BANNED),
    "blocked": (block, WATCH_OVER),
}
"""Ends of the right to watch a game, with the sentence that is read then."""


async def watch(room: Room, thread: Channel, visit: Visits) -> tuple[Visit, str, Board]:
    """Returns Kasia's browser, the address of the game that she watches, and its open board."""
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.kasia, room.boards(thread)[-1]))
    board = await browser.live(answer["to"])
    await board.read()
    return browser, str(answer["to"]), board


async def pass_a_minute(room: Room) -> None:
    await room.pass_time(MINUTE)
    assert room.bot.website is not None
    await room.bot.website.hub.check_watching()


@pytest.mark.sample(3)
@pytest.mark.parametrize("why", ENDS)
async def test_the_right_to_watch_ends_with_its_reason(room: Room, thread: Channel, visit: Visits, why: str) -> None:
    browser, address, board = await watch(room, thread, visit)
    await pass_a_minute(room)
    assert await browser.status(address) == 200
    change, sentence = ENDS[why]
    await change(room, thread)
    await pass_a_minute(room)
    assert (await board.closed(), board.line) == (4404, sentence)
    status, page = await browser.get(address)
    assert (status, sentence.replace("'", "&#x27;") in page) == (403, True)
    again = await browser.live(address)
    assert (await again.closed(), again.line) == (4404, sentence)
    assert await browser.status(f"/words.json?for=board&match=1&{yarl.URL(address).query_string}") == 403


async def test_a_game_that_has_moved_is_watched_anew_by_its_address(room: Room, thread: Channel, visit: Visits) -> None:
    browser, address, board = await watch(room, thread, visit)
    await move_elsewhere(room, thread)
    await pass_a_minute(room)
    assert (await board.closed(), board.line) == (4404, WATCH_OVER)
    assert await browser.status(f"/words.json?for=board&match=1&{yarl.URL(address).query_string}") == 403
    assert await browser.status(address) == 200
    assert (await (await browser.live(address)).read())["view"]["you"] is None


async def test_a_right_is_asked_for_once_a_minute(room: Room, thread: Channel, visit: Visits) -> None:
    browser, address, _ = await watch(room, thread, visit)
    asked = len(room.discord.requests)
    assert [await browser.status(address) for _ in range(30)] == [200] * 30
    assert len(room.discord.requests) == asked
    await pass_a_minute(room)
    assert 0 < len(room.discord.requests) - asked <= 4  # the server, the thread, its channel, the member


async def test_a_player_keeps_their_board_whatever_the_server_says(
    room: Room, thread: Channel, visit: Visits, board: Board
) -> None:
    room.ola.leave()
    await pass_a_minute(room)
    assert (await board.play("E5"))["is"] == "done"


async def test_where_discord_tells_nothing_a_link_lets_in_for_a_day(room: Room, visit: Visits) -> None:
    match = await store_game(
        room, room.channel, GAMES["zagram"].with_options({"size": "9x9", "start": "empty"}), ("E5",), guild=None
    )
    sessions, kasia = room.services.web_sessions, UserId(room.kasia.id)
    signer, key = LinkSigner.of("x"), await sessions.link_key(kasia)
    link = signer.read(signer.make(kasia, match.id, room.clock(), key=key, seen=match.channel))
    await sessions.exchange(link, "d" * 64)
    await room.pass_time(UNTOLD_MILLIS - 1)
    assert (await sessions.enter(kasia, match.id)).seat is None
    await room.pass_time(1)
    with pytest.raises(Exception, match="watch_over"):
        await sessions.enter(kasia, match.id)


async def leave(room: Room, person: Person) -> None:
    person.leave()


async def silence(room: Room, person: Person) -> None:
    until = datetime.now(UTC) + timedelta(days=1)  # the bot knows no other time for it
    room.discord.world.silence(person.user, until.timestamp())


async def take_writing(room: Room, person: Person) -> None:
    room.discord.deny(room.channel, Permission.SEND_MESSAGES_IN_THREADS, person)


async def take_sight(room: Room, person: Person) -> None:
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, person)


async def ban_player(room: Room, person: Person) -> None:
    room.make_moderator(room.kasia)
    await confirm(room.kasia, room.kasia.command(room.channel, "moderate ban", member=person), "Ban from games")


LOSSES: dict[str, tuple[Callable[[Room, Person], Awaitable[None]], str]] = {
    "left": (leave, CANNOT_POST),
    "timed out": (silence, CANNOT_POST),
    "may not write": (take_writing, CANNOT_POST),
    "does not see": (take_sight, CANNOT_POST),
    "banned": (ban_player, BANNED),
}

FINISHED: dict[str, dict[str, Any]] = {
    "lay": {"turn": None, "after": 1, "text": "D5"},
    "note": {"turn": 1, "note": "Better"},
    "erase": {"turn": 1},
    "restore": {"turn": 1},
    "act": {"action": "rematch"},
    "publish": {"on": True},
}
"""The deeds of a game that is over, in this order. Those of a running game are its players' own."""

RUNNING = {"play", "plan", "unplan"}


async def finish(room: Room, thread: Channel) -> None:
    await room.play(thread, "e5", "e6")
    question = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(question, "Yes, resign").answered()
    await room.wait_for_board(thread, 3)


@pytest.mark.sample(3)
@pytest.mark.parametrize("why", LOSSES)
async def test_only_members_who_may_write_there_post_by_the_web(
    room: Room, thread: Channel, visit: Visits, why: str
) -> None:
    assert FINISHED.keys() | RUNNING == DEEDS
    board = await visit().open(await link_for(room, room.maksim, room.boards(thread)[-1]))
    await finish(room, thread)
    change, sentence = LOSSES[why]
    await change(room, room.maksim)
    await room.pass_time(MINUTE)
    known = len(room.discord.messages(thread)), len(room.discord.messages(room.channel))
    for name, fields in FINISHED.items():
        answer = await board.ask(name, **{"version": board.board["version"], **fields})
        if posts(name, fields):
            assert (answer["is"], answer["line"].startswith(sentence)) == ("refused", True), (name, answer)
        else:
            assert answer["is"] == "done", (name, answer)
    assert (await board.ask("publish", on=False))["is"] == "done"  # what is shown can always be hidden
    assert (len(room.discord.messages(thread)), len(room.discord.messages(room.channel))) == known


async def test_members_post_by_the_web(room: Room, thread: Channel, board: Board) -> None:
    await finish(room, thread)
    for name in ("act", "publish"):
        answer = await board.ask(name, **{"version": board.board["version"], **FINISHED[name]})
        assert answer["is"] == "done", answer
