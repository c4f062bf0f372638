"""A match's journey on every chat platform: each step is a test, and each platform a column."""

from __future__ import annotations

import re

import pytest

from bot.features.registry import offered_presets
from play.challenge.challenge import ChallengeState
from play.ids import HOUR
from play.match.events import EventKind
from play.people.settings import Reminders
from rules.dots import DotsPosition
from tests.chat.world import World
from tests.clock import DAY
from tests.matches import pass_time
from use_cases.workers.deadline_scheduler import DeadlineScheduler


async def test_start_says_what_the_bot_is_for_in_the_readers_language(world: World) -> None:
    ola, ivan = await world.join("ola"), await world.join("ivan", "ru")
    (shown,) = await world.say(ola, "/start", direct=True)
    assert "Dots" in shown.text
    command = world.parts.services.languages.of("en").command("challenge")
    assert re.sub("<[^>]+>", "", command) in shown.text
    (shown,) = await world.say(ivan, "/start", direct=True)
    assert "Точки" in shown.text


async def test_a_game_is_played_from_the_challenge_to_the_result(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (card,) = await world.say(ola, "/challenge @bob 20x20, 3d, first", mention=bob)
    assert "challenges you" in card.text
    await world.press(bob, card, "Accept")
    assert "C3" not in world.board().text
    await world.say(ola, "C3")
    assert "C3" in world.board().text
    await world.say(bob, "d4")
    assert "D4" in world.board().text
    question = (await world.say(ola, "/resign"))[-1]
    await world.press(ola, question, "Yes, resign")
    assert "bob" in world.board().text
    assert "Rematch" in world.board().labels
    assert (await world.match(ola)).outcome is not None


async def test_a_command_has_the_name_of_each_language(world: World) -> None:
    ivan, petr = await world.join("ivan", "ru"), await world.join("petr", "ru")
    (card,) = await world.say(ivan, "/вызов @petr 20x20, 3 дня", mention=petr)
    assert "вызывает" in card.text


async def test_anyone_accepts_an_open_challenge(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (card,) = await world.say(ola, "/challenge anyone 13x13 1d")
    assert "13×13" in card.text
    await world.press(bob, card, "Accept")
    assert (await world.match(bob)).players == (ola.user, bob.user)


async def test_a_challenge_is_put_together_by_a_short_choice_of_buttons(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (choice,) = await world.say(ola, "/challenge")
    (choice,) = await world.press(ola, choice, "Board size")
    (choice,) = await world.press(ola, choice, "13 × 13")
    (choice,) = await world.press(ola, choice, "Clock")
    (choice,) = await world.press(ola, choice, "7 days")
    cards = await world.press(ola, choice, "Post")
    card = next(each for each in cards if "Accept" in each.labels)
    await world.press(bob, card, "Accept")
    match = await world.match(ola)
    assert (match.game.options["size"], str(match.clock.control)) == ("13x13", "7d")


async def test_others_choose_nothing_in_a_draft(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (choice,) = await world.say(ola, "/challenge")
    (told,) = await world.press(bob, choice, "Board size")
    assert told.key != choice.key


async def test_three_players_join_one_challenge(world: World) -> None:
    ola, bob, eve = await world.join("ola"), await world.join("bob"), await world.join("eve")
    (card,) = await world.say(ola, "/challenge anyone 3 players")
    await world.press(bob, card, "Join")
    await world.press(eve, card, "Join")
    assert set((await world.match(ola)).players) == {ola.user, bob.user, eve.user}


async def test_a_challenge_is_declined_and_its_maker_is_told(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (card,) = await world.say(ola, "/challenge @bob", mention=bob)
    shown = await world.press(bob, card, "Decline")
    assert any("declined" in each.text for each in shown)
    assert card.key in {each.key for each in shown}


async def test_a_challenge_is_withdrawn_by_a_command(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.say(ola, "/challenge @bob", mention=bob)
    await world.say(ola, "/withdraw")
    async with world.store.read() as reader:
        challenge = await reader.challenges.get(1)  # type: ignore[arg-type]
    assert challenge is not None
    assert challenge.state is ChallengeState.WITHDRAWN


async def test_other_terms_are_offered_by_a_reply_to_the_card(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (card,) = await world.say(ola, "/challenge @bob 20x20", mention=bob)
    await world.say(bob, "/options 13x13, 1d", reply_to=card)
    cards = [each for each in world.driver.seen() if each.key == card.key]
    assert "13×13" in cards[0].text
    await world.press(ola, cards[0], "Accept")
    assert (await world.match(ola)).game.options["size"] == "13x13"


async def test_terms_that_cannot_be_read_are_named(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    (told,) = await world.say(ola, "/challenge @bob nonsense", mention=bob)
    assert "nonsense" in told.text


async def test_small_talk_is_left_alone(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    for talk in ("hi all", "at 10:15?", "2:1 for you", "I'd say C", "12"):
        assert await world.say(bob, talk) == []
    assert (await world.match(ola)).moves == ()


async def test_a_move_out_of_turn_is_refused_in_words(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    (told,) = await world.say(bob, "C3")
    assert "ola" in told.text


async def test_a_move_on_a_dot_is_refused_in_words(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.say(ola, "C3")
    (told,) = await world.say(bob, "C3")
    assert "C3" in told.text


async def test_a_reply_to_a_board_names_one_of_several_games(world: World) -> None:
    ola, bob, eve = await world.join("ola"), await world.join("bob"), await world.join("eve")
    first = await world.begin(ola, bob)
    second = await world.begin(ola, eve)
    (told,) = await world.say(ola, "C3")
    assert "several games" in told.text
    await world.say(ola, "C3", reply_to=second)
    await world.say(ola, "D4", reply_to=first)
    assert [len((await world.match(who)).moves) for who in (bob, eve)] == [1, 1]


async def test_a_move_is_confirmed_first_where_its_player_wants_that(world: World) -> None:
    ola, bob = await world.join("ola", confirms=True), await world.join("bob")
    await world.begin(ola, bob)
    (prompt,) = await world.say(ola, "C3")
    assert (await world.match(ola)).moves == ()
    await world.press(ola, prompt, "Play")
    assert [move.text for move in (await world.match(ola)).moves] == ["C3"]


async def test_a_move_is_made_by_the_keypad(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    near = next(label for label in board.labels if "near" in label.casefold())
    pad = next(each for each in await world.press(ola, board, near) if each.reader == "ola")
    assert pad.picture is not None
    await world.press(ola, pad, "1")
    assert len((await world.match(ola)).moves) == 1


async def test_a_draw_is_offered_and_agreed(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.say(ola, "/draw")
    await world.press(bob, world.board(), "Accept draw")
    outcome = (await world.match(ola)).outcome
    assert outcome is not None
    assert len(outcome.winners) == 2


async def test_a_take_back_is_asked_for_and_allowed(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.say(ola, "C3")
    await world.say(bob, "D4")
    await world.say(ola, "/takeback")
    await world.press(bob, world.board(), "Allow take-back")
    assert (await world.match(ola)).moves == ()


async def test_resigning_asks_first(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    question = (await world.say(ola, "/resign"))[-1]
    await world.press(ola, question, "Keep playing")
    assert (await world.match(ola)).outcome is None


async def test_stop_shows_its_result_first(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "classic, 20x20, first")
    for who, move in ((ola, "C3"), (bob, "D4"), (ola, "G7"), (bob, "H8")):
        await world.say(who, move)
    prompt = (await world.say(ola, "STOP"))[-1]
    if "See the result" in prompt.labels:
        prompt = next(each for each in await world.press(ola, prompt, "See the result") if each.reader)
    await world.press(ola, prompt, "Yes, STOP")
    assert (await world.match(ola)).events[-1].text == "stop"


async def test_a_rematch_goes_on_in_the_same_place(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.press(ola, (await world.say(ola, "/resign"))[-1], "Yes, resign")
    first = await world.match(ola)
    cards = await world.press(bob, world.board(), "Rematch")
    await world.press(ola, next(each for each in cards if "Accept" in each.labels), "Accept")
    second = await world.match(ola)
    assert (second.id != first.id, second.channel) == (True, first.channel)
    assert second.players == (bob.user, ola.user)
    await world.say(bob, "C3")
    assert len((await world.match(ola)).moves) == 1


async def test_the_clock_and_the_rest_of_the_menu_are_shown_to_one_player(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    (menu,) = await world.press(ola, board, "More")
    assert menu.reader == "ola"
    assert {"Clock", "Resign", "Offer a draw"} <= set(menu.labels)
    (clock,) = await world.press(ola, menu, "Clock")
    assert "ola" in clock.text


async def test_a_player_is_reminded_where_they_want_it(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    async with world.store.write() as tx:
        settings = await tx.people.get(ola.user)
        await tx.people.save(type(settings)(ola.user, reminders=Reminders.DM, version=settings.version))
    await world.begin(ola, bob, "20x20, 1d, first")
    await pass_time(world.store, world.clock, 20 * HOUR)
    scheduler = DeadlineScheduler(world.store, world.use_cases.clocks, world.use_cases.challenges, lambda _: None)
    before = len(world.driver.seen())
    await scheduler.poll()
    await world.settle()
    told = world.driver.seen()[before:]
    assert [each.reader for each in told] == ["ola"]
    assert "bob" in told[0].text


async def test_a_game_is_lost_on_time(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 1d, first")
    await world.say(ola, "C3")
    await world.say(bob, "D4")
    await pass_time(world.store, world.clock, 2 * DAY)
    await DeadlineScheduler(world.store, world.use_cases.clocks, world.use_cases.challenges, lambda _: None).poll()
    await world.settle()
    assert (await world.match(ola)).events[-1].kind is EventKind.TIME
    assert "Rematch" in world.board().labels


async def test_a_record_comes_as_a_file_and_as_text(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.say(ola, "C3")
    (record,) = await world.say(bob, "/export")
    assert record.file is not None
    assert record.file.startswith(b"(;")
    (text,) = await world.say(bob, "/export text")
    assert "1. C3" in text.text


async def test_a_board_is_shown_in_letters(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "9x9, first")
    (board,) = await world.say(ola, "/board text")
    assert "ABCDEFGHI" in board.text


async def test_the_daily_is_solved_by_buttons(world: World) -> None:
    ola = await world.join("ola")
    (step,) = await world.say(ola, "/puzzle", direct=True)
    assert step.picture is not None
    shown = (await world.press(ola, step, "Show"))[-1]
    assert "Go on" in shown.labels


async def test_a_profile_and_the_leaderboard_of_the_group_are_shown(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 3d, first, rated")
    for who, move in ((ola, "C3"), (bob, "D4"), (ola, "F6"), (bob, "G7"), (ola, "H9"), (bob, "K9")):
        await world.say(who, move)
    await world.press(ola, (await world.say(ola, "/resign"))[-1], "Yes, resign")
    (profile,) = await world.say(bob, "/profile")
    assert "bob" in profile.text
    assert profile.picture is not None
    (board,) = await world.say(bob, "/leaderboard")
    assert "bob" in board.text


async def test_settings_change_by_buttons(world: World) -> None:
    ola = await world.join("ola")
    (panel,) = await world.say(ola, "/settings", direct=True)
    await world.press(ola, panel, "Polski")
    (panel,) = await world.say(ola, "/settings Warszawa 22:00-07:00", direct=True)
    assert "Warszawa" in panel.text


async def test_data_is_exported_to_its_person_alone_and_deleted_after_a_question(world: World) -> None:
    ola = await world.join("ola")
    (data,) = await world.say(ola, "/privacy")
    assert data.reader == "ola" or data.file is not None
    (question,) = await world.say(ola, "/privacy delete", direct=True)
    (done,) = await world.press(ola, question, question.labels[0])
    assert "deleted" in done.text


async def test_competitions_say_where_they_are_to_be_had(world: World) -> None:
    ola = await world.join("ola")
    for command in ("/tournament", "/league", "/ladder", "/vote"):
        (told,) = await world.say(ola, command)
        assert "Discord" in told.text


async def test_a_page_shows_nothing_of_a_game_to_who_does_not_play_it(world: World) -> None:
    ola, bob, eve = await world.join("ola"), await world.join("bob"), await world.join("eve")
    board = await world.begin(ola, bob)
    shown = await world.press(eve, board, "More")
    assert not any("Resign" in each.labels for each in shown)


@pytest.mark.sample(6)
@pytest.mark.parametrize("preset", offered_presets(dot_dash=True))
async def test_each_rule_set_is_played(world: World, preset: str) -> None:
    people = [await world.join(name) for name in ("ola", "bob", "eve", "dan")]
    (card,) = await world.say(people[0], f"/challenge anyone {preset}")
    several = preset in ("three", "four")
    for who in people[1 : {"three": 3, "four": 4}.get(preset, 2)]:
        await world.press(who, card, "Join" if several else "Accept")
    match = await world.match(people[0])
    assert match.game.key == preset
    for _ in range(6):
        match = await world.match(people[0])
        assert match.to_act is not None
        mover = next(who for who in people if who.user == match.players[match.to_act])
        turn = next(iter(match.position.moves()))
        text = str(turn) if not isinstance(match.position, DotsPosition) else str(turn).partition(" ")[0]
        shown = await world.say(mover, text)
        after = await world.match(people[0])
        if after.version == match.version:  # it is asked what the dot closes, or how a turn goes on
            prompt = shown[-1]
            await world.press(mover, prompt, prompt.labels[0])
            after = await world.match(people[0])
        assert after.version > match.version or shown, preset
    assert world.board().picture is not None
