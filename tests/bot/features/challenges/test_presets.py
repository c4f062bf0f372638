"""Every offered rule set can be played, also where a whole turn has to be typed."""

from __future__ import annotations

import pytest

from bot.features.registry import offered_presets
from play.ids import UserId
from presentation.terms import rules_help
from rules.registry import GAMES
from tests.bot.room import Room


@pytest.mark.sample(5)
@pytest.mark.parametrize("preset", offered_presets(dot_dash=True))
async def test_a_match_by_any_preset_begins_with_its_board(room: Room, preset: str) -> None:
    size = "9" if GAMES[preset].seats == 2 else "12"
    card = await room.challenge(opponent=room.maksim, rules=preset, size=size, start=None)
    for person in (room.maksim, room.kasia, room.discord.invite("Zofia"))[: GAMES[preset].seats - 1]:
        await person.click(card, card.labels[0]).answered()
    board = await room.wait_for_board(await room.wait_for_thread(card), 0)
    assert len(board.mentions) == 1


async def test_a_preset_has_its_own_size_and_start_unless_one_is_chosen(room: Room) -> None:
    card = await room.challenge(rules="quick", size=None, start=None)
    assert "15×15" in card.content
    assert "Start: a cross" in card.content


async def test_the_card_explains_the_rules_while_the_offer_is_open(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, rules="quick")
    help_ = rules_help(GAMES["quick"].with_options({"size": "5", "start": "empty"}), room.services.languages.of())
    assert f"-# {help_}" in card.content
    declined = await room.maksim.click(card, "Decline").followed()
    assert help_ not in declined.content


async def test_a_chain_is_drawn_with_the_dot_that_closes_it(room: Room) -> None:
    thread = await room.start_match(rules="zagram-territory", start="cross")
    board = await room.play(thread, "C5", "A1", "D4 draw C4")
    assert "captured 1 dot" in board.content


async def test_a_random_start_stays_the_same_after_a_restart(room: Room) -> None:
    thread = await room.start_match(size="20x20", start="random")
    before = (await room.use_cases.matches.list_open(UserId(room.ola.id)))[0].game
    await room.restart()
    assert (await room.use_cases.matches.list_open(UserId(room.ola.id)))[0].game == before
    assert "stones" in before.options
    assert room.boards(thread)


async def test_dot_dash_is_set_up_chosen_and_dashed(room: Room) -> None:
    thread = await room.start_match(rules="dot-dash", size="7", start=None)
    board = await room.play(thread, "set D4 E5/G7")
    assert board.mentions == (room.maksim.id,)
    assert "Choose a side" in board.labels
    board = await room.play(thread, "take single")
    assert f"{room.maksim.mention}, your turn to dash (move 3)" in board.content


def test_dot_dash_is_offered_only_where_the_operator_wants_it() -> None:
    assert not [key for key in offered_presets(dot_dash=False) if key.startswith("dot-dash")]
    assert [key for key in offered_presets(dot_dash=True) if key.startswith("dot-dash")]


def test_every_number_of_players_has_its_own_rules() -> None:
    assert {GAMES[key].seats for key in offered_presets(dot_dash=False)} == {2, 3, 4}
