"""`/play` on chats: two people of two platforms find each other, are called, play, and say what strangers may."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from chat.actions import Action
from play.community.seek import CALL_MILLIS
from play.ids import MINUTE, IdempotencyKey
from storage import Database
from tests.chat.conftest import open_on_matrix, open_world
from tests.chat.driving import Seen, Who
from tests.chat.meeting import Meeting
from tests.chat.world import World
from tests.clock import StoppedClock
from use_cases.player_settings import change_player


@pytest.fixture(params=["memory", "matrix"])
async def meeting(request: pytest.FixtureRequest, store: Database, clock: StoppedClock) -> AsyncIterator[Meeting]:
    """A group on a platform in memory or on Synapse, and one on Telegram's stand-in."""
    if request.param == "matrix":
        first = open_on_matrix(request.getfixturevalue("synapse"), store, clock)
    else:
        first = open_world("memory", store, clock)
    async with first as one, open_world("telegram", store, clock) as other:
        yield Meeting(one, other)


def told(world: World) -> str:
    """Returns all that people of a group read."""
    return "\n".join(each.text for each in world.driver.seen())


def newest(world: World, label: str) -> Seen:
    return [each for each in world.driver.seen() if label in each.labels][-1]


async def begin(meeting: Meeting, label: str = "Game over days") -> tuple[Who, Who]:
    """Lets one person of each group look; returns both."""
    (one, other), people = meeting.worlds, []
    for world, name in ((one, "ola"), (other, "ivan")):
        people.append(await world.join(name))
        await meeting.look(world, people[-1], label)
    await meeting.settle()
    return people[0], people[1]


async def test_a_game_over_days_begins_in_the_group_of_each(meeting: Meeting) -> None:
    await begin(meeting)
    for world, opponent in zip(meeting.worlds, ("ivan", "ola"), strict=True):
        assert opponent in world.board().text
        assert "The game has begun" in told(world)


async def test_a_move_in_one_group_is_shown_in_the_other(meeting: Meeting) -> None:
    ola, ivan = await begin(meeting)
    one, other = meeting.worlds
    match = await one.match(ola)
    first, player = (one, ola) if match.players[0] == ola.user else (other, ivan)
    await first.say(player, "C3")
    assert all("C3" in world.board().text for world in meeting.worlds)


async def test_live_players_are_called_in_group_and_directly_and_play_once_both_are_there(meeting: Meeting) -> None:
    people = await begin(meeting, "Live game")
    for world, who in zip(meeting.worlds, people, strict=True):
        calls = [each for each in world.driver.seen() if "I'm here" in each.labels]
        assert [each.reader for each in calls] == [None, who.name]
        await world.press(who, calls[1], "I'm here")
    await meeting.settle()
    for world in meeting.worlds:
        assert world.board()
        assert not [each for each in world.driver.seen() if "I'm here" in each.labels]


async def test_who_is_not_there_is_told_so_and_the_other_one_looks_on(meeting: Meeting) -> None:
    ola, _ = await begin(meeting, "Live game")
    one, other = meeting.worlds
    await one.press(ola, newest(one, "I'm here"), "I'm here")
    one.clock.advance(CALL_MILLIS)
    await meeting.settle()
    assert "your opponent didn't come" in told(one)
    assert "you weren't there" in told(other)


async def test_nobody_else_answers_a_call_or_a_panel(meeting: Meeting) -> None:
    await begin(meeting, "Live game")
    one, _ = meeting.worlds
    eve = await one.join("eve")
    call = next(each for each in one.driver.seen() if "I'm here" in each.labels)
    shown = await one.press(eve, call, "I'm here")
    assert any("This search is over" in each.text for each in shown)
    panel = next(each for each in one.driver.seen() if "Look again" in each.labels)
    await one.press(eve, panel, "Look again")
    assert len(await one.use_cases.seeks.outlooks(eve.user)) == 0


async def test_a_search_says_how_it_goes_on_and_can_be_left(meeting: Meeting) -> None:
    one, _ = meeting.worlds
    ola = await one.join("ola")
    panel = await meeting.look(one, ola, "A game a week", direct=True)
    assert "A game a week" in panel.text
    assert "Nobody else is looking yet" in panel.text
    (left,) = await one.press(ola, panel, "Stop looking")
    assert "stopped looking" in left.text
    assert await one.use_cases.seeks.outlooks(ola.user) == []


async def test_only_own_rules_are_a_choice(meeting: Meeting) -> None:
    one, _ = meeting.worlds
    ola = await one.join("ola")
    (panel,) = await one.say(ola, "/play")
    (own,) = await one.press(ola, panel, "Only my rules")
    await one.press(ola, own, "Live game")
    [outlook] = await one.use_cases.seeks.outlooks(ola.user)
    assert not outlook.seek.flexible


async def test_strangers_know_each_other_by_the_names_that_they_have_chosen(meeting: Meeting) -> None:
    one, other = meeting.worlds
    ola, ivan = await one.join("ola"), await other.join("ivan")
    (named,) = await one.say(ola, "/play name Wanderer", direct=True)
    assert "Wanderer" in named.text
    await other.say(ivan, "/play имя #", direct=True)
    await meeting.look(one, ola, "Game over days")
    await meeting.look(other, ivan, "Game over days")
    await meeting.settle()
    assert "Wanderer" in other.board().text
    assert "ola" not in told(other)
    assert "ivan" not in told(one)
    assert "ola" in one.board().text


async def test_a_phrase_comes_in_the_language_of_its_reader_and_twice_if_it_is_said_twice(meeting: Meeting) -> None:
    ola, ivan = await begin(meeting)
    one, other = meeting.worlds
    await change_player(one.store, ivan.user, {"language": "uk"})
    menu = (await one.press(ola, one.board(), "More"))[-1]
    choice = (await one.press(ola, menu, "Say something"))[-1]
    for _ in range(2):
        (said,) = [each for each in await one.press(ola, choice, "Good luck!") if "opponent reads" in each.text]
        assert "Good luck!" in said.text
        await meeting.settle()
        one.clock.advance(MINUTE)
    assert told(other).count("ola: Успіху!") == 2


@pytest.mark.parametrize(("label", "reports"), [("Report and block", 1), ("Block only", 0)])
async def test_a_stranger_is_reported_or_only_blocked_and_the_block_taken_back(
    meeting: Meeting, label: str, reports: int
) -> None:
    ola, ivan = await begin(meeting)
    one, _ = meeting.worlds
    menu = (await one.press(ola, one.board(), "More"))[-1]
    question = (await one.press(ola, menu, "Report"))[-1]
    assert "ivan" in question.text
    await one.press(ola, question, label)
    assert await one.use_cases.blocks.load(ola.user) == [ivan.user]
    async with one.store.read() as reader:
        assert (await reader.seeks.conduct([ivan.user], one.clock.time))[ivan.user].reported == reports
    settings = (await one.say(ola, "/settings", direct=True))[-1]
    listed = (await one.press(ola, settings, "Blocked players"))[-1]
    await one.press(ola, listed, "Unblock: ivan")
    assert await one.use_cases.blocks.load(ola.user) == []


async def test_a_player_who_is_no_stranger_reports_nobody(meeting: Meeting) -> None:
    one, _ = meeting.worlds
    ola, bob = await one.join("ola"), await one.join("bob")
    board = await one.begin(ola, bob)
    menu = (await one.press(ola, board, "More"))[-1]
    assert not {"Report", "Say something"} & {*menu.labels}


async def test_the_last_board_leads_to_a_word_and_to_the_next_game(meeting: Meeting) -> None:
    ola, _ = await begin(meeting)
    one, _ = meeting.worlds
    match = await one.match(ola)
    await one.use_cases.matches.resign(match.id, ola.user, one.clock.time, IdempotencyKey(5))
    await meeting.settle()
    last = newest(one, "Play anyone")
    assert {"Say something", "Play anyone"} <= {*last.labels}
    assert "Rematch" not in last.labels
    shown = await one.press(ola, last, "Play anyone")
    assert any("By any rules" in each.text for each in shown)


async def test_a_group_says_no_by_its_managers_alone(meeting: Meeting) -> None:
    _, group = meeting.worlds
    ola, bob = await group.join("ola"), await group.join("bob")
    (panel,) = await group.say(bob, "/play")
    assert not [label for label in panel.labels if label.startswith("Other servers")]
    await group.driver.make_manager(ola)
    (panel,) = await group.say(ola, "/play")
    await group.press(ola, panel, "Other servers: on")
    (panel,) = await group.say(bob, "/play")
    shown = await group.press(bob, panel, "Live game")
    assert await group.use_cases.seeks.outlooks(bob.user) == []
    assert any("strangers" in each.text or "other servers" in each.text for each in shown)


def test_the_longest_codes_of_searches_fit_a_button() -> None:
    most = (1 << 62) + (1 << 61)
    assert Action("seek", (most, 1, 1), "live").fits
    assert Action("unblock", (most, most)).fits
