"""A game of two servers: each has it in its own words, both can play it, and neither learns of the other."""

from __future__ import annotations

import pytest

from loopback import Message
from play.ids import ChannelId, UserId
from play.people.settings import Reminders
from tests.bot.border import Border
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, HOUR


@pytest.fixture
def border(room: Room) -> Border:
    return Border(room)


def told(border: Border, message: Message) -> set[int]:
    """Returns whom a message mentions."""
    return {*message.mentions}


@pytest.mark.parametrize("threads", [False, True], ids=["channels", "threads"])
async def test_both_servers_have_each_board_in_their_own_words(border: Border, *, threads: bool) -> None:
    match = await border.begin(threads=threads)
    assert match.away is not None
    here, there = match.channel, match.away.channel
    await border.move(border.ola, here, "C3")
    await border.move(border.jadwiga, there, "D3")
    assert [len(border.boards(each)) for each in (here, there)] == [3, 3]
    english, polish = border.boards(here)[-1], border.boards(there)[-1]
    assert "turn" in english.content
    assert "tura" in polish.content.lower() or "ruch" in polish.content.lower()
    assert all(name in each.content for each in (english, polish) for name in ("Jadwiga",))
    assert (told(border, english), told(border, polish)) == ({border.ola.id}, set())
    assert border.wall.violations == []
    assert border.wall.seen["Zagroda"] > 2


async def test_a_click_answers_in_its_own_place_and_the_other_gets_the_board(border: Border) -> None:
    match = await border.begin(control="10m+30s")
    by_click = border.ola.command(border.here, "move", point="C3")
    answer = (await border.done(by_click)).messages[-1]
    assert not answer.ephemeral
    assert answer.channel_id == border.here.id
    assert [len(border.boards(each)) for each in (border.here, border.there)] == [2, 2]
    by_click = border.jadwiga.command(border.there, "move", point="D3")
    answer = (await border.done(by_click)).messages[-1]
    assert (answer.ephemeral, answer.channel_id) == (False, border.there.id)
    assert [len(border.boards(each)) for each in (border.here, border.there)] == [3, 3]
    assert (await border.stored(match)).version == 2
    assert border.wall.violations == []


async def test_offers_and_pauses_are_answered_from_the_other_server(border: Border) -> None:
    match = await border.begin(control="3d")
    await border.move(border.ola, border.here, "C3")
    await border.move(border.jadwiga, border.there, "D3")
    await border.move(border.ola, border.here, "B2")
    await border.move(border.jadwiga, border.there, "B4")
    for name in ("pause", "draw"):
        await border.done(border.ola.command(border.here, name))
        board = border.newest(border.there)
        assert told(border, board) == {border.jadwiga.id}
        assert told(border, border.newest(border.here)) == set()
        agree = next(part["custom_id"] for part in board.controls if ":agree:" in part["custom_id"])
        await border.done(border.jadwiga.click(board, agree))
        if name == "pause":
            await border.done(border.jadwiga.command(border.there, "pause"))
    over = await border.stored(match)
    assert over.outcome is not None
    assert over.outcome.reason == "draw"
    assert border.wall.violations == []


async def test_a_declined_offer_mentions_the_player_who_made_it_on_their_own_server(border: Border) -> None:
    await border.begin(control="3d")
    await border.move(border.ola, border.here, "C3")
    await border.done(border.jadwiga.command(border.there, "draw"))
    board = border.newest(border.here)
    decline = next(part["custom_id"] for part in board.controls if ":disagree:" in part["custom_id"])
    await border.done(border.ola.click(board, decline))
    assert told(border, border.newest(border.there)) == {border.jadwiga.id}
    assert told(border, border.newest(border.here)) == set()
    assert border.wall.violations == []


async def test_a_finished_game_is_looked_back_at_from_each_server_and_has_no_rematch(border: Border) -> None:
    await border.begin(control="10m+30s")
    for person, channel, point in ((border.ola, border.here, "C3"), (border.jadwiga, border.there, "D3")):
        await border.move(person, channel, point)
    panel = await border.done(border.jadwiga.command(border.there, "resign"))
    sure = next(part["custom_id"] for part in panel.messages[-1].controls if "sure:resign" in part["custom_id"])
    await border.done(border.jadwiga.click(panel.messages[-1], sure))
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        board = border.boards(channel)[-1]
        assert not any("rematch" in part["custom_id"] for part in board.controls)
        for command in ("replay", "board", "export game", "history", "profile", "games", "rematch"):
            await border.done(person.command(channel, command))
    refused = await private_words(border.ola.command(border.here, "rematch"))
    assert "Two servers played this game" in refused
    assert border.wall.violations == []


async def test_panels_lists_and_helpers_of_a_running_game_tell_nothing_either(border: Border) -> None:
    match = await border.begin(control="3d")
    await border.move(border.ola, border.here, "C3")
    for person, channel in ((border.jadwiga, border.there), (border.ola, border.here)):
        for command in ("board", "games", "clock", "if", "history", "profile", "vacation", "abort", "stop", "move"):
            options = {"point": "B2"} if command == "move" else {}
            await border.done(person.command(channel, command, **options))
        board = border.boards(channel)[-1]
        for part in board.controls:
            if part["type"] == 2 and "custom_id" in part:
                await border.done(person.click(border.room.discord.message(board) or board, part["custom_id"]))
                board = border.boards(channel)[-1]
                break
        more = next(part["custom_id"] for part in border.boards(channel)[-1].controls if ":more" in part["custom_id"])
        await border.done(person.click(border.boards(channel)[-1], more))
    stranger = border.straznik.command(border.there, "replay", game=match.id)
    await border.done(stranger)
    assert border.wall.violations == []


@pytest.mark.parametrize("way", [Reminders.CHANNEL, Reminders.DM])
async def test_a_reminder_reaches_the_player_on_their_own_server(border: Border, room: Room, way: Reminders) -> None:
    await border.begin(control="5d")
    await border.move(border.ola, border.here, "C3")
    await room.change_settings(border.jadwiga, reminders=way)
    await room.pass_time(4 * DAY + HOUR)
    assert await room.use_cases.clocks.remind() == 1
    place = border.there if way is Reminders.CHANNEL else border.jadwiga.open_dm()

    def found() -> list[Message]:
        return [each for each in room.discord.messages(place) if f"/{border.there.id}/" in each.content]

    await border.until(found)
    [reminder] = found()
    assert border.jadwiga.mention in reminder.content
    assert "Ola" in reminder.content
    assert border.wall.violations == []


async def test_a_reply_is_a_move_in_the_place_where_it_is_written(border: Border) -> None:
    match = await border.begin(control="10m+30s")
    border.ola.say(border.here, "C3", reply_to=border.boards(border.here)[-1])
    await border.until(lambda: len(border.boards(border.there)) > 1)
    await border.settle()
    border.jadwiga.say(border.there, "D3", reply_to=border.boards(border.there)[-1])
    await border.until(lambda: len(border.boards(border.here)) > 2)
    await border.settle()
    assert (await border.stored(match)).version == 2
    border.jadwiga.say(border.there, "D3", reply_to=border.boards(border.there)[-1])
    await border.settle()
    assert border.wall.violations == []


async def test_moderators_agree_across_the_border_and_neither_learns_of_the_other(border: Border, room: Room) -> None:
    match = await border.begin(control="3d")
    for person, channel, point in ((border.ola, border.here, "C3"), (border.jadwiga, border.there, "D3")):
        await border.move(person, channel, point)
    for moderator, channel in ((border.moderator, border.here), (border.straznik, border.there)):
        room.make_moderator(moderator, channel)
    asked = await private_message(border.moderator.command(border.here, "moderate end"))
    sure = next(part["custom_id"] for part in asked.controls if part["custom_id"].startswith("moderate:"))
    await border.done(border.moderator.click(asked, sure))
    assert (await border.stored(match)).outcome is None

    def proposals() -> list[Message]:
        return [
            each
            for each in room.discord.messages(border.there)
            if any("ruling:" in part["custom_id"] for part in each.controls)
        ]

    await border.until(proposals)
    [proposal] = proposals()
    assert "Ola – Jadwiga" in proposal.content
    player = await private_words(border.jadwiga.click(proposal, proposal.controls[0]["custom_id"]))
    assert "Bogdan" not in player
    assert (await border.stored(match)).outcome is None
    question = await private_message(border.straznik.click(proposal, proposal.controls[0]["custom_id"]))
    sure = next(part["custom_id"] for part in question.controls if part["custom_id"].startswith("moderate:"))
    await border.done(border.straznik.click(question, sure))
    over = await border.stored(match)
    assert over.outcome is not None
    assert (over.outcome.reason, over.outcome.winners) == ("adjudged", over.seats)
    assert border.wall.violations == []


async def test_a_server_that_removes_the_bot_loses_its_boards_and_the_other_plays_on(
    border: Border, room: Room
) -> None:
    match = await border.begin(control="3d")
    room.discord.expel_bot(border.zagroda)
    for point in ("C3",):
        await border.move(border.ola, border.here, point)
    assert len(border.boards(border.here)) == 2
    over = await border.done(border.ola.command(border.here, "abort"))
    assert over.messages
    assert (await border.stored(match)).version == 1
    async with room.services.store.read() as reader:
        assert await reader.matches.is_lost(match.id, away=True)
        assert not await reader.matches.is_lost(match.id)
    assert border.wall.violations == []


async def test_the_wall_finds_what_comes_through(border: Border, room: Room) -> None:
    await room.services.channels.post(
        ChannelId(border.there.id),
        lambda: {"content": f"<@{border.ola.id}> <#{border.here.id}> Kasia Wiśniewska"},
        "leak",
        guild=None,
    )
    found = "\n".join(border.wall.violations)
    assert len(border.wall.violations) == 3
    for leaked in (str(border.ola.id), str(border.here.id), "Kasia Wiśniewska"):
        assert leaked in found
    direct = border.ola.open_dm()
    await room.services.direct.send(UserId(border.ola.id), content=f"<#{border.there.id}>", nonce="n")
    assert direct.members == (border.ola.id,)
    assert len(border.wall.violations) == 4
    room.signposts.forgive()
