"""Exports as GIF and SGF: what they hold, and that a player who asks again and again holds up no board."""

from __future__ import annotations

import asyncio
import os
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from loopback import HANG_SECONDS, Channel, Interaction, Message, Person
from play.ids import UserId
from play.records import sgf
from presentation.records import write_record
from presentation.text import plain_name
from tests.bot import jobs
from tests.bot.jobs import process_pool
from tests.bot.room import Room, private_file, private_message, private_words
from tests.bot.waiting import play_rated_match, skip_confirmations
from tests.matches import a_match, add_match, play_turn, save_match


async def play_match(room: Room) -> Channel:
    """Plays two moves; returns the thread of the match."""
    thread = await room.start_match()
    await room.play(thread, "b2", "c3")
    return thread


async def test_a_film_is_shared_with_the_channel(room: Room) -> None:
    thread = await play_match(room)
    asked = await film(await ask(room.ola, thread))
    assert "Shared" in await private_words(room.ola.click(asked, "Share here"))
    (shared,) = [each for each in room.discord.messages(thread) if "Shared by" in each.text]
    assert shared.attachments[0].data[:4] == b"GIF8"
    assert "Ola – Максим" in shared.text


async def test_a_film_of_a_game_elsewhere_is_not_shared(room: Room) -> None:
    match = await add_match(room.services.store, a_match(5, (UserId(room.ola.id), UserId(room.maksim.id))))
    await save_match(room.services.store, play_turn(match))
    asked = await film(await ask(room.ola, room.channel, game=match.id))
    assert asked.labels == []


async def wait_for_worker(room: Room) -> None:
    """Returns when a worker makes a film."""
    async with asyncio.timeout(HANG_SECONDS):
        while room.services.jobs.films.pid is None:
            await room.wait_for_outbox()


async def ask(person: Person, channel: Channel, **options: int) -> Interaction:
    """Lets a person ask for the film of a game."""
    return person.click(await private_message(person.command(channel, "replay", **options)), "Film")


async def film(asked: Interaction) -> Message:
    """Returns the message with the film that was asked for."""
    message = await private_message(asked)
    assert message.attachments, message.text
    assert message.attachments[0].data[:4] == b"GIF8"
    return message


async def test_a_game_can_be_seen_as_a_film(room: Room) -> None:
    thread = await play_rated_match(room)
    for asked in (await ask(room.kasia, thread), await ask(room.ola, room.channel, game=1)):
        name, film = await private_file(asked)
        assert (name, film[:4]) == ("kropka-1.gif", b"GIF8")


async def test_a_game_can_be_taken_along_as_a_record(room: Room) -> None:
    thread = await play_rated_match(room)
    name, data = await private_file(room.kasia.command(thread, "export game"))
    record = sgf.read(data)
    assert (name, record.result, len(record.moves)) == ("kropka-1.sgf", "B+R", 2)


def test_a_record_has_names_as_other_programs_know_them() -> None:
    assert "PW[שלום]PB[العربية]".encode() in write_record(a_match(), (plain_name("שלום"), plain_name("العربية")))


async def test_all_games_can_be_taken_along(room: Room) -> None:
    await skip_confirmations(room)
    await play_rated_match(room)
    await play_rated_match(room, 2)
    name, data = await private_file(room.ola.command(room.channel, "export all"))
    assert name == "kropka-games.zip"
    assert ZipFile(BytesIO(data)).namelist() == ["kropka-2.sgf", "kropka-1.sgf"]
    assert "no finished games" in await private_words(room.kasia.command(room.channel, "export all"))


async def test_the_latest_games_are_suggested_by_number(room: Room) -> None:
    await play_rated_match(room)
    (choice,) = await room.ola.complete(room.channel, "replay", focused="game", game="1")
    assert (choice["value"], choice["name"].startswith("#1 Максим")) == (1, True)


async def test_a_film_of_another_server_is_for_its_players_alone(room: Room) -> None:
    match = await add_match(room.services.store, a_match(5, (UserId(room.ola.id), UserId(room.maksim.id))))
    assert "This game no longer exists" in await private_words(
        room.kasia.command(room.channel, "replay", game=match.id)
    )


async def test_the_next_film_can_be_asked_for_when_the_first_has_come(room: Room) -> None:
    thread = await play_match(room)
    await film(await ask(room.ola, thread))
    await film(await ask(room.ola, thread))


async def test_a_film_that_two_ask_for_is_made_once(room: Room) -> None:
    thread = await play_match(room)
    await film(await ask(room.kasia, thread))
    await film(await ask(room.maksim, thread))
    assert b'kropka_lane_seconds_count{work="film_game"} 1.0' in room.services.metrics.text()


async def test_a_film_larger_than_discord_takes_is_refused(room: Room) -> None:
    thread = await play_match(room)
    room.discord.world.attachment_limit = 1000
    assert "too long for a film" in await private_words(await ask(room.ola, thread))


@pytest.mark.process
class TestProcesses:
    """Films are made in a process, which may hang or die."""

    @pytest.fixture
    def run_options(self) -> dict[str, Any]:
        """Lets a bot that is told to stop wait for no film that hangs."""
        return {"job_pool": process_pool, "settle_seconds": 0.5}

    async def test_no_film_holds_up_the_board_of_another_game(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thread = await play_match(room)
        monkeypatch.setattr("bot.features.records.files.film_game", jobs.hang)
        for person in (room.ola, room.maksim, room.kasia):
            await ask(person, thread)
        other = await room.start_match()
        assert len(room.boards(other)) == 1

    async def test_a_second_press_while_ones_own_film_is_made_is_told_so(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thread = await play_match(room)
        monkeypatch.setattr("bot.features.records.files.film_game", jobs.hang)
        await ask(room.ola, thread)
        await wait_for_worker(room)
        for command in ("export game", "export all"):
            assert "I'm still working on" in await private_words(room.ola.command(thread, command)), command

    async def test_a_film_that_takes_too_long_is_refused_with_what_to_do(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thread = await play_match(room)
        monkeypatch.setattr("bot.features.records.files.film_game", jobs.hang)
        room.services.jobs.films.seconds = 0.2
        words = await private_words(await ask(room.ola, thread))
        assert "too long for a film" in words
        assert "`/replay`" in words

    @pytest.mark.smoke
    async def test_a_worker_that_dies_over_a_film_costs_that_film_alone(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thread = await play_match(room)
        with monkeypatch.context() as patched:
            patched.setattr("bot.features.records.files.film_game", jobs.die)
            assert "Try again" in await private_words(await ask(room.ola, thread))
        await film(await ask(room.ola, thread))

    async def test_a_player_who_waits_when_the_bot_is_stopped_is_told_and_no_worker_is_left(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thread = await play_match(room)
        monkeypatch.setattr("bot.features.records.files.film_game", jobs.hang)
        asked = await ask(room.ola, thread)
        await wait_for_worker(room)
        worker = room.services.jobs.films.pid
        assert worker is not None
        await room.restart()
        assert "back in a moment" in await private_words(asked)
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
