"""The faults of an operator's first hour: each is told in one line that names the setting, with status 2."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import discord as library
import pytest

from bot.__main__ import main
from loopback import TOKEN
from storage import migrate
from storage.errors import CannotOpen
from tests.conftest import Files
from tests.postgres import VOLATILE, Postgres
from tests.program import kropka

AWAY = "the bot was not at work for "
"""The beginning of a line that the log has where others kept the machine busy."""


class Operator:
    """Runs commands in a folder of its own, with nothing in the environment but the settings."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.chdir(folder)
        for name in ("DATABASE_URL", *(each for each in os.environ if each.startswith("KROPKA_"))):
            monkeypatch.delenv(name, raising=False)

    def run(self, *command: str, **settings: str) -> tuple[int, str, str]:
        """Returns the status of a command, and what it writes to standard output and error."""
        for name, value in {"thinkers": "0", **settings}.items():
            self._monkeypatch.setenv(f"KROPKA_{name.upper()}", value)
        status = main(list(command))
        return status, *self._capsys.readouterr()

    def told(self, *command: str, **settings: str) -> str:
        """Runs a command that has to fail; returns the only line that it writes."""
        status, output, log = self.run(*command, **settings)
        assert (status, output) == (2, ""), log
        (line,) = log.splitlines()
        return line


@pytest.fixture
def operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Operator]:
    """An operator, after whom the logging and the addresses of Discord are what they were."""
    for place, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.asset.Asset, "BASE"),
    ):
        monkeypatch.setattr(place, name, getattr(place, name))
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in ("discord", "alembic", "asyncio")}
    yield Operator(tmp_path, monkeypatch, capsys)
    root.handlers[:], root.level = before, level
    for name, each in levels.items():
        logging.getLogger(name).setLevel(each)


def hold_garbage(name: str) -> Callable[[Path], object]:
    def prepare(folder: Path) -> None:
        (folder / "data").mkdir()
        (folder / "data" / name).write_text("a list of games\n" * 1000)

    return prepare


def hold_another_program(folder: Path) -> None:
    (folder / "data").mkdir()
    with closing(sqlite3.connect(folder / "data" / "kropka.db")) as connection, connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")


@pytest.mark.parametrize(
    ("prepare", "settings", "sentence"),
    [
        (hold_garbage("kropka.db"), {"token": TOKEN}, "data/kropka.db isn't a database, or is damaged. Put a copy in"),
        (hold_garbage("tryout.db"), {"port": "0"}, "data/tryout.db isn't a database, or is damaged. Put a copy in"),
        (hold_garbage("tryout.discord"), {"port": "0"}, "data/tryout.discord isn't a file of the try-out"),
        (hold_another_program, {"token": TOKEN}, "data/kropka.db belongs to another program. Name another file."),
        (lambda folder: (folder / "data").touch(), {"token": TOKEN}, "data can't be made (File exists)."),
        (lambda folder: (folder / "data").touch(), {"port": "0"}, "data can't be made (File exists)."),
        (lambda folder: (folder / "x.db").mkdir(), {"database": "sqlite:///x.db"}, "x.db is a folder. Name a file."),
        (lambda folder: None, {"database": "sqlite:////proc/kropka.db"}, "/proc can't be written to"),
    ],
)  # fmt: skip
def test_a_database_that_cannot_be_kept_there_is_told(
    operator: Operator, tmp_path: Path, prepare: Callable[[Path], object], settings: dict[str, str], sentence: str
) -> None:
    prepare(tmp_path)
    line = operator.told("run", **({"token": TOKEN} if "database" in settings else {}), **settings)
    assert line.startswith("KROPKA_DATABASE: ")
    assert sentence in line


async def test_a_folder_that_the_user_may_not_write_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CannotOpen, match="can't be written to \\(Permission denied\\)"):
        await migrate(f"sqlite:///{tmp_path}/kropka.db")


@pytest.mark.process
async def test_a_second_try_out_on_a_folder_is_told_and_its_database_can_be_copied(tmp_path: Path) -> None:
    async with kropka(tmp_path, "run", port="0") as first:
        assert first.stdout is not None
        while b"Open" not in await first.stdout.readline():
            pass
        async with kropka(tmp_path, "run", port="0") as second:
            _, log = await second.communicate()
            assert second.returncode == 2
            (line,) = log.decode().splitlines()
        assert line.startswith(f"KROPKA_DATABASE: another try-out is running in {tmp_path}/data. Stop it first, or")
        async with kropka(tmp_path, "backup", "copy.db") as copying:
            output, log = await copying.communicate()
            assert copying.returncode == 0, log.decode()
            assert f"from {tmp_path}/data/tryout.db, whole and checked" in output.decode()


@pytest.mark.process
async def test_a_try_out_that_is_stopped_at_once_says_no_more_than_that(tmp_path: Path) -> None:
    async with kropka(tmp_path, "run", port="0") as tryout:
        assert tryout.stdout is not None
        while b"Open" not in await tryout.stdout.readline():
            pass
        tryout.send_signal(signal.SIGINT)
        _, log = await tryout.communicate()
        lines = [line.split(": ", 1)[1] for line in log.decode().splitlines() if AWAY not in line]
        assert lines in (["stopped"], ["ready on 1 server, 0 open games", "stopped"])
        assert tryout.returncode == 0


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("sqlite:///old.db", "old.db doesn't exist."),
        ("sqlite:///nowhere/old.db", "old.db doesn't exist."),
        ("sqlite:///empty.db", "empty.db is no database of Kropka: no such table: alembic_version."),
        ("sqlite:///garbage.db", "garbage.db is no database of Kropka: file is not a database."),
        ("old.db", "This isn't the address of a database. Use sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME."),
        ("mysql://x:secret@y/z", "Kropka doesn't work with mysql. Use sqlite:///PATH"),
        (
            "postgresql://kropka:secret@127.0.0.1:9/kropka",
            "127.0.0.1:9 refuses the connection. Start it, or correct the",
        ),
        ("sqlite:///whole.db", "this is the database to move into. Set KROPKA_DATABASE to the new one."),
    ],
)
def test_a_source_that_is_none_is_refused_and_nothing_is_made(
    operator: Operator, tmp_path: Path, files: Files, source: str, sentence: str
) -> None:
    (tmp_path / "empty.db").touch()
    (tmp_path / "garbage.db").write_text("a list of games" * 1000)
    shutil.copyfile(files(None), tmp_path / "whole.db")
    before = {path.name for path in tmp_path.iterdir() if path.suffix in ("", ".db")}
    target = "whole" if "whole" in source else "new"
    line = operator.told("migrate", "--from", source, database=f"sqlite:///{target}.db")
    assert line.startswith("--from: ")
    assert sentence in line
    assert "secret" not in line
    assert {path.name for path in tmp_path.iterdir() if path.suffix in ("", ".db")} == before


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Postgres, int]]:
    """A server that asks for passwords on TCP, and its port."""
    rules = Path(tempfile.mkdtemp(prefix="kropka-hba-")) / "hba"  # which the user of the server can read
    rules.parent.chmod(0o755)
    rules.write_text("local all kropka trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    settings = {"hba_file": str(rules), "listen_addresses": "127.0.0.1", "port": str(port)}
    with Postgres({**VOLATILE, **settings}) as running:
        yield running, port
    shutil.rmtree(rules.parent)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (
            "postgresql://kropka:secret@127.0.0.1:9/kropka",
            "at 127.0.0.1:9 refuses the connection. Start it, or correct",
        ),
        ("postgresql://kropka:secret@db.invalid/kropka", "The host db.invalid is unknown. Check its name"),
        ("postgresql://kropka@/kropka?host=/nowhere", "There's no PostgreSQL server at the socket in /nowhere."),
        ("postgresql://kropka:secret@127.0.0.1:{port}/postgres", "refuses the user kropka or their password. Correct"),
        ("{socket}", "has no database no_such. Create it with `createdb`, or correct the address."),
        ("postgresql://kropka:secret@127.0.0.1:{port}/postgres?sslmode=require", "rejected SSL upgrade"),
        ("postgresql://kropka:secret@127.0.0.1:{port}/postgres?sslmode=perhaps", "must be one of: disable, allow"),
    ],
)
def test_a_server_that_cannot_be_used_is_told(
    operator: Operator, tmp_path: Path, server: tuple[Postgres, int], address: str, sentence: str
) -> None:
    postgres, port = server
    database = address.format(port=port, socket=f"{postgres.url('no_such')}&port={port}")
    line = operator.told("run", token=TOKEN, database=database)
    assert line.startswith("KROPKA_DATABASE: ")
    assert sentence in line
    assert "secret" not in line


def test_the_doctor_tells_what_is_wrong_with_a_server_and_with_a_folder(operator: Operator, tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    for database, sentence in (
        (
            "postgresql://kropka:secret@127.0.0.1:9/kropka",
            "KROPKA_DATABASE: The PostgreSQL server at 127.0.0.1:9",
        ),
        ("sqlite:///data/kropka.db", f"KROPKA_DATABASE: {tmp_path}/data can't be written to"),
    ):
        status, output, _ = operator.run("doctor", database=database, discord="http://127.0.0.1:9")
        assert status == 1
        assert f"BAD  database: {sentence}" in output
        assert "BAD  clock: Discord can't be reached (127.0.0.1:9: Connection refused)" in output
        assert "kropka:secret" not in output


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("backup", "copy.db"), "data/kropka.db is not there."),
        (("backup", "nowhere/copies/copy.db"), "The folder nowhere is not there. Create it first."),
        (("backup", "there.db"), "there.db is there already. Choose another name."),
        (("restore", "copy.db"), "copy.db is not there."),
        (("restore", "there.db"), "there.db is no database of Kropka: file is not a database."),
        (("health",), "KROPKA_STATUS_PORT: it's missing, so the bot can't be asked. Set it, and restart the bot."),
    ],
)
def test_a_command_that_cannot_do_its_work_tells_why(
    operator: Operator, tmp_path: Path, files: Files, command: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "there.db").write_text("a list of games" * 1000)
    if command[-1] in ("nowhere/copies/copy.db", "there.db"):
        (tmp_path / "data").mkdir()
        shutil.copyfile(files(None), tmp_path / "data" / "kropka.db")
    assert (operator.told(*command)).endswith(sentence)


def test_the_steps_of_the_tables_are_told_only_to_operators_who_want_all(operator: Operator, tmp_path: Path) -> None:
    for level, is_told in (("INFO", False), ("DEBUG", True)):
        status, _, log = operator.run("migrate", log_level=level, database=f"sqlite:///{level}.db")
        assert (status, "alembic" in log) == (0, is_told)


def test_a_setting_that_there_is_not_is_told_and_stops_nothing(operator: Operator) -> None:
    status, _, log = operator.run("migrate", loglevel="DEBUG")
    assert status == 0
    (line,) = log.splitlines()
    assert line.endswith("KROPKA_LOGLEVEL isn't a setting of Kropka. Did you mean KROPKA_LOG_LEVEL?")
