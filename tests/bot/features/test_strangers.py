"""Two players of two servers find each other: `/play`, the calls, the game on both servers, and a report."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Channel, Message, Person
from play.community.seek import SeekId, SeekState
from play.ids import IdempotencyKey, MatchId, Millis, UserId
from tests.bot.border import Border
from tests.bot.room import Room, private_message, private_words
from tests.clock import MINUTE
from use_cases.player_settings import change_player


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


async def look(border: Border, person: Person, channel: Channel, label: str) -> Message:
    """Opens the panel, and begins a search by its button; returns the panel."""
    panel = await private_message(person.command(channel, "play"))
    return await person.click(panel, label).followed()


def calls(border: Border, channel: Channel) -> list[Message]:
    return [each for each in border.room.discord.messages(channel) if "seek:" in str(each.components)]


async def called(border: Border, channel: Channel) -> Message:
    found = await border.room.discord.until(lambda: calls(border, channel))
    newest: Message = found[-1]
    return newest


async def _passes(border: Border, told: str) -> bool:
    """Lets the time for an answer pass, which begins when both are called; returns whether Ola's call says so."""
    room, clock = border.room, border.room.clock
    for outlook in await room.use_cases.seeks.outlooks(UserId(border.ola.id)):
        clock.advance(Millis(max(0, (outlook.seek.call_ends or 0) - clock.time)))
    room.bot.workers.matchmaker.wake()
    return told in border.room.discord.messages(border.here)[-1].text


async def threads(border: Border) -> list[int]:
    """Returns the threads of the game, the one at home first."""

    async def match() -> list[int]:
        async with border.room.services.store.read() as reader:
            open_games = await reader.matches.open_of(UserId(border.ola.id))
            stored = [await reader.matches.get(each.id) for each in open_games]
        return [each for found in stored if found and found.away for each in (found.channel, found.away.channel)]

    return await border.room.until(match)


async def test_the_call_leads_to_the_board_not_to_itself(border: Border) -> None:
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        await look(border, person, channel, "Game over days")
    home, _ = await threads(border)
    call = await border.room.discord.until(
        lambda: next((each for each in border.room.discord.messages(border.here) if "has begun" in each.text), None)
    )
    board = border.room.boards(border.room.discord.channel(home))[0]
    assert f"/{home}/{board.id})" in call.content


async def test_two_who_look_are_called_and_play_on_both_servers(border: Border) -> None:
    await look(border, border.ola, border.here, "Live game")
    panel = await look(border, border.jadwiga, border.there, "Live game")
    assert "🔎" in panel.text
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        call = await called(border, channel)
        assert [*call.mentions] == [person.id]
        ready = next(part["custom_id"] for part in call.controls if part["custom_id"].endswith(":ready"))
        await person.click(call, ready).answered()
    home, away = await threads(border)
    await border.settle()
    assert [len(border.boards(each)) for each in (home, away)] == [1, 1]
    assert "Jadwiga" in border.boards(home)[-1].content + border.boards(away)[-1].content


def seen(border: Border, panel: Message) -> list[Message]:
    """Returns a private panel of Ola as it is now."""
    return [each for each in border.ola.sees(border.here) if each.id == panel.id]


async def test_the_panel_of_a_search_leads_to_its_game(border: Border) -> None:
    panel = await look(border, border.ola, border.here, "Game over days")
    await look(border, border.jadwiga, border.there, "Game over days")
    home, _ = await threads(border)
    shown = await border.room.discord.until(
        lambda: next((each for each in seen(border, panel) if "has begun" in each.text), None)
    )
    assert f"/{home}/" in shown.text
    assert shown.labels == ["Play anyone"]


async def test_a_panel_that_shows_something_else_by_then_stays(border: Border) -> None:
    panel = await look(border, border.ola, border.here, "Game over days")
    other = await border.ola.click(panel, "A friend elsewhere").followed()
    await look(border, border.jadwiga, border.there, "Game over days")
    await threads(border)
    await border.until(lambda: any("has begun" in each.text for each in border.room.discord.messages(border.here)))
    await border.settle()
    assert [each.text for each in seen(border, panel)] == [other.text]


async def test_nobody_else_answers_a_call(border: Border) -> None:
    await look(border, border.ola, border.here, "Live game")
    await look(border, border.jadwiga, border.there, "Live game")
    call = await called(border, border.here)
    words = await private_words(border.moderator.click(call, call.controls[0]["custom_id"]))
    assert "This search is over" in words


async def test_a_game_over_days_begins_without_a_question_and_the_stranger_can_be_reported(border: Border) -> None:
    await look(border, border.ola, border.here, "Game over days")
    await look(border, border.jadwiga, border.there, "Game over days")
    home, _ = await threads(border)
    await border.settle()
    board = border.newest(home)
    more = next(part["custom_id"] for part in board.controls if part["custom_id"].endswith(":more"))
    menu = await private_message(border.ola.click(board, more))
    question = await border.ola.click(menu, "Report").followed()
    assert "Jadwiga" in question.text
    done = await border.ola.click(question, "Report and block").followed()
    assert "Reported and blocked" in done.text
    assert await border.room.use_cases.blocks.load(UserId(border.ola.id)) == [border.jadwiga.id]


async def test_a_search_can_be_left(border: Border) -> None:
    panel = await look(border, border.ola, border.here, "Live game")
    left = await border.ola.click(panel, "Stop looking").followed()
    assert "stopped looking" in left.text
    assert "Live game" in left.labels


async def test_only_own_rules_are_a_choice(border: Border) -> None:
    panel = await private_message(border.ola.command(border.here, "play"))
    assert "By any rules" in panel.text
    own = await border.ola.click(panel, "Only my rules").followed()
    assert "Only by your rules" in own.text
    await border.ola.click(own, "Live game").followed()
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert not outlook.seek.flexible


async def test_a_chosen_name_is_what_the_other_server_reads(border: Border) -> None:
    panel = await private_message(border.jadwiga.command(border.there, "play"))
    opened = await border.jadwiga.click(panel, "Name: Jadwiga").answered()
    assert opened.modal is not None
    named = await border.jadwiga.submit(opened.modal, {"name": "Wędrowiec"}).followed()
    assert "Wędrowiec" in named.text
    await border.jadwiga.click(named, "Game over days").followed()
    await look(border, border.ola, border.here, "Game over days")
    there, here = await threads(border)  # Jadwiga has looked first
    await border.settle()
    read = " ".join(each.text for each in (*border.room.discord.messages(border.here), *border.boards(here)))
    assert "Wędrowiec" in read
    assert "Jadwiga" not in read
    assert "Jadwiga" in border.boards(there)[-1].content


async def test_a_call_that_is_not_answered_ends_the_search_of_who_was_not_there(border: Border, room: Room) -> None:
    await look(border, border.ola, border.here, "Live game")
    await look(border, border.jadwiga, border.there, "Live game")
    call = await called(border, border.here)
    await border.ola.click(call, call.controls[0]["custom_id"]).answered()
    await room.until(lambda: _passes(border, "didn't come"))


async def say(border: Border, phrase: str) -> Message:
    """Has Ola say something in her game; returns what she reads then."""
    home, _ = await threads(border)
    board = border.newest(home)
    more = next(part["custom_id"] for part in board.controls if part["custom_id"].endswith(":more"))
    menu = await private_message(border.ola.click(board, more))
    choice = await border.ola.click(menu, "Say something").followed()
    picked = next(part["custom_id"] for part in choice.controls if part["custom_id"].endswith(":phrase"))
    return await border.ola.click(choice, picked, [phrase]).followed()


async def begin(border: Border) -> None:
    await look(border, border.ola, border.here, "Game over days")
    await look(border, border.jadwiga, border.there, "Game over days")
    await threads(border)
    await border.settle()


async def test_a_phrase_comes_to_the_other_place_in_the_language_of_its_reader(border: Border) -> None:
    await begin(border)
    await change_player(border.room.services.store, UserId(border.jadwiga.id), {"language": "uk"})
    said = await say(border, "luck")
    assert said.text == "✅ Your opponent reads: Good luck!"
    await border.settle()
    home, away = (border.room.discord.channel(each) for each in await threads(border))
    here, there = ([each.content for each in border.room.discord.messages(place)] for place in (home, away))
    assert "Ola: Успіху!" in there
    assert "luck" not in " ".join(here)


async def test_a_phrase_is_said_once_a_minute_and_another_one_at_once(border: Border) -> None:
    await begin(border)
    assert "Hello" in (await say(border, "hello")).text
    assert "Try again in" in (await say(border, "hello")).text
    assert "Thank you" in (await say(border, "thanks")).text
    border.room.clock.advance(MINUTE)
    assert "✅" in (await say(border, "hello")).text


async def test_the_same_phrase_comes_again_after_a_minute_without_a_move_between(border: Border) -> None:
    await begin(border)
    _, away = await threads(border)
    for _ in range(2):
        await say(border, "hello")
        await border.settle()
        border.room.clock.advance(MINUTE)
    said = [each.content for each in border.room.discord.messages(border.room.discord.channel(away))]
    assert len([each for each in said if each.startswith("Ola: ")]) == 2


async def test_two_strangers_of_one_server_have_phrases_and_reports(border: Border) -> None:
    kasia = border.room.kasia
    await look(border, border.ola, border.here, "Game over days")
    await look(border, kasia, border.here, "Game over days")

    async def match() -> int | None:
        async with border.room.services.store.read() as reader:
            entries = await reader.matches.open_of(UserId(border.ola.id))
        return entries[0].channel if entries else None

    place = await border.room.until(match)
    await border.settle()
    board = border.newest(place)
    more = next(part["custom_id"] for part in board.controls if part["custom_id"].endswith(":more"))
    menu = await private_message(border.ola.click(board, more))
    assert {"Say something", "Report"} <= {*menu.labels}
    choice = await border.ola.click(menu, "Say something").followed()
    picked = next(part["custom_id"] for part in choice.controls if part["custom_id"].endswith(":phrase"))
    await border.ola.click(choice, picked, ["luck"]).followed()
    await border.settle()
    assert "Ola: Good luck!" in [
        each.content for each in border.room.discord.messages(border.room.discord.channel(place))
    ]


@pytest.mark.parametrize("blocks", ["ola", "jadwiga"])
async def test_nothing_is_said_to_or_by_one_who_blocks(border: Border, blocks: str) -> None:
    await begin(border)
    ola, jadwiga = UserId(border.ola.id), UserId(border.jadwiga.id)
    blocker, blocked = (ola, jadwiga) if blocks == "ola" else (jadwiga, ola)
    await border.room.use_cases.blocks.block(blocker, blocked, border.room.clock())
    assert "Nothing you say gets through" in (await say(border, "hello")).text
    async with border.room.services.store.read() as reader:
        assert await reader.outbox.next_notice(MatchId(1)) is None


async def test_the_last_board_of_a_game_with_a_stranger_leads_to_the_next_one_and_to_a_word(border: Border) -> None:
    await begin(border)
    home, _ = await threads(border)
    await border.room.use_cases.matches.resign(
        MatchId(1), UserId(border.ola.id), border.room.clock(), IdempotencyKey(5)
    )
    await border.settle()
    last = border.newest(home)
    assert {"Say something", "Play anyone"} <= {*last.labels}
    choice = await border.ola.click(last, "Say something").followed()
    picked = next(part["custom_id"] for part in choice.controls if part["custom_id"].endswith(":phrase"))
    assert "Good game" in (await border.ola.click(choice, picked, ["game"]).followed()).text
    panel = await private_message(border.ola.click(last, "Play anyone"))
    assert "By any rules" in panel.text
    assert border.newest(home).id == last.id


async def test_a_stranger_in_a_direct_message_plays_there(border: Border) -> None:
    private = border.jadwiga.open_dm()
    await look(border, border.jadwiga, private, "Game over days")
    await look(border, border.ola, border.here, "Game over days")
    places = await threads(border)
    await border.settle()
    assert private.id in places
    board = border.newest(private)
    more = next(part["custom_id"] for part in board.controls if part["custom_id"].endswith(":more"))
    menu = await private_message(border.jadwiga.click(board, more))
    assert {"Say something", "Report"} <= {*menu.labels}


async def test_thirty_clicks_at_once_begin_one_search_and_one_game(border: Border) -> None:
    panel = await private_message(border.ola.command(border.here, "play"))
    label = next(part["custom_id"] for part in panel.controls if part["custom_id"].startswith("seek:look:live"))
    for clicked in [border.ola.click(panel, label) for _ in range(30)]:
        await clicked.answered()
    assert len(await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))) == 1
    await look(border, border.jadwiga, border.there, "Live game")
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        call = await called(border, channel)
        ready = next(part["custom_id"] for part in call.controls if part["custom_id"].endswith(":ready"))
        for clicked in [person.click(call, ready) for _ in range(30)]:
            await clicked.answered()
    await threads(border)
    await border.settle()
    async with border.room.services.store.read() as reader:
        assert len(await reader.matches.open_of(UserId(border.ola.id))) == 1
    assert len(calls(border, border.here)) <= 1


@pytest.mark.parametrize(("answer", "state"), [(403, SeekState.LEFT), (404, SeekState.LEFT), (500, SeekState.CALLED)])
async def test_a_call_that_discord_does_not_take_harms_nobody_else(
    border: Border, answer: int, state: SeekState
) -> None:
    there = str(border.there.id)
    code = {403: 50001, 404: 10003}.get(answer, 0)
    fault = border.room.discord.fault(
        "POST",
        "/channels/{channel_id}/messages",
        answer,
        code=code,
        times=1,
        predicate=lambda each: each.path["channel_id"] == there,
    )
    await look(border, border.ola, border.here, "Live game")
    await look(border, border.jadwiga, border.there, "Live game")
    await border.room.discord.until(lambda: bool(fault.hits))
    border.room.bot.workers.matchmaker.wake()

    async def reached() -> bool:
        async with border.room.services.store.read() as reader:
            ola, jadwiga = [await reader.seeks.get(SeekId(each)) for each in (1, 2)]
        assert ola is not None
        assert jadwiga is not None
        return jadwiga.state is state and (ola.state is SeekState.WAITING) is (state is SeekState.LEFT)

    await border.room.until(reached)


async def test_a_server_that_is_gone_while_its_player_is_called_keeps_no_game_from_the_other(border: Border) -> None:
    await look(border, border.ola, border.here, "Live game")
    await look(border, border.jadwiga, border.there, "Live game")
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        call = await called(border, channel)
        if person is border.ola:
            await person.click(call, call.controls[0]["custom_id"]).answered()
    border.room.discord.expel_bot(border.zagroda)
    await border.room.until(lambda: _passes(border, "didn't come"))
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert outlook.seek.state is SeekState.WAITING
