"""Imports of recorded games: shown move by move, and sent back as a GIF or as SGF."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.services.rate_limits import IMPORTS
from loopback import File, Interaction, Message
from loopback.components import FILE
from play.records import sgf
from play.records.record import MAX_RECORD_BYTES
from tests.bot import jobs
from tests.bot.features.records.test_replays import board
from tests.bot.room import Room, private_message, private_words
from tests.facts import recorded_game

GAME = "(;FF[4]GM[40]SZ[5]PB[Ann]PW[Bob *]RE[B+1];W[cc];B[cb];W[aa];B[bc];W[ee];B[cd];W[ea];B[dc])"


def import_game(room: Room, text: str | bytes = GAME, name: str = "game.sgf", **options: str) -> Interaction:
    """Lets Ola import a record."""
    data = text if isinstance(text, bytes) else text.encode()
    return room.ola.command(room.channel, "import", file=File(name, data), **options)


async def shown(room: Room, text: str | bytes = GAME, name: str = "game.sgf", **options: str) -> Message:
    """Returns the message that shows a record which Ola imports."""
    return await private_message(import_game(room, text, name, **options))


def told(message: Message) -> list[str]:
    """Returns the title of a record and what is said of it, in lines, without that of the position."""
    title, _, *notes = message.text.splitlines()
    return [title, *notes]


async def test_a_record_is_shown_to_the_player_who_imports_it(room: Room) -> None:
    message = await shown(room)
    assert message.ephemeral
    assert told(message) == [
        "**Bob \\* – Ann**, Zagram: 8 moves",
        "🏆 🔵 **Ann** won by 1.",
    ]
    assert board(message) == "The board after move 8 of 8."


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("PB[Ann]RE[B+R];B[cc]", ["🏆 🔵 **Ann** won by resignation."]),
        ("PW[Bob]RE[B+T];W[cc]", ["🏆 🔵 **blue** won on time."]),
        ("RE[W+F];B[cc]", ["🏆 🔴 **red** won by forfeit."]),
        ("RE[B+G];B[cc]", ["🏆 🔵 **blue** won."]),
        ("RE[0];B[cc]", ["🤝 A draw."]),
        ("RE[1-0];B[cc]", ["Result in the record: 1\\-0"]),
        (";B[bb];B[]", ["🏆 🔴 **red** won by 1."]),
        ("PW[Bob]RE[W+Resignation];B[cc]", ["🏆 🔴 **Bob** won by resignation."]),
        (";B[cc];W[dd]RE[B+]PB[Ann]", ["🏆 🔵 **Ann** won."]),
        (";B[cc]", []),
    ],
)
async def test_a_result_is_told_in_words_with_the_colours_of_the_board(room: Room, body: str, lines: list[str]) -> None:
    assert told(await shown(room, f"(;GM[40]SZ[5]{body})"))[1:] == lines


async def test_what_is_odd_in_a_record_is_told(room: Room) -> None:
    text = "(;GM[40]SZ[5]KTV1[x]PB RE[W+2];B[cc])(;GM[40]SZ[5])"
    result, score, odd, more = told(await shown(room, text))[1:]
    assert result == "🏆 🔴 **red** won by 2."
    assert score.startswith("⚠️ But the score on the board is 0 : 0. If the game was played by other rules")
    assert odd.endswith("left them out: `KTV1`, `PB`")
    assert more == "This file has more games. I show the first one."


async def test_stray_signs_and_a_missing_last_bracket_are_told(room: Room) -> None:
    odd, cut_off = told(await shown(room, "(;GM[40]SZ[5]\n> ;B[cc]\ufeff;W[dd]"))[1:]
    assert odd.endswith("left them out: `>`, `U+FEFF`")
    assert cut_off.startswith("⚠️ The last bracket of the record is missing.")


async def test_a_result_of_any_length_is_told_in_short(room: Room) -> None:
    (result,) = told(await shown(room, f"(;GM[40]SZ[5]RE[B+{'9' * 5000}];B[cc])"))[1:]
    assert result.startswith("Result in the record: B\\+999")
    assert len(result) < 100


async def test_what_a_grounding_has_taken_is_on_the_last_board(room: Room) -> None:
    message = await shown(room, "(;GM[40]SZ[5];B[bb];W[ea];B[])")
    assert board(message) == "The board after move 3 of 3."
    message = await room.ola.click(message, "◀").followed()
    assert board(message) == "The board after move 2 of 3."


async def test_the_moves_are_turned_to_by_buttons_which_outlive_the_bot(room: Room) -> None:
    message = await shown(room)
    assert message.labels == ["⏮", "◀", "Go to move…", "Play on from here", "Film", "Share here"]
    await room.restart()
    message = await room.ola.click(message, "◀").followed()
    assert board(message) == "The board after move 7 of 8."
    message = await room.ola.click(message, "⏮").followed()
    assert board(message) == "The board after move 0 of 8."
    assert message.labels == ["▶", "⏭", "Capture ▶", "Go to move…", "Play on from here", "Film", "Share here"]
    message = await room.ola.click(message, "▶").followed()
    assert board(message) == "The board after move 1 of 8."


async def test_the_game_is_taken_along_as_sgf_and_as_a_film(room: Room) -> None:
    message = await shown(room)
    (record,) = (each.data for each in message.attachments if each.filename == "game.sgf")
    assert sgf.read(record).moves == sgf.read(GAME.encode()).moves
    film = await private_message(room.ola.click(message, "Film"))
    assert film.attachments[0].data[:4] == b"GIF8"


async def test_a_pointsxt_record_is_known_by_its_name(room: Room) -> None:
    data = bytes(58) + bytes([0, 0, 1, 255, 255]) + bytes(8) + bytes([38, 31, 1, 0, 0]) + bytes(8)
    message = await shown(room, data, "old.SAV")
    assert "2 moves" in message.text
    assert "game.sgf" in {each.filename for each in message.attachments}


async def test_a_game_of_this_bot_comes_back_by_its_own_rules(room: Room) -> None:
    thread = await room.start_match(rules="paper", start="empty")
    await room.play(thread, "b2", "c3")
    exported = await private_message(room.ola.command(thread, "export game"))
    message = await shown(room, exported.attachments[0].data)
    assert "On paper: 2 moves" in message.text
    assert board(message) == "The board after move 2 of 2."


async def test_recorded_chains_that_the_rules_do_not_make_are_counted(room: Room) -> None:
    message = await shown(room, "(;GM[40]SZ[5]AW[bb]AB[ba][ab][cb];B[bc.baabbccb];W[ee.ddedee])")
    assert "⚠️ 1 recorded chain doesn't fit these rules" in message.text


async def test_the_rules_are_those_that_play_the_record_through_unless_they_are_named(room: Room) -> None:
    entered = "(;GM[40]SZ[6]AW[bb]AB[ba][ca][ab][db][bc];W[ff];B[cc];W[cb])"  # what closes by itself is a base by then
    assert "Zagram with territory: 3 moves" in (await shown(room, entered)).text
    assert "On paper: 3 moves" in (await shown(room, entered, rules="paper")).text
    assert "Move 3 of the record" in await private_words(import_game(room, entered, rules="zagram"))


async def test_of_rules_that_play_a_record_through_those_with_its_result_are_taken(room: Room) -> None:
    pool = (await shown(room, recorded_game("zagram86223").read_bytes())).text
    assert "Zagram with territory" in pool
    assert "🤝 A draw." in pool
    assert "But the score" not in pool


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;GM[1]SZ[19];B[aa])", "another game"),
        ("no record", "I can't read this file"),
        ("(;GM[40]SZ[99])", "no board size"),
        ("(;GM[40]SZ[5];B[cc];W[cc])", "Move 2 of the record, `W[cc]`, isn't possible"),
        ("(;GM[40]SZ[5]AB[aa][aa])", "damaged at `AB[aa]`"),
        (
            "(;GM[40]SZ[5]KP[kropka 2][rules three][size 5x5][opening 1@2 D4|D4][seed 5][clock 1h][started 0])",
            "I can't read this file",
        ),
        ("(;GM[40])" + " " * MAX_RECORD_BYTES, "too large. Choose one of 64 KiB"),
    ],
)
async def test_what_cannot_be_shown_is_said_plainly(room: Room, text: str, words: str) -> None:
    assert words in await private_words(import_game(room, text))


async def test_a_file_that_is_too_long_is_not_even_fetched(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.Attachment.read", lambda _: pytest.fail("it is fetched"))
    assert "too large" in await private_words(import_game(room, bytes(MAX_RECORD_BYTES + 1)))


async def test_a_record_that_is_made_to_keep_its_readers_busy_is_left(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.records.files.open_record", jobs.open_slowly)
    assert "more moves than a game of Dots" in await private_words(import_game(room))


@pytest.mark.process
@pytest.mark.parametrize("run_options", [{"job_pool": jobs.process_pool}], ids=["process"])
async def test_a_record_that_hangs_its_reader_is_given_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("bot.features.records.files.open_record", jobs.hang)
        patched.setattr(room.services.jobs.pictures, "seconds", 0.2)
        assert "too much work for one request" in await private_words(import_game(room))
    assert "8 moves" in (await shown(room)).text


async def test_nobody_brings_records_without_end(room: Room) -> None:
    for _ in range(IMPORTS.burst):
        await private_words(import_game(room, "no record"))
    assert "a lot of records" in await private_words(import_game(room))
    assert "I can't read" in await private_words(
        room.maksim.command(room.channel, "import", file=File("a.sgf", b"no record"))
    )


async def test_a_message_that_has_lost_its_record_is_out_of_date(room: Room) -> None:
    message = await shown(room)
    parts = tuple(part for part in message.components if part["type"] != FILE)
    room.discord.world.messages[message.id] = replace(message, attachments=(), components=parts)
    assert "no longer works" in await private_words(room.ola.click(message, "◀"))
