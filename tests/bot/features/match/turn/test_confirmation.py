"""A move is looked at before it counts, if its player likes that: with days for each move, unless he says otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Channel, Interaction, Message, Person
from play.ids import UserId
from tests.bot.room import Room, answering_board, private_words

TRAP = ("d5", "e5", "e6", "d4", "e4", "a2")


async def by_command(room: Room, thread: Channel, text: str) -> Interaction:
    return room.ola.command(thread, "move", point=text)


async def by_form(room: Room, thread: Channel, text: str) -> Interaction:
    opened = await room.ola.click(room.boards(thread)[-1], "Type a point").answered()
    assert opened.modal is not None
    return room.ola.submit(opened.modal, {"point": text})


async def looked(interaction: Interaction) -> Message:
    message = (await interaction.answered()).message
    assert message is not None
    return message


async def answer_to(room: Room, thread: Channel, said: Message) -> Message:
    def found() -> Message | None:
        replies = {each.reference.message_id: each for each in room.discord.messages(thread) if each.reference}
        return replies.get(said.id)

    message: Message = await room.discord.until(found)
    return message


async def prefers(room: Room, person: Person, **settings: object) -> None:
    async with room.services.store.write() as transaction:
        kept = await transaction.person(UserId(person.id))
        await transaction.save_person(replace(kept, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", [by_command, by_form])
async def test_with_days_for_a_move_it_is_looked_at_first(room: Room, way: object) -> None:
    assert callable(way)
    thread = await room.match(size="9x9", clock="3d")
    await room.board(thread, 0)
    look = await looked(await way(room, thread, "e5"))
    assert look.ephemeral
    assert "**E5**, if you play it" in look.text
    assert await room.version() == 0
    await room.restart()
    assert "played **E5**" in (await answering_board(room.ola.click(look, "Play E5"))).content
    await room.board(thread, 1)


async def test_another_point_opens_the_keypad(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    look = await looked(await by_command(room, thread, "e5"))
    keypad = await room.ola.click(look, "Another point").followed()
    assert "Where does your dot go?" in keypad.text


async def test_a_reply_is_answered_by_the_look_which_vanishes_when_it_is_played(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    board = await room.board(thread, 0)
    look = await answer_to(room, thread, room.ola.say(thread, "e5", reply_to=board))
    assert look.mentions == ()
    assert look.labels == ["Play E5", "Another point"]
    assert await room.version() == 0
    await room.restart()
    assert "played **E5**" in (await answering_board(room.ola.click(look, "Play E5"))).content
    await room.discord.until(lambda: room.discord.message(look) is None)
    assert "**E5**" in (await room.board(thread, 1)).content


async def test_nobody_else_plays_what_somebody_looks_at(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    board = await room.board(thread, 0)
    look = await answer_to(room, thread, room.ola.say(thread, "e5", reply_to=board))
    assert "only watching" in await private_words(room.kasia.click(look, "Play E5"))
    assert "It is the turn of Ola." in await private_words(room.maksim.click(look, "Play E5"))
    assert await room.version() == 0
    assert room.discord.message(look) is not None


async def test_a_look_that_nobody_plays_vanishes_after_a_while(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.match.turn.replies.LOOK_SECONDS", 0.0)
    thread = await room.match(size="9x9", clock="3d")
    board = await room.board(thread, 0)
    look = await answer_to(room, thread, room.ola.say(thread, "e5", reply_to=board))
    await room.discord.until(lambda: room.discord.message(look) is None)


async def test_whoever_does_not_want_it_plays_at_once(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    await prefers(room, room.ola, confirm_days=False)
    assert "played **E5**" in (await answering_board(await by_command(room, thread, "e5"))).content


async def test_in_a_live_game_a_move_counts_at_once(room: Room) -> None:
    thread = await room.match(size="9x9")
    board = await room.board(thread, 0)
    room.ola.say(thread, "e5", reply_to=board)
    assert "**E5**" in (await room.board(thread, 1)).content


async def test_whoever_wants_it_looks_at_live_moves_as_well(room: Room) -> None:
    thread = await room.match(size="9x9")
    await prefers(room, room.ola, confirm_live=True)
    assert "if you play it" in (await looked(await by_command(room, thread, "e5"))).text


async def test_a_whole_turn_is_looked_at_with_what_it_closes(room: Room) -> None:
    thread = await room.match(size="9x9", rules="zagram-territory", clock="3d")
    await room.play(thread, *TRAP)
    look = await looked(await by_command(room, thread, "f5 draw f5-e6-d5-e4"))
    assert "It captures 1 dot." in look.text
    assert "Play F5 and close 1 area" in look.labels
    await answering_board(room.ola.click(look, "Play F5 and close 1 area"))
    assert "F5 draw F5-E6-D5-E4" in (await room.board(thread, 7)).content


async def test_a_turn_too_long_for_a_button_counts_as_typed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.match.turn.typed_moves.ROOM", 5)
    thread = await room.match(size="9x9", rules="zagram-territory", clock="3d")
    await room.play(thread, *TRAP)
    await answering_board(await by_command(room, thread, "f5 draw f5-e6-d5-e4"))


async def test_what_cannot_be_played_is_shown_where_it_is_and_offers_other_ways(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    await room.play(thread, "e5")
    refused = (await room.maksim.command(thread, "move", point="e5").answered()).message
    assert refused is not None
    assert "There is a dot on E5 already." in refused.content
    assert "Dots of red: E5." in (refused.attachments[0].description or "")
    assert refused.labels == ["Type another point", "Play near E5"]
    keypad = (await room.maksim.click(refused, "Play near E5").answered()).message
    assert keypad is not None
    assert "Where does your dot go?" in keypad.text


async def test_a_reply_that_cannot_be_played_shows_the_place(room: Room) -> None:
    thread = await room.match(size="9x9")
    board = await room.play(thread, "e5")
    refusal = await answer_to(room, thread, room.maksim.say(thread, "e5", reply_to=board))
    assert refusal.attachments


async def test_the_theme_of_a_person_is_that_of_his_panels(room: Room) -> None:
    thread = await room.match(size="9x9", clock="3d")
    paper = await looked(await by_command(room, thread, "e5"))
    await prefers(room, room.ola, theme="dark")
    dark = await looked(await by_command(room, thread, "e5"))
    assert paper.attachments[0].data != dark.attachments[0].data
