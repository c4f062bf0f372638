"""Dot Dash over the wire: each phase by its buttons, its form, a reply and `/move`."""

from __future__ import annotations

import pytest

from loopback import Channel, Interaction, Message
from tests.bot.room import Room, answering_board, private_words
from tests.bot.waiting import panel as panel_of

SET_UP = "D4 E5/G7"


async def start(room: Room, *moves: str, rules: str = "dot-dash", clock: str = "10m+30s") -> Channel:
    """Starts a game on 9x9, and plays these turns in the order of Ola, Максим, Максим, Ola."""
    thread = await room.start_match(rules=rules, size="9x9", start=None, clock=clock)
    for number, move in enumerate(moves):
        player = (room.ola, room.maksim, room.maksim, room.ola)[number]
        await room.move(player, thread, move)
    await room.wait_for_board(thread, len(moves))
    return thread


async def panel_after(interaction: Interaction) -> Message:
    message = await interaction.followed()
    assert message.ephemeral
    return message


@pytest.mark.parametrize(
    ("moves", "buttons", "called"),
    [
        ((), ["Set up", "Type the crossings", "More"], "set up three stones"),
        ((SET_UP,), ["Choose a side", "Choose in a form", "More"], "choose a side"),
        ((SET_UP, "single"), ["Dash", "Type a dash", "More"], "your turn to dash"),
    ],
)
async def test_the_board_says_whose_phase_it_is_and_has_its_button(
    room: Room, moves: tuple[str, ...], buttons: list[str], called: str
) -> None:
    thread = await start(room, *moves)
    board = room.boards(thread)[-1]
    assert board.labels == buttons
    assert called in board.content


async def test_every_phase_is_played_by_buttons_alone(room: Room) -> None:
    thread = await start(room, clock="3d")
    panel = await panel_of(room.ola.click(room.boards(thread)[-1], "Set up"))
    for code in ("set D4@", "set D4 E5@", "set D4 E5/G7@"):
        button = next(part["custom_id"] for part in panel.controls if f":go:{code}" in part["custom_id"])
        panel = await panel_after(room.ola.click(panel, button))
    assert "The pair is on D4 E5, the single stone on G7." in panel.text
    await answering_board(room.ola.click(panel, "Set up these stones"))
    board = await room.wait_for_board(thread, 1)
    assert "Ola** set up **D4** **E5** as the pair and **G7** as the single stone." in board.content
    panel = await panel_of(room.maksim.click(board, "Choose a side"))
    panel = await panel_after(room.maksim.click(panel, "Take the single stone"))
    assert "You take the single stone" in panel.text
    await answering_board(room.maksim.click(panel, "Take the single stone"))
    board = await room.wait_for_board(thread, 2)
    assert "took the single stone and moves first" in board.content
    panel = await panel_of(room.maksim.click(board, "Dash"))
    assert [part["label"] for part in panel.controls] == [
        *("↖", "↑", "↗"),
        *("←", "■", "→"),
        *("↙", "↓", "↘"),
    ]
    assert [part["label"] for part in panel.controls if not part.get("disabled")] == ["←", "↓"]
    assert "↓ G4–G1" in panel.text
    panel = await panel_after(room.maksim.click(panel, "↓"))
    panel = await panel_after(room.maksim.click(panel, "3 → G4"))
    await answering_board(room.maksim.click(panel, "Play G7-G4"))
    board = await room.wait_for_board(thread, 3)
    assert "dashed from **G7** to **G4**" in board.content
    assert "Stones in reserve: 🔴 **Ola** 58 · 🔵 **Максим** 57" in board.content
    assert "Stones in reserve: Ola 58 · Максим 57" in (board.attachments[0].description or "")


@pytest.mark.parametrize(
    ("moves", "fields", "story"),
    [
        ((), {"one": "d4", "other": "5e", "single": "g 7"}, "Ola** set up"),
        ((SET_UP,), {"Which side do you want?": "Take the pair"}, "Максим** took the pair"),
        ((SET_UP, "single"), {"point": "g7 g4"}, "Максим** dashed from"),
    ],
)
async def test_the_form_asks_what_the_phase_needs(
    room: Room, moves: tuple[str, ...], fields: dict[str, str], story: str
) -> None:
    thread = await start(room, *moves)
    player = room.maksim if moves else room.ola
    board = room.boards(thread)[-1]
    form = (await player.click(board, board.labels[1]).answered()).modal
    assert form is not None
    await answering_board(player.submit(form, fields))
    assert story in (await room.wait_for_board(thread, len(moves) + 1)).content


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("moves", "said", "story"),
    [
        ((), "d4 e5 g7", "as the pair and"),
        ((SET_UP,), "single", "took the single stone"),
        ((SET_UP,), "пару", "took the pair"),
        ((SET_UP,), "blue!", "took the single stone"),
        ((SET_UP, "single"), "g7 to g4", "dashed from"),
    ],
)
async def test_a_reply_in_the_words_of_a_player_plays_at_once(
    room: Room, moves: tuple[str, ...], said: str, story: str
) -> None:
    thread = await start(room, *moves)
    player = room.maksim if moves else room.ola
    player.say(thread, said, reply_to=room.boards(thread)[-1])
    assert story in (await room.wait_for_board(thread, len(moves) + 1)).content


async def test_a_reply_that_is_only_begun_leads_its_player_on_and_nobody_else(room: Room) -> None:
    thread = await start(room, SET_UP, "single")
    room.maksim.say(thread, "g7", reply_to=room.boards(thread)[-1])
    prompt: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if each.labels == ["Dash"]), None)
    )
    assert "Максим" in await private_words(room.ola.click(prompt, "Dash"))
    panel = await panel_of(room.maksim.click(prompt, "Dash"))
    assert "**G7**: which direction?" in panel.text
    assert await room.version() == 2


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("moves", "typed", "answer", "button"),
    [
        ((), "hello", "Press **Set up**", "Set up"),
        ((), "d4-g7", "Press **Set up**", "Set up"),
        ((SET_UP,), "k12", "Press **Choose a side**", "Choose a side"),
        ((SET_UP,), "d4-g7", "Press **Choose a side**", "Choose a side"),
        ((SET_UP, "single"), "hello", "Press **Dash**", "Dash"),
        ((SET_UP, "single"), "single", "Press **Dash**", "Dash"),
        ((SET_UP, "single"), "d4-d7", "isn't yours", "Dash"),
        ((SET_UP, "single"), "g7-g6", "too short", "Dash"),
    ],
)
async def test_a_mistake_is_answered_with_what_to_do_now_and_its_button(
    room: Room, moves: tuple[str, ...], typed: str, answer: str, button: str
) -> None:
    thread = await start(room, *moves)
    player = room.maksim if moves else room.ola
    asked = player.command(thread, "move", point=typed)
    assert answer in await private_words(asked)
    refusal = (await asked.answered()).message
    assert refusal is not None
    assert refusal.labels[-1] == button
    assert await room.version() == len(moves)
    assert (await panel_of(player.click(refusal, button))).attachments


async def test_move_shows_what_is_left_to_choose_of_a_turn_that_is_begun(room: Room) -> None:
    thread = await start(room)
    panel = await panel_of(room.ola.command(thread, "move", point="d4"))
    assert "Where does the second stone of the pair go?" in panel.text
    assert await room.version() == 0


async def test_a_player_who_waits_is_told_so_whatever_they_type(room: Room) -> None:
    thread = await start(room)
    words = await private_words(room.maksim.command(thread, "move", point="single"))
    assert "Ola" in words
    assert await room.version() == 0


async def test_a_form_of_another_phase_says_that_the_game_has_moved_on(room: Room) -> None:
    thread = await start(room)
    board = room.boards(thread)[-1]
    form = (await room.ola.click(board, "Type the crossings").answered()).modal
    assert form is not None
    await room.move(room.ola, thread, SET_UP)
    words = await private_words(room.ola.submit(form, {"one": "a1", "other": "b2", "single": "c3"}))
    assert "Something went wrong" not in words
    assert await room.version() == 1


async def test_a_row_that_leaves_a_choice_of_fives_is_asked_about_when_it_is_typed(room: Room) -> None:
    thread = await room.start_match(rules="dot-dash-frozen", size="13x13", start=None)
    players = (room.ola, room.maksim, room.maksim, room.ola, room.maksim)
    moves = (SET_UP, "single", "G7-B7", "E5-L12", "D7-A10")
    for player, move in zip(players, moves, strict=True):
        await room.move(player, thread, move)
    await room.wait_for_board(thread, len(moves))
    panel = await panel_of(room.ola.command(thread, "move", point="d4 i9"))
    assert panel.labels == ["Play D4-I9", "Back", "✓ Count G7-K11 (default)", "Count H8-L12"]
    panel = await panel_after(room.ola.click(panel, "Count H8-L12"))
    await answering_board(room.ola.click(panel, "Play D4-I9"))
    assert "counting H8-L12" in (await room.wait_for_board(thread, len(moves) + 1)).content
