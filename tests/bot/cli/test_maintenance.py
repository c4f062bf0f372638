"""The commands of an operator: sync, backup, restore, migrate and doctor."""

from __future__ import annotations

import logging
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import maintenance
from bot.cli.findings import Mark
from bot.settings import BadSettings, Settings
from loopback import TOKEN, Discord
from storage import Database
from tests.bot.cli.doctoring import Patient
from tests.databases import outdate_the_program
from tests.matches import a_match, add_match, load_match, play_turn, save_match

ReadSettings = Callable[..., Settings]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ReadSettings:
    """Reads the settings of an environment that has nothing else."""
    monkeypatch.chdir(tmp_path)
    for name in ("KROPKA_TOKEN", "KROPKA_DATABASE", "DATABASE_URL", "KROPKA_STATUS_PORT"):
        monkeypatch.delenv(name, raising=False)

    def read(**environment: object) -> Settings:
        for name, value in environment.items():
            monkeypatch.setenv(f"KROPKA_{name.upper()}", str(value))
        return Settings.read()

    return read


async def test_a_backup_brings_back_what_was(
    read: ReadSettings, sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, copy = read(database=sqlite_url), Namespace(file=tmp_path / "copy.db")
    async with Database.open(sqlite_url) as store:
        match = await add_match(store)
        assert await maintenance.make_backup(settings, copy) == 0
        await save_match(store, play_turn(match))
    assert await maintenance.restore_backup(settings, copy) == 0
    async with Database.open(sqlite_url) as store:
        assert (await load_match(store, match.id)).version == 0
    output = capsys.readouterr().out
    assert "whole and checked" in output
    assert "What was there before is in" in output


@pytest.mark.parametrize("command", [maintenance.make_backup, maintenance.restore_backup])
async def test_for_a_server_the_operator_is_told_of_its_own_tools(
    read: ReadSettings, command: object, tmp_path: Path
) -> None:
    settings = read(database="postgresql://kropka@nowhere/kropka")
    with pytest.raises(BadSettings, match="pg_dump"):
        await command(settings, Namespace(file=tmp_path / "copy.db"))  # type: ignore[operator]


async def test_a_bot_moves_from_its_file_to_a_server(
    read: ReadSettings, sqlite_url: str, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Database.open(sqlite_url) as store:
        match = await save_match(store, play_turn(await add_match(store, a_match(5))))
    settings = read(database=postgres_url)
    assert await maintenance.migrate_database(settings, Namespace(source=sqlite_url)) == 0
    async with Database.open(postgres_url) as store:
        assert (await load_match(store, match.id)).events == match.events
    assert "event: 1 rows, compared one by one" in capsys.readouterr().out


async def test_the_doctor_finds_nothing_wrong_with_a_whole_bot(
    read: ReadSettings, discord: Discord, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read(token=TOKEN, database=sqlite_url)
    async with Database.open(sqlite_url):
        pass
    await maintenance.sync(settings, Namespace())
    assert await maintenance.examine(settings, Namespace()) == 0
    lines = capsys.readouterr().out.splitlines()
    question = lines.index("Can boards be drawn?")
    assert lines[question + 1].startswith("ok   fonts: a board was drawn")
    assert [line.split(":")[0].split()[1] for line in lines if line.startswith("ok")] == [
        "fonts",
        "database",
        "clock",
        "token",
        "commands",
        "gateway",
        "permissions",
        "invite",
        "installation",
    ]
    assert not [line for line in lines if line.startswith("BAD")]


async def test_the_doctor_names_what_is_wrong_and_looks_at_the_rest(
    read: ReadSettings, discord: Discord, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.db").write_text("a broken database" * 100)
    settings = read(token="wrong.to.ken", database=f"sqlite:///{tmp_path}/broken.db")  # noqa: S106
    assert await maintenance.examine(settings, Namespace()) == 1
    bad = [line for line in capsys.readouterr().out.splitlines() if line.startswith("BAD")]
    assert [line.split(":")[0].split()[1] for line in bad] == ["database", "token"]
    assert not any("wrong.to.ken" in line for line in bad)


async def test_the_doctor_reaches_a_server(
    read: ReadSettings, discord: Discord, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await maintenance.examine(read(token=TOKEN, database=postgres_url), Namespace())
    assert "ok   database: reached; its clock is" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_the_doctor_finds_that_a_database_is_newer_than_the_program(
    patient: Patient, discord: Discord, request: pytest.FixtureRequest, engine: str
) -> None:
    url = request.getfixturevalue(f"{engine}_url")
    patient.set(database=url)
    await outdate_the_program(url)
    mark, sentence = (await patient.examine()).of("database")
    assert mark is Mark.BAD
    assert "newer than this Kropka" in sentence


@pytest.mark.parametrize("name", ["kropka.db", "kropka.db-wal", "."])
async def test_the_doctor_finds_that_a_database_can_be_read_and_not_written(
    patient: Patient, discord: Discord, sqlite_url: str, tmp_path: Path, bound_by_rights: None, name: str
) -> None:
    patient.set(database=sqlite_url)
    async with Database.open(sqlite_url) as store:
        await add_match(store)
        before = (tmp_path / name).stat().st_mode
        (tmp_path / name).chmod(0o500)
        answer = (await patient.examine()).of("database")
        (tmp_path / name).chmod(before)
    place = (tmp_path / name).resolve()
    said = f"KROPKA_DATABASE: {place} can't be written to; choose another place, or let Kropka write there"
    assert answer == (Mark.BAD, said)


async def test_a_sync_begins_without_a_warning(
    read: ReadSettings, discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    assert await maintenance.sync(read(token=TOKEN), Namespace()) == 0
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []


def test_many_processes_need_a_division_and_a_server(read: ReadSettings) -> None:
    with pytest.raises(BadSettings, match="2 processes need KROPKA_SHARDS, and a PostgreSQL database"):
        read(processes=2)
