"""Draws, take-backs and pauses that players agree on, and cancelled games."""

from __future__ import annotations

import pytest

from bot.features.match.actions.offers import answer_buttons
from bot.interactions.layout import MAX_LABEL
from bot.markup import spoken
from play.ids import IdempotencyKey, UserId
from play.match import offers
from play.match.events import OfferKind
from rules.registry import make_game
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY, NOON, SECOND
from tests.matches import ANNA, BORIS, CLARA, a_match

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_draw_is_offered_and_accepted(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    assert "You offered a draw" in await private_words(room.ola.command(thread, "draw"))
    offer = await version_message(room, thread, 3)
    assert "**Ola** offers a draw" in offer.content
    assert offer.mentions == (room.maksim.id,)
    assert offer.attachments == (), "the board has not changed"
    await room.maksim.click(offer, "Accept draw (Максим)").answered()
    last = await version_message(room, thread, 4)
    assert "A draw: the players agreed to it" in last.content
    assert last.labels == ["Rematch", "Replay"]


async def test_every_step_of_a_draw_survives_a_restart(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    board = await room.wait_for_board(thread, 0)
    await room.restart()
    more = await private_message(room.ola.click(board, "More"))
    await room.restart()
    await room.ola.click(more, "Offer a draw").answered()
    offer = await version_message(room, thread, 1)
    await room.restart()
    await room.maksim.click(offer, "Accept draw (Максим)").answered()
    assert "A draw" in (await version_message(room, thread, 2)).content


async def test_a_draw_that_is_declined_is_not_offered_again_before_the_next_move(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    await room.maksim.click(await version_message(room, thread, 1), "Decline draw (Максим)").answered()
    declined = await version_message(room, thread, 2)
    assert "**Максим** declined the draw" in declined.content
    assert declined.mentions == (room.ola.id,)
    assert "Accept draw (Максим)" not in declined.labels
    assert "Offer it again after your next move" in await private_words(room.ola.command(thread, "draw"))
    more = await private_message(room.ola.click(declined, "More"))
    assert "Offer a draw" not in more.labels


@pytest.mark.parametrize("way", ["at once", "from More", "by the command again"])
async def test_an_offer_is_taken_back_at_one_press_and_calls_nobody(room: Room, way: str) -> None:
    thread = await room.start_match(clock="3d")
    panel = await private_message(room.ola.command(thread, "draw"))
    offer = await version_message(room, thread, 1)
    if way == "from More":
        panel = await private_message(room.ola.click(offer, "More"))
    elif way == "by the command again":
        panel = await private_message(room.ola.command(thread, "draw"))
        assert "You've already offered that" in panel.text
    await room.restart()
    assert "You took your offer back" in (await room.ola.click(panel, "Take back draw offer").followed()).text
    taken_back = await version_message(room, thread, 2)
    assert "**Ola** took the draw offer back" in taken_back.content
    assert taken_back.mentions == ()
    assert not [label for label in taken_back.labels if "draw" in label]


@pytest.mark.parametrize(
    ("kind", "label"), [("takeback", "Take back the request"), ("pause", "Take back pause request")]
)
async def test_every_offer_can_be_taken_back(room: Room, kind: str, label: str) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    panel = await private_message(room.ola.command(thread, kind))
    assert label in panel.labels
    await room.ola.click(panel, label).followed()
    assert "**Ola** no longer asks" in (await version_message(room, thread, 4)).content


async def test_the_other_side_cannot_take_an_offer_back_and_old_panels_offer_what_is_possible_now(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    panel = await private_message(room.ola.command(thread, "draw"))
    offer = await version_message(room, thread, 1)
    await room.maksim.click(offer, "Decline draw (Максим)").answered()
    await version_message(room, thread, 2)
    assert "The game has moved on" in (await room.ola.click(panel, "Take back draw offer").followed()).text
    more = await private_message(room.maksim.click(room.discord.messages(thread)[-1], "More"))
    assert "Take back draw offer" not in more.labels


@pytest.mark.parametrize("who", ["Ola", "Kasia Wiśniewska"])
async def test_only_the_other_side_can_accept_a_draw(room: Room, who: str) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    words = await private_words(room.discord.people[who].click(offer, "Accept draw (Максим)"))
    assert "That's your own offer" in words or "You aren't playing in this game" in words
    assert await room.version() == 1


async def test_an_offer_stays_open_after_a_move_of_the_other_side_and_lapses_with_ones_own(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await room.maksim.command(thread, "draw").answered()
    await version_message(room, thread, 1)
    await room.ola.command(thread, "move", point="c3").answered()
    after = await version_message(room, thread, 2)
    assert "still offers a draw" in after.content
    assert "Accept draw (Ola)" in after.labels
    await room.maksim.command(thread, "move", point="c2").answered()
    lapsed = await version_message(room, thread, 3)
    assert "draw" not in lapsed.content
    assert "Accept draw (Ola)" not in lapsed.labels


async def test_the_button_of_an_offer_that_has_lapsed_says_so(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 403, code=50013)
    await room.ola.command(thread, "move", point="c3").answered()
    await room.discord.until(lambda: len(room.boards(thread)) == 2)
    assert "The game has moved on" in await private_words(room.maksim.click(offer, "Accept draw (Максим)"))


async def test_a_second_click_on_an_answer_is_harmless(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "takeback").answered()
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    first, second = (room.maksim.click(offer, "Decline draw (Максим)") for _ in range(2))
    await first.answered()
    assert "The game has moved on" in await private_words(second)
    assert await room.version() == 2


async def test_offering_what_the_other_has_offered_is_agreeing(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    await version_message(room, thread, 1)
    assert "it's agreed" in await private_words(room.maksim.command(thread, "draw"))
    assert "A draw" in (await version_message(room, thread, 2)).content


async def test_a_move_is_taken_back_at_once_shortly_after_it_was_made(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    assert "was taken back" in await private_words(room.ola.command(thread, "takeback"))
    board = await version_message(room, thread, 2)
    assert "**Ola** took back the last move" in board.content
    assert board.attachments
    assert board.mentions == (room.ola.id,)


async def test_later_the_other_side_is_asked_whether_a_move_may_be_taken_back(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    await room.pass_time(11 * SECOND)
    assert "Your opponent sees it" in await private_words(room.ola.command(thread, "takeback"))
    asked = await version_message(room, thread, 2)
    assert asked.mentions == (room.maksim.id,)
    await room.maksim.click(asked, "Allow take-back (Максим)").answered()
    board = await version_message(room, thread, 3)
    assert "The last move was taken back" in board.content
    assert board.attachments
    assert f"{room.ola.mention}, your turn (move 1)" in board.content


async def test_a_pause_is_agreed_on_and_ended(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "pause", time="2d").answered()
    asked = await version_message(room, thread, 1)
    assert "pause the game for 2 days" in asked.content
    await room.maksim.click(asked, "Agree to pause (Максим)").answered()
    paused = await version_message(room, thread, 2)
    until = (room.clock() + 2 * DAY) // 1000
    assert f"The game is paused until <t:{until}:f>" in paused.content
    assert "The clock is stopped" not in paused.content, "it is said once"
    assert paused.mentions == ()
    await room.pass_time(DAY)
    assert "The pause is over" in await private_words(room.maksim.command(thread, "pause"))
    resumed = await version_message(room, thread, 3)
    assert "**Максим** ended the pause" in resumed.content
    assert resumed.mentions == (room.ola.id,)
    assert f"<t:{(room.clock() + 3 * DAY) // 1000}:R>" in resumed.content


async def test_a_match_is_cancelled_before_everybody_has_moved_and_asks_first(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    more = await private_message(room.maksim.click(await version_message(room, thread, 1), "More"))
    assert {"Cancel game", "Resign"} <= set(more.labels)
    asked = await room.maksim.click(more, "Cancel game").followed()
    assert "Cancel the game against **Ola**?" in asked.text
    assert await room.version() == 1, "nothing has happened yet"
    await room.maksim.click(asked, "Yes, cancel game").answered()
    assert "The game is cancelled." in (await version_message(room, thread, 2)).content


async def test_a_match_that_is_not_cancelled_after_all_goes_on(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    asked = await private_message(room.ola.command(thread, "abort"))
    await room.ola.click(asked, "Keep playing").answered()
    assert await room.version() == 0


async def test_who_confirms_too_late_that_a_match_is_cancelled_is_told_so(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    asked = await private_message(room.ola.command(thread, "abort"))
    await room.play(thread, "c3", "c2")
    shown = await room.ola.click(asked, "Yes, cancel game").followed()
    assert "The game has moved on" in shown.text
    assert "Cancel game" not in shown.labels
    assert await room.version() == 2


async def test_a_stranger_is_not_asked_whether_to_cancel(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    assert "You aren't playing in this game" in await private_words(room.kasia.command(thread, "abort"))


async def test_a_match_in_which_everybody_has_moved_is_not_cancelled(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    assert "can't be cancelled" in await private_words(room.maksim.command(thread, "abort"))


async def test_in_a_live_game_who_asked_is_mentioned_when_the_answer_is_no(room: Room) -> None:
    """Others who have just moved are not, since they look at the game."""
    thread = await room.start_match(clock="10m+30s")
    await room.play(thread, "c3", "c2")
    await room.ola.command(thread, "draw").answered()
    await room.maksim.click(await version_message(room, thread, 3), "Decline draw (Максим)").answered()
    assert (await version_message(room, thread, 4)).mentions == (room.ola.id,)


async def test_a_board_that_one_player_sees_has_no_answers_for_the_other(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    await room.pass_time(11 * SECOND)
    await room.ola.command(thread, "takeback").answered()
    await version_message(room, thread, 2)
    assert "Allow take-back" not in (await private_message(room.ola.command(thread, "board"))).labels
    assert "Allow take-back" in (await private_message(room.maksim.command(thread, "board"))).labels


async def test_a_pause_is_suggested_that_fits_the_clock(room: Room) -> None:
    live = await room.start_match(clock="10m+30s")
    suggested = await room.ola.complete(live, "pause", focused="time")
    assert [each["value"] for each in suggested] == ["5m", "15m", "1h"]
    assert [each["value"] for each in await room.ola.complete(live, "pause", focused="time", time="2d")] == [
        "5m",
        "15m",
        "1h",
    ]
    assert "lasts from `1m` to `1d`" in await private_words(room.ola.command(live, "pause", time="2d"))
    assert await room.version() == 0
    await room.ola.command(live, "pause").answered()
    assert "pause the game for 15 minutes" in (await version_message(room, live, 1)).content


async def test_a_pause_of_a_game_over_days_is_suggested_in_days(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    suggested = await room.ola.complete(thread, "pause", focused="time")
    assert [each["value"] for each in suggested] == ["3d", "7d", "14d"]


def test_answers_name_all_players_who_may_give_them() -> None:
    table = a_match(players=(ANNA, BORIS, CLARA), game=make_game("three", {"size": "9x9"}))
    asked = offers.offer(table, BORIS, OfferKind.DRAW, NOON, IdempotencyKey(1))
    labels = [each.item.label for each in answer_buttons(asked, ("Ola", "Max", "Kasia"), spoken().of())]
    assert labels == ["Accept draw (Ola, Kasia)", "Decline draw (Ola, Kasia)"]


def test_long_names_fit_on_the_answers() -> None:
    table = a_match(players=(ANNA, BORIS, CLARA, UserId(104)), game=make_game("four", {"size": "9x9"}))
    asked = offers.offer(table, BORIS, OfferKind.PAUSE, NOON, IdempotencyKey(1))
    for tag in spoken().names:
        for button in answer_buttons(asked, ("Ж" * 32,) * 4, spoken().of(tag)):
            assert len(button.item.label or "") <= MAX_LABEL
            assert (button.item.label or "").endswith("…)")


def test_what_is_offered_to_the_computer_has_no_answers_that_people_could_press() -> None:
    asked = offers.offer(a_match(), ANNA, OfferKind.DRAW, NOON, IdempotencyKey(1))
    assert answer_buttons(asked, ("Ola", "Kropka"), spoken().of(), computer=BORIS) == []
