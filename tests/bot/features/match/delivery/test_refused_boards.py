"""A board that Discord refuses for good is posted in a plainer form, elsewhere, or to the players; the game goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Message
from play.ids import MatchId, UserId
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.panels import links
from tests.bot.room import EAGER, Room, answering_board, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import MINUTE

pytestmark = pytest.mark.usefixtures("no_confirmation")

THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
MESSAGES = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"

THREAD_CODES = (160006, 160007, 200000, 200001, 240000, 400001, 50024, 50035, 20009, 30033, 40003, 77777)
"""Refusals of a thread; 40003 is about direct messages, and nobody knows the last one."""

MESSAGE_CODES = (200000, 240000, 400001, 20009, 50035, 77777)


def count_posts(room: Room, template: str) -> int:
    return sum(request.endpoint == f"POST {template}" for request in room.discord.requests)


async def play(room: Room, move: str) -> None:
    """Plays a move of match 1 whose board is posted, since no click is answered by it."""
    seat = room.ola if move[0] == "c" else room.maksim
    await room.use_cases.matches.move(1, seat.id, move, room.clock(), hash(move))  # type: ignore[arg-type]


@pytest.mark.sample(5)
@pytest.mark.parametrize("code", THREAD_CODES)
async def test_a_game_whose_thread_is_refused_is_played_in_the_channel(room: Room, code: int) -> None:
    room.discord.fault("POST", THREADS, 400, code=code, times=None)
    card = await room.challenge(clock="3d")
    await room.maksim.click(card, "Accept").answered()
    board = await version_message(room, room.channel, 0)
    assert "Discord doesn't let me use a thread" in board.content
    assert count_posts(room, THREADS) == 2
    assert "C3" in (await answering_board(room.ola.command(room.channel, "move", point="c3"))).content
    assert "Максим" in await private_words(room.ola.command(room.channel, "games"))


@pytest.mark.parametrize("run_options", [{"timing": replace(EAGER, poll_seconds=3600)}])
async def test_the_card_of_a_game_that_left_its_thread_leads_there_no_more(room: Room) -> None:
    """It is drawn anew at once: the workers never look by themselves."""
    room.discord.fault("POST", THREADS, 400, code=160006, times=None)
    card = await room.challenge()
    told = await private_message(room.maksim.click(card, "Accept"))
    board = await version_message(room, room.channel, 0)
    assert links(told)["Go to the game"].endswith(f"/{room.channel.id}/{board.id}")

    def redrawn() -> bool:
        shown = room.discord.message(card)
        return shown is not None and "Accepted: the game has begun." in shown.content

    await room.discord.until(redrawn)


async def test_while_a_thread_waits_the_way_to_the_game_leads_to_its_card(room: Room) -> None:
    outage = room.discord.fault("POST", THREADS, 503, times=None)
    card = await room.challenge()
    told = await private_message(room.maksim.click(card, "Accept"))
    assert links(told)["Go to the game"].endswith(f"/{room.channel.id}/{card.id}")
    listed = await private_message(room.ola.command(room.general, "games"))
    assert links(listed)["Discord"].endswith(f"/{room.channel.id}/{card.id}")
    outage.end()
    await room.wait_for_thread(card)


async def test_a_thread_gets_a_plain_name_where_its_own_is_refused(room: Room) -> None:
    room.discord.fault("POST", THREADS, 400, code=50035)
    thread = await room.start_match(clock="3d")
    board = await version_message(room, thread, 0)
    assert (thread.name, board.attachments != ()) == ("Kropka 1", True)


@pytest.mark.sample(6)
@pytest.mark.parametrize("code", MESSAGE_CODES)
async def test_a_board_comes_without_its_picture_where_that_is_refused(room: Room, code: int) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    room.discord.fault("POST", MESSAGES, 400, code=code)
    await play(room, "c3")
    board = await version_message(room, thread, 1)
    assert "C3" in board.content
    assert "Discord didn't take the picture" in board.content
    assert board.attachments == ()


async def test_a_board_comes_without_words_where_a_filter_refuses_them(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    room.discord.fault("POST", MESSAGES, 400, code=200000, times=2)
    await play(room, "c3")
    board = await version_message(room, thread, 1)
    assert "there's news in your game" in board.content
    assert board.mentions == (room.maksim.id,)


async def test_a_refused_board_reaches_the_players_and_holds_up_no_other(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    for _ in range(6):  # in the thread and in the channel
        room.discord.fault("POST", MESSAGES, 400, code=240000)
    await play(room, "c3")
    told: Message = await direct_message(room, room.maksim, "**Ola** played **C3**")
    assert told.attachments
    assert "I can no longer post where you play" in (await direct_message(room, room.ola, "⚠️")).content
    await room.wait_for_outbox()
    await play(room, "d2")
    assert "D2" in (await version_message(room, room.channel, 2)).content


async def test_a_board_that_reaches_neither_channel_nor_players_is_given_up(room: Room) -> None:
    """Discord refuses all messages, as those of a bot that opens direct messages too fast."""
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    room.discord.fault("POST", MESSAGES, 403, code=40003, times=None)
    await play(room, "c3")

    async def given_up() -> bool:
        async with room.services.store.read() as reader:
            return await reader.outbox.next_entry(MatchId(1)) is None

    await room.until(given_up)
    (game,) = await room.use_cases.matches.list_open(UserId(room.ola.id))
    assert (game.version, game.lost) == (1, True)


async def test_a_click_whose_board_is_refused_counts_and_says_so(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    room.discord.fault("POST", CALLBACK, 400, code=200000)
    said = await private_words(room.ola.command(thread, "move", point="c3"))
    assert "C3" in said
    assert "wrong" not in said
    await version_message(room, thread, 1)


async def test_a_live_game_whose_first_board_comes_late_has_its_whole_time(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, clock="2m+10s")
    outage = room.discord.fault("POST", THREADS, 503, times=None)
    await room.maksim.click(card, "Accept").answered()
    await room.discord.until(lambda: outage.hits)
    for _ in range(3):
        await room.pass_time(5 * MINUTE)
        await room.use_cases.clocks.flag_overdue()
    outage.end()
    thread = await room.wait_for_thread(card)
    match = await room.use_cases.matches.load(MatchId(1))
    assert match.clock.deadline == room.clock() + 2 * MINUTE
    await room.play(thread, "c3")
