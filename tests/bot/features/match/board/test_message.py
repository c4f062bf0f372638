"""The message of a board: what it shows, what it says to players who cannot see it, and whom it pings."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.features.match.board import BoardMessage
from play.ids import GuildId, IdempotencyKey, Millis
from play.match import offers
from play.match.events import OfferKind
from play.votes import OpenVote
from renderer.theme import NOTEBOOK
from tests.bot.features.match.entering import TRAP
from tests.bot.room import Room, answering_board, private_words
from tests.bot.table import a_match
from tests.clock import DAY, MINUTE, NOON
from tests.presentation.match.test_words import view


async def test_a_field_too_large_to_be_read_comes_with_the_part_round_the_last_move(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    await room.wait_for_board(thread, 0)
    board = await room.play(thread, "k12")
    assert [each.filename for each in board.attachments] == ["kropka-1-1.png", "kropka-1-1-zoom.png"]
    assert board.embeds[0]["footer"]["text"] == "Around K12"
    assert "Dots of red: K12." in (board.attachments[1].description or "")


async def test_a_field_that_can_be_read_comes_alone(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.play(thread, "e5")
    assert len(board.attachments) == 1
    assert not board.embeds


async def test_the_board_before_keeps_its_pictures_and_loses_its_buttons(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    await room.play(thread, "k12", "k13")
    old = room.boards(thread)[1]
    assert old.labels == []
    assert len(old.attachments) == 2
    assert old.embeds


@pytest.mark.parametrize("rated", [True, False])
async def test_the_alt_text_of_a_game_between_people_gives_no_hint(room: Room, rated: bool) -> None:
    thread = await room.start_match(size="10x10", rated=rated)
    board = await room.play(thread, *TRAP[:5], "d3")
    assert "could capture" not in (board.attachments[0].description or "")


async def test_a_player_who_has_just_moved_in_a_live_game_is_not_pinged(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    assert (await room.wait_for_board(thread, 0)).mentions == (room.ola.id,)
    first = await room.play(thread, "e5")
    assert first.mentions == (room.maksim.id,), "they have not moved yet"
    second = await room.play(thread, "d5")
    assert second.mentions == ()
    assert room.ola.mention in second.content
    await room.pass_time(2 * MINUTE)
    third = await room.play(thread, "e6")
    assert third.mentions == (room.maksim.id,)


async def test_with_days_for_a_move_everybody_is_pinged(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.wait_for_board(thread, 0)
    for number, (person, other) in enumerate([(room.ola, room.maksim), (room.maksim, room.ola)]):
        look = (await person.command(thread, "move", point=("e5", "d5")[number]).answered()).message
        assert look is not None
        await answering_board(person.click(look, look.labels[0]))
        assert (await room.wait_for_board(thread, number + 1)).mentions == (other.id,)


async def test_the_board_is_shown_in_letters_on_request(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.play(thread, "e5", "d5")
    shown = room.kasia.command(thread, "board", text=True)
    words = await private_words(shown)
    await shown.until(lambda: len(shown.messages) == 2)
    told, letters = shown.messages
    assert "**Максим** played **D5**" in words + told.content
    assert " 5 ...BR...." in letters.content
    assert not told.attachments


async def test_a_large_board_in_letters_takes_several_messages(room: Room) -> None:
    thread = await room.start_match(size="60x60")
    await room.wait_for_board(thread, 0)
    shown = room.ola.command(thread, "board", text=True)
    await shown.answered()
    await shown.until(lambda: any("More" in message.labels for message in shown.messages))
    assert len(shown.messages) == 4
    assert all(len(message.content) <= 2000 for message in shown.messages)


async def test_the_boards_of_a_server_have_the_look_and_the_colours_that_it_has_chosen(room: Room) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, theme="notebook"))
    thread = await room.start_match(size="9x9")
    board = await room.play(thread, "e5")
    assert Image.open(BytesIO(board.attachments[0].data)).convert("RGB").getpixel((2, 100)) == NOTEBOOK.paper
    assert "🔵 **Ola** played **E5**" in board.content
    assert "🟤 " in board.content


@pytest.mark.parametrize("number", range(len(OfferKind) + 1))
def test_a_board_has_room_for_all_offers_beside_predictions_votes_and_the_web(number: int) -> None:
    match = replace(a_match("classic", "k10", "k11", size="20x20"), predictable=True)
    for kind in [*OfferKind][:number]:
        match = offers.offer(match, match.players[1], kind, Millis(NOON + DAY), IdempotencyKey(number), pause=DAY)
    shown = replace(view(match), has_site=True, vote=OpenVote(Millis(NOON + DAY), quorum=3, votes=1))
    rows = BoardMessage.draw(shown, pictured=False).buttons.to_components()
    assert sum(len(row["components"]) for row in rows) == 2 * number + 7
