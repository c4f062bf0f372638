"""Replays of games: turned to move by move, to captures, to any move and to turning points, and shared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from loopback import Channel, File, Message, Modal
from loopback.components import walk
from play.ids import UserId
from play.match.match import Match
from tests.bot import forging
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.matches import a_match, add_match, play_turn, save_match
from tests.opponent.quick import Inside

pytestmark = pytest.mark.usefixtures("no_confirmation")

MOVES = ("e5", "e6", "d6", "a1", "f6", "a2", "e7", "a3")
"""The seventh captures E6."""

MEDIA_GALLERY = 12


async def play_game(room: Room, moves: tuple[str, ...] = MOVES) -> Channel:
    """Plays a game on an empty board of 9x9; returns its thread."""
    thread = await room.start_match(size="9x9", start="empty", clock="3d")
    await room.play(thread, *moves)
    return thread


def written(moves: tuple[str, ...]) -> str:
    """Returns the record that another program has of the same moves."""
    dots = (f"{name[0]}{chr(ord('a') + 9 - int(name[1:]))}" for name in moves)
    return "(;GM[40]SZ[9]" + "".join(f";{'BW'[place % 2]}[{dot}]" for place, dot in enumerate(dots)) + ")"


async def import_record(room: Room, text: str) -> Message:
    """Returns the panel of a record that Ola imports."""
    command = room.ola.command(room.channel, "import", file=File("theirs.sgf", text.encode()))
    return await private_message(command)


Opens = Callable[[tuple[str, ...]], Awaitable[Message]]


@pytest.fixture(params=["played", "imported"])
def opens(request: pytest.FixtureRequest, room: Room) -> Opens:
    """Opens the panel of some moves: of a game of this bot, and of a record of another program."""

    async def open_panel(moves: tuple[str, ...] = MOVES) -> Message:
        if request.param == "imported":
            return await import_record(room, written(moves))
        return await replay(room, await play_game(room, moves))

    return open_panel


async def replay(room: Room, thread: Channel) -> Message:
    """Returns the panel that Ola asks for."""
    return await private_message(room.ola.command(thread, "replay"))


async def ask_for_move(room: Room, panel: Message) -> Modal:
    """Returns the form that asks for the number of a move."""
    form = (await room.ola.click(panel, "Go to move…").answered()).modal
    assert form is not None
    return form


def shown_file(message: Message) -> str:
    """Returns the name of the picture that a panel shows."""
    (shown,) = (part["items"][0] for part in walk(message.components) if part["type"] == MEDIA_GALLERY)
    return str(shown["media"]["url"]).rpartition("/")[2].partition("?")[0]


def shown_picture(message: Message) -> int:
    """Returns the number of moves before the position that a panel shows."""
    return int(shown_file(message).split("-")[-2])


def shown_id(message: Message) -> int:
    """Returns the id of the file that a panel shows."""
    return next(file.id for file in message.attachments if file.filename == shown_file(message))


def board(message: Message) -> str:
    """Returns the description of the board in a panel."""
    (shown,) = (part["items"][0] for part in walk(message.components) if part["type"] == MEDIA_GALLERY)
    return str(shown["description"])


async def test_a_game_is_stepped_through_by_buttons_which_outlive_the_bot(room: Room, opens: Opens) -> None:
    panel = await opens(MOVES)
    assert panel.ephemeral
    assert "Move 8 of 8" in panel.text
    await room.restart()
    panel = await room.ola.click(panel, "◀").followed()
    assert "Move 7 of 8" in panel.text
    panel = await room.ola.click(panel, "⏮").followed()
    assert board(panel) == "The board after move 0 of 8."
    panel = await room.ola.click(panel, "▶").followed()
    assert board(panel) == "The board after move 1 of 8."
    assert board(await room.ola.click(panel, "⏭").followed()) == "The board after move 8 of 8."


async def test_a_move_is_told_in_words(room: Room) -> None:
    panel = await room.ola.click(await replay(room, await play_game(room)), "◀").followed()
    assert "**Ola** played **E7** and captured 1 dot." in panel.text


async def test_a_picture_that_the_panel_has_is_not_uploaded_again(room: Room, opens: Opens) -> None:
    panel = await opens(MOVES)
    others = {file.id for file in panel.attachments if not file.filename.endswith(".png")}
    uploaded: dict[str, set[int]] = {}
    for way in ("◀", "◀", "▶", "▶", "⏮", "▶", "▶", "⏭", "◀ Capture", "⏮", "◀", "▶"):
        if way not in panel.labels:
            continue
        panel = await room.ola.click(panel, way).followed()
        uploaded.setdefault(shown_file(panel), set()).add(shown_id(panel))
        assert board(panel).startswith("The board after move")
        assert others <= {file.id for file in panel.attachments}  # the record stays as well
    assert {len(ids) for ids in uploaded.values()} == {1}
    assert len(uploaded) == 6  # 8, 7, 6, 0, 1 and 2


async def test_a_panel_has_no_more_pictures_than_a_message_may_have(room: Room, opens: Opens) -> None:
    moves = ("e5", "e6", "d6", "a1", "f6", "a2", "e7", "a3", "h1", "h2", "h3", "h4", "h5", "h6")
    panel = await room.ola.click(await opens(moves), "⏮").followed()
    for number in range(1, len(moves) + 1):
        room.clock.advance(2000)
        panel = await room.ola.click(panel, "▶").followed()
        assert shown_picture(panel) == number
        assert len(panel.attachments) <= 10
    for number in range(len(moves) - 1, len(moves) - 8, -1):
        room.clock.advance(2000)
        before = {file.id for file in panel.attachments}
        panel = await room.ola.click(panel, "◀").followed()
        assert shown_picture(panel) == number
        assert {file.id for file in panel.attachments} == before  # nothing is uploaded


async def test_a_move_that_is_taken_back_and_another_in_its_place_are_not_confused(room: Room) -> None:
    thread = await play_game(room, MOVES[:3])
    panel = await replay(room, thread)
    await room.ola.command(thread, "takeback").answered()
    await version_message(room, thread, 4)
    await room.play(thread, "g7")
    before = {file.id for file in panel.attachments}
    panel = await room.ola.click(panel, "◀").followed()
    panel = await room.ola.click(panel, "▶").followed()
    assert "G7" in panel.text
    assert shown_id(panel) not in before


async def test_captures_are_turned_to_at_once(room: Room, opens: Opens) -> None:
    panel = await opens(MOVES)
    panel = await room.ola.click(panel, "◀ Capture").followed()
    assert "Move 7 of 8" in panel.text
    assert "◀ Capture" not in panel.labels
    panel = await room.ola.click(panel, "⏮").followed()
    assert "Move 7 of 8" in (await room.ola.click(panel, "Capture ▶").followed()).text


async def test_any_move_is_turned_to_by_its_number(room: Room, opens: Opens) -> None:
    panel = await opens(MOVES)
    form = await ask_for_move(room, panel)
    assert "from 0 to 8" in str(form.components)
    panel = await room.ola.submit(form, {"number": "3"}).followed()
    assert "Move 3 of 8" in panel.text


async def test_a_number_that_no_move_has_is_refused_and_can_be_typed_again(room: Room) -> None:
    panel = await replay(room, await play_game(room))
    for typed in ("9", "-1", "K5"):
        form = await ask_for_move(room, panel)
        refusal = await private_message(room.ola.submit(form, {"number": typed}))
        assert "a number from 0 to 8" in refusal.text, typed
        again = (await room.ola.click(refusal, "Try again").answered()).modal
        assert again is not None
        assert "Move 5 of 8" in (await room.ola.submit(again, {"number": "5"}).followed()).text


async def test_such_a_number_leaves_a_record_where_it_is(room: Room) -> None:
    panel = await room.ola.click(await import_record(room, written(MOVES)), "◀").followed()
    for typed in ("9", "-1", "K5"):
        refusal = await private_message(room.ola.submit(await ask_for_move(room, panel), {"number": typed}))
        assert "a number from 0 to 8" in refusal.text, typed
        assert refusal.labels == []
    assert "Move 6 of 8" in (await room.ola.click(panel, "◀").followed()).text


async def test_thirty_clicks_upload_no_picture_twice_in_a_row(room: Room, opens: Opens) -> None:
    panel, uploads = await opens(MOVES), 0
    for click in range(30):
        room.clock.advance(2000)
        before = {file.id for file in panel.attachments}
        panel = await room.ola.click(panel, "◀" if click // 8 % 2 == 0 else "▶").followed()
        uploads += len({file.id for file in panel.attachments} - before)
        assert len(panel.attachments) <= 10
    assert shown_picture(panel) == 6
    assert uploads == 8  # of positions 0 to 7; 8 was there


async def test_a_stranger_sees_nothing_of_a_record(room: Room) -> None:
    panel = await import_record(room, written(MOVES))
    form = await ask_for_move(room, panel)
    pressed = {each["custom_id"] for each in walk(panel.components) if "custom_id" in each}
    for custom_id in pressed - {form.custom_id}:
        words = await private_words(forging.click(room, room.kasia, room.channel, custom_id))
        assert "no longer works" in words, custom_id


async def test_a_record_of_three_hundred_moves_is_walked_through(room: Room) -> None:
    dots = [(place % 39, place // 39) for place in range(150)]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    moves = "".join(f";B[{letters[x]}{letters[y]}];W[{letters[x]}{letters[31 - y]}]" for x, y in dots)
    panel = await import_record(room, f"(;GM[40]SZ[39:32]{moves})")
    assert "Move 300 of 300" in panel.text
    panel = await room.ola.submit(await ask_for_move(room, panel), {"number": "150"}).followed()
    assert "Move 150 of 300" in panel.text
    assert "Move 151 of 300" in (await room.ola.click(panel, "▶").followed()).text


async def test_what_is_said_of_a_record_stays_at_each_of_its_moves(room: Room) -> None:
    text = "(;GM[40]SZ[9]PB[Ann]KTV1[x]RE[W+5];B[cc];B[dd];W[ee];B[])(;GM[40]SZ[5])"
    panel = await import_record(room, text)
    title, _, *notes = panel.text.splitlines()
    assert len(notes) == 4
    for way in ("⏮", "▶", "▶", "⏭"):
        panel = await room.ola.click(panel, way).followed()
        assert panel.text.splitlines()[0] == title
        assert panel.text.splitlines()[2:] == notes, way


async def test_a_replay_of_a_game_that_went_on_leads_to_its_new_moves(room: Room) -> None:
    thread = await play_game(room, MOVES[:2])
    panel = await replay(room, thread)
    await room.play(thread, MOVES[2])
    panel = await room.ola.click(panel, "◀").followed()
    assert "Move 1 of 3" in panel.text


async def test_a_finished_game_tells_its_result_and_leads_to_its_turning_points(room: Room) -> None:
    await room.stop()
    room.thinkers = Inside
    await room.start()
    thread = await play_game(room)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").followed()
    last = await version_message(room, thread, len(MOVES) + 1)
    panel = await private_message(room.kasia.click(last, "Replay"))
    assert "**Ola** resigned" in panel.text
    panel = await room.kasia.click(panel, "Turning point ▶").followed()
    assert "of 8" in panel.text
    assert panel.labels[-3:] == ["Film", "Record", "Share here"]


async def test_a_position_is_shared_with_the_channel(room: Room, opens: Opens) -> None:
    panel = await room.ola.click(await opens(MOVES), "◀").followed()
    assert "Shared" in await private_words(room.ola.click(panel, "Share here"))
    (shared,) = [each for each in room.discord.messages(panel.channel_id) if "Shared by" in each.text]
    assert "Move 7 of 8" in shared.text
    assert [file.filename for file in shared.attachments] == [shown_file(shared)]
    assert shared.labels == []


async def test_a_game_without_moves_has_no_replay(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    assert "Nobody has moved" in await private_words(room.ola.command(thread, "replay"))
    more = await private_message(room.ola.click(await version_message(room, thread, 0), "More"))
    assert "Replay" not in more.labels


@pytest.fixture
async def elsewhere(room: Room) -> Match:
    """A game of Ola that nobody else here may see."""
    match = await add_match(room.services.store, a_match(5, (UserId(room.ola.id), UserId(room.maksim.id))))
    await save_match(room.services.store, play_turn(match))
    return match


async def test_a_game_elsewhere_is_replayed_by_its_player_alone_and_not_shared(room: Room, elsewhere: Match) -> None:
    panel = await private_message(room.ola.command(room.channel, "replay", game=elsewhere.id))
    assert "Share here" not in panel.labels
    for custom_id in (
        f"replay:{elsewhere.id}:0:1",
        f"replay:{elsewhere.id}:turning:0",
        f"replay:{elsewhere.id}:jump",
        f"share:position:{elsewhere.id}:1",
    ):
        forged = forging.click(room, room.kasia, room.channel, custom_id)
        assert "This game no longer exists" in await private_words(forged), custom_id
