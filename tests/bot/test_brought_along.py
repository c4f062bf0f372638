"""User installs, where the bot is no member: every board answers an interaction, and the others wait for one."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import pytest

from bot.features.match.board import BoardRenderer
from bot.features.match.delivery.board_poster import ELSEWHERE_MILLIS, BoardPoster
from bot.features.match.delivery.notices import Notices
from bot.features.match.delivery.old_boards import OldBoards
from bot.features.match.delivery.publisher import Publisher
from bot.features.match.delivery.stuck_messages import StuckMessages
from bot.features.match.delivery.threads import OpenThreads, ThreadNames
from bot.services.messages import DirectMessages
from loopback import Channel, Impossible, Message, Permission, Person
from play.ids import ChannelId, MatchId, UserId
from play.match.outbox_entry import OutboxEntry
from presentation.match.boards import MatchViews
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, HOUR
from tests.opponent.quick import Inside
from use_cases.matches import MatchFactReader
from use_cases.worker import RetryLater, Undeliverable

FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"


@pytest.fixture(autouse=True)
async def _unasked(room: Room) -> None:
    await skip_confirmations(room)


@pytest.fixture
def friends(room: Room) -> Channel:
    """A private conversation of Ola, who has installed the bot, with Максим, who has not."""
    room.ola.install()
    return room.discord.open_private(room.ola, room.maksim)


@pytest.fixture
def abroad(room: Room) -> Channel:
    """A channel of a server that the bot is no member of."""
    room.discord.bring_along()
    return room.channel


async def challenge(room: Room, channel: Channel, **options: Any) -> Message:
    """Sends a challenge of Ola to Максим; returns its card."""
    options = {"opponent": room.maksim, "size": "5x5", "start": "empty", "clock": "3d", **options}
    room.ola.command(channel, "challenge", **{name: value for name, value in options.items() if value is not None})
    return await wait_for_words(room, channel, "challenges")


async def start(room: Room, channel: Channel, **options: Any) -> Message:
    """Starts a match of Ola and Максим in a channel; returns its first board. It is Ola's turn."""
    room.maksim.click(await challenge(room, channel, **options), "Accept")
    return await wait_for_board(room, channel, 0)


async def wait_for_words(room: Room, channel: Channel, words: str) -> Message:
    """Waits for a message with the words that all can see; returns the newest."""

    def there() -> Message | None:
        found = [each for each in room.discord.messages(channel) if words in each.text]
        return found[-1] if found else None

    message: Message = await room.discord.until(there)
    return message


async def wait_for_board(room: Room, channel: Channel, moves: int, *, boards: int | None = None) -> Message:
    """Waits for as many boards as there are after so many moves, or for `boards`; returns the newest."""
    wanted = moves + 1 if boards is None else boards

    def there() -> Message | None:
        found = [each for each in room.discord.messages(channel) if each.attachments]
        return found[-1] if len(found) >= wanted else None

    board: Message = await room.discord.until(there)
    await room.wait_for_outbox()
    return board


async def type_move(room: Room, person: Person, board: Message, point: str) -> None:
    """Plays a move by the form."""
    opened = await person.click(board, "Type a move").answered()
    assert opened.modal is not None
    await answering_board(person.submit(opened.modal, {"point": point}))


async def test_two_friends_play_a_whole_game_where_the_bot_is_not(room: Room) -> None:
    room.ola.install()
    friends = room.discord.open_private(room.ola, room.maksim, name="Dots on Sundays")
    board = await start(room, friends)
    assert board.mentions == (room.ola.id,)
    await answering_board(room.ola.command(friends, "move", point="c3"))
    board = await wait_for_board(room, friends, 1)
    assert "**Ola** played **C3**" in board.content
    assert board.mentions == (room.maksim.id,)
    await type_move(room, room.maksim, board, "c2")
    board = await wait_for_board(room, friends, 2)
    keypad = await private_message(room.ola.click(board, "Keypad near C3"))
    room.ola.click(keypad, "1")
    assert "**Ola** played" in (await wait_for_board(room, friends, 3)).content
    asked = await private_message(room.ola.command(friends, "resign"))
    room.ola.click(asked, "Yes, resign")
    assert "resigned" in (await wait_for_words(room, friends, "resigned")).content
    assert "Rematch" in (await wait_for_board(room, friends, 4)).labels


async def test_the_card_says_what_does_not_work_there(room: Room, friends: Channel) -> None:
    card = await challenge(room, friends)
    assert "not replies to my boards" in card.content
    assert card.mentions == (room.maksim.id,)
    assert "replies to my boards" not in (await room.challenge()).content


async def test_the_private_line_links_to_the_board_if_that_was_not_the_answer(room: Room, friends: Channel) -> None:
    room.answer_seconds = 0.0
    await room.restart()
    await start(room, friends)
    line = await private_words(room.ola.command(friends, "move", point="c3"))
    board = await wait_for_board(room, friends, 1)
    assert f"https://discord.com/channels/@me/{friends.id}/{board.id}" in line


async def test_a_declined_challenge_is_told_on_its_card(room: Room, friends: Channel) -> None:
    card = await challenge(room, friends)
    await room.maksim.click(card, "Decline").followed()
    assert "Declined" in (await wait_for_words(room, friends, "Declined")).content


async def test_other_terms_are_offered_and_told_there(room: Room, friends: Channel) -> None:
    card = await challenge(room, friends)
    room.maksim.click(card, "Change terms")
    panel = await room.discord.until(
        lambda: next((each for each in room.maksim.sees(friends) if "Send offer" in each.labels), None)
    )
    await room.maksim.click(panel, "Make rated").followed()
    await room.maksim.click(now(room, panel), "Send offer").followed()
    news = await wait_for_words(room, friends, "changed the terms")
    assert news.mentions == (room.ola.id,)
    await room.discord.until(lambda: "each side of the board" in now(room, card).content)


async def test_the_buttons_come_off_while_the_token_of_their_board_lives(room: Room, friends: Channel) -> None:
    board = await start(room, friends)
    await answering_board(room.ola.command(friends, "move", point="c3"))
    await wait_for_board(room, friends, 1)
    await room.discord.until(lambda: not now(room, board).labels)


async def test_an_older_board_keeps_its_buttons_which_answer_that_they_are_out_of_date(
    room: Room, friends: Channel
) -> None:
    board = await start(room, friends)
    room.clock.advance(HOUR)
    await answering_board(room.ola.command(friends, "move", point="c3"))
    await wait_for_board(room, friends, 1)
    assert "Type a move" in now(room, board).labels
    assert "The game has moved on" in await private_words(room.ola.click(board, "Type a move"))


async def test_after_a_restart_the_game_goes_on_with_the_next_interaction(room: Room, friends: Channel) -> None:
    board = await start(room, friends)
    await room.restart()
    await type_move(room, room.ola, board, "c3")
    board = await wait_for_board(room, friends, 1)
    await room.restart()
    await type_move(room, room.maksim, board, "c2")
    assert "C2" in (await wait_for_board(room, friends, 2)).content


async def test_a_challenge_is_accepted_after_a_restart(room: Room, friends: Channel) -> None:
    card = await challenge(room, friends)
    await room.restart()
    room.maksim.click(card, "Accept")
    await wait_for_board(room, friends, 0)
    await room.discord.until(lambda: "Accepted" in now(room, card).content)


async def lose_board(room: Room, friends: Channel) -> Message:
    """Lets Ola move where no token is left to post by; returns the board before."""
    board = await start(room, friends)
    room.clock.advance(HOUR)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    await direct_message(room, room.maksim, "only post when one of you uses me")
    await room.wait_for_outbox()
    return board


async def test_what_no_token_can_bring_there_comes_by_direct_message_and_is_played_on_from(
    room: Room, friends: Channel
) -> None:
    await lose_board(room, friends)
    direct = await direct_message(room, room.maksim, "**Ola** played **C3**")
    assert direct.attachments
    assert len([each for each in room.discord.messages(friends) if each.attachments]) == 1
    opened = await room.maksim.click(direct, "Type a move").answered()
    assert opened.modal is not None
    await private_words(room.maksim.submit(opened.modal, {"point": "c2"}))
    assert (await direct_message(room, room.ola, "**Максим** played **C2**")).attachments


async def test_the_next_board_command_there_shows_the_newest_board_to_all(room: Room, friends: Channel) -> None:
    await lose_board(room, friends)
    await room.restart()
    await private_words(room.ola.command(friends, "board"))
    board = await wait_for_board(room, friends, 1)
    assert "**Ola** played **C3**" in board.content
    assert board.mentions == (room.maksim.id,)
    await private_words(room.ola.command(friends, "board"))
    await room.wait_for_outbox()
    assert len([each for each in room.discord.messages(friends) if each.attachments]) == 2


async def test_a_click_on_a_board_that_is_out_of_date_shows_the_newest_one_to_all(room: Room, friends: Channel) -> None:
    board = await lose_board(room, friends)
    assert "The game has moved on" in await private_words(room.maksim.click(board, "Type a move"))
    board = await wait_for_board(room, friends, 1)
    await type_move(room, room.maksim, board, "c2")
    assert "C2" in (await wait_for_board(room, friends, 2)).content


async def test_a_player_who_comes_while_the_others_are_written_to_lets_the_board_in(
    room: Room, friends: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start(room, friends)
    room.clock.advance(HOUR)
    send = DirectMessages.send

    async def send_after_a_visit(direct: DirectMessages, user: UserId, **message: Any) -> None:
        await private_words(room.ola.command(friends, "board"))
        await send(direct, user, **message)

    monkeypatch.setattr(DirectMessages, "send", send_after_a_visit)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    assert "**Ola** played **C3**" in (await wait_for_board(room, friends, 1)).content


async def test_my_games_say_where_the_newest_board_is_missing(room: Room, friends: Channel) -> None:
    await lose_board(room, friends)
    assert "Use `/board` there to show it" in await private_words(room.maksim.command(room.general, "games"))


async def test_a_flag_comes_by_direct_message_and_the_end_is_shown_there_later(room: Room, friends: Channel) -> None:
    await start(room, friends)
    await answering_board(room.ola.command(friends, "move", point="c3"))
    await type_move(room, room.maksim, await wait_for_board(room, friends, 1), "c2")
    await wait_for_board(room, friends, 2)
    await room.pass_time(4 * DAY)
    await room.use_cases.clocks.flag_overdue()
    for person in (room.ola, room.maksim):
        assert "ran out of time" in (await direct_message(room, person, "ran out of time")).content
    await room.wait_for_outbox()
    await private_words(room.ola.command(friends, "board"))
    assert "ran out of time" in (await wait_for_board(room, friends, 3)).content


async def test_a_reminder_comes_by_direct_message(room: Room, friends: Channel) -> None:
    await start(room, friends)
    await room.pass_time(2 * DAY + 12 * HOUR)
    await room.use_cases.clocks.remind()
    assert "⏳" in (await direct_message(room, room.ola, "⏳")).content


def publisher_beside_others(room: Room) -> Publisher:
    """Returns the publisher of a process that shares the gateway with others."""
    client, services = room.client, room.services
    store, channels, names, locales = services.store, services.channels, services.names, services.locales
    direct = services.direct
    opened = OpenThreads(channels, names, room.use_cases.actions.leave_place)
    boards = BoardRenderer(MatchViews(MatchFactReader(store), names, lambda: False))
    notices = Notices(store, locales, names, channels, direct, boards, opened, None)
    threads = ThreadNames(store, channels, locales, names)
    old = OldBoards(store, boards, locales, channels)
    poster = BoardPoster(
        *(client, store, boards, locales, names, channels, direct, threads, opened, old, services.intake),
        StuckMessages(lambda: 0.0, lambda: 0),
        card_outdated=lambda: None,
        shares_gateway=True,
    )
    return Publisher(client, store, channels, poster, notices, threads, old)


async def test_another_process_leaves_the_one_that_hears_the_channel_the_time_to_post(
    room: Room, friends: Channel
) -> None:
    await lose_board(room, friends)
    await room.restart()
    publisher = publisher_beside_others(room)
    match = await room.use_cases.matches.load(MatchId(1))
    for _ in range(2):
        with pytest.raises(RetryLater):
            await publisher.announce(match, OutboxEntry(match.id, match.version, None))
        room.clock.advance(int(ELSEWHERE_MILLIS) - 1)
    room.clock.advance(2)
    with pytest.raises(Undeliverable):
        await publisher.announce(match, OutboxEntry(match.id, match.version, None))


async def test_a_sixth_answer_goes_through_an_earlier_interaction(room: Room, friends: Channel) -> None:
    board = await start(room, friends)
    await private_words(room.ola.command(friends, "board"))
    room.discord.fault("POST", FOLLOW_UP, 400, code=40094)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    answer = await wait_for_board(room, friends, 1)
    assert answer.origin is not None
    assert board.origin is not None
    assert answer.origin.interaction_id == board.origin.interaction_id


async def test_after_five_answers_an_interaction_is_used_up(room: Room, friends: Channel) -> None:
    board = await start(room, friends)
    for number, point in enumerate(("c3", "c2", "b2", "b3", "d2", "d3", "e1", "e2", "e3"), 1):
        player = (room.ola, room.maksim)[(number + 1) % 2]
        await room.use_cases.matches.move(1, player.id, point, room.clock(), number)  # type: ignore[arg-type]
    await direct_message(room, room.maksim, "only post when one of you uses me")
    answers = [each for each in room.discord.messages(friends) if each.origin is not None]
    clicks = Counter(each.origin.interaction_id for each in answers if each.origin is not None)
    assert max(clicks.values()) == 5
    assert board.origin is not None
    assert clicks[board.origin.interaction_id] == 5


async def test_the_computer_plays_there_too(room: Room, friends: Channel) -> None:
    room.thinkers = Inside
    await room.restart()
    room.ola.command(friends, "challenge", computer=2, size="5x5", start="empty", clock="3d", colour="first")
    await wait_for_board(room, friends, 0)
    assert "**Kropka** played" in (await answering_board(room.ola.command(friends, "move", point="c3"))).content


async def test_no_thread_is_opened_on_a_server_that_the_bot_is_not_in(room: Room, abroad: Channel) -> None:
    await start(room, abroad)
    assert room.discord.threads == []
    assert "C3" in (await answering_board(room.ola.command(abroad, "move", point="c3"))).content


async def test_one_game_is_played_in_such_a_channel_at_a_time(room: Room, friends: Channel) -> None:
    await start(room, friends)
    room.ola.command(friends, "challenge", opponent=room.maksim)
    card = await wait_for_words(room, friends, "challenges")  # that of the first game says no more than its result
    assert "There's already a game in this channel" in await private_words(room.maksim.click(card, "Accept"))


async def test_where_answers_are_private_nobody_is_challenged(room: Room, abroad: Channel) -> None:
    room.discord.deny(abroad, Permission.USE_EXTERNAL_APPS, room.maksim)
    words = await private_words(room.maksim.command(abroad, "challenge", opponent=room.ola))
    assert "**Use External Apps**" in words
    assert room.discord.messages(abroad) == []


async def test_a_board_is_not_posted_for_one_person_alone(room: Room, abroad: Channel) -> None:
    room.discord.deny(abroad, Permission.USE_EXTERNAL_APPS, room.maksim)
    await start(room, abroad)
    await answering_board(room.ola.command(abroad, "move", point="c3"))
    opened = await room.maksim.click(await wait_for_board(room, abroad, 1), "Type a move").answered()
    assert opened.modal is not None
    await private_words(room.maksim.submit(opened.modal, {"point": "c2"}))
    board = await wait_for_board(room, abroad, 2)
    assert not board.ephemeral
    assert board.origin is not None
    assert board.origin.user_id == room.ola.id


async def test_what_belongs_to_a_server_is_refused_where_the_bot_is_not_in_it(room: Room, abroad: Channel) -> None:
    assert "This server hasn't added me" in (await room.ola.command(abroad, "settings server").followed()).text


async def test_what_only_servers_have_is_not_offered_elsewhere(room: Room, friends: Channel, abroad: Channel) -> None:
    for command in ("tournament show", "ladder show", "moderate annul"):
        for place in (friends, abroad, room.ola.open_dm()):
            with pytest.raises(Impossible, match="there is no command"):
                room.ola.command(place, command)


async def test_the_bots_own_direct_messages_are_its_own_without_a_common_server(room: Room, abroad: Channel) -> None:
    room.ola.install()
    await private_words(room.ola.command(abroad, "games"))
    own = room.ola.open_dm()
    await private_words(room.ola.command(own, "games"))
    installs = [room.services.channels.is_user_install(ChannelId(each.id)) for each in (abroad, own)]
    assert installs == [True, False]


async def test_settings_of_a_server_need_a_server(room: Room, friends: Channel) -> None:
    assert "This works only on a server" in await private_words(room.ola.command(friends, "settings server"))


async def test_a_user_who_has_not_installed_the_bot_has_buttons_and_no_commands(room: Room, friends: Channel) -> None:
    with pytest.raises(Impossible, match="there is no command"):
        room.maksim.command(friends, "move", point="c3")


async def test_tokens_are_never_logged(room: Room, friends: Channel, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    card = await challenge(room, friends)
    clicked = room.maksim.click(card, "Accept")
    await wait_for_board(room, friends, 0)
    room.clock.advance(HOUR)
    moved = room.ola.command(friends, "move", point="c3")
    await answering_board(moved)
    await wait_for_board(room, friends, 1)
    told = [record.getMessage() for record in caplog.records if "bot" in record.name]
    assert not [line for line in told if clicked.token in line or moved.token in line]
    assert moved.token not in repr(vars(room.services.channels))


def now(room: Room, message: Message) -> Message:
    """Returns the message as it is now."""
    found = room.discord.message(message)
    assert found is not None
    return found
