"""Players confirm a move before it counts if they like: by default in matches with days for each move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.match.turn.passing_replies import PassingReplies
from bot.features.match.turn.replies import Replies
from loopback import Message, Person
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import Match
from rules.game import Point, point_name
from rules.registry import make_game
from tests.bot.features.match.entering import TRAP, by_command, by_form, reply_to
from tests.bot.room import SEED, Room, answering_board, private_message, private_words


async def save_settings(room: Room, person: Person, **settings: object) -> None:
    async with room.services.store.write() as tx:
        person_settings = await tx.people.get(UserId(person.id))
        await tx.people.save(replace(person_settings, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", [by_command, by_form])
async def test_with_days_for_a_move_it_is_previewed_first(room: Room, way: object) -> None:
    assert callable(way)
    thread = await room.start_match(size="9x9", clock="3d")
    await room.wait_for_board(thread, 0)
    preview = await private_message(await way(room, thread, "e5"))
    assert preview.ephemeral
    assert "If you play **E5**:" in preview.text
    assert await room.version() == 0
    await room.restart()
    assert "played **E5**" in (await answering_board(room.ola.click(preview, "Play E5"))).content
    await room.wait_for_board(thread, 1)


async def test_another_point_opens_the_keypad(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    preview = await private_message(await by_command(room, thread, "e5"))
    keypad = await room.ola.click(preview, "Choose another").followed()
    assert "Where does your dot go?" in keypad.text


async def test_a_reply_is_answered_by_a_line_which_vanishes_when_it_is_played(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    prompt = await reply_to(room, room.ola.say(thread, "e5", reply_to=board), thread)
    assert prompt.mentions == ()
    assert prompt.labels == ["Play E5", "Look first"]
    assert await room.version() == 0
    await room.restart()
    assert "played **E5**" in (await answering_board(room.ola.click(prompt, "Play E5"))).content
    await room.discord.until(lambda: room.discord.message(prompt) is None)
    assert "**E5**" in (await room.wait_for_board(thread, 1)).content


async def test_a_reply_that_is_deleted_at_once_is_answered_all_the_same(room: Room) -> None:
    """Bots such as PluralKit replace what their members write."""
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    room.discord.delete_message(room.ola.say(thread, "e5", reply_to=board))
    said: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if each.labels == ["Play E5", "Look first"]), None)
    )
    assert said.reference is None


async def test_the_look_at_a_reply_is_for_its_player_alone(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    prompt = await reply_to(room, room.ola.say(thread, "e5", reply_to=board), thread)
    assert not prompt.attachments
    look = await private_message(room.ola.click(prompt, "Look first"))
    assert look.ephemeral
    assert "If you play **E5**:" in look.text
    await room.discord.until(lambda: room.discord.message(prompt) is None)
    assert "played **E5**" in (await answering_board(room.ola.click(look, "Play E5"))).content


async def test_nobody_plays_the_reply_of_another_player(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    preview = await reply_to(room, room.ola.say(thread, "e5", reply_to=board), thread)
    assert "aren't playing" in await private_words(room.kasia.click(preview, "Play E5"))
    assert "It's Ola's turn." in await private_words(room.maksim.click(preview, "Play E5"))
    assert "It's Ola's turn." in await private_words(room.maksim.click(preview, "Look first"))
    assert "aren't playing" in await private_words(room.kasia.click(preview, "Look first"))
    assert await room.version() == 0
    assert room.discord.message(preview) is not None


async def test_a_preview_that_nobody_plays_vanishes_after_a_while(room: Room) -> None:
    passing = PassingReplies(preview_seconds=0.0)
    replies = Replies(room.client, room.services, room.bot.publishers.greeter.introduce, passing)
    room.client.serve(replace(room.client.handlers, read_message=replies.read_message))
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    preview = await reply_to(room, room.ola.say(thread, "e5", reply_to=board), thread)
    await room.discord.until(lambda: room.discord.message(preview) is None)


async def test_a_player_who_does_not_confirm_plays_at_once(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await save_settings(room, room.ola, confirm_days=False)
    assert "played **E5**" in (await answering_board(await by_command(room, thread, "e5"))).content


async def test_in_a_live_game_a_move_counts_at_once(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.wait_for_board(thread, 0)
    room.ola.say(thread, "e5", reply_to=board)
    assert "**E5**" in (await room.wait_for_board(thread, 1)).content


async def test_a_player_may_confirm_live_moves_as_well(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await save_settings(room, room.ola, confirm_live=True)
    assert "If you play" in (await private_message(await by_command(room, thread, "e5"))).text


async def test_a_complete_turn_is_previewed_with_what_it_closes(room: Room) -> None:
    thread = await room.start_match(size="9x9", rules="zagram-territory", clock="3d")
    await room.play(thread, *TRAP)
    preview = await private_message(await by_command(room, thread, "f5 draw f5-e6-d5-e4"))
    assert "It captures 1 dot." in preview.text
    assert "Play F5 and close 1 area" in preview.labels
    await answering_board(room.ola.click(preview, "Play F5 and close 1 area"))
    assert "**F5** with the chain F5–E6–D5–E4" in (await room.wait_for_board(thread, 7)).content


async def test_a_turn_too_long_for_a_button_counts_as_typed(room: Room) -> None:
    chain = square(16)
    await add_match(room, [*(f"0:{name}" for name in chain[:-1]), "1:F6"])
    await room.restart()
    board = await room.wait_for_board(room.channel, 0)
    assert board.mentions == (room.ola.id,)
    move = await by_command(room, room.channel, f"{chain[-1]} draw {'-'.join(chain)}")
    assert "captured 1 dot" in (await answering_board(move)).content


def square(side: int) -> list[str]:
    """Returns the crossings around a square in the corner of the board, one after the other."""
    points = [Point(0, 0)]
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        points += [Point(points[-1].x + dx * n, points[-1].y + dy * n) for n in range(1, side)]
    return [point_name(point) for point in points[:-1]]


async def add_match(room: Room, stones: list[str]) -> None:
    """Stores a match of Ola and Максим that begins with these stones."""
    options = {"size": "20x20", "start": "stones", "stones": " ".join(stones)}
    match = Match.begin(
        MatchId(0),
        guild=GuildId(room.discord.guild.id),
        channel=ChannelId(room.channel.id),
        parent=None,
        game=make_game("zagram-territory", options),
        seed=SEED,
        players=(UserId(room.ola.id), UserId(room.maksim.id)),
        control=parse_control("3d"),
        at=room.clock(),
    )
    async with room.services.store.write() as tx:
        await tx.matches.add(match)


async def test_what_cannot_be_played_is_shown_where_it_is_and_offers_other_ways(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.play(thread, "e5")
    refused = (await room.maksim.command(thread, "move", point="e5").answered()).message
    assert refused is not None
    assert "There's already a dot on E5." in refused.content
    assert "Dots of red: E5." in (refused.attachments[0].description or "")
    assert refused.labels == ["Type another move", "Keypad near E5"]
    keypad = (await room.maksim.click(refused, "Keypad near E5").answered()).message
    assert keypad is not None
    assert "Where does your dot go?" in keypad.text


async def test_panels_are_in_the_theme_of_their_player(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    paper = await private_message(await by_command(room, thread, "e5"))
    await save_settings(room, room.ola, theme="dark")
    dark = await private_message(await by_command(room, thread, "e5"))
    assert paper.attachments[0].data != dark.attachments[0].data
