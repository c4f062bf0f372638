"""Players get all that is stored of them, and can delete it."""

from __future__ import annotations

import gzip
import json

import pytest

from play.ids import UserId
from tests.bot.room import Room, private_file, private_message, private_words
from tests.bot.waiting import play_rated_match, skip_confirmations, version_message
from tests.clock import DAY


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    await room.pass_time(30 * DAY)
    await skip_confirmations(room)


async def test_everything_comes_in_a_file(room: Room) -> None:
    await play_rated_match(room)
    name, data = await private_file(room.ola.command(room.channel, "privacy export"))
    found = json.loads(data)
    assert name == "kropka-data.json"
    assert {"person", "seat", "challenge", "change", "rating", "event of seat"} <= set(found)
    assert {row["user"] for row in found["rating"]} == {room.ola.id}


async def test_a_file_larger_than_discord_takes_is_packed(room: Room) -> None:
    await play_rated_match(room)
    room.discord.world.attachment_limit = 100
    name, data = await private_file(room.ola.command(room.channel, "privacy export"))
    assert name == "kropka-data.json.gz"
    assert "person" in json.loads(gzip.decompress(data))


async def test_the_file_has_no_names(room: Room) -> None:
    await play_rated_match(room)
    _, data = await private_file(room.ola.command(room.channel, "privacy export"))
    assert "Ola" not in data.decode()


async def delete_data(room: Room) -> None:
    """Deletes the data of Ola, with a restart before she confirms."""
    asked = await private_message(room.ola.command(room.channel, "privacy delete"))
    assert "You can't undo this" in asked.text
    await room.restart()
    done = await room.ola.click(asked, "Delete my data").followed()
    assert "Your data is deleted" in done.text


async def test_a_deleted_player_is_a_forgotten_player_to_others(room: Room) -> None:
    await play_rated_match(room)
    await delete_data(room)
    text = (await private_message(room.maksim.command(room.channel, "history"))).text
    assert "won against **deleted player**" in text
    assert "Ola" not in text


async def test_open_games_end_when_a_player_deletes_their_data(room: Room) -> None:
    thread = await room.start_match(size="10x10", rated=True)
    await room.play(thread, "e5", "f6")
    await delete_data(room)
    assert "**Максим** wins" in (await version_message(room, thread, 3)).content
    async with room.services.store.read() as reader:
        assert await reader.privacy.export(UserId(room.ola.id)) == {}


async def test_a_film_of_a_game_with_a_forgotten_player_can_be_seen(room: Room) -> None:
    await play_rated_match(room)
    await delete_data(room)
    panel = await private_message(room.maksim.command(room.channel, "replay", game=1))
    name, _ = await private_file(room.maksim.click(panel, "Film"))
    assert name == "kropka-1.gif"


async def test_nothing_happens_before_it_is_confirmed(room: Room) -> None:
    await play_rated_match(room)
    await private_words(room.ola.command(room.channel, "privacy delete"))
    assert (
        "**Games**: 0 won, 0 drawn, 1 lost" in (await private_message(room.ola.command(room.channel, "profile"))).text
    )
