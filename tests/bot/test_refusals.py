"""Every refusal is answered in private, by a sentence that says what to do instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.match.turn.passing_replies import PassingReplies
from bot.features.match.turn.replies import Replies
from bot.interactions.errors import written_down
from loopback import Channel, Message, Permission, Person
from play.ids import ChallengeId, UserId
from tests.bot.room import Room, answering_board, private_words
from tests.clock import DAY


@pytest.mark.parametrize(
    ("point", "sentence"),
    [
        ("hello", "That isn't a crossing. Write a column and a row, such as `C3`."),
        ("f9", "Choose a column from A to E and a row from 1 to 5."),
        ("c3", "There's already a dot on C3. Choose a free crossing."),
    ],
)
async def test_a_wrong_point_is_explained_and_kept(room: Room, point: str, sentence: str) -> None:
    thread = await room.start_match()
    await room.play(thread, "c3")
    words = await private_words(room.maksim.command(thread, "move", point=point))
    assert words.startswith("⚠️ ")
    assert sentence in words
    assert written_down({"point": point}) in words


async def test_a_point_inside_a_base_is_explained(room: Room) -> None:
    thread = await room.start_match(size="7x7", start="empty")
    await room.play(thread, "c4", "d4", "d5", "a1", "e5", "a2", "f4", "a3", "e3", "a4", "d3")
    words = await private_words(room.maksim.command(thread, "move", point="e4"))
    assert "E4 is inside a captured area, where nobody can play. Choose a free crossing outside it." in words


async def test_a_first_dot_outside_the_opening_zone_is_explained(room: Room) -> None:
    thread = await room.start_match()
    assert "between B2 and D4" in await private_words(room.ola.command(thread, "move", point="a1"))


async def test_who_is_not_to_move_learns_whose_turn_it_is(room: Room) -> None:
    thread = await room.start_match()
    assert "It's Ola's turn." in await private_words(room.maksim.command(thread, "move", point="c3"))
    board = await room.wait_for_board(thread, 0)
    assert "It's Ola's turn." in await private_words(room.maksim.click(board, "Type a move"))


@pytest.mark.parametrize("command", ["move", "board", "resign"])
async def test_a_channel_without_a_game_says_how_to_start_one(room: Room, command: str) -> None:
    options = {"point": "c3"} if command == "move" else {}
    words = await private_words(room.ola.command(room.general, command, **options))
    assert "There's no game in this channel." in words
    assert "`/challenge`" in words


@pytest.mark.parametrize("button", ["Keypad near C3", "Type a move", "More"])
async def test_a_stranger_cannot_use_the_buttons_of_a_board(room: Room, button: str) -> None:
    thread = await room.start_match()
    words = await private_words(room.kasia.click(await room.wait_for_board(thread, 0), button))
    assert "You aren't playing in this game" in words


@pytest.mark.parametrize("command", ["move", "resign"])
async def test_a_spectator_cannot_act_in_the_game(room: Room, command: str) -> None:
    thread = await room.start_match()
    options = {"point": "c3"} if command == "move" else {}
    assert "aren't playing" in await private_words(room.kasia.command(thread, command, **options))


async def test_a_form_that_was_overtaken_leads_to_the_newest_board(room: Room) -> None:
    thread = await room.start_match()
    opened = await room.ola.click(await room.wait_for_board(thread, 0), "Type a move").answered()
    newest = await room.play(thread, "c3")
    assert opened.modal is not None
    words = await private_words(room.ola.submit(opened.modal, {"point": "c4"}))
    assert "The game has moved on" in words
    assert f"https://discord.com/channels/{room.discord.guild.id}/{thread.id}/{newest.id}" in words


async def test_an_old_private_board_leads_to_the_newest_one(room: Room) -> None:
    thread = await room.start_match()
    old = (await room.ola.command(thread, "board").answered()).message
    newest = await room.play(thread, "c3", "c2")
    assert old is not None
    words = await private_words(room.ola.click(old, "Type a move"))
    assert "The game has moved on" in words
    assert str(newest.id) in words


async def test_a_form_sent_twice_moves_once(room: Room) -> None:
    thread = await room.start_match()
    opened = await room.ola.click(await room.wait_for_board(thread, 0), "Type a move").answered()
    assert opened.modal is not None
    first, second = (room.ola.submit(opened.modal, {"point": point}) for point in ("c3", "c2"))
    answers = [(await form.answered()).message for form in (first, second)]
    assert ["The game has moved on" in answer.text for answer in answers if answer is not None].count(True) == 1
    assert await room.version() == 1


async def test_a_refused_form_offers_another_try(room: Room) -> None:
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    opened = await room.ola.click(board, "Type a move").answered()
    assert opened.modal is not None
    refused = (await room.ola.submit(opened.modal, {"point": "k99"}).answered()).message
    assert refused is not None
    again = await room.ola.click(refused, "Type another move").answered()
    assert again.modal is not None
    assert "played **C3**" in (await answering_board(room.ola.submit(again.modal, {"point": "c3"}))).content


async def test_a_finished_game_takes_no_moves(room: Room) -> None:
    thread = await room.start_match()
    asked = (await room.ola.command(thread, "resign").answered()).message
    assert asked is not None
    await room.ola.click(asked, "Yes, resign").followed()
    words = await private_words(room.maksim.command(thread, "move", point="c3"))
    assert "This game is over. Start a new one with `/challenge`." in words


async def press(room: Room, person: Person, card: Message, button: str) -> str:
    """Presses a button of a card; returns the private answer."""
    return await private_words(person.click(card, button))


async def test_only_the_person_who_was_asked_can_answer_a_challenge(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    for button in ("Accept", "Decline"):
        assert "This challenge is for Максим" in await press(room, room.kasia, card, button)


async def test_nobody_accepts_their_own_challenge(room: Room) -> None:
    card = await room.challenge()
    assert "These are your own terms" in await press(room, room.ola, card, "Accept")


async def test_nobody_declines_an_open_challenge_of_somebody_else(room: Room) -> None:
    card = await room.challenge()
    assert "only Ola or a moderator can withdraw it" in await press(room, room.kasia, card, "Withdraw")


async def test_a_challenge_is_taken_once(room: Room) -> None:
    card = await room.challenge()
    clicks = [person.click(card, "Accept") for person in (room.maksim, room.kasia)]
    told = await clicks[0].until(
        lambda: [message for click in clicks for message in click.messages if message.ephemeral and message.text]
    )
    assert ["This challenge is already taken" in message.text for message in told] == [True]
    await room.wait_for_thread(card)


async def test_a_challenge_does_not_last_for_ever(room: Room) -> None:
    card = await room.challenge()
    await room.pass_time(8 * DAY)
    assert "This challenge has expired" in await press(room, room.kasia, card, "Accept")


async def test_the_card_of_a_challenge_that_was_decided_unseen_is_put_right_by_a_click(room: Room) -> None:
    card = await room.challenge()
    await room.use_cases.challenges.decline(ChallengeId(1), UserId(room.ola.id), room.clock())
    assert "was withdrawn" in await press(room, room.kasia, card, "Accept")
    seen = room.discord.message(card)
    assert seen is not None
    assert "Withdrawn" in seen.content
    assert seen.labels == []


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": "4x4"}, "That board size isn't valid. Try columns and rows from 5 to 60"),
        ({"size": "big"}, "That board size isn't valid."),
        ({"clock": "soon"}, "That clock isn't valid."),
        ({"clock": "1s"}, "That clock isn't valid."),
    ],
)
async def test_settings_that_make_no_game_are_explained(room: Room, options: dict[str, Any], sentence: str) -> None:
    assert sentence in await private_words(room.ola.command(room.channel, "challenge", **options))
    assert room.discord.messages(room.channel) == []


async def test_nobody_challenges_themselves(room: Room) -> None:
    words = await private_words(room.ola.command(room.channel, "challenge", opponent=room.ola))
    assert "You can't challenge yourself" in words


async def test_other_bots_are_not_challenged(room: Room) -> None:
    room.discord.world.users[room.kasia.id] = replace(room.kasia.user, bot=True)
    words = await private_words(room.ola.command(room.channel, "challenge", opponent=room.kasia))
    assert "Bots don't play" in words


async def test_a_challenge_needs_somebody_who_can_see_it(room: Room) -> None:
    words = await private_words(room.ola.command(room.ola.open_dm(), "challenge"))
    assert "nobody else would see your challenge" in words


@pytest.mark.parametrize("missing", [Permission.SEND_MESSAGES, Permission.ATTACH_FILES])
async def test_a_challenge_needs_a_channel_that_can_show_boards(room: Room, missing: Permission) -> None:
    room.discord.deny(room.channel, missing)
    words = await private_words(room.ola.command(room.channel, "challenge"))
    assert "I can't post boards in this channel" in words


async def test_a_channel_without_threads_holds_one_game(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    first, second = [await room.challenge(clock="3d") for _ in range(2)]
    await room.maksim.click(first, "Accept").followed()
    assert "There's already a game in this channel" in await press(room, room.kasia, second, "Accept")


async def refused_reply(room: Room, thread: Channel, text: str, person: Person) -> Message:
    """Replies to the board; returns the bot's answer."""
    board = room.boards(thread)[-1]
    said = person.say(thread, text, reply_to=board)

    def answer() -> Message | None:
        references = {each.reference.message_id: each for each in room.discord.messages(thread) if each.reference}
        return references.get(said.id)

    message: Message = await room.discord.until(answer)
    return message


async def test_a_reply_that_cannot_be_played_is_answered_without_a_ping(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    answer = await refused_reply(room, thread, "a1", room.ola)
    assert "too far out for your first dot" in answer.content
    assert answer.mentions == ()


async def test_the_answer_to_a_reply_vanishes_when_it_was_read(room: Room) -> None:
    passing = PassingReplies(hint_seconds=0.0)
    replies = Replies(room.client, room.services, room.bot.publishers.greeter.introduce, passing)
    room.client.serve(replace(room.client.handlers, read_message=replies.read_message))
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    answer = await refused_reply(room, thread, "a1", room.ola)
    await room.discord.until(lambda: room.discord.message(answer) is None)


async def test_the_answer_to_a_reply_does_not_outlive_the_bot(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    answer = await refused_reply(room, thread, "a1", room.ola)
    await room.restart()
    assert room.discord.message(answer) is None


async def test_the_answer_to_a_reply_is_a_sentence_with_an_example_of_its_board(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.wait_for_board(thread, 0)
    answer = await refused_reply(room, thread, "E1O", room.ola)
    assert "such as `E5`" in answer.content
    assert answer.attachments == ()


async def test_the_answer_to_a_reply_goes_with_its_cause(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    answer = await refused_reply(room, thread, "a1", room.ola)
    assert answer.reference is not None
    assert answer.reference.message_id is not None
    room.discord.delete_message(answer.reference.message_id)
    await room.discord.until(lambda: room.discord.message(answer) is None)


@pytest.mark.sample(3)
@pytest.mark.parametrize("may_delete", [True, False])
@pytest.mark.parametrize("way", ["reply", "command"])
async def test_the_next_right_move_clears_up_after_the_wrong_ones(room: Room, way: str, may_delete: bool) -> None:
    if may_delete:
        room.discord.allow(room.channel, Permission.MANAGE_MESSAGES)
    else:
        room.discord.deny(room.channel, Permission.MANAGE_MESSAGES)
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    talk = room.ola.say(thread, "good luck!", reply_to=board)
    others = await refused_reply(room, thread, "c3", room.kasia)
    answers = [await refused_reply(room, thread, text, room.ola) for text in ("a1", "z9")]
    if way == "reply":
        room.ola.say(thread, "c3", reply_to=board)
    else:
        await room.ola.command(thread, "move", point="c3").answered()
    await room.wait_for_board(thread, 1)
    await room.discord.until(lambda: not any(map(room.discord.message, answers)))
    wrong = [answer.reference.message_id for answer in answers if answer.reference]
    if may_delete:
        await room.discord.until(lambda: not any(room.discord.message(number) for number in wrong if number))
    else:
        assert all(room.discord.message(number) for number in wrong if number)
    assert room.discord.message(talk) is not None
    assert room.discord.message(others) is not None, "it is about another player"


async def test_a_reply_of_a_spectator_is_answered(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    assert "aren't playing" in (await refused_reply(room, thread, "c3", room.kasia)).content


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", ["good move!", "hello there", "12", "lol"])
async def test_text_that_is_no_move_is_left_alone(room: Room, text: str) -> None:
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    room.ola.say(thread, text, reply_to=board)
    room.ola.say(thread, "c3", reply_to=board)
    await room.wait_for_board(thread, 1)
    answers = [each for each in room.discord.messages(thread) if each.author_id == room.discord.bot.id]
    assert not any(each.reference for each in answers)


async def test_a_move_written_to_somebody_else_is_left_alone(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    room.ola.say(thread, "c3")
    await room.ola.command(thread, "move", point="c2").answered()
    assert "C2" in (await room.wait_for_board(thread, 1)).content
