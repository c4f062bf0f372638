"""A bot moves from its file to a server, with everything."""

from __future__ import annotations

import pytest

from play.ids import ChannelId
from storage import Database, InUse, migrate
from storage.transfer import Mismatch, NotEmpty, transfer
from tests.matches import ANNA, a_match, add_match, load_match, play_turn, resign, save_match
from tests.storage.sql import execute
from tests.storage.test_matches import told


@pytest.fixture(params=["to a server", "back to a file"])
def ways(request: pytest.FixtureRequest, sqlite_url: str, postgres_url: str) -> tuple[str, str]:
    """The addresses of the source and the target."""
    return (sqlite_url, postgres_url) if request.param == "to a server" else (postgres_url, sqlite_url)


async def test_every_match_is_there_as_it_was(ways: tuple[str, str]) -> None:
    source, target = ways
    async with Database.open(source) as store:
        played = await add_match(store, a_match(1))
        for _ in range(5):
            played = await save_match(store, play_turn(played))
        over = await save_match(store, resign(await add_match(store, a_match(2))))
    await transfer(source, target)
    async with Database.open(target) as store:
        assert [told(await load_match(store, match.id)) for match in (played, over)] == [told(played), told(over)]
        async with store.read() as reader:
            assert await reader.outbox.pending_matches() == [played.id, over.id]
            assert [entry.id for entry in await reader.matches.open_of(ANNA)] == [played.id]


async def test_a_match_goes_on_after_the_move(ways: tuple[str, str]) -> None:
    source, target = ways
    async with Database.open(source) as store:
        match = await add_match(store)
    await transfer(source, target)
    async with Database.open(target) as store:
        await save_match(store, play_turn(match))
        assert (await load_match(store, match.id)).version == 1


async def test_ids_go_on_where_they_stood_even_past_what_was_deleted(sqlite_url: str, postgres_url: str) -> None:
    async with Database.open(sqlite_url) as store:
        first, last = [await add_match(store, a_match(channel)) for channel in (1, 2)]
    deleted = (f'DELETE FROM {table} WHERE "match" = {last.id}' for table in ("outbox", "seat"))  # noqa: S608
    await execute(sqlite_url, *deleted, f'DELETE FROM "match" WHERE id = {last.id}')  # noqa: S608
    await transfer(sqlite_url, postgres_url)
    async with Database.open(postgres_url) as store:
        assert (await load_match(store, first.id)).channel == ChannelId(1)
        assert (await add_match(store, a_match(3))).id == last.id + 1


async def test_more_rows_than_fit_into_one_batch_all_arrive(sqlite_url: str, postgres_url: str) -> None:
    async with Database.open(sqlite_url) as store, store.write() as tx:
        for channel in range(11):
            await tx.matches.add(a_match(channel))
    rows: dict[str, int] = {}
    await transfer(sqlite_url, postgres_url, rows.__setitem__, batch_rows=5)
    assert (rows["match"], rows["seat"], rows["event"]) == (11, 22, 0)


async def test_a_database_with_anything_in_it_is_not_filled(sqlite_url: str, postgres_url: str) -> None:
    for url in (sqlite_url, postgres_url):
        async with Database.open(url) as store:
            match = await add_match(store)
    with pytest.raises(NotEmpty, match="match"):
        await transfer(sqlite_url, postgres_url)
    async with Database.open(postgres_url) as store:
        assert (await load_match(store, match.id)).version == 0


async def test_a_row_that_comes_back_otherwise_undoes_everything(sqlite_url: str, bare_url: str) -> None:
    async with Database.open(sqlite_url) as store:
        await save_match(store, play_turn(await add_match(store)))
    await migrate(bare_url)
    await execute(
        bare_url,
        "CREATE FUNCTION garble() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN NEW.text = lower(NEW.text); RETURN NEW; END'",
        "CREATE TRIGGER garbled BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION garble()",
    )
    with pytest.raises(Mismatch, match="event"):
        await transfer(sqlite_url, bare_url)
    async with Database.open(bare_url) as store, store.read() as reader:
        assert await reader.matches.open_of(ANNA) == []


async def test_a_file_on_which_a_bot_works_is_left_alone(sqlite_url: str, postgres_url: str) -> None:
    async with Database.open(sqlite_url):
        with pytest.raises(InUse):
            await transfer(sqlite_url, postgres_url)
