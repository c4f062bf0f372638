"""*More → Rules*: the rules of this very game, every option in words."""

from __future__ import annotations

from tests.bot.room import Room, private_message


async def test_the_rules_of_a_game_say_every_option_in_words(room: Room) -> None:
    thread = await room.start_match(rules="classic", size="9x9", start="cross", clock="10m")
    board = await room.wait_for_board(thread, 0)
    more = await private_message(room.ola.click(board, "More"))
    shown = await room.ola.click(more, "Rules").followed()
    assert "### Classic · #1" in shown.text
    assert "- ✏️ **Board: 9×9**" in shown.text, "it departs from the rules of that name"
    for line in (
        "Closing: chains close automatically",
        "End: STOP, then the opponent may play on alone",
        "Extra move: off",
        "Clock: 10 minutes per move",
        "Playing out after STOP: as long as the clock allows",
    ):
        assert f"- {line}\n" in f"{shown.text}\n"
    pictures = await room.ola.click(shown, "→ Classic").followed()
    assert "## Classic" in pictures.text
