"""A message to the bot that is no move is answered: with the card, or in a game with how to move; never twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Channel, Message, Permission, Person
from play.ids import IdempotencyKey, MatchId, UserId
from tests.bot.features.challenges.test_newcomer_game import run_options as run_options
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations

TEXT = "I play **Dots** with you"
HOW = "To move, reply to the board"


def answers(room: Room, channel: Channel) -> list[Message]:
    """Returns what the bot has said in reply to messages."""
    own = room.discord.bot.id
    return [each for each in room.discord.messages(channel) if each.author_id == own and each.reference]


async def answer_to(room: Room, message: Message) -> Message:
    """Returns the bot's answer to a message."""

    def there() -> Message | None:
        found = answers(room, room.discord.channel(message.channel_id))
        return next((each for each in found if each.reference and each.reference.message_id == message.id), None)

    found: Message = await room.discord.until(there)
    return found


def call(room: Room, person: Person, channel: Channel, text: str = "hello") -> Message:
    return person.say(channel, f"{room.discord.bot.mention} {text}")


async def settle(room: Room, channel: Channel) -> None:
    """Lets the bot read all messages: it answers a move that came after them."""
    await answer_to(room, call(room, room.kasia, channel, "k12"))


async def start_match(room: Room) -> Channel:
    await skip_confirmations(room)
    return await room.start_match(size="9x9")


@pytest.mark.parametrize("text", ["", "hello", "how do I play this? " * 20])
async def test_a_mention_is_answered_with_the_card(room: Room, text: str) -> None:
    card = await answer_to(room, call(room, room.ola, room.channel, text))
    assert TEXT in card.text
    assert card.labels == ["Play the computer", "Learn", "Challenge", "Play anyone"]
    assert card.mentions == ()


async def test_a_direct_message_is_answered_in_the_language_of_its_reader(room: Room) -> None:
    await room.change_settings(room.maksim, language="ru")
    card = await answer_to(room, room.maksim.say(room.maksim.open_dm(), "привет"))
    assert "Со мной играют в **точки**" in card.text
    assert card.labels == ["Сыграть с компьютером", "Учиться", "С кем угодно"]


async def test_in_a_channel_the_card_speaks_the_language_of_the_server(room: Room) -> None:
    room.discord.world.guild = replace(room.discord.guild, features=("COMMUNITY",))
    await room.change_settings(room.maksim, language="ru")
    assert TEXT in (await answer_to(room, call(room, room.maksim, room.channel))).text


async def test_where_the_server_has_no_language_the_card_speaks_that_of_who_asked(room: Room) -> None:
    await room.change_settings(room.maksim, language="pl")
    assert "**kropki**" in (await answer_to(room, call(room, room.maksim, room.channel))).text


async def test_a_flood_of_mentions_is_answered_once(room: Room) -> None:
    for _ in range(10):
        call(room, room.ola, room.channel)
        call(room, room.maksim, room.channel)
    await room.discord.until(lambda: any(TEXT in each.text for each in answers(room, room.channel)))
    await settle(room, room.channel)
    assert sum(TEXT in each.text for each in answers(room, room.channel)) == 1


async def test_other_talk_and_other_bots_are_left_alone(room: Room) -> None:
    room.ola.say(room.channel, "hello everybody")
    other = room.discord.invite("Helper")
    room.discord.world.users[other.id] = other.user.__class__(other.id, "helper", "Helper", bot=True)
    call(room, other, room.channel)
    await settle(room, room.channel)
    assert len(answers(room, room.channel)) == 1


async def test_a_reply_to_a_board_that_is_no_move_is_conversation(room: Room) -> None:
    thread = await start_match(room)
    board = await room.wait_for_board(thread, 0)
    room.maksim.say(thread, "good luck!", reply_to=board)
    await settle(room, thread)
    assert len(answers(room, thread)) == 1


async def test_in_a_running_game_a_mention_hears_how_to_move(room: Room) -> None:
    thread = await start_match(room)
    assert HOW in (await answer_to(room, call(room, room.ola, thread))).content


async def test_after_the_game_a_mention_gets_the_card(room: Room) -> None:
    thread = await start_match(room)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    assert TEXT in (await answer_to(room, call(room, room.ola, thread))).text


@pytest.mark.parametrize("text", ["Z99", "K1O", "e5!?"])
async def test_what_was_to_be_a_move_gets_a_question_mark_and_a_hint(room: Room, text: str) -> None:
    thread = await start_match(room)
    board = await room.wait_for_board(thread, 0)
    said = room.ola.say(thread, text, reply_to=board)
    assert "column" in (await answer_to(room, said)).content
    assert getattr(room.discord.message(said), "reactions", None) == ("❓",)
    assert await room.version() == 0


async def test_a_point_off_the_board_is_told_where_the_board_ends(room: Room) -> None:
    thread = await start_match(room)
    said = room.ola.say(thread, "Z99", reply_to=await room.wait_for_board(thread, 0))
    hint = (await answer_to(room, said)).content
    assert "A to I" in hint
    assert "1 to 9" in hint


async def test_without_the_permission_for_reactions_the_hint_comes_all_the_same(room: Room) -> None:
    thread = await start_match(room)
    room.discord.deny(room.channel, Permission.ADD_REACTIONS)
    said = room.ola.say(thread, "Z99", reply_to=await room.wait_for_board(thread, 0))
    assert "A to I" in (await answer_to(room, said)).content
    assert getattr(room.discord.message(said), "reactions", None) == ()


async def test_where_the_bot_may_not_write_a_mention_breaks_nothing(room: Room) -> None:
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    call(room, room.ola, room.channel)
    await room.discord.until(lambda: any(each.status == 403 for each in room.discord.requests))
    await settle(room, room.general)
    assert answers(room, room.channel) == []


async def test_in_a_direct_message_with_a_game_talk_hears_how_to_move(room: Room) -> None:
    dm = room.ola.open_dm()
    await room.ola.command(dm, "challenge", computer=1, size="9x9").answered()
    await room.discord.until(lambda: room.boards(dm))
    assert HOW in (await answer_to(room, room.ola.say(dm, "what now"))).content


async def test_what_is_forwarded_to_the_bot_is_no_move_and_hears_what_reads_it(room: Room) -> None:
    dm = room.ola.open_dm()
    await room.ola.command(dm, "challenge", computer=1, size="9x9").answered()
    await room.discord.until(lambda: room.boards(dm))
    written = room.maksim.say(room.channel, "e5")
    told = (await answer_to(room, room.ola.forward(written, dm))).content
    assert "isn't a move" in told
    assert "**Open this record**" in told
    assert await room.version() == 0


async def test_a_reply_to_the_forwarded_board_of_another_game_is_no_move_in_this_one(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    dm = room.ola.open_dm()
    await room.ola.command(dm, "challenge", computer=1, size="9x9").answered()
    own = (await room.discord.until(lambda: room.boards(dm)))[0]
    refused = await answer_to(room, room.ola.say(dm, "e5", reply_to=room.ola.forward(board, dm)))
    assert "board belongs to another game" in refused.content
    room.ola.say(dm, "d4", reply_to=room.ola.forward(own, dm))
    await room.discord.until(lambda: "played **D4**" in " ".join(each.text for each in room.discord.messages(dm)))
